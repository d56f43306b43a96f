// Fingers: real touch events by the DevTools protocol; and the page on phones.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { angle, distance, drawsOn, frame, id, partOnPage, ready, until } from "../lib/page.mjs";

const PHONES = [[844, 390], [390, 844]];
const phone = ([width, height]) => ({ context: { viewport: { width, height }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 } });

/** Fingers on the screen: `go` takes the places of all of them. */
async function fingers(page) {
  const cdp = await page.context().newCDPSession(page);
  const send = (type, places) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  return {
    /** Puts them down, moves them in some steps to other places, and lifts them. */
    async go(from, to, { steps = 8, lift = true } = {}) {
      await send("touchStart", from);
      for (let i = 1; i <= steps; i++) {
        await send("touchMove", from.map(([x, y], k) => [x + ((to[k][0] - x) * i) / steps, y + ((to[k][1] - y) * i) / steps]));
        await page.waitForTimeout(20);
      }
      if (lift) await send("touchEnd", []);
    },
    lift: () => send("touchEnd", []),
  };
}
const camera = (page) => page.evaluate(() => window.stictionView.camera().split(",").map(Number));

e2e("touch: one finger drags the part or turns the camera, two fingers pan and zoom, a button makes it turn the part", async (use) => {
  const page = await use.page(await use.server(), "", phone([1024, 768]));
  await ready(page);
  await until(page, "the end of the script", () => window.stiction.frame().time > 3.1);
  const touch = await fingers(page);
  const box = await id(page, "stage").boundingBox();
  const before = await frame(page);
  const first = await camera(page);

  // Beside the part: the camera turns about the same point.
  const beside = [box.x + 0.9 * box.width, box.y + 0.3 * box.height];
  await touch.go([beside], [[beside[0] - 80, beside[1] + 20]]);
  const turned = await camera(page);
  assert.ok(Math.abs(turned[4] - first[4]) > 5 && Math.abs(turned[5] - first[5]) > 1, `${first} to ${turned}`);
  assert.deepEqual(turned.slice(0, 4), first.slice(0, 4));
  assert.ok(distance((await frame(page)).hand, before.hand) < 1e-6, "the hand is where it was");

  // Two fingers: apart is nearer, together sideways is a pan.
  const [cx, cy] = [box.x + box.width / 2, box.y + 0.3 * box.height];
  await touch.go([[cx - 40, cy], [cx + 40, cy]], [[cx - 80, cy], [cx + 80, cy]]);
  const near = await camera(page);
  assert.ok(near[3] < 0.6 * turned[3], `distance ${turned[3]} to ${near[3]}`);
  assert.deepEqual(near.slice(4), turned.slice(4), "and does not turn");
  await touch.go([[cx - 40, cy], [cx + 40, cy]], [[cx - 40 + 60, cy + 20], [cx + 40 + 60, cy + 20]]);
  const panned = await camera(page);
  assert.ok(distance(panned, near) > 1e-3 && Math.abs(panned[3] / near[3] - 1) < 0.02, `${near} to ${panned}`);
  await id(page, "view-fit").tap();

  // On the part: the hand moves, and stays where the finger left it.
  const [x, y] = await partOnPage(page);
  await touch.go([[x, y]], [[x + 30, y]], { lift: false });
  await until(page, "the finger moves the hand", (from) => Math.hypot(...window.stiction.frame().hand.slice(0, 3).map((v, i) => v - from[i])) > 1e-3, before.hand);
  assert.equal(await id(page, "parked").isVisible(), false, "no note while the finger is down");
  await touch.lift();
  await id(page, "parked").waitFor();
  const moved = await frame(page);
  assert.ok(angle(moved.hand, before.hand) < 0.01);
  await id(page, "parked-let-go").tap();
  await id(page, "parked").waitFor({ state: "hidden" });

  await id(page, "touch-turn").tap();
  const [tx, ty] = await partOnPage(page);
  const start = (await frame(page)).hand;
  await touch.go([[tx, ty]], [[tx + 20, ty]]);
  await until(page, "the finger turns the hand", (from) => Math.abs(window.stiction.frame().hand.slice(3).reduce((s, v, i) => s + v * from[3 + i], 0)) < 0.9998, start);
});

e2e("touch: on phones, upright and lying, the stage is seen, nothing is cut off and all controls can be reached", async (use) => {
  const server = await use.server();
  for (const [number, [width, height]] of PHONES.entries()) {
    const page = await use.page(server, "", phone([width, height]));
    // The first page holds the part; the server may not have counted a page yet that is just there.
    await ready(page, { holding: number === 0 });
    await drawsOn(page, 2);
    const name = `${width}×${height}`;
    const found = await page.evaluate(() => {
      const box = (selector) => {
        const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
        return { x, y, width, height };
      };
      return { wide: document.documentElement.scrollWidth - innerWidth, high: innerHeight, stage: box("#stage"), top: box("#top"), play: box('[data-testid="play"]') };
    });
    use.say(`${name}: stage ${found.stage.width.toFixed(0)}×${found.stage.height.toFixed(0)}, top bar ${found.top.height.toFixed(0)}`);
    assert.ok(found.wide <= 0, `${name} scrolls sideways by ${found.wide} px`);
    assert.ok(found.stage.width > 0.6 * width && found.stage.height >= 0.5 * height, `${name}: the stage is ${JSON.stringify(found.stage)}`);
    assert.ok(found.stage.y >= 0 && found.stage.y + found.stage.height <= found.high + 1, `${name}: the whole stage is on the first screen`);
    // Every control can be scrolled to, lies inside the page, is not below another one, and is large enough for a finger.
    const wrong = await page.evaluate(() => {
      const out = [];
      const shown = (node) => node.offsetParent !== null && !node.closest(".visually-hidden, dialog, .skip") && node.getBoundingClientRect().width > 0;
      for (const node of document.querySelectorAll("#app button, #app select, #app input, #app summary")) {
        if (!shown(node)) continue;
        node.scrollIntoView({ block: "center", inline: "nearest" });
        const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
        const label = node.dataset.testid ?? node.textContent;
        if (left < -1 || right > innerWidth + 1) out.push(`${label} is cut off: ${left} to ${right}`);
        if (top < -1 || bottom > innerHeight + 1) out.push(`${label} cannot be scrolled to: ${top} to ${bottom}`);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const same = hit && (node.contains(hit) || hit.contains(node) || hit.closest("label")?.contains(node));
        if (!same) out.push(`${label} is below ${hit?.id || hit?.className || hit?.tagName}`);
        if (node.tagName === "BUTTON" && !node.matches(".plot-title") && Math.min(width, height) < 24) out.push(`${label} is ${width}×${height}`);
      }
      scrollTo(0, 0);
      return out;
    });
    assert.deepEqual(wrong, [], name);
  }
});
