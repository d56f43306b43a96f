// What input needs to know of the view, so that it can be tested and changed without it.
import type { Frame, PoseArray, Vec3 } from "../protocol";
import type { Basis, Ray } from "./drag";

/** A place of the held part, or of the hand, that a pointer has got hold of. */
export interface Grip {
  lane: number;
  /** In the part's axes, and in the world. */
  local: Vec3;
  world: Vec3;
  /** The number of the body, in a world of many. */
  body?: number;
}

/** The view as input sees it. Places on the screen are pixels from the host's upper left corner. */
export interface Surroundings {
  /** Whether this page may move the hand now. */
  mayMove(): boolean;
  frame(): Frame | null;
  /** Radius of the held part (m). */
  radius(): number;
  /** The coupling's largest force (N). */
  maxForce(): number;
  /** The point about which the hand turns, for a pose of it: the part's centre of mass. */
  pivot(hand: PoseArray): Vec3;
  basis(): Basis;
  ray(x: number, y: number, lane: number): Ray;
  /** What can be grabbed within so many pixels of a place; `quick` looks only at the place itself where more would take long. */
  grip(x: number, y: number, tolerance: number, quick?: boolean): Grip | null;
  /** The body that the hand holds, in a world of many; null while it holds none. */
  held(): number | null;
  /** Whether any hand holds a body. */
  inHands(body: number): boolean;
  /** Where a point of a body is now, in the world; null if there is no such body. */
  onBody(lane: number, body: number, local: Vec3): Vec3 | null;
  /** The hand shall take that body, or let go of what it holds. */
  take(body: number | null): void;
  /** A point of the part that is being pulled: the rubber band is spanned there. */
  setGrabbed(local: Vec3): void;
  /** Pixels of the shorter side of a picture. */
  viewPixels(): number;
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  /** Nearer (below 1) or farther; what is under the place stays there. */
  zoom(factor: number, x: number, y: number): void;
  /** The point of a part under the place becomes the one that the camera turns about. */
  focus(x: number, y: number): void;
  /** Asks for an animation frame. */
  wake(): void;
}
