import { describe, expect, it } from "vitest";
import { coneSides, coneText, KEYS, normalise, numberOf, sameValue } from "../src/model/keys";
import { compareWith, sameOverrides, sameSetup, SceneValues, setupOf, withValue, without } from "../src/model/overrides";
import type { Overrides, World } from "../src/protocol";

const VALUES: Overrides = { "friction.method": "hold", "friction.cone": "disk", "friction.static": "0.8", "friction.kinetic": "0.7", "damping.alpha": "0.6" };
const world = (set: Overrides = {}, values: Overrides = VALUES, scene = "a") => ({ scene, set, compare: null, values: { ...values, ...set } }) as World;

describe("values", () => {
  it("are compared by meaning", () => {
    expect(sameValue("friction.static", "0.80", "8e-1")).toBe(true);
    expect(sameValue("friction.method", '"lp"', "lp")).toBe(true);
    expect(sameValue("friction.cone", "{sides=8}", "{ sides = 8 }")).toBe(true);
    expect(sameValue("friction.cone", "disk", "{ sides = 8 }")).toBe(false);
    expect(sameValue("friction.static", "0.8", undefined)).toBe(false);
    expect(sameOverrides({ "friction.static": "0.5" }, { "friction.static": "0.50" })).toBe(true);
    expect(sameOverrides(null, {})).toBe(false);
  });

  it("of cones", () => {
    expect(["disk", '"disk"', "{ sides = 3 }", '{ sides = 64, fit = "inscribed" }', "{ sides = 65 }", "8", "{}"].map(coneSides)).toEqual(["disk", "disk", 3, 64, null, null, null]);
    expect([coneText("disk"), coneText(5)]).toEqual(["disk", "{ sides = 5 }"]);
  });

  it("of every key have a form", () => {
    expect(Object.keys(KEYS)).toHaveLength(11);
    expect(["1", "-1", "1e3", " 2 ", "", "1,5", "abc", "1e"].map(numberOf)).toEqual([1, -1, 1000, 2, NaN, NaN, NaN, NaN]);
    expect(normalise("toString", "x")).toBeNull();
  });
});

describe("overrides", () => {
  it("keep kinetic friction at or below static", () => {
    expect(withValue({}, VALUES, "friction.static", "0.5")).toEqual({ "friction.static": "0.5", "friction.kinetic": "0.5" });
    expect(withValue({}, VALUES, "friction.kinetic", "0.9")).toEqual({ "friction.kinetic": "0.8" });
    expect(withValue({}, VALUES, "friction.static", "0.9")).toEqual({ "friction.static": "0.9" });
  });

  it("take the disk from lp, which works on pyramids only", () => {
    expect(withValue({ "friction.cone": "disk" }, VALUES, "friction.method", "lp")).toEqual({ "friction.method": "lp" });
    expect(compareWith("lp", { "friction.cone": "disk" })).toEqual({ "friction.method": "lp", "friction.cone": "{ sides = 8 }" });
    expect(compareWith("yamane", {})).toEqual({ "friction.method": "yamane" });
    expect(compareWith(null, {})).toBeNull();
  });

  it("refuse what a key does not take", () => {
    const set = { "friction.static": "0.5" };
    expect(withValue(set, VALUES, "friction.static", "many")).toBe(set);
    expect(withValue(set, VALUES, "held.mesh", "x")).toBe(set);
    expect(without(set, "friction.static")).toEqual({});
  });

  it("that say what the scene says are none", () => {
    const own = new SceneValues();
    own.learn(world({ "damping.alpha": "0.3" }));
    const setup = { scene: "a", set: { "damping.alpha": "0.6", "friction.static": "0.80" }, compare: null };
    expect(own.diff(setup).set).toEqual({ "damping.alpha": "0.6" });
    own.learn(world());
    expect(own.diff(setup).set).toEqual({});
    expect(own.diff({ ...setup, scene: "b" }).set).toEqual(setup.set);
  });

  it("do not take a value that follows another for the scene's own", () => {
    const own = new SceneValues();
    own.learn(world({ "friction.method": "lp" }, { ...VALUES, "friction.cone": "{ sides = 8 }" }));
    expect(own.own("a", "friction.cone", {})).toBeUndefined();
    own.learn(world());
    expect(own.own("a", "friction.cone", {})).toBe("disk");
    expect(own.own("a", "friction.cone", { "friction.method": "lp" })).toBeUndefined();
  });

  it("and scenes make setups", () => {
    const setup = setupOf(world({ "friction.static": "0.5" }));
    expect(sameSetup(setup, { scene: "a", set: { "friction.static": "0.50" }, compare: null })).toBe(true);
    expect(sameSetup(setup, { ...setup, scene: "b" })).toBe(false);
  });
});
