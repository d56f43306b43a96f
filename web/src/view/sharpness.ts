// How many pixels are drawn where the CPU makes them: fewer while the user moves something and drawings take long, all of them when nothing is moved.

/** With fewer than the last, arrows of contacts can no longer be told apart. */
const STEPS = [1, 0.75] as const;
/** A drawing that takes longer than the first (ms) is too slow; one below the second could be sharper. */
const SLOW = 24;
const QUICK = 7;
/** So many drawings in a row decide, and after so long without a move (ms) the picture is sharp again. */
const ENOUGH = 3;
const STILL = 300;

/** Chooses the pixels drawn for one of the page. */
export class Sharpness {
  private step = 0;
  private slow = 0;
  private quick = 0;
  private moved = -Infinity;

  /** The user moves the hand or the camera. */
  move(now: number): void {
    this.moved = now;
  }

  /** A drawing took so long (ms). */
  took(ms: number, now: number): void {
    if (!this.moving(now)) return;
    this.slow = ms > SLOW ? this.slow + 1 : 0;
    this.quick = ms < QUICK ? this.quick + 1 : 0;
    if (this.slow >= ENOUGH) this.go(1);
    else if (this.quick >= 10 * ENOUGH) this.go(-1);
  }

  private go(by: number): void {
    this.step = Math.max(0, Math.min(STEPS.length - 1, this.step + by));
    this.slow = this.quick = 0;
  }

  private moving(now: number): boolean {
    return now - this.moved < STILL;
  }

  /** Pixels to draw for one of the page. */
  ratio(now: number): number {
    return this.moving(now) ? (STEPS[this.step] ?? 1) : 1;
  }

  /** After how long (ms) a picture with so many should be drawn anew to be sharp; null if it is. */
  wait(ratio: number, now: number): number | null {
    return ratio === 1 ? null : Math.max(0, this.moved + STILL - now) + 10;
  }
}
