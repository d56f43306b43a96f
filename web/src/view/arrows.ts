// Many arrows in two draw calls: shafts and heads, and the same again where something hides them.
import { ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh, type BufferGeometry, type Color, type Material } from "three";
import type { Vec3 } from "../protocol";
import { writeAlong, writeBall } from "./instances";

/** A shape drawn many times, in its place and colour, and faintly where it is hidden. */
export class Instances {
  readonly group = new Group();
  readonly matrices: Float32Array;
  readonly colours: Float32Array;
  private readonly meshes: InstancedMesh[];

  constructor(geometry: BufferGeometry, capacity: number, materials: [material: Material, order: number][]) {
    const matrix = new InstancedBufferAttribute(new Float32Array(16 * capacity), 16).setUsage(DynamicDrawUsage);
    const colour = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
    this.matrices = matrix.array as Float32Array;
    this.colours = colour.array as Float32Array;
    this.meshes = materials.map(([material, order]) => {
      const mesh = new InstancedMesh(geometry, material, 0);
      mesh.instanceMatrix = matrix;
      mesh.instanceColor = colour;
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = order;
      this.group.add(mesh);
      return mesh;
    });
  }

  /** The colour of one. */
  paint(i: number, c: Color): void {
    this.colours[3 * i] = c.r;
    this.colours[3 * i + 1] = c.g;
    this.colours[3 * i + 2] = c.b;
  }

  /** So many are to be drawn; matrices and colours of these have been written. */
  commit(count: number): void {
    this.group.visible = count > 0;
    if (count === 0) return;
    for (const m of this.meshes) m.count = count;
    const first = this.meshes[0];
    for (const a of first?.instanceColor ? [first.instanceMatrix, first.instanceColor] : []) {
      a.clearUpdateRanges();
      a.addUpdateRange(0, count * a.itemSize);
      a.needsUpdate = true;
    }
  }

  /** Frees GPU memory. */
  dispose(): void {
    for (const m of this.meshes) m.dispose();
    this.meshes[0]?.geometry.dispose();
  }
}

/** A set of balls that is written anew for every frame: begin, push, end. */
export class Balls {
  private readonly balls: Instances;
  private size = 1;
  private count = 0;

  constructor(
    geometry: BufferGeometry,
    private readonly capacity: number,
    materials: [material: Material, order: number][],
  ) {
    this.balls = new Instances(geometry, capacity, materials);
  }

  /** The object to be shown. */
  get group(): Group {
    return this.balls.group;
  }

  /** Forgets all balls; those to come have this radius (m). */
  begin(size: number): void {
    this.count = 0;
    this.size = size;
  }

  /** A ball. */
  push(x: number, y: number, z: number, colour: Color): void {
    if (this.count >= this.capacity) return;
    writeBall(this.balls.matrices, this.count, x, y, z, this.size);
    this.balls.paint(this.count++, colour);
  }

  /** Shows what was pushed. */
  end(): void {
    this.balls.commit(this.count);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.balls.dispose();
  }
}

/** A set of arrows that is written anew for every frame: begin, push, end. */
export class Arrows {
  readonly group = new Group();
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private count = 0;

  constructor(
    materials: [material: Material, order: number][],
    private readonly capacity: number,
    round = 8,
  ) {
    const shaft = new CylinderGeometry(1, 1, 1, round, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1, 1, round + 1, 1, round < 5).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new Instances(shaft, capacity, materials);
    this.heads = new Instances(head, capacity, materials);
    this.group.add(this.shafts.group, this.heads.group);
  }

  /** Forgets all arrows. Being round they look the same from everywhere. */
  begin(_eye?: Vec3): void {
    this.count = 0;
  }

  /** An arrow from a point along a vector (m), with the shaft's radius `wide`. Arrows that are too short to be seen, or not finite, are left out. */
  push(px: number, py: number, pz: number, x: number, y: number, z: number, wide: number, colour: Color): void {
    const long = Math.hypot(x, y, z);
    if (!(long > 0.5 * wide) || !Number.isFinite(long) || this.count >= this.capacity) return;
    const [dx, dy, dz] = [x / long, y / long, z / long];
    const head = Math.min(5 * wide, 0.6 * long);
    const slim = Math.min(1, head / (3 * wide));
    const i = this.count++;
    const s = long - head;
    writeAlong(this.shafts.matrices, i, px, py, pz, dx, dy, dz, wide * slim, s);
    writeAlong(this.heads.matrices, i, px + dx * s, py + dy * s, pz + dz * s, dx, dy, dz, 2.2 * wide * slim, head);
    this.shafts.paint(i, colour);
    this.heads.paint(i, colour);
  }

  /** Shows what was pushed. */
  end(): void {
    this.shafts.commit(this.count);
    this.heads.commit(this.count);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.shafts.dispose();
    this.heads.dispose();
  }
}
