import { describe, expect, it } from "vitest";
import { length, sub, toLocal, toWorld } from "../src/input/pose";
import { advanced, FINE, follow, isHandKey, isMoving, MOVE_SPEED, plus, ratesOfKeys, still, TURN_SPEED, type Rates } from "../src/input/rates";
import type { PoseArray, Vec3 } from "../src/protocol";

const basis = { right: [1, 0, 0] as Vec3, up: [0, 0, 1] as Vec3, forward: [0, 1, 0] as Vec3 };
const keys = (...codes: string[]) => ratesOfKeys(new Set(codes), false, false);
const home: PoseArray = [0, 0, 0, 1, 0, 0, 0];

describe("keys", () => {
  it("move in the view's axes", () => {
    expect(keys("ArrowRight", "KeyW").move).toEqual([1, 1, 0]);
    expect(keys("KeyA", "ArrowDown", "KeyE").move).toEqual([-1, -1, 1]);
  });
  it("opposite keys cancel, and two for the same count once", () => {
    expect(keys("KeyA", "KeyD").move[0]).toBe(0);
    expect(keys("KeyD", "ArrowRight").move[0]).toBe(1);
  });
  it("with Alt the keys that move turn instead, as the keys that turn do", () => {
    for (const [move, turn] of [["ArrowRight", "KeyL"], ["ArrowLeft", "KeyJ"], ["ArrowUp", "KeyI"], ["ArrowDown", "KeyK"], ["KeyE", "KeyO"], ["KeyQ", "KeyU"]] as const) {
      const alt = ratesOfKeys(new Set([move]), true, false);
      expect(alt.turn.map((x) => x + 0)).toEqual(keys(turn).turn.map((x) => x + 0));
      expect(isMoving({ move: alt.move, turn: [0, 0, 0] })).toBe(false);
    }
  });
  it("Shift is five times finer", () => expect(ratesOfKeys(new Set(["KeyD"]), false, true).move[0]).toBeCloseTo(FINE, 12));
  it("others are not ours", () => expect([isHandKey("KeyH"), isHandKey("Space"), isHandKey("KeyQ")]).toEqual([false, false, true]));
});

describe("speeds", () => {
  it("follow smoothly, whatever the frame rate", () => {
    const goal = keys("KeyD");
    let fine: Rates = still();
    for (let i = 0; i < 100; i++) fine = follow(fine, goal, 0.001);
    const coarse = follow(still(), goal, 0.1);
    expect(fine.move[0]).toBeCloseTo(coarse.move[0], 10);
    expect(coarse.move[0]).toBeGreaterThan(0.75);
  });
  it("come to rest", () => {
    let r = keys("KeyD", "KeyL");
    for (let i = 0; i < 60; i++) r = follow(r, still(), 1 / 60);
    expect(isMoving(r)).toBe(false);
  });
  it("a second at full speed moves by a share of the radius, in any steps", () => {
    let p = home;
    for (let i = 0; i < 50; i++) p = advanced(p, keys("KeyE"), 0.02, basis, [0, 0, 0], 0.1);
    expect(p[1]).toBeCloseTo(MOVE_SPEED * 0.1, 12);
  });
  it("turning keeps the pivot", () => {
    const pivot: Vec3 = [0.1, 0.2, 0.3];
    const p = advanced(home, keys("KeyL", "KeyK"), 0.5, basis, pivot, 1);
    expect(length(sub(toWorld(p, toLocal(home, pivot)), pivot))).toBeLessThan(1e-12);
    expect(2 * Math.acos(p[3])).toBeCloseTo(TURN_SPEED * 0.5 * Math.SQRT2, 10);
  });
  it("add up", () => expect(plus(keys("KeyD"), keys("KeyL"))).toEqual({ move: [1, 0, 0], turn: [0, 1, 0] }));
});
