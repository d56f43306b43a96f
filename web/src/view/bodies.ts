// The bodies of a world of many, in one lane: those of the same shape share it, and the one that a hand holds is marked.
import { Group, LineSegments, Mesh, type Material } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import type { Ray } from "../input/drag";
import { isPose, length, sub, toWorld } from "../input/pose";
import type { BodyFacts, PoseArray, Vec3 } from "../protocol";
import { ORDER, type Look } from "./look";
import { middle } from "./orbit";
import { place, type Shape } from "./parts";
import { hitPart, passes } from "./pick";
import { groundBelow, ShadowView, type Ground } from "./shadow";

/** Bodies that have a shadow, the first of those that are free: each costs a search for the ground below it. */
const MOST_SHADOWS = 48;
/** Fixed bodies of more triangles than this get no shadows: the search would take too long. */
const MOST_TRIANGLES = 4000;

/** A place of a body that a ray of sight meets first. */
export interface BodyHit {
  body: number;
  local: Vec3;
  world: Vec3;
}

/** Half of the diagonal of a body's box (m). */
export const radiusOf = ({ box }: Pick<BodyFacts, "box">): number => length(sub(box[1], box[0])) / 2;

/** The body that a ray meets first, of those with a shape and a pose; null if it meets none. */
export function firstBody(ray: Ray, bodies: readonly BodyFacts[], poses: readonly PoseArray[], shapes: ReadonlyMap<number, Pick<Shape, "mesh">>): BodyHit | null {
  let best: (BodyHit & { away: number }) | null = null;
  bodies.forEach((facts, body) => {
    const [pose, shape] = [poses[body], shapes.get(facts.mesh)];
    if (!shape || !pose || !isPose(pose) || !passes(ray, toWorld(pose, middle(facts.box)), 1.05 * radiusOf(facts))) return;
    const local = hitPart(shape.mesh, pose, ray);
    if (!local) return;
    const world = toWorld(pose, local);
    const away = length(sub(world, ray.origin));
    if (!best || away < best.away) best = { body, local, world, away };
  });
  return best;
}

/** One drawn body. */
interface Drawn {
  group: Group;
  surface: Mesh | null;
  edges: LineSegments;
  /** Bold edges of a body that is held; null where they would be too many. */
  bold: LineSegments2 | null;
  shadow: ShadowView | null;
}

/** The drawn bodies of one lane. */
export class BodiesView {
  readonly group = new Group();
  private readonly drawn: Drawn[] = [];
  private held: number | null = null;

  constructor(
    private readonly look: Look,
    private readonly bodies: readonly BodyFacts[],
    shapes: ReadonlyMap<number, Shape>,
  ) {
    let shadows = 0;
    for (const facts of bodies) {
      const shape = shapes.get(facts.mesh);
      const one = shape ? this.make(facts, shape, !facts.fixed && ++shadows <= MOST_SHADOWS) : this.nothing();
      this.drawn.push(one);
      this.group.add(one.group);
      if (one.shadow) this.group.add(one.shadow.group);
    }
  }

  private nothing(): Drawn {
    return { group: new Group(), surface: null, edges: new LineSegments(), bold: null, shadow: null };
  }

  private make({ fixed }: BodyFacts, shape: Shape, shadowed: boolean): Drawn {
    const { look } = this;
    const surface = shape.standIn ? null : new Mesh(shape.surface, fixed ? look.fixed : look.body);
    const edges = new LineSegments(shape.lines, fixed ? look.fixedEdge : look.bodyEdge);
    const bold = shape.bold ? new LineSegments2(shape.bold, look.hand) : null;
    const group = new Group().add(edges);
    if (surface) group.add(surface);
    if (bold) {
      bold.visible = false;
      bold.renderOrder = ORDER.inside;
      group.add(bold);
    }
    return { group, surface, edges, bold, shadow: shadowed ? new ShadowView(look, 1) : null };
  }

  /** Puts the bodies where they are, and marks the one that is held; `ground` is what is below a point. */
  update(poses: readonly PoseArray[], held: number | null, ground: (from: Vec3) => Ground | null): void {
    if (held !== this.held) this.mark(held);
    this.drawn.forEach((one, body) => {
      const [pose, facts] = [poses[body], this.bodies[body]];
      const there = pose !== undefined && facts !== undefined && isPose(pose);
      one.group.visible = there;
      if (there) place(one.group, pose);
      if (!one.shadow) return;
      const below = there ? ground(toWorld(pose, middle(facts.box))) : null;
      one.shadow.group.visible = below !== null;
      if (below && there) one.shadow.update(facts.box, pose, [below], radiusOf(facts));
    });
  }

  private mark(held: number | null): void {
    const wear = (body: number | null, surface: Material, edges: Material, bold: boolean) => {
      const one = body === null ? undefined : this.drawn[body];
      if (!one || body === null || this.bodies[body]?.fixed) return;
      if (one.surface) one.surface.material = surface;
      one.edges.material = edges;
      if (one.bold) one.bold.visible = bold;
    };
    wear(this.held, this.look.body, this.look.bodyEdge, false);
    wear(held, this.look.held, this.look.handThin, true);
    this.held = held;
  }

  /** Frees GPU memory of all but the shared shapes. */
  dispose(): void {
    for (const { shadow } of this.drawn) shadow?.dispose();
    this.group.removeFromParent();
  }
}

/** What is below a point of the world, of all bodies that never move; null if nothing is. */
export function groundOf(bodies: readonly BodyFacts[], poses: readonly PoseArray[], shapes: ReadonlyMap<number, Shape>): (from: Vec3) => Ground | null {
  const fixed = bodies.flatMap((facts, body) => {
    const [pose, shape] = [poses[body], shapes.get(facts.mesh)];
    return facts.fixed && pose && isPose(pose) && shape && !shape.standIn && shape.mesh.indices.length <= 3 * MOST_TRIANGLES ? [{ pose, mesh: shape.mesh }] : [];
  });
  return (from) => {
    let best: Ground | null = null;
    for (const { pose, mesh } of fixed) {
      const found = groundBelow(mesh, pose, from, [0, 0, -1]);
      if (found && (!best || found.point[2] > best.point[2])) best = found;
    }
    return best;
  };
}

