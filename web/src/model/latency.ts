// From the hand to the picture: how long a hand message takes until a frame that knows it has been drawn.

const KEEP = 200;
const WAITING = 256;
const GIVE_UP = 5000;

/** What was measured, in ms. */
export interface LatencyStats {
  p50: number;
  p95: number;
  count: number;
}

/** The value below which so large a share of the numbers lies; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? NaN;
}

/** Notes when hands are sent and drawn; keeps the last 200 differences. */
export class Latency {
  private waiting: { seq: number; at: number }[] = [];
  private readonly kept: number[] = [];
  private total = 0;

  /** A hand message went out. */
  sent(seq: number, now: number): void {
    this.waiting.push({ seq, at: now });
    if (this.waiting.length > WAITING) this.waiting.shift();
  }

  /** A frame whose last hand is `handSeq` has been drawn. */
  drawn(handSeq: number, now: number): void {
    if (this.waiting.length === 0) return;
    const left: typeof this.waiting = [];
    for (const hand of this.waiting) {
      if (hand.seq <= handSeq) {
        this.kept.push(now - hand.at);
        this.total++;
      } else if (now - hand.at < GIVE_UP) left.push(hand);
    }
    this.waiting = left;
    if (this.kept.length > KEEP) this.kept.splice(0, this.kept.length - KEEP);
  }

  /** Forgets what is under way: after a lost connection. */
  drop(): void {
    this.waiting = [];
  }

  /** Median and 95th percentile of the last 200 (ms), and how many there ever were. */
  stats(): LatencyStats {
    return { p50: percentile(this.kept, 0.5), p95: percentile(this.kept, 0.95), count: this.total };
  }
}

/** Counts events over the last second or so. */
export class RateMeter {
  private readonly times: number[] = [];

  /** Something happened. */
  mark(now: number): void {
    this.times.push(now);
    while (this.times.length > 0 && now - (this.times[0] ?? now) > 2000) this.times.shift();
  }

  /** Events a second over the last two seconds; 0 if there are fewer than two. */
  rate(now: number): number {
    const recent = this.times.filter((t) => now - t <= 2000);
    const [first, last] = [recent[0], recent[recent.length - 1]];
    if (first === undefined || last === undefined || last <= first) return 0;
    return (1000 * (recent.length - 1)) / (last - first);
  }
}
