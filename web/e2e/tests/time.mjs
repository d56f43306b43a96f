// Time: pause, steps, slow motion, reset.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, frame, id, ready, until, world } from "../lib/page.mjs";

e2e("time: pause, ten steps, slow motion and reset", async (use) => {
  const page = await use.page(await use.server());
  await ready(page);
  await until(page, "the end of the script", () => window.stiction.frame().time > 3);
  await id(page, "play").click();
  await until(page, "it is paused", () => window.stiction.frame().paused);
  const { tick, time } = await frame(page);
  await id(page, "step-10").click();
  await until(page, "ten ticks on", (t) => window.stiction.frame().tick === t + 10, tick);
  const stepped = await frame(page);
  assert.ok(Math.abs(stepped.time - time - 0.01) < 1e-9 && stepped.paused);
  await page.keyboard.press(".");
  await until(page, "one more", (t) => window.stiction.frame().tick === t + 11, tick);

  await id(page, "speed-100").click();
  await id(page, "play").click();
  await until(page, "slow motion", () => window.stiction.frame().speed === 0.01 && !window.stiction.frame().paused);
  const rate = await page.evaluate(async () => {
    const read = () => [performance.now(), window.stiction.frame().tick];
    const [t0, n0] = read();
    await new Promise((done) => {
      const look = () => (performance.now() - t0 > 1500 ? done() : setTimeout(look, 10));
      look();
    });
    const [t1, n1] = read();
    return (1000 * (n1 - n0)) / (t1 - t0);
  });
  use.say(`slow motion 1/100: ${rate.toFixed(1)} ticks a second`);
  assert.ok(rate > 2 && rate < 15, `${rate} ticks a second`);
  await id(page, "speed-1").click();
  await until(page, "real time", () => window.stiction.frame().speed === 1);

  const { start } = await world(page);
  await id(page, "reset").click();
  await until(page, "time starts anew", (t) => window.stiction.frame().time < 1.5 && window.stiction.frame().tick < t, tick);
  await id(page, "play").click();
  await until(page, "it is paused", () => window.stiction.frame().paused);
  await id(page, "reset").click();
  await until(page, "the beginning", () => window.stiction.frame().time === 0);
  const first = await frame(page);
  assert.ok(distance(first.lanes[0].part, start) < 1e-6, "the part is where the scene starts");
});
