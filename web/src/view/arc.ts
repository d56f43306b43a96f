// A curved arrow about an axis.
import { BufferAttribute, BufferGeometry, ConeGeometry, Group, Mesh, MeshLambertMaterial, Vector3, type Color } from "three";
import type { Vec3 } from "../protocol";
import { ORDER } from "./look";

/** Pieces of a whole arc. */
export const SECTORS = 60;
const ROUND = 8;
/** The whole arc (rad). */
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

/** The drawn arc. */
export class Arc {
  readonly group = new Group();
  private readonly tube: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly head: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly material = new MeshLambertMaterial({ transparent: true, depthTest: false });

  /** `thick`: radius of the tube, for an arc of radius 1. */
  constructor(thick: number) {
    this.tube = new Mesh(ringGeometry(thick), this.material);
    this.head = new Mesh(new ConeGeometry(2.7 * thick, 6.7 * thick, 14), this.material);
    this.tube.renderOrder = this.head.renderOrder = ORDER.overlay;
    this.group.add(this.tube, this.head);
  }

  /** An arc about a unit axis through a point, over a share of the whole way. */
  update(centre: Vec3, axis: Vec3, radius: number, share: number, colour: Color): void {
    const sectors = Math.max(1, Math.round(share * SECTORS));
    this.material.color.copy(colour);
    this.tube.geometry.setDrawRange(0, sectors * ROUND * 6);
    const end = (sectors / SECTORS) * FULL;
    this.head.position.set(Math.cos(end) - 0.1 * Math.sin(end), Math.sin(end) + 0.1 * Math.cos(end), 0);
    this.head.rotation.z = end;
    this.group.position.set(...centre);
    this.group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...axis));
    this.group.scale.setScalar(radius);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.tube.geometry.dispose();
    this.head.geometry.dispose();
    this.material.dispose();
  }
}
