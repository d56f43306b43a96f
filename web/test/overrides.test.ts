import { describe, expect, it } from "vitest";
import { coneSides, coneText, Controls, numberOf } from "../src/model/keys";
import { known, otherValue, possible, sameOverrides, sameSetup, SceneValues, secondLane, setupOf, without } from "../src/model/overrides";
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
  const valueOf = (key: string) => VALUES[key];

  it("come back as they were: what is lowered for another value is not forgotten", () => {
    const wishes = { "friction.kinetic": "0.75" };
    expect(possible(controls, { ...wishes, "friction.static": "0.5" }, valueOf)).toEqual({ "friction.static": "0.5", "friction.kinetic": "0.5" });
    expect(possible(controls, wishes, valueOf)).toEqual(wishes);
    // The scene's own kinetic friction is no wish: the server lowers it, and raises it again.
    expect(possible(controls, { "friction.static": "0.5" }, valueOf)).toEqual({ "friction.static": "0.5" });
  });

  it("leave the disk out for lp, which works on pyramids only, and only for it", () => {
    const wishes = { "friction.cone": "disk", "friction.method": "lp" };
    expect(possible(controls, wishes, valueOf)).toEqual({ "friction.method": "lp" });
    expect(possible(controls, { ...wishes, "friction.method": "hold" }, valueOf)).toEqual({ "friction.cone": "disk", "friction.method": "hold" });
  });

  it("of a second lane are any key, with a pyramid where lp needs it", () => {
    expect(secondLane(controls, null, "friction.method", "lp", { "friction.cone": "disk" })).toEqual({ "friction.method": "lp", "friction.cone": "{ sides = 8 }" });
    expect(secondLane(controls, null, "friction.method", "yamane", {})).toEqual({ "friction.method": "yamane" });
    expect(secondLane(controls, { "friction.static": "0.3" }, "coupling.stiffness", "500", {})).toEqual({ "friction.static": "0.3", "coupling.stiffness": "500" });
  });

  it("begin a comparison with a value of their own that the key takes", () => {
    for (const control of controls.list) {
      for (const value of [VALUES[control.key], undefined]) {
        const other = otherValue(control, value);
        expect(controls.normalise(control.key, other), control.key).not.toBeNull();
        if (value !== undefined) expect(controls.same(control.key, other, value), control.key).toBe(false);
      }
    }
  });

  it("that a key does not take are refused with the reason", () => {
    const why = (key: string, text: string) => controls.refusal(key, text, valueOf);
    expect(why("friction.static", "0.5")).toBeNull();
    expect(why("friction.static", "many")).toBe("“many” was not taken: a number is wanted");
    expect(why("friction.static", "11")).toBe("“11” was not taken: a number from 0 to 10 is wanted");
    expect(why("friction.kinetic", "0.9")).toBe("“0.9” was not taken: it must not be above µ static, which is 0.8");
    expect(why("friction.cone", "{ sides = 65 }")).toMatch(/3 to 64 sides/);
    expect(why("friction.method", "glue")).toMatch(/one of .*hold/);
    expect(why("held.points", "10.5")).toMatch(/a whole number from 1 to 100000/);
    expect(why("held.mesh", "x")).toMatch(/no key/);
    expect(without({ "friction.static": "0.5" }, "friction.static")).toEqual({});
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
