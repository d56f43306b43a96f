import { describe, expect, it } from "vitest";
import { readAddress, writeAddress, type Address } from "../src/model/address";
import { layersText, readLayers } from "../src/model/layers";
import { DEFAULT_LAYERS } from "../src/view/contract";

const empty: Address = { scene: null, set: {}, compare: null, recording: null, time: null, cam: null, layers: null, token: null };

describe("address", () => {
  it("comes back as it went", () => {
    const address: Address = {
      scene: "peg-in-hole-round",
      set: { "friction.method": "lp", "friction.cone": "{ sides = 8 }", "friction.static": "0.35", "contact.release": "none", "damping.when": "colliding" },
      compare: { "friction.method": "yamane" },
      recording: "peg-2026-11-18.mcap",
      time: 12.345,
      cam: "0.01,0,-0.02,0.45,30.5,-12",
      layers: "contacts,shell:3,slice:held.z.0.25",
      token: "abc+/=&%20",
    };
    expect(readAddress(writeAddress(address))).toEqual(address);
  });

  it("is readable, in order, and empty for nothing", () => {
    expect(writeAddress(empty)).toBe("");
    expect(writeAddress({ ...empty, scene: "incline", set: { "friction.static": "0.3", "friction.method": "lp" } })).toBe("?scene=incline&set=friction.method=lp&set=friction.static=0.3");
  });

  it("keeps values as they are written: the server says which keys there are", () => {
    const set = readAddress('?set=friction.method="lp"&set=friction.static=8e-1&set=friction.static=0.50&set=no.such_key=1').set;
    expect(set).toEqual({ "friction.method": '"lp"', "friction.static": "0.50", "no.such_key": "1" });
  });

  it("leaves out what is hostile or makes no sense", () => {
    for (const bad of [
      "?set=friction.method",
      "?set==",
      "?set=__proto__=x",
      "?set=constructor=x",
      "?set=friction.static=" + "1".repeat(101),
      "?set=friction.static=%00",
      "?set=<script>.x=1",
      "?cam=<img src=x>",
      "?layers=" + "x".repeat(500),
      "?token=" + "x".repeat(201),
      "?token=a%00b",
      "?recording=../../etc/passwd.mcap",
      "?recording=.mcap",
      "?recording=a.txt",
      "?t=-1",
      "?t=1e9",
      "?scene=%00",
      "?scene=",
      "?%E0%A4%A",
    ]) {
      expect(readAddress(bad), bad).toEqual(empty);
    }
    expect(Object.keys(readAddress("?" + "set=friction.static=0.5&".repeat(1000)).set)).toEqual(["friction.static"]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe("layers", () => {
  it("come back as they went", () => {
    const layers = { ...DEFAULT_LAYERS, cones: true, hand: false, shellLevel: 0, slice: { part: "fixed", axis: "x", at: 0.125 } as const, metresPerNewton: 0.0025 };
    expect(readLayers(layersText(layers))).toEqual(layers);
    const none = { ...DEFAULT_LAYERS, contacts: false, normalForces: false, frictionForces: false, totalWrench: false, givesWay: false, hand: false, path: false };
    expect(layersText(none)).toBe("none");
    expect(readLayers("none")).toEqual(none);
  });

  it("say nothing for the default", () => {
    expect(layersText({ ...DEFAULT_LAYERS })).toBeNull();
    expect(readLayers(null)).toEqual(DEFAULT_LAYERS);
  });

  it("leave out nonsense", () => {
    const layers = readLayers("contacts,shell:-1,slice:moon.z.0.5,arrows:1e9,%,shell:,slice:held.z.7");
    expect(layers).toMatchObject({ contacts: true, hand: false, shellLevel: null, slice: null, metresPerNewton: null });
  });
});
