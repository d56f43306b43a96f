// Which plots there are.
import type { World } from "../protocol";
import type { TickRow } from "../columns";
import { digits, fixed, si, UNKNOWN } from "../model/format";
import type { Column } from "./columns";

/** What a plot needs to know of the world. */
export type PlotWorld = Pick<World, "lanes" | "rate" | "columns" | "margins" | "playback">;

/** A curve of a plot. */
export interface Curve {
  column: Column;
  label: string;
  /** Name of the CSS variable with its colour. */
  colour: string;
  /** From the column's number to what is drawn; without one as it is. */
  map?: (value: number, lane: number, world: PlotWorld) => number;
  /** The number as text, without unit. */
  text: (value: number) => string;
}

/** A plot. */
export interface PlotSpec {
  id: string;
  title: string;
  /** What it is called while it is folded. */
  short: string;
  unit: string;
  curves: Curve[];
  /** Least extent of its scale. */
  floor: number;
  /** A line to compare with: at a value, with a name. */
  mark?: (world: PlotWorld) => { at: number; label: string } | null;
  /** Shown only when two lanes are compared. */
  compareOnly?: boolean;
  /** Shown only if the engine has these columns. */
  needs?: (keyof TickRow)[];
  /** Shown only if the engine has none of these. */
  lacks?: (keyof TickRow)[];
  /** Shown only if the engine knows margins. */
  needsMargins?: boolean;
  /** Shown only of the loop: recordings do not have it. */
  liveOnly?: boolean;
}

/** Whether there is anything to plot. */
export function isShown(spec: PlotSpec, world: PlotWorld): boolean {
  const has = (name: string) => world.columns.some((column) => column.name === name);
  return (!spec.compareOnly || world.lanes.length > 1) && !(spec.liveOnly && world.playback) && (!spec.needsMargins || world.margins) && (spec.needs ?? []).every(has) && !(spec.lacks ?? []).some(has);
}

const newtons = (v: number) => fixed(v, 2);
const count = (v: number) => fixed(v, 0);
const micro = (v: number) => (Number.isFinite(v) ? digits(v, 3) : UNKNOWN);

/** At most 1.5 times µ_s is drawn; "no friction would do" is at the top. */
function needed(margin: number, lane: number, world: PlotWorld): number {
  const mu = world.lanes[lane]?.mu_static ?? NaN;
  if (Number.isNaN(margin) || !(mu > 0)) return NaN;
  return Math.min(1.5, Math.max(0, margin)) * mu;
}

/** Without friction no contact sticks or slides. */
const withFriction = (value: number, lane: number, world: PlotWorld): number => (world.lanes[lane]?.method === "none" ? NaN : value);

const axes = (first: "f" | "t", text: (v: number) => string): Curve[] =>
  (["x", "y", "z"] as const).map((axis) => ({ column: `${first}${axis}` as Column, label: axis, colour: `--plot-${axis}`, text }));

/** All plots, from top to bottom. */
export const PLOTS: readonly PlotSpec[] = [
  {
    id: "creep",
    title: "Creep while the hand rests",
    short: "creep",
    unit: "µm",
    floor: 5,
    compareOnly: true,
    curves: [{ column: "creep", label: "crept", colour: "--plot-mag", map: (v) => 1e6 * v, text: (v) => fixed(v, 1) }],
  },
  {
    id: "force",
    title: "Force on the hand",
    short: "force",
    unit: "N",
    floor: 1,
    curves: [...axes("f", newtons), { column: "f", label: "|F|", colour: "--plot-mag", text: newtons }],
  },
  { id: "torque", title: "Torque on the hand", short: "torque", unit: "N m", floor: 0.02, curves: axes("t", (v) => fixed(v, 3)) },
  {
    id: "contacts",
    title: "Contacts",
    short: "contacts",
    unit: "points",
    floor: 5,
    needs: ["stuck", "sliding"],
    lacks: ["pairs"],
    curves: [
      { column: "touching", label: "touch", colour: "--plot-mag", text: count },
      { column: "stuck", label: "stuck", colour: "--stick", map: withFriction, text: count },
      { column: "sliding", label: "slide", colour: "--slip", map: withFriction, text: count },
    ],
  },
  {
    id: "areas",
    title: "Contact areas of the held body",
    short: "areas",
    unit: "areas",
    floor: 4,
    needs: ["pairs"],
    curves: [
      { column: "stuck", label: "stick", colour: "--stick", text: count },
      { column: "sliding", label: "slide", colour: "--slip", text: count },
    ],
  },
  {
    id: "energy",
    title: "Energy of motion",
    short: "energy",
    unit: "",
    floor: 1e-4,
    needs: ["kinetic_j"],
    curves: [{ column: "kinetic", label: "kinetic", colour: "--plot-z", text: (v) => (Number.isFinite(v) ? si(v, "J") : UNKNOWN) }],
  },
  {
    id: "margin",
    title: "µ needed to hold",
    short: "µ needed",
    unit: "",
    floor: 0.1,
    needsMargins: true,
    curves: [{ column: "margin", label: "µ", colour: "--plot-z", map: needed, text: (v) => fixed(v, 3) }],
    mark: (world) => {
      const mu = world.lanes[0]?.mu_static ?? 0;
      return mu > 0 ? { at: mu, label: `µ static ${digits(mu, 3)}` } : null;
    },
  },
  {
    id: "cpu",
    title: "CPU time of a tick",
    short: "CPU",
    unit: "µs",
    floor: 10,
    liveOnly: true,
    curves: [
      { column: "cpu_mean", label: "mean", colour: "--plot-z", map: (v) => 1e6 * v, text: micro },
      { column: "cpu_max", label: "longest", colour: "--plot-mag", map: (v) => 1e6 * v, text: micro },
    ],
    mark: (world) => (world.rate > 0 ? { at: 1e6 / world.rate, label: `budget ${si(1 / world.rate, "s")}` } : null),
  },
];
