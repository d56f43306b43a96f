import { describe, expect, it } from "vitest";
import { coneSides, coneText, Controls, numberOf } from "../src/model/keys";
import { compareWith, known, sameOverrides, sameSetup, SceneValues, setupOf, withValue, without } from "../src/model/overrides";
import type { Control, Overrides, World } from "../src/protocol";
import list from "./controls.json";

// What the server sends; a Rust test keeps the file in step with the declarations of keys.
const controls = new Controls(list as Control[]);

const VALUES: Overrides = { "friction.method": "hold", "friction.cone": "disk", "friction.static": "0.8", "friction.kinetic": "0.7", "damping.alpha": "0.6" };
const world = (set: Overrides = {}, values: Overrides = VALUES, scene = "a") => ({ scene, set, compare: null, values: { ...values, ...set } }) as World;

describe("values", () => {
  it("are compared by meaning", () => {
    expect(controls.same("friction.static", "0.80", "8e-1")).toBe(true);
    expect(controls.same("friction.method", '"lp"', "lp")).toBe(true);
    expect(controls.same("friction.cone", "{sides=8}", "{ sides = 8 }")).toBe(true);
    expect(controls.same("friction.cone", "disk", "{ sides = 8 }")).toBe(false);
    expect(controls.same("friction.static", "0.8", undefined)).toBe(false);
    expect(sameOverrides(controls, { "friction.static": "0.5" }, { "friction.static": "0.50" })).toBe(true);
    expect(sameOverrides(controls, null, {})).toBe(false);
  });

  it("of cones", () => {
    expect(["disk", '"disk"', "{ sides = 3 }", '{ sides = 64, fit = "inscribed" }', "{ sides = 65 }", "8", "{}"].map(coneSides)).toEqual(["disk", "disk", 3, 64, 65, null, null]);
    expect(["{ sides = 64 }", "{ sides = 65 }", "{ sides = 2 }"].map((text) => controls.normalise("friction.cone", text))).toEqual(["{ sides = 64 }", null, null]);
    expect([coneText("disk"), coneText(5)]).toEqual(["disk", "{ sides = 5 }"]);
  });

  it("of every key have a form", () => {
    expect(controls.compared?.key).toBe("friction.method");
    for (const { key, kind, limits, words } of controls.list) {
      const value = { number: String(limits[1]), word: words[0]?.word ?? "", flag: "true", cone: "disk" }[kind];
      expect(controls.normalise(key, value), key).toBe(value);
      expect(controls.normalise(key, "nonsense"), key).toBeNull();
    }
    expect(["1", "-1", "1e3", " 2 ", "", "1,5", "abc", "1e"].map(numberOf)).toEqual([1, -1, 1000, 2, NaN, NaN, NaN, NaN]);
    expect(controls.normalise("toString", "x")).toBeNull();
  });
});

describe("overrides", () => {
  it("keep kinetic friction at or below static", () => {
    expect(withValue(controls, {}, VALUES, "friction.static", "0.5")).toEqual({ "friction.static": "0.5", "friction.kinetic": "0.5" });
    expect(withValue(controls, {}, VALUES, "friction.kinetic", "0.9")).toEqual({ "friction.kinetic": "0.8" });
    expect(withValue(controls, {}, VALUES, "friction.static", "0.9")).toEqual({ "friction.static": "0.9" });
  });

  it("take the disk from lp, which works on pyramids only", () => {
    expect(withValue(controls, { "friction.cone": "disk" }, VALUES, "friction.method", "lp")).toEqual({ "friction.method": "lp" });
    expect(compareWith(controls, "lp", { "friction.cone": "disk" })).toEqual({ "friction.method": "lp", "friction.cone": "{ sides = 8 }" });
    expect(compareWith(controls, "yamane", {})).toEqual({ "friction.method": "yamane" });
    expect(compareWith(controls, null, {})).toBeNull();
  });

  it("refuse what a key does not take", () => {
    const set = { "friction.static": "0.5" };
    expect(withValue(controls, set, VALUES, "friction.static", "many")).toBe(set);
    expect(withValue(controls, set, VALUES, "held.mesh", "x")).toBe(set);
    expect(without(set, "friction.static")).toEqual({});
  });

  it("of an address that the server does not take are told", () => {
    const read = { "friction.method": '"lp"', "friction.static": "8e-1", "friction.methd": "lp", "damping.alpha": "1", "friction.cone": "{ sides = 65 }" };
    expect(known(controls, read)).toEqual({ set: { "friction.method": "lp", "friction.static": "0.8" }, unknown: ["friction.methd=lp", "damping.alpha=1", "friction.cone={ sides = 65 }"] });
  });

  it("that say what the scene says are none", () => {
    const own = new SceneValues();
    own.learn(controls, world({ "damping.alpha": "0.3" }));
    const setup = { scene: "a", set: { "damping.alpha": "0.6", "friction.static": "0.80" }, compare: null };
    expect(own.diff(controls, setup).set).toEqual({ "damping.alpha": "0.6" });
    own.learn(controls, world());
    expect(own.diff(controls, setup).set).toEqual({});
    expect(own.diff(controls, { ...setup, scene: "b" }).set).toEqual(setup.set);
  });

  it("do not take a value that follows another for the scene's own", () => {
    const own = new SceneValues();
    own.learn(controls, world({ "friction.method": "lp" }, { ...VALUES, "friction.cone": "{ sides = 8 }" }));
    expect(own.own(controls, "a", "friction.cone", {})).toBeUndefined();
    own.learn(controls, world());
    expect(own.own(controls, "a", "friction.cone", {})).toBe("disk");
    expect(own.own(controls, "a", "friction.cone", { "friction.method": "lp" })).toBeUndefined();
  });

  it("and scenes make setups", () => {
    const setup = setupOf(world({ "friction.static": "0.5" }));
    expect(sameSetup(controls, setup, { scene: "a", set: { "friction.static": "0.50" }, compare: null })).toBe(true);
    expect(sameSetup(controls, setup, { ...setup, scene: "b" })).toBe(false);
  });
});
