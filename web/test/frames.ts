// Builds frames by hand, as PROTOCOL.md describes them.

/** What a test wants in a frame; the rest is made up. */
export interface Wanted {
  lanes?: number;
  contacts?: number;
  sentence?: string;
  margin?: number;
  verdict?: number;
  bits?: number;
  source?: number;
}

/** The bytes of a frame. Lane numbers count up from 1000 (lane 0) and 2000 (lane 1). */
export function frameBytes({ lanes = 1, contacts = 2, sentence = "It holds: µ ≤ 0.8", margin = 0.5, verdict = 1, bits = 0, source = 1 }: Wanted = {}): ArrayBuffer {
  const text = new TextEncoder().encode(sentence);
  const padded = Math.ceil(text.length / 4) * 4;
  const lane = 416 + padded + 68 * contacts;
  const buffer = new ArrayBuffer(120 + lanes * lane);
  const view = new DataView(buffer);
  [1, lanes, source, bits].forEach((b, i) => view.setUint8(i, b));
  view.setUint32(4, 7, true);
  [1.5, 1500, 42, 0.25, 999.5, 3, 2e-5, 0.1, 0.2, 0.3, 1, 0, 0, 0].forEach((x, i) => view.setFloat64(8 + 8 * i, x, true));
  for (let l = 0; l < lanes; l++) {
    const at = 120 + l * lane;
    for (let i = 0; i < 47; i++) view.setFloat64(at + 8 * i, 1000 * (l + 1) + i, true);
    view.setFloat64(at + 320 + 24, margin, true);
    view.setUint8(at + 376, verdict);
    view.setUint8(at + 377, 2);
    [98, 90, 8, 1, 0b101, 16, 4, contacts, text.length].forEach((v, i) => view.setUint32(at + 380 + 4 * i, v, true));
    new Uint8Array(buffer, at + 416, text.length).set(text);
    for (let c = 0; c < contacts; c++) {
      const from = at + 416 + padded + 68 * c;
      view.setUint32(from, 500 + c, true);
      view.setUint32(from + 4, 1 + (c % 2), true);
      for (let k = 0; k < 15; k++) view.setFloat32(from + 8 + 4 * k, c + k / 16, true);
    }
  }
  return buffer;
}
