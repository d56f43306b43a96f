// Worlds of many bodies: what is picked, which forces are drawn, what cards say. No WebGL.
import { describe, expect, it } from "vitest";
import { heldBody, heldName } from "../src/model/held";
import { areaFacts, areaOf, areaTitle, squareMetres } from "../src/panels/tooltip";
import type { Areas, BodyFacts, Lane, PoseArray, World } from "../src/protocol";
import { areaForces, fan, largestAreaForce } from "../src/view/areas";
import { firstBody } from "../src/view/bodies";
import { DEFAULT_LAYERS } from "../src/view/contract";
import { boxMesh } from "../src/view/mesh";
import { corners, fittedTo, projected } from "../src/view/orbit";
import { roleView } from "../src/model/roles";

const BOX: BodyFacts["box"] = [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]];
const at = (x: number, y: number, z: number): PoseArray => [x, y, z, 1, 0, 0, 0];
const body = (name: string, fixed = false): BodyFacts => ({ name, mesh: 0, fixed, grab: !fixed, box: BOX, start: at(0, 0, 0) });
const BODIES = [body("floor", true), body("red"), body("blue")];

/** Areas between pairs of bodies, each a unit square level with z = 1 and 2 N upwards on the second body. */
function areas(pairs: [number, number][], { friction = [0.5, 0, 0], normal = [0, 0, 1] }: { friction?: number[]; normal?: number[] } = {}): Areas {
  const n = pairs.length;
  const square = [0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1];
  const each = (of: number[]) => Float32Array.from(pairs.flatMap(() => of));
  return {
    count: n, id: Uint32Array.from(pairs, (_, i) => i), bodies: Uint16Array.from(pairs.flat()), state: Uint8Array.from(pairs, (_, i) => 1 + (i % 2)), normal: each(normal), centre: each([0.5, 0.5, 1]),
    friction: each(friction), normalForce: each([2]), torsion: each([0.125]), depth: each([1e-4]), start: Uint32Array.from({ length: n + 1 }, (_, i) => 4 * i), corners: each(square),
  };
}

describe("many bodies", () => {
  it("are picked in the order in which the eye meets them, whatever cannot be taken included", () => {
    const shapes = new Map([[0, { mesh: boxMesh(BOX) }]]);
    const ray = { origin: [0, 0, 10] as [number, number, number], direction: [0, 0, -1] as [number, number, number] };
    const hit = firstBody(ray, BODIES, [at(0, 0, 0), at(0, 0, 3), at(0, 0, 6)], shapes);
    expect(hit).toMatchObject({ body: 2, world: [0, 0, 6.5], local: [0, 0, 0.5] });
    expect(firstBody(ray, BODIES, [at(0, 0, 8), at(0, 0, 3), at(0, 0, 6)], shapes)?.body).toBe(0);
    expect(firstBody(ray, BODIES, [at(5, 0, 0), at(0, 5, 3), at(0, 0, NaN)], shapes)).toBeNull();
    expect(firstBody(ray, BODIES, [], shapes)).toBeNull();
  });

  it("are held by the number that a tick tells", () => {
    const lane = (holds?: number) => ({ row: holds === undefined ? {} : { holds } }) as unknown as Lane;
    expect([heldBody(lane()), heldBody(lane(0)), heldBody(lane(3))]).toEqual([null, null, 2]);
    const world = { bodies: BODIES } as unknown as World;
    expect([heldName(lane(0), world), heldName(lane(2), world), heldName(lane(9), world)]).toEqual([null, "red", null]);
  });

  it("are all in the view that a world begins with", () => {
    for (const size of [0.05, 1, 30]) {
      const points = corners([[-size, 0, 0], [size, 2 * size, 5 * size]]);
      const orbit = fittedTo(points);
      for (const p of points) {
        const [x, y, depth] = projected(orbit, p, 1.25);
        expect(depth).toBeGreaterThan(0);
        expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.9);
      }
    }
    expect(fittedTo([]).distance).toBeGreaterThan(0);
  });

  it("have pages that speak of the hand and not of the part", () => {
    const roles = { type: "roles" as const, holder: 1, pages: [1], asking: [], takes_over_in: null, taken_over: null };
    expect(roleView(roles, 1, null, 0, "page", true).line).toBe("You have the hand: press on a body to take it, drag it, let it go (page 1)");
    expect(roleView(roles, 1, null, 0, "script", true).line).toContain("press on a body");
    expect(roleView(roles, 1).line).toBe("You hold the part (page 1)");
  });
});

describe("contact areas", () => {
  it("show their forces on the held body, else on the one that moves, else on the upper one", () => {
    const up = (pairs: [number, number][], held: number | null, options = {}) => areaForces(areas(pairs, options), BODIES, held).map((f) => f.normal[2]);
    expect(up([[0, 1]], null)).toEqual([2]);
    expect(up([[1, 0]], null)).toEqual([-2]);
    expect(up([[1, 2]], null)).toEqual([2]);
    expect(up([[1, 2]], null, { normal: [0, 0, -1] })).toEqual([2]);
    expect(up([[1, 2]], 1)).toEqual([-2]);
    expect(up([[1, 2]], 2, { normal: [0, 0, -1] })).toEqual([-2]);
    expect(areaForces(areas([[1, 2]]), BODIES, 1)[0]?.friction[0]).toBe(-0.5);
  });

  it("of the held body come first, and those that are not finite not at all", () => {
    const forces = areaForces(areas([[0, 1], [0, 2], [1, 2]]), BODIES, 1);
    expect(forces.map((f) => [f.index, f.held])).toEqual([[0, true], [2, true], [1, false]]);
    expect(areaForces(areas([[0, 1]], { normal: [0, NaN, 1] }), BODIES, null)).toEqual([]);
    expect(areaForces(areas(Array.from({ length: 100 }, () => [0, 1])), BODIES, null).length).toBe(48);
    expect(largestAreaForce(forces, { ...DEFAULT_LAYERS, normalForces: false })).toBe(0.5);
    expect(largestAreaForce([], DEFAULT_LAYERS)).toBe(0);
  });

  it("are fans of triangles", () => {
    expect(fan(5)).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4]);
    expect([fan(2), fan(0)]).toEqual([[], []]);
  });

  it("have a card with bodies, forces and size", () => {
    const a = areas([[0, 1], [1, 2]]);
    expect(areaOf(a, 1)).toBeCloseTo(1, 6);
    expect(areaTitle(a, 1, { bodies: BODIES })).toBe("red on blue");
    expect(areaFacts(a, 1)).toEqual([["state", "sliding"], ["normal force", "2.00 N"], ["friction", "0.500 N"], ["torque of friction", "0.125 N m"], ["area", "1.00 m²"], ["depth", "100 µm"]]);
    expect(areaFacts(a, 2)).toBeNull();
    expect([2.5e-4, 3.2e-6].map(squareMetres)).toEqual(["2.50 cm²", "3.20 mm²"]);
  });
});
