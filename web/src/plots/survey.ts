// A surveyed recording as rows for the plots: two for each row of the survey, its least and its largest values.
import { SURVEYED, type SurveyRows } from "../protocol";
import { Band, COLUMNS } from "./columns";
import type { Samples } from "./samples";

/** Bands by the survey's numbers, in which the largest of several counts. */
const BANDS = [Band.Free, Band.Stick, Band.Undecided, Band.Slip];
/** Where each of the plots' columns is in a survey; -1 for those that it has not. */
const PLACES = COLUMNS.map((name) => (SURVEYED as readonly string[]).indexOf(name));
const BAND = COLUMNS.indexOf("band");

/** A stretch of a recording. */
export class SurveySamples implements Samples {
  constructor(readonly survey: SurveyRows) {}

  get size(): number {
    return 2 * this.survey.rows;
  }

  /** Begin and end of the stretch (s). */
  get span(): [number, number] {
    const { from, each, rows } = this.survey;
    return [from, from + each * rows];
  }

  time(row: number): number {
    return this.survey.from + (row >> 1) * this.survey.each;
  }

  value(column: number, row: number): number {
    const place = PLACES[column] ?? -1;
    if (place < 0) return NaN;
    const at = 2 * ((row >> 1) * SURVEYED.length + place);
    const { values } = this.survey;
    if (column === BAND) return BANDS[values[at + 1] ?? 0] ?? Band.Free;
    return values[at + (row & 1)] ?? NaN;
  }

  find(time: number): number {
    const { from, each, rows } = this.survey;
    const row = Math.ceil((time - from) / each - 1e-9);
    return 2 * Math.max(0, Math.min(rows, Number.isNaN(row) ? 0 : row));
  }
}

/** Whether a stretch with so many seconds a row is sharp enough to show another one in so many pixels. */
const sharp = (survey: SurveyRows, seconds: number, pixels: number) => survey.each <= (1.5 * seconds) / Math.max(1, pixels);

/** The survey of one recording: all of it, and the stretch that is looked at more closely. */
export class RecordingSurvey {
  private whole: SurveySamples | null = null;
  private near: SurveySamples | null = null;
  private asked = "";

  /** `fetchRows` gets a stretch from the server; `changed` is called when one has come. */
  constructor(
    private readonly fetchRows: (from: number, to: number, rows: number) => Promise<SurveyRows>,
    private readonly seconds: number,
    private readonly changed: () => void,
    private readonly failed: (why: unknown) => void,
  ) {}

  /** What there is to draw a stretch with; null before anything has come. */
  samples(from: number, to: number): SurveySamples | null {
    const near = this.near;
    return near && near.span[0] <= Math.max(from, near.survey.each) + 1e-9 && near.span[1] >= Math.min(to, this.seconds) - 1e-9 ? near : this.whole;
  }

  /** All of it, if it is there. */
  get all(): SurveySamples | null {
    return this.whole;
  }

  /** Asks for what is missing to draw a stretch in so many pixels. */
  want(from: number, to: number, pixels: number): void {
    if (!this.whole) return void this.ask(0, this.seconds, Math.max(pixels, 1000), (rows) => (this.whole = rows));
    const there = this.samples(from, to);
    if (there && (sharp(there.survey, to - from, pixels) || there.survey.each <= this.tick)) return;
    // With some room at both sides, so that not every step of a pan asks again.
    const room = to - from;
    this.ask(Math.max(0, from - room), Math.min(this.seconds, to + room), 3 * pixels, (rows) => (this.near = rows));
  }

  /** The shortest time between rows that was ever told: sharper than that there is nothing. */
  private tick = 0;

  private ask(from: number, to: number, rows: number, take: (rows: SurveySamples) => void): void {
    const key = `${from} ${to} ${rows}`;
    if (this.asked === key) return;
    this.asked = key;
    this.fetchRows(from, to, rows).then(
      (survey) => {
        if (this.asked !== key) return;
        // Fewer rows than asked for: these are all there are.
        if (survey.rows < rows / 2) this.tick = survey.each;
        take(new SurveySamples(survey));
        this.changed();
      },
      (why: unknown) => this.asked === key && this.failed(why),
    );
  }
}
