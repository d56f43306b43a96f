// Arrows and dots for where the CPU makes the pixels: flat shapes that face the eye, written anew for every frame, few vertices in one draw call.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, Points, type Camera, type Color, type Material, type PointsMaterial } from "three";
import type { Vec3 } from "../protocol";

/** Vertices of one arrow: two triangles of the shaft and one of the head. */
export const ARROW_VERTICES = 9;

/** Writes the arrow from `p` along `v` (m), its shaft's half width `wide`, as triangles that face `eye`: 27 numbers from number `o` on. False, with
 * nothing written, if it is too short to be seen or not finite. */
export function writeArrow(to: Float32Array, o: number, px: number, py: number, pz: number, x: number, y: number, z: number, wide: number, eye: Vec3): boolean {
  const long = Math.hypot(x, y, z);
  if (!(long > 0.5 * wide) || !Number.isFinite(long)) return false;
  // Across the arrow and across the line of sight.
  const [ex, ey, ez] = [eye[0] - px, eye[1] - py, eye[2] - pz];
  let [ax, ay, az] = [y * ez - z * ey, z * ex - x * ez, x * ey - y * ex];
  const n = Math.hypot(ax, ay, az);
  const head = Math.min(5 * wide, 0.6 * long);
  const slim = Math.min(1, head / (3 * wide)) * (n > 0 ? wide / n : 0);
  [ax, ay, az] = [ax * slim, ay * slim, az * slim];
  const s = 1 - head / long;
  const [mx, my, mz] = [px + x * s, py + y * s, pz + z * s];
  let k = o;
  const put = (bx: number, by: number, bz: number, side: number) => {
    to[k++] = bx + side * ax;
    to[k++] = by + side * ay;
    to[k++] = bz + side * az;
  };
  put(px, py, pz, -1);
  put(px, py, pz, 1);
  put(mx, my, mz, 1);
  put(px, py, pz, -1);
  put(mx, my, mz, 1);
  put(mx, my, mz, -1);
  put(mx, my, mz, -2.4);
  put(mx, my, mz, 2.4);
  put(px + x, py + y, pz + z, 0);
  return true;
}

/** A geometry of positions and colours that is written anew for every frame. */
export class Written {
  readonly geometry = new BufferGeometry();
  readonly positions: Float32Array;
  private readonly colours: Float32Array;
  private readonly attributes: BufferAttribute[];

  constructor(vertices: number) {
    this.attributes = [0, 1].map(() => new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage));
    const [position, colour] = this.attributes as [BufferAttribute, BufferAttribute];
    this.geometry.setAttribute("position", position).setAttribute("color", colour);
    this.positions = position.array as Float32Array;
    this.colours = colour.array as Float32Array;
  }

  /** The colour of vertices. */
  paint(first: number, count: number, c: Color): void {
    for (let k = 3 * first; k < 3 * (first + count); k += 3) {
      this.colours[k] = c.r;
      this.colours[k + 1] = c.g;
      this.colours[k + 2] = c.b;
    }
  }

  /** So many vertices are to be drawn. */
  commit(vertices: number): void {
    this.geometry.setDrawRange(0, vertices);
    if (vertices === 0) return;
    for (const a of this.attributes) {
      a.clearUpdateRanges();
      a.addUpdateRange(0, 3 * vertices);
      a.needsUpdate = true;
    }
  }
}

/** Flat arrows, drawn as `Arrows` are: begin, push, end. */
export class FlatArrows {
  readonly group = new Group();
  private readonly written: Written;
  private eye: Vec3 = [0, 0, 1];
  private count = 0;

  constructor(
    materials: [material: Material, order: number][],
    private readonly capacity: number,
  ) {
    this.written = new Written(ARROW_VERTICES * capacity);
    for (const [material, order] of materials) {
      const mesh = new Mesh(this.written.geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.group.add(mesh);
    }
  }

  /** Forgets all arrows; those to come face the eye. */
  begin(eye: Vec3): void {
    this.count = 0;
    this.eye = eye;
  }

  /** An arrow from a point along a vector (m), with the shaft's radius `wide`. */
  push(px: number, py: number, pz: number, x: number, y: number, z: number, wide: number, colour: Color): void {
    if (this.count >= this.capacity) return;
    const first = ARROW_VERTICES * this.count;
    if (!writeArrow(this.written.positions, 3 * first, px, py, pz, x, y, z, wide, this.eye)) return;
    this.written.paint(first, ARROW_VERTICES, colour);
    this.count++;
  }

  /** Shows what was pushed. */
  end(): void {
    this.group.visible = this.count > 0;
    this.written.commit(ARROW_VERTICES * this.count);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.written.geometry.dispose();
  }
}

/** Balls as round points with a shade. */
export class Dots {
  readonly group = new Group();
  private readonly written: Written;
  private diameter = 0;
  private count = 0;

  constructor(
    materials: [material: PointsMaterial, order: number][],
    private readonly capacity: number,
  ) {
    this.written = new Written(capacity);
    for (const [material, order] of materials) {
      const points = new Points(this.written.geometry, material);
      points.frustumCulled = false;
      points.renderOrder = order;
      // three's sizes of points know nothing of the field of view.
      points.onBeforeRender = (_renderer, _scene, camera: Camera) => void (material.size = this.diameter * (camera.projectionMatrix.elements[5] ?? 1));
      this.group.add(points);
    }
  }

  /** Forgets all; those to come have this radius (m). */
  begin(radius: number): void {
    this.count = 0;
    this.diameter = 2 * radius;
  }

  /** A ball. */
  push(x: number, y: number, z: number, colour: Color): void {
    if (this.count >= this.capacity) return;
    const to = this.written.positions;
    const i = this.count++;
    to[3 * i] = x;
    to[3 * i + 1] = y;
    to[3 * i + 2] = z;
    this.written.paint(i, 1, colour);
  }

  /** Shows what was pushed. */
  end(): void {
    this.group.visible = this.count > 0;
    this.written.commit(this.count);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.written.geometry.dispose();
  }
}
