// A faint grid under the parts.
import { BufferAttribute, BufferGeometry, LineSegments } from "three";
import { toWorld } from "../input/pose";
import type { World } from "../protocol";
import type { Look } from "./look";
import { corners } from "./orbit";
import { nice } from "./scale";

/** The grid: lines a nice distance apart, level with the lowest corner of the fixed part. */
export function floorGrid(world: World, look: Look): LineSegments {
  const fixed = corners(world.fixed_box).map((c) => toWorld(world.world_from_fixed, c));
  const step = nice(0.6 * world.radius);
  const low = Math.min(...fixed.map((c) => c[2])) - 0.002 * world.radius;
  const n = 14;
  const [x0, y0] = [Math.round(world.start[0] / step) * step, Math.round(world.start[1] / step) * step];
  const points: number[] = [];
  for (let i = -n; i <= n; i++) {
    points.push(x0 + i * step, y0 - n * step, low, x0 + i * step, y0 + n * step, low);
    points.push(x0 - n * step, y0 + i * step, low, x0 + n * step, y0 + i * step, low);
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
  return new LineSegments(geometry, look.grid);
}
