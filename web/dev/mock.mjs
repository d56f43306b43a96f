// A stand-in for `stiction view`, for development only: serves dist/ and made-up frames.
//   node dev/mock.mjs [port] [--token=…] [--fatal] [--protocol=2] [--refuse] [--noise]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { frameBytes } from "./frames.mjs";
import { shape } from "./shapes.mjs";
import { accept } from "./socket.mjs";

const port = Number(process.argv[2] ?? 8123);
const token = process.argv.find((a) => a.startsWith("--token="))?.slice(8) ?? null;
const protocol = Number(process.argv.find((a) => a.startsWith("--protocol="))?.slice(11) ?? 1);
const [refuse, noise] = [process.argv.includes("--refuse"), process.argv.includes("--noise")];
const dist = process.env.DIST ?? fileURLToPath(new URL("../dist", import.meta.url));
const SCENES = ["corner-cube", "gear-on-shaft", "incline", "peg-in-hole-chamfered", "peg-in-hole-round", "peg-in-hole-square", "plate-cube"];
const OWN = {
  "friction.method": "hold", "friction.cone": "disk", "friction.static": "0.8", "friction.kinetic": "0.7", "friction.spring_stiffness": "10000.0",
  "coupling.stiffness": "2000.0", "coupling.torsion": "20.0", "contact.stiffness": "50000.0", "contact.release": "true", "damping.alpha": "0.6", "damping.when": "sliding",
};
const CSP = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; connect-src 'self'";

const w = { generation: 1, scene: "corner-cube", set: {}, compare: null, time: 0, paused: false, speed: 1, seq: 0, missed: 0, source: 0, hand: null, recording: null, playback: null, methods: ["hold"], mu: 0.8, fatal: process.argv.includes("--fatal") };
const files = [{ name: "2026-11-16-corner-cube.strec", bytes: 1_832_144 }, { name: "2026-11-15-incline-slides.strec", bytes: 412_880 }];
const pages = new Map();
let [next, holder, asking] = [1, null, []];

const values = () => ({ ...OWN, ...(w.set["friction.method"] === "lp" && { "friction.cone": "{ sides = 8 }" }), ...w.set });
function world() {
  const v = values();
  w.methods = [v["friction.method"], ...(w.compare ? [w.compare["friction.method"]] : [])];
  w.mu = Number(v["friction.static"]);
  const facts = (method) => ({ method, label: `${method}, ${v["friction.cone"] === "disk" ? "disk" : "pyramid"}, µ ${v["friction.static"]}`, mu_static: w.mu, mu_kinetic: Number(v["friction.kinetic"]) });
  return {
    type: "world", generation: w.generation, scene: w.scene, description: "A cube pressed into a 90-degree corner and pulled along its edge, below the limit of friction",
    set: w.set, compare: w.compare, values: v, lanes: w.methods.map(facts), rate: 1000, radius: 0.087, world_from_fixed: [0, 0, 0, 1, 0, 0, 0], start: [0, 0.0505, 0.0505, 1, 0, 0, 0], end: [0, 0.0505, 0.0505, 1, 0, 0, 0],
    held_box: [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]], fixed_box: [[-0.2, -0.02, -0.02], [0.2, 0.2, 0.16]], shell_on: "fixed", shell_points: 7772, shell_levels: 8, seconds: 3,
    coupling: { stiffness: 2000, torsion: 20, max_force: 40, max_torque: 2 }, notes: w.mu > 1 ? ["µ is above 1: few pairs of materials have so much friction"] : [],
    playback: w.playback && { name: w.playback, seconds: 12, verdict: "replayed to the same bits" },
  };
}
const all = (m) => pages.forEach((p) => p.text(JSON.stringify(m)));
const roles = () => all({ type: "roles", holder, pages: [...pages.keys()], asking });
const recordings = () => ({ type: "recordings", folder: "/home/lab/recordings", files, recording: w.recording });

function configure(m) {
  if (!SCENES.includes(m.scene)) return "no such scene";
  const slow = m.scene !== w.scene;
  const apply = () => {
    Object.assign(w, { scene: m.scene, set: m.set, compare: m.compare, generation: w.generation + 1, fatal: false, playback: null });
    all({ type: "progress", text: "", done: 0, of: 0 });
    all(world());
  };
  if (!slow) return void apply();
  for (let i = 1; i <= 10; i++) setTimeout(() => all({ type: "progress", text: `Baking ${m.scene}: distance field of the held part`, done: i, of: 10 }), 100 * i);
  setTimeout(apply, 1200);
}

const does = {
  hand: (m) => Object.assign(w, { seq: m.seq, hand: m.pose, source: 1 }),
  let_go: () => (w.hand = null),
  script: () => Object.assign(w, { hand: null, source: 0 }),
  configure,
  time: (m) => Object.assign(w, { paused: m.paused, speed: m.speed }),
  step: (m) => (w.time += m.ticks / 1000),
  reset: () => Object.assign(w, { time: 0, hand: null, source: 0 }),
  record: (m) => {
    if (!m.on && w.recording) files.unshift({ name: w.recording, bytes: 20_480 });
    w.recording = m.on ? `2026-11-16-${w.scene}-${files.length}.strec` : null;
    all(recordings());
  },
  play: (m) => {
    Object.assign(w, { playback: m.name, time: 0, source: 2, generation: w.generation + 1, paused: false });
    all(world());
  },
  live: () => {
    Object.assign(w, { playback: null, time: 0, source: 0, generation: w.generation + 1 });
    all(world());
  },
  seek: (m) => (w.time = m.time),
  give: (m) => {
    [holder, asking] = [m.to, asking.filter((p) => p !== m.to)];
    roles();
  },
  drop: () => {
    holder = asking.shift() ?? null;
    roles();
  },
};

function hear(page, text) {
  const m = JSON.parse(text);
  const say = (message) => pages.get(page)?.text(JSON.stringify({ type: "problem", message, fatal: false }));
  if (m.type === "ping") return pages.get(page)?.text(JSON.stringify({ type: "pong", sent: m.sent }));
  if (m.type === "ask") {
    if (holder === null) holder = page;
    else if (holder !== page && !asking.includes(page)) asking.push(page);
    return roles();
  }
  if (page !== holder) return say(`page ${holder} holds the part; ask for it first`);
  const problem = does[m.type] ? does[m.type](m) : `there is no message "${m.type}"`;
  if (typeof problem === "string") say(problem);
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const allowed = (url) => token === null || url.searchParams.get("token") === token;
const server = createServer((request, response) => {
  const url = new URL(request.url, "http://mock");
  const send = (status, body, type = "text/plain") => response.writeHead(status, { "content-type": type, "content-security-policy": CSP }).end(body);
  if (url.pathname.startsWith("/api/")) {
    if (refuse) return send(403, "host");
    if (!allowed(url)) return send(401, "token");
    const bytes = shape(url.pathname.slice(5));
    return bytes ? send(200, bytes, "application/octet-stream") : send(200, "{}", "application/json");
  }
  try {
    const path = join(dist, normalize(url.pathname === "/" ? "/index.html" : url.pathname));
    send(200, readFileSync(path), TYPES[extname(path)]);
  } catch {
    send(404, "not found");
  }
});
server.on("upgrade", (request, socket) => {
  if (refuse) return socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  if (!allowed(new URL(request.url, "http://mock"))) return socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
  const page = next++;
  const gone = () => {
    if (!pages.delete(page)) return;
    asking = asking.filter((p) => p !== page);
    if (holder === page) holder = asking.shift() ?? [...pages.keys()][0] ?? null;
    roles();
  };
  const peer = accept(request, socket, (text) => hear(page, text), gone);
  pages.set(page, peer);
  holder ??= page;
  peer.text(JSON.stringify({ type: "welcome", protocol, version: "0.1.0", page, scenes: SCENES }));
  roles();
  peer.text(JSON.stringify(w.fatal ? { type: "problem", fatal: true, message: "error: scenes/corner-cube/scene.toml, line 12, column 9: there is no solid \"bocks\"; did you mean \"box\"?" } : world()));
  peer.text(JSON.stringify(recordings()));
});

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  if (!w.paused) w.time += (w.speed * (now - last)) / 1000;
  if (w.playback && w.time >= 12) Object.assign(w, { time: 12, paused: true });
  last = now;
  if (w.fatal || pages.size === 0) return;
  const bytes = frameBytes(w);
  if (noise) for (const page of pages.values()) [bytes.subarray(0, 300), Buffer.from([9]), Buffer.alloc(0)].forEach((bad) => page.bytes(bad));
  if (noise) for (const page of pages.values()) page.text("{nonsense");
  for (const page of pages.values()) if (page.waiting() < 1e5) page.bytes(bytes);
}, 16);
server.listen(port, "127.0.0.1", () => console.log(`mock on http://127.0.0.1:${port}/`));
