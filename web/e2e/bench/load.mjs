// What pages cost the loop: CPU time of a tick with and without them.
import { openPage } from "../lib/browser.mjs";
import { eventually, ready } from "../lib/page.mjs";

const SIZE = { viewport: { width: 1280, height: 720 } };
/** After pages have come or gone the machine needs a moment (ms). */
const CALM = 1500;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits for the end of the script and some ticks more. */
export async function settle(server) {
  await eventually("4500 ticks", async () => ((await server.stats()).loop?.ticks.count ?? 0) > 4500, 60_000);
}

/** Opens so many pages and waits until all draw. */
export async function openPages(browser, server, count) {
  const pages = [];
  for (let i = 0; i < count; i++) {
    const page = await openPage(browser, server.url, { context: SIZE });
    await ready(page, { holding: i === 0 });
    pages.push(page);
  }
  return pages;
}

/** Totals of the loop so far. */
async function totals(server) {
  const { loop, frames_sent: sent, pages } = await server.stats();
  const sum = (h) => h.count * h.mean_ns;
  return { ticks: loop.ticks.count, cpu: sum(loop.ticks), late: sum(loop.late), cycles: loop.late.count, skipped: loop.skipped, sent, pages, at: performance.now() };
}

/** One phase with so many pages: means over its time alone. */
export async function pagesPhase(browser, server, count, seconds) {
  const pages = await openPages(browser, server, count);
  await eventually(`${count} pages at the server`, async () => (await server.stats()).pages === count);
  await sleep(CALM);
  const before = await totals(server);
  const drawn = await Promise.all(pages.map(drawnSoFar));
  await sleep(1000 * seconds);
  const after = await totals(server);
  const took = (after.at - before.at) / 1000;
  const fps = await Promise.all(pages.map(async (page, i) => ((await drawnSoFar(page)) - drawn[i]) / took));
  for (const page of pages) await page.context().close();
  await eventually("no pages at the server", async () => (await server.stats()).pages === 0);
  const ticks = after.ticks - before.ticks;
  return {
    pages: count,
    ticks,
    tick_ns: (after.cpu - before.cpu) / ticks,
    late_ns: (after.late - before.late) / (after.cycles - before.cycles),
    ticks_per_s: ticks / took,
    missed: after.skipped - before.skipped,
    frames_sent_per_s: (after.sent - before.sent) / took,
    page_fps: fps,
  };
}

const drawnSoFar = (page) => page.evaluate(() => Number(document.getElementById("stage").dataset.framesDrawn));
