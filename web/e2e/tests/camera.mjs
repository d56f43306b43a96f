// The camera by mouse, wheel, keys and buttons; a slice with its colour bar.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, frame, grab, id, partOnPage, pixelsPerMetre, ready, until } from "../lib/page.mjs";

/** The camera of the address: x, y, z, distance, azimuth and elevation in degrees. */
const camera = (page) => page.evaluate(() => window.stictionView.camera().split(",").map(Number));

e2e("camera: the wheel zooms on the part and beside it, also during a drag, and moves nothing", async (use) => {
  const page = await use.page(await use.server());
  await ready(page);
  await until(page, "the end of the script", () => window.stiction.frame().time > 3.1);
  const before = await frame(page);
  const scale = await pixelsPerMetre(page);
  const [x, y] = await partOnPage(page);
  const [, , , away] = await camera(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -240);
  await until(page, "nearer", (d) => Number(window.stictionView.camera().split(",")[3]) < 0.75 * d, away);
  assert.ok((await pixelsPerMetre(page)) > 1.3 * scale, "the part is drawn larger");
  const [nx, ny] = await partOnPage(page);
  assert.ok(Math.hypot(nx - x, ny - y) < 25, `what is under the pointer stays there: ${[x, y]} to ${[nx, ny]}`);
  const after = await frame(page);
  assert.ok(distance(after.hand, before.hand) < 1e-6 && after.source === before.source, "the hand is where it was");

  // During a drag the hand stays put while the view zooms.
  const [gx, gy] = await grab(page);
  await page.mouse.move(gx + 15, gy, { steps: 4 });
  await until(page, "the drag moves the hand", (from) => Math.hypot(...window.stiction.frame().hand.slice(0, 3).map((v, i) => v - from[i])) > 2e-4, after.hand);
  await page.waitForTimeout(300);
  const held = await page.evaluate(() => window.stictionView.target());
  const [, , , far] = await camera(page);
  await page.mouse.wheel(0, 200);
  await until(page, "farther", (d) => Number(window.stictionView.camera().split(",")[3]) > 1.2 * d, far);
  await page.mouse.move(gx + 15, gy);
  await page.waitForTimeout(100);
  const now = await page.evaluate(() => window.stictionView.target());
  assert.ok(distance(now, held) < 1e-4, `zooming moved the hand by ${distance(now, held)} m`);
  await page.mouse.up();
});


e2e("camera: views by buttons and keys, double click focuses, C goes back", async (use) => {
  const page = await use.page(await use.server());
  await ready(page);
  const first = await camera(page);
  // The corner's walls are at -Y and below: from -Y they would hide the cube, so the first view looks from +Y and +X, and so do these.
  assert.ok(first[4] > 0 && first[4] < 90, `the first view is from +X, +Y: ${first}`);
  for (const [button, key, azimuth, elevation] of [["view-front", "1", 90, 0], ["view-side", "2", 0, 0], ["view-top", "3", -90, 90], ["view-iso", "4", 45, 35.3]]) {
    await id(page, button).click();
    assert.deepEqual((await camera(page)).slice(4), [azimuth, elevation], button);
    await id(page, "view-fit").click();
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(key);
    assert.deepEqual((await camera(page)).slice(4), [azimuth, elevation], `key ${key}`);
    await page.keyboard.press("c");
    assert.deepEqual(await camera(page), first);
  }
  // A corner of the part, which is not in the middle.
  const [x, y] = await partOnPage(page);
  await page.mouse.dblclick(x + 14, y + 6);
  await until(page, "another point is in the middle", (from) => window.stictionView.camera().split(",").slice(0, 3).some((v, i) => Math.abs(Number(v) - from[i]) > 1e-4), first);
  const focused = await camera(page);
  assert.deepEqual(focused.slice(3), first.slice(3), "from the same side and distance");
  const box = await id(page, "stage").boundingBox();
  const at = await page.evaluate((p) => window.stictionView.project(p), focused.slice(0, 3));
  assert.ok(Math.abs(at[0] - box.x - box.width / 2) < 1 && Math.abs(at[1] - box.y - box.height / 2) < 1, "it is in the middle of the stage");
  const part = (await frame(page)).lanes[0].part;
  const { radius } = await page.evaluate(() => window.stiction.world());
  assert.ok(distance(focused, part) < 2 * radius, "a point of the part");
  await until(page, "the address has the camera", () => location.search.includes("cam="));
});

e2e("camera: a slice opens in the middle of the part, with a colour bar in mm", async (use) => {
  const page = await use.page(await use.server());
  await ready(page);
  await id(page, "see-slice-part").selectOption("held");
  await id(page, "slice-bar").waitFor();
  const text = await id(page, "slice-bar").textContent();
  use.say(text);
  const box = (await page.evaluate(() => window.stiction.world())).held_box;
  const at = Number(/at x = (\S+) mm/.exec(text)[1].replace("−", "-")) / 1000;
  const [low, high] = [box[0][0], box[1][0]];
  assert.ok(Math.abs(at - (low + high) / 2) < 0.05 * (high - low), `${at} m of ${low} to ${high} m`);
  assert.equal(await id(page, "see-slice-at").inputValue(), "0.5");
  assert.match(text, /a line every \d+(\.\d+)? mm/);
  const ticks = await page.evaluate(() => [...document.querySelectorAll(".slice-ticks span")].map((s) => Number(s.textContent.replace("−", "-"))));
  assert.ok(ticks[0] < 0 && ticks[1] === 0 && ticks[2] > 0, `${ticks} mm`);
  assert.ok(Math.abs(1e-3 * ticks[0]) <= (high - low) / 2 + 1e-3, "no deeper than half the part");
  await id(page, "see-slice-part").selectOption("");
  await id(page, "slice-bar").waitFor({ state: "hidden" });
});
