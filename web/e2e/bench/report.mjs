// What was measured, judged and printed.

/** Pages may cost a tick so much of its time; a hand is drawn after so long (ms). */
export const TARGETS = { ratio: 1.1, p50_ms: 50 };

const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;

/** The ratios: of the means over all phases, and the median of neighbouring phases; and whether the targets are met. */
export function verdict({ phases, drag }) {
  const cost = (pages) => phases.filter((p) => p.pages > 0 === pages).map((p) => p.tick_ns);
  const ratio = mean(cost(true)) / mean(cost(false));
  const pairs = phases.slice(1).map((p, i) => (p.pages > 0 ? p.tick_ns / phases[i].tick_ns : phases[i].tick_ns / p.tick_ns));
  const met = ratio <= TARGETS.ratio && drag.p50_ms < TARGETS.p50_ms;
  return { ratio, ratio_of_neighbours: median(pairs), fps: mean(phases.flatMap((p) => p.page_fps)), targets: TARGETS, met };
}

/** Rows of a file of results, as crates/stiction-results has them. */
export function measurements(r) {
  const row = (what, value, unit, target = null, met = null) => ({ what, value, unit, target, met });
  return [
    row("CPU time of a tick, three pages open to none", r.ratio, "", `≤ ${r.targets.ratio}`, r.ratio <= r.targets.ratio),
    row("the same, median of neighbouring phases", r.ratio_of_neighbours, ""),
    row("hand pose to drawn pixels, one page: median", r.drag.p50_ms, "ms", `< ${r.targets.p50_ms}`, r.drag.p50_ms < r.targets.p50_ms),
    row("hand pose to drawn pixels, one page: p95", r.drag.p95_ms, "ms"),
    row("frames a second of one page, dragging", r.drag.fps, ""),
    row("frames a second of each of three pages", r.fps, ""),
  ];
}

/** For people. */
export function table(r) {
  const row = (cells, widths = [7, 13, 12, 12, 9, 14]) => cells.map((c, i) => String(c).padStart(widths[i] ?? 0)).join("  ") + "\n";
  let out = row(["pages", "CPU a tick", "late, mean", "ticks/s", "missed", "frames/s each"]);
  for (const p of r.phases) {
    const fps = p.pages === 0 ? "–" : p.page_fps.map((f) => f.toFixed(0)).join(" ");
    out += row([p.pages, `${(p.tick_ns / 1000).toFixed(1)} µs`, `${(p.late_ns / 1000).toFixed(0)} µs`, p.ticks_per_s.toFixed(0), p.missed, fps]);
  }
  const line = (name, value, target = "") => `${name.padEnd(44)}${value.padStart(12)}${target}\n`;
  const judged = (ok, words) => `   ${ok ? "met" : "MISSED"}: ${words}`;
  out += "\n";
  out += line("CPU of a tick, three pages to none", r.ratio.toFixed(3), judged(r.ratio <= r.targets.ratio, `at most ${r.targets.ratio}`));
  out += line("  median of neighbouring phases", r.ratio_of_neighbours.toFixed(3));
  out += line("frames a second of each of three pages", r.fps.toFixed(1));
  out += line("frames a second of one page, dragging", r.drag.fps.toFixed(1));
  out += line("hand to drawn, median", `${r.drag.p50_ms.toFixed(0)} ms`, judged(r.drag.p50_ms < r.targets.p50_ms, `below ${r.targets.p50_ms} ms`));
  out += line("hand to drawn, 95th percentile", `${r.drag.p95_ms.toFixed(0)} ms`, `   of ${r.drag.hands} hands`);
  out += line("a 5 mm step, half way on the screen, median", `${r.step.median_ms.toFixed(0)} ms`, `   of ${r.step.steps} steps`);
  out += line("  longest", `${r.step.longest_ms.toFixed(0)} ms`);
  return out.trimEnd();
}
