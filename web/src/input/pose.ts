// Vectors, quaternions and poses as the protocol has them: [x, y, z, qw, qx, qy, qz], world from part. Rotations of a pose are made in the
// world's axes, hence from the left.
import type { PoseArray, Vec3 } from "../protocol";

/** w, x, y, z. */
export type Quat = [number, number, number, number];

/** Sum of two vectors. */
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** Difference of two vectors. */
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** A vector times a number. */
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
/** Inner product. */
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** Cross product. */
export const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** Euclidean length. */
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
/** Unit vector; the null vector stays. */
export function unit(a: Vec3): Vec3 {
  const n = length(a);
  return n > 0 ? scale(a, 1 / n) : a;
}

/** Hamilton product: first b, then a. */
export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The same rotation with length 1, so that errors of many small steps do not add up. */
export function normalized(q: Quat): Quat {
  const n = Math.hypot(...q);
  return n > 0 ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [1, 0, 0, 0];
}

/** Rotation about the vector's direction by its length (rad). */
export function fromRotationVector(v: Vec3): Quat {
  const angle = length(v);
  const k = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  return normalized([Math.cos(angle / 2), v[0] * k, v[1] * k, v[2] * k]);
}

/** Rotates a vector by a unit quaternion. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const axis: Vec3 = [q[1], q[2], q[3]];
  const t = scale(cross(axis, v), 2);
  return add(add(v, scale(t, q[0])), cross(axis, t));
}

/** Position of a pose. */
export const positionOf = (p: PoseArray): Vec3 => [p[0], p[1], p[2]];
/** Orientation of a pose. */
export const orientationOf = (p: PoseArray): Quat => [p[3], p[4], p[5], p[6]];
/** A pose of its two halves. */
export const pose = (x: Vec3, q: Quat): PoseArray => [x[0], x[1], x[2], q[0], q[1], q[2], q[3]];

/** A point of the part in the world. */
export const toWorld = (p: PoseArray, local: Vec3): Vec3 => add(positionOf(p), rotate(orientationOf(p), local));
/** A point of the world in the part's axes. */
export const toLocal = (p: PoseArray, world: Vec3): Vec3 => rotate([p[3], -p[4], -p[5], -p[6]], sub(world, positionOf(p)));
/** A direction of the world in the part's axes. */
export const directionToLocal = (p: PoseArray, world: Vec3): Vec3 => rotate([p[3], -p[4], -p[5], -p[6]], world);

/** The pose moved by d, in the world's axes. */
export const translated = (p: PoseArray, d: Vec3): PoseArray => pose(add(positionOf(p), d), orientationOf(p));

/** The pose turned about a point of the world, by a rotation vector in the world's axes. */
export function turned(p: PoseArray, rotation: Vec3, pivot: Vec3): PoseArray {
  const q = fromRotationVector(rotation);
  return pose(add(pivot, rotate(q, sub(positionOf(p), pivot))), normalized(multiply(q, orientationOf(p))));
}

/** Whether a pose can be drawn and sent: finite, with a quaternion of length about 1. */
export function isPose(p: readonly number[]): p is PoseArray {
  if (p.length !== 7 || !p.every(Number.isFinite)) return false;
  const n = Math.hypot(p[3] ?? 0, p[4] ?? 0, p[5] ?? 0, p[6] ?? 0);
  return Math.abs(n - 1) < 1e-3;
}
