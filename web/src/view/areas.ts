// Contact areas of one lane: translucent polygons by state, and the forces that act over them as arrows.
import { BufferGeometry, Group, LineSegments, Mesh } from "three";
import { SlipState, type Areas, type BodyFacts, type Vec3 } from "../protocol";
import { Arrows } from "./arrows";
import type { Layers } from "./contract";
import { Written } from "./flat";
import { ORDER, type Look } from "./look";

/** As many corners as a frame carries. */
const CORNERS = 2048;
/** Areas whose forces are drawn: those of the held body, then those with the largest forces. */
const MOST_FORCES = 48;

/** The force of an area as it is drawn: on the held body of the two, else on the one that moves, else on the upper one. */
export interface AreaForce {
  index: number;
  held: boolean;
  centre: Vec3;
  normal: Vec3;
  friction: Vec3;
  /** The larger of both (N). */
  size: number;
}

const three = (a: Float32Array, i: number): Vec3 => [a[3 * i]!, a[3 * i + 1]!, a[3 * i + 2]!];

/** The forces that are drawn: those of the held body first, then by size. */
export function areaForces(areas: Areas, bodies: readonly BodyFacts[], held: number | null): AreaForce[] {
  const out: AreaForce[] = [];
  for (let index = 0; index < areas.count; index++) {
    const [first, second] = [areas.bodies[2 * index]!, areas.bodies[2 * index + 1]!];
    const [centre, unit, friction] = [three(areas.centre, index), three(areas.normal, index), three(areas.friction, index)];
    const force = areas.normalForce[index]!;
    if (![...centre, ...unit, ...friction, force].every(Number.isFinite)) continue;
    const onSecond = held === second || (held !== first && (bodies[first]?.fixed || (!bodies[second]?.fixed && unit[2] >= 0)));
    const sign = onSecond ? 1 : -1;
    const normal = unit.map((x) => sign * force * x) as Vec3;
    out.push({ index, held: held === first || held === second, centre, normal, friction: friction.map((x) => sign * x) as Vec3, size: Math.max(Math.abs(force), Math.hypot(...friction)) });
  }
  return out.sort((a, b) => Number(b.held) - Number(a.held) || b.size - a.size).slice(0, MOST_FORCES);
}

/** The largest force that would be drawn with these layers (N). */
export function largestAreaForce(forces: readonly AreaForce[], layers: Layers): number {
  const sizes = forces.flatMap((f) => [layers.normalForces ? Math.hypot(...f.normal) : 0, layers.frictionForces ? Math.hypot(...f.friction) : 0]);
  return Math.max(0, ...sizes);
}

/** Corners of the triangles of an outline, as numbers of its corners: a fan. */
export function fan(corners: number): number[] {
  return Array.from({ length: Math.max(0, corners - 2) }, (_, k) => [0, k + 1, k + 2]).flat();
}

/** The drawn contact areas of one lane. */
export class AreasView {
  readonly group = new Group();
  private readonly faces = new Written(3 * CORNERS);
  private readonly lines = new Written(2 * CORNERS);
  private readonly arrows: Arrows;
  private readonly polygons = new Group();

  constructor(private readonly look: Look) {
    const add = (geometry: BufferGeometry, lines: boolean, hidden: boolean) => {
      const object = lines ? new LineSegments(geometry, hidden ? look.rimHidden : look.rim) : new Mesh(geometry, hidden ? look.areaHidden : look.area);
      object.frustumCulled = false;
      object.renderOrder = hidden ? ORDER.ghosts : ORDER.held + 0.2;
      this.polygons.add(object);
    };
    for (const hidden of [false, true]) {
      add(this.faces.geometry, false, hidden);
      add(this.lines.geometry, true, hidden);
    }
    this.arrows = new Arrows([[look.overlay, ORDER.overlay]], 2 * MOST_FORCES, 14);
    this.group.add(this.polygons, this.arrows.group);
  }

  /** Takes the areas of a frame and the forces to draw of them; `metres` is the length of an arrow for 1 N, `radius` that of a body (m). */
  update(areas: Areas, forces: readonly AreaForce[], layers: Layers, radius: number, metres: number): void {
    this.polygons.visible = layers.contacts;
    if (layers.contacts) this.outline(areas);
    const { normalForce, frictionForce } = this.look.colours;
    this.arrows.begin();
    for (const { centre, normal, friction, held } of forces) {
      // Slimmer where there are many; those of the held body stand out.
      const wide = radius * (held ? 1 : 0.8) * Math.max(0.35, Math.min(1, Math.sqrt(6 / forces.length)));
      if (layers.normalForces) this.arrows.push(...centre, normal[0] * metres, normal[1] * metres, normal[2] * metres, 0.021 * wide, normalForce);
      if (layers.frictionForces) this.arrows.push(...centre, friction[0] * metres, friction[1] * metres, friction[2] * metres, 0.027 * wide, frictionForce);
    }
    this.arrows.end();
  }

  private outline({ count, start, state, corners }: Areas): void {
    const { stuck, sliding, separated } = this.look.colours;
    let [face, line] = [0, 0];
    const put = (to: Written, at: number, corner: number) => to.positions.set(corners.subarray(3 * corner, 3 * corner + 3), 3 * at);
    for (let i = 0; i < count; i++) {
      const [from, n] = [start[i]!, start[i + 1]! - start[i]!];
      if (n < 2 || start[i + 1]! > CORNERS || !corners.subarray(3 * from, 3 * (from + n)).every(Number.isFinite)) continue;
      const colour = state[i] === SlipState.Stuck ? stuck : state[i] === SlipState.Sliding ? sliding : separated;
      const triangles = fan(n);
      triangles.forEach((k, at) => put(this.faces, face + at, from + k));
      this.faces.paint(face, triangles.length, colour);
      face += triangles.length;
      for (let k = 0; k < n; k++) {
        put(this.lines, line + 2 * k, from + k);
        put(this.lines, line + 2 * k + 1, from + ((k + 1) % n));
      }
      this.lines.paint(line, 2 * n, colour);
      line += 2 * n;
    }
    this.faces.commit(face);
    this.lines.commit(line);
  }

  /** Frees GPU memory. */
  dispose(): void {
    for (const x of [this.faces.geometry, this.lines.geometry, this.arrows]) x.dispose();
  }
}
