// Every colour of the view, so that plots and legends use the same. States and forces take about the hues of Okabe and Ito (2008), which people with any
// of the common kinds of colour blindness can tell apart; `view-colours.test.ts` checks those that lie on each other.
import type { Theme } from "../theme";

/** Every colour: in the light look, in the dark one. */
const COLOURS = {
  background: ["#f4f6f8", "#14181d"],
  grid: ["#dfe3e8", "#222931"],
  divider: ["#9aa3ad", "#4d5762"],
  text: ["#20262d", "#e6eaef"],
  /** The parts are neutral, so that colours belong to forces and states: the held one is cool and dark, the fixed one warm and pale. */
  held: ["#a3adba", "#6c7682"],
  heldEdge: ["#4a5563", "#d7dfe8"],
  /** Bodies that nobody holds, in a world of many. */
  body: ["#c3cad3", "#56606b"],
  bodyEdge: ["#6d7885", "#aeb8c3"],
  fixed: ["#efece5", "#403d39"],
  fixedEdge: ["#b9b2a5", "#6d6962"],
  /** The shadow of the held part. */
  shadow: ["#1b222b", "#000000"],
  /** The hand's outline, and the slack rubber band. */
  hand: ["#c98a00", "#f0b429"],
  /** The rubber band at the coupling's largest force. */
  taut: ["#d55e00", "#f0762a"],
  stuck: ["#009e73", "#1fc795"],
  sliding: ["#d55e00", "#f0762a"],
  separated: ["#8a9199", "#8a9199"],
  /** The motion that gives way first. */
  givesWay: ["#20262d", "#f2f4f7"],
  normalForce: ["#0072b2", "#5cc0ff"],
  frictionForce: ["#d0407a", "#f840c8"],
  /** Normal and friction force of one contact together. */
  contactForce: ["#20262d", "#f2f4f7"],
  /** The wrench that the hand feels. */
  wrench: ["#e69f00", "#f0b429"],
  axisX: ["#c0392b", "#e2604f"],
  axisY: ["#2e8b57", "#4cb87a"],
  axisZ: ["#2f6fb3", "#5b9be0"],
  /** Distance field: inside, zero, outside. */
  inside: ["#d55e00", "#f0762a"],
  surface: ["#111418", "#ffffff"],
  outside: ["#0072b2", "#56b4e9"],
} as const;

/** All colours of one look, as CSS has them. */
export type Palette = Record<keyof typeof COLOURS, string>;

/** The colours of a look. */
export function paletteOf(theme: Theme): Palette {
  const at = theme === "light" ? 0 : 1;
  return Object.fromEntries(Object.entries(COLOURS).map(([name, pair]) => [name, pair[at]])) as Palette;
}

/** Colours of shell levels from the coarsest to the finest, repeated if there are more. */
export const LEVEL_COLOURS = ["#cc79a7", "#e69f00", "#56b4e9", "#009e73", "#8f7fe0", "#b0b84a"];
