import { describe, expect, it } from "vitest";
import { Target } from "../src/input/target";
import type { PoseArray } from "../src/protocol";

const at = (x: number): PoseArray => [x, 0, 0, 1, 0, 0, 0];

describe("target", () => {
  it("begins at the frame's hand", () => expect(new Target().begin(at(1), 0)).toEqual(at(1)));
  it("trusts its own pose while it is young, then the frames", () => {
    const t = new Target();
    t.set(at(2), 1000);
    expect(t.begin(at(1), 1100)).toEqual(at(2));
    expect(t.shown(1100)).toEqual(at(2));
    expect(t.begin(at(1), 2000)).toEqual(at(1));
    expect(t.shown(2000)).toBeNull();
  });
  it("trusts it throughout a drag, however long the pointer rests", () => {
    const t = new Target();
    t.hold(true, 0);
    t.set(at(2), 10);
    expect(t.shown(60_000)).toEqual(at(2));
    t.hold(false, 60_000);
    expect(t.shown(60_000)).toBeNull();
  });
  it("a press alone does not bring an old pose back", () => {
    const t = new Target();
    t.set(at(2), 0);
    t.hold(true, 5000);
    expect(t.shown(5000)).toBeNull();
    expect(t.begin(at(1), 5000)).toEqual(at(1));
  });
  it("is sent once", () => {
    const t = new Target();
    t.set(at(2), 0);
    expect([t.take(), t.take()]).toEqual([at(2), null]);
  });
  it("drops nonsense", () => {
    const t = new Target();
    t.set([NaN, 0, 0, 1, 0, 0, 0], 0);
    expect(t.take()).toBeNull();
  });
  it("forgets", () => {
    const t = new Target();
    t.set(at(2), 0);
    t.clear();
    expect([t.take(), t.last(), t.shown(0)]).toEqual([null, null, null]);
  });
});
