// How long to wait before trying the server again.

const FIRST = 0.25;
const LAST = 5;

/** Doubling waits from 0.25 s to 5 s, each shortened by up to a quarter so that pages do not come all at once. */
export class Backoff {
  private tries = 0;

  constructor(private readonly random: () => number = Math.random) {}

  /** The next wait (s). */
  next(): number {
    const whole = Math.min(LAST, FIRST * 2 ** Math.min(this.tries, 16));
    this.tries++;
    return whole * (1 - 0.25 * this.random());
  }

  /** How many waits there have been since it last worked. */
  get count(): number {
    return this.tries;
  }

  /** It worked. */
  reset(): void {
    this.tries = 0;
  }
}
