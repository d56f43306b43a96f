// Knows when the pixels of a drawing are done, which is later than when its commands have been given.

/** The calls of WebGL 2 that a fence needs. */
export type FenceGL = Pick<
  WebGL2RenderingContext,
  "fenceSync" | "getSyncParameter" | "deleteSync" | "flush" | "SYNC_GPU_COMMANDS_COMPLETE" | "SYNC_STATUS" | "SIGNALED"
>;

/** A fence that has not signalled after this (ms) never will: the context is lost. */
const GIVE_UP = 2000;

/** Drawings that are under way, oldest first. Fences are looked at in tasks of their own, never waited for. */
export class Fences {
  private readonly waiting: { sync: WebGLSync | null; since: number; done: (ms: number) => void }[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly gl: FenceGL) {}

  /** How many drawings are not done. */
  get underWay(): number {
    return this.waiting.length;
  }

  /** All commands of a drawing have been given: `done` is called when its pixels are, with the time that took (ms). */
  mark(done: (ms: number) => void): void {
    const { gl } = this;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.waiting.push({ sync, since: performance.now(), done });
    this.later();
  }

  /** Looks after those under way. */
  private poll(): void {
    this.timer = null;
    const { gl, waiting } = this;
    for (let first = waiting[0]; first; first = waiting[0]) {
      const took = performance.now() - first.since;
      const { sync, done } = first;
      if (sync && took < GIVE_UP && gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) break;
      waiting.shift();
      gl.deleteSync(sync);
      done(took);
    }
    if (waiting.length > 0) this.later();
  }

  private later(): void {
    this.timer ??= setTimeout(() => this.poll(), 1);
  }
}
