// Two methods on one hand: friction springs creep under a load, slip memory does not.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, endLog, id, ready, startLog, until, world } from "../lib/page.mjs";

const SECONDS = 4;

e2e("compare: under a load that varies, springs creep on and ours stays", async (use) => {
  // 4.4 N sideways by the hand, and 1 N more or less, four times a second: never more than three quarters of what friction holds.
  const server = await use.server({ scene: "plate-cube", args: ["--set", "load.vary={force=[1.0,0,0],period=0.25}"] });
  const page = await use.page(server);
  await ready(page, { scene: "plate-cube" });
  await until(page, "the end of the script", () => window.stiction.frame().time > 2.2);
  await id(page, "compare").selectOption("yamane");
  await until(page, "two lanes", () => window.stiction.world().lanes.length === 2 && window.stiction.frame()?.lanes.length === 2);
  const { lanes } = await world(page);
  assert.deepEqual(lanes.map((l) => l.method), ["hold", "yamane"]);
  assert.match(page.url() + (await until(page, "the address", () => location.search.includes("compare=friction.method=yamane")), page.url()), /plate-cube/);
  await until(page, "both hold", () => window.stiction.frame().lanes.every((l) => l.verdict === "holds"));
  await startLog(page);
  await until(page, `${SECONDS} s of simulation`, (s) => window.__log.length > 2 && window.__log.at(-1).time - window.__log[0].time > s, SECONDS);
  const log = await endLog(page);
  // Moments of the same phase of the load.
  const phase = (t) => (t % 0.25) / 0.25;
  const same = log.filter((r) => Math.abs(phase(r.time) - 0.5) < 0.1);
  for (const r of log.filter((_, i) => i % 12 === 0)) console.log(r.time.toFixed(3), r.lanes.map((l) => (1e6 * l.part[0]).toFixed(2) + " " + l.verdict).join("  "));
  const [first, last] = [same[0], same.at(-1)];
  const gone = [0, 1].map((i) => distance(first.lanes[i].part, last.lanes[i].part));
  use.say(`in ${(last.time - first.time).toFixed(2)} s: hold ${(1e6 * gone[0]).toFixed(2)} µm, springs ${(1e6 * gone[1]).toFixed(2)} µm`);
});
