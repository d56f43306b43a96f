// What the plots show as a table: comma-separated values with units in the names of columns.
import { SURVEYED, type SurveyRows } from "../protocol";
import { COLUMNS, columnOf, type Column } from "../plots/columns";
import type { Samples } from "../plots/samples";

/** Names of the columns, as recordings and exports have them where they have the same. */
const NAMES: Record<Column, string> = {
  fx: "wrench_fx_n",
  fy: "wrench_fy_n",
  fz: "wrench_fz_n",
  f: "wrench_f_n",
  tx: "wrench_tx_nm",
  ty: "wrench_ty_nm",
  tz: "wrench_tz_nm",
  touching: "contacts",
  stuck: "stuck",
  sliding: "sliding",
  margin: "friction_margin",
  creep: "creep_m",
  cpu_mean: "cpu_mean_s",
  cpu_max: "cpu_longest_s",
  kinetic: "kinetic_j",
  potential: "potential_j",
  band: "band",
};
/** Words for bands: those of frames, and those of surveys. */
const BANDS = ["free", "stick", "slip", "undecided"];
const SURVEYED_BANDS = ["free", "stick", "undecided", "slip"];

/** Empty where nothing is known; else as short as it can be written. */
const cell = (value: number) => (Number.isNaN(value) ? "" : String(value));
const seconds = (time: number) => String(Number(time.toFixed(6)));
const table = (head: string[], rows: string[][]) => [head, ...rows].map((row) => row.join(",")).join("\n") + "\n";

/** Rows of frames between two times, of so many lanes. Columns of a second lane begin with "second_". */
export function csvOfFrames(samples: Samples, lanes: number, from: number, to: number): string {
  const columns = Array.from({ length: lanes }, (_, lane) => COLUMNS.map((name) => ({ name, lane }))).flat();
  const head = ["time_s", ...columns.map(({ name, lane }) => (lane > 0 ? "second_" : "") + NAMES[name])];
  const rows: string[][] = [];
  for (let row = samples.find(from); row < samples.size && !(samples.time(row) > to); row++) {
    if (Number.isNaN(samples.time(row))) continue;
    const cells = columns.map(({ name, lane }) => {
      // Numbers are kept with seven digits.
      const value = Number(samples.value(columnOf(name, lane), row).toPrecision(7));
      return name === "band" ? (BANDS[value] ?? "") : cell(value);
    });
    rows.push([seconds(samples.time(row)), ...cells]);
  }
  return table(head, rows);
}

/** Rows of a survey: every tick, or, where rows stand for several ticks (`period` is that of one), least and largest values. */
export function csvOfSurvey({ rows, from, each, values }: SurveyRows, period: number): string {
  const joined = each > 1.5 * period;
  const ends = joined ? ["_least", "_largest"] : [""];
  const head = ["time_s", ...SURVEYED.flatMap((name) => (name === "band" ? [NAMES.band] : ends.map((end) => NAMES[name] + end)))];
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = SURVEYED.flatMap((name, i) => {
      const at = 2 * (row * SURVEYED.length + i);
      if (name === "band") return [SURVEYED_BANDS[values[at + 1] ?? 0] ?? ""];
      return ends.map((_, end) => cell(Number((values[at + end] ?? NaN).toPrecision(7))));
    });
    return [seconds(from + row * each), ...cells];
  });
  return table(head, lines);
}
