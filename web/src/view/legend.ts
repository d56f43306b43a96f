// What the colours mean and how long a force is drawn, over a corner of the picture.
import { digits } from "../model/format";
import type { Palette } from "./colours";
import type { Layers } from "./contract";
import { nice } from "./scale";

/** What is drawn now. */
export interface Drawn {
  layers: Layers;
  /** Pixels of the picture for 1 N: of the hand's force, and of contact forces. */
  hand: number;
  contact: number;
  /** Whether contact forces are those of single contacts. */
  single: boolean;
  givesWay: boolean;
  /** Whether bodies touch over areas. */
  areas: boolean;
}

/** About how long the bar of a scale is (pixels). */
const BAR = 70;

/** A bar's force (N) and length (pixels) for so many pixels for 1 N; null for none. */
export function scaleBar(pixels: number): { force: number; length: number } | null {
  if (!(pixels > 1e-6) || !Number.isFinite(pixels)) return null;
  const force = nice(BAR / pixels);
  return { force, length: force * pixels };
}

/** The legend. */
export class LegendView {
  readonly element = document.createElement("div");
  private shown = "";
  private palette: Palette | null = null;

  constructor() {
    this.element.className = "legend";
    this.element.dataset.testid = "legend";
  }

  /** Takes the colours of a theme. */
  setPalette(palette: Palette): void {
    this.palette = palette;
    this.shown = "";
  }

  /** Shows what is drawn. */
  update({ layers, hand, contact, single, givesWay, areas }: Drawn): void {
    const p = this.palette;
    if (!p) return;
    const of = single ? "contact" : "contact area";
    // A colour, a mark, what it is, and what is added where there is room.
    const rows: [string, string, string, string][] = [];
    if (layers.totalWrench) rows.push([p.wrench, "arrow", "force on the hand", ""]);
    if (layers.normalForces) rows.push([p.normalForce, "arrow", "normal force", ` of a ${of}`]);
    if (layers.frictionForces) rows.push([p.frictionForce, "arrow", "friction", ` of a ${of}`]);
    if (givesWay && layers.givesWay) rows.push([p.givesWay, "arrow", "how it slides", ", or would"]);
    if (layers.contacts) rows.push([p.stuck, "dot", areas ? "area sticks" : "contact holds", ""], [p.sliding, "dot", areas ? "area slides" : "contact slides", ""]);
    const bars: [string, { force: number; length: number } | null][] = Math.abs(hand / contact - 1) < 1e-6 ? [["", scaleBar(hand)]] : [["hand", scaleBar(hand)], [of, scaleBar(contact)]];
    const scales = bars.flatMap(([name, bar]) => (bar ? [[name, `${digits(bar.force, 1)} N`, Math.round(bar.length)] as const] : []));
    const key = JSON.stringify([rows, scales]);
    if (key === this.shown) return;
    this.shown = key;
    const list = rows.map(([colour, kind, text, more]) => {
      const mark = document.createElement("i");
      mark.className = kind;
      mark.style.setProperty("--mark", colour);
      const row = document.createElement("p");
      const rest = document.createElement("span");
      rest.textContent = more;
      row.append(mark, text, rest);
      return row;
    });
    const ends = scales.map(([name, text, length]) => {
      const bar = document.createElement("i");
      bar.className = "scale";
      bar.style.width = `${length}px`;
      const row = document.createElement("p");
      row.dataset.testid = "force-scale";
      row.append(bar, name ? `${text}, ${name}` : text);
      return row;
    });
    this.element.replaceChildren(...list, ...ends);
  }
}
