import { describe, expect, it } from "vitest";
import type { Slice } from "../src/protocol";
import { writeAlong } from "../src/view/instances";
import { Latest } from "../src/view/latest";
import { isSoftware } from "../src/view/renderer";
import { AutoScale, nice } from "../src/view/scale";
import { byLevel } from "../src/view/shell";
import { cleaned, lineSpacing, planeOf } from "../src/view/slice";
import { sectorsOf } from "../src/view/wrench";

describe("matrices of arrows", () => {
  it("take +Z to the direction and are right-handed, at the poles too", () => {
    for (const d of [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0.6, -0.48, 0.64], [0, -1, 0]] as const) {
      const m = new Float32Array(32);
      writeAlong(m, 1, 1, 2, 3, d[0], d[1], d[2], 0.5, 2);
      const col = (c: number) => [m[16 + 4 * c]!, m[17 + 4 * c]!, m[18 + 4 * c]!] as const;
      const [x, y, z] = [col(0), col(1), col(2)];
      d.forEach((v, i) => expect(z[i]).toBeCloseTo(2 * v, 6));
      expect(Math.hypot(...x)).toBeCloseTo(0.5, 6);
      expect(x[0] * y[0] + x[1] * y[1] + x[2] * y[2]).toBeCloseTo(0, 6);
      const along = (x[1] * y[2] - x[2] * y[1]) * d[0] + (x[2] * y[0] - x[0] * y[2]) * d[1] + (x[0] * y[1] - x[1] * y[0]) * d[2];
      expect(along).toBeCloseTo(0.25, 6);
      expect(col(3)).toEqual([1, 2, 3]);
    }
  });
});

describe("length of arrows", () => {
  it("fits at once, then follows slowly, and stays without force", () => {
    const s = new AutoScale(0.1);
    expect(s.next(10, 0)).toBeCloseTo(0.01, 12);
    expect(s.next(NaN, 1)).toBeCloseTo(0.01, 12);
    expect(s.next(0, 1)).toBeCloseTo(0.01, 12);
    const soon = s.next(1, 0.016);
    expect(soon).toBeGreaterThan(0.01);
    expect(soon).toBeLessThan(0.011);
    for (let i = 0; i < 1000; i++) s.next(1, 0.016);
    expect(s.next(1, 0.016)).toBeGreaterThan(0.06);
  });
  it("does not flicker with a force that trembles", () => {
    const s = new AutoScale(0.1);
    const first = s.next(10, 0.016);
    for (let i = 0; i < 50; i++) expect(s.next(10 + (i % 2 ? 0.4 : -2), 0.016)).toBe(first);
  });
  it("nice numbers", () => expect([0.0007, 0.03, 0.05, 9].map(nice).map((x) => Number(x.toPrecision(3)))).toEqual([0.0005, 0.02, 0.05, 5]));
  it("the curved arrow", () => expect([sectorsOf(0, 1), sectorsOf(NaN, 1), sectorsOf(1, 0), sectorsOf(9, 1)]).toEqual([0, 0, 0, 60]));
});

describe("shell", () => {
  it("is sorted by level", () => {
    const { positions, levels, upTo } = byLevel({ positions: Float32Array.from([1, 1, 1, 2, 2, 2, 3, 3, 3]), levels: Uint8Array.from([3, 0, 1]) });
    expect([...levels]).toEqual([0, 1, 3]);
    expect([positions[0], positions[3], positions[6]]).toEqual([2, 3, 1]);
    expect(upTo).toEqual([1, 2, 2, 3]);
  });
});

describe("slice", () => {
  const slice: Slice = { columns: 3, rows: 2, origin: [0, 0, 1], u: [0.001, 0, 0], v: [0, 0.001, 0], distances: Float32Array.from([-0.5, NaN, 1, Infinity, -Infinity, 0]) };
  it("has no holes", () => {
    const { values, deepest, farthest } = cleaned(slice.distances);
    expect([...values]).toEqual([-0.5, 1, 1, 1, -0.5, 0]);
    expect([deepest, farthest]).toEqual([0.5, 1]);
  });
  it("has lines at least 3 cells apart, and not too many", () => {
    expect(lineSpacing(slice, 0.01)).toBeCloseTo(0.005, 12);
    expect(1 / lineSpacing(slice, 1)).toBeLessThanOrEqual(20);
  });
  it("has a plane", () => expect(planeOf(slice)).toEqual({ normal: [0, 0, 1], point: [0, 0, 1] }));
});

describe("latest", () => {
  it("runs one at a time, of those that wait only the last, and survives failures", async () => {
    const [seen, errors]: [number[], unknown[]] = [[], []];
    let running = 0;
    const latest = new Latest<number>(
      async (key) => {
        expect(++running).toBe(1);
        await new Promise((r) => setTimeout(r, 1));
        running--;
        seen.push(key);
        if (key === 1) throw new Error("no");
      },
      (why) => errors.push(why),
    );
    for (const key of [1, 2, 3, 4]) latest.ask(key);
    await new Promise((r) => setTimeout(r, 30));
    expect(seen).toEqual([1, 4]);
    expect(errors.length).toBe(1);
  });
  it("tells a job that it is no longer wanted", async () => {
    const current: boolean[] = [];
    const latest = new Latest<number>(async (_, isCurrent) => {
      await Promise.resolve();
      current.push(isCurrent());
    }, () => undefined);
    latest.ask(1);
    latest.cancel();
    await new Promise((r) => setTimeout(r, 5));
    expect(current).toEqual([false]);
  });
});

it("renderers in software are known by name", () => {
  expect(isSoftware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")).toBe(true);
  expect(isSoftware("llvmpipe (LLVM 15)")).toBe(true);
  expect(isSoftware("ANGLE (NVIDIA GeForce)")).toBe(false);
});
