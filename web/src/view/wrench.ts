// The wrench that the hand feels: a bold arrow for the force and a curved one for the torque, both at the part's centre.
import { BufferAttribute, BufferGeometry, ConeGeometry, Group, Mesh, MeshLambertMaterial, Vector3 } from "three";
import type { Vec3, Wrench } from "../protocol";
import { Arrows } from "./arrows";
import { ORDER, type Look } from "./look";

const SECTORS = 60;
const ROUND = 8;
/** The curved arrow at the coupling's largest torque (rad). */
const FULL = (300 * Math.PI) / 180;

/** A tube along a unit circle in the plane z = 0, sector by sector from +X, so that a draw range is a part of the way. */
function ringGeometry(thick: number): BufferGeometry {
  const points: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let s = 0; s <= SECTORS; s++) {
    const a = (s / SECTORS) * FULL;
    for (let r = 0; r < ROUND; r++) {
      const b = (r / ROUND) * 2 * Math.PI;
      const out = 1 + thick * Math.cos(b);
      points.push(out * Math.cos(a), out * Math.sin(a), thick * Math.sin(b));
      normals.push(Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b));
      if (s === SECTORS) continue;
      const [i, j] = [s * ROUND + r, s * ROUND + ((r + 1) % ROUND)];
      indices.push(i, i + ROUND, j, j, i + ROUND, j + ROUND);
    }
  }
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
  g.setAttribute("normal", new BufferAttribute(Float32Array.from(normals), 3));
  return g.setIndex(indices);
}

/** Sectors of the curved arrow for a torque: none below a hundredth of the largest, all at the largest. */
export function sectorsOf(torque: number, maxTorque: number): number {
  const share = maxTorque > 0 && Number.isFinite(torque) ? Math.min(1, torque / maxTorque) : 0;
  return share < 0.01 ? 0 : Math.max(4, Math.round(share * SECTORS));
}

/** The drawn wrench of one lane. */
export class WrenchView {
  readonly group = new Group();
  private readonly arrow: Arrows;
  private readonly ring = new Group();
  private readonly tube: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly head: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly material = new MeshLambertMaterial({ transparent: true, depthTest: false });

  constructor(private readonly look: Look) {
    this.arrow = new Arrows([[look.overlay, ORDER.overlay]], 1, 14);
    this.tube = new Mesh(ringGeometry(0.045), this.material);
    this.head = new Mesh(new ConeGeometry(0.12, 0.3, 14), this.material);
    this.tube.renderOrder = this.head.renderOrder = ORDER.overlay;
    this.ring.add(this.tube, this.head);
    this.group.add(this.arrow.group, this.ring);
  }

  /** Takes the wrench of a frame about the part's centre. */
  update(centre: Vec3, wrench: Wrench, radius: number, metres: number, maxTorque: number): void {
    const [fx, fy, fz, tx, ty, tz] = wrench;
    this.arrow.begin();
    this.arrow.push(...centre, fx * metres, fy * metres, fz * metres, 0.024 * radius, this.look.colours.wrench);
    this.arrow.end();
    const torque = Math.hypot(tx, ty, tz);
    const sectors = sectorsOf(torque, maxTorque);
    this.ring.visible = sectors > 0;
    if (sectors === 0) return;
    this.material.color.copy(this.look.colours.wrench);
    this.tube.geometry.setDrawRange(0, sectors * ROUND * 6);
    const end = (sectors / SECTORS) * FULL;
    this.head.position.set(Math.cos(end) - 0.1 * Math.sin(end), Math.sin(end) + 0.1 * Math.cos(end), 0);
    this.head.rotation.z = end;
    this.ring.position.set(...centre);
    this.ring.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(tx / torque, ty / torque, tz / torque));
    this.ring.scale.setScalar(0.42 * radius);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.arrow.dispose();
    this.tube.geometry.dispose();
    this.head.geometry.dispose();
    this.material.dispose();
  }
}
