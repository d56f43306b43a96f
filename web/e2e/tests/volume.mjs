// Worlds of many bodies: every scene is drawn, bodies are taken with the mouse and with a finger, thrown, recorded and shown again.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { angle, colours, distance, drawsOn, id, ready, until, world } from "../lib/page.mjs";

/** Scenes of the engine of contact volumes, and whether bodies touch in them while nobody does anything. */
const SCENES = { "block-stack": true, "cube-drop": true, gears: true, insect: true, "pinched-capsule": true, shovels: true, "spinning-top": true, "stick-slip": true, "tippe-top": true };

/** Where a body is on the page (pixels), and in the world. */
const bodyOnPage = (page, body) => page.evaluate((body) => window.stictionView.project(window.stiction.frame().lanes[0].bodies[body].slice(0, 3)), body);
const place = (page, body) => page.evaluate((body) => window.stiction.frame().lanes[0].bodies[body], body);
const numberOf = async (page, name) => (await world(page)).bodies.findIndex((b) => b.name === name);
const holds = (page, body) => until(page, `the hand holds body ${body}`, (number) => window.stiction.frame().lanes[0].row.holds === number, body === null ? 0 : body + 1);

e2e(
  "volume: all scenes load by the select, draw their bodies, and contact areas where bodies touch",
  async (use) => {
    const page = await use.page(await use.server({ scene: "cube-drop" }));
    await ready(page);
    for (const [scene, touches] of Object.entries(SCENES)) {
      await id(page, "scene").selectOption(scene);
      await until(page, `the world of ${scene}`, (s) => window.stiction.world().scene === s && window.stiction.frame()?.generation === window.stiction.world().generation, scene, 60_000);
      await drawsOn(page);
      if (touches) await until(page, `contact areas of ${scene} on the stage`, () => Number(document.getElementById("stage").dataset.areas) > 0, null, 60_000);
      const { bodies, engine } = await world(page);
      const drawn = await page.evaluate(() => ({ areas: document.getElementById("stage").dataset.areas, bodies: window.stiction.frame().lanes[0].bodies.length, said: window.stiction.sentence() }));
      use.say(`${scene}: ${drawn.bodies} bodies, ${drawn.areas} areas, "${drawn.said}"`);
      assert.equal(engine, "volume");
      assert.equal(drawn.bodies, bodies.length);
      assert.equal(await id(page, "problem").count(), 0, scene);
      assert.equal(await id(page, "gauge-0").isVisible(), false, "µ needed is no word of this engine");
      const seen = await colours(page, await page.locator("#stage canvas").screenshot());
      assert.ok(seen.count > 12 && seen.most < 0.97, `${scene}: ${JSON.stringify(seen)}`);
    }
  },
  { timeout: 240_000 },
);

e2e("volume: a block is taken with the mouse, follows it, is thrown and falls; what never moves turns the camera", async (use) => {
  const page = await use.page(await use.server({ scene: "block-stack" }));
  await ready(page);
  await until(page, "the stack stands on three areas", () => window.stiction.frame().lanes[0].areas.count === 3);
  const top = await numberOf(page, "block 3");
  assert.ok(top > 0);
  const [x, y] = await bodyOnPage(page, top);
  const before = await place(page, top);
  await page.mouse.move(x, y);
  await until(page, "a cursor that can grab", () => document.querySelector("#stage canvas").style.cursor === "grab");
  await page.mouse.down();
  await holds(page, top);
  assert.equal(await id(page, "holds-0").textContent(), "block 3");
  assert.ok(distance(await place(page, top), before) < 0.05, "it does not jump");
  await page.mouse.move(x + 60, y - 60, { steps: 6 });
  await until(page, "it has followed the pointer", ([body, x, y]) => {
    const [bx, by] = window.stictionView.project(window.stiction.frame().lanes[0].bodies[body].slice(0, 3));
    return Math.hypot(bx - x, by - y) < 12;
  }, [top, x + 60, y - 60]);
  await until(page, "it touches nothing", () => window.stiction.frame().lanes[0].word === "free" && window.stiction.frame().lanes[0].areas.count === 2);
  const lifted = await place(page, top);
  // A swing: the hand is under way when it lets go.
  for (let i = 1; i <= 8; i++) {
    await page.mouse.move(x + 60 + 12 * i, y - 60 - 2 * i);
    await page.waitForTimeout(40);
  }
  await page.mouse.up();
  await holds(page, null);
  await until(page, "it has fallen", ([body, z]) => window.stiction.frame().lanes[0].bodies[body][2] < z - 1, [top, lifted[2]]);
  const landed = await place(page, top);
  assert.ok(Math.hypot(landed[0] - lifted[0], landed[1] - lifted[1]) > 0.1, "thrown, it flew on");
  assert.ok(await page.evaluate(() => window.stiction.sentence().startsWith("The hand holds nothing")));

  // The ground: it is not taken, and dragging there turns the camera.
  const box = await id(page, "stage").boundingBox();
  const camera = () => page.evaluate(() => window.stictionView.camera());
  const first = await camera();
  await page.mouse.move(box.x + 0.1 * box.width, box.y + 0.9 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 0.9 * box.height, { steps: 3 });
  await page.mouse.up();
  assert.notEqual(await camera(), first);
  assert.equal(await page.evaluate(() => window.stiction.frame().lanes[0].row.holds), 0);
});

e2e("volume: a finger takes a block, and a drag with Shift turns the one that the mouse takes", async (use) => {
  const server = await use.server({ scene: "cube-drop" });
  const page = await use.page(server, "", { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 } });
  await ready(page);
  const cube = (await world(page)).bodies.findIndex((b) => b.grab);
  const [x, y] = await bodyOnPage(page, cube);
  const cdp = await page.context().newCDPSession(page);
  const send = (type, points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 0 })) });
  await send("touchStart", [[x, y]]);
  await holds(page, cube);
  for (let i = 1; i <= 8; i++) {
    await send("touchMove", [[x, y - 5 * i]]);
    await page.waitForTimeout(30);
  }
  const before = await place(page, cube);
  await until(page, "it is lifted", ([body, z]) => window.stiction.frame().lanes[0].bodies[body][2] >= z - 0.02, [cube, before[2]]);
  await send("touchEnd", []);
  await holds(page, null);

  const desk = await use.page(server, "");
  await desk.waitForTimeout(300);
  await page.close();
  await until(desk, "this page may move the hand", () => window.stiction.connection().holding);
  const [u, v] = await bodyOnPage(desk, cube);
  await desk.keyboard.down("Shift");
  await desk.mouse.move(u, v);
  await desk.mouse.down();
  await holds(desk, cube);
  const turned = await place(desk, cube);
  await desk.mouse.move(u + 90, v, { steps: 8 });
  await until(desk, "it has turned", ([body, q]) => {
    const p = window.stiction.frame().lanes[0].bodies[body];
    return 2 * Math.acos(Math.min(1, Math.abs(p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6]))) > 0.2;
  }, [cube, turned]);
  assert.ok(angle(await place(desk, cube), turned) > 0.2);
  await desk.mouse.up();
  await desk.keyboard.up("Shift");
});

e2e("volume: of two shovels the page moves the one that is pressed, and keeps it when the press ends", async (use) => {
  const page = await use.page(await use.server({ scene: "shovels" }), "?scene=shovels");
  await ready(page);
  const shovels = await Promise.all(["left shovel", "right shovel"].map((name) => numberOf(page, name)));
  assert.ok(Math.min(...shovels) >= 0, `${shovels}`);
  await until(page, "both hands hold one", (wanted) => window.stiction.frame().lanes[0].holds.every((b, i) => b === wanted[i] + 1), shovels);
  await id(page, "reset").click();
  await id(page, "play").click();
  await until(page, "a pause", () => window.stiction.frame().paused);
  // The handle of the right one, which no block hides.
  const at = await page.evaluate((body) => {
    const { box } = window.stiction.world().bodies[body];
    const p = window.stiction.frame().lanes[0].bodies[body];
    return window.stictionView.project([p[0] + (box[0][0] + box[1][0]) / 2, p[1] + (box[0][1] + box[1][1]) / 2, p[2] + 0.3 * box[0][2] + 0.7 * box[1][2]]);
  }, shovels[1]);
  await id(page, "play").click();
  await page.mouse.move(...at);
  await page.mouse.down();
  await until(page, "the page has the second hand", () => window.stiction.frame().ofHand === 1);
  await page.mouse.move(at[0] + 20, at[1] - 20, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.stiction.frame().lanes[0].holds[1]), shovels[1] + 1, "it is not dropped");
  assert.equal(await page.evaluate(() => window.stiction.frame().source), "page");
});

e2e("volume: a recording of a throw plays with all bodies, to the same bits", async (use) => {
  const page = await use.page(await use.server({ scene: "block-stack" }));
  await ready(page);
  await id(page, "record").click();
  await until(page, "it is recorded, from the scene's start", () => window.stiction.frame().recording && window.stiction.frame().time < 5);
  const top = await numberOf(page, "block 3");
  const [x, y] = await bodyOnPage(page, top);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await holds(page, top);
  await page.mouse.move(x + 80, y - 50, { steps: 6 });
  await until(page, "it is in the air", () => window.stiction.frame().lanes[0].word === "free");
  await page.mouse.up();
  await holds(page, null);
  await page.waitForTimeout(500);
  await id(page, "record").click();
  await until(page, "the recording has ended", () => !window.stiction.frame().recording);
  await id(page, "recording-load").first().click();
  await until(page, "it is shown", () => window.stiction.frame()?.playback === true, null, 60_000);
  assert.match(await id(page, "replay-verdict").textContent(), /^replayed to the same bits/);
  const { bodies } = await world(page);
  assert.equal(bodies.length, (await page.evaluate(() => window.stiction.frame().lanes[0].bodies.length)));
  await until(page, "the held body in it", (number) => window.stiction.frame().lanes[0].row.holds === number, top + 1);
  await until(page, "its energy in the plots", () => Math.max(...window.stiction.series("kinetic").filter(Number.isFinite)) > 0.01);
});
