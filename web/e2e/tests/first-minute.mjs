// What a new user sees in the first minute: a demonstration until the first drag, one gauge, words that agree, forces that can be read.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { distance, drawsOn, frame, grab, id, partOnPage, pixelsPerMetre, ready, series, until, world } from "../lib/page.mjs";

e2e("first minute: a ghost cursor drags the cube again and again, until the first drag; reset brings the start back", async (use) => {
  const page = await use.page(await use.server({ scene: "plate-cube" }), "", { demo: true });
  await ready(page);
  await until(page, "the demonstration begins with the first page", () => window.stiction.frame().source === "demonstration");
  assert.ok((await frame(page)).time < 20, "its time begins with it");
  assert.equal(await id(page, "invitation").textContent(), "Drag the cube. Friction holds it until you pull too hard.");
  const { start } = await world(page);
  const seen = await page.evaluate(
    () =>
      new Promise((done) => {
        // A whole round and a little more: where the hand and the ghost are, and what was said.
        const log = [];
        const ghost = document.querySelector('[data-testid="ghost-cursor"]');
        const look = () => {
          const f = window.stiction.frame();
          const box = ghost.getBoundingClientRect();
          log.push({ time: f.time, x: f.hand[0], ghost: box.x, shown: box.width > 0, word: f.lanes[0].word });
          const far = log.findIndex((r) => r.x > 0.015);
          const back = far < 0 ? -1 : log.findIndex((r, i) => i > far && r.x < 1e-4);
          if (back >= 0 && log.some((r, i) => i > back && r.x > 0.001)) done(log);
          else setTimeout(look, 30);
        };
        look();
      }),
  );
  const words = new Set(seen.map((r) => r.word));
  use.say(`words: ${[...words].join(", ")}; ${seen.at(-1).time.toFixed(1)} s`);
  assert.ok(words.has("holds") && words.has("slides"), "it shows that friction holds, and that it lets go");
  assert.ok(seen.every((r) => r.shown), "the ghost is there all the time");
  const [left, right] = [seen.reduce((a, b) => (a.x < b.x ? a : b)), seen.reduce((a, b) => (a.x > b.x ? a : b))];
  const scale = await pixelsPerMetre(page);
  assert.ok(Math.abs(right.ghost - left.ghost) > 0.3 * scale * (right.x - left.x), `the ghost goes with the hand: ${right.ghost - left.ghost} pixels for ${right.x - left.x} m`);

  const [x, y] = await grab(page);
  await page.mouse.move(x + 25, y - 10, { steps: 6 });
  await until(page, "the first drag ends it", () => window.stiction.frame().source === "page");
  await drawsOn(page);
  assert.equal(await id(page, "invitation").isVisible(), false);
  assert.equal(await id(page, "ghost-cursor").isVisible(), false);
  await page.mouse.up();
  await id(page, "reset").click();
  await until(page, "reset: the part is where the scene begins", (at) => window.stiction.frame().time < 2 && Math.hypot(...window.stiction.frame().lanes[0].part.slice(0, 3).map((v, i) => v - at[i])) < 2e-4, start);
  const after = await frame(page);
  assert.ok(after.source === "page" && distance(after.hand, start) < 1e-6, "and the hand, at rest");
});

e2e("first minute: another scene shows itself, with words of its own", async (use) => {
  const page = await use.page(await use.server(), "", { demo: true });
  await ready(page);
  const texts = new Set();
  for (const scene of ["incline", "peg-in-hole-round"]) {
    await id(page, "scene").selectOption(scene);
    await until(page, `the demonstration of ${scene}`, (s) => window.stiction.world().scene === s && window.stiction.frame()?.source === "demonstration" && window.stiction.frame().generation === window.stiction.world().generation, scene, 60_000);
    await until(page, "its words", (text) => document.querySelector('[data-testid="invitation"]').textContent === text, (await world(page)).invitation);
    texts.add((await world(page)).invitation);
    await until(page, "the part moves", (at) => Math.hypot(...window.stiction.frame().lanes[0].part.slice(0, 3).map((v, i) => v - at[i])) > 2e-3, (await world(page)).start);
  }
  assert.equal(texts.size, 2);
});

e2e("first minute: the gauge says how much friction is used, and while it slides the µ that would be needed", async (use) => {
  const page = await use.page(await use.server({ scene: "plate-cube" }));
  await ready(page);
  await until(page, "the end of the script", () => window.stiction.frame().time > 1.6 && window.stiction.frame().lanes[0].word === "holds");
  await until(page, "a margin", () => /^\d+ %$/.test(document.querySelector('[data-testid="gauge-0-value"]').textContent));
  const [used, lane] = await page.evaluate(() => [Number.parseInt(document.querySelector('[data-testid="gauge-0-value"]').textContent, 10), window.stiction.frame().lanes[0]]);
  // Coulomb's law: the pull over µ times what presses, that is the hand and the weight.
  const { mu_static: mu } = (await world(page)).lanes[0];
  const closed = Math.hypot(lane.wrench[0], lane.wrench[1]) / (mu * (lane.wrench[2] + 0.5 * 9.81));
  use.say(`gauge ${used} %, closed form ${(100 * closed).toFixed(1)} %; the motion that gives way: ${lane.weakest.map((v) => v.toExponential(1)).join(" ")}`);
  assert.ok(Math.abs(used - 100 * closed) < 4, `${used} % for ${closed}`);
  assert.ok(lane.weakest[0] > 0 && Math.abs(lane.weakest[0]) > 3 * Math.hypot(lane.weakest[1], lane.weakest[2]), "with the pull of the hand, along x");
  assert.doesNotMatch(await page.evaluate(() => window.stiction.sentence()), /\(-?\d/, "no numbers of a direction");

  const [x, y] = await grab(page);
  const scale = await pixelsPerMetre(page);
  // The hand goes on until the page says so: a part whose hand stops comes to rest at once.
  const told = () => document.querySelector('[data-testid="gauge-0-value"]').textContent === "100 %" && /^needs µ \d\.\d\d\d?; kinetic 0\.400?$/.test(document.querySelector('[data-testid="gauge-0-words"]').textContent);
  let seen = false;
  for (let by = 1e-3; by < 40e-3 && !seen; by += 0.25e-3) {
    await page.mouse.move(x + scale * by, y);
    await page.waitForTimeout(40);
    seen = await page.evaluate(told);
  }
  assert.ok(seen, "100 % and what would be needed, while it slides");
  await page.mouse.up();
});

e2e("first minute: a box on an incline that slides would need the tangent of the angle", async (use) => {
  const page = await use.page(await use.server({ scene: "incline" }), "?set=friction.static=0.3");
  await ready(page);
  await until(page, "µ 0.3", () => window.stiction.world().lanes[0].mu_static === 0.3);
  // It slides for some ticks, of which the margins thread sees one. In the first the box meets the plate with an edge, whose normals ask for thousands: if it was that one, which is told as "above 100",
  // it slides again.
  const known = () => window.stiction.frame().lanes[0].word === "slides" && window.stiction.frame().lanes[0].margin * 0.3 < 100;
  for (let left = 10; ; left--) {
    await id(page, "reset").click();
    const seen = await until(page, "it slides, and the µ needed is known", known, null, left > 0 ? 1500 : 30_000).then(() => true, (error) => left === 0 && Promise.reject(error));
    if (seen) break;
  }
  const { lanes } = await frame(page);
  const [weight, angle] = [0.5 * 9.81, (20 * Math.PI) / 180];
  const up = Math.hypot(...lanes[0].wrench.slice(0, 3));
  const wanted = [Math.tan(angle), (weight * Math.sin(angle) - up) / (weight * Math.cos(angle))];
  const needed = lanes[0].margin * 0.3;
  use.say(`needs µ ${needed.toFixed(3)}: tan 20° is ${wanted[0].toFixed(3)}, less the hand's pull of now ${wanted[1].toFixed(3)}`);
  assert.ok(needed < wanted[0] + 0.005 && needed > wanted[1] - 0.005, `${needed} between ${wanted[1]} and ${wanted[0]}`);
});

e2e("first minute: badge, gauge, sentence and bands say one word, without flicker, where a peg sticks and slips in turns", async (use) => {
  const page = await use.page(await use.server({ scene: "peg-in-hole-round" }));
  await ready(page);
  const log = await page.evaluate(
    () =>
      new Promise((done) => {
        const log = [];
        const text = (name) => document.querySelector(`[data-testid="${name}"]`);
        const look = () => {
          const f = window.stiction.frame();
          log.push({ time: f.time, word: f.lanes[0].word, said: f.lanes[0].sentence, badge: text("badge").textContent, coloured: text("badge").dataset.word, gauge: text("gauge-0").dataset.word, value: text("gauge-0-value").textContent, sentence: text("sentence").textContent });
          if (f.time > 2.9) done(log);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  for (const r of log.filter((r) => r.badge !== "…")) {
    assert.ok(r.said.startsWith(r.word), `${r.word}: ${r.said}`);
    assert.deepEqual([r.coloured, r.gauge], [r.badge, r.badge], `at ${r.time} s`);
    assert.ok(r.sentence.startsWith(r.badge), `${r.badge}: ${r.sentence}`);
    assert.equal(r.value === "100 %", r.badge === "slides", `${r.badge}: ${r.value}`);
  }
  const changes = log.filter((r, i) => i > 0 && r.word !== log[i - 1].word).map((r) => r.time);
  use.say(`${log.length} looks, words change at ${changes.map((t) => t.toFixed(2)).join(", ")} s`);
  assert.ok(changes.length >= 1, "it is pushed in: it slides");
  assert.ok(changes.length <= 8, `${changes.length} changes in 3 s`);
  const [time, band] = await Promise.all(["time", "band"].map((n) => series(page, n)));
  const bandOf = { holds: 1, rolls: 1, slides: 2, undecided: 3, free: 0 };
  for (const r of log) {
    const row = time.findIndex((t) => Math.abs(t - r.time) < 1e-9);
    if (row >= 0) assert.equal(band[row], bandOf[r.word], `the band at ${r.time} s`);
  }
});

e2e("first minute: without friction nothing is said to hold or to be stuck", async (use) => {
  const page = await use.page(await use.server({ scene: "plate-cube" }), "?set=friction.method=none");
  await ready(page);
  await until(page, "no friction, touching", () => window.stiction.world().lanes[0].method === "none" && window.stiction.frame().lanes[0].word === "no friction");
  await page.waitForTimeout(600);
  const said = await page.evaluate(() => ["badge", "sentence", "lane-0", "value-stuck"].map((name) => document.querySelector(`[data-testid="${name}"]`).textContent));
  use.say(said.join(" | "));
  assert.equal(said[0], "no friction");
  assert.ok(said.slice(0, 3).every((text) => !/hold|stuck|stick/.test(text.replace("nothing to hold", ""))), said.join(" | "));
  assert.equal(said[3], "–", "no contact sticks");
});

e2e("first minute: two thirds of the height are the 3D view, forces are summed up from afar and single when zoomed in, with a scale", async (use) => {
  const page = await use.page(await use.server({ scene: "plate-cube" }), "", { context: { viewport: { width: 1440, height: 900 } } });
  await ready(page);
  await until(page, "the cube is pressed down", () => window.stiction.frame().time > 1.2 && window.stiction.frame().lanes[0].word === "holds");
  await drawsOn(page);
  const share = await page.evaluate(() => document.getElementById("stage").getBoundingClientRect().height / innerHeight);
  assert.ok(share > 0.655 && share < 0.7, `${share} of the height`);
  const legend = () => page.evaluate(() => [...document.querySelectorAll('[data-testid="legend"] p')].map((p) => p.textContent));
  assert.equal(await page.evaluate(() => document.getElementById("stage").dataset.forces), "patches");
  const far = await legend();
  use.say(`legend: ${far.join(", ")}`);
  assert.ok(far.includes("normal force of a contact area") && far.some((text) => /^[\d.]+ N$/.test(text)) && far.includes("how it slides, or would"), far.join(", "));
  const [x, y] = await partOnPage(page);
  for (let i = 0; i < 12; i++) await page.mouse.move(x - 260, y + 60).then(() => page.mouse.wheel(0, -200));
  await until(page, "single contacts", () => document.getElementById("stage").dataset.forces === "contacts");
  assert.ok((await legend()).includes("normal force of a contact"));
  await page.keyboard.press("c");
  await until(page, "sums again", () => document.getElementById("stage").dataset.forces === "patches");
});
