// What page and server say to each other: the twin of crates/stiction-view/PROTOCOL.md and of `wire.rs` there.
// Text messages are JSON; frames are binary, little-endian. SI units throughout.

import type { TickRow } from "./columns";

export const PROTOCOL = 4;

/** x, y, z (m), then the unit quaternion qw, qx, qy, qz: world from part. */
export type PoseArray = [number, number, number, number, number, number, number];
/** Force (N), then torque (N m). */
export type Wrench = [number, number, number, number, number, number];
export type Vec3 = [number, number, number];

/** Overrides of a scene's keys, as `--set` takes them: `{ "friction.method": "lp" }`. */
export type Overrides = Record<string, string>;

/** A key of a scene that can be set while the engine runs, as `crates/stiction-scene` declares it. */
export interface Control {
  /** The dotted key: "friction.static". */
  key: string;
  kind: "number" | "word" | "flag" | "cone";
  label: string;
  /** What it means. */
  doc: string;
  unit: string;
  words: ControlWord[];
  /** Ends of the slider, and its step; 0 is logarithmic. */
  slider: [number, number];
  step: number;
  /** Least and largest number, or number of a cone's sides. */
  limits: [number, number];
  /** The key that its default depends on. */
  follows: string | null;
  /** The key whose number it must not be above. */
  at_most: string | null;
  /** The friction method that it belongs to. */
  method: string | null;
  /** The engine that it belongs to. */
  engine: string | null;
  /** Two lanes are compared by it unless another key is chosen. */
  compared: boolean;
  /** Engine or shapes are built anew for it: only a second lane takes it. */
  built: boolean;
  /** Its number is a whole one. */
  whole: boolean;
}

export interface ControlWord {
  word: string;
  label: string;
  doc: string;
  /** This friction method works with pyramids only. */
  pyramid: boolean;
}

// ---------------------------------------------------------------------------------------------- page to server

export type ToServer =
  /** Where the hand shall be; `seq` counts up, and comes back in frames. */
  | { type: "hand"; seq: number; pose: PoseArray }
  /** The hand takes the body of that number, or lets go of what it holds: for engines whose hands can. */
  | { type: "grab"; body: number | null }
  /** Lets go: the hand goes to where the part is. */
  | { type: "let_go" }
  /** The scene's own hand takes over. */
  | { type: "script" }
  /** The scene's demonstration moves the hand, forth and back, until somebody else does. */
  | { type: "demonstrate" }
  /** A scene with overrides; `compare` are the overrides of a second lane on the same hand motion. */
  | { type: "configure"; scene: string; set: Overrides; compare: Overrides | null }
  /** `speed` is 0.001 to 1: ticks for each tick of real time. */
  | { type: "time"; paused: boolean; speed: number }
  /** So many ticks (1 to 1000) while paused. */
  | { type: "step"; ticks: number }
  /** The part and the hand as the scene starts. */
  | { type: "reset" }
  | { type: "record"; on: boolean }
  /** Loads a recording of the server's folder. */
  | { type: "play"; name: string }
  /** Back from a recording to the loop. */
  | { type: "live" }
  /** A moment of the recording (s). */
  | { type: "seek"; time: number }
  /** Roles: asks the holder for the part (or takes it if nobody holds it), gives it to another page, lets it go. */
  | { type: "ask" }
  | { type: "give"; to: number }
  /** That page is not to have it. */
  | { type: "keep"; from: number }
  | { type: "drop" }
  | { type: "ping"; sent: number };

// ---------------------------------------------------------------------------------------------- server to page

export interface Welcome {
  type: "welcome";
  protocol: number;
  version: string;
  /** This page's number. */
  page: number;
  scenes: string[];
  /** What can be set: the page has no list of its own. */
  controls: Control[];
}

/** Who is there. Only the holder may send anything but `ask` and `ping`; one that does nothing for some time loses the part to a page that asks. */
export interface Roles {
  type: "roles";
  holder: number | null;
  pages: number[];
  asking: number[];
  /** Seconds until the first of those takes over, if the holder does nothing; null where nobody asks. */
  takes_over_in: number | null;
  /** The last take-over, until the part changes hands otherwise: `from` had done nothing for `idle` seconds. */
  taken_over: { from: number; by: number; idle: number } | null;
}

/** A column of ticks: how its numbers are to be read, and the words for them where there are any. */
export interface ColumnFacts {
  name: string;
  kind: "real" | "count" | { choice: readonly string[] } | { flags: readonly string[] };
}

export interface LaneFacts {
  method: string;
  /** "hold, disk, µ 0.8" */
  label: string;
  mu_static: number;
  mu_kinetic: number;
}

/** A body of a world of many bodies. */
export interface BodyFacts {
  name: string;
  /** The number of its triangles: `GET api/mesh/GENERATION/body/NUMBER`. Bodies of the same shape share them. */
  mesh: number;
  /** Whether it never moves. */
  fixed: boolean;
  /** Whether a hand can take it. */
  grab: boolean;
  /** Its box in its own axes (m). */
  box: [Vec3, Vec3];
  /** Where it is at first. */
  start: PoseArray;
}

/** The world that frames of the same generation are of. */
export interface World {
  type: "world";
  generation: number;
  scene: string;
  description: string;
  /** What to try, while the demonstration runs. */
  invitation: string;
  /** Overrides in force, and those of the second lane. */
  set: Overrides;
  compare: Overrides | null;
  /** The engine, by its word in a scene: "quasi-static", "formation" or "volume". */
  engine: string;
  /** Every key of the engine's settings with its value in force, "friction.static": "0.8"; those that the engine finds by itself have none. */
  values: Overrides;
  lanes: LaneFacts[];
  /** The engine's columns: a tick in a frame has a word for each. */
  columns: ColumnFacts[];
  /** Whether the engine can tell how far the part is from slipping. */
  margins: boolean;
  rate: number;
  /** Farthest point of the held part from its centre (m). */
  radius: number;
  /** The bodies, in the order of frames, for engines of many bodies; empty where there are a held and a fixed part. */
  bodies: BodyFacts[];
  /** Box in the world of all bodies that move, with the ways that hands take theirs; null where there are a held and a fixed part. */
  room: [Vec3, Vec3] | null;
  /** Hands that the engine has. */
  hands: number;
  world_from_fixed: PoseArray;
  start: PoseArray;
  /** Where the scene's own hand ends. */
  end: PoseArray;
  /** Boxes of the parts in their own axes: [min, max]. */
  held_box: [Vec3, Vec3];
  fixed_box: [Vec3, Vec3];
  /** Which part carries the shell; the other carries the field that collides with it. */
  shell_on: "held" | "fixed";
  shell_points: number;
  shell_levels: number;
  /** Length of the scene's own motion (s). */
  seconds: number;
  coupling: { stiffness: number; torsion: number; max_force: number; max_torque: number };
  /** Most work of a tick, in samples of a distance field; null where ticks do not count it. Ticks that it left points out in have the flag "coarse". */
  work: number | null;
  /** What looks odd, in words. */
  notes: string[];
  /** A loaded recording, instead of the loop. */
  playback: { name: string; seconds: number; verdict: string } | null;
  /** The device that holds the part instead of a page, and its hand. */
  device: string | null;
}

/** Something takes its time; `of` 0 is unknown. `text` "" is done. */
export interface Progress {
  type: "progress";
  text: string;
  done: number;
  of: number;
}

/** For the user, as the terminal has it. */
export interface Problem {
  type: "problem";
  message: string;
  /** There is no world to show: a scene failed to load and none was there before. */
  fatal: boolean;
}

export interface Recordings {
  type: "recordings";
  folder: string;
  /** Newest first. */
  files: { name: string; bytes: number }[];
  /** The one being written. */
  recording: string | null;
}

export interface Pong {
  type: "pong";
  sent: number;
}

export type FromServer = Welcome | Roles | World | Progress | Problem | Recordings | Pong;

// ---------------------------------------------------------------------------------------------- frames

export const enum SlipState {
  Separated = 0,
  Stuck = 1,
  Sliding = 2,
}
/** What moves the hand; with "nobody" it follows the part, and it "waits" until a page asks for something. */
export const SOURCES = ["script", "page", "recording", "device", "nobody", "waits", "demonstration"] as const;
export type Source = (typeof SOURCES)[number];
/** What a part does, in a word. */
export const MOTIONS = ["free", "holds", "rolls", "slides", "undecided", "no friction"] as const;
export type Motion = (typeof MOTIONS)[number];
export const PHASES = ["off", "ramping", "running", "fading", "waiting", "latched"] as const;

export interface Contacts {
  count: number;
  /** Number of the shell point. */
  id: Uint32Array;
  state: Uint8Array;
  /** All in the world, 3 numbers each. */
  position: Float32Array;
  /** Unit direction of the normal force on the held part. */
  normal: Float32Array;
  /** On the held part (N). */
  friction: Float32Array;
  /** Slip in this tick (m). */
  slip: Float32Array;
  /** (N) */
  normalForce: Float32Array;
  /** µ F_n in force (N). */
  limit: Float32Array;
  /** (m) */
  depth: Float32Array;
}

/** Areas over which two bodies touch. */
export interface Areas {
  count: number;
  /** Low 32 bits of the contact's number: the same while the same two convex parts touch. */
  id: Uint32Array;
  /** The numbers of the two bodies: 2 numbers each. */
  bodies: Uint16Array;
  state: Uint8Array;
  /** All in the world, 3 numbers each: unit direction of the normal force on the second body, where it acts, and friction on the second body (N). */
  normal: Float32Array;
  centre: Float32Array;
  friction: Float32Array;
  /** (N) */
  normalForce: Float32Array;
  /** Torque of friction on the second body about the normal (N m). */
  torsion: Float32Array;
  /** Largest depth (m). */
  depth: Float32Array;
  /** Area i has the corners from start[i] up to start[i + 1]. */
  start: Uint32Array;
  /** Corners of the outlines, in order (m, world): 3 numbers each. */
  corners: Float32Array;
}

export interface Lane {
  /** The last tick, by the names of its columns; those that the engine has not are missing. */
  row: TickRow;
  /** World from held part. */
  part: PoseArray;
  /** Its centre of mass in the world; wrenches are about it. */
  centre: Vec3;
  /** What the hand feels. */
  wrench: Wrench;
  /** What the part does, without flicker: badge, bands, sentence, path and gauge all say this; undefined if the engine does not tell. */
  word: Motion | undefined;
  /** The share of µ static that holding the part takes: NaN unknown, Infinity: no friction would do. */
  margin: number;
  /** How fast the fastest contact slides (m/s); 0 unless the part slides. */
  speed: number;
  /** The motion that would begin, or has begun, where friction does not suffice: shift (m) and turn (rad) about the centre, of no particular length. */
  weakest: Wrench;
  /** How far the contact has moved along the surface since the hand came to rest (m). */
  creep: number;
  /** CPU time of a tick since the last frame: mean and longest (s). */
  cpuMean: number;
  cpuMax: number;
  /** Index into PHASES: what the safety envelope does. */
  phase: number;
  /** Ticks since the last frame, and in how many of them the part slipped. */
  ticks: number;
  slipped: number;
  /** Where the bodies are (world from body): those of the world's list; without one the held part, then the fixed one or that of the other hand. */
  bodies: PoseArray[];
  /** The numbers of the bodies that the first two hands hold, counted from 1; 0 for one that holds none. */
  holds: [number, number];
  /** What is happening, in a sentence. */
  sentence: string;
  /** What touches what, in words; empty if nothing does, or the contacts have no names. */
  touches: string;
  /** Touching points; of many, as many as fit into a frame. */
  contacts: Contacts;
  /** Areas over which bodies touch; of many, as many as fit into a frame. */
  areas: Areas;
}

export interface Frame {
  generation: number;
  source: Source;
  paused: boolean;
  recording: boolean;
  playback: boolean;
  /** The hand that the page moves, of those that the engine has; ticks are told of it. */
  ofHand: number;
  /** Time of the simulation since its reset, or in the recording (s). */
  time: number;
  tick: number;
  /** The last `hand` message in force. */
  handSeq: number;
  speed: number;
  /** Real cycles a second of the loop, and deadlines it has missed altogether. */
  rate: number;
  skipped: number;
  /** The latest start of a cycle behind its deadline since the last frame (s). */
  lateMax: number;
  /** The hand that both lanes follow. */
  hand: PoseArray;
  lanes: Lane[];
}

const HEADER = 120;
const LANE = 124;
const BODY = 56;
const CONTACT = 68;
const AREA = 64;
const CORNER = 12;
const text = new TextDecoder();

class Reader {
  at = 0;
  constructor(readonly view: DataView) {}
  u8() {
    return this.view.getUint8(this.at++);
  }
  u16() {
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }
  u32() {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }
  f32() {
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }
  f64() {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }
  list<T extends number[]>(n: number): T {
    return Array.from({ length: n }, () => this.f64()) as T;
  }
  has(bytes: number) {
    return this.at + bytes <= this.view.byteLength;
  }
}

/** The generation of a frame; null for anything that is none. */
export function frameGeneration(buffer: ArrayBuffer): number | null {
  const view = new DataView(buffer);
  return view.byteLength >= HEADER && view.getUint8(0) === 1 ? view.getUint32(4, true) : null;
}

/** Decodes a frame whose ticks have these columns; null for anything that is none. */
export function decodeFrame(buffer: ArrayBuffer, columns: readonly ColumnFacts[]): Frame | null {
  const r = new Reader(new DataView(buffer));
  if (!r.has(HEADER) || r.u8() !== 1) return null;
  const [count, source, bits] = [r.u8(), r.u8(), r.u8()];
  if (count < 1 || count > 2) return null;
  const frame: Frame = {
    generation: r.u32(),
    source: SOURCES[source] ?? "script",
    paused: (bits & 1) !== 0,
    recording: (bits & 2) !== 0,
    playback: (bits & 4) !== 0,
    ofHand: (bits & 8) !== 0 ? 1 : 0,
    time: r.f64(),
    tick: r.f64(),
    handSeq: r.f64(),
    speed: r.f64(),
    rate: r.f64(),
    skipped: r.f64(),
    lateMax: r.f64(),
    hand: r.list<PoseArray>(7),
    lanes: [],
  };
  for (let i = 0; i < count; i++) {
    const lane = decodeLane(r, columns);
    if (!lane) return null;
    frame.lanes.push(lane);
  }
  return frame;
}

/** What comes between a sentence and what touches. */
const TOUCHES = ". Touches: ";

function decodeLane(r: Reader, columns: readonly ColumnFacts[]): Lane | null {
  if (!r.has(LANE)) return null;
  const lane = { margin: r.f64(), creep: r.f64(), cpuMean: r.f64(), cpuMax: r.f64(), speed: r.f64(), weakest: r.list<Wrench>(6), phase: r.u8() };
  const word = MOTIONS[r.u8()];
  const bodyCount = r.u16();
  const counts = { ticks: r.u32(), slipped: r.u32() };
  const [words, count, areaCount, corners, length] = [r.u32(), r.u32(), r.u32(), r.u32(), r.u32()];
  const holds: [number, number] = [r.u16(), r.u16()];
  const padded = Math.ceil(length / 4) * 4;
  if (words !== columns.length || !r.has(8 * words + bodyCount * BODY + padded + count * CONTACT + areaCount * AREA + corners * CORNER)) return null;
  const row = decodeRow(r, columns);
  const bodies = Array.from({ length: bodyCount }, () => r.list<PoseArray>(7));
  const [sentence = "", touches = ""] = text.decode(new Uint8Array(r.view.buffer, r.view.byteOffset + r.at, length)).split(TOUCHES);
  r.at += padded;
  const contacts = decodeContacts(r, count);
  const areas = decodeAreas(r, areaCount, corners);
  return areas && { row, ...placed(row), ...lane, word, ...counts, bodies, holds, sentence, touches, contacts, areas };
}

/** The words of a tick: 64 bits for each column. */
function decodeRow(r: Reader, columns: readonly ColumnFacts[]): TickRow {
  const values = columns.map(({ name, kind }): [string, unknown] => {
    if (kind === "real") return [name, r.f64()];
    const [low, high] = [r.u32(), r.u32()];
    const number = low + high * 2 ** 32;
    if (kind === "count") return [name, number];
    if ("choice" in kind) return [name, kind.choice[number] ?? "unknown"];
    const bits = Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => ((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) !== 0);
    return [name, bits.map((bit) => kind.flags[bit] ?? `bit ${bit}`)];
  });
  return Object.fromEntries(values) as unknown as TickRow;
}

/** What is drawn of a tick. */
function placed(row: TickRow): Pick<Lane, "part" | "centre" | "wrench"> {
  return {
    part: [row.part_x_m, row.part_y_m, row.part_z_m, row.part_qw, row.part_qx, row.part_qy, row.part_qz],
    centre: [row.centre_x_m, row.centre_y_m, row.centre_z_m],
    wrench: [row.wrench_fx_n, row.wrench_fy_n, row.wrench_fz_n, row.wrench_tx_nm, row.wrench_ty_nm, row.wrench_tz_nm],
  };
}

function decodeContacts(r: Reader, count: number): Contacts {
  const c: Contacts = {
    count,
    id: new Uint32Array(count),
    state: new Uint8Array(count),
    position: new Float32Array(3 * count),
    normal: new Float32Array(3 * count),
    friction: new Float32Array(3 * count),
    slip: new Float32Array(3 * count),
    normalForce: new Float32Array(count),
    limit: new Float32Array(count),
    depth: new Float32Array(count),
  };
  const three = (to: Float32Array, i: number) => {
    for (let k = 0; k < 3; k++) to[3 * i + k] = r.f32();
  };
  for (let i = 0; i < count; i++) {
    c.id[i] = r.u32();
    c.state[i] = r.u32();
    three(c.position, i);
    three(c.normal, i);
    three(c.friction, i);
    three(c.slip, i);
    c.normalForce[i] = r.f32();
    c.limit[i] = r.f32();
    c.depth[i] = r.f32();
  }
  return c;
}

/** Areas, then the corners of all of them; null if their numbers of corners do not add up. */
function decodeAreas(r: Reader, count: number, corners: number): Areas | null {
  const a: Areas = {
    count,
    id: new Uint32Array(count),
    bodies: new Uint16Array(2 * count),
    state: new Uint8Array(count),
    normal: new Float32Array(3 * count),
    centre: new Float32Array(3 * count),
    friction: new Float32Array(3 * count),
    normalForce: new Float32Array(count),
    torsion: new Float32Array(count),
    depth: new Float32Array(count),
    start: new Uint32Array(count + 1),
    corners: new Float32Array(3 * corners),
  };
  for (let i = 0; i < count; i++) {
    a.id[i] = r.u32();
    a.bodies[2 * i] = r.u16();
    a.bodies[2 * i + 1] = r.u16();
    a.state[i] = r.u32();
    a.start[i + 1] = a.start[i]! + r.u32();
    for (const to of [a.normal, a.centre, a.friction]) for (let k = 0; k < 3; k++) to[3 * i + k] = r.f32();
    a.normalForce[i] = r.f32();
    a.torsion[i] = r.f32();
    a.depth[i] = r.f32();
  }
  if (a.start[count] !== corners) return null;
  for (let k = 0; k < 3 * corners; k++) a.corners[k] = r.f32();
  return a;
}

// ---------------------------------------------------------------------------------------------- shapes, by HTTP

/** Triangles of a part in its own axes, decimated for display: `GET api/mesh/GENERATION/held`, `fixed` or `body/NUMBER`. */
export interface DisplayMesh {
  positions: Float32Array;
  indices: Uint32Array;
  /** Triangles before decimation. */
  original: number;
}

export function decodeMesh(buffer: ArrayBuffer): DisplayMesh | null {
  if (buffer.byteLength < 12) return null;
  const [vertices = 0, triangles = 0, original = 0] = new Uint32Array(buffer, 0, 3);
  if (buffer.byteLength !== 12 + 12 * (vertices + triangles)) return null;
  return {
    positions: new Float32Array(buffer, 12, 3 * vertices),
    indices: new Uint32Array(buffer, 12 + 12 * vertices, 3 * triangles),
    original,
  };
}

/** Points of the shell in the axes of the part that carries it: `GET api/shell/GENERATION`. Level 0 is the coarsest. */
export interface Shell {
  positions: Float32Array;
  levels: Uint8Array;
}

export function decodeShell(buffer: ArrayBuffer): Shell | null {
  if (buffer.byteLength < 4) return null;
  const [count = 0] = new Uint32Array(buffer, 0, 1);
  if (buffer.byteLength !== 4 + 13 * count) return null;
  return { positions: new Float32Array(buffer, 4, 3 * count), levels: new Uint8Array(buffer, 4 + 12 * count, count) };
}

/**
 * Distances (m, negative inside) on a grid in the axes of the part: `GET api/slice/GENERATION/PART?axis=x|y|z&at=0..1`, at being the share of
 * the field's box. Row by row: index = j * columns + i is at origin + i u + j v.
 */
export interface Slice {
  columns: number;
  rows: number;
  origin: Vec3;
  u: Vec3;
  v: Vec3;
  distances: Float32Array;
}

export function decodeSlice(buffer: ArrayBuffer): Slice | null {
  if (buffer.byteLength < 44) return null;
  const [columns = 0, rows = 0] = new Uint32Array(buffer, 0, 2);
  if (buffer.byteLength !== 44 + 4 * columns * rows) return null;
  const f = new Float32Array(buffer, 8, 9);
  const three = (i: number): Vec3 => [f[i] ?? 0, f[i + 1] ?? 0, f[i + 2] ?? 0];
  return { columns, rows, origin: three(0), u: three(3), v: three(6), distances: new Float32Array(buffer, 44, columns * rows) };
}

/** Columns of a survey, in their order, by the names of the plots. */
export const SURVEYED = ["fx", "fy", "fz", "f", "tx", "ty", "tz", "touching", "stuck", "sliding", "margin", "creep", "kinetic", "potential", "band"] as const;

/**
 * A stretch of a recording: least and largest value of every column in each of its rows, `GET api/survey/GENERATION?from=0&to=2.5&rows=900`. Value 2 c + 0 of a row is the least of column c,
 * 2 c + 1 its largest. The band is 0 free, 1 stick, 2 undecided, 3 slip. Row r begins with the tick at from + r each (s).
 */
export interface SurveyRows {
  rows: number;
  from: number;
  each: number;
  values: Float32Array;
}

export function decodeSurvey(buffer: ArrayBuffer): SurveyRows | null {
  if (buffer.byteLength < 24) return null;
  const view = new DataView(buffer);
  const [rows, columns] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (columns !== SURVEYED.length || buffer.byteLength !== 24 + 8 * rows * columns) return null;
  return { rows, from: view.getFloat64(8, true), each: view.getFloat64(16, true), values: new Float32Array(buffer, 24, 2 * rows * columns) };
}
