// Two methods on one hand: what friction springs and the quadratic program do under a load that varies, and ours does not.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, endLog, grab, id, pixelsPerMetre, placed, ready, startLog, until, world } from "../lib/page.mjs";

const micro = (metres) => `${(1e6 * metres).toFixed(metres < 1e-6 ? 3 : 1)} µm`;

e2e("compare: on one hand and under a varying load, springs give way and qp creeps, ours stays", async (use) => {
  // A rough plate. 4.4 N sideways by the hand, and 1 N more or less, four times a second: at most three quarters of what friction holds.
  // With penalty contacts, which the other two methods have too.
  const args = ["--set", "contact.model=penalty", "--set", "load.vary={force=[1.0,0,0],period=0.25}", "--set", "fixed.normal_noise=0.05"];
  const server = await use.server({ scene: "plate-cube", args });
  const page = await use.page(server);
  await ready(page, { scene: "plate-cube" });
  await until(page, "the end of the script", () => window.stiction.frame().time > 2.2);
  await compareWith(page, "yamane");
  const { held_box: box, lanes } = await world(page);
  assert.deepEqual(lanes.map((l) => l.method), ["hold", "yamane"]);
  await until(page, "the address", () => location.search.includes("compare=friction.method=yamane"));
  assert.ok(await id(page, "lane-1").isVisible());
  // The middle of the face that touches.
  const foot = (lane) => placed(lane.part, [0, 0, box[0][2]]);

  // Springs: the face moves with the load, all the time.
  await startLog(page);
  await pass(page, 1.5);
  const rocking = await endLog(page);
  const swing = [0, 1].map((i) => Math.max(...rocking.map((r) => distance(foot(r.lanes[i]), foot(rocking[0].lanes[i])))));
  use.say(`the load swings: the face of ours moves ${micro(swing[0])}, that of the springs ${micro(swing[1])}`);
  assert.ok(swing[0] < 5e-6 && swing[1] > 20e-6 && swing[1] > 20 * swing[0]);

  // And it follows the hand, which is one for both.
  const scale = await pixelsPerMetre(page);
  const [x, y] = await grab(page);
  await page.mouse.move(x - 1e-3 * scale, y, { steps: 5 });
  await startLog(page);
  await pass(page, 0.6);
  await page.mouse.up();
  const pulled = await endLog(page);
  const hand = distance(pulled.at(-1).hand, rocking[0].hand);
  const mean = (log, i) => [0, 1, 2].map((k) => log.reduce((sum, r) => sum + foot(r.lanes[i])[k], 0) / log.length);
  const followed = [0, 1].map((i) => distance(mean(pulled.slice(-10), i), mean(rocking, i)));
  use.say(`the hand moves ${micro(hand)}: ours follows by ${micro(followed[0])}, springs by ${micro(followed[1])}`);
  assert.ok(hand > 5e-4 && followed[0] < 2e-6 && followed[1] > 0.05 * hand);
  const { lanes: felt, hand: at } = pulled.at(-1);
  for (const [i, lane] of felt.entries()) {
    const stretch = lane.wrench.slice(0, 3).map((f, k) => f - 2000 * (lane.part[k] - at[k]));
    assert.ok(Math.hypot(...stretch) < 0.15 * Math.hypot(...lane.wrench.slice(0, 3)), `lane ${i}: its force is the coupling's, from the same hand: ${lane.wrench} N`);
  }

  // The quadratic program creeps from cycle to cycle.
  await compareWith(page, "qp");
  await startLog(page);
  await pass(page, 3.5);
  const cycles = await endLog(page);
  const [from, to] = samePhase(cycles);
  const crept = [0, 1].map((i) => distance(from.lanes[i].part, to.lanes[i].part));
  use.say(`in ${(to.time - from.time).toFixed(1)} s of load cycles: ours crept ${micro(crept[0])}, qp ${micro(crept[1])}`);
  assert.ok(crept[0] < 1e-7 && crept[1] > 2e-6, "ours stays, qp creeps");

  await id(page, "compare").selectOption("");
  await until(page, "one lane again", () => window.stiction.world().lanes.length === 1 && window.stiction.frame().lanes.length === 1);
});

/** Chooses a method to compare with, and waits until both lanes hold. */
async function compareWith(page, method) {
  if ((await id(page, "compare").inputValue()) !== "friction.method") await id(page, "compare").selectOption("friction.method");
  await id(page, "compare-set-friction.method").selectOption(method);
  await until(page, `a second lane with ${method}`, (m) => window.stiction.world().lanes[1]?.method === m && window.stiction.frame()?.lanes.length === 2, method);
  await pass(page, 0.7);
  await until(page, "both hold", () => window.stiction.frame().lanes.every((l) => l.row.verdict === "holds"));
}

/** Waits for so many seconds of the simulation. */
async function pass(page, seconds) {
  const now = await page.evaluate(() => window.stiction.frame().time);
  await until(page, `${seconds} s of simulation`, (t) => window.stiction.frame().time > t, now + seconds);
}

/** Two moments of the log that are whole seconds apart, as far as there are: frames come every 8 ms, load cycles every 250 ms. */
function samePhase(log) {
  for (let apart = 3; apart > 0; apart--) {
    for (const a of log) {
      const b = log.find((r) => Math.abs(r.time - a.time - apart) < 1e-6);
      if (b) return [a, b];
    }
  }
  throw new Error("no two frames of the same phase");
}

e2e("compare: any key, one click for springs, and labels that say what differs", async (use) => {
  const page = await use.page(await use.server({ scene: "plate-cube" }));
  await ready(page, { scene: "plate-cube" });
  await id(page, "compare-springs").click();
  await until(page, "ours and springs", () => window.stiction.world().lanes.map((l) => l.method).join() === "hold,yamane" && window.stiction.frame()?.lanes.length === 2);
  const hands = await page.evaluate(() => window.stiction.frame().hand);
  assert.equal(hands.length, 7, "one hand for both");

  // µ 0.3 against 0.6, by the same select.
  await id(page, "set-friction.static").fill("0.6");
  await page.keyboard.press("Enter");
  await until(page, "µ 0.6", () => window.stiction.world().lanes[0].mu_static === 0.6);
  await id(page, "compare").selectOption("friction.static");
  await until(page, "half of it in the second lane", () => window.stiction.world().lanes[1]?.mu_static === 0.3 && window.stiction.world().lanes[1].method === "hold");
  assert.deepEqual((await world(page)).lanes.map((l) => l.mu_static), [0.6, 0.3]);
  assert.match(await id(page, "lane-0-label").textContent(), /µ 0.6/);
  assert.match(await id(page, "lane-1-label").textContent(), /µ 0.3/);
  await until(page, "the address", () => location.search.includes("compare=friction.static=0.3"));
  await id(page, "compare-set-friction.static").fill("0.2");
  await page.keyboard.press("Enter");
  await until(page, "µ 0.2 in the second lane only", () => window.stiction.world().lanes.map((l) => l.mu_static).join() === "0.6,0.2");

  // A key for which shapes are made anew.
  await id(page, "compare").selectOption("held.points");
  await id(page, "compare-set-held.points").fill("60");
  await page.keyboard.press("Enter");
  await until(page, "fewer points in the second lane", () => /60$/.test(window.stiction.world().lanes[1]?.label ?? ""), null, 60_000);
  use.say((await world(page)).lanes.map((l) => l.label).join(" | "));
  await id(page, "compare-reset-held.points").click();
  await until(page, "one lane again", () => window.stiction.world().lanes.length === 1);
});
