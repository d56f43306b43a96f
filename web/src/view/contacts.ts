// Contacts of one lane: balls by state, forces as arrows, friction cones.
import { ConeGeometry, Group, SphereGeometry, type Material } from "three";
import { SlipState, type Contacts, type Vec3 } from "../protocol";
import { Arrows, Balls, Instances } from "./arrows";
import type { Layers } from "./contract";
import { Dots, FlatArrows } from "./flat";
import { writeAlong } from "./instances";
import { ORDER, type Look } from "./look";
import type { Patch } from "./patches";

/** Patches whose forces are drawn, those with the largest forces. */
const MOST_PATCHES = 12;

/** As many contacts as a frame carries. */
export const CAPACITY = 1024;

/** So many cones, evenly chosen, where the CPU draws: they cover each other, and that is slow. */
const ROUGH_CONES = 128;

/** The largest force of a contact that would be drawn with these layers (N). */
export function largestForce(c: Contacts, layers: Layers): number {
  let most = 0;
  for (let i = 0; i < Math.min(c.count, CAPACITY); i++) {
    const n = c.normalForce[i]!;
    const f = Math.hypot(c.friction[3 * i]!, c.friction[3 * i + 1]!, c.friction[3 * i + 2]!);
    if (layers.normalForces || layers.cones) most = Math.max(most, n || 0);
    if (layers.frictionForces) most = Math.max(most, f || 0);
    if (layers.cones) most = Math.max(most, Math.hypot(n, f) || 0);
  }
  return most;
}

/** The largest sum over a patch that would be drawn with these layers (N). */
export function largestSum(patches: readonly Patch[], layers: Layers): number {
  const sizes = patches.flatMap((p) => [layers.normalForces ? Math.hypot(...p.normalForce) : 0, layers.frictionForces ? Math.hypot(...p.friction) : 0]);
  return Math.max(0, ...sizes.filter(Number.isFinite));
}

/** Radius of the balls (m): smaller where there are many. */
export const ballSize = (radius: number, count: number): number => 0.027 * radius * Math.max(0.45, Math.min(1, Math.sqrt(120 / Math.max(count, 1))));

/** The drawn contacts of one lane. */
export class ContactsView {
  readonly group = new Group();
  private readonly balls: Balls | Dots;
  private readonly cones: Instances;
  private readonly arrows: Arrows | FlatArrows;
  /** Forces summed over patches. */
  private readonly bold: Arrows;

  constructor(private readonly look: Look) {
    const twice = <M extends Material>(seen: M, hidden: M): [M, number][] => [[seen, ORDER.inside], [hidden, ORDER.ghosts]];
    const solid = twice<Material>(look.solid, look.solidHidden);
    this.balls = look.fine ? new Balls(new SphereGeometry(1, 10, 7), CAPACITY, solid) : new Dots(twice(look.dot, look.dotHidden), CAPACITY);
    this.arrows = look.fine ? new Arrows(solid, 3 * CAPACITY) : new FlatArrows(twice<Material>(look.flat, look.flatHidden), 3 * CAPACITY);
    const cone = new ConeGeometry(1, 1, look.fine ? 20 : 10, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.cones = new Instances(cone, CAPACITY, [[look.cone, ORDER.inside]]);
    this.bold = new Arrows([[look.overlay, ORDER.overlay]], 2 * MOST_PATCHES, 14);
    this.group.add(this.balls.group, this.cones.group, this.arrows.group, this.bold.group);
  }

  /** Takes the sums over patches; `metres` is the length of an arrow for 1 N. */
  private sums(patches: readonly Patch[], layers: Layers, radius: number, metres: number): void {
    const { normalForce, frictionForce } = this.look.colours;
    this.bold.begin();
    // Slimmer where there are many, as all around a peg.
    const wide = radius * Math.min(1, Math.sqrt(3 / Math.max(1, patches.length)));
    for (const { centre, normalForce: n, friction: f } of patches.slice(0, MOST_PATCHES)) {
      if (layers.normalForces) this.bold.push(...centre, n[0] * metres, n[1] * metres, n[2] * metres, 0.021 * wide, normalForce);
      if (layers.frictionForces) this.bold.push(...centre, f[0] * metres, f[1] * metres, f[2] * metres, 0.027 * wide, frictionForce);
    }
    this.bold.end();
  }

  /** Takes the contacts of a frame, each with its own forces or, where `patches` are given, these with the sums of them; `metres` is the length of an arrow for 1 N, and `eye` the camera's place. */
  update(c: Contacts, patches: readonly Patch[] | null, layers: Layers, radius: number, metres: number, eye: Vec3): void {
    this.sums(patches ?? [], layers, radius, metres);
    const single = patches === null;
    const count = Math.min(c.count, CAPACITY);
    const size = ballSize(radius, count) * (single ? 1 : 0.7);
    const wide = 0.34 * size;
    const { stuck, sliding, separated, normalForce, frictionForce, contactForce } = this.look.colours;
    const every = this.look.fine ? 1 : Math.ceil(count / ROUGH_CONES);
    let cones = 0;
    this.arrows.begin(eye);
    this.balls.begin(size);
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [c.position[3 * i]!, c.position[3 * i + 1]!, c.position[3 * i + 2]!];
      const [nx, ny, nz] = [c.normal[3 * i]!, c.normal[3 * i + 1]!, c.normal[3 * i + 2]!];
      const [fx, fy, fz] = [c.friction[3 * i]! * metres, c.friction[3 * i + 1]! * metres, c.friction[3 * i + 2]! * metres];
      const n = c.normalForce[i]! * metres;
      if (!Number.isFinite(x + y + z + nx + ny + nz + fx + fy + fz + n)) continue;
      const state = c.state[i]!;
      const colour = !(c.limit[i]! > 0) ? separated : state === SlipState.Stuck ? stuck : state === SlipState.Sliding ? sliding : separated;
      if (layers.contacts) this.balls.push(x, y, z, colour);
      if (!single) continue;
      if (layers.normalForces) this.arrows.push(x, y, z, nx * n, ny * n, nz * n, wide, normalForce);
      if (layers.frictionForces) this.arrows.push(x, y, z, fx, fy, fz, 1.25 * wide, frictionForce);
      if (!layers.cones || !(n > 0)) continue;
      const mouth = c.limit[i]! * metres;
      this.arrows.push(x, y, z, nx * n + fx, ny * n + fy, nz * n + fz, 1.1 * wide, contactForce);
      if (!(mouth > 0) || !Number.isFinite(mouth) || i % every !== 0) continue;
      writeAlong(this.cones.matrices, cones, x, y, z, nx, ny, nz, mouth, n);
      this.cones.paint(cones++, colour);
    }
    this.arrows.end();
    this.balls.end();
    this.cones.commit(cones);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.balls.dispose();
    this.cones.dispose();
    this.arrows.dispose();
    this.bold.dispose();
  }
}
