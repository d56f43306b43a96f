import { describe, expect, it } from "vitest";
import { decodeFrame, type Frame, type World } from "../src/protocol";
import { Band, bandOf, columnByName, columnOf, fillRow, WIDTH } from "../src/plots/columns";
import { History } from "../src/plots/history";
import { PlotWindow } from "../src/plots/window";
import { nearest, Ring, Slots } from "../src/plots/samples";
import { Autoscale, decimals, roundRange, roundUp } from "../src/plots/scale";
import { isShown, PLOTS, type PlotWorld } from "../src/plots/specs";
import { extent, stretches, tracePath } from "../src/plots/trace";
import { frameBytes, HAND, TABLE } from "./frames";

const fill = (ring: Ring, times: number[]) => times.forEach((t) => ring.push(t, [t, -t]));
const times = (s: Ring | Slots) => Array.from({ length: s.size }, (_, i) => s.time(i)).filter((t) => !Number.isNaN(t));

describe("ring", () => {
  it("keeps the last rows in order, over its end", () => {
    const ring = new Ring(4, 2);
    fill(ring, [1, 2, 3, 4, 5, 6]);
    expect(times(ring)).toEqual([3, 4, 5, 6]);
    expect(ring.value(1, 0)).toBe(-3);
    expect([ring.find(0), ring.find(4), ring.find(4.5), ring.find(9)]).toEqual([0, 1, 2, 4]);
  });

  it("replaces a row of the same time, forgets the future when time goes back, ignores NaN", () => {
    const ring = new Ring(8, 2);
    fill(ring, [1, 2]);
    expect(ring.push(2, [7, 7])).toBe(false);
    expect([ring.size, ring.value(0, 1)]).toEqual([2, 7]);
    expect(ring.push(NaN, [0, 0])).toBe(false);
    fill(ring, [0.5]);
    expect(times(ring)).toEqual([0.5]);
  });

  it("finds the nearest row within reach", () => {
    const ring = new Ring(8, 1);
    fill(ring, [1, 2, 4]);
    expect([nearest(ring, 2.9, 5), nearest(ring, 3.1, 5), nearest(ring, 9, 1), nearest(new Ring(2, 1), 0, 9)]).toEqual([1, 2, -1, -1]);
  });
});

describe("slots", () => {
  it("take rows in any order", () => {
    const slots = new Slots(100, 1, 10);
    for (const t of [9, 0, 10, 5.05, 5]) slots.push(t, [t]);
    expect(times(slots)).toEqual([0, 5, 9, 10]);
    expect(nearest(slots, 5.4, 1)).toBe(50);
    expect(nearest(slots, 7, 1)).toBe(-1);
    expect(slots.find(99)).toBe(100);
    expect(new Slots(10, 1, 0).find(3)).toBe(0);
  });
});

describe("columns", () => {
  it("are filled from a frame", () => {
    const row = new Float64Array(WIDTH);
    fillRow(row, decodeFrame(frameBytes({ lanes: 1, word: 3 }), TABLE) as Frame);
    expect(row[columnOf("fx", 0)]).toBe(1011);
    expect(row[columnOf("tz", 0)]).toBe(1016);
    expect([row[columnOf("touching", 0)], row[columnOf("stuck", 0)], row[columnOf("sliding", 0)]]).toEqual([98, 90, 8]);
    expect(row[columnOf("creep", 0)]).toBe(1044);
    expect(row[columnOf("cpu_max", 0)]).toBe(1046);
    expect(row[columnOf("band", 0)]).toBe(Band.Slip);
    expect(row[columnOf("fx", 1)]).toBeNaN();
    expect([columnByName("fx@1"), columnByName("fx@2"), columnByName("nope")]).toEqual([columnOf("fx", 1), -1, -1]);
  });

  it("know stick from slip", () => {
    expect(bandOf({ word: "holds" })).toBe(Band.Stick);
    expect(bandOf({ word: "slides" })).toBe(Band.Slip);
    expect(bandOf({ word: "rolls" })).toBe(Band.Stick);
    expect(bandOf({ word: "free" })).toBe(Band.Free);
    expect(bandOf({ word: "undecided" })).toBe(Band.Undecided);
    expect(bandOf({ word: "no friction" })).toBe(Band.Free);
    expect(bandOf({ word: undefined })).toBe(Band.Free);
  });
});

describe("an engine with fewer columns", () => {
  it("has no plots of what it does not tell", () => {
    const world = { lanes: [], rate: 1000, columns: TABLE, margins: true, playback: null };
    const ids = (w: PlotWorld) => PLOTS.filter((p) => isShown(p, w)).map((p) => p.id);
    expect(ids(world)).toEqual(["force", "torque", "contacts", "margin", "cpu"]);
    expect(ids({ ...world, playback: { name: "a.mcap", seconds: 1, verdict: "" } }), "recordings have no CPU time").toEqual(["force", "torque", "contacts", "margin"]);
    expect(ids({ ...world, columns: HAND, margins: false })).toEqual(["force", "torque", "cpu"]);
  });

  it("leaves gaps in rows, and is never told to hold", () => {
    const row = new Float64Array(WIDTH);
    const frame = decodeFrame(frameBytes({ columns: HAND, word: 255 }), HAND) as Frame;
    fillRow(row, frame);
    expect([row[columnOf("touching", 0)], row[columnOf("stuck", 0)], row[columnOf("band", 0)]]).toEqual([98, NaN, Band.Free]);
  });
});

describe("history", () => {
  const frame = (time: number, lanes = 1) => ({ ...(decodeFrame(frameBytes({ lanes }), TABLE) as Frame), time });
  const world = (generation: number, playback: World["playback"] = null, scene = "a") => ({ generation, playback, scene }) as World;

  it("shows the last seconds live, all of a recording, and forgets other scenes", () => {
    const past = new History();
    past.setWorld(world(1));
    const shown = new PlotWindow();
    expect(shown.shown(past.extent)).toEqual([0, 10]);
    for (const t of [1, 2, 15]) past.add(frame(t));
    expect(shown.shown(past.extent)).toEqual([5, 15]);
    expect(past.series("time")).toEqual([1, 2, 15]);
    expect(past.add(frame(15))).toBe(false);
    past.setWorld(world(2, { name: "a", seconds: 4, verdict: "" }));
    expect(shown.shown(past.extent)).toEqual([0, 4]);
    for (const t of [3, 1]) past.add(frame(t));
    expect(past.series("time")).toEqual([1, 3]);
    past.setWorld(world(3));
    expect(past.series("time")).toEqual([1, 2, 15]);
    past.setWorld(world(4, null, "b"));
    expect(past.series("time")).toEqual([]);
  });

  it("keeps what was before a change of settings, and nothing where time begins anew", () => {
    const past = new History();
    past.setWorld(world(1));
    for (const t of [1, 2]) past.add(frame(t));
    past.setWorld(world(2));
    past.add(frame(3));
    expect(past.series("time")).toEqual([1, 2, 3]);
    past.add(frame(0.5));
    expect(past.series("time")).toEqual([0.5]);
  });
});

describe("scale", () => {
  it("rounds", () => {
    expect([0.3, 1, 1.1, 4, 7, 0, NaN].map(roundUp)).toEqual([0.5, 1, 2, 5, 10, 1, 1]);
    expect(roundRange(-3, 17, 2)).toEqual({ low: -10, high: 20, step: 10 });
    expect([1, 0.5, 0.02, 20].map(decimals)).toEqual([0, 1, 2, 0]);
  });

  it("grows at once, shrinks late, and always has zero", () => {
    const scale = new Autoscale(1, 2);
    expect(scale.update(NaN, NaN, 0)).toMatchObject({ low: 0, high: 1 });
    expect(scale.update(0, 9, 0.1)).toMatchObject({ low: 0, high: 10 });
    expect(scale.update(0, 8, 1).high).toBe(10);
    expect(scale.update(0, 1, 2).high).toBe(10);
    expect(scale.update(0, 1, 3.9).high).toBe(10);
    expect(scale.update(0, 1, 4.1).high).toBe(1);
    expect(scale.update(-4, 1, 5)).toMatchObject({ low: -5, high: 5 });
    expect(scale.update(7, 8, 6).low).toBeLessThanOrEqual(0);
    expect(scale.update(0, Infinity, 6.1).high).toBe(10);
  });

  it("is not taken in by a moment of quiet", () => {
    const scale = new Autoscale(1, 2);
    scale.update(0, 9, 0);
    scale.update(0, 1, 1);
    scale.update(0, 9, 2.9);
    expect(scale.update(0, 1, 3.1).high).toBe(10);
  });
});

describe("trace", () => {
  const path = (points: [number, number][], gap = 1) => {
    const ring = new Ring(100, 1);
    points.forEach(([t, v]) => ring.push(t, [v]));
    const out: string[] = [];
    const pen = { moveTo: (x: number, y: number) => out.push(`M${x},${y}`), lineTo: (x: number, y: number) => out.push(`L${x},${y}`) };
    tracePath(pen, ring, (i) => ring.value(0, i), 0, ring.size, { x: (t) => 10 * t, y: (v) => v }, gap);
    return out.join(" ");
  };

  it("draws lines, broken by gaps and NaN", () => {
    expect(path([[0, 1], [1, 2], [2, 3]])).toBe("M0.5,1 L10.5,2 L20.5,3");
    expect(path([[0, 1], [1, 2], [5, 3], [6, 4]])).toBe("M0.5,1 L10.5,2 M50.5,3 L60.5,4");
    expect(path([[0, 1], [1, 2], [2, NaN], [3, 4], [4, 5]])).toBe("M0.5,1 L10.5,2 M30.5,4 L40.5,5");
    expect(path([[0, 1]])).toBe("M0.5,1 L2,1");
    expect(path([])).toBe("");
  });

  it("draws one column for many samples of one pixel", () => {
    expect(path([[0, 5], [0.01, 50], [0.02, 1], [0.03, 6], [1, 7]])).toBe("M0.5,6 L0.5,1 L0.5,50 L0.5,6 L10.5,7");
  });

  it("finds stretches and extents", () => {
    const ring = new Ring(100, 1);
    [[0, 1], [1, 1], [2, 2], [3, 0], [4, 0], [5, 1], [9, 1]].forEach(([t = 0, v = 0]) => ring.push(t, [v]));
    expect(stretches(ring, 0, 0, ring.size, 1.5)).toEqual([
      { band: Band.Stick, from: 0, to: 1 },
      { band: Band.Slip, from: 1, to: 2 },
      { band: Band.Stick, from: 4, to: 5 },
      { band: Band.Stick, from: 9, to: 9 },
    ]);
    ring.push(10, [Infinity]);
    expect(extent(ring, (i) => ring.value(0, i), 0, ring.size)).toEqual([0, 2]);
    expect(extent(ring, () => NaN, 0, ring.size)).toEqual([NaN, NaN]);
  });
});
