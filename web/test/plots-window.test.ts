import { describe, expect, it } from "vitest";
import { PlotWindow, type Extent } from "../src/plots/window";

const recording: Extent = { recording: 20, first: NaN, last: NaN };
const live = (last: number): Extent => ({ recording: null, first: 0, last });

describe("the window of the plots", () => {
  it("zooms a recording about the pointer and back to all of it", () => {
    const w = new PlotWindow();
    w.zoom(recording, 5, 0.5);
    const [from, to] = w.shown(recording);
    expect(to - from).toBeCloseTo(10, 12);
    expect((5 - from) / (to - from)).toBeCloseTo(0.25, 12);
    expect(w.fixed).toBe(true);
    w.zoom(recording, 5, 100);
    expect(w.fixed).toBe(false);
    expect(w.shown(recording)).toEqual([0, 20]);
  });

  it("zooms no further than two ticks, and stays inside when it pans", () => {
    const w = new PlotWindow();
    for (let i = 0; i < 100; i++) w.zoom(recording, 3, 0.5);
    expect(w.shown(recording)[1] - w.shown(recording)[0]).toBeCloseTo(2e-3, 12);
    w.zoom(recording, 3, 1000);
    w.pan(recording, -100);
    expect(w.shown(recording)[0]).toBe(0);
    w.pan(recording, 100);
    expect(w.shown(recording)[1]).toBeCloseTo(20, 9);
    for (const odd of [NaN, Infinity]) {
      w.pan(recording, odd);
      w.zoom(recording, odd, 0.5);
    }
    w.zoom(recording, 3, -1);
    expect(w.shown(recording).every(Number.isFinite)).toBe(true);
  });

  it("follows the loop while it zooms, stands still in the past, and follows again at its end", () => {
    const w = new PlotWindow();
    w.zoom(live(30), 25, 0.5);
    expect(w.shown(live(30))).toEqual([25, 30]);
    expect(w.shown(live(40))).toEqual([35, 40]);
    w.pan(live(40), -10);
    expect(w.shown(live(40))).toEqual([25, 30]);
    expect(w.shown(live(50))).toEqual([25, 30]);
    w.pan(live(50), -100);
    expect(w.shown(live(50))[0]).toBe(0);
    w.pan(live(50), 1000);
    expect(w.fixed).toBe(false);
    expect(w.shown(live(60))).toEqual([55, 60]);
  });
});
