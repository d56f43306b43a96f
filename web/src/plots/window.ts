// The stretch of time that plots show: the last seconds of the loop, all of a recording, or what the user chose by wheel and drag.

/** What there is to show. */
export interface Extent {
  /** Length of a recording (s); null for the loop. */
  recording: number | null;
  /** Oldest and newest time there is (s); NaN of none. */
  first: number;
  last: number;
}

const SHORTEST = 2e-3;
const [LEAST_SECONDS, MOST_SECONDS] = [0.05, 120];

/** The stretch that is shown, by the user's choice. */
export class PlotWindow {
  /** Seconds shown of the loop. */
  seconds = 10;
  private chosen: [number, number] | null = null;

  /** Whether the user has chosen a stretch: plots neither follow the loop nor show all of a recording. */
  get fixed(): boolean {
    return this.chosen !== null;
  }

  /** From when to when. */
  shown({ recording, last }: Extent): [number, number] {
    if (this.chosen) return this.chosen;
    if (recording !== null) return [0, Math.max(recording, SHORTEST)];
    const from = Number.isNaN(last) ? 0 : Math.max(0, last - this.seconds);
    return [from, from + this.seconds];
  }

  /** Shows more (factor above 1) or less; what is at a time stays at its place, or now does where plots follow the loop. */
  zoom(extent: Extent, at: number, factor: number): void {
    if (!(factor > 0) || !Number.isFinite(at)) return;
    if (extent.recording === null && !this.chosen) {
      this.seconds = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, this.seconds * factor));
      return;
    }
    const [from, to] = this.shown(extent);
    const most = extent.recording === null ? MOST_SECONDS : Math.max(extent.recording, SHORTEST);
    const long = Math.min(most, Math.max(SHORTEST, (to - from) * factor));
    const start = at - ((at - from) / (to - from)) * long;
    this.choose(extent, start, long);
  }

  /** Goes on by so many seconds. */
  pan(extent: Extent, by: number): void {
    const [from, to] = this.shown(extent);
    if (Number.isFinite(by)) this.choose(extent, from + by, to - from);
  }

  /** Follows the loop again, or shows all of a recording. */
  reset(): void {
    this.chosen = null;
  }

  private choose({ recording, first, last }: Extent, from: number, long: number): void {
    const end = recording ?? (Number.isNaN(last) ? 0 : last);
    // All of a recording, or the newest of the loop, needs no choice.
    if (recording !== null ? long >= recording * (1 - 1e-9) : from + long >= end) {
      this.chosen = null;
      if (recording === null) this.seconds = long;
      return;
    }
    const start = Math.max(recording !== null || Number.isNaN(first) ? 0 : first, Math.min(from, end - long));
    this.chosen = [start, start + long];
  }
}
