// Everything the page knows of the server, as signals that panels listen to.
import { Connection, type Link } from "./connection";
import { Latency, RateMeter } from "./model/latency";
import { Signal } from "./model/signal";
import { decodeFrame, decodeSurvey, frameGeneration, PROTOCOL, type Frame, type FromServer, type PoseArray, type Problem, type Progress, type Recordings, type Roles, type SurveyRows, type ToServer, type Welcome, type World } from "./protocol";

/** A problem on show, with how often it came. */
export interface Shown {
  text: string;
  times: number;
}

const MOST_SHOWN = 4;

/** The state of the connection and of the server's world. */
export class Session {
  readonly link = new Signal<Link>({ state: "connecting" });
  readonly welcome = new Signal<Welcome | null>(null);
  readonly roles = new Signal<Roles | null>(null);
  readonly world = new Signal<World | null>(null);
  readonly progress = new Signal<Progress | null>(null);
  readonly recordings = new Signal<Recordings | null>(null);
  /** Why there is no world at all. */
  readonly fatal = new Signal<string | null>(null);
  readonly problems = new Signal<Shown[]>([]);
  /** The newest frame of the world in force. */
  readonly frame = new Signal<Frame | null>(null);
  /** Frames so far, and those of other worlds that were left out. */
  frames = 0;
  stale = 0;
  readonly latency = new Latency();
  readonly drawnRate = new RateMeter();
  readonly connection: Connection;
  private seq = 0;
  private pending: PoseArray | null = null;
  private sentThisFrame = false;

  constructor(token: string | null) {
    this.connection = new Connection(token, {
      onLink: (link) => {
        if (link.state !== "open") this.latency.drop();
        this.link.set(link);
      },
      onMessage: (message) => this.hear(message),
      onFrame: (bytes) => this.hearFrame(bytes),
    });
  }

  /** This page's number. */
  get page(): number | null {
    return this.welcome.value?.page ?? null;
  }

  /** Whether this page holds the part and can do something with it. */
  get holding(): boolean {
    return this.link.value.state === "open" && this.page !== null && this.roles.value?.holder === this.page;
  }

  /** Sends a message that only the holder may; others are left out. */
  command(message: ToServer): boolean {
    return this.holding && this.connection.send(message);
  }

  /** Sends the hand, at most once an animation frame: the newest counts. */
  moveHand(pose: PoseArray): void {
    this.pending = pose;
    if (!this.sentThisFrame) this.sendHand();
  }

  /** The hand takes a body, or lets go. What was asked of the hand before goes out first. */
  grab(body: number | null): void {
    if (this.pending) this.sendHand();
    this.command({ type: "grab", body });
  }

  /** A frame is on the screen. */
  drawn(frame: Frame): void {
    const now = performance.now();
    this.drawnRate.mark(now);
    this.latency.drawn(frame.handSeq, now);
  }

  /** A stretch of the recording on show, in at most so many rows. */
  async survey(generation: number, from: number, to: number, rows: number): Promise<SurveyRows> {
    const survey = decodeSurvey(await this.connection.fetchBytes(`survey/${generation}?from=${from}&to=${to}&rows=${rows}`));
    if (!survey) throw new Error("the survey of the recording cannot be read");
    return survey;
  }

  /** Shows a problem of the page's own. */
  complain(text: string): void {
    const rest = this.problems.value.filter((p) => p.text !== text);
    const times = (this.problems.value.find((p) => p.text === text)?.times ?? 0) + 1;
    this.problems.set([{ text, times }, ...rest].slice(0, MOST_SHOWN));
  }

  /** The user has read it. */
  dismiss(text: string): void {
    this.problems.set(this.problems.value.filter((p) => p.text !== text));
  }

  private sendHand(): void {
    const pose = this.pending;
    this.pending = null;
    if (!pose || !this.holding) return;
    this.seq = Math.max(this.seq, this.frame.value?.handSeq ?? 0) + 1;
    if (this.connection.send({ type: "hand", seq: this.seq, pose }, true)) this.latency.sent(this.seq, performance.now());
    this.sentThisFrame = true;
    requestAnimationFrame(() => {
      this.sentThisFrame = false;
      if (this.pending) this.sendHand();
    });
  }

  private hear(message: FromServer): void {
    switch (message.type) {
      case "welcome":
        if (message.protocol !== PROTOCOL) this.connection.giveUp();
        else this.welcome.set(message);
        break;
      case "roles":
        this.roles.set(message);
        break;
      case "world":
        this.fatal.set(null);
        this.progress.set(null);
        this.world.set(message);
        break;
      case "progress":
        this.progress.set(message.text === "" ? null : message);
        break;
      case "recordings":
        this.recordings.set(message);
        break;
      case "problem":
        this.hearProblem(message);
        break;
      case "pong":
        break;
    }
  }

  private hearProblem(problem: Problem): void {
    this.progress.set(null);
    if (problem.fatal) this.fatal.set(problem.message);
    else this.complain(problem.message);
  }

  private hearFrame(bytes: ArrayBuffer): boolean {
    const [generation, world] = [frameGeneration(bytes), this.world.value];
    if (generation === null) return false;
    if (generation !== world?.generation) {
      this.frames++;
      this.stale++;
      return true;
    }
    const frame = decodeFrame(bytes, world.columns);
    if (!frame) return false;
    this.frames++;
    this.frame.set(frame);
    return true;
  }
}
