// The motion that gives way first, drawn on the part: an arrow for a shift, an arc about its axis for a turn, both for a screw.
import { Group } from "three";
import { add, cross, dot, length, scale, sub } from "../input/pose";
import type { Vec3, Wrench } from "../protocol";
import { Arc } from "./arc";
import { Arrows } from "./arrows";
import { ORDER, type Look } from "./look";

/** A motion as it is drawn. */
export interface MotionMarks {
  /** Unit direction of a shift; null for none. */
  shift: Vec3 | null;
  /** Unit axis of a turn, and the point of the axis nearest to the centre, from there (m); null for none. */
  turn: { axis: Vec3; at: Vec3 } | null;
}

/** A motion below this share of the other is not drawn beside it. */
const SLIGHT = 0.25;
/** A turn about an axis farther away than so many radii looks like a shift. */
const FAR = 1.5;

/** What to draw of a twist about the part's centre (shift in m, turn in rad): null for none. By Chasles' theorem it is a turn about an axis, and a shift along it. */
export function motionMarks(twist: Wrench, radius: number): MotionMarks | null {
  const [v, w]: [Vec3, Vec3] = [[twist[0], twist[1], twist[2]], [twist[3], twist[4], twist[5]]];
  const [moved, turned] = [length(v), length(w) * radius];
  const most = Math.max(moved, turned);
  if (!(most > 0) || !Number.isFinite(most)) return null;
  const shift = scale(v, 1 / (moved || 1));
  if (turned < SLIGHT * moved) return { shift, turn: null };
  const axis = scale(w, 1 / length(w));
  const at = scale(cross(w, v), 1 / dot(w, w));
  if (length(at) > FAR * radius) return { shift, turn: null };
  const along = dot(v, axis);
  return { shift: Math.abs(along) > SLIGHT * turned ? scale(axis, Math.sign(along)) : null, turn: { axis, at } };
}

/** The drawn motion of one lane. */
export class WeakestView {
  readonly group = new Group();
  private readonly arrow: Arrows;
  private readonly arc: Arc;

  constructor(private readonly look: Look) {
    this.arrow = new Arrows([[look.overlay, ORDER.overlay]], 1, 14);
    this.arc = new Arc(0.035);
    this.group.add(this.arrow.group, this.arc.group);
  }

  /** Draws a twist about a centre; `reach` is how far from there the part goes in the direction of a shift (m). */
  update(centre: Vec3, twist: Wrench, radius: number, reach: (way: Vec3) => number): void {
    const marks = motionMarks(twist, radius);
    this.group.visible = marks !== null;
    if (!marks) return;
    const colour = this.look.colours.givesWay;
    this.arrow.begin();
    if (marks.shift) {
      // From the part's surface on, so that it says where the part would go.
      const from = add(centre, scale(marks.shift, reach(marks.shift) + 0.06 * radius));
      this.arrow.push(...from, ...scale(marks.shift, 0.55 * radius), 0.03 * radius, colour);
    }
    this.arrow.end();
    this.arc.group.visible = marks.turn !== null;
    if (marks.turn) this.arc.update(add(centre, marks.turn.at), marks.turn.axis, 0.62 * radius, 0.62, colour);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.arrow.dispose();
    this.arc.dispose();
  }
}

/** How far a box in its axes goes from a point of it in a direction of the world: of use where a part is drawn (m). */
export function reachOf([low, high]: [Vec3, Vec3], from: Vec3, way: Vec3): number {
  let most = Infinity;
  for (const k of [0, 1, 2] as const) {
    if (Math.abs(way[k]) < 1e-9) continue;
    most = Math.min(most, ((way[k] > 0 ? high[k] : low[k]) - from[k]) / way[k]);
  }
  return Number.isFinite(most) ? Math.max(0, most) : length(sub(high, low)) / 2;
}

