// Samples over time, in typed arrays that are made once.

/** Rows of numbers by time. Rows whose time is NaN are empty. */
export interface Samples {
  /** Rows to walk over, from old to new. */
  readonly size: number;
  time(row: number): number;
  value(column: number, row: number): number;
  /** The first row that is not before `time`; `size` if there is none. Rows may be empty. */
  find(time: number): number;
}

/** The row nearest to a time, -1 if there is none within `within` seconds. */
export function nearest(samples: Samples, time: number, within: number): number {
  const from = samples.find(time);
  let best = -1;
  let gap = within;
  const look = (row: number, by: number) => {
    for (; row >= 0 && row < samples.size; row += by) {
      const away = Math.abs(samples.time(row) - time);
      if (Number.isNaN(away)) continue;
      if (away <= gap) [best, gap] = [row, away];
      return;
    }
  };
  look(from, 1);
  look(from - 1, -1);
  return best;
}

/** The last so many rows of a run that goes on. */
export class Ring implements Samples {
  private readonly times: Float64Array;
  private readonly data: Float32Array[];
  private start = 0;
  private count = 0;

  constructor(
    readonly capacity: number,
    columns: number,
  ) {
    this.times = new Float64Array(capacity);
    this.data = Array.from({ length: columns }, () => new Float32Array(capacity));
  }

  get size(): number {
    return this.count;
  }

  /** Forgets everything. */
  clear(): void {
    this.start = this.count = 0;
  }

  /** Adds a row after the last; one that is older forgets all that was, one of the same time replaces it. False if nothing was added. */
  push(time: number, row: ArrayLike<number>): boolean {
    if (!Number.isFinite(time)) return false;
    const last = this.last();
    if (time < last) this.clear();
    const same = this.count > 0 && time === last;
    if (!same) {
      if (this.count < this.capacity) this.count++;
      else this.start = (this.start + 1) % this.capacity;
    }
    const at = this.place(this.count - 1);
    this.times[at] = time;
    this.data.forEach((column, i) => (column[at] = row[i] ?? NaN));
    return !same;
  }

  /** Time of the newest row; NaN of none. */
  last(): number {
    return this.count > 0 ? this.time(this.count - 1) : NaN;
  }

  time(row: number): number {
    return this.times[this.place(row)] ?? NaN;
  }

  value(column: number, row: number): number {
    return this.data[column]?.[this.place(row)] ?? NaN;
  }

  find(time: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private place(row: number): number {
    const at = this.start + row;
    return at >= this.capacity ? at - this.capacity : at;
  }
}

/** A recording of known length: rows come in any order, each in the slot of its time. */
export class Slots implements Samples {
  private readonly times: Float64Array;
  private readonly data: Float32Array[];

  constructor(
    readonly size: number,
    columns: number,
    readonly seconds: number,
  ) {
    this.times = new Float64Array(size).fill(NaN);
    this.data = Array.from({ length: columns }, () => new Float32Array(size).fill(NaN));
  }

  /** Puts a row where its time belongs. */
  push(time: number, row: ArrayLike<number>): boolean {
    if (!Number.isFinite(time)) return false;
    const at = this.slot(time);
    this.times[at] = time;
    this.data.forEach((column, i) => (column[at] = row[i] ?? NaN));
    return true;
  }

  time(row: number): number {
    return this.times[row] ?? NaN;
  }

  value(column: number, row: number): number {
    return this.data[column]?.[row] ?? NaN;
  }

  find(time: number): number {
    const slot = this.slot(time);
    return time > this.time(slot) ? slot + 1 : slot;
  }

  private slot(time: number): number {
    const share = this.seconds > 0 ? time / this.seconds : 0;
    return Math.min(this.size - 1, Math.max(0, Math.floor(share * this.size)));
  }
}
