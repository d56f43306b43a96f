// From the hand to the picture, with real mouse events in one page alone.
import { grab, pixelsPerMetre, until } from "../lib/page.mjs";
import { openPages } from "./load.mjs";

const DRAG_MS = 8000;
const STEPS = 12;
const STEP = 5e-3;

/** Drags round and round, and asks the page how long its hands took until they were drawn. */
export async function dragLatency(browser, server) {
  const [page] = await openPages(browser, server, 1);
  const [x, y] = await grab(page);
  const [from, drawn] = [performance.now(), await drawnSoFar(page)];
  for (let i = 0; performance.now() - from < DRAG_MS; i++) {
    await page.mouse.move(x + 10 * Math.sin(i / 6), y + 6 * Math.cos(i / 7));
    await page.waitForTimeout(12);
  }
  const took = (performance.now() - from) / 1000;
  const { p50, p95, count } = await page.evaluate(() => window.stiction.latency());
  const fps = ((await drawnSoFar(page)) - drawn) / took;
  await page.mouse.up();
  await page.context().close();
  return { p50_ms: p50, p95_ms: p95, hands: count, fps };
}

/** Moves the pointer by 5 mm at once: how long until a frame is drawn whose hand has gone half of what it will go. */
export async function stepResponse(browser, server) {
  const [page] = await openPages(browser, server, 1);
  const scale = await pixelsPerMetre(page);
  const [x, y] = await grab(page);
  await page.mouse.move(x + 2, y);
  await rests(page);
  await watch(page);
  const times = [];
  for (let i = 0; i < STEPS; i++) {
    const to = x + 2 + (i % 2 === 0 ? STEP * scale : 0);
    await page.evaluate(() => window.__step.arm());
    await page.mouse.move(to, y);
    await until(page, "the hand moves", () => window.__step.gone() > 2e-3);
    await rests(page);
    await until(page, "a picture of it", () => Number.isFinite(window.__step.halfWay()));
    times.push(await page.evaluate(() => window.__step.halfWay()));
  }
  await page.mouse.up();
  await page.context().close();
  const sorted = times.filter(Number.isFinite).sort((a, b) => a - b);
  return { median_ms: sorted[Math.floor(sorted.length / 2)] ?? NaN, longest_ms: sorted.at(-1) ?? NaN, steps: sorted.length, metres: STEP };
}

/** Notes, in the page, when the pointer moved and where the hand of each drawn frame was. */
const watch = (page) =>
  page.evaluate(() => {
    const stage = document.getElementById("stage");
    let [sent, seen] = [NaN, []];
    addEventListener("pointermove", () => Number.isNaN(sent) && (sent = performance.now()), { capture: true });
    new MutationObserver(() => {
      const f = window.stictionView.frame();
      if (f) seen.push([performance.now(), ...f.hand.slice(0, 3)]);
    }).observe(stage, { attributes: true, attributeFilter: ["data-frames-drawn"] });
    const away = (a, b) => Math.hypot(a[1] - b[1], a[2] - b[2], a[3] - b[3]);
    const now = () => [performance.now(), ...window.stiction.frame().hand.slice(0, 3)];
    window.__step = {
      arm() {
        [sent, seen] = [NaN, [now()]];
      },
      gone: () => away(seen[0], now()),
      halfWay() {
        const half = seen.find((s) => s[0] > sent && away(seen[0], s) >= away(seen[0], now()) / 2);
        return half ? half[0] - sent : NaN;
      },
    };
  });

/** Waits until the hand has been where it is for 0.2 s of the simulation. */
async function rests(page) {
  await page.evaluate(() => delete window.__rest);
  await until(page, "the hand rests", () => {
    const now = window.stiction.frame();
    const key = now.hand.slice(0, 3).map((v) => v.toFixed(5)).join();
    if (window.__rest?.key !== key) window.__rest = { key, time: now.time };
    return now.time - window.__rest.time > 0.2;
  });
}

const drawnSoFar = (page) => page.evaluate(() => Number(document.getElementById("stage").dataset.framesDrawn));
