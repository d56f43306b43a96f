import { describe, expect, it } from "vitest";
import { dragged, onPlane, rolled, wheelDepth, wheelPixels, type Drag } from "../src/input/drag";
import { dot, length, sub, unit } from "../src/input/pose";
import { basisOf, projected, rayOf, type Orbit } from "../src/view/orbit";

const camera: Orbit = { target: [0.1, 0, 0.05], distance: 0.6, azimuth: 0.7, elevation: 0.4 };
const basis = basisOf(camera);
const aspect = 1.5;

function begin(): Drag {
  return { start: [0.2, 0.1, 0, 1, 0, 0, 0], anchor: [0.13, 0.02, 0.06], forward: basis.forward, depth: 0 };
}
const rayTo = (x: number, y: number) => rayOf(camera, x, y, aspect);

describe("dragging", () => {
  it("where the pointer went down nothing has moved", () => {
    const drag = begin();
    const [x, y] = projected(camera, drag.anchor, aspect);
    const pose = dragged(drag, rayTo(x, y))!;
    expect(length(sub([pose[0], pose[1], pose[2]], [0.2, 0.1, 0]))).toBeLessThan(1e-12);
  });
  it("the grabbed point stays under the pointer, in a plane parallel to the screen", () => {
    const drag = begin();
    const pose = dragged(drag, rayTo(-0.3, 0.6))!;
    const motion = sub([pose[0], pose[1], pose[2]], [0.2, 0.1, 0]);
    expect(dot(motion, basis.forward)).toBeCloseTo(0, 12);
    const [x, y] = projected(camera, [drag.anchor[0] + motion[0], drag.anchor[1] + motion[1], drag.anchor[2] + motion[2]], aspect);
    expect([x, y][0]).toBeCloseTo(-0.3, 10);
    expect(y).toBeCloseTo(0.6, 10);
  });
  it("the wheel adds exactly its depth along the line of sight", () => {
    const drag = { ...begin(), depth: 0.02 };
    const pose = dragged(drag, rayTo(0.1, 0.1))!;
    expect(dot(sub([pose[0], pose[1], pose[2]], [0.2, 0.1, 0]), basis.forward)).toBeCloseTo(0.02, 12);
  });
  it("orientation is kept", () => expect(dragged(begin(), rayTo(0.5, 0))!.slice(3)).toEqual([1, 0, 0, 0]));
  it("rays along the plane, or away from it, meet nothing", () => {
    expect(onPlane({ origin: [0, 0, 0], direction: [1, 0, 0] }, [0, 0, 1], [0, 0, 1])).toBeNull();
    expect(onPlane({ origin: [0, 0, 2], direction: [0, 0, 1] }, [0, 0, 1], [0, 0, 1])).toBeNull();
  });
});

describe("rolling", () => {
  it("to the right turns about the view's up axis: the near side goes right", () => {
    const r = rolled(100, 0, basis, 400);
    expect(dot(unit(r), basis.up)).toBeCloseTo(1, 12);
    expect(length(r)).toBeCloseTo(Math.PI / 4, 12);
  });
  it("down turns about the view's right axis", () => expect(dot(unit(rolled(0, 5, basis, 400)), basis.right)).toBeCloseTo(1, 12));
});

describe("wheel", () => {
  it("lines and pages are pixels, and one event is bounded", () => {
    expect(wheelPixels(3, 1)).toBe(48);
    expect(wheelPixels(1, 2)).toBe(240);
    expect(wheelPixels(-1e9, 0)).toBe(-240);
    expect(wheelPixels(NaN, 0)).toBe(0);
  });
  it("forward moves away, in proportion to the part", () => {
    expect(wheelDepth(-100, 0.1, false)).toBeCloseTo(0.005, 12);
    expect(wheelDepth(-100, 0.1, true)).toBeCloseTo(0.001, 12);
  });
});
