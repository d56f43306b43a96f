// Pictures of every scene at a telling moment, at three sizes of screen, and those of the documents: npm run shots -- DOCUMENTS ALL [WORD]. STICTION names the program.
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { launch, openPage } from "./lib/browser.mjs";
import { id, ready, until } from "./lib/page.mjs";
import { startServer } from "./lib/server.mjs";

/** Most bytes of the pictures of the documents. */
const MOST_BYTES = 1_000_000;
const FULL = "contacts,normal,friction,total,hand";

/** What to take: file, scene, the moment of its script (s; none for the demonstration, with which only the first page of a server begins), and what else the address and the browser say. */
const SHOTS = [
  { file: "first-minute", scene: "corner-cube" },
  { file: "corner-cube", scene: "corner-cube", at: 2.4 },
  { file: "gear-on-shaft", scene: "gear-on-shaft", at: 3.9 },
  { file: "incline", scene: "incline", at: 0.6 },
  { file: "peg-in-hole-chamfered", scene: "peg-in-hole-chamfered", at: 1.2 },
  { file: "peg-in-hole-round", scene: "peg-in-hole-round", at: 1.5 },
  { file: "peg-in-hole-square", scene: "peg-in-hole-square", at: 1.5 },
  { file: "plate-cube", scene: "plate-cube", at: 1.4 },
  { file: "compare", scene: "plate-cube", at: 1.4, query: "&compare=friction.method=yamane" },
  { file: "dark", scene: "corner-cube", at: 2.4, dark: true },
  { file: "cones", scene: "plate-cube", at: 1.4, query: `&layers=${FULL},cones` },
  { file: "starter-motor", scene: "starter-motor", at: 4.4 },
  { file: "window-motor", scene: "window-motor", at: 7.4 },
  { file: "nut-bolt", scene: "nut-bolt", at: 2.0 },
  { file: "shovels", scene: "shovels", at: 1.9, query: "&cam=0.075,-0.02,0.085,0.72,-60,17" },
  { file: "block-stack", scene: "block-stack", at: 1 },
  { file: "insect", scene: "insect", at: 1 },
  { file: "gears", scene: "gears", at: 1 },
  { file: "cube-drop", scene: "cube-drop", at: 2 },
  { file: "stick-slip", scene: "stick-slip", at: 1 },
  { file: "spinning-top", scene: "spinning-top", at: 1 },
  { file: "tippe-top", scene: "tippe-top", at: 2 },
  { file: "pinched-capsule", scene: "pinched-capsule", at: 1 },
  { file: "formation-l", scene: "formation-l", at: 2 },
  { file: "formation-block", scene: "formation-block", at: 2 },
  { file: "formation-wedge", scene: "formation-wedge", at: 2 },
  { file: "formation-peg", scene: "formation-peg", at: 2 },
  { file: "formation-bracket", scene: "formation-bracket", at: 2 },
  { file: "slice-and-shell", scene: "peg-in-hole-round", at: 1.5, query: "&layers=contacts,normal,hand,shell:5,slice:fixed.y.0.5" },
];
/** Those that documents show, at this size. */
const SHOWN = ["corner-cube", "compare", "shovels"];
const SHOWN_SIZE = [1280, 720];
const SIZES = [[1440, 900], [844, 390], [390, 844]];
/** Screens narrower than this are phones. */
const PHONE = 900;

const [documents, all, word = ""] = process.argv.slice(2);
if (!documents || !all) {
  console.error("usage: npm run shots -- DOCUMENTS ALL [WORD]");
  process.exit(2);
}
const browser = await launch();
const server = await startServer();
let total = 0;
try {
  for (const folder of [documents, all]) await mkdir(folder, { recursive: true });
  for (const shot of SHOTS.filter((s) => s.file.includes(word))) {
    const wanted = SIZES.map(([w, h]) => [join(all, `${shot.file}-${w}x${h}.png`), [w, h]]);
    if (SHOWN.includes(shot.file)) wanted.push([join(documents, `${shot.file}.png`), SHOWN_SIZE]);
    for (const [path, size] of wanted) {
      await take(shot, size, path);
      const { size: bytes } = await stat(path);
      if (size === SHOWN_SIZE) total += bytes;
      console.log(`${path}  ${(bytes / 1000).toFixed(0)} kB`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
  await server.remove();
}
if (total > MOST_BYTES) {
  console.error(`${total / 1e6} MB for documents: more than ${MOST_BYTES / 1e6} MB`);
  process.exit(1);
}

/** Lets the script run to its moment, stops there, and takes the picture; or takes it of the first minute. */
async function take({ scene, at, query = "", dark = false }, [width, height], path) {
  const touch = width < PHONE ? { hasTouch: true, isMobile: true, deviceScaleFactor: 1 } : {};
  const url = new URL(`?${at === undefined ? "" : "demo=off&"}quality=high&scene=${scene}${query}`, server.url).href;
  const page = await openPage(browser, url, { context: { viewport: { width, height }, colorScheme: dark ? "dark" : "light", ...touch } });
  await ready(page, { scene });
  await until(page, "the wanted lanes", (two) => (window.stiction.frame()?.lanes.length === 2) === two, query.includes("compare"));
  if (at === undefined) await until(page, "the demonstration", () => window.stiction.frame().source === "demonstration" && window.stiction.frame().time > 2.5);
  else await stepTo(page, at);
  if (width >= PHONE) await page.mouse.move(0, 0);
  await page.evaluate(() => {
    document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  await page.waitForLoadState("networkidle");
  // Two pictures more, so that everything of the last frame is on the page.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForTimeout(400);
  await page.screenshot({ path });
  if (page.problems.length > 0) throw new Error(`${scene}: ${page.problems.join(" | ")}`);
  const smooth = await page.evaluate(() => document.querySelector("#stage canvas").getContext("webgl2").getContextAttributes().antialias);
  if (!smooth) console.error(`${scene}: the picture has rough edges (quality=high was not heard)`);
  await page.context().close();
}

/** Stops the loop at a moment of the script (s). */
async function stepTo(page, at) {
  if (!(await page.evaluate(() => window.stiction.frame().paused))) await id(page, "play").click();
  await until(page, "it is paused", () => window.stiction.frame().paused);
  await id(page, "script").click();
  // A step first, so that the time of the beginning is that after the reset.
  await id(page, "step-1").click();
  await until(page, "the script has begun", () => window.stiction.frame().time > 0 && window.stiction.frame().source === "script");
  await id(page, "reset").click();
  await until(page, "the beginning", () => window.stiction.frame().time === 0);
  // By steps, so that the picture is always of the same tick.
  const rate = await page.evaluate(() => window.stiction.world().rate);
  for (let left = Math.round((at * rate) / 100); left > 0; left--) await id(page, "step-100").click();
  await until(page, `${at} s`, (t) => Math.abs(window.stiction.frame().time - t) < 1e-6, at);
}
