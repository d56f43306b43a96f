// Tries the page against the mock in headless Chromium, for development only: node dev/behaviour.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const mocks = [];
const mock = (port, ...args) => new Promise((ready) => {
  const child = spawn("node", [`${here}mock.mjs`, String(port), ...args]);
  mocks.push(child);
  child.stdout.once("data", () => ready(child));
});
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const open = async (url, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(m.text()));
  page.on("pageerror", (e) => page.problems.push(String(e)));
  await page.goto(url);
  return page;
};
const id = (page, name) => page.getByTestId(name);
const until = (page, test) => page.waitForFunction(test, null, { timeout: 15000 });
const tests = {
  async "a world comes, frames are drawn, the plots fill"() {
    const page = await open("http://127.0.0.1:8131/");
    await until(page, () => window.stiction.frames > 20 && window.stiction.series("fx").length > 10);
    await until(page, () => window.stiction.sentence().length > 10);
    assert.equal(await id(page, "scene").inputValue(), "corner-cube");
    assert.deepEqual(page.problems, []);
    return page;
  },
  async "edits become one configure and stand in the address; the mark takes them back"(page) {
    const before = await page.evaluate(() => window.stiction.world().generation);
    await page.evaluate(() => {
      for (const [name, value] of [["set-friction.static", "0.5"], ["set-friction.method", "lp"]]) {
        const input = document.querySelector(`[data-testid="${name}"]`);
        input.value = value;
        input.dispatchEvent(new Event("change"));
      }
    });
    await until(page, () => window.stiction.world().set["friction.method"] === "lp");
    const world = await page.evaluate(() => window.stiction.world());
    assert.equal(world.generation, before + 1);
    assert.deepEqual(world.set, { "friction.static": "0.5", "friction.kinetic": "0.5", "friction.method": "lp" });
    await page.waitForFunction(() => location.search.includes("set=friction.static=0.5"));
    await id(page, "reset-friction.static").click();
    await until(page, () => !("friction.static" in window.stiction.world().set));
    await id(page, "reset-all").click();
    await until(page, () => Object.keys(window.stiction.world().set).length === 0);
    await page.waitForFunction(() => !location.search.includes("set="));
  },
  async "space pauses, a point steps, R resets"(page) {
    await page.locator("#stage").focus();
    await page.keyboard.press("Space");
    await until(page, () => window.stiction.frame().paused);
    const time = await page.evaluate(() => window.stiction.frame().time);
    await page.keyboard.press(".");
    await page.waitForFunction((t) => Math.abs(window.stiction.frame().time - t - 0.001) < 1e-9, time);
    await page.keyboard.press("r");
    await until(page, () => window.stiction.frame().time === 0);
    await page.keyboard.press("Space");
    await until(page, () => !window.stiction.frame().paused);
  },
  async "a link is applied by the holder; the copied one has no token"() {
    const page = await open("http://127.0.0.1:8132/?token=geheim&scene=incline&set=friction.method=qp&compare=friction.method=yamane", { permissions: ["clipboard-read", "clipboard-write"] });
    await until(page, () => window.stiction.world()?.scene === "incline");
    const world = await page.evaluate(() => window.stiction.world());
    assert.deepEqual([world.set, world.compare], [{ "friction.method": "qp" }, { "friction.method": "yamane" }]);
    await until(page, () => document.querySelector('[data-testid="lane-1-creep"]').textContent.includes("m"));
    await id(page, "see-cones").check();
    await page.waitForFunction(() => location.search.includes("cones") && location.search.includes("token=geheim"));
    await id(page, "copy-link").click();
    await page.waitForTimeout(200);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /scene=incline&set=friction.method=qp&compare=friction.method=yamane/);
    assert.doesNotMatch(link, /token|geheim/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },
  async "without the token the page asks for it"() {
    const page = await open("http://127.0.0.1:8132/");
    await id(page, "token").fill("wrong");
    await id(page, "token-send").click();
    await page.getByText("That is not the token.").waitFor();
    await id(page, "token").fill("geheim");
    await id(page, "token-send").click();
    await until(page, () => window.stiction.frames > 3);
    await page.reload();
    await until(page, () => window.stiction.frames > 3);
    await page.context().close();
  },
  async "a watcher asks, the holder keeps, then gives"(page) {
    const other = await open("http://127.0.0.1:8131/?set=friction.method=none");
    await id(other, "problem-text").getByText("another page holds the part").waitFor();
    assert.equal(await id(other, "set-friction.method").isDisabled(), true);
    await id(other, "role-ask").click();
    await id(page, "role-keep").click();
    assert.equal(await id(page, "role-request").count(), 0);
    await id(page, "role-drop").click();
    await until(other, () => window.stiction.connection().holding);
    assert.equal(await id(other, "set-friction.method").isEnabled(), true);
    await id(page, "role-ask").click();
    await id(other, "role-give").click();
    await until(page, () => window.stiction.connection().holding);
    await other.context().close();
  },
  async "a recording is made, loaded, scrubbed and left"(page) {
    await id(page, "record").click();
    await id(page, "recording-now").getByText("Recording to").waitFor();
    await id(page, "record").click();
    await until(page, () => document.querySelectorAll('[data-testid="recording-load"]').length === 3);
    assert.match(await id(page, "recording-download").first().getAttribute("href"), /\/api\/recordings\/.+strec$/);
    await id(page, "recording-load").first().click();
    await id(page, "replay-verdict").getByText("replayed to the same bits").waitFor();
    await id(page, "scrub").fill("6");
    await until(page, () => window.stiction.frame().time >= 6);
    await page.screenshot({ path: "/tmp/shots/playback.png" });
    await id(page, "live").click();
    await until(page, () => window.stiction.world().playback === null);
  },
  async "a lost connection comes back, and the picture stays"() {
    const first = await mock(8133);
    const page = await open("http://127.0.0.1:8133/");
    await until(page, () => window.stiction.frames > 3);
    first.kill();
    await id(page, "lost").waitFor();
    assert.match(await id(page, "connection").textContent(), /connection lost, trying again/);
    assert.notEqual(await page.evaluate(() => window.stiction.sentence()), "");
    assert.equal(await id(page, "set-friction.method").isDisabled(), true);
    await mock(8133);
    await until(page, () => window.stiction.connection().state === "open" && window.stiction.connection().holding);
    assert.equal(await id(page, "lost").isVisible(), false);
    await page.context().close();
  },
  async "a fatal problem fills the stage, and another scene mends it"() {
    const page = await open("http://127.0.0.1:8134/");
    await id(page, "fatal").getByText('did you mean "box"').waitFor();
    await page.screenshot({ path: "/tmp/shots/fatal.png" });
    await id(page, "scene").selectOption("incline");
    await id(page, "progress").waitFor();
    await until(page, () => window.stiction.world()?.scene === "incline");
    assert.equal(await id(page, "fatal").isVisible(), false);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },
};
tests["on a tablet every target is at least 40 px high, and nothing scrolls sideways"] = async () => {
  const page = await open("http://127.0.0.1:8131/", { viewport: { width: 768, height: 1024 }, hasTouch: true });
  await until(page, () => window.stiction.frames > 3);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, summary, a:not(.skip)")].flatMap((node) => {
      const target = node.closest("label.check") ?? (node.classList.contains("plot-title") ? node.parentElement : node);
      const box = target.getBoundingClientRect();
      return box.width > 0 && box.height < 39.5 ? [`${node.tagName} ${node.dataset.testid ?? node.className} ${box.height}`] : [];
    }),
  );
  assert.deepEqual(small, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector("#panel").scrollWidth <= document.querySelector("#panel").clientWidth), true);
  await page.context().close();
};
tests["the theme, the folds and the height of the plots are remembered"] = async () => {
  const page = await open("http://127.0.0.1:8131/", { colorScheme: "dark" });
  await until(page, () => document.documentElement.dataset.theme === "dark");
  await id(page, "theme").click();
  await id(page, "plot-cpu").click();
  const height = () => page.evaluate(() => document.querySelector("#plots").getBoundingClientRect().height);
  const before = await height();
  await id(page, "splitter").press("ArrowUp");
  assert.ok((await height()) > before);
  await page.reload();
  await until(page, () => document.documentElement.dataset.theme === "light");
  assert.equal(await id(page, "plot-cpu").getAttribute("aria-expanded"), "false");
  assert.ok((await height()) > before);
  await page.context().close();
};
tests["slow motion; a click in the plots seeks in a recording; hovering shows that time"] = async (page) => {
  await id(page, "speed-10").click();
  await until(page, () => window.stiction.frame().speed === 0.1);
  await id(page, "speed-1").click();
  await id(page, "recording-load").first().click();
  await until(page, () => window.stiction.world().playback !== null);
  const box = await id(page, "plots-canvas").boundingBox();
  await page.mouse.click(box.x + 0.75 * (box.width - 44), box.y + 20);
  await until(page, () => window.stiction.frame().time >= 8.9);
  assert.match(await page.locator(".plot-cursor span").textContent(), /^(8\.9|9\.0)\d+ s$/);
  await id(page, "live").click();
};
tests["a problem is shown as it is and goes away when dismissed"] = async () => {
  const page = await open("http://127.0.0.1:8131/?scene=no-such");
  await until(page, () => document.querySelector('[data-testid="problem-text"]')?.textContent.includes("no-such"));
  await id(page, "dismiss").click();
  assert.equal(await id(page, "problem").count(), 0);
  await page.context().close();
};
tests["another protocol, a refusal and nonsense"] = async () => {
  await Promise.all([mock(8135, "--protocol=2"), mock(8136, "--refuse"), mock(8137, "--noise")]);
  const old = await open("http://127.0.0.1:8135/");
  await id(old, "mismatch").getByText("Reload to get the page").waitFor();
  const refused = await open("http://127.0.0.1:8136/");
  await id(refused, "refused").waitFor();
  const noisy = await open("http://127.0.0.1:8137/");
  await until(noisy, () => window.stiction.malformed > 20 && window.stiction.series("f").length > 5);
  assert.deepEqual([old.problems, noisy.problems], [[], []]);
  for (const page of [old, refused, noisy]) await page.context().close();
};
let failed = 0;
await Promise.all([mock(8131), mock(8132, "--token=geheim"), mock(8134, "--fatal")]);
let shared;
for (const [name, test] of Object.entries(tests)) {
  try {
    shared = (await test(shared)) ?? shared;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}
await browser.close();
for (const child of mocks) child.kill();
process.exit(failed > 0 ? 1 : 0);
