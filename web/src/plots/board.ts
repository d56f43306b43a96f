// The plots on the page: the gutter with names and numbers, the canvas, the cursor.
import { el, setShown, setText } from "../dom";
import { fixed } from "../model/format";
import { store, storedWords } from "../storage";
import { columnOf, LANES } from "./columns";
import type { History } from "./history";
import { listenPlots } from "./gestures";
import { AXIS, Painter, plotWidth, type Row } from "./painter";
import { nearest } from "./samples";
import { isShown, PLOTS, type Curve, type PlotSpec, type PlotWorld } from "./specs";
import { SurveySamples } from "./survey";
import { PlotWindow } from "./window";

/** Where fingers need room: as in base.css. */
const COARSE = "(pointer: coarse), (max-width: 1100px)";
/** Milliseconds between paintings where the CPU makes all pixels: each makes the browser put much of the page together again, and the 3D view waits. */
const SLOW_PACE = 480;
/** Least height of an open plot beside folded ones (pixels). */
const LEAST = 36;
const FOLDS = "stiction.folded";
/** Plots that are folded until the user opens them: two thirds of the page belong to the 3D view. */
const FOLDED = ["torque", "contacts", "areas", "cpu"];

interface Legend {
  spec: PlotSpec;
  box: HTMLElement;
  button: HTMLButtonElement;
  values: { curve: Curve; out: HTMLElement }[];
}

/** All plots with their gutter. */
export class Board {
  private readonly canvas = el("canvas", { "data-testid": "plots-canvas", "aria-hidden": "true" });
  private readonly cursor = el("div", { class: "plot-cursor", hidden: true }, el("span"));
  private readonly playhead = el("div", { class: "plot-head", hidden: true });
  private readonly gutter = el("div", { class: "plot-gutter", "data-testid": "plots-values", role: "group", "aria-label": "Current values" });
  private readonly folds = el("div", { class: "plot-folds" });
  private readonly axisName = el("div", { class: "plot-axis-name" });
  private readonly field: HTMLElement;
  private readonly legends: Legend[];
  private readonly painter: Painter;
  /** When it was painted last, and what will paint it next, where the CPU makes the pixels. */
  private painted = -Infinity;
  private later: ReturnType<typeof setTimeout> | undefined;
  private readonly folded = storedWords(FOLDS, FOLDED);
  private world: PlotWorld = { lanes: [], rate: 0, columns: [], margins: false, playback: null };
  private size = { width: 0, height: 0 };
  private hover: number | null = null;
  /** Height of the row that folded plots share (pixels). */
  private foldedHeight = 18;
  /** What stretch of time is shown. */
  readonly window = new PlotWindow();
  private readonly whole = el("button", { type: "button", class: "plot-whole", "data-testid": "plots-whole", hidden: true, click: () => this.showWhole() });
  /** Called with the seconds that are shown of the loop when the user changes them here. */
  onSeconds: (seconds: number) => void = () => {};
  /** Called with a time of the recording when the user clicks there. */
  onSeek: (time: number) => void = () => {};

  constructor(
    private readonly host: HTMLElement,
    private readonly history: History,
  ) {
    // Painted by the CPU: where the browser renders in software, an accelerated canvas is several times slower.
    const pen = this.canvas.getContext("2d", { willReadFrequently: true });
    if (!pen) throw new Error("this browser has no 2D canvas");
    this.painter = new Painter(pen);
    this.field = el("div", { class: "plot-field" }, this.canvas, this.playhead, this.cursor, this.whole);
    this.legends = PLOTS.map((spec) => this.legend(spec));
    this.axisName.append(el("span", { class: "key stick" }, "holds"), el("span", { class: "key slip" }, "slides"), el("span", {}, "time"));
    host.append(this.gutter, this.field);
    this.listen();
    this.layout();
  }

  /** A new world: lanes and marks change. */
  setWorld(world: PlotWorld): void {
    if (world.playback?.name !== this.world.playback?.name) this.window.reset();
    this.world = world;
    this.host.classList.toggle("two-lanes", world.lanes.length > 1);
    this.painter.reset();
    this.layout();
    this.draw();
  }

  /** Reads the theme's colours again. */
  restyle(): void {
    this.painter.readColours(this.host);
    this.draw();
  }

  /** Shows the present state: at once, or where the CPU makes the pixels soon, if possible together with the page's other texts. */
  draw(): void {
    if (!this.slow()) this.paint();
    else this.later ??= setTimeout(() => this.repaint(), 1.5 * SLOW_PACE);
  }

  private slow(): boolean {
    return document.getElementById("stage")?.dataset.drawnBy === "cpu";
  }

  private repaint(): void {
    clearTimeout(this.later);
    this.later = undefined;
    this.painted = performance.now();
    this.paint();
    this.writeNumbers();
  }

  private paint(): void {
    const { width, height } = this.size;
    if (width === 0 || height === 0) return;
    const [from, to] = this.stretch();
    this.history.survey?.want(from, to, Math.round(plotWidth(width) * this.ratio()));
    const samples = this.history.rows(from, to);
    const gap = this.history.recording === null ? 1 : samples instanceof SurveySamples ? Infinity : 0.3;
    this.painter.paint({ samples, world: this.world, from, to, rows: this.rows(), width, height, gap }, this.ratio());
    this.lines(from, to);
    setShown(this.whole, this.window.fixed);
    setText(this.whole, this.history.recording === null ? "Follow the loop" : "Show all of it");
  }

  /** The stretch of time on show (s). */
  stretch(): [number, number] {
    return this.window.shown(this.history.extent);
  }

  private showWhole(): void {
    this.window.reset();
    this.moved();
  }

  /** Another stretch is shown: at once, also where the CPU paints. */
  private moved(): void {
    this.onSeconds(this.window.seconds);
    this.painter.reset();
    this.paint();
  }

  /** Writes the numbers: at the cursor, or now. */
  write(): void {
    if (!this.slow()) this.writeNumbers();
    else if (performance.now() - this.painted >= SLOW_PACE) this.repaint();
    // The last frame before a pause must not be left out.
    else this.draw();
  }

  private writeNumbers(): void {
    const s = this.hover === null ? this.history.frames : this.history.rows(...this.stretch());
    const time = this.hover ?? this.history.now;
    const row = nearest(s, time, this.hover === null ? Infinity : 0.5);
    for (const legend of this.legends) {
      for (const { curve, out } of legend.values) {
        const texts: string[] = [];
        for (let lane = 0; lane < Math.min(LANES, Math.max(1, this.world.lanes.length)); lane++) {
          const raw = row < 0 ? NaN : s.value(columnOf(curve.column, lane), row);
          texts.push(curve.column === "margin" && raw === Infinity ? "no µ would do" : curve.text(curve.map ? curve.map(raw, lane, this.world) : raw));
        }
        setText(out, texts.join(" | "));
      }
    }
  }

  private legend(spec: PlotSpec): Legend {
    const values = spec.curves.map((curve) => ({ curve, out: el("dd", { "data-testid": `value-${curve.column}` }) }));
    const list = el("dl", {});
    for (const { curve, out } of values) {
      const name = el("dt", {}, curve.label);
      name.style.setProperty("--swatch", `var(${curve.colour})`);
      list.append(el("div", {}, name, out));
    }
    const title = [el("span", { class: "plot-long" }, spec.title), ...(spec.unit ? [el("small", {}, spec.unit)] : []), el("span", { class: "plot-short", "aria-hidden": "true" }, spec.short)];
    const button = el("button", { type: "button", class: "plot-title", "data-testid": `plot-${spec.id}`, "aria-label": spec.title, title: spec.title, click: () => this.fold(spec.id) }, ...title);
    return { spec, box: el("div", { class: "plot-legend" }, button, list), button, values };
  }

  private fold(id: string): void {
    if (!this.folded.delete(id)) this.folded.add(id);
    store(FOLDS, [...this.folded].join(","));
    this.layout();
    this.paint();
  }

  private layout(): void {
    this.foldedHeight = matchMedia(COARSE).matches ? 40 : 18;
    this.host.style.setProperty("--folded", `${this.foldedHeight}px`);
    for (const { spec, box, button } of this.legends) {
      const folded = this.folded.has(spec.id);
      setShown(box, this.specs().includes(spec));
      box.classList.toggle("folded", folded);
      button.setAttribute("aria-expanded", String(!folded));
    }
    const boxes = (folded: boolean) => this.legends.filter((l) => this.folded.has(l.spec.id) === folded).map((l) => l.box);
    const wanted = [...boxes(false), this.folds, ...boxes(true), this.axisName];
    // Only where something changed: a button that is moved loses the focus.
    const now = [...this.gutter.children].flatMap((node) => (node === this.folds ? [node, ...node.children] : [node]));
    if (wanted.some((node, i) => node !== now[i])) {
      this.folds.replaceChildren(...boxes(true));
      this.gutter.replaceChildren(...boxes(false), this.folds, this.axisName);
    }
    setShown(this.folds, this.specs().some((p) => this.folded.has(p.id)));
  }

  /** The plots that are shown; where there is little room, folded ones leave theirs to the others. */
  private specs(): PlotSpec[] {
    const all = PLOTS.filter((p) => isShown(p, this.world));
    const open = all.filter((p) => !this.folded.has(p.id));
    const least = AXIS + this.strip(all) + open.length * LEAST;
    return open.length > 0 && this.size.height > 0 && this.size.height < least ? open : all;
  }

  /** Height of the row that the folded ones of these plots share (pixels). */
  private strip(specs: PlotSpec[]): number {
    return specs.some((p) => this.folded.has(p.id)) ? this.foldedHeight : 0;
  }

  private rows(): Row[] {
    const specs = this.specs();
    const open = specs.filter((p) => !this.folded.has(p.id));
    const each = (this.size.height - AXIS - this.strip(specs)) / Math.max(1, open.length);
    return open.map((spec, i) => ({ spec, top: i * each, height: Math.max(1, each - 3) }));
  }

  private ratio(): number {
    return Math.min(2, window.devicePixelRatio || 1);
  }

  private lines(from: number, to: number): void {
    const right = plotWidth(this.size.width);
    const x = (time: number) => ((time - from) / (to - from)) * right;
    setShown(this.playhead, this.history.recording !== null);
    if (this.history.recording !== null) this.playhead.style.transform = `translateX(${x(this.history.now).toFixed(1)}px)`;
    const shown = this.hover !== null && this.hover >= from && this.hover <= to;
    setShown(this.cursor, shown);
    if (!shown || this.hover === null) return;
    this.cursor.style.transform = `translateX(${x(this.hover).toFixed(1)}px)`;
    this.cursor.classList.toggle("left", x(this.hover) > right / 2);
    setText(this.cursor.firstElementChild ?? this.cursor, `${fixed(this.hover, 3)} s`);
  }

  private listen(): void {
    listenPlots(this.canvas, {
      width: () => plotWidth(this.size.width),
      stretch: () => this.stretch(),
      hover: (time) => {
        this.hover = time;
        this.lines(...this.stretch());
        this.writeNumbers();
      },
      zoom: (at, factor) => {
        this.window.zoom(this.history.extent, at, factor);
        this.moved();
      },
      pan: (by) => {
        this.window.pan(this.history.extent, by);
        this.moved();
      },
      // All of a recording cannot be panned: there a drag moves the moment that is shown.
      pans: () => this.history.recording === null || this.window.fixed,
      seek: (time) => this.history.recording !== null && this.onSeek(time),
      whole: () => this.showWhole(),
    });
    const leave = () => {
      this.hover = null;
      setShown(this.cursor, false);
      this.writeNumbers();
    };
    this.canvas.addEventListener("pointerleave", leave);
    this.canvas.addEventListener("pointercancel", leave);
    new ResizeObserver((entries) => {
      const box = entries[0]?.contentRect;
      if (!box) return;
      this.size = { width: Math.floor(box.width), height: Math.floor(box.height) };
      this.layout();
      this.canvas.width = Math.round(this.size.width * this.ratio());
      this.canvas.height = Math.round(this.size.height * this.ratio());
      this.paint();
    }).observe(this.field);
  }
}
