import { describe, expect, it } from "vitest";
import { add, directionToLocal, fromRotationVector, isPose, multiply, normalized, rotate, toLocal, toWorld, translated, turned, type Quat } from "../src/input/pose";
import type { PoseArray, Vec3 } from "../src/protocol";

const near = (a: readonly number[], b: readonly number[]) => a.forEach((x, i) => expect(x).toBeCloseTo(b[i]!, 10));
const some: PoseArray = [0.1, -0.2, 0.3, ...normalized([0.8, 0.1, -0.5, 0.3])];

describe("quaternions", () => {
  it("a quarter turn about z takes x to y", () => near(rotate(fromRotationVector([0, 0, Math.PI / 2]), [1, 0, 0]), [0, 1, 0]));
  it("the product turns by the right one first", () => {
    const [a, b]: [Quat, Quat] = [fromRotationVector([0, 0, Math.PI / 2]), fromRotationVector([Math.PI / 2, 0, 0])];
    near(rotate(multiply(a, b), [0, 1, 0]), rotate(a, rotate(b, [0, 1, 0])));
    near(rotate(multiply(a, b), [0, 1, 0]), [0, 0, 1]);
  });
  it("a tiny rotation vector is its own small angle", () => near(fromRotationVector([2e-10, 0, 0]), [1, 1e-10, 0, 0]));
});

describe("poses", () => {
  it("to the world and back", () => near(toLocal(some, toWorld(some, [0.4, 0.5, -0.6])), [0.4, 0.5, -0.6]));
  it("directions ignore the position", () => near(directionToLocal(some, [0.4, 0.5, -0.6]), toLocal(some, add([0.4, 0.5, -0.6], [0.1, -0.2, 0.3]))));
  it("translation is in the world's axes", () => near(translated(some, [1, 2, 3]).slice(0, 3), [1.1, 1.8, 3.3]));
  it("turning is in the world's axes and leaves the pivot where it is", () => {
    const pivot: Vec3 = [0.5, 0.1, -0.1];
    const rotation: Vec3 = [0.3, -0.4, 0.5];
    const after = turned(some, rotation, pivot);
    near(toWorld(after, toLocal(some, pivot)), pivot);
    const offset: Vec3 = [0.01, 0.02, 0.03];
    const moved = rotate(fromRotationVector(rotation), offset);
    near(toWorld(after, toLocal(some, add(pivot, offset))), add(pivot, moved));
  });
  it("ten thousand small turns keep the quaternion's length", () => {
    let p = some;
    for (let i = 0; i < 10_000; i++) p = turned(p, [1e-3, 2e-3, -1e-3], [0, 0, 0]);
    expect(Math.hypot(p[3], p[4], p[5], p[6])).toBeCloseTo(1, 12);
  });
  it("nonsense is no pose", () => {
    expect(isPose(some)).toBe(true);
    expect(isPose([NaN, 0, 0, 1, 0, 0, 0])).toBe(false);
    expect(isPose([0, 0, Infinity, 1, 0, 0, 0])).toBe(false);
    expect(isPose([0, 0, 0, 0, 0, 0, 0])).toBe(false);
    expect(isPose([0, 0, 0, 1])).toBe(false);
  });
});
