import { describe, expect, it } from "vitest";
import { DEAD, ratesOfPad, rumbleOf, stick, trigger } from "../src/input/pad";
import { isMoving } from "../src/input/rates";

const buttons = (values: Record<number, number>) => Array.from({ length: 16 }, (_, i) => ({ value: values[i] ?? 0 }));

describe("sticks", () => {
  it("are still in a round dead zone", () => {
    expect(stick(DEAD * 0.99, 0)).toEqual([0, 0]);
    expect(stick(0.08, -0.08)).toEqual([0, 0]);
    expect(stick(NaN, 0)).toEqual([0, 0]);
  });
  it("begin at nothing beyond it, and end at 1", () => {
    expect(Math.hypot(...stick(DEAD + 1e-3, 0))).toBeLessThan(1e-5);
    expect(stick(1, 0)[0]).toBeCloseTo(1, 12);
    expect(Math.hypot(...stick(1, 1))).toBeCloseTo(1, 12);
  });
  it("keep the direction", () => {
    const [x, y] = stick(0.3, -0.6);
    expect(y / x).toBeCloseTo(-2, 12);
  });
  it("triggers have a dead zone too", () => expect([trigger(0.04), trigger(1)]).toEqual([0, 1]));
});

describe("pad", () => {
  it("up on the left stick, which is negative, is up; triggers are depth; the right stick turns", () => {
    const r = ratesOfPad([0, -1, 1, 0], buttons({ 7: 1 }));
    expect(r.move[1]).toBeCloseTo(1, 12);
    expect(r.move[2]).toBe(1);
    expect(r.turn[1]).toBeCloseTo(1, 12);
  });
  it("at rest, or with axes missing, there is no motion", () => expect(isMoving(ratesOfPad([0.01, -0.02], []))).toBe(false));
});

describe("rumble", () => {
  it("grows with the force up to the largest", () => {
    expect(rumbleOf(5, 10, false)!.strong).toBeCloseTo(0.35, 12);
    expect(rumbleOf(50, 10, false)!.strong).toBeCloseTo(0.7, 12);
  });
  it("is none without force, or with nonsense", () => {
    expect(rumbleOf(0, 10, false)).toBeNull();
    expect(rumbleOf(NaN, 10, false)).toBeNull();
    expect(rumbleOf(5, 0, false)).toBeNull();
  });
  it("is stronger when a slip begins", () => {
    expect(rumbleOf(5, 10, true)!.strong).toBeGreaterThan(rumbleOf(5, 10, false)!.strong);
    expect(rumbleOf(0, 10, true)).not.toBeNull();
  });
});
