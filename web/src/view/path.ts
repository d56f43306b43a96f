// The way that the part's centre has gone, coloured by what the part did there.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Line, type Color } from "three";
import type { Vec3 } from "../protocol";
import { ORDER, type Look } from "./look";

/** Points of a path; when there are more, the oldest quarter goes. */
export const PATH_POINTS = 4096;

/** Points and colours of a path in arrays of fixed size. */
export class Trail {
  readonly points: Float32Array;
  readonly colours: Float32Array;
  count = 0;

  constructor(readonly capacity = PATH_POINTS) {
    this.points = new Float32Array(3 * capacity);
    this.colours = new Float32Array(3 * capacity);
  }

  /** Adds a point; false if it is nearer than `least` to the last one and was left out. */
  add([x, y, z]: Vec3, colour: Color, least: number): boolean {
    const last = 3 * (this.count - 1);
    if (this.count > 0 && !(Math.hypot(x - this.points[last]!, y - this.points[last + 1]!, z - this.points[last + 2]!) >= least)) return false;
    if (this.count === this.capacity) {
      const gone = Math.ceil(this.capacity / 4);
      for (const a of [this.points, this.colours]) a.copyWithin(0, 3 * gone);
      this.count -= gone;
    }
    this.points.set([x, y, z], 3 * this.count);
    this.colours.set([colour.r, colour.g, colour.b], 3 * this.count);
    this.count++;
    return true;
  }
}

/** The drawn path of one lane. */
export class PathView {
  readonly group = new Group();
  private readonly trail = new Trail();
  private readonly geometry = new BufferGeometry();
  private time = -Infinity;

  constructor(private readonly look: Look) {
    const { points, colours } = this.trail;
    this.geometry.setAttribute("position", new BufferAttribute(points, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("color", new BufferAttribute(colours, 3).setUsage(DynamicDrawUsage));
    for (const [material, order] of [[look.path, ORDER.inside], [look.pathHidden, ORDER.ghosts]] as const) {
      const line = new Line(this.geometry, material);
      line.frustumCulled = false;
      line.renderOrder = order;
      this.group.add(line);
    }
    this.clear();
  }

  /** The part's centre at a time; when time runs back the path begins anew. */
  add(centre: Vec3, time: number, verdict: string, radius: number): void {
    if (time < this.time) this.clear();
    this.time = time;
    const { stuck, sliding, separated } = this.look.colours;
    const colour = verdict === "slips" ? sliding : verdict === "holds" ? stuck : separated;
    if (!this.trail.add(centre, colour, 0.002 * radius)) return;
    this.geometry.setDrawRange(0, this.trail.count);
    for (const name of ["position", "color"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  /** Forgets the path. */
  clear(): void {
    this.trail.count = 0;
    this.time = -Infinity;
    this.geometry.setDrawRange(0, 0);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.geometry.dispose();
  }
}
