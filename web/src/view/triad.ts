// A small triad of the world's axes in a corner, as SVG over the picture: it changes only with the camera, and costs nothing when that is still.
import type { Basis } from "../input/drag";
import { dot } from "../input/pose";
import type { Vec3 } from "../protocol";
import type { Palette } from "./colours";

/** Side of the square (pixels) and length of an axis in it. */
const SIZE = 84;
const LONG = 28;

const AXES: [name: string, colour: "axisX" | "axisY" | "axisZ", to: Vec3][] = [
  ["x", "axisX", [1, 0, 0]],
  ["y", "axisY", [0, 1, 0]],
  ["z", "axisZ", [0, 0, 1]],
];

/** Where the tips of the axes are in the picture, x right and y down, for axes of length 1. */
export const tips = ({ right, up }: Basis): [number, number][] => AXES.map(([, , to]) => [dot(to, right), -dot(to, up)]);

const make = <K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string>): SVGElementTagNameMap[K] => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

/** The world's axes with their letters. */
export class Triad {
  readonly element = make("svg", { viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, width: String(SIZE), height: String(SIZE), "aria-hidden": "true" });
  private readonly axes = AXES.map(([name]) => {
    const line = make("line", { x1: "0", y1: "0", "stroke-width": "1.5" });
    const text = make("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": "13", "font-weight": "600" });
    text.textContent = name;
    this.element.append(line, text);
    return { line, text };
  });
  private shown = "";

  constructor() {
    this.element.style.cssText = "position:absolute;left:6px;bottom:6px;pointer-events:none;max-width:25%;max-height:25%;font-family:system-ui,sans-serif;contain:strict";
  }

  /** Takes the colours of a theme. */
  setPalette(p: Palette): void {
    AXES.forEach(([, colour], i) => {
      this.axes[i]?.line.setAttribute("stroke", p[colour]);
      this.axes[i]?.text.setAttribute("fill", p[colour]);
    });
  }

  /** Turns it as the parts are seen. */
  turn(basis: Basis): void {
    const at = tips(basis);
    const key = at.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join();
    if (key === this.shown) return;
    this.shown = key;
    at.forEach(([x, y], i) => {
      const axis = this.axes[i];
      if (!axis) return;
      axis.line.setAttribute("x2", (LONG * x).toFixed(1));
      axis.line.setAttribute("y2", (LONG * y).toFixed(1));
      axis.text.setAttribute("x", (1.28 * LONG * x).toFixed(1));
      axis.text.setAttribute("y", (1.28 * LONG * y).toFixed(1));
    });
  }
}
