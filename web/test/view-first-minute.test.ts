import { describe, expect, it } from "vitest";
import type { Contacts, PoseArray, Vec3 } from "../src/protocol";
import { scaleBar } from "../src/view/legend";
import { boxMesh } from "../src/view/mesh";
import { Patches } from "../src/view/patches";
import { footprint, groundBelow } from "../src/view/shadow";
import { motionMarks, reachOf } from "../src/view/weakest";

/** Contacts at places with normals, each with 1 N and 0.5 N of friction along x. */
function contacts(list: [position: Vec3, normal: Vec3][]): Contacts {
  const flat = (of: (c: [Vec3, Vec3]) => Vec3) => Float32Array.from(list.flatMap(of));
  const n = list.length;
  return {
    count: n,
    id: Uint32Array.from(list, (_, i) => i),
    state: new Uint8Array(n).fill(1),
    position: flat(([p]) => p),
    normal: flat(([, m]) => m),
    friction: flat(() => [0.5, 0, 0]),
    slip: new Float32Array(3 * n),
    normalForce: new Float32Array(n).fill(1),
    limit: new Float32Array(n).fill(0.8),
    depth: new Float32Array(n),
  };
}

const grid = (at: (x: number, y: number) => [Vec3, Vec3]) => Array.from({ length: 25 }, (_, i) => at(((i % 5) - 2) / 100, (Math.floor(i / 5) - 2) / 100));

describe("patches", () => {
  const floor = grid((x, y) => [[x, y, 0], [0.02 * x, 0, 1]]);
  const wall = grid((x, y) => [[x, -0.02, y + 0.02], [0, 1, 0]]);

  it("sum up what has about one normal, and keep floor and wall apart", () => {
    const found = new Patches().of(contacts([...floor, ...wall]), 50, 0.05);
    expect(found.map((p) => p.count)).toEqual([25, 25]);
    for (const patch of found) {
      expect(Math.hypot(...patch.normalForce)).toBeCloseTo(25, 2);
      expect(patch.friction[0]).toBeCloseTo(12.5, 4);
    }
    expect(found[1]?.centre.map((x) => Math.round(1000 * x))).toEqual([0, -20, 20]);
  });

  it("keep apart what is far apart, and a ring is not summed up to nothing", () => {
    const far = floor.map(([p, n]): [Vec3, Vec3] => [[p[0] + 0.2, p[1], p[2]], n]);
    expect(new Patches().of(contacts([...floor, ...far]), 50, 0.05)).toHaveLength(2);
    const ring = Array.from({ length: 72 }, (_, i): [Vec3, Vec3] => {
      const a = (i * Math.PI) / 36;
      return [[0.01 * Math.cos(a), 0.01 * Math.sin(a), 0], [-Math.cos(a), -Math.sin(a), 0]];
    });
    const around = new Patches().of(contacts(ring), 72, 0.02);
    expect(around.length).toBeGreaterThanOrEqual(4);
    expect(around.reduce((sum, p) => sum + Math.hypot(...p.normalForce), 0)).toBeGreaterThan(55);
  });

  it("are the same in the next frame though contacts come in another order", () => {
    const patches = new Patches();
    const count = () => patches.of(contacts([...wall, ...floor]), 50, 0.05).map((p) => p.normal.map(Math.round)).sort();
    patches.of(contacts([...floor, ...wall]), 50, 0.05);
    expect(count()).toEqual([[0, 0, 1], [0, 1, 0]]);
  });

  it("leave out what is not finite", () => {
    expect(new Patches().of(contacts([[[NaN, 0, 0], [0, 0, 1]]]), 1, 0.05)).toEqual([]);
  });
});

describe("the weakest motion", () => {
  it("is an arrow for a shift, an arc for a turn, both for a screw", () => {
    expect(motionMarks([0, -2, 0, 0, 0, 0], 0.05)).toEqual({ shift: [0, -1, 0], turn: null });
    expect(motionMarks([0, 0, 0, 0, 0, 3], 0.05)).toMatchObject({ shift: null, turn: { axis: [0, 0, 1] } });
    expect(motionMarks([0, 0, 0.05, 0, 0, 1], 0.05)).toMatchObject({ shift: [0, 0, 1], turn: { axis: [0, 0, 1] } });
    expect(motionMarks([0, 0, 0, 0, 0, 0], 0.05)).toBeNull();
    expect(motionMarks([NaN, 0, 0, 0, 0, 0], 0.05)).toBeNull();
  });

  it("has its arc about the axis that does not move", () => {
    // A turn about z through (0.03, 0, 0): the centre moves by ω × r = (0, -0.03, 0).
    const marks = motionMarks([0, -0.03, 0, 0, 0, 1], 0.05);
    expect(marks?.shift).toBeNull();
    expect(marks?.turn?.at.map((x) => Number(x.toFixed(6)) + 0)).toEqual([0.03, 0, 0]);
    // About an axis far away it is a shift.
    expect(motionMarks([0, -0.03, 0, 0, 0, 0.1], 0.05)).toEqual({ shift: [0, -1, 0], turn: null });
  });

  it("begins where the part ends", () => {
    expect(reachOf([[-1, -2, -3], [1, 2, 3]], [0, 0, 0], [0, 0, 1])).toBe(3);
    expect(reachOf([[-1, -2, -3], [1, 2, 3]], [0.5, 0, 0], [1, 0, 0])).toBe(0.5);
  });
});

describe("the shadow", () => {
  const identity: PoseArray = [0, 0, 0, 1, 0, 0, 0];

  it("lies below the part, as large as its box, and knows the gap", () => {
    const plate = boxMesh([[-1, -1, -0.1], [1, 1, 0]]);
    const ground = groundBelow(plate, identity, [0.2, 0, 0.5], [0, 0, -1]);
    expect(ground?.point.map((x) => Number(x.toFixed(9)) + 0)).toEqual([0.2, 0, 0]);
    expect(ground?.normal.map((x) => Math.round(x) + 0)).toEqual([0, 0, 1]);
    const laid = footprint([[-0.1, -0.2, -0.3], [0.1, 0.2, 0.3]], [0.2, 0, 0.5, 1, 0, 0, 0], ground!);
    expect(laid.half.map((x) => Number(x.toFixed(9)))).toEqual([0.1, 0.2]);
    expect(laid.gap).toBeCloseTo(0.2);
    expect(groundBelow(plate, identity, [3, 0, 0.5], [0, 0, -1])).toBeNull();
  });
});

describe("the force scale", () => {
  it("is a bar of a round force, at most as long as there is room", () => {
    expect(scaleBar(10)).toEqual({ force: 5, length: 50 });
    expect(scaleBar(0)).toBeNull();
    expect(scaleBar(NaN)).toBeNull();
  });
});
