// A clip of the 3D view: what is drawn, as a WebM file, where the browser can make one.

const RATE = 30;
/** The longest clip (ms): it is kept in memory until it is saved. */
const LONGEST = 120_000;
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** Why there can be no clip here, for the user; null if there can. */
export function whyNoClip(): string | null {
  if (typeof MediaRecorder === "undefined") return "This browser has no MediaRecorder, which clips are made with.";
  if (typeof HTMLCanvasElement.prototype.captureStream !== "function") return "This browser cannot record what a page draws.";
  return TYPES.some((type) => MediaRecorder.isTypeSupported(type)) ? null : "This browser makes no WebM files.";
}

/** A clip in the making. */
export class Clip {
  private readonly recorder: MediaRecorder;
  private readonly chunks: Blob[] = [];
  private readonly timer: ReturnType<typeof setTimeout>;

  /** Begins; `done` gets the file when it ends, or null if nothing came. Throws where the browser refuses. */
  constructor(
    private readonly stream: MediaStream,
    done: (file: Blob | null) => void,
  ) {
    this.recorder = new MediaRecorder(stream, { mimeType: TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? "video/webm" });
    this.recorder.ondataavailable = (event) => event.data.size > 0 && this.chunks.push(event.data);
    this.recorder.onstop = () => done(this.chunks.length > 0 ? new Blob(this.chunks, { type: "video/webm" }) : null);
    this.recorder.start(500);
    this.timer = setTimeout(() => this.stop(), LONGEST);
  }

  /** Pictures a second that a stream should have. */
  static readonly rate = RATE;

  /** Ends it. */
  stop(): void {
    clearTimeout(this.timer);
    if (this.recorder.state !== "inactive") this.recorder.stop();
    for (const track of this.stream.getTracks()) track.stop();
  }
}
