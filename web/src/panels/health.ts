// The line at the bottom: how well loop, connection and page keep up.
import { byId, el, setText } from "../dom";
import { digits, fixed, si } from "../model/format";
import { PHASES, type Frame } from "../protocol";
import type { Session } from "../session";

/** Fills the footer; the result writes a frame's numbers into it. */
export function healthLine(session: Session): (frame: Frame) => void {
  const host = byId("health");
  const items = new Map<string, HTMLElement>();
  const add = (id: string, name: string, title: string) => {
    const value = el("b", { "data-testid": `health-${id}` }, "–");
    items.set(id, value);
    host.append(el("span", { title, "data-item": id }, `${name} `, value));
  };
  add("cycles", "loop", "Cycles a second of the haptic loop");
  add("cpu", "tick", "CPU time of a tick: mean and longest since the last frame");
  add("late", "late", "Latest start of a cycle behind its deadline since the last frame");
  add("missed", "missed", "Deadlines missed altogether");
  add("fps", "page", "Frames a second that this page draws");
  add("latency", "hand→drawn", "From sending the hand until a frame with it is drawn: median and 95th percentile of the last 200");
  add("phase", "envelope", "What the safety envelope does");
  add("flags", "flags", "What the engine notices in a tick");
  const put = (id: string, text: string, bad = false) => {
    const node = items.get(id);
    if (!node) return;
    setText(node, text);
    node.classList.toggle("bad", bad);
  };
  return (frame) => {
    const budget = 1 / (session.world.value?.rate || 1000);
    const worst = frame.lanes.reduce((most, lane) => Math.max(most, lane.cpuMax), 0);
    const mean = frame.lanes.reduce((most, lane) => Math.max(most, lane.cpuMean), 0);
    put("cycles", `${digits(frame.rate, 4)} Hz`);
    put("cpu", worst > 0 ? `${si(mean, "s")}, max ${si(worst, "s")}` : "–", worst > budget);
    put("late", si(frame.lateMax, "s"), frame.lateMax > budget);
    put("missed", fixed(frame.skipped, 0));
    put("fps", `${fixed(session.drawnRate.rate(performance.now()), 0)} fps`);
    const { p50, p95, count } = session.latency.stats();
    put("latency", count === 0 ? "–" : `${fixed(p50, 0)} ms, p95 ${fixed(p95, 0)} ms`);
    const lane = frame.lanes[0];
    const phase = PHASES[lane?.phase ?? 0] ?? "?";
    put("phase", phase, phase === "latched");
    const flags = [...new Set(frame.lanes.flatMap((l) => l.row.flags))];
    put("flags", flags.length > 0 ? flags.join(", ") : "none", flags.length > 0);
  };
}
