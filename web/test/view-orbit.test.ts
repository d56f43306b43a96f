import { describe, expect, it } from "vitest";
import { cross, dot, length, sub } from "../src/input/pose";
import type { Vec3, World } from "../src/protocol";
import { basisOf, eyeOf, fitted, orbited, panned, parsed, printed, projected, rayOf, seenFrom, zoomed, zoomedAt, type Orbit } from "../src/view/orbit";
import { pictureAt, pictures, toPixels, toUnit } from "../src/view/screen";

const o: Orbit = { target: [0.1, -0.2, 0.3], distance: 0.8, azimuth: -1.1, elevation: 0.5 };

describe("orbit", () => {
  it("axes are right-handed, with up upwards", () => {
    const { right, up, forward } = basisOf(o);
    expect(length(sub(cross(right, up), [-forward[0], -forward[1], -forward[2]]))).toBeLessThan(1e-12);
    expect(up[2]).toBeGreaterThan(0);
    expect(dot(right, [0, 0, 1])).toBe(0);
  });
  it("the target is in the middle of the picture, at the distance", () => {
    const [x, y, depth] = projected(o, o.target, 1.7);
    expect(Math.abs(x) + Math.abs(y)).toBeLessThan(1e-12);
    expect(depth).toBeCloseTo(0.8, 12);
  });
  it("rays go through what is projected there, in any shape of picture", () => {
    for (const aspect of [0.4, 1, 2.5]) {
      const point: Vec3 = [0.15, -0.1, 0.25];
      const [x, y] = projected(o, point, aspect);
      const { origin, direction } = rayOf(o, x, y, aspect);
      expect(length(cross(direction, sub(point, origin)))).toBeLessThan(1e-12);
    }
  });
  it("never turns over, and zoom is bounded", () => {
    expect(orbited(o, 0, 1e6, 500).elevation).toBeLessThanOrEqual(Math.PI / 2);
    expect(zoomed(o, 1e-9, 0.1).distance).toBeCloseTo(0.01, 12);
    expect(zoomed(o, NaN, 0.1)).toEqual(o);
  });
  it("zooms towards a place, which stays where it is", () => {
    const [x, y, aspect] = [0.6, -0.3, 1.5];
    const ray = rayOf(o, x, y, aspect);
    const { forward } = basisOf(o);
    const t = dot(sub(o.target, ray.origin), forward) / dot(ray.direction, forward);
    const point: Vec3 = [0, 1, 2].map((k) => ray.origin[k]! + t * ray.direction[k]!) as Vec3;
    const near = zoomedAt(o, 0.5, 0.1, ray);
    expect(near.distance).toBeCloseTo(0.4, 12);
    expect(projected(near, point, aspect)[0]).toBeCloseTo(x, 10);
    expect(projected(near, point, aspect)[1]).toBeCloseTo(y, 10);
  });
  it("the usual views have the usual axes to the right and upwards", () => {
    const axes = (["front", "side", "top"] as const).map((view) => {
      const { right, up } = basisOf(seenFrom(o, view));
      return [right, up].map((v) => v.map((c) => Math.round(c) + 0));
    });
    expect(axes).toEqual([[[1, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0]]]);
    const iso = eyeOf({ ...seenFrom(o, "iso"), target: [0, 0, 0] });
    expect(Math.abs(iso[0])).toBeCloseTo(Math.abs(iso[2]), 12);
    expect(seenFrom(o, "top")).toMatchObject({ target: o.target, distance: o.distance });
    expect(parsed(printed(seenFrom(o, "top")))?.elevation).toBeCloseTo(Math.PI / 2, 10);
  });
  it("panning by pixels moves the target by them", () => {
    const [width, height] = [900, 600];
    const moved = panned(o, 30, -12, height, width / height);
    const [x, y] = projected(moved, o.target, width / height);
    expect(((x + 1) * width) / 2 - width / 2).toBeCloseTo(30, 8);
    expect(((1 - y) * height) / 2 - height / 2).toBeCloseTo(-12, 8);
  });
  it("survives its text, and refuses nonsense", () => {
    const back = parsed(printed(o))!;
    expect(length(sub(eyeOf(back), eyeOf(o)))).toBeLessThan(1e-3);
    for (const text of ["", "1,2,3", "a,b,c,d,e,f", "0,0,0,0,0,0", "0,0,0,-1,0,0", "0,0,0,1,0,100", "0,0,0,1e99,0,0", "0,0,0,,0,0"]) expect(parsed(text)).toBeNull();
  });
  it("looks from the side that the first view looks from", () => {
    const home = { ...o, azimuth: (125 * Math.PI) / 180 };
    const from = (view: "front" | "side" | "top" | "iso") => Math.round((seenFrom(o, view, home).azimuth * 180) / Math.PI);
    expect([from("front"), from("side"), from("top"), from("iso")]).toEqual([90, 180, -90, 135]);
    expect(seenFrom(o, "iso", { ...o, azimuth: -1 })).toEqual(seenFrom(o, "iso"));
  });
  it("looks first from where the part is not hidden", () => {
    const world = { radius: 0.1, start: [0, 0, 0, 1, 0, 0, 0], end: [0, 0, 0, 1, 0, 0, 0], held_box: [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]], fixed_box: [[-1, -1, -1], [1, 1, 0]] } as unknown as World;
    const fit = fitted(world, (from) => from[1] < 0);
    expect(eyeOf(fit)[1]).toBeGreaterThan(0);
    expect(eyeOf(fitted(world))[1]).toBeLessThan(0);
  });
});

describe("pictures", () => {
  it("two of them share the width but for the line between", () => {
    const [a, b] = pictures(1001, 500, 2);
    expect(a!.width + b!.width).toBe(999);
    expect([pictureAt([a!, b!], 10), pictureAt([a!, b!], 990), pictureAt([a!], 990)]).toEqual([0, 1, 0]);
  });
  it("places go to units and back", () => {
    const r = pictures(1000, 500, 2)[1]!;
    const [x, y] = toPixels(r, ...toUnit(r, 700, 80));
    expect(x).toBeCloseTo(700, 9);
    expect(y).toBeCloseTo(80, 9);
  });
});
