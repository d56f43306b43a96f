// By keyboard alone; on three sizes of screen; in light and dark.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { colours, drawsOn, id, ready, until } from "../lib/page.mjs";

/** Controls in the order in which Tab has to reach them. */
const ORDER = ["scene", "copy-link", "theme", "toggle-panel", "help", "stage", "view-front", "view-side", "view-top", "view-iso", "view-fit", "play", "step-1", "step-10", "step-100", "speed-1", "reset", "script", "let-go", "record", "window", "splitter", "set-friction.method", "compare-springs", "compare", "set-friction.static", "slide-friction.static"];

e2e("layout: Tab reaches the controls in order, keys work, nothing traps the focus", async (use) => {
  const page = await use.page(await use.server());
  await ready(page);
  const reached = [];
  const first = await page.evaluate(() => document.activeElement.tagName);
  assert.equal(first, "BODY");
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const a = document.activeElement;
      const box = a.getBoundingClientRect();
      return { id: a.dataset.testid ?? a.id ?? a.tagName, tag: a.tagName, seen: box.width > 0 && box.height > 0, text: a.textContent.slice(0, 30), outline: getComputedStyle(a).outlineStyle };
    });
    if (now.tag === "BODY") break;
    assert.ok(now.seen, `${now.id} has the focus but no size`);
    reached.push(now.id === "" ? now.tag : now.id);
  }
  let at = -1;
  for (const name of ORDER) {
    const next = reached.indexOf(name, at + 1);
    assert.ok(next > at, `Tab reaches ${name} after ${ORDER[ORDER.indexOf(name) - 1] ?? "the start"}: ${reached.join(" ")}`);
    at = next;
  }
  use.say(`Tab stops: ${reached.length}`);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await until(page, "Space pauses", () => window.stiction.frame().paused);
  await id(page, "play").focus();
  await page.keyboard.press("Enter");
  await until(page, "Enter on the button plays", () => !window.stiction.frame().paused);
  await page.keyboard.press("?");
  await id(page, "help-dialog").waitFor();
  await page.keyboard.press("Escape");
  await id(page, "help-dialog").waitFor({ state: "hidden" });
});

/** Two contacts with names of full length. */
const TOUCHES = "face 4 of the part on face 5, sticking; face 2 of the part on face 6, sticking";

/** Pairs of what is shown over the 3D view that cover each other, and what sticks out of it; after changing what is hidden, and while two contacts are named. */
const covered = (page, show = {}) =>
  page.evaluate(([show, words]) => {
    const touches = document.querySelector('[data-testid="lane-0-touches"]');
    [touches.hidden, touches.textContent] = [false, words];
    for (const [name, on] of Object.entries(show)) document.querySelector(name).hidden = !on;
    const names = [".legend", ".views", ".parked", "#invitation", ".slice-bar", ".lane-card", "#stage > svg:not(.ghost-cursor)"];
    const boxes = names.flatMap((name) => [...document.querySelectorAll(name)].map((node) => [name, node.getBoundingClientRect()])).filter(([, b]) => b.width > 0 && b.height > 0);
    const stage = document.getElementById("stage-area").getBoundingClientRect();
    const out = boxes.filter(([, b]) => b.left < stage.left - 1 || b.right > stage.right + 1 || b.top < stage.top - 1 || b.bottom > stage.bottom + 1).map(([name]) => `${name} sticks out`);
    boxes.forEach(([a, p], i) =>
      boxes.slice(i + 1).forEach(([b, q]) => {
        const [w, h] = [Math.min(p.right, q.right) - Math.max(p.left, q.left), Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)];
        if (w > 1 && h > 1) out.push(`${a} and ${b} by ${Math.round(w)} × ${Math.round(h)} px`);
      }),
    );
    return { out, shown: boxes.map(([name]) => name) };
  }, [show, TOUCHES]);

e2e("layout: nothing over the 3D view covers anything else", async (use) => {
  const sizes = [[1440, 900], [1280, 720], [1200, 720], [1024, 640], [844, 390], [390, 844]];
  for (const [scene, width, height] of ["corner-cube", "formation-l"].flatMap((scene) => sizes.map((size) => [scene, ...size]))) {
    const server = await use.server({ scene });
    const touch = width < 900 ? { hasTouch: true, isMobile: true, deviceScaleFactor: 1 } : {};
    const page = await use.page(server, "", { demo: true, context: { viewport: { width, height }, ...touch } });
    await ready(page);
    const look = async (what, needs, show) => {
      const { out, shown } = await covered(page, show);
      assert.deepEqual(out, [], `${what} of ${scene} at ${width}×${height}`);
      assert.ok(needs.every((name) => shown.includes(name)), `${what} at ${width}×${height} shows ${shown.join(", ")}`);
    };
    await until(page, "the invitation", () => !document.getElementById("invitation").hidden && document.querySelector(".legend").children.length > 3);
    await look("the first minute", ["#invitation", ".legend", ".views", ".lane-card"]);
    await page.evaluate(() => (document.querySelector('[data-testid="parked-text"]').textContent = "Hand parked: pulls with 40 N"));
    await look("a parked hand", [".parked"], { ".parked": true, "#invitation": false });
    await look("a slice", [".parked", ".slice-bar"], { ".slice-bar": true, ".parked": true, "#invitation": false });
    await page.context().close();
    await server.stop();
  }
});

e2e("layout: help opens at its top, with touch first on a phone, whose sentence and folded plots are not cut off", async (use) => {
  const server = await use.server();
  for (const [width, height, first] of [[1280, 720, "Keys"], [844, 390, "Touch"], [390, 844, "Touch"]]) {
    const touch = width < 900 ? { hasTouch: true, isMobile: true, deviceScaleFactor: 1 } : {};
    const page = await use.page(server, "", { context: { viewport: { width, height }, ...touch } });
    await ready(page);
    const cut = await page.evaluate(() => {
      const sentence = document.getElementById("sentence");
      sentence.textContent = "holds: µ 0.80 could fall to 0.57, then it slides along the floor and turns; the hand is at its most, 40 N";
      const hidden = sentence.scrollHeight > sentence.clientHeight + 1 ? ["the sentence"] : [];
      const names = [...document.querySelectorAll(".plot-folds > :not([hidden])")].filter((node) => node.getClientRects().length > 0);
      const seen = (node) => {
        node.scrollIntoView({ block: "center" });
        const { right, top, height } = node.getBoundingClientRect();
        return node.scrollWidth <= node.clientWidth && node.contains(document.elementFromPoint(right - 1, top + height / 2));
      };
      return { out: [...hidden, ...names.filter((node) => !seen(node)).map((node) => node.textContent)], names: names.length };
    });
    assert.deepEqual(cut.out, [], `cut off at ${width}×${height}`);
    await page.evaluate(() => scrollTo(0, 0));
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - document.getElementById("app").getBoundingClientRect().height);
    assert.ok(beyond < 1, `${beyond} px of nothing below the page at ${width}×${height}`);
    assert.ok(cut.names > 0, `folded plots at ${width}×${height}`);
    // Twice: it does not stay where it was scrolled to.
    for (let i = 0; i < 2; i++) {
      await id(page, "help").click();
      const help = await page.evaluate(() => {
        const dialog = document.querySelector('[data-testid="help-dialog"]');
        const at = { top: dialog.scrollTop, more: dialog.scrollHeight - dialog.clientHeight, first: dialog.querySelector("h3").textContent, focus: dialog.contains(document.activeElement) };
        dialog.scrollTop = 1e6;
        return at;
      });
      assert.deepEqual([help.top, help.first, help.focus], [0, first, true], `help at ${width}×${height}`);
      assert.ok(help.more > 0, "there is something to scroll");
      await page.keyboard.press("Escape");
      await id(page, "help-dialog").waitFor({ state: "hidden" });
    }
    await page.context().close();
  }
});

e2e("layout: three sizes without a sideways scroll bar, light and dark", async (use) => {
  const page = await use.page(await use.server(), "", { context: { viewport: { width: 1280, height: 720 }, colorScheme: "light" } });
  await ready(page);
  for (const [width, height] of [[1280, 720], [1024, 768], [768, 1024]]) {
    await page.setViewportSize({ width, height });
    await drawsOn(page, 2);
    const found = await page.evaluate(() => {
      const box = (name) => {
        const { x, y, width, height } = document.querySelector(`[data-testid="${name}"]`).getBoundingClientRect();
        return { x, y, width, height };
      };
      return { wide: document.documentElement.scrollWidth - document.documentElement.clientWidth, stage: box("stage"), sentence: box("sentence"), plots: box("plots") };
    });
    assert.ok(found.wide <= 0, `${width}×${height} scrolls sideways by ${found.wide} px`);
    // The sentence is as long as what it says, "holds" at the least.
    for (const [name, narrowest, least] of [["stage", 200, 200], ["sentence", 30, 12], ["plots", 200, 80]]) {
      const { x, y, width: w, height: h } = found[name];
      assert.ok(w >= narrowest && h >= least && x >= 0 && x + w <= width + 1 && y >= 0 && y + Math.min(h, least) <= height, `${name} at ${width}×${height}: ${JSON.stringify(found[name])}`);
    }
  }
  await page.setViewportSize({ width: 1024, height: 640 });
  const looks = {};
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await drawsOn(page, 3);
    looks[scheme] = await colours(page, await page.screenshot());
    assert.ok(looks[scheme].count > 20);
  }
  use.say(`mean lightness: ${looks.light.light.toFixed(2)} light, ${looks.dark.light.toFixed(2)} dark`);
  assert.ok(looks.light.light > 0.6 && looks.dark.light < 0.4, JSON.stringify(looks));
  await id(page, "theme").click();
  await drawsOn(page, 3);
  assert.ok((await colours(page, await page.screenshot())).light > 0.6, "the button switches to light");
});
