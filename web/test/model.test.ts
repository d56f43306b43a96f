import { describe, expect, it } from "vitest";
import { Backoff } from "../src/model/backoff";
import { bytes, creep, digits, fixed, percent, plural, si, speed } from "../src/model/format";
import { Latency, percentile, RateMeter } from "../src/model/latency";
import { roleView } from "../src/model/roles";
import { linkWords } from "../src/panels/top";
import { belongsTo } from "../src/shortcuts";
import type { Roles } from "../src/protocol";

describe("numbers", () => {
  it("are written with units that fit", () => {
    expect([fixed(-0.001, 2), fixed(-1.25, 1), fixed(NaN, 1), fixed(Infinity, 1)]).toEqual(["0.00", "−1.3", "–", "∞"]);
    expect([si(0.000112, "s"), si(0.001, "s"), si(0.0009999, "s"), si(2000, "N/m"), si(0, "m"), si(NaN, "s")]).toEqual(["112 µs", "1.00 ms", "1.00 ms", "2.00 kN/m", "0 m", "– s"]);
    expect([digits(1234.5, 3), digits(0.01234, 3), digits(0, 3), digits(9.9999, 3)]).toEqual(["1235", "0.0123", "0", "10.0"]);
    expect([creep(2e-11), creep(1.84e-5), creep(0.0012), creep(NaN)]).toEqual(["0.0 µm", "18.4 µm", "1.20 mm", "–"]);
    expect([percent(0.254), percent(NaN)]).toEqual(["25 %", "–"]);
    expect([bytes(12), bytes(20480), bytes(999_999), bytes(5e9), bytes(NaN)]).toEqual(["12 B", "20.5 kB", "1.0 MB", "5.0 GB", "–"]);
    expect([1, 0.25, 0.1, 0.01, 0.3].map(speed)).toEqual(["1×", "1/4×", "1/10×", "1/100×", "0.30×"]);
    expect([plural(1, "page"), plural(2, "page")]).toEqual(["1 page", "2 pages"]);
  });
});

describe("backoff", () => {
  it("doubles from 0.25 s to 5 s, with jitter downwards", () => {
    const slow = new Backoff(() => 0);
    expect([1, 2, 3, 4, 5, 6, 7].map(() => slow.next())).toEqual([0.25, 0.5, 1, 2, 4, 5, 5]);
    slow.reset();
    expect(slow.next()).toBe(0.25);
    const quick = new Backoff(() => 0.9999);
    for (let i = 0; i < 2000; i++) expect(quick.next()).toBeGreaterThan(0.18);
    expect(quick.next()).toBeLessThanOrEqual(5);
  });
});

describe("latency", () => {
  it("is from sending to the first drawn frame that knows the hand", () => {
    const l = new Latency();
    expect(l.stats()).toEqual({ p50: NaN, p95: NaN, count: 0 });
    l.sent(1, 0);
    l.sent(2, 10);
    l.drawn(0, 15);
    l.drawn(1, 20);
    l.drawn(2, 50);
    l.drawn(2, 500);
    expect(l.stats()).toEqual({ p50: 20, p95: 40, count: 2 });
    l.sent(3, 1000);
    l.drop();
    l.drawn(9, 2000);
    expect(l.stats().count).toBe(2);
  });

  it("keeps the last 200", () => {
    const l = new Latency();
    for (let i = 0; i < 1000; i++) {
      l.sent(i, i);
      l.drawn(i, i + (i < 800 ? 1000 : 7));
    }
    expect(l.stats()).toEqual({ p50: 7, p95: 7, count: 1000 });
    expect(percentile([3, 1, 2], 0.5)).toBe(2);
  });

  it("counts frames a second", () => {
    const meter = new RateMeter();
    for (let i = 0; i <= 100; i++) meter.mark(20 * i);
    expect(meter.rate(2000)).toBeCloseTo(50);
    expect(meter.rate(9000)).toBe(0);
  });
});

describe("roles", () => {
  const roles = (holder: number | null, pages: number[], asking: number[] = [], more: Partial<Roles> = {}): Roles => ({ type: "roles", holder, pages, asking, takes_over_in: null, taken_over: null, ...more });

  it("of the holder", () => {
    expect(roleView(roles(1, [1]), 1)).toMatchObject({ holding: true, line: "You hold the part (page 1)", ask: null, canDrop: false });
    expect(roleView(roles(1, [1, 2, 3], [3]), 1)).toMatchObject({ line: "You hold the part (page 1); 2 other pages watch", requests: [3], canDrop: true });
  });

  it("of a watcher", () => {
    expect(roleView(roles(1, [1, 2]), 2)).toMatchObject({ holding: false, line: "Page 1 holds the part; you watch as page 2", ask: "Ask for the part", waiting: false });
    expect(roleView(roles(1, [1, 2], [2]), 2)).toMatchObject({ waiting: true, requests: [] });
    expect(roleView(roles(1, [1]), 1, "sim, light hand").line).toBe("The device holds the part (sim, light hand); you control the scene (page 1)");
    expect(roleView(roles(1, [1]), 1, null, 0, "script").line).toBe("The scene's script moves the part: drag it to take over (page 1)");
    expect(roleView(roles(null, [2]), 2)).toMatchObject({ line: "Nobody holds the part", ask: "Take the part" });
    expect(roleView(null, 2)).toMatchObject({ holding: false, line: "", ask: null });
  });

  it("tells both pages of a take-over before and after it", () => {
    const waits = roles(1, [1, 2], [2], { takes_over_in: 12.4 });
    expect(roleView(waits, 1, null, 2).note).toBe("If you do nothing, page 2 takes the part in 11 s.");
    expect(roleView(waits, 2, null, 2).note).toBe("If page 1 does nothing, you get it in 11 s.");
    expect(roleView(waits, 2, null, 60).note).toBe("If page 1 does nothing, you get it in 0 s.");
    const taken = roles(2, [1, 2], [], { taken_over: { from: 1, by: 2, idle: 15.1 } });
    expect(roleView(taken, 1).note).toBe("Page 2 took the part over, because this page had done nothing for 15 s.");
    expect(roleView(taken, 2).note).toBe("You took it over from page 1, which had done nothing for 15 s.");
    expect(roleView(taken, 3).note).toBe("");
  });
});

describe("words", () => {
  it("of the connection", () => {
    expect(linkWords({ state: "open" }, 1.234)).toBe("connected, 1.2 ms");
    expect(linkWords({ state: "open" }, NaN)).toBe("connected");
    expect(linkWords({ state: "lost", wait: 2 }, 5)).toBe("connection lost, trying again");
  });
});

describe("keys", () => {
  it("belong to the element that needs them", () => {
    expect([belongsTo("INPUT", "number", "r"), belongsTo("SELECT", null, "h"), belongsTo("BUTTON", null, " "), belongsTo("INPUT", "range", "ArrowUp")]).toEqual([true, true, true, true]);
    expect([belongsTo("BUTTON", null, "r"), belongsTo("DIV", null, " "), belongsTo("INPUT", "checkbox", "r")]).toEqual([false, false, false]);
  });
});
