// Every colour of the view, so that plots and legends use the same. States and forces take the hues of Okabe and Ito (2008), which people with any
// of the common kinds of colour blindness can tell apart.
import { SlipState } from "../protocol";

/** The two looks of the page. */
export type Theme = "light" | "dark";

/** All colours of one look, as CSS has them. */
export interface Palette {
  background: string;
  grid: string;
  divider: string;
  text: string;
  held: string;
  heldEdge: string;
  fixed: string;
  fixedEdge: string;
  /** The hand's wireframe, and the slack rubber band. */
  hand: string;
  /** The rubber band at the coupling's largest force. */
  taut: string;
  stuck: string;
  sliding: string;
  separated: string;
  normalForce: string;
  frictionForce: string;
  /** Normal and friction force of one contact together. */
  contactForce: string;
  /** The wrench that the hand feels. */
  wrench: string;
  axisX: string;
  axisY: string;
  axisZ: string;
  /** Distance field: inside, zero, outside. */
  inside: string;
  surface: string;
  outside: string;
}

const HUES = { stuck: "#009e73", sliding: "#d55e00" };

/** The palettes of both looks. */
export const PALETTES: Record<Theme, Palette> = {
  light: {
    ...HUES,
    background: "#f6f7f9",
    grid: "#d5d9df",
    divider: "#9aa3ad",
    text: "#20262d",
    held: "#7fa6d6",
    heldEdge: "#33577f",
    fixed: "#d3cec4",
    fixedEdge: "#8f887b",
    hand: "#0072b2",
    taut: "#d55e00",
    separated: "#8a9199",
    normalForce: "#0072b2",
    frictionForce: "#b2407f",
    contactForce: "#20262d",
    wrench: "#e69f00",
    axisX: "#c0392b",
    axisY: "#2e8b57",
    axisZ: "#2f6fb3",
    inside: "#d55e00",
    surface: "#111418",
    outside: "#0072b2",
  },
  dark: {
    ...HUES,
    stuck: "#1fc795",
    sliding: "#f0762a",
    background: "#14181d",
    grid: "#272e36",
    divider: "#4d5762",
    text: "#e6eaef",
    held: "#5d86b8",
    heldEdge: "#a9c8ee",
    fixed: "#6d6a64",
    fixedEdge: "#a19c92",
    hand: "#56b4e9",
    taut: "#f0762a",
    separated: "#8a9199",
    normalForce: "#56b4e9",
    frictionForce: "#e08fbd",
    contactForce: "#f2f4f7",
    wrench: "#f0b429",
    axisX: "#e2604f",
    axisY: "#4cb87a",
    axisZ: "#5b9be0",
    inside: "#f0762a",
    surface: "#ffffff",
    outside: "#56b4e9",
  },
};

/** Colour of a contact by its state. */
export function stateColour(palette: Palette, state: number): string {
  if (state === SlipState.Stuck) return palette.stuck;
  return state === SlipState.Sliding ? palette.sliding : palette.separated;
}

/** Colours of shell levels from the coarsest to the finest, repeated if there are more. */
export const LEVEL_COLOURS = ["#cc79a7", "#e69f00", "#56b4e9", "#009e73", "#8f7fe0", "#b0b84a"];
