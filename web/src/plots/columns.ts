// Which numbers of a lane are kept over time, and how a frame becomes a row.
import type { Frame, Lane } from "../protocol";

/** Names of a lane's columns, in their order. */
export const COLUMNS = [
  "fx", "fy", "fz", "f", "tx", "ty", "tz", "touching", "stuck", "sliding", "margin", "creep", "cpu_mean", "cpu_max", "kinetic", "potential", "band",
] as const;
/** One of them. */
export type Column = (typeof COLUMNS)[number];
/** Lanes that there is room for. */
export const LANES = 2;
/** Numbers in a row. */
export const WIDTH = LANES * COLUMNS.length;

/** What a stretch of time was: the bands behind the plots. */
export const enum Band {
  Free = 0,
  Stick = 1,
  Slip = 2,
  Undecided = 3,
}

/** Where a lane's column is in a row. */
export function columnOf(name: Column, lane: number): number {
  return lane * COLUMNS.length + COLUMNS.indexOf(name);
}

/** Where "fx", or "fx@1" for the second lane, is in a row; -1 for no such name. */
export function columnByName(name: string): number {
  const [column = "", lane = "0"] = name.split("@");
  const at = (COLUMNS as readonly string[]).indexOf(column);
  return at < 0 || !/^[01]$/.test(lane) ? -1 : Number(lane) * COLUMNS.length + at;
}

/** The band of a lane, by its word; contacts of a part that rolls stick. */
export function bandOf({ word }: Pick<Lane, "word">): Band {
  if (word === "slides") return Band.Slip;
  if (word === "holds" || word === "rolls") return Band.Stick;
  return word === "undecided" ? Band.Undecided : Band.Free;
}

/** Writes a frame into `row`; lanes that it has not are NaN. */
export function fillRow(row: Float64Array, frame: Frame): void {
  row.fill(NaN);
  frame.lanes.forEach((lane, i) => {
    if (i >= LANES) return;
    const [fx, fy, fz, tx, ty, tz] = lane.wrench;
    const { contacts, stuck = NaN, sliding = NaN, kinetic_j = NaN, potential_j = NaN } = lane.row;
    const values = [fx, fy, fz, Math.hypot(fx, fy, fz), tx, ty, tz, contacts, stuck, sliding, lane.margin];
    row.set(values, i * COLUMNS.length);
    row.set([lane.creep, lane.cpuMean, lane.cpuMax, kinetic_j, potential_j, bandOf(lane)], i * COLUMNS.length + values.length);
  });
}
