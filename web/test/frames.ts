// Builds frames by hand, as PROTOCOL.md describes them.
import { WORDS, type OwnColumns, type HandColumns } from "../src/columns";
import type { ColumnFacts } from "../src/protocol";

/** What a test wants in a frame; the rest is made up. */
export interface Wanted {
  lanes?: number;
  contacts?: number;
  /** Corners of each contact area. */
  areas?: number[];
  sentence?: string;
  margin?: number;
  bits?: number;
  source?: number;
  word?: number;
  columns?: ColumnFacts[];
}

/** Bytes of a lane before the words of its tick. */
const LANE = 124;

const real = (...names: (keyof HandColumns | keyof OwnColumns)[]): ColumnFacts[] => names.map((name) => ({ name, kind: "real" }));
const count = (...names: (keyof HandColumns | keyof OwnColumns)[]): ColumnFacts[] => names.map((name) => ({ name, kind: "count" }));

/** Some columns that every engine has, in another order than the engine's. */
export const HAND: ColumnFacts[] = [
  ...count("tick"),
  ...real("part_x_m", "part_y_m", "part_z_m", "part_qw", "part_qx", "part_qy", "part_qz"),
  ...real("centre_x_m", "centre_y_m", "centre_z_m"),
  ...real("wrench_fx_n", "wrench_fy_n", "wrench_fz_n", "wrench_tx_nm", "wrench_ty_nm", "wrench_tz_nm"),
  ...count("contacts"),
  { name: "flags", kind: { flags: WORDS.flags } },
];
/** And some of the quasi-static engine's. */
export const TABLE: ColumnFacts[] = [...HAND, { name: "verdict", kind: { choice: WORDS.verdict } }, ...count("stuck", "sliding"), ...real("depth_m")];

/** Counts and words of the made-up ticks. */
const COUNTS: Record<string, bigint> = { tick: 2n ** 40n + 1n, contacts: 98n, flags: 0b101n, verdict: 1n, stuck: 90n, sliding: 8n };

/** The bytes of a frame. Real numbers of a tick count up from 1000 (lane 0) and 2000 (lane 1) with their place in the table. */
export function frameBytes({ lanes = 1, contacts = 2, areas = [], sentence = "It holds: µ ≤ 0.8", margin = 0.5, bits = 0, source = 1, word = 1, columns = TABLE }: Wanted = {}): ArrayBuffer {
  const text = new TextEncoder().encode(sentence);
  const padded = Math.ceil(text.length / 4) * 4;
  const row = 8 * columns.length;
  const bodies = 2;
  const corners = areas.reduce((sum, n) => sum + n, 0);
  const lane = LANE + row + 56 * bodies + padded + 68 * contacts + 64 * areas.length + 12 * corners;
  const buffer = new ArrayBuffer(120 + lanes * lane);
  const view = new DataView(buffer);
  [1, lanes, source, bits].forEach((b, i) => view.setUint8(i, b));
  view.setUint32(4, 7, true);
  [1.5, 1500, 42, 0.25, 999.5, 3, 2e-5, 0.1, 0.2, 0.3, 1, 0, 0, 0].forEach((x, i) => view.setFloat64(8 + 8 * i, x, true));
  for (let l = 0; l < lanes; l++) {
    const at = 120 + l * lane;
    [margin, 1044, 1045, 1046, 0.012, 0, 0, 1, 0, 0, 2].forEach((x, i) => view.setFloat64(at + 8 * i, x, true));
    [2, word, bodies, 0].forEach((b, i) => view.setUint8(at + 88 + i, b));
    for (let i = 0; i < 7 * bodies; i++) view.setFloat64(at + LANE + row + 8 * i, 2000 + i, true);
    [16, 4, columns.length, contacts, areas.length, corners, text.length].forEach((v, i) => view.setUint32(at + 92 + 4 * i, v, true));
    [5, 0].forEach((body, i) => view.setUint16(at + 120 + 2 * i, body, true));
    columns.forEach(({ name, kind }, i) => {
      if (kind === "real") view.setFloat64(at + LANE + 8 * i, 1000 * (l + 1) + i, true);
      else view.setBigUint64(at + LANE + 8 * i, COUNTS[name] ?? 0n, true);
    });
    new Uint8Array(buffer, at + LANE + row + 56 * bodies, text.length).set(text);
    for (let c = 0; c < contacts; c++) {
      const from = at + LANE + row + 56 * bodies + padded + 68 * c;
      view.setUint32(from, 500 + c, true);
      view.setUint32(from + 4, 1 + (c % 2), true);
      for (let k = 0; k < 15; k++) view.setFloat32(from + 8 + 4 * k, c + k / 16, true);
    }
    const first = at + LANE + row + 56 * bodies + padded + 68 * contacts;
    areas.forEach((n, a) => {
      const from = first + 64 * a;
      view.setUint32(from, 900 + a, true);
      [a, a + 300].forEach((body, i) => view.setUint16(from + 4 + 2 * i, body, true));
      view.setUint32(from + 8, 1 + (a % 2), true);
      view.setUint32(from + 12, n, true);
      for (let k = 0; k < 12; k++) view.setFloat32(from + 16 + 4 * k, a + k / 16, true);
    });
    for (let k = 0; k < 3 * corners; k++) view.setFloat32(first + 64 * areas.length + 4 * k, k / 8, true);
  }
  return buffer;
}
