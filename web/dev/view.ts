// A harness for looking at the stage without a server: a cube in a corner that is a crude spring, not the engine. Not part of the build.
// ?theme=dark&lanes=2&cones=1&slice=fixed&axis=z&at=0.5&shell=2&holding=0&camera=…&peg=1
import { SlipState, type Contacts, type Frame, type Lane, type PoseArray, type Vec3, type World } from "../src/protocol";
import { boxMesh } from "../src/view/mesh";
import { makeStage } from "../src/view/stage";

const q = new URLSearchParams(location.search);
const H = 0.05;
const lanes = Number(q.get("lanes") ?? 1);
const box: [Vec3, Vec3] = [[-H, -H, -H], [H, H, H]];
const slabs: [Vec3, Vec3][] = [
  [[-0.02, -0.02, -0.02], [0.22, 0.22, 0]],
  [[-0.02, -0.02, 0], [0, 0.22, 0.14]],
  [[0, -0.02, 0], [0.22, 0, 0.14]],
];
const round = q.has("peg");
const generation = 7;
const world: World = {
  type: "world", generation, scene: "cube-in-corner", description: "", set: {}, compare: null, values: {},
  lanes: Array.from({ length: lanes }, (_, i) => ({ method: i ? "none" : "hold", label: "", mu_static: 0.5, mu_kinetic: 0.4 })),
  rate: 1000, radius: H * Math.sqrt(3), world_from_fixed: [0, 0, 0, 1, 0, 0, 0], start: [0.06, 0.06, 0.06, 1, 0, 0, 0], end: [0.06, 0.06, 0.06, 1, 0, 0, 0],
  held_box: box, fixed_box: [[-0.02, -0.02, -0.02], [0.22, 0.22, 0.14]], shell_on: "held", shell_points: 1000, shell_levels: 3, seconds: 10,
  coupling: { stiffness: 1000, torsion: 1, max_force: 20, max_torque: 1 }, notes: [], playback: null,
};

function joined(boxes: [Vec3, Vec3][]) {
  const meshes = boxes.map(boxMesh);
  let n = 0;
  const positions: number[] = [], indices: number[] = [];
  for (const m of meshes) {
    positions.push(...m.positions);
    indices.push(...Array.from(m.indices, (i) => i + n));
    n += m.positions.length / 3;
  }
  return { positions, indices };
}
function cylinder() {
  const positions: number[] = [0, 0, -H, 0, 0, H], indices: number[] = [], n = 48;
  for (let i = 0; i < n; i++) {
    const a = (2 * Math.PI * i) / n;
    positions.push(H * Math.cos(a), H * Math.sin(a), -H, H * Math.cos(a), H * Math.sin(a), H);
    const [p, r] = [2 + 2 * i, 2 + 2 * ((i + 1) % n)];
    indices.push(0, r, p, 1, p + 1, r + 1, p, r, p + 1, r, r + 1, p + 1);
  }
  return { positions, indices };
}
function meshBuffer({ positions, indices }: { positions: number[]; indices: number[] }) {
  const b = new ArrayBuffer(12 + 4 * (positions.length + indices.length));
  new Uint32Array(b, 0, 3).set([positions.length / 3, indices.length / 3, indices.length / 3]);
  new Float32Array(b, 12, positions.length).set(positions);
  new Uint32Array(b, 12 + 4 * positions.length, indices.length).set(indices);
  return b;
}
const boxDistance = ([lo, hi]: [Vec3, Vec3], p: Vec3) => {
  const d = [0, 1, 2].map((k) => Math.max(lo[k]! - p[k]!, p[k]! - hi[k]!));
  return Math.hypot(...d.map((x) => Math.max(x, 0))) + Math.min(0, Math.max(...d));
};
function sliceBuffer(part: string, axis: number, at: number) {
  const [lo, hi] = part === "held" ? box : world.fixed_box;
  const pad = 0.03, n = 120, [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const size = [0, 1, 2].map((k) => hi[k]! - lo[k]! + 2 * pad);
  const origin = lo.map((x) => x - pad);
  origin[axis] = origin[axis]! + at * size[axis]!;
  const u = [0, 0, 0], v = [0, 0, 0];
  u[a] = size[a]! / (n - 1);
  v[b] = size[b]! / (n - 1);
  const buffer = new ArrayBuffer(44 + 4 * n * n);
  new Uint32Array(buffer, 0, 2).set([n, n]);
  new Float32Array(buffer, 8, 9).set([...origin, ...u, ...v]);
  const d = new Float32Array(buffer, 44);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) {
    const p = origin.map((x, k) => x + i * u[k]! + j * v[k]!) as Vec3;
    d[j * n + i] = Math.min(...(part === "held" ? [box] : slabs).map((s) => boxDistance(s, p)));
  }
  return buffer;
}
function shellBuffer() {
  const points: number[] = [], levels: number[] = [], n = 16;
  for (let f = 0; f < 6; f++) for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) {
    const p = [0, 0, 0], k = f >> 1;
    p[k] = f & 1 ? H : -H;
    p[(k + 1) % 3] = -H + (2 * H * i) / n;
    p[(k + 2) % 3] = -H + (2 * H * j) / n;
    points.push(...p);
    levels.push(i % 4 === 0 && j % 4 === 0 ? 0 : i % 2 === 0 && j % 2 === 0 ? 1 : 2);
  }
  const b = new ArrayBuffer(4 + 13 * levels.length);
  new Uint32Array(b, 0, 1)[0] = levels.length;
  new Float32Array(b, 4, points.length).set(points);
  new Uint8Array(b, 4 + 4 * points.length).set(levels);
  return b;
}
async function fetchShape(path: string): Promise<ArrayBuffer> {
  await new Promise((r) => setTimeout(r, 10));
  if (q.has("broken")) throw new Error("404");
  if (path.startsWith("shell/")) return shellBuffer();
  if (path.startsWith("slice/")) {
    const s = new URLSearchParams(path.split("?")[1]);
    return sliceBuffer(path.includes("held") ? "held" : "fixed", "xyz".indexOf(s.get("axis") ?? "z"), Number(s.get("at")));
  }
  return meshBuffer(path.endsWith("held") ? (round ? cylinder() : joined([box])) : joined(slabs));
}

let hand: PoseArray = [0.046, 0.058, 0.041, 1, 0, 0, 0];
let source: Frame["source"] = "script";
let tick = 0;
const slide = Array.from({ length: lanes }, () => 0);

function contactsOf(part: Vec3, f: Vec3, tangent: Vec3, sliding: boolean): Contacts {
  const rows: { p: Vec3; n: Vec3; fn: number }[] = [];
  for (const [axis, force] of [[2, f[2]], [0, f[0]]] as const) {
    if (force <= 1e-6) continue;
    const n: Vec3 = [0, 0, 0];
    n[axis] = 1;
    for (let i = 0; i < 7; i++) for (let j = 0; j < 7; j++) {
      const p: Vec3 = [...part];
      p[axis] = 0;
      p[(axis + 1) % 3]! += -H + (2 * H * i) / 6;
      p[(axis + 2) % 3]! += -H + (2 * H * j) / 6;
      rows.push({ p, n, fn: (force / 49) * (0.55 + 0.15 * i) });
    }
  }
  const count = rows.length, mu = 0.5;
  const c: Contacts = { count, id: new Uint32Array(count), state: new Uint8Array(count), position: new Float32Array(3 * count), normal: new Float32Array(3 * count), friction: new Float32Array(3 * count), slip: new Float32Array(3 * count), normalForce: new Float32Array(count), limit: new Float32Array(count), depth: new Float32Array(count) };
  const sum = rows.reduce((s, r) => s + r.fn, 0);
  rows.forEach((r, i) => {
    c.id[i] = i;
    c.position.set(r.p, 3 * i);
    c.normal.set(r.n, 3 * i);
    c.normalForce[i] = r.fn;
    c.limit[i] = mu * r.fn;
    c.depth[i] = r.fn * 1e-5;
    const t = tangent.map((x, k) => (r.n[k] ? 0 : (x * r.fn) / sum)) as Vec3;
    const cap = Math.min(1, (mu * r.fn) / (Math.hypot(...t) || 1));
    c.friction.set(t.map((x) => x * cap), 3 * i);
    c.state[i] = r.fn < 0.02 ? SlipState.Separated : sliding || cap < 1 || i % 11 === 0 ? SlipState.Sliding : SlipState.Stuck;
  });
  return c;
}

function laneOf(i: number): Lane {
  const part: PoseArray = [Math.max(H, hand[0]), Math.max(H, hand[1]), Math.max(H, hand[2]), 1, 0, 0, 0];
  const free = part[0] > H && part[2] > H;
  const want = i === 0 && !free ? 0.97 * (hand[1] - 0.06) : hand[1] - 0.06;
  slide[i] = free ? hand[1] - 0.06 : slide[i]! + 0.2 * ((i === 0 ? Math.sign(want) * Math.max(0, Math.abs(want) - 0.006) : want) - slide[i]!);
  part[1] = Math.max(H, 0.06 + slide[i]!);
  const k = world.coupling.stiffness;
  const f: Vec3 = [k * (part[0] - hand[0]), k * (part[1] - hand[1]), k * (part[2] - hand[2])];
  const contacts = contactsOf([part[0], part[1], part[2]], f, i === 0 ? [0, f[1] - 1.5, f[2] * 0.2] : [0, 0, 0], i === 1);
  return {
    part, centre: [part[0], part[1], part[2]], device: [f[0], f[1], f[2], 0.2, 0.1, 0.4], normal: [0, 0, 0, 0, 0, 0], friction: [0, 0, 0, 0, 0, 0], load: [0, 0, 0, 0, 0, 0], step: [0, 0, 0, 0, 0, 0],
    pressure: 1, limit: 1, depth: 0, margin: NaN, creep: 0, cpuMean: 1e-5, cpuMax: 1e-4, verdict: free ? "free" : i === 0 ? "holds" : "slips", touching: contacts.count,
    stuck: 0, sliding: 0, separating: 0, flags: 0, phase: 2, ticks: 16, slipped: 0, sentence: "", contacts,
  };
}
const events: unknown[] = [];
const stage = makeStage(document.getElementById("host")!, {
  theme: q.get("theme") === "dark" ? "dark" : "light",
  onDrawn: () => undefined,
  events: {
    onHand: (pose) => { hand = pose; source = "page"; events.push("hand"); },
    onLetGo: () => { hand = laneOf(0).part; events.push("letgo"); },
    onHover: (h) => events.push(["hover", h]),
    onGamepad: (n) => events.push(["gamepad", n]),
  },
});
Object.assign(window, { stage, events, hand: () => hand });
if (q.get("camera")) stage.setCamera(q.get("camera")!);
stage.setHolding(q.get("holding") !== "0");
stage.show({ cones: q.has("cones"), normalForces: !q.has("cones"), frictionForces: !q.has("cones"), shellLevel: q.has("shell") ? Number(q.get("shell")) : null, slice: q.has("slice") ? { part: q.get("slice") as "held", axis: (q.get("axis") ?? "z") as "z", at: Number(q.get("at") ?? 0.5) } : null });
void stage.setWorld(world, fetchShape);
document.getElementById("host")!.addEventListener("stage-problem", (e) => events.push(["problem", (e as CustomEvent).detail]));
const script = q.get("script");
setInterval(() => {
  tick += 16;
  if (source === "script" && script) {
    const s = Math.min(1, tick / 2500);
    hand = [0.12 - 0.074 * s, 0.15 - 0.085 * s, 0.12 - 0.079 * s + 0.02 * Math.sin(3 * s), 1, 0, 0, 0];
  }
  stage.setFrame({ generation, source, paused: false, recording: false, playback: false, time: tick / 1000, tick, handSeq: 0, speed: 1, rate: 1000, skipped: 0, lateMax: 0, hand, lanes: Array.from({ length: lanes }, (_, i) => laneOf(i)) });
}, 16);
