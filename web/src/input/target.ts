// Where the user wants the hand. While the user acts, this is the truth on the page; otherwise the frames are.
import type { PoseArray } from "../protocol";
import { isPose } from "./pose";

/** For so long after the last motion the page trusts its own target, since frames may not have it yet (ms). */
const TRUST = 300;

/** The page's own idea of the hand's pose. */
export class Target {
  private own: PoseArray | null = null;
  private moved = -Infinity;
  private fresh = false;
  private busy = 0;

  /** The pose to start from: the own one while it is young, else that of the newest frame. */
  begin(ofFrame: PoseArray, now: number): PoseArray {
    return this.own && (this.busy > 0 || now - this.moved < TRUST) ? this.own : ofFrame;
  }

  /** A new pose; nonsense is dropped. */
  set(pose: PoseArray, now: number): void {
    if (!isPose(pose)) return;
    this.own = pose;
    this.moved = now;
    this.fresh = true;
  }

  /** A drag begins or ends: a pose that is set during one is trusted until its end, however long the pointer rests. */
  hold(held: boolean, now: number): void {
    if (held && now - this.moved >= TRUST) this.own = null;
    this.busy = Math.max(0, this.busy + (held ? 1 : -1));
  }

  /** The pose to draw while the user acts; null: draw that of the frame. */
  shown(now: number): PoseArray | null {
    return this.own && (this.busy > 0 || now - this.moved < TRUST) ? this.own : null;
  }

  /** The last pose the user wanted. */
  last(): PoseArray | null {
    return this.own;
  }

  /** The pose to send, once. */
  take(): PoseArray | null {
    if (!this.fresh) return null;
    this.fresh = false;
    return this.own;
  }

  /** Forgets the pose: the hand takes another body. */
  forget(): void {
    this.own = null;
    this.fresh = false;
  }

  /** Forgets all: another world, or the user let go. */
  clear(): void {
    this.own = null;
    this.fresh = false;
    this.busy = 0;
    this.moved = -Infinity;
  }
}
