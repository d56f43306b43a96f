import { describe, expect, it } from "vitest";
import { csvOfFrames, csvOfSurvey } from "../src/model/csv";
import { Band, columnOf, WIDTH } from "../src/plots/columns";
import { nearest, Ring } from "../src/plots/samples";
import { RecordingSurvey, SurveySamples } from "../src/plots/survey";
import { decodeSurvey, SURVEYED, type SurveyRows } from "../src/protocol";

/** As the server writes it: fx counts up, the band of every third row is slip. */
function bytes(rows: number, from = 0.001, each = 0.001): ArrayBuffer {
  const buffer = new ArrayBuffer(24 + 8 * rows * SURVEYED.length);
  const view = new DataView(buffer);
  view.setUint32(0, rows, true);
  view.setUint32(4, SURVEYED.length, true);
  view.setFloat64(8, from, true);
  view.setFloat64(16, each, true);
  for (let r = 0; r < rows; r++) {
    SURVEYED.forEach((name, c) => {
      const [least, largest] = name === "fx" ? [r, r + 0.5] : name === "band" ? [1, r % 3 === 0 ? 3 : 1] : name === "margin" ? [NaN, NaN] : [0, 0];
      view.setFloat32(24 + 8 * (r * SURVEYED.length + c), least!, true);
      view.setFloat32(28 + 8 * (r * SURVEYED.length + c), largest!, true);
    });
  }
  return buffer;
}
const survey = (rows: number, from?: number, each?: number) => decodeSurvey(bytes(rows, from, each)) as SurveyRows;

describe("a survey", () => {
  it("is read, and nonsense is none", () => {
    expect(survey(4)).toMatchObject({ rows: 4, from: 0.001, each: 0.001 });
    expect(decodeSurvey(bytes(4).slice(0, 100))).toBeNull();
    expect(decodeSurvey(new ArrayBuffer(3))).toBeNull();
  });

  it("is drawn by its least and largest values, and by the band that counts most", () => {
    const s = new SurveySamples(survey(10));
    expect(s.size).toBe(20);
    expect([4, 5].map((row) => s.value(columnOf("fx", 0), row))).toEqual([2, 2.5]);
    expect([0, 1, 2, 3, 4, 6].map((row) => s.value(columnOf("band", 0), row))).toEqual([Band.Slip, Band.Slip, Band.Stick, Band.Stick, Band.Stick, Band.Slip]);
    expect(s.value(columnOf("fx", 1), 0)).toBeNaN();
    expect(s.value(columnOf("cpu_mean", 0), 0)).toBeNaN();
    expect(s.time(5)).toBeCloseTo(0.003, 12);
    expect([-1, 0.001, 0.0035, 99].map((t) => s.find(t))).toEqual([0, 0, 6, 20]);
    expect(s.time(nearest(s, 0.0052, 1))).toBeCloseTo(0.005, 12);
  });

  it("fetches all of it first, then what is looked at, and nothing twice", async () => {
    const asked: string[] = [];
    const fetchRows = async (from: number, to: number, rows: number) => {
      asked.push(`${from} ${to} ${rows}`);
      const each = Math.max(0.001, (to - from) / rows);
      return survey(Math.floor((to - from) / each), from + 0.001, each);
    };
    let changes = 0;
    const whole = new RecordingSurvey(fetchRows, 100, () => changes++, (why) => expect.fail(String(why)));
    expect(whole.samples(0, 100)).toBeNull();
    whole.want(0, 100, 1000);
    whole.want(0, 100, 1000);
    await Promise.resolve().then(() => undefined);
    await new Promise((next) => setTimeout(next, 0));
    expect(asked).toEqual(["0 100 1000"]);
    expect(whole.all?.size).toBe(2000);
    whole.want(0, 100, 1000);
    expect(asked.length).toBe(1);
    whole.want(50, 51, 1000);
    await new Promise((next) => setTimeout(next, 0));
    expect(asked[1]).toBe("49 52 3000");
    expect(whole.samples(50, 51)?.survey.each).toBeCloseTo(0.001, 12);
    whole.want(50.2, 51.2, 1000);
    expect(asked.length, "there was room at the sides").toBe(2);
    expect(whole.samples(10, 90)).toBe(whole.all);
    expect(changes).toBe(2);
  });
});

describe("tables", () => {
  it("of a recording have every tick, or least and largest values", () => {
    const ticks = csvOfSurvey(survey(3), 0.001).split("\n");
    expect(ticks[0]).toBe("time_s,wrench_fx_n,wrench_fy_n,wrench_fz_n,wrench_f_n,wrench_tx_nm,wrench_ty_nm,wrench_tz_nm,contacts,stuck,sliding,friction_margin,creep_m,kinetic_j,potential_j,band");
    expect(ticks[2]).toBe("0.002,1,0,0,0,0,0,0,0,0,0,,0,0,0,stick");
    expect(ticks[1]).toMatch(/,slip$/);
    const joined = csvOfSurvey(survey(3, 0.001, 0.01), 0.001).split("\n");
    expect(joined[0]).toMatch(/^time_s,wrench_fx_n_least,wrench_fx_n_largest,/);
    expect(joined[2]).toMatch(/^0.011,1,1.5,/);
  });

  it("of the loop have the rows that are shown, of both lanes", () => {
    const ring = new Ring(10, WIDTH);
    const row = new Float64Array(WIDTH).fill(NaN);
    for (const t of [1, 2, 3]) {
      row[columnOf("fx", 0)] = 0.1 * t;
      row[columnOf("band", 0)] = Band.Slip;
      row[columnOf("fx", 1)] = -t;
      ring.push(t, row);
    }
    const lines = csvOfFrames(ring, 2, 1.5, 3).trim().split("\n");
    expect(lines.length).toBe(3);
    const names = lines[0]!.split(",");
    const cells = lines[1]!.split(",");
    expect([cells[0], cells[1], cells[names.indexOf("band")], cells[names.indexOf("second_wrench_fx_n")], cells[names.indexOf("second_band")]]).toEqual(["2", "0.2", "slip", "-2", ""]);
  });
});
