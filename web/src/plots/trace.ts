// Draws one curve of samples as few line segments, and bands as few rectangles.
import { Band } from "./columns";
import type { Samples } from "./samples";

/** From times and values to pixels. */
export interface Frame2D {
  /** Pixel of a time. */
  x(time: number): number;
  /** Pixel of a value. */
  y(value: number): number;
}

/** The part of a 2D context that curves need. */
export type Pen = Pick<CanvasRenderingContext2D, "moveTo" | "lineTo">;

/**
 * Lays a curve from row `from` up to `to` (not included) into the pen's path. A gap in time above `gap`, or NaN, breaks it. Samples in the
 * same pixel column become at most their extremes. A sample all alone becomes a short dash.
 */
export function tracePath(pen: Pen, s: Samples, value: (row: number) => number, from: number, to: number, at: Frame2D, gap: number): void {
  let [column, low, high, last] = [NaN, NaN, NaN, NaN];
  let [before, open, points] = [NaN, false, 0];
  const flush = () => {
    if (Number.isNaN(column)) return;
    const x = column + 0.5;
    if (open) pen.lineTo(x, last);
    else pen.moveTo(x, last);
    if (high - low > 1) {
      pen.lineTo(x, low);
      pen.lineTo(x, high);
      pen.lineTo(x, last);
    }
    open = true;
    points++;
    column = NaN;
  };
  const stop = () => {
    flush();
    if (open && points === 1) pen.lineTo(x0 + 2, last);
    [open, points] = [false, 0];
  };
  let x0 = 0;
  for (let row = from; row < to; row++) {
    const time = s.time(row);
    if (Number.isNaN(time)) continue;
    const v = value(row);
    if (time - before > gap || Number.isNaN(v)) stop();
    before = time;
    if (Number.isNaN(v)) continue;
    const [x, y] = [Math.floor(at.x(time)), at.y(v)];
    if (x !== column) {
      flush();
      [column, low, high] = [x, y, y];
      x0 = x;
    } else if (y < low) low = y;
    else if (y > high) high = y;
    last = y;
  }
  stop();
}

/** A stretch of one band. */
export interface Stretch {
  band: Band;
  from: number;
  to: number;
}

/** Stretches of stick, slip and undecided; each sample stands for the time since the one before it. Free time is left out. */
export function stretches(s: Samples, column: number, from: number, to: number, gap: number): Stretch[] {
  const out: Stretch[] = [];
  let before = from > 0 ? s.time(from - 1) : NaN;
  let open: Stretch | null = null;
  for (let row = from; row < to; row++) {
    const time = s.time(row);
    if (Number.isNaN(time)) continue;
    const start = time - before <= gap ? before : time;
    before = time;
    const band = s.value(column, row);
    if (open && open.band === band && open.to === start) open.to = time;
    else if (band === Band.Stick || band === Band.Slip || band === Band.Undecided) out.push((open = { band, from: start, to: time }));
    else open = null;
  }
  return out;
}

/** Least and greatest of a column; NaN, NaN of none. Infinite numbers are left out. */
export function extent(s: Samples, value: (row: number) => number, from: number, to: number): [number, number] {
  let [low, high] = [NaN, NaN];
  for (let row = from; row < to; row++) {
    const v = value(row);
    if (!Number.isFinite(v) || Number.isNaN(s.time(row))) continue;
    if (!(v >= low)) low = v;
    if (!(v <= high)) high = v;
  }
  return [low, high];
}
