// The viewer's benchmark: npm run bench -- [--json] [--check] [--seconds 8] [--phases 6] [--priority]. Starts its own server: $STICTION, or the release build.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";

process.env.STICTION ??= join(fileURLToPath(new URL("../../", import.meta.url)), "target/release/stiction");
const { launch } = await import("./lib/browser.mjs");
const { startServer } = await import("./lib/server.mjs");
const { pagesPhase, settle } = await import("./bench/load.mjs");
const { dragLatency, stepResponse } = await import("./bench/hand.mjs");
const { measurements, table, verdict } = await import("./bench/report.mjs");
const { keep } = await import("./bench/results.mjs");

const { values: flags } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    priority: { type: "boolean", default: false },
    seconds: { type: "string", default: "8" },
    phases: { type: "string", default: "6" },
  },
});
const [seconds, phases] = [Number(flags.seconds), Number(flags.phases)];
const tell = (line) => flags.json || console.error(line);

const browser = await launch();
const server = await startServer({ scene: "corner-cube", priority: flags.priority });
const found = { scene: "corner-cube", seconds, phases: [] };
try {
  tell("the script runs to its end, where every tick is the same work");
  await settle(server);
  for (let i = 0; i < phases; i++) {
    const phase = await pagesPhase(browser, server, i % 2 === 0 ? 0 : 3, seconds);
    found.phases.push(phase);
    tell(`phase ${i + 1} of ${phases}: ${phase.pages} pages, ${(phase.tick_ns / 1000).toFixed(1)} µs a tick`);
  }
  tell("a drag, one page alone");
  found.drag = await dragLatency(browser, server);
  tell("steps of the hand");
  found.step = await stepResponse(browser, server);
} finally {
  await browser.close();
  await server.stop();
  await server.remove();
}
const result = { ...found, ...verdict(found) };
keep("bench-view", measurements(result));
console.log(flags.json ? JSON.stringify(result, null, 2) : table(result));
if (flags.check && !result.met) process.exit(1);
