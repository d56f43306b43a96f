// The shadow of the held part on what is near it: soft boxes on the fixed part, darker the nearer it is. It shows where the part touches, and costs a few quads also where the CPU draws.
import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, Vector2 } from "three";
import { add, cross, directionToLocal, dot, length, orientationOf, rotate, scale, sub, toLocal, toWorld } from "../input/pose";
import type { DisplayMesh, PoseArray, Vec3 } from "../protocol";
import type { Look } from "./look";
import { corners } from "./orbit";
import { firstHit } from "./pick";

/** Shadows at a time: on the ground, and where the largest patches touch. */
const MOST = 3;
/** The darkest shadow; it is gone where the gap is this share of the part's radius. */
const DARKEST = 0.34;
const GONE = 0.7;

const VERTEX = `
varying vec2 at;
uniform vec2 reach;
void main() {
  at = position.xy * reach;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 0.0, 1.0);
}`;
const FRAGMENT = `
varying vec2 at;
uniform vec2 inner;
uniform float blur;
uniform float strength;
uniform vec3 colour;
void main() {
  vec2 d = abs(at) - inner;
  float away = length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
  gl_FragColor = vec4(colour, strength * (1.0 - smoothstep(-0.6 * blur, blur, away)));
}`;

/** A surface under a part: a point of it and its unit normal, towards the part. */
export interface Ground {
  point: Vec3;
  normal: Vec3;
  /** How far from the point it goes, as far as is known (m). */
  reach?: number;
}

/** The surface that a ray from a point meets first; null if there is none. */
export function groundBelow(mesh: DisplayMesh, pose: PoseArray, from: Vec3, way: Vec3): Ground | null {
  const found = firstHit(mesh, { origin: toLocal(pose, from), direction: directionToLocal(pose, way) });
  if (!found) return null;
  const corner = (k: number): Vec3 => {
    const v = 3 * mesh.indices[found.triangle + k]!;
    return [mesh.positions[v]!, mesh.positions[v + 1]!, mesh.positions[v + 2]!];
  };
  const face = cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)));
  const normal = rotate(orientationOf(pose), scale(face, 1 / (length(face) || 1)));
  return { point: add(from, scale(way, found.along)), normal: dot(normal, way) > 0 ? scale(normal, -1) : normal };
}

/** The box of a part laid on a ground: its middle there, its axes and half lengths, and the gap (m). */
export function footprint(box: [Vec3, Vec3], pose: PoseArray, { point, normal, reach = Infinity }: Ground): { centre: Vec3; axes: [Vec3, Vec3]; half: [number, number]; gap: number } {
  const turn = orientationOf(pose);
  const along = ([[1, 0, 0], [0, 1, 0]] as Vec3[]).map((axis) => rotate(turn, axis)).sort((a, b) => Math.abs(dot(a, normal)) - Math.abs(dot(b, normal)))[0]!;
  const flat = sub(along, scale(normal, dot(along, normal)));
  const u = scale(flat, 1 / length(flat));
  const v = cross(normal, u);
  const at = corners(box).map((c) => sub(toWorld(pose, c), point));
  const range = (axis: Vec3): [number, number] => {
    const all = at.map((c) => dot(c, axis));
    return [Math.min(...all), Math.max(...all)];
  };
  const [[u0, u1], [v0, v1], [gap]] = [range(u), range(v), range(normal)];
  // Where only a part of the box touches, the shadow is there.
  const cut = ([low, high]: [number, number]): [number, number] => [Math.max(low, -reach), Math.min(high, reach)];
  const [[ua, ub], [va, vb]] = [cut([u0, u1]), cut([v0, v1])];
  return { centre: add(point, add(scale(u, (ua + ub) / 2), scale(v, (va + vb) / 2))), axes: [u, v], half: [(ub - ua) / 2, (vb - va) / 2], gap };
}

/** The drawn shadows of one lane. */
export class ShadowView {
  readonly group = new Group();
  private readonly plane = new PlaneGeometry(2, 2);
  private readonly quads;

  constructor(
    private readonly look: Look,
    most = MOST,
  ) {
    this.quads = Array.from({ length: most }, () => this.quad());
  }

  private quad(): { mesh: Mesh; material: ShaderMaterial } {
    const uniforms = { reach: { value: new Vector2() }, inner: { value: new Vector2() }, blur: { value: 1 }, strength: { value: 0 }, colour: { value: new Color() } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4 });
    const mesh = new Mesh(this.plane, material);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = 0.5;
    this.group.add(mesh);
    return { mesh, material };
  }

  /** Lays the shadows of a part on grounds. */
  update(box: [Vec3, Vec3], pose: PoseArray, grounds: readonly Ground[], radius: number): void {
    this.quads.forEach(({ mesh, material }, i) => {
      const ground = grounds[i];
      mesh.visible = false;
      if (!ground) return;
      const { centre, axes, half, gap } = footprint(box, pose, ground);
      const strength = DARKEST * Math.max(0, 1 - Math.max(0, gap) / (GONE * radius));
      if (!(strength > 0.01)) return;
      mesh.visible = true;
      const blur = 0.14 * radius + 0.5 * Math.max(0, gap);
      const { reach, inner } = material.uniforms as { reach: { value: Vector2 }; inner: { value: Vector2 } };
      inner.value.set(Math.max(0, half[0] - 0.1 * radius), Math.max(0, half[1] - 0.1 * radius));
      reach.value.set(half[0] + blur, half[1] + blur);
      material.uniforms.blur!.value = 0.1 * radius + blur;
      material.uniforms.strength!.value = strength;
      material.uniforms.colour!.value.set(this.look.palette.shadow);
      const [u, v] = axes;
      const [n, at] = [ground.normal, add(centre, scale(ground.normal, 0.002 * radius))];
      mesh.matrix.set(u[0], v[0], n[0], at[0], u[1], v[1], n[1], at[1], u[2], v[2], n[2], at[2], 0, 0, 0, 1);
    });
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.plane.dispose();
    for (const { material } of this.quads) material.dispose();
  }
}
