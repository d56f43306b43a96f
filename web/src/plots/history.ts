// What the plots show: the last minutes of the loop, or all of a recording.
import type { Frame, World } from "../protocol";
import { columnByName, fillRow, WIDTH } from "./columns";
import { Ring, Slots, type Samples } from "./samples";
import type { RecordingSurvey } from "./survey";
import type { Extent } from "./window";

const LIVE_ROWS = 8192;
const SLOTS = 4096;

/** Keeps rows of frames, by the world they are of. */
export class History {
  private readonly ring = new Ring(LIVE_ROWS, WIDTH);
  private slots: Slots | null = null;
  private playing = "";
  private generation = -1;
  /** The scene whose loop the ring has rows of. */
  private scene = "";
  private lanes = 0;
  private readonly row = new Float64Array(WIDTH);
  /** Time of the newest frame (s). */
  now = 0;
  /** All of the recording, as soon as it is known. */
  survey: RecordingSurvey | null = null;

  /** A new world: the past of another scene is forgotten. */
  setWorld(world: World): void {
    const playing = world.playback ? `${world.playback.name} ${world.playback.seconds}` : "";
    if (playing !== this.playing || world.generation !== this.generation) this.survey = null;
    if (world.playback && (playing !== this.playing || world.generation !== this.generation)) {
      this.slots = new Slots(SLOTS, WIDTH, world.playback.seconds);
    } else if (!world.playback) {
      this.slots = null;
      // A change of settings goes on where it was: what was before it stays to be compared with. Times that begin anew clear the ring by themselves.
      if (world.scene !== this.scene) this.ring.clear();
      this.scene = world.scene;
    }
    this.playing = playing;
    this.generation = world.generation;
  }

  /** Adds a frame; true if it is news for the plots. */
  add(frame: Frame): boolean {
    if (frame.lanes.length !== this.lanes) this.ring.clear();
    this.lanes = frame.lanes.length;
    fillRow(this.row, frame);
    const moved = frame.time !== this.now;
    this.now = frame.time;
    return (this.slots ?? this.ring).push(frame.time, this.row) || moved;
  }

  /** The rows of frames: those that have been seen of a recording, where it has not been surveyed yet. */
  get samples(): Samples {
    return this.survey?.all ?? this.frames;
  }

  /** The rows of frames that this page has had. */
  get frames(): Samples {
    return this.slots ?? this.ring;
  }

  /** The rows to draw a stretch of time with. */
  rows(from: number, to: number): Samples {
    return this.survey?.samples(from, to) ?? this.frames;
  }

  /** Length of the recording (s), or null while the loop runs. */
  get recording(): number | null {
    return this.slots ? this.slots.seconds : null;
  }

  /** What there is to show. */
  get extent(): Extent {
    const { ring } = this;
    return { recording: this.recording, first: ring.size > 0 ? ring.time(0) : NaN, last: ring.last() };
  }

  /** A column as plain numbers, old to new: "time", "fx", "fx@1" for the second lane. */
  series(name: string): number[] {
    const column = columnByName(name);
    const out: number[] = [];
    if (name !== "time" && column < 0) return out;
    const s = this.samples;
    for (let row = 0; row < s.size; row++) {
      if (!Number.isNaN(s.time(row))) out.push(name === "time" ? s.time(row) : s.value(column, row));
    }
    return out;
  }
}
