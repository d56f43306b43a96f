// Dragging the hand with a pointer: the grabbed point moves on a plane parallel to the screen, and the wheel with Alt moves that plane.
import type { PoseArray, Vec3 } from "../protocol";
import { add, dot, scale, sub, translated } from "./pose";

/** The camera's axes in the world, of unit length. */
export interface Basis {
  right: Vec3;
  up: Vec3;
  forward: Vec3;
}

/** A ray of sight; `direction` need not be of unit length. */
export interface Ray {
  origin: Vec3;
  direction: Vec3;
}

/** A drag that has begun. */
export interface Drag {
  /** The hand's pose as it began. */
  start: PoseArray;
  /** The grabbed point, in the world, as it began. */
  anchor: Vec3;
  /** The view's direction: normal of the plane. */
  forward: Vec3;
  /** How far the wheel has moved the plane away from the viewer since (m). */
  depth: number;
}

/** Where the ray meets the plane; null if it runs along it or away from it. */
export function onPlane(ray: Ray, point: Vec3, normal: Vec3): Vec3 | null {
  const along = dot(ray.direction, normal);
  if (Math.abs(along) < 1e-12) return null;
  const t = dot(sub(point, ray.origin), normal) / along;
  return t > 0 && Number.isFinite(t) ? add(ray.origin, scale(ray.direction, t)) : null;
}

/** The hand's pose for where the pointer is now; null if it points past the plane. */
export function dragged(drag: Drag, ray: Ray): PoseArray | null {
  const at = onPlane(ray, add(drag.anchor, scale(drag.forward, drag.depth)), drag.forward);
  return at && translated(drag.start, sub(at, drag.anchor));
}

/** Rotation vector for a pointer that moved by (dx, dy) pixels, y down: as if it rolled a ball that fills the view. */
export function rolled(dx: number, dy: number, basis: Basis, viewPixels: number): Vec3 {
  const perPixel = Math.PI / Math.max(viewPixels, 1);
  return add(scale(basis.up, dx * perPixel), scale(basis.right, dy * perPixel));
}

/** What a wheel event says, in pixels: a line is 16 and a page 400 of them, and one event counts at most 240. */
export function wheelPixels(delta: number, mode: number): number {
  const pixels = delta * (mode === 1 ? 16 : mode === 2 ? 400 : 1);
  return Number.isFinite(pixels) ? Math.max(-240, Math.min(240, pixels)) : 0;
}

/** How far a wheel moves the hand away from the viewer (m): a notch of 100 pixels is a twentieth of the part's radius, or a fifth of that if fine. */
export function wheelDepth(pixels: number, radius: number, fine: boolean): number {
  return (-pixels / 100) * 0.05 * radius * (fine ? 0.2 : 1);
}
