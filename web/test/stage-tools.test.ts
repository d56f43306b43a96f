import { describe, expect, it } from "vitest";
import { displaced } from "../src/panels/lanes";
import { gradient } from "../src/panels/stage-tools";

describe("the colour bar of a slice", () => {
  it("has its surface where the distance is nothing, and colours from the deepest to the farthest", () => {
    const colours = { inside: "#00f", outside: "#f00", surface: "#000", paper: "#fff" };
    const css = gradient({ part: "held", axis: "z", position: 0, deepest: 0.01, farthest: 0.03, spacing: 0.001, colours });
    expect(css).toContain("#000 24.50%, #000 25.50%");
    expect(css).toMatch(/^linear-gradient\(to right, color-mix\(in srgb-linear, #00f 85\.0%, #fff\) 0\.00%/);
    expect(css).toMatch(/color-mix\(in srgb-linear, #f00 64\.0%, #fff\) 100\.00%\)$/);
    const places = [...css.matchAll(/ (\d+\.\d+)%(?=[,)](?! #fff))/g)].map((m) => Number(m[1]));
    expect(places.length).toBeGreaterThan(20);
  });
});

describe("how far a part is from its start", () => {
  it("is the way of its origin and the angle between orientations, whatever the sign of a quaternion", () => {
    const half = Math.SQRT1_2;
    expect(displaced([0, 0, 0, 1, 0, 0, 0], [0.003, 0, -0.004, half, 0, 0, half])).toBe("5.00 mm, 90.0°");
    expect(displaced([0, 0, 0, 1, 0, 0, 0], [0, 0, 0, -1, 0, 0, 0])).toBe("0.00 mm, 0.0°");
  });
});
