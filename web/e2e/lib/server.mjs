// The real server: `stiction view`, started and stopped by the tests.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** The program under test: $STICTION, or the debug build. */
export const PROGRAM = resolve(process.env.STICTION ?? join(ROOT, "target/debug/stiction"));
/** A scene may have to be baked first. */
const READY = 60_000;

/** Runs the program to its end: what it prints, and its exit code. */
export function run(args, { timeout = 60_000 } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(PROGRAM, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    const out = { stdout: "", stderr: "", code: null };
    child.stdout.on("data", (d) => (out.stdout += d));
    child.stderr.on("data", (d) => (out.stderr += d));
    const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ ...out, code });
    });
  });
}

/** A server at work. */
export class Server {
  stdout = "";
  stderr = "";
  /** Exit code, once it has ended. */
  code = null;

  constructor(child, folder) {
    this.child = child;
    /** Where its recordings are. */
    this.folder = folder;
    this.ended = new Promise((done) => child.on("close", (code) => done((this.code = code ?? -1))));
    child.stdout.on("data", (d) => (this.stdout += d));
    child.stderr.on("data", (d) => (this.stderr += d));
  }

  /** The address that it prints. */
  get url() {
    return /Stiction is at (\S+)/.exec(this.stdout)?.[1] ?? null;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** GET of something, without a browser. */
  get(path, headers = {}) {
    return fetch(new URL(path, this.url), { headers, signal: AbortSignal.timeout(10_000) });
  }

  /** What GET /api/stats says. */
  async stats() {
    const answer = await this.get("/api/stats");
    return answer.json();
  }

  /** Ends it as Ctrl-C does, or at once with SIGKILL. */
  async stop(signal = "SIGINT") {
    if (this.code === null) this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000);
    await this.ended;
    clearTimeout(timer);
  }

  /** Removes its recordings. */
  async remove() {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts a server; `port` null takes the program's own choice, 0 any free one. Resolves when it prints its address. */
export async function startServer({ scene = "corner-cube", port = 0, args = [], folder, priority = false } = {}) {
  if (!existsSync(PROGRAM)) throw new Error(`there is no ${PROGRAM}: build it, or say where it is with STICTION`);
  const kept = folder ?? (await mkdtemp(join(tmpdir(), "stiction-e2e-")));
  const where = port === null ? [] : ["--port", String(port)];
  const full = ["view", scene, "--no-open", ...(priority ? [] : ["--no-priority"]), "--recordings", kept, ...where, ...args];
  const child = spawn(PROGRAM, full, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const server = new Server(child, kept);
  const from = Date.now();
  while (server.url === null) {
    if (server.code !== null) throw new Error(`stiction ${full.join(" ")} ended with ${server.code}: ${server.stderr}`);
    if (Date.now() - from > READY) throw new Error(`stiction ${full.join(" ")} printed no address: ${server.stdout}${server.stderr}`);
    await new Promise((next) => setTimeout(next, 20));
  }
  return server;
}
