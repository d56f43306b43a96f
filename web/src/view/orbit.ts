// The camera: it looks at a point from a distance, with +Z up. Pure functions; the stage copies the result into three's camera.
import { add, cross, dot, length, scale, sub, toWorld } from "../input/pose";
import { onPlane, type Basis, type Ray } from "../input/drag";
import type { Vec3, World } from "../protocol";

/** Where the camera is. Angles in rad; azimuth 0 looks from +X, counter-clockwise seen from above. */
export interface Orbit {
  target: Vec3;
  distance: number;
  azimuth: number;
  elevation: number;
}

const STEEPEST = Math.PI / 2;
/** Half of the field of view of a wide picture, and the aspect below which a picture is not wide. */
const HALF_VIEW = Math.tan((16 * Math.PI) / 180);
const WIDE = 1.25;

/** Tangent of half the vertical field of view: narrow pictures open up, so that nothing is lost at their sides. */
export const halfView = (aspect: number): number => (aspect >= WIDE ? HALF_VIEW : (HALF_VIEW * WIDE) / Math.max(aspect, 0.1));

/** The camera's axes. */
export function basisOf(o: Orbit): Basis {
  const [ce, se, ca, sa] = [Math.cos(o.elevation), Math.sin(o.elevation), Math.cos(o.azimuth), Math.sin(o.azimuth)];
  const forward: Vec3 = [-ce * ca, -ce * sa, -se];
  const right: Vec3 = [-sa, ca, 0];
  return { right, up: cross(right, forward), forward };
}

/** Where the camera stands. */
export const eyeOf = (o: Orbit): Vec3 => sub(o.target, scale(basisOf(o).forward, o.distance));

/** The ray of sight through a point of the picture: x and y from -1 to 1, y up. */
export function rayOf(o: Orbit, x: number, y: number, aspect: number): Ray {
  const { right, up, forward } = basisOf(o);
  const t = halfView(aspect);
  return { origin: eyeOf(o), direction: add(forward, add(scale(right, x * t * aspect), scale(up, y * t))) };
}

/** A point in the picture: x and y from -1 to 1, and its distance along the line of sight, which is negative behind the camera. */
export function projected(o: Orbit, point: Vec3, aspect: number): Vec3 {
  const { right, up, forward } = basisOf(o);
  const d = sub(point, eyeOf(o));
  const depth = dot(d, forward);
  const t = halfView(aspect) * (depth || 1e-12);
  return [dot(d, right) / (t * aspect), dot(d, up) / t, depth];
}

/** Turned by a drag of so many pixels, y down. */
export function orbited(o: Orbit, dx: number, dy: number, viewPixels: number): Orbit {
  const k = Math.PI / Math.max(viewPixels, 1);
  return { ...o, azimuth: wrapped(o.azimuth - dx * k), elevation: Math.max(-STEEPEST, Math.min(STEEPEST, o.elevation + dy * k)) };
}

const wrapped = (a: number) => Math.atan2(Math.sin(a), Math.cos(a));

/** Moved so that what is at the target follows the pointer. */
export function panned(o: Orbit, dx: number, dy: number, height: number, aspect: number): Orbit {
  const { right, up } = basisOf(o);
  const perPixel = (2 * halfView(aspect) * o.distance) / Math.max(height, 1);
  return { ...o, target: add(o.target, add(scale(right, -dx * perPixel), scale(up, dy * perPixel))) };
}

/** Nearer (factor below 1) or farther; between a tenth and a hundred radii of the part. */
export function zoomed(o: Orbit, factor: number, radius: number): Orbit {
  if (!(factor > 0)) return o;
  return { ...o, distance: Math.max(0.1 * radius, Math.min(100 * radius, o.distance * factor)) };
}

/** The same with what a ray of sight meets, on the plane through the target across the view, at its place in the picture. */
export function zoomedAt(o: Orbit, factor: number, radius: number, ray: Ray): Orbit {
  const next = zoomed(o, factor, radius);
  const at = onPlane(ray, o.target, basisOf(o).forward);
  return at ? { ...next, target: add(at, scale(sub(o.target, at), next.distance / o.distance)) } : next;
}

const degrees = (a: number) => (a * Math.PI) / 180;

/** Views that the user can choose: from -Y with X to the right, from +X, from above, and along the diagonal of a cube. */
export const VIEWS = {
  front: { azimuth: degrees(-90), elevation: 0 },
  side: { azimuth: 0, elevation: 0 },
  top: { azimuth: degrees(-90), elevation: degrees(90) },
  iso: { azimuth: degrees(-45), elevation: Math.atan(Math.SQRT1_2) },
} as const;

/** One of them. */
export type ViewName = keyof typeof VIEWS;

/**
 * The same place seen from one of these directions, or from the opposite side where the view that the scene begins with (`home`) looks from there: what stands behind
 * the part in that view must not stand before it in this one.
 */
export function seenFrom(o: Orbit, view: ViewName, home: Orbit | null = null): Orbit {
  const { azimuth, elevation } = VIEWS[view];
  if (home === null || view === "top") return { ...o, azimuth, elevation };
  const side = (own: number, begins: number) => (Math.abs(own) > 1e-9 && own * begins < -1e-9 ? -own : own);
  const [x, y] = [side(Math.cos(azimuth), Math.cos(home.azimuth)), side(Math.sin(azimuth), Math.sin(home.azimuth))];
  return { ...o, azimuth: Math.atan2(y, x), elevation };
}

/** Directions to look from, the best first (degrees). */
const SIDES = [-55, -35, -80, 35, -125, 55, -145, 80, 125, 145, -100, 100];
const ELEVATION = degrees(27);
const LOW_ELEVATION = degrees(20);

/** A view of a world as it starts: the held part in the middle, from the side where the fixed part hides least of it. */
export function fitted(world: World, hides: (from: Vec3, to: Vec3) => boolean = () => false): Orbit {
  const [start, end] = [world.start, world.end].map((pose) => toWorld(pose, middle(world.held_box))) as [Vec3, Vec3];
  // The middle of its way, as far as that is not beyond what it would be seen from.
  const way = length(sub(end, start));
  const held = add(start, scale(sub(end, start), way > 0 ? Math.min(0.5, (2 * world.radius) / way) : 0));
  const size = length(sub(world.fixed_box[1], world.fixed_box[0])) / 2;
  const shown = Math.max(1.5 * world.radius, Math.min(2.1 * world.radius, size)) + Math.min(0.4 * way, world.radius);
  const distance = shown / Math.sin(Math.atan(HALF_VIEW));
  const from = (side: number): Orbit => ({ target: held, distance, azimuth: degrees(side), elevation: ELEVATION });
  const marks = corners(world.held_box).map((c) => add(held, scale(sub(toWorld(world.start, c), held), 0.9)));
  let best = { orbit: from(SIDES[0]!), hidden: Infinity };
  for (const side of SIDES) {
    const orbit = from(side);
    const hidden = [held, ...marks].filter((m) => hides(eyeOf(orbit), m)).length;
    if (hidden < best.hidden) best = { orbit, hidden };
  }
  return best.orbit;
}

/** The picture that a view of many bodies is fitted to: as wide as it often is beside the controls, with room for what lies over it. */
const FITTED_ASPECT = 1.25;
const ROOM = 1.3;

/** A view with all these points in it. */
export function fittedTo(points: readonly Vec3[]): Orbit {
  const box = [0, 1, 2].map((k) => [Math.min(...points.map((p) => p[k]!)), Math.max(...points.map((p) => p[k]!))]) as [number, number][];
  const target: Vec3 = points.length > 0 ? [(box[0]![0] + box[0]![1]) / 2, (box[1]![0] + box[1]![1]) / 2, (box[2]![0] + box[2]![1]) / 2] : [0, 0, 0];
  const azimuth = degrees(SIDES[0]!);
  const { right, up, forward } = basisOf({ target, distance: 1, azimuth, elevation: LOW_ELEVATION });
  const t = halfView(FITTED_ASPECT) / ROOM;
  const distances = points.map((p) => {
    const d = sub(p, target);
    return Math.max(Math.abs(dot(d, right)) / (t * FITTED_ASPECT), Math.abs(dot(d, up)) / t) - dot(d, forward);
  });
  return { target, distance: Math.max(1e-3, ...distances), azimuth, elevation: LOW_ELEVATION };
}

/** The eight corners of a box. */
export function corners([low, high]: [Vec3, Vec3]): Vec3[] {
  return Array.from({ length: 8 }, (_, i) => [(i & 1 ? high : low)[0], (i & 2 ? high : low)[1], (i & 4 ? high : low)[2]]);
}

/** Centre of a box. */
export const middle = (box: [Vec3, Vec3]): Vec3 => scale(add(box[0], box[1]), 0.5);

/** A short text for the address: target, distance, angles in degrees. */
export function printed(o: Orbit): string {
  const inDegrees = (a: number) => Number(((a * 180) / Math.PI).toFixed(1));
  const metres = (x: number) => Number(x.toPrecision(4));
  return [...o.target.map(metres), metres(o.distance), inDegrees(o.azimuth), inDegrees(o.elevation)].join(",");
}

/** The camera of such a text; null if it makes no sense. */
export function parsed(text: string): Orbit | null {
  const fields = text.split(",").map((s) => (s.trim() === "" ? NaN : Number(s)));
  const [x, y, z, distance, azimuth, elevation] = fields as [number, number, number, number, number, number];
  if (fields.length !== 6 || !fields.every((v) => Number.isFinite(v) && Math.abs(v) < 1e4) || distance < 1e-6) return null;
  if (Math.abs(elevation) > 90) return null;
  return { target: [x, y, z], distance, azimuth: wrapped(degrees(azimuth)), elevation: Math.max(-STEEPEST, Math.min(STEEPEST, degrees(elevation))) };
}
