// Every scene loads and touches; one whose mesh cannot be read says why.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { e2e } from "../lib/e2e.mjs";
import { drawsOn, id, ready, until, world } from "../lib/page.mjs";

const FORMATIONS = ["formation-block", "formation-bracket", "formation-l", "formation-peg", "formation-wedge"];
/** Those of the engine of contact volumes have tests of their own: see volume.mjs. */
const VOLUMES = ["block-stack", "cube-drop", "gears", "insect", "pinched-capsule", "shovels", "spinning-top", "stick-slip", "tippe-top"];
const SCENES = ["corner-cube", ...FORMATIONS, "gear-on-shaft", "incline", "nut-bolt", "peg-in-hole-chamfered", "peg-in-hole-round", "peg-in-hole-square", "plate-cube", "starter-motor", "window-motor"];

e2e(
  "scenes: all load by the select and draw contacts when their script runs",
  async (use) => {
    const page = await use.page(await use.server());
    await ready(page);
    assert.deepEqual((await page.evaluate(() => [...document.getElementById("scene").options].map((o) => o.value))).sort(), [...SCENES, ...VOLUMES].sort());
    for (const scene of SCENES) {
      await id(page, "scene").selectOption(scene);
      await until(page, `the world of ${scene}`, (s) => window.stiction.world().scene === s && window.stiction.frame()?.generation === window.stiction.world().generation, scene, 60_000);
      await until(page, `contacts of ${scene} on the stage`, () => Number(document.getElementById("stage").dataset.contacts) > 0 && window.stiction.frame().lanes[0].row.contacts > 0);
      const { contacts, said } = await page.evaluate(() => ({ contacts: document.getElementById("stage").dataset.contacts, said: window.stiction.sentence() }));
      use.say(`${scene}: ${contacts} contacts, "${said}"`);
      assert.equal(await page.title(), `${scene} – Stiction`);
      assert.equal((await world(page)).notes.length > 5, false);
      assert.equal(await id(page, "problem").count(), 0, scene);
      if (FORMATIONS.includes(scene)) {
        await until(page, `what touches in ${scene}`, () => / of the part on (face|edge|vertex) /.test(document.querySelector('[data-testid="lane-0-touches"]').textContent));
        assert.equal(await id(page, "field-friction.method").isVisible(), false, "keys of the other engine are not offered");
      }
    }
  },
  { timeout: 180_000 },
);

e2e("scenes: one whose mesh cannot be read: the page shows what the terminal shows, and another scene mends it", async (use) => {
  const folder = await mkdtemp(join(tmpdir(), "stiction-broken-"));
  use.closing(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "broken.toml");
  await writeFile(join(folder, "cut.stl"), "solid cut\nfacet normal 0 0 1\n");
  await writeFile(file, 'name = "broken"\n[held]\nmesh = "cut.stl"\n[fixed]\nsolid = "plate"\nsize = [0.2, 0.2]\nthickness = 0.02\n');
  const server = await use.server({ scene: file });
  const page = await use.page(server);
  await id(page, "fatal").waitFor();
  const shown = await page.evaluate(() => document.querySelector('[data-testid="fatal"] .fatal-text').textContent);
  use.say(`the message: ${shown.replaceAll("\n", " / ")}`);
  assert.equal(server.stderr.trim(), `error: ${shown}`.trim(), "the same as in the terminal");
  assert.match(shown, /cut\.stl/);
  assert.equal(await page.evaluate(() => window.stiction.sentence()), "There is no world to show.");
  await id(page, "scene").selectOption("incline");
  await ready(page, { scene: "incline" });
  assert.equal(await id(page, "fatal").isVisible(), false);
  await drawsOn(page);
});
