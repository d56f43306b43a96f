// Synthetic frames: a cube in a corner that is pulled to and fro, holds, and slips. For development only.

const VERDICTS = { free: 0, holds: 1, slips: 2, undecided: 3, rolls: 4 };

/** What happens at a time, for a method: pulls of 6 s, free for a moment, then pressed, held, slipping. */
export function story(time, method, mu, hand) {
  const phase = time % 6;
  const pressed = phase > 0.6;
  const pull = pressed ? 9 * Math.sin(((phase - 0.6) / 5.4) * 2 * Math.PI) : 0;
  const push = pressed ? 20 * Math.min(1, (phase - 0.6) / 0.5) : 0;
  const limit = mu * push;
  const share = limit > 0 ? Math.abs(pull) / (0.55 * limit) : NaN;
  const slips = pressed && (method === "none" || share > 1);
  const verdict = !pressed ? "free" : slips ? "slips" : "holds";
  const creep = verdict === "holds" ? (method === "yamane" ? 3.1e-6 * (phase - 0.6) ** 2 : 2e-11) : 0;
  const noise = 0.05 * Math.sin(87 * time) + 0.03 * Math.sin(211 * time);
  const f = [pull + noise, -push / Math.SQRT2 + noise, push / Math.SQRT2];
  return { phase, pressed, pull, push, limit, share, verdict, creep, f, hand };
}

const sentences = {
  free: () => "The part touches nothing and follows the hand.",
  holds: (s) => `Friction holds the part: the hand pulls with ${Math.abs(s.pull).toFixed(1)} N of the ${(0.55 * s.limit).toFixed(1)} N it can take.`,
  slips: (s) => `The part slips: ${Math.abs(s.pull).toFixed(1)} N is more than friction can hold.`,
};

/** The bytes of a frame, as PROTOCOL.md has them. `w` is the mock's world. */
export function frameBytes(w) {
  const lanes = w.methods.map((method) => laneBytes(w, method));
  const head = new DataView(new ArrayBuffer(120));
  [1, lanes.length, w.source, (w.paused ? 1 : 0) | (w.recording ? 2 : 0) | (w.playback ? 4 : 0)].forEach((b, i) => head.setUint8(i, b));
  head.setUint32(4, w.generation, true);
  const late = 8e-6 + 6e-6 * Math.random();
  [w.time, Math.round(w.time * 1000), w.seq, w.speed, 999.6 + 0.8 * Math.random(), w.missed, late, ...handPose(w)].forEach((x, i) => head.setFloat64(8 + 8 * i, x, true));
  return Buffer.concat([new Uint8Array(head.buffer), ...lanes]);
}

function handPose(w) {
  if (w.hand) return w.hand;
  const s = story(w.time, "hold", w.mu, null);
  return [s.pull * 5e-4, 0.0505 - (s.pressed ? 0.0055 : 0), 0.0505 - (s.pressed ? 0.0055 : 0), 1, 0, 0, 0];
}

function laneBytes(w, method) {
  const s = story(w.time, method, w.mu);
  const x = s.verdict === "slips" ? s.pull * 4e-4 : s.creep;
  const part = [x, 0.05 - s.push * 1e-6, 0.05 - s.push * 1e-6, 1, 0, 0, 0];
  const zero = [0, 0, 0];
  const torque = [0.02 * Math.sin(3 * w.time), 0.012 * s.pull, -0.03 * Math.cos(1.7 * w.time) * (s.pressed ? 1 : 0)];
  const touching = s.pressed ? 98 : 0;
  const sliding = s.verdict === "slips" ? 84 : 0;
  const cpu = 9e-5 + 4e-5 * Math.sin(w.time) ** 2 + (method === "qp" ? 6e-5 : 0);
  const margin = s.verdict === "free" ? NaN : method === "none" ? Infinity : s.share;
  const numbers = [...part, ...part.slice(0, 3), ...s.f, ...torque, 0, s.push, s.push, ...zero, -s.pull, 0, 0, ...zero, 0, 0, -4.9, ...zero, ...zero, ...zero];
  numbers.push(2 * s.push, s.limit, s.push * 1e-6, margin, s.creep, cpu, cpu * (1.4 + Math.random()));
  const text = Buffer.from(sentences[s.verdict](s));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = Buffer.alloc(416 + padded + 68 * touching);
  numbers.forEach((v, i) => out.writeDoubleLE(v, 8 * i));
  out[376] = VERDICTS[s.verdict];
  out[377] = 2;
  const ticks = w.paused ? 0 : 16;
  [touching, touching - sliding, sliding, 0, s.verdict === "slips" && s.share > 1.05 ? 4 : 0, ticks, s.verdict === "slips" ? ticks : 0, touching, text.length].forEach((v, i) => out.writeUInt32LE(v, 380 + 4 * i));
  text.copy(out, 416);
  for (let i = 0; i < touching; i++) contact(out, 416 + padded + 68 * i, i, touching, s, x);
  return out;
}

function contact(out, at, i, count, s, x) {
  const floor = i % 2 === 0;
  const [u, v] = [((i * 37) % count) / count - 0.5, ((i * 61) % count) / count];
  const slides = s.verdict === "slips" && i >= 14;
  const force = (2 * s.push) / count;
  out.writeUInt32LE(100 + 7 * i, at);
  out.writeUInt32LE(slides ? 2 : 1, at + 4);
  const position = floor ? [x + 0.1 * u, 0.1 * v, 0] : [x + 0.1 * u, 0, 0.1 * v];
  const normal = floor ? [0, 0, 1] : [0, 1, 0];
  const share = Math.min(1, s.share || 0) * 0.8;
  const values = [...position, ...normal, -Math.sign(s.pull) * share * force, 0, 0, slides ? 4e-6 : 0, 0, 0, force, 0.8 * force, s.push * 1e-6];
  values.forEach((value, k) => out.writeFloatLE(value, at + 8 + 4 * k));
}
