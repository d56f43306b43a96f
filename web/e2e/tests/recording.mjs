// A recording on the page: surveyed at once, enlarged, linked to, exported.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { e2e } from "../lib/e2e.mjs";
import { id, ready, series, until } from "../lib/page.mjs";
import { run } from "../lib/server.mjs";

/** A cube that is pressed onto a plate and pushed along it: few points, so that it replays quickly also on a busy machine. */
const SCENE = `
held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 24, points = 150, mass = 0.1 }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01, resolution = 64, points = 200 }
friction = { static = 0.5, kinetic = 0.5 }
contact = { model = "penalty", shell_on = "held" }
coupling = { stiffness = 1000, max_force = 10.0, max_torque = 0.05 }
[hand]
script = [{ move = [0, 0, -0.003], seconds = 0.3 }, { wait = 0.4 }, { move = [0.02, 0, 0], seconds = 1.0 }, { wait = 10 }]
from = { position = [0, 0, 0.0155] }
`;

/** A recording of the scene's own motion, made by the program, in the folder of a server. */
async function recorded(use) {
  const folder = await mkdtemp(join(tmpdir(), "stiction-plate-"));
  use.closing(() => rm(folder, { recursive: true, force: true }));
  const scene = join(folder, "plate.toml");
  await writeFile(scene, SCENE);
  const made = await run(["record", scene, "-o", join(folder, "plate.mcap"), "--clock", "virtual", "--seconds", "2"]);
  assert.equal(made.code, 0, made.stderr);
  return use.server({ scene, folder });
}

e2e("recording: all plots are there at once, the wheel and a drag go through them, and a link brings the moment back", async (use) => {
  const server = await recorded(use);
  const page = await use.page(server, "?recording=plate.mcap&t=1.5");
  await until(page, "the recording at the moment of the link", () => window.stiction.world()?.playback && window.stiction.frame()?.paused && Math.abs(window.stiction.frame().time - 1.5) < 0.025);
  const { seconds } = await page.evaluate(() => window.stiction.world().playback);
  // Nothing has been played, and yet everything is plotted.
  await until(page, "the survey", () => window.stiction.series("time").length > 500);
  const [time, f, band, touching] = await Promise.all(["time", "f", "band", "touching"].map((n) => series(page, n)));
  assert.ok(time[0] < 0.01 && time.at(-1) > seconds - 0.01, `${time[0]} to ${time.at(-1)} of ${seconds} s`);
  assert.ok(Math.max(...f) > 1 && Math.max(...touching) > 3 && band.includes(1) && band.includes(2), "forces, contacts, bands");
  assert.equal(await id(page, "plot-cpu").isVisible(), false, "a recording has no CPU times");

  const stretch = () => page.evaluate(() => window.stiction.stretch());
  const canvas = await id(page, "plots-canvas").boundingBox();
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 3];
  await page.mouse.move(x, y);
  const [, whole] = await stretch();
  assert.ok(Math.abs(whole - seconds) < 1e-6);
  for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -240);
  await until(page, "the plots are enlarged", () => window.stiction.stretch()[1] - window.stiction.stretch()[0] < 0.2);
  const [from, to] = await stretch();
  assert.ok(from > 0.5 && to < 1.5, `around the pointer: ${from} to ${to}`);
  await until(page, "and drawn from every tick", () => window.stiction.rowsEach() < 0.0011);
  await page.mouse.down();
  await page.mouse.move(x + 100, y, { steps: 5 });
  await page.mouse.up();
  const [back] = await stretch();
  assert.ok(back < from - 0.005, `dragged from ${from} to ${back}`);
  assert.ok(Math.abs((await page.evaluate(() => window.stiction.frame().time)) - 1.5) < 0.025, "a drag does not seek");
  // A click goes there; a recording is shown at 50 moments a second.
  const [left, right] = await stretch();
  await page.mouse.click(canvas.x + 5, y);
  await until(page, "a click seeks", (time) => Math.abs(window.stiction.frame().time - time) < 0.025, left + (5 / (canvas.width - 44)) * (right - left));
  await id(page, "plots-whole").click();
  assert.deepEqual(await stretch(), [0, whole]);

  // Camera and moment go into the address, and come back in another page.
  await id(page, "view-side").click();
  await id(page, "scrub").fill("1.8");
  await until(page, "the moment at 1.8 s", () => Math.abs(window.stiction.frame().time - 1.8) < 0.025);
  await until(page, "the address", () => /recording=plate\.mcap/.test(location.search) && /t=1\.(79|8)/.test(location.search) && /cam=/.test(location.search));
  const address = page.url();
  use.say(address);
  const camera = await page.evaluate(() => window.stictionView.camera());
  await page.context().close();
  use.pages.pop();
  const again = await use.page(address);
  await until(again, "the same recording at the same moment", () => window.stiction.world()?.playback?.name === "plate.mcap" && window.stiction.frame()?.paused && Math.abs(window.stiction.frame().time - 1.8) < 0.03);
  await until(again, "the same camera", (camera) => window.stictionView?.camera() === camera, camera);
});

e2e("recording: a picture, the plots as a table, and a clip can be saved", async (use) => {
  const server = await recorded(use);
  const page = await use.page(server, "?recording=plate.mcap&t=1");
  await until(page, "the recording", () => window.stiction.world()?.playback && window.stiction.frame()?.paused && window.stiction.series("time").length > 500);
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent("download"), id(page, button).click()]);
    const to = join(server.folder, download.suggestedFilename());
    await download.saveAs(to);
    return [download.suggestedFilename(), await readFile(to)];
  };
  const [picture, png] = await saved("share-picture");
  assert.match(picture, /^plate-1\.\d{3}s\.png$|^plate-0\.9\d\ds\.png$/);
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  const stage = await id(page, "stage").boundingBox();
  assert.ok(png.readUInt32BE(16) >= Math.floor(stage.width) && png.readUInt32BE(20) > stage.height, "as large as the stage, and a line below");

  const [table, csv] = await saved("share-csv");
  assert.match(table, /\.csv$/);
  const lines = csv.toString().trim().split("\n");
  const [names, last] = [lines[0].split(","), lines.at(-1).split(",")];
  assert.equal(names.slice(0, 2).join(), "time_s,wrench_fx_n");
  // Every tick, with the numbers of the program's own export.
  const { rate, playback } = await page.evaluate(() => window.stiction.world());
  assert.equal(lines.length - 1, Math.round(rate * playback.seconds), "a line for every tick");
  assert.equal(last.length, names.length);

  await id(page, "play").click();
  await until(page, "it plays", () => !window.stiction.frame().paused);
  await id(page, "share-clip").click();
  await page.waitForTimeout(1500);
  const [clip, webm] = await saved("share-clip");
  assert.match(clip, /\.webm$/);
  use.say(`clip: ${webm.length} bytes`);
  assert.equal(webm.subarray(0, 4).toString("hex"), "1a45dfa3", "a WebM file");
  assert.ok(webm.length > 5000);
});
