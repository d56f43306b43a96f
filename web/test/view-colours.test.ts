import { describe, expect, it } from "vitest";
import { paletteOf, type Palette } from "../src/view/colours";

type Triple = [number, number, number];

const linear = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Triple;

const times = (m: Triple[], v: Triple) => m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Triple;

/** How people with the two common kinds of colour blindness see linear sRGB: F. Viénot and others, Color Research & Application 24 (1999). */
const EYES: Record<string, Triple[]> = {
  trichromat: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  deuteranope: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};

/** CIE L*a*b* of linear sRGB under D65. */
function lab(rgb: Triple): Triple {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], rgb);
  const [x, y, z] = [f(xyz[0] / 0.9505), f(xyz[1]), f(xyz[2] / 1.089)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** What is drawn on each other and must not be taken for another. */
const TOGETHER: (keyof Palette)[][] = [
  ["held", "normalForce", "frictionForce", "wrench", "givesWay"],
  ["fixed", "normalForce", "frictionForce", "wrench", "givesWay"],
  ["stuck", "sliding"],
  ["held", "fixed"],
  ["held", "background"],
];

describe("colours", () => {
  for (const theme of ["light", "dark"] as const) {
    for (const [eye, matrix] of Object.entries(EYES)) {
      it(`that lie on each other differ for a ${eye} in the ${theme} look`, () => {
        const palette = paletteOf(theme);
        for (const group of TOGETHER) {
          group.forEach((a, i) => {
            for (const b of group.slice(i + 1)) {
              const [p, q] = [a, b].map((name) => lab(times(matrix, linear(palette[name]))));
              const difference = Math.hypot(p![0] - q![0], p![1] - q![1], p![2] - q![2]);
              // Nine times the difference that is just seen (2.3).
              expect(difference, `${a} and ${b}`).toBeGreaterThan(20);
            }
          });
        }
      });
    }
  }
});
