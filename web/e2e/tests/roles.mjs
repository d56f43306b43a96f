// Two pages: one holds, the other watches.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, frame, grab, id, partOnPage, ready, until } from "../lib/page.mjs";

e2e("roles: the second page watches and cannot drag; it asks, the first gives; who is left holds", async (use) => {
  const server = await use.server();
  const first = await use.page(server);
  await ready(first);
  const second = await use.page(server);
  await ready(second, { holding: false });
  await until(first, "the end of the script", () => window.stiction.frame().time > 3.2);
  assert.match(await id(second, "role-line").textContent(), /Page \d+ holds the part; you watch/);
  assert.equal(await id(second, "set-friction.method").isDisabled(), true);
  assert.equal(await id(second, "scene").isDisabled(), true);

  const before = await frame(second);
  const camera = await partOnPage(second);
  await drag(second);
  await until(second, "the drag turned the camera instead", ([x, y]) => {
    const now = window.stictionView.project(window.stiction.frame().lanes[0].centre.map((v, i) => v + (i === 2 ? 0.05 : 0)));
    return Math.hypot(now[0] - x, now[1] - y) > 1;
  }, camera);
  const after = await frame(second);
  assert.ok(distance(before.hand, after.hand) < 1e-5 && after.source === "script", "a watcher's drag moves nothing");

  await id(second, "role-ask").click();
  await id(first, "role-request").waitFor();
  await id(first, "role-give").click();
  await until(second, "the second page holds", () => window.stiction.connection().holding);
  await until(first, "the first does not", () => !window.stiction.connection().holding);
  await drag(second);
  await until(second, "its drag moves the hand", (from) => Math.hypot(...window.stiction.frame().hand.slice(0, 3).map((v, i) => v - from[i])) > 1e-3, after.hand);
  await until(first, "the first page sees it", (from) => Math.hypot(...window.stiction.frame().hand.slice(0, 3).map((v, i) => v - from[i])) > 1e-3, after.hand);

  await second.context().close();
  await until(first, "who is left holds", () => window.stiction.connection().holding);
  assert.match(await id(first, "role-line").textContent(), /You hold the part|script moves the part/);
});

e2e("roles: a page that does nothing loses the part to one that asks, which both are told", async (use) => {
  const server = await use.server({ args: ["--take-over", "3"] });
  const first = await use.page(server);
  await ready(first);
  const second = await use.page(server);
  await ready(second, { holding: false });
  await id(second, "role-ask").click();
  await until(first, "the holder is warned", () => /If you do nothing, page \d+ takes the part in \d s/.test(document.querySelector('[data-testid="role-note"]').textContent));
  await until(second, "the other is told when", () => /does nothing, you get it in \d s/.test(document.querySelector('[data-testid="role-note"]').textContent));
  await id(first, "role-keep").click();
  await until(second, "it was kept", () => document.querySelector('[data-testid="role-ask"]').textContent === "Ask for the part");
  await id(second, "role-ask").click();
  await until(second, "it is taken over", () => window.stiction.connection().holding);
  await until(first, "the first page is told", () => /took the part over, because this page had done nothing for \d+ s/.test(document.querySelector('[data-testid="role-note"]').textContent));
  assert.match(await id(second, "role-note").textContent(), /You took it over from page 1/);
  assert.equal(await id(first, "set-friction.method").isDisabled(), true);
});

/** A short drag on the part. */
async function drag(page) {
  const [x, y] = await grab(page);
  await page.mouse.move(x + 30, y, { steps: 6 });
  await page.mouse.up();
}
