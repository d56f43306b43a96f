// Other ways to move the hand: Alt and wheel, Shift and drag, keys, letting go.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { angle, distance, frame, grab, id, partOnPage, ready, until } from "../lib/page.mjs";

e2e("hand: Alt and the wheel move it in depth, Shift turns it, keys move it, H lets go", async (use) => {
  const page = await use.page(await use.server({ scene: "corner-cube" }));
  await ready(page);
  await until(page, "the end of the script", () => window.stiction.frame().time > 3.1);
  const start = (await frame(page)).hand;

  const [x, y] = await partOnPage(page);
  await page.mouse.move(x, y);
  await page.keyboard.down("Alt");
  await page.mouse.wheel(0, 100);
  await page.keyboard.up("Alt");
  await until(page, "the wheel moves the hand towards the viewer", (from) => Math.hypot(...window.stiction.frame().hand.slice(0, 3).map((v, i) => v - from[i])) > 1e-3, start);
  const wheeled = await settled(page);
  use.say(`a notch of the wheel moves the hand by ${(1e3 * distance(wheeled, start)).toFixed(2)} mm`);
  assert.ok(angle(wheeled, start) < 0.01, "and does not turn it");
  assert.equal((await frame(page)).source, "page");

  await page.keyboard.down("Shift");
  await grab(page);
  await page.mouse.move(x + 12, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await until(page, "Shift and drag turn the hand", (from) => Math.abs(window.stiction.frame().hand.slice(3).reduce((s, v, i) => s + v * from[3 + i], 0)) < 0.9998, wheeled);
  const turned = await settled(page);
  use.say(`12 pixels with Shift turn it by ${((180 / Math.PI) * angle(turned, wheeled)).toFixed(1)}°`);
  assert.ok(angle(turned, wheeled) > 0.03 && angle(turned, wheeled) < 0.5);

  await id(page, "stage").focus();
  await page.keyboard.down("ArrowRight");
  await until(page, "the key moves the hand", (from) => Math.hypot(...window.stiction.frame().hand.slice(0, 3).map((v, i) => v - from[i])) > 3e-3, turned);
  await page.keyboard.up("ArrowRight");
  const moved = await settled(page);
  const [before, after] = await page.evaluate(([a, b]) => [a, b].map((p) => window.stictionView.project(p.slice(0, 3))), [turned, moved]);
  assert.ok(after[0] - before[0] > 1.5 && Math.abs(after[1] - before[1]) < 0.3 * (after[0] - before[0]), `to the right on the page: ${before} to ${after}`);

  assert.ok(Math.hypot(...(await frame(page)).lanes[0].wrench.slice(0, 3)) > 2, "the hand feels something");
  await id(page, "parked").waitFor();
  assert.match(await id(page, "parked-text").textContent(), /Hand parked: pulls with \d+(\.\d+)? N/);
  await page.keyboard.press("h");
  await id(page, "parked").waitFor({ state: "hidden" });
  await until(page, "nobody moves the hand", () => window.stiction.frame().source === "nobody");
  await until(page, "no force after letting go", () => Math.hypot(...window.stiction.frame().lanes[0].wrench.slice(0, 3)) < 0.5);
  use.say(`after H: ${Math.hypot(...(await frame(page)).lanes[0].wrench.slice(0, 3)).toFixed(3)} N`);
});

/** The hand, once it has come to rest. */
async function settled(page) {
  await until(page, "the hand rests", () => {
    const now = window.stiction.frame();
    const before = (window.__rest ??= []);
    before.push([now.time, ...now.hand]);
    while (before.length > 1 && now.time - before[1][0] > 0.15) before.shift();
    const old = before[0];
    return now.time - old[0] > 0.15 && now.hand.every((v, i) => Math.abs(v - old[i + 1]) < 1e-6);
  });
  return page.evaluate(() => {
    delete window.__rest;
    return window.stiction.frame().hand;
  });
}
