import { describe, expect, it } from "vitest";
import { decodeFrame, decodeMesh, decodeShell, decodeSlice } from "../src/protocol";
import { parse, apiUrl, socketUrl } from "../src/connection";
import { frameBytes } from "./frames";

describe("frames", () => {
  it("are read as PROTOCOL.md lays them out", () => {
    const frame = decodeFrame(frameBytes({ lanes: 2, bits: 5, source: 2 }));
    expect(frame).toMatchObject({ generation: 7, source: "recording", paused: true, recording: false, playback: true, time: 1.5, tick: 1500, handSeq: 42, speed: 0.25, rate: 999.5, skipped: 3, lateMax: 2e-5 });
    expect(frame?.hand).toEqual([0.1, 0.2, 0.3, 1, 0, 0, 0]);
    const [a, b] = frame?.lanes ?? [];
    expect(a?.part[0]).toBe(1000);
    expect(a?.centre).toEqual([1007, 1008, 1009]);
    expect(a?.device[0]).toBe(1010);
    expect(a?.step[5]).toBe(1039);
    expect(a).toMatchObject({ pressure: 1040, limit: 1041, depth: 1042, margin: 0.5, creep: 1044, cpuMean: 1045, cpuMax: 1046, verdict: "holds", phase: 2 });
    expect(a).toMatchObject({ touching: 98, stuck: 90, sliding: 8, separating: 1, flags: 5, ticks: 16, slipped: 4, sentence: "It holds: µ ≤ 0.8" });
    expect(b?.part[0]).toBe(2000);
    expect(b?.contacts.id).toEqual(new Uint32Array([500, 501]));
    expect(b?.contacts.state).toEqual(new Uint8Array([1, 2]));
    expect(b?.contacts.position[3]).toBe(1);
    expect(b?.contacts.normalForce[1]).toBe(1 + 12 / 16);
    expect(b?.contacts.depth[1]).toBe(1 + 14 / 16);
  });

  it("are null when cut off anywhere", () => {
    const whole = frameBytes({ lanes: 2, contacts: 1, sentence: "ab" });
    for (let n = 0; n < whole.byteLength; n++) expect(decodeFrame(whole.slice(0, n))).toBeNull();
    expect(decodeFrame(whole)).not.toBeNull();
  });

  it("are null when they claim what cannot be", () => {
    const spoil = (at: number, value: number, wide = false) => {
      const bytes = frameBytes();
      if (wide) new DataView(bytes).setUint32(at, value, true);
      else new DataView(bytes).setUint8(at, value);
      return decodeFrame(bytes);
    };
    expect(spoil(0, 9)).toBeNull();
    expect(spoil(1, 0)).toBeNull();
    expect(spoil(1, 3)).toBeNull();
    expect(spoil(120 + 408, 0xffffffff, true)).toBeNull();
    expect(spoil(120 + 412, 0xffffffff, true)).toBeNull();
    expect(spoil(120 + 376, 4)?.lanes[0]?.verdict).toBe("rolls");
    expect(spoil(120 + 376, 200)?.lanes[0]?.verdict).toBe("undecided");
  });

  it("carry no contacts and no sentence, NaN and Infinity", () => {
    const lane = decodeFrame(frameBytes({ contacts: 0, sentence: "", margin: Infinity }))?.lanes[0];
    expect(lane?.contacts.count).toBe(0);
    expect(lane?.sentence).toBe("");
    expect(lane?.margin).toBe(Infinity);
    expect(decodeFrame(frameBytes({ margin: NaN }))?.lanes[0]?.margin).toBeNaN();
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
