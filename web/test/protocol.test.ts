import { describe, expect, it } from "vitest";
import { decodeFrame, frameGeneration, decodeMesh, decodeShell, decodeSlice } from "../src/protocol";
import { parse, apiUrl, socketUrl } from "../src/connection";
import { frameBytes, HAND, TABLE } from "./frames";

describe("frames", () => {
  it("are read as PROTOCOL.md lays them out", () => {
    const bytes = frameBytes({ lanes: 2, bits: 5, source: 2 });
    const frame = decodeFrame(bytes, TABLE);
    expect(frameGeneration(bytes)).toBe(7);
    expect(frame).toMatchObject({ generation: 7, source: "recording", paused: true, recording: false, playback: true, time: 1.5, tick: 1500, handSeq: 42, speed: 0.25, rate: 999.5, skipped: 3, lateMax: 2e-5 });
    expect(frame?.hand).toEqual([0.1, 0.2, 0.3, 1, 0, 0, 0]);
    const [a, b] = frame?.lanes ?? [];
    expect(a?.part).toEqual([1001, 1002, 1003, 1004, 1005, 1006, 1007]);
    expect(a?.centre).toEqual([1008, 1009, 1010]);
    expect(a?.wrench).toEqual([1011, 1012, 1013, 1014, 1015, 1016]);
    expect(a?.row).toMatchObject({ tick: 2 ** 40 + 1, contacts: 98, flags: ["bad-hand", "saturated"], verdict: "holds", stuck: 90, sliding: 8, depth_m: 1022 });
    expect(a).toMatchObject({ margin: 0.5, creep: 1044, cpuMean: 1045, cpuMax: 1046, phase: 2, ticks: 16, slipped: 4, holds: [5, 0], sentence: "It holds: µ ≤ 0.8" });
    expect(a?.bodies).toEqual([[2000, 2001, 2002, 2003, 2004, 2005, 2006], [2007, 2008, 2009, 2010, 2011, 2012, 2013]]);
    expect(b?.part[0]).toBe(2001);
    expect(b?.contacts.id).toEqual(new Uint32Array([500, 501]));
    expect(b?.contacts.state).toEqual(new Uint8Array([1, 2]));
    expect(b?.contacts.position[3]).toBe(1);
    expect(b?.contacts.normalForce[1]).toBe(1 + 12 / 16);
    expect(b?.contacts.depth[1]).toBe(1 + 14 / 16);
  });

  it("of an engine without verdicts have none", () => {
    const lane = decodeFrame(frameBytes({ columns: HAND }), HAND)?.lanes[0];
    expect(lane?.part[0]).toBe(1001);
    expect([lane?.row.verdict, lane?.row.stuck, lane?.row.depth_m]).toEqual([undefined, undefined, undefined]);
    expect(lane?.sentence).toBe("It holds: µ ≤ 0.8");
  });

  it("of another table are null", () => {
    expect(decodeFrame(frameBytes({ columns: HAND }), TABLE)).toBeNull();
    expect(decodeFrame(frameBytes(), [])).toBeNull();
  });

  it("have words that the page does not know yet", () => {
    const columns = TABLE.map((c) => (c.name === "verdict" ? { ...c, kind: { choice: ["free"] } } : c.name === "flags" ? { ...c, kind: { flags: ["first"] } } : c));
    const row = decodeFrame(frameBytes(), columns)?.lanes[0]?.row;
    expect([row?.verdict, row?.flags]).toEqual(["unknown", ["first", "bit 2"]]);
  });

  it("are null when cut off anywhere", () => {
    const whole = frameBytes({ lanes: 2, contacts: 1, areas: [3], sentence: "ab" });
    for (let n = 0; n < whole.byteLength; n++) expect(decodeFrame(whole.slice(0, n), TABLE)).toBeNull();
    expect(decodeFrame(whole, TABLE)).not.toBeNull();
    expect([frameGeneration(whole.slice(0, 119)), frameGeneration(new ArrayBuffer(200))]).toEqual([null, null]);
  });

  it("are null when they claim what cannot be", () => {
    const spoil = (at: number, value: number, wide = false) => {
      const bytes = frameBytes();
      if (wide) new DataView(bytes).setUint32(at, value, true);
      else new DataView(bytes).setUint8(at, value);
      return decodeFrame(bytes, TABLE);
    };
    expect(spoil(0, 9)).toBeNull();
    expect(spoil(1, 0)).toBeNull();
    expect(spoil(1, 3)).toBeNull();
    for (const at of [100, 104, 108, 112, 116]) expect(spoil(120 + at, 0xffffffff, true)).toBeNull();
  });

  it("carry areas with their corners, also of bodies beyond 255", () => {
    const areas = decodeFrame(frameBytes({ areas: [3, 0, 4], bits: 8 }), TABLE)?.lanes[0]?.areas;
    expect(areas).toMatchObject({ count: 3, id: new Uint32Array([900, 901, 902]), state: new Uint8Array([1, 2, 1]), start: new Uint32Array([0, 3, 3, 7]) });
    expect(areas?.bodies).toEqual(new Uint16Array([0, 300, 1, 301, 2, 302]));
    expect([areas?.normal[4], areas?.centre[6], areas?.friction[8], areas?.normalForce[1], areas?.torsion[1], areas?.depth[2]]).toEqual([1 + 1 / 16, 2 + 3 / 16, 2 + 8 / 16, 1 + 9 / 16, 1 + 10 / 16, 2 + 11 / 16]);
    expect([areas?.corners.length, areas?.corners[20]]).toEqual([21, 20 / 8]);
    expect(decodeFrame(frameBytes({ bits: 8 }), TABLE)?.ofHand).toBe(1);
  });

  it("are null where areas have more or fewer corners than there are", () => {
    for (const [at, n] of [[0, 4], [0, 2], [64, 0xffffffff]] as const) {
      const bytes = frameBytes({ areas: [3, 4], contacts: 0, sentence: "" });
      new DataView(bytes).setUint32(120 + 124 + 8 * TABLE.length + 112 + at + 12, n, true);
      expect(decodeFrame(bytes, TABLE)).toBeNull();
    }
  });

  it("tell what touches apart from the sentence", () => {
    const lane = (sentence: string) => decodeFrame(frameBytes({ sentence }), TABLE)?.lanes[0];
    expect(lane("holds. Touches: face 4 of the part on face 5, sticking")).toMatchObject({ sentence: "holds", touches: "face 4 of the part on face 5, sticking" });
    expect(lane("holds")).toMatchObject({ sentence: "holds", touches: "" });
  });

  it("carry no contacts and no sentence, NaN and Infinity", () => {
    const lane = decodeFrame(frameBytes({ contacts: 0, sentence: "", margin: Infinity }), TABLE)?.lanes[0];
    expect(lane?.contacts.count).toBe(0);
    expect(lane?.sentence).toBe("");
    expect(lane?.margin).toBe(Infinity);
    expect(decodeFrame(frameBytes({ margin: NaN }), TABLE)?.lanes[0]?.margin).toBeNaN();
  });
});

describe("shapes", () => {
  it("are null unless they are exactly as long as they say", () => {
    const mesh = new ArrayBuffer(12 + 12 * 4);
    new Uint32Array(mesh, 0, 3).set([3, 1, 99]);
    expect(decodeMesh(mesh)?.original).toBe(99);
    expect(decodeMesh(mesh.slice(0, 59))).toBeNull();
    expect(decodeShell(new ArrayBuffer(3))).toBeNull();
    expect(decodeShell(new ArrayBuffer(4))?.levels.length).toBe(0);
    expect(decodeSlice(new ArrayBuffer(43))).toBeNull();
  });
});

describe("messages", () => {
  it("are null for anything that is none", () => {
    for (const bad of ["", "{", "null", "7", '"world"', "[]", '{"type":"evil"}', '{"type":7}', new ArrayBuffer(2), undefined]) expect(parse(bad)).toBeNull();
    expect(parse('{"type":"pong","sent":3}')).toEqual({ type: "pong", sent: 3 });
  });

  it("go to the page's own folder", () => {
    const page = "https://lab.example/tools/view/?scene=incline&token=old#x";
    expect(socketUrl(null, page).href).toBe("wss://lab.example/tools/view/api/session");
    expect(socketUrl("a&b", "http://127.0.0.1:7777/").href).toBe("ws://127.0.0.1:7777/api/session?token=a%26b");
    expect(apiUrl("recordings/a%2Fb", "t", page).href).toBe("https://lab.example/tools/view/api/recordings/a%2Fb?token=t");
  });
});
