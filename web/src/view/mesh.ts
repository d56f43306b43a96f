// Normals and edges of a display mesh, and what a ray hits of it. Arrays only, so that tests need no WebGL.
import type { DisplayMesh, Vec3 } from "../protocol";

/** Faces that meet at more than this angle have a crease between them. */
export const CREASE = (30 * Math.PI) / 180;

/** Corners of triangles one after the other, with their normals. */
export interface Shaded {
  positions: Float32Array;
  normals: Float32Array;
}

/** For every vertex the first one at the same place, to a millionth of the part's size. */
function welded(positions: Float32Array): Uint32Array {
  const [low, high] = boxOf(positions);
  const cell = 1e-6 * Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
  const first = new Map<string, number>();
  const to = new Uint32Array(positions.length / 3);
  const at = (i: number, k: 0 | 1 | 2) => Math.round((positions[3 * i + k]! - low[k]) / cell);
  for (let v = 0; v < to.length; v++) {
    const key = `${at(v, 0)},${at(v, 1)},${at(v, 2)}`;
    const seen = first.get(key);
    if (seen === undefined) first.set(key, v);
    to[v] = seen ?? v;
  }
  return to;
}

/** Normals of the faces, with twice their areas as lengths; none for faces of which two corners are one. */
function faceNormals({ positions: p, indices }: DisplayMesh, weld: Uint32Array): Float32Array {
  const normals = new Float32Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [i, j, k] = [weld[indices[t]!]!, weld[indices[t + 1]!]!, weld[indices[t + 2]!]!];
    if (i === j || j === k || k === i) continue;
    const [a, b, c] = [3 * i, 3 * j, 3 * k];
    const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
    const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** Cosine of the angle between two normals of faces; 1 if one has no area. */
function cosine(n: Float32Array, s: number, t: number): number {
  const [ax, ay, az, bx, by, bz] = [n[s]!, n[s + 1]!, n[s + 2]!, n[t]!, n[t + 1]!, n[t + 2]!];
  const lengths = Math.hypot(ax, ay, az) * Math.hypot(bx, by, bz);
  return lengths > 0 ? (ax * bx + ay * by + az * bz) / lengths : 1;
}

const isSliver = (n: Float32Array, t: number) => n[t] === 0 && n[t + 1] === 0 && n[t + 2] === 0;

/** Normals that are smooth but for creases: at each corner the mean, by area, of the faces that meet there at less than the angle. */
export function shaded(mesh: DisplayMesh, crease = CREASE): Shaded {
  const { positions: p, indices } = mesh;
  const weld = welded(p);
  const faces = faceNormals(mesh, weld);
  const around: number[][] = Array.from({ length: weld.length }, () => []);
  for (let k = 0; k < indices.length; k++) around[weld[indices[k]!]!]!.push(k - (k % 3));
  const out = { positions: new Float32Array(3 * indices.length), normals: new Float32Array(3 * indices.length) };
  const least = Math.cos(crease);
  for (let k = 0; k < indices.length; k++) {
    const face = k - (k % 3);
    let [x, y, z] = [0, 0, 0];
    for (const other of around[weld[indices[k]!]!]!) {
      if (cosine(faces, face, other) < least) continue;
      x += faces[other]!;
      y += faces[other + 1]!;
      z += faces[other + 2]!;
    }
    const n = Math.hypot(x, y, z) || 1;
    out.normals.set([x / n, y / n, z / n], 3 * k);
    const v = 3 * indices[k]!;
    out.positions.set(p.subarray(v, v + 3), 3 * k);
  }
  return out;
}

/** Creases and borders as segments: 6 numbers each. */
export function creases(mesh: DisplayMesh, crease = CREASE): Float32Array {
  const { positions: p, indices } = mesh;
  const weld = welded(p);
  const faces = faceNormals(mesh, weld);
  const count = weld.length;
  const open = new Map<number, number>();
  const kept: number[] = [];
  const least = Math.cos(crease);
  for (let k = 0; k < indices.length; k++) {
    const face = k - (k % 3);
    const [a, b] = [weld[indices[k]!]!, weld[indices[face + ((k + 1) % 3)]!]!];
    if (a === b || isSliver(faces, face)) continue;
    const key = Math.min(a, b) * count + Math.max(a, b);
    const other = open.get(key);
    if (other === undefined) open.set(key, face);
    else {
      open.delete(key);
      if (cosine(faces, face, other) < least) kept.push(a, b);
    }
  }
  for (const key of open.keys()) kept.push(Math.floor(key / count), key % count);
  return segments(p, kept);
}

function segments(p: Float32Array, ends: number[]): Float32Array {
  const out = new Float32Array(3 * ends.length);
  ends.forEach((v, i) => out.set(p.subarray(3 * v, 3 * v + 3), 3 * i));
  return out;
}

/** Outline of a cut through the mesh, where the coordinate of an axis (0, 1, 2) has a value: segments of 6 numbers. */
export function section({ positions: p, indices }: DisplayMesh, axis: number, value: number): Float32Array {
  const out: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const cut: number[] = [];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [3 * indices[t + k]!, 3 * indices[t + ((k + 1) % 3)]!];
      const [from, to] = [p[a + axis]! - value, p[b + axis]! - value];
      if (from < 0 === to < 0) continue;
      const s = from / (from - to);
      for (let i = 0; i < 3; i++) cut.push(p[a + i]! + s * (p[b + i]! - p[a + i]!));
    }
    if (cut.length === 6) out.push(...cut);
  }
  return Float32Array.from(out);
}

/** Lines that tell the shape of a part: its creases, and for round parts, which have few, also cuts through its middle. */
export function outline(mesh: DisplayMesh): Float32Array {
  let lines = creases(mesh);
  if (lines.length > 6 * 20_000) lines = creases(mesh, 2 * CREASE);
  const [low, high] = boxOf(mesh.positions);
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (totalLength(lines) > 4 * size) return lines;
  const cuts = [0, 1, 2].map((axis) => section(mesh, axis, (low[axis]! + high[axis]!) / 2));
  const all = [lines, ...cuts];
  const joined = new Float32Array(all.reduce((n, l) => n + l.length, 0));
  let at = 0;
  for (const l of all) {
    joined.set(l, at);
    at += l.length;
  }
  return joined;
}

function totalLength(lines: Float32Array): number {
  let sum = 0;
  for (let i = 0; i + 5 < lines.length; i += 6) {
    sum += Math.hypot(lines[i]! - lines[i + 3]!, lines[i + 1]! - lines[i + 4]!, lines[i + 2]! - lines[i + 5]!);
  }
  return sum;
}

/** Smallest and largest coordinates. */
export function boxOf(p: Float32Array): [Vec3, Vec3] {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < p.length; i++) {
    const k = (i % 3) as 0 | 1 | 2;
    low[k] = Math.min(low[k], p[i]!);
    high[k] = Math.max(high[k], p[i]!);
  }
  return [low, high];
}

/** A box as a mesh: stands in for a shape that could not be fetched. */
export function boxMesh([low, high]: [Vec3, Vec3]): DisplayMesh {
  const corners: number[] = [];
  for (let i = 0; i < 8; i++) corners.push((i & 1 ? high : low)[0], (i & 2 ? high : low)[1], (i & 4 ? high : low)[2]);
  const indices = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
  return { positions: Float32Array.from(corners), indices: Uint32Array.from(indices), original: 12 };
}
