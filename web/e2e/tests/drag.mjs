// Dragging the part with the mouse until it slips: what is said, what is plotted and Coulomb's law agree.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, endLog, frame, grab, pixelsPerMetre, ready, series, startLog, until, world } from "../lib/page.mjs";

const WEIGHT = 0.5 * 9.81;

e2e("drag: the mouse pulls the cube on the plate, which sticks and then slips at Coulomb's limit", async (use) => {
  const server = await use.server({ scene: "plate-cube" });
  const page = await use.page(server);
  await ready(page, { scene: "plate-cube" });
  const { mu_static: mu } = (await world(page)).lanes[0];
  await until(page, "the end of the script: the cube is pressed down", () => window.stiction.frame().time > 2.2 && window.stiction.sentence().startsWith("holds"));
  // Sideways in the view is level in the world: what presses the cube down stays.
  const scale = await pixelsPerMetre(page);
  const [x, y] = await grab(page);
  await startLog(page);
  const before = await frame(page);
  for (let by = 2e-4; by < 12e-3; by += 2e-4) {
    await page.mouse.move(x + scale * by, y);
    await page.waitForTimeout(30);
    if (/^slides/.test(await page.evaluate(() => window.stiction.sentence()))) break;
  }
  await until(page, "the sentence says that it slides", () => window.stiction.sentence().startsWith("slides") || window.__log.some((r) => r.said.startsWith("slides")));
  await until(page, "the part has gone some way", (from) => Math.hypot(...window.stiction.frame().lanes[0].part.slice(0, 2).map((v, i) => v - from[i])) > 3e-4, before.lanes[0].part);
  await page.mouse.up();
  const log = await endLog(page);

  const slip = log.findIndex((r) => r.slipped > 0 || r.verdict === "slips");
  assert.ok(slip > 5, `it sticks for a while, then slips: ${slip} of ${log.length}`);
  const stuck = log.slice(0, slip);
  const last = stuck.at(-1);
  const moved = (r) => [distance(r.hand, before.hand), distance(r.part, before.lanes[0].part)];
  const sideways = (r) => Math.hypot(r.wrench[0], r.wrench[1]);
  // It sticks: said, shown and true. Walls and coupling are springs in series: the part gives way by their ratio, 2 kN/m to 50 kN/m, no more.
  for (const r of stuck) {
    assert.match(r.sentence, /^holds: µ 0\.\d\d could fall to 0\.\d\d/);
    assert.ok(r.margin < 1, `margin ${r.margin} at ${r.time}`);
    const [hand, part] = moved(r);
    assert.ok(part < 0.045 * hand + 2e-6, `the part moved ${part} m for ${hand} m of the hand`);
  }
  assert.ok(moved(last)[0] > 5e-4, `the hand moved ${moved(last)[0]} m while the part stuck`);
  assert.ok(sideways(last) > sideways(stuck[0]) + 1, "the force grows while it sticks");
  assert.ok(last.margin > stuck[0].margin + 0.1, "and the margin shrinks");
  // It slips at µ N, and then its own way.
  const peak = Math.max(...log.slice(0, slip + 1).map(sideways));
  const limit = mu * (last.wrench[2] + WEIGHT);
  use.say(`slips at ${peak.toFixed(2)} N sideways; µ (F_z + weight) = ${mu} · ${(last.wrench[2] + WEIGHT).toFixed(2)} N = ${limit.toFixed(2)} N: ${((100 * peak) / limit).toFixed(0)} %`);
  assert.ok(Math.abs(peak / limit - 1) < 0.2, `${peak} N at a limit of ${limit} N`);
  assert.ok(Math.abs(last.pressure / (last.wrench[2] + WEIGHT) - 1) < 0.05, "normal forces balance hand and weight");
  const [, way] = moved(log.at(-1));
  use.say(`part: ${(1e6 * moved(last)[1]).toFixed(0)} µm (elastic) while it stuck, ${(1e6 * way).toFixed(0)} µm after; hand ${(1e3 * moved(last)[0]).toFixed(2)} mm while it stuck`);
  assert.ok(log.some((r) => r.said.startsWith("holds")) && log.some((r) => r.said.startsWith("slides")), "the page's own sentence");
  // The plots say the same.
  const [time, fx, fy, f, margin, band, touching, sliding] = await Promise.all(["time", "fx", "fy", "f", "margin", "band", "touching", "sliding"].map((n) => series(page, n)));
  assert.ok([fx, fy, f, margin, band, touching, sliding].every((s) => s.length === time.length || Math.abs(s.length - time.length) < 90), "columns are read one after the other, while frames come in");
  const at = (t) => time.findIndex((x) => x >= t - 1e-9);
  const row = at(last.time);
  assert.ok(Math.abs(time[row] - last.time) < 0.1 && Math.abs(Math.hypot(fx[row], fy[row]) - sideways(last)) < 0.3, "the plots have the same force");
  assert.equal(band[at(stuck[0].time)], 1, "the band of sticking");
  const from = at(log[slip].time - 0.02);
  assert.ok(band.slice(from).includes(2), "the band of slipping");
  assert.ok(touching[row] > 50 && sliding.slice(from).some((n) => n > 0), `${touching[row]} contacts`);
});
