// What is under the pointer, found on the CPU.
import type { Ray } from "../input/drag";
import { directionToLocal, toLocal } from "../input/pose";
import type { Contacts, DisplayMesh, PoseArray, Vec3 } from "../protocol";

/** How far along the ray (in lengths of its direction) it first meets the mesh; null if it misses. */
export const hit = (mesh: DisplayMesh, ray: Ray): number | null => firstHit(mesh, ray)?.along ?? null;

/** The same with the triangle, by its first index. Möller and Trumbore (1997), both sides. */
export function firstHit({ positions: p, indices }: DisplayMesh, { origin: o, direction: d }: Ray): { along: number; triangle: number } | null {
  let [best, triangle] = [Infinity, -1];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!];
    const [ax, ay, az] = [p[a]!, p[a + 1]!, p[a + 2]!];
    const [ux, uy, uz] = [p[b]! - ax, p[b + 1]! - ay, p[b + 2]! - az];
    const [vx, vy, vz] = [p[c]! - ax, p[c + 1]! - ay, p[c + 2]! - az];
    const [hx, hy, hz] = [d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx];
    const det = ux * hx + uy * hy + uz * hz;
    if (det === 0) continue;
    const [sx, sy, sz] = [o[0] - ax, o[1] - ay, o[2] - az];
    const i = (sx * hx + sy * hy + sz * hz) / det;
    if (i < 0 || i > 1) continue;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const j = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
    if (j < 0 || i + j > 1) continue;
    const along = (vx * qx + vy * qy + vz * qz) / det;
    if (along > 0 && along < best) [best, triangle] = [along, t];
  }
  return triangle >= 0 ? { along: best, triangle } : null;
}

/** Whether a ray comes within a radius of a point. */
export function passes({ origin: o, direction: d }: Ray, centre: Vec3, radius: number): boolean {
  const s: Vec3 = [centre[0] - o[0], centre[1] - o[1], centre[2] - o[2]];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const t = Math.max(0, (s[0] * d[0] + s[1] * d[1] + s[2] * d[2]) / dd);
  return Math.hypot(s[0] - t * d[0], s[1] - t * d[1], s[2] - t * d[2]) <= radius;
}

/** Where a ray first meets a part in its pose, in the part's axes. */
export function hitPart(mesh: DisplayMesh, pose: PoseArray, ray: Ray): Vec3 | null {
  const local: Ray = { origin: toLocal(pose, ray.origin), direction: directionToLocal(pose, ray.direction) };
  const t = hit(mesh, local);
  if (t === null) return null;
  const { origin: o, direction: d } = local;
  return [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]];
}

/** Offsets of the pointer (pixels) to try one after the other: itself, then rings out to the tolerance. */
export function probes(tolerance: number): [number, number][] {
  const out: [number, number][] = [[0, 0]];
  for (const share of [1 / 3, 2 / 3, 1]) {
    for (let k = 0; k < 8; k++) {
      const a = (k * Math.PI) / 4;
      out.push([Math.cos(a) * tolerance * share, Math.sin(a) * tolerance * share]);
    }
  }
  return out;
}

/** The contact nearest to the pointer on the screen, at most so many pixels away; -1 if there is none. `toScreen` gives null behind the camera. */
export function nearest(contacts: Pick<Contacts, "count" | "position">, x: number, y: number, within: number, toScreen: (p: Vec3) => [number, number] | null): number {
  let [best, found] = [within, -1];
  for (let i = 0; i < contacts.count; i++) {
    const at = toScreen([contacts.position[3 * i]!, contacts.position[3 * i + 1]!, contacts.position[3 * i + 2]!]);
    const d = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
    if (d < best) [best, found] = [d, i];
  }
  return found;
}
