// The seam between the 3D view with its input (src/view, src/input) and the rest of the page (src/main.ts, src/panels, src/plots).
// The page creates one Stage, tells it worlds and frames, and hears of hands and hovered contacts.
import type { Frame, PoseArray, World } from "../protocol";
import type { ViewName } from "./orbit";

/** What is drawn. Every field can be changed at any time by `Stage.show`. */
export interface Layers {
  contacts: boolean;
  normalForces: boolean;
  frictionForces: boolean;
  totalWrench: boolean;
  /** The motion that gives way first, on the part. */
  givesWay: boolean;
  cones: boolean;
  /** The hand as wireframe, with the rubber band to the part. */
  hand: boolean;
  path: boolean;
  /** Point shell up to this level; null for none. */
  shellLevel: number | null;
  /** A slice of a part's distance field, at a share 0..1 of its box; null for none. */
  slice: { part: "held" | "fixed"; axis: "x" | "y" | "z"; at: number } | null;
  /** Length of arrows (m for 1 N); null chooses by the size of the part. */
  metresPerNewton: number | null;
}

export const DEFAULT_LAYERS: Layers = {
  contacts: true,
  normalForces: true,
  frictionForces: true,
  totalWrench: true,
  givesWay: true,
  cones: false,
  hand: true,
  path: false,
  shellLevel: null,
  slice: null,
  metresPerNewton: null,
};

/** The slice on show: where it is along its axis in the part's axes, and what its colours and lines mean (all m). */
export interface SliceFacts {
  part: "held" | "fixed";
  axis: "x" | "y" | "z";
  position: number;
  /** Largest distances inside and outside, and from one line to the next. */
  deepest: number;
  farthest: number;
  spacing: number;
  colours: { inside: string; outside: string; surface: string; paper: string };
}

/** A contact under the pointer, at a point or over an area. */
export interface Hovered {
  lane: number;
  index: number;
  area: boolean;
  /** Where the pointer is, in pixels of the page. */
  x: number;
  y: number;
}

/** The hand as the user moves it. */
export interface HandEvents {
  /** A new pose for the hand (world from part); called at most once an animation frame while it moves. */
  onHand(pose: PoseArray): void;
  /** The hand shall take the body of that number, or let go of what a press took. */
  onGrab(body: number | null): void;
  /** The user lets go for good (key H): the hand shall go to the part. */
  onLetGo(): void;
  /** The pointer is over a contact, or over none any more. */
  onHover(hovered: Hovered | null): void;
  /** A gamepad came or went: its name, or null. */
  onGamepad(name: string | null): void;
  /** Another slice is on show, or none. */
  onSlice(facts: SliceFacts | null): void;
}

export interface Stage {
  /** A new world: shapes are fetched (`fetchShape("mesh/7/held")` is GET api/mesh/7/held with the token). */
  setWorld(world: World, fetchShape: (path: string) => Promise<ArrayBuffer>): Promise<void>;
  /** The newest frame. Drawn at the next animation frame; `onDrawn` of the options is called after it has been. */
  setFrame(frame: Frame): void;
  show(layers: Partial<Layers>): void;
  /** Whether this page holds the part: if not, input moves only the camera. */
  setHolding(holding: boolean): void;
  resetCamera(): void;
  /** Looks from one of the usual directions. */
  lookFrom(view: ViewName): void;
  /** Whether dragging the part turns it instead of moving it. */
  setTurning(turning: boolean): void;
  /** Whether the user has hold of the part, or moves the camera, right now. */
  busy(): boolean;
  /** The picture as it is drawn now, in a canvas of its own. */
  snapshot(): HTMLCanvasElement;
  /** Draws again, though nothing has changed. */
  redraw(): void;
  /** What is drawn, as it is drawn, so many pictures a second at most; null where the browser has no such thing. */
  stream(rate: number): MediaStream | null;
  /** The camera as a short text for the address, and back; false if the text makes no sense. */
  camera(): string;
  setCamera(text: string): boolean;
  setTheme(theme: "light" | "dark"): void;
  /** Forgets the path travelled. */
  clearPath(): void;
}

export interface StageOptions {
  events: HandEvents;
  theme: "light" | "dark";
  /** After a frame has been drawn: for frame rates and latency. */
  onDrawn(frame: Frame): void;
}

/** Why there is no 3D view, for the user. */
export class NoWebGL extends Error {}

/** Makes the view inside `host` (it fills it and follows its size). Throws NoWebGL. */
export type MakeStage = (host: HTMLElement, options: StageOptions) => Stage;
