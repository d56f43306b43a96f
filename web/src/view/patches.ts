// Contacts that belong together: those with about the same normal that are near to each other. Forces of each patch are summed, so that they can be read from afar.
import type { Contacts, Vec3 } from "../protocol";

/** Contacts of one patch, summed. */
export interface Patch {
  /** Where the normal forces act in the mean; of contacts without force, their middle. */
  centre: Vec3;
  /** Mean direction of the normals, of unit length. */
  normal: Vec3;
  /** Sums of normal and friction forces on the held part (N). */
  normalForce: Vec3;
  friction: Vec3;
  count: number;
  sliding: number;
  /** How far its contacts reach from the centre (m). */
  reach: number;
  /** Length of the mean of the normals: 1 for a flat patch, less for a curved one. */
  flatness: number;
}

/** Normals that differ by less than this belong together: cosine of 40°. */
const ALIKE = Math.cos((40 * Math.PI) / 180);
/** Contacts within this share of the part's radius of each other are connected. */
const NEAR = 0.7;

/** Finds patches; remembers their normals, so that a patch is the same one in the next frame. */
export class Patches {
  private seeds: Vec3[] = [];

  /** The patches of so many contacts of a part of this radius (m), the largest force first. */
  of(c: Contacts, count: number, radius: number): Patch[] {
    const kinds = this.byNormal(c, count);
    const root = connected(c, count, kinds, NEAR * radius);
    const found = new Map<number, Patch & { weight: number; middle: Vec3 }>();
    for (let i = 0; i < count; i++) {
      if (kinds[i]! < 0) continue;
      let patch = found.get(root[i]!);
      if (!patch) found.set(root[i]!, (patch = { centre: [0, 0, 0], normal: [0, 0, 0], normalForce: [0, 0, 0], friction: [0, 0, 0], count: 0, sliding: 0, reach: 0, flatness: 0, weight: 0, middle: [0, 0, 0] }));
      const n = Math.max(0, c.normalForce[i]!);
      patch.count++;
      patch.sliding += c.state[i] === 2 ? 1 : 0;
      patch.weight += n;
      for (const k of [0, 1, 2] as const) {
        patch.middle[k] += c.position[3 * i + k]!;
        patch.centre[k] += n * c.position[3 * i + k]!;
        patch.normal[k] += c.normal[3 * i + k]!;
        patch.normalForce[k] += n * c.normal[3 * i + k]!;
        patch.friction[k] += c.friction[3 * i + k]!;
      }
    }
    const patches = [...found.values()].map(({ weight, middle, ...patch }) => {
      for (const k of [0, 1, 2] as const) patch.centre[k] = weight > 0 ? patch.centre[k] / weight : middle[k] / patch.count;
      const size = Math.hypot(...patch.normal) || 1;
      patch.flatness = size / patch.count;
      patch.normal = patch.normal.map((x) => x / size) as Vec3;
      return patch;
    });
    const numbers = new Map([...found.keys()].map((key, k) => [key, k]));
    for (let i = 0; i < count; i++) {
      const patch = kinds[i]! < 0 ? undefined : patches[numbers.get(root[i]!)!];
      if (patch) patch.reach = Math.max(patch.reach, Math.hypot(...([0, 1, 2] as const).map((k) => c.position[3 * i + k]! - patch.centre[k])));
    }
    return patches.sort((a, b) => Math.hypot(...b.normalForce) - Math.hypot(...a.normalForce));
  }

  /** For each contact the number of the normal that its own is like; -1 for one that is not finite. */
  private byNormal(c: Contacts, count: number): Int16Array {
    const kinds = new Int16Array(count).fill(-1);
    const [seeds, sums] = [[...this.seeds], this.seeds.map((): Vec3 => [0, 0, 0])];
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [c.normal[3 * i]!, c.normal[3 * i + 1]!, c.normal[3 * i + 2]!];
      if (!Number.isFinite(x + y + z + c.position[3 * i]! + c.position[3 * i + 1]! + c.position[3 * i + 2]! + c.normalForce[i]!)) continue;
      let [best, like] = [-1, ALIKE];
      seeds.forEach((s, k) => {
        const cosine = s[0] * x + s[1] * y + s[2] * z;
        if (cosine > like) [best, like] = [k, cosine];
      });
      if (best < 0) {
        best = seeds.push([x, y, z]) - 1;
        sums.push([0, 0, 0]);
      }
      kinds[i] = best;
      const sum = sums[best]!;
      sum[0] += x;
      sum[1] += y;
      sum[2] += z;
    }
    this.seeds = sums.flatMap((s) => {
      const size = Math.hypot(...s);
      return size > 0 ? [[s[0] / size, s[1] / size, s[2] / size] as Vec3] : [];
    });
    return kinds;
  }
}

/** For each contact the first one of those that are connected with it: of its kind, and within reach by steps of `near` (m). */
function connected(c: Contacts, count: number, kinds: Int16Array, near: number): Int32Array {
  const root = Int32Array.from({ length: count }, (_, i) => i);
  const find = (i: number): number => {
    while (root[i] !== i) i = root[i] = root[root[i]!]!;
    return i;
  };
  const cell = (i: number, k: number) => Math.floor(c.position[3 * i + k]! / near);
  // Those that are near are in the same cell or in one that touches it.
  const cells = new Map<string, number[]>();
  for (let i = 0; i < count; i++) {
    if (kinds[i]! < 0) continue;
    const [x, y, z] = [cell(i, 0), cell(i, 1), cell(i, 2)];
    for (let n = 0; n < 27; n++) {
      const key = `${kinds[i]} ${x + (n % 3) - 1} ${y + (Math.floor(n / 3) % 3) - 1} ${z + Math.floor(n / 9) - 1}`;
      for (const j of cells.get(key) ?? []) if (find(j) !== find(i) && apart(c, i, j) <= near) join(root, find(i), find(j));
    }
    const key = `${kinds[i]} ${x} ${y} ${z}`;
    const same = cells.get(key);
    if (same) same.push(i);
    else cells.set(key, [i]);
  }
  return root.map((_, i) => find(i));
}

function join(root: Int32Array, a: number, b: number): void {
  root[Math.max(a, b)] = Math.min(a, b);
}

function apart(c: Contacts, i: number, j: number): number {
  return Math.hypot(c.position[3 * i]! - c.position[3 * j]!, c.position[3 * i + 1]! - c.position[3 * j + 1]!, c.position[3 * i + 2]! - c.position[3 * j + 2]!);
}
