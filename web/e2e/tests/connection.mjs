// Losing the server, and getting it back.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { drawsOn, id, ready, until } from "../lib/page.mjs";

const LOST = /WebSocket connection to .* failed|Failed to load resource: net::ERR_(CONNECTION|EMPTY)/;

e2e("connection: the server is killed and starts again; the page says so and comes back by itself", async (use) => {
  const first = await use.server();
  const page = await use.page(first, "", { allow: LOST });
  await ready(page);
  const { port } = first;
  await first.stop("SIGKILL");
  await id(page, "lost").waitFor();
  assert.match(await id(page, "connection").textContent(), /connection lost, trying again/);
  assert.match(await id(page, "lost").textContent(), /Connection lost, trying again/);
  assert.equal(await id(page, "set-friction.method").isDisabled(), true, "nothing can be set without a server");
  assert.notEqual(await page.evaluate(() => window.stiction.sentence()), "", "the last numbers stay");

  const began = Date.now();
  await use.server({ port });
  await until(page, "the page connects again", () => window.stiction.connection().state === "open" && window.stiction.connection().holding);
  use.say(`connected again ${((Date.now() - began) / 1000).toFixed(1)} s after the server began to start`);
  await until(page, "frames of the new server", () => window.stiction.frame().time < 60);
  const frames = await page.evaluate(() => window.stiction.frames);
  await until(page, "new frames", (n) => window.stiction.frames > n + 10, frames);
  await drawsOn(page, 5);
  assert.equal(await id(page, "lost").isVisible(), false);
  assert.match(await id(page, "connection").textContent(), /connected/);
  assert.equal(await id(page, "set-friction.method").isEnabled(), true);
});
