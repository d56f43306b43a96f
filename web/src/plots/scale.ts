// Scales of plots: round numbers, and a range that follows the data without twitching.

/** A range with round ends and the distance of its grid lines. */
export interface Range {
  low: number;
  high: number;
  step: number;
}

/** The next round number (1, 2, 5 times a power of ten) that is not below. */
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  const round = lead <= 1 + 1e-9 ? 1 : lead <= 2 + 1e-9 ? 2 : lead <= 5 + 1e-9 ? 5 : 10;
  return Number((round * power).toPrecision(6));
}

/** A range that holds both numbers, with about so many grid lines. */
export function roundRange(low: number, high: number, lines: number): Range {
  const step = roundUp((high - low) / Math.max(1, lines));
  const tidy = (x: number) => Number(x.toPrecision(12)) + 0;
  return { low: tidy(step * Math.floor(low / step + 1e-9)), high: tidy(step * Math.ceil(high / step - 1e-9)), step };
}

/** Decimals that tell multiples of a step apart. */
export function decimals(step: number): number {
  return Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

const PATIENCE = 2;
const ROOMY = 0.5;

/** A range that grows at once, and shrinks only after the data has needed less than half of it for two seconds. */
export class Autoscale {
  private range: Range;
  private roomySince = NaN;

  /** `floor` is the least extent that is shown; zero is always in. */
  constructor(
    private readonly floor: number,
    private readonly lines = 3,
  ) {
    this.range = roundRange(0, floor, lines);
  }

  /** The range for data between two numbers (NaN, NaN of none) at a time (s of the clock). */
  update(low: number, high: number, now: number): Range {
    const want = this.wanted(low, high);
    const grows = want.low < this.range.low || want.high > this.range.high;
    const roomy = want.high - want.low <= ROOMY * (this.range.high - this.range.low);
    if (grows) {
      const keep = roundRange(Math.min(want.low, this.range.low), Math.max(want.high, this.range.high), this.lines);
      this.range = roomy ? want : keep;
      this.roomySince = NaN;
    } else if (!roomy) this.roomySince = NaN;
    else if (Number.isNaN(this.roomySince)) this.roomySince = now;
    else if (now - this.roomySince >= PATIENCE) {
      this.range = want;
      this.roomySince = NaN;
    }
    return this.range;
  }

  /** Starts anew, as with no data. */
  reset(): void {
    this.range = roundRange(0, this.floor, this.lines);
    this.roomySince = NaN;
  }

  private wanted(low: number, high: number): Range {
    const [l, h] = [Number.isFinite(low) ? Math.min(0, low) : 0, Number.isFinite(high) ? Math.max(0, high) : 0];
    const missing = Math.max(0, this.floor - (h - l));
    const downward = h - l > 0 ? missing * (-l / (h - l)) : 0;
    return roundRange(l - downward, h + missing - downward, this.lines);
  }
}
