// Paints all plots into one canvas: bands, grids, curves, one time axis.
import type { Samples } from "./samples";
import { Band, columnOf, LANES } from "./columns";
import { Autoscale, decimals, roundUp, type Range } from "./scale";
import { PLOTS, type Curve, type PlotSpec, type PlotWorld } from "./specs";
import { extent, stretches, tracePath, type Frame2D, type Stretch } from "./trace";
import { themeColours } from "../dom";
import { fixed } from "../model/format";

/** Where a plot is in the canvas (CSS pixels). */
export interface Row {
  spec: PlotSpec;
  top: number;
  height: number;
}

/** Everything a picture is made of. */
export interface Picture {
  samples: Samples;
  world: PlotWorld;
  from: number;
  to: number;
  rows: Row[];
  width: number;
  height: number;
  /** Gaps above this (s) break curves. */
  gap: number;
}

/** Room for the time axis below, and at the right of the curves (pixels). */
export const AXIS = 18;
const RIGHT = 44;

/** The width that curves have. */
export function plotWidth(width: number): number {
  return Math.max(40, width - RIGHT);
}

/** Draws pictures; remembers scales and colours. */
export class Painter {
  private readonly scales = new Map<string, Autoscale>(PLOTS.map((p) => [p.id, new Autoscale(p.floor, 4)]));
  private colours = new Map<string, string>();

  constructor(private readonly pen: CanvasRenderingContext2D) {}

  /** Reads the colours of the theme. */
  readColours(host: HTMLElement): void {
    const names = ["--plot-x", "--plot-y", "--plot-z", "--plot-mag", "--stick", "--slip", "--undecided", "--grid", "--muted", "--plot-bg", "--line", "--warn"];
    this.colours = themeColours(host, names);
  }

  /** Starts all scales anew. */
  reset(): void {
    for (const scale of this.scales.values()) scale.reset();
  }

  /** Paints all of it. `ratio` is pixels of the canvas for each CSS pixel. */
  paint(p: Picture, ratio: number): void {
    const pen = this.pen;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, p.width, p.height);
    pen.font = "10px system-ui, sans-serif";
    const right = plotWidth(p.width);
    const x = (time: number) => ((time - p.from) / (p.to - p.from)) * right;
    const [first, last] = [Math.max(0, p.samples.find(p.from) - 1), Math.min(p.samples.size, p.samples.find(p.to) + 1)];
    const lanes = Math.min(LANES, Math.max(1, p.world.lanes.length));
    const bands = Array.from({ length: lanes }, (_, lane) => stretches(p.samples, columnOf("band", lane), first, last, p.gap));
    const times = this.times(p);
    for (const row of p.rows) {
      pen.save();
      pen.beginPath();
      pen.rect(0, row.top, right, row.height);
      pen.clip();
      pen.fillStyle = this.colour("--plot-bg");
      pen.fillRect(0, row.top, right, row.height);
      this.bands(bands, row, x);
      this.curves(p, row, x, first, last, times);
      pen.restore();
      this.scaleTexts(row, right);
    }
    this.axis(p, times, x, right);
  }

  private colour(name: string): string {
    return this.colours.get(name) ?? "#888";
  }

  private bands(lanes: Stretch[][], row: Row, x: (t: number) => number): void {
    const names = { [Band.Free]: "--grid", [Band.Stick]: "--stick", [Band.Slip]: "--slip", [Band.Undecided]: "--undecided" };
    const height = row.height / lanes.length;
    this.pen.globalAlpha = 0.16;
    lanes.forEach((stretch, lane) => {
      for (const s of stretch) {
        const left = x(s.from);
        this.pen.fillStyle = this.colour(names[s.band]);
        this.pen.fillRect(left, row.top + lane * height, Math.max(1, x(s.to) - left), height);
      }
    });
    this.pen.globalAlpha = 1;
  }

  private ranges = new Map<string, Range>();

  private curves(p: Picture, row: Row, x: (t: number) => number, first: number, last: number, times: number[]): void {
    const pen = this.pen;
    const lanes = Math.min(LANES, p.world.lanes.length);
    const mark = row.spec.mark?.(p.world) ?? null;
    let [low, high] = [0, mark ? 1.08 * mark.at : 0];
    const valueOf = (curve: Curve, lane: number) => {
      const column = columnOf(curve.column, lane);
      const map = curve.map;
      return map ? (i: number) => map(p.samples.value(column, i), lane, p.world) : (i: number) => p.samples.value(column, i);
    };
    for (let lane = 0; lane < lanes; lane++) {
      for (const curve of row.spec.curves) {
        const [l, h] = extent(p.samples, valueOf(curve, lane), first, last);
        if (l < low) low = l;
        if (h > high) high = h;
      }
    }
    const range = this.scales.get(row.spec.id)?.update(low, high, performance.now() / 1000) ?? { low: 0, high: 1, step: 1 };
    this.ranges.set(row.spec.id, range);
    const pad = 4;
    const y = (v: number) => row.top + row.height - pad - ((v - range.low) / (range.high - range.low)) * (row.height - 2 * pad);
    this.grid(row, range, y, times, x, plotWidth(p.width));
    if (mark) this.mark(mark, y, plotWidth(p.width));
    const at: Frame2D = { x, y };
    for (let lane = lanes - 1; lane >= 0; lane--) {
      pen.setLineDash(lane === 0 ? [] : [4, 3]);
      for (const curve of row.spec.curves) {
        pen.strokeStyle = this.colour(curve.colour);
        pen.lineWidth = 1.25;
        pen.beginPath();
        tracePath(pen, p.samples, valueOf(curve, lane), first, last, at, p.gap);
        pen.stroke();
      }
    }
    pen.setLineDash([]);
  }

  private grid(row: Row, range: Range, y: (v: number) => number, times: number[], x: (t: number) => number, right: number): void {
    const pen = this.pen;
    pen.lineWidth = 1;
    pen.strokeStyle = this.colour("--grid");
    pen.beginPath();
    for (const t of times) {
      const at = Math.round(x(t)) + 0.5;
      pen.moveTo(at, row.top);
      pen.lineTo(at, row.top + row.height);
    }
    const sparse = y(0) - y(range.step) < 9 ? 2 : 1;
    for (let v = range.low; v <= range.high + 1e-9 * range.step; v += sparse * range.step) {
      const at = Math.round(y(v)) + 0.5;
      pen.moveTo(0, at);
      pen.lineTo(right, at);
    }
    pen.stroke();
    if (range.low < 0) {
      pen.strokeStyle = this.colour("--line");
      pen.beginPath();
      pen.moveTo(0, Math.round(y(0)) + 0.5);
      pen.lineTo(right, Math.round(y(0)) + 0.5);
      pen.stroke();
    }
  }

  private mark(mark: { at: number; label: string }, y: (v: number) => number, right: number): void {
    const pen = this.pen;
    const at = Math.round(y(mark.at)) + 0.5;
    pen.strokeStyle = this.colour("--warn");
    pen.setLineDash([2, 3]);
    pen.beginPath();
    pen.moveTo(0, at);
    pen.lineTo(right, at);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = this.colour("--warn");
    pen.textAlign = "left";
    pen.textBaseline = "top";
    pen.fillText(mark.label, 4, at + 2);
  }

  private scaleTexts(row: Row, right: number): void {
    const range = this.ranges.get(row.spec.id);
    if (!range) return;
    const pen = this.pen;
    pen.fillStyle = this.colour("--muted");
    pen.textAlign = "left";
    const places = decimals(range.step);
    pen.textBaseline = "top";
    pen.fillText(fixed(range.high, places), right + 4, row.top + 1);
    pen.textBaseline = "bottom";
    pen.fillText(fixed(range.low, places), right + 4, row.top + row.height);
  }

  private times(p: Picture): number[] {
    const step = roundUp((p.to - p.from) / Math.max(2, plotWidth(p.width) / 90));
    const out: number[] = [];
    for (let k = Math.ceil(p.from / step); k * step <= p.to && out.length < 100; k++) out.push(k * step);
    return out;
  }

  private axis(p: Picture, times: number[], x: (t: number) => number, right: number): void {
    const pen = this.pen;
    pen.fillStyle = this.colour("--muted");
    pen.textBaseline = "bottom";
    const places = decimals((times[1] ?? 1) - (times[0] ?? 0) || 1);
    for (const t of times) {
      const at = x(t);
      pen.textAlign = at < 12 ? "left" : at > right - 12 ? "right" : "center";
      pen.fillText(fixed(t, places), at, p.height - 3);
    }
    pen.textAlign = "left";
    pen.fillText("s", right + 4, p.height - 3);
  }
}
