import { expect, test } from "vitest";
import type { World } from "../src/protocol";
import { ARROW_VERTICES, writeArrow } from "../src/view/flat";
import { basisOf } from "../src/view/orbit";
import { sameShapes } from "../src/view/same";
import { tips } from "../src/view/triad";

test("a flat arrow ends at its tip, starts at its point, and faces the eye", () => {
  const to = new Float32Array(3 * ARROW_VERTICES);
  expect(writeArrow(to, 0, 1, 2, 3, 0, 0, 2, 0.1, [10, 2, 3])).toBe(true);
  expect([...to.subarray(24, 27)]).toEqual([1, 2, 5]);
  for (let v = 0; v < ARROW_VERTICES; v++) expect(to[3 * v]).toBeCloseTo(1, 6);
  expect((to[1]! + to[4]!) / 2).toBeCloseTo(2, 6);
  expect(Math.abs(to[1]! - to[4]!)).toBeCloseTo(0.2, 6);
});

test("an arrow that points at the eye has no width, and none is made of nothing or of NaN", () => {
  const to = new Float32Array(3 * ARROW_VERTICES);
  expect(writeArrow(to, 0, 0, 0, 0, 0, 0, 1, 0.1, [0, 0, 9])).toBe(true);
  expect([...to].every(Number.isFinite)).toBe(true);
  expect(writeArrow(to, 0, 0, 0, 0, 0, 0, 0, 0.1, [0, 0, 9])).toBe(false);
  expect(writeArrow(to, 0, 0, 0, 0, NaN, 0, 1, 0.1, [0, 0, 9])).toBe(false);
});

test("the triad's z is up, and x and y lie to the sides", () => {
  const [x, y, z] = tips(basisOf({ target: [0, 0, 0], distance: 1, azimuth: -Math.PI / 4, elevation: 0.5 })) as [[number, number], [number, number], [number, number]];
  expect(z[0]).toBeCloseTo(0, 6);
  expect(z[1]).toBeLessThan(-0.8);
  expect(x[0] * y[0]).toBeGreaterThan(0);
});

test("other settings leave shapes as they are, another generation or another box does not", () => {
  const world = { type: "world", generation: 3, scene: "a", radius: 1, world_from_fixed: [0, 0, 0, 1, 0, 0, 0], held_box: [[0, 0, 0], [1, 1, 1]], fixed_box: [[0, 0, 0], [2, 2, 2]], shell_on: "held", shell_points: 5, shell_levels: 2, lanes: [], playback: null } as unknown as World;
  expect(sameShapes(world, { ...world, lanes: [{ method: "hold", label: "", mu_static: 1, mu_kinetic: 1 }], rate: 500 })).toBe(true);
  expect(sameShapes(world, { ...world, generation: 4 })).toBe(false);
  expect(sameShapes(world, { ...world, held_box: [[0, 0, 0], [1, 1, 3]] })).toBe(false);
});
