import { describe, expect, it } from "vitest";
import type { Contacts, DisplayMesh, Vec3 } from "../src/protocol";
import { boxMesh, boxOf, creases, outline, section, shaded } from "../src/view/mesh";
import { hit, hitPart, nearest, passes, probes } from "../src/view/pick";

const box: [Vec3, Vec3] = [[-1, -2, -3], [1, 2, 3]];
const cube = boxMesh(box);

/** A sphere of radius 1 by latitude and longitude. */
function ball(n: number): DisplayMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const [a, b] = [(Math.PI * i) / n, (Math.PI * j) / n];
      positions.push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a));
      if (i === n) continue;
      const [p, q] = [i * 2 * n + j, i * 2 * n + ((j + 1) % (2 * n))];
      indices.push(p, p + 2 * n, q, q, p + 2 * n, q + 2 * n);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), original: 0 };
}

describe("mesh", () => {
  it("faces of a box look outwards and stay flat", () => {
    const { positions, normals } = shaded(cube);
    for (let k = 0; k < normals.length; k += 3) {
      const n = [normals[k]!, normals[k + 1]!, normals[k + 2]!];
      expect(n.filter((x) => Math.abs(x) > 0.999).length).toBe(1);
      const axis = n.findIndex((x) => Math.abs(x) > 0.999);
      expect(n[axis]! * positions[k + axis]!).toBeGreaterThan(0);
    }
  });
  it("a ball is smooth", () => {
    const { positions, normals } = shaded(ball(24));
    for (let k = 0; k < normals.length; k += 3) {
      const along = positions[k]! * normals[k]! + positions[k + 1]! * normals[k + 1]! + positions[k + 2]! * normals[k + 2]!;
      expect(along).toBeGreaterThan(0.98);
    }
  });
  it("a box has its twelve edges, also when faces share no vertices", () => {
    expect(creases(cube).length).toBe(12 * 6);
    const { positions } = shaded(cube);
    const loose = { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i), original: 12 };
    expect(creases(loose).length).toBe(12 * 6);
  });
  it("a ball has no creases, hence cuts in its outline", () => {
    expect(creases(ball(24)).length).toBe(0);
    expect(outline(ball(24)).length).toBeGreaterThan(0);
  });
  it("a cut through a box goes around it", () => {
    const cut = section(cube, 2, 0.5);
    let around = 0;
    for (let i = 0; i < cut.length; i += 6) around += Math.hypot(cut[i]! - cut[i + 3]!, cut[i + 1]! - cut[i + 4]!, cut[i + 2]! - cut[i + 5]!);
    expect(around).toBeCloseTo(2 * (2 + 4), 5);
  });
  it("knows its box", () => expect(boxOf(cube.positions)).toEqual(box));
});

describe("picking", () => {
  it("a ray meets the near face", () => expect(hit(cube, { origin: [0.2, 0.3, 10], direction: [0, 0, -1] })).toBeCloseTo(7, 6));
  it("and misses beside it or behind it", () => {
    expect(hit(cube, { origin: [1.2, 0.3, 10], direction: [0, 0, -1] })).toBeNull();
    expect(hit(cube, { origin: [0, 0, 10], direction: [0, 0, 1] })).toBeNull();
  });
  it("a part is met in its pose", () => {
    const half = Math.SQRT1_2;
    const local = hitPart(cube, [5, 0, 0, half, 0, half, 0], { origin: [5, 0.3, 10], direction: [0, 0, -1] })!;
    expect(local[0]).toBeCloseTo(-1, 6);
    expect(local[1]).toBeCloseTo(0.3, 6);
  });
  it("spheres of rays", () => {
    expect(passes({ origin: [0, 0, 0], direction: [2, 0, 0] }, [5, 1, 0], 1.01)).toBe(true);
    expect(passes({ origin: [0, 0, 0], direction: [-2, 0, 0] }, [5, 1, 0], 1.01)).toBe(false);
  });
  it("probes begin at the pointer and end at the tolerance", () => {
    const all = probes(24);
    expect(all[0]).toEqual([0, 0]);
    expect(Math.max(...all.map((p) => Math.hypot(...p)))).toBeCloseTo(24, 9);
  });
  it("the nearest contact within reach", () => {
    const contacts = { count: 3, position: Float32Array.from([0, 0, 0, 5, 0, 0, 9, 0, -1]) } as Contacts;
    const flat = (p: Vec3): [number, number] | null => (p[2] < 0 ? null : [p[0], p[1]]);
    expect(nearest(contacts, 4, 1, 12, flat)).toBe(1);
    expect(nearest(contacts, 9, 0, 3, flat)).toBe(-1);
  });
});
