// How long arrows are: so that the longest fits the part, without flicker.

/** Follows the largest force so that its arrow keeps about the wanted length. Quick when arrows get too long, slow to make them longer. */
export class AutoScale {
  private value: number | null = null;

  /** Length of the longest arrow (m). */
  constructor(public wanted: number) {}

  /** Metres for a newton, after dt seconds with this largest force; what it was, if there is no force. */
  next(largest: number, dt: number): number {
    if (!(largest > 1e-9) || !Number.isFinite(largest)) return this.value ?? this.wanted;
    const goal = this.wanted / largest;
    if (this.value === null) return (this.value = goal);
    const ratio = goal / this.value;
    if (ratio > 0.95 && ratio < 1.5) return this.value;
    const time = ratio < 1 ? 0.15 : 1.2;
    this.value *= Math.pow(ratio, 1 - Math.exp(-Math.max(0, dt) / time));
    return this.value;
  }

  /** Starts anew: another world. */
  reset(wanted: number): void {
    this.wanted = wanted;
    this.value = null;
  }
}

/** The largest of 1, 2, 5 times a power of ten that is not above x. */
export function nice(x: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  const digit = x / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}
