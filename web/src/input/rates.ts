// Keys and sticks as speeds of the hand in the view's axes, and their integration.
import type { PoseArray, Vec3 } from "../protocol";
import type { Basis } from "./drag";
import { add, scale, translated, turned } from "./pose";

/** Speeds as shares of the full ones, along and about the view's right, up and forward axes. */
export interface Rates {
  move: Vec3;
  turn: Vec3;
}

/** Full speed of motion: radii of the part a second. */
export const MOVE_SPEED = 0.5;
/** Full speed of rotation (rad/s). */
export const TURN_SPEED = 0.7;
/** Shift makes it so much slower. */
export const FINE = 0.2;
/** Time in which speeds follow keys (s). */
const FOLLOW = 0.06;

/** No motion. */
export const still = (): Rates => ({ move: [0, 0, 0], turn: [0, 0, 0] });

const MOVES: Record<string, [axis: 0 | 1 | 2, sign: 1 | -1]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowUp: [1, 1],
  ArrowDown: [1, -1],
  KeyD: [0, 1],
  KeyA: [0, -1],
  KeyW: [1, 1],
  KeyS: [1, -1],
  KeyE: [2, 1],
  KeyQ: [2, -1],
};
/** Rotations: J and L about the view's up axis, I and K about its right axis, U and O about the line of sight. */
const TURNS: Record<string, [axis: 0 | 1 | 2, sign: 1 | -1]> = {
  KeyL: [1, 1],
  KeyJ: [1, -1],
  KeyK: [0, 1],
  KeyI: [0, -1],
  KeyO: [2, 1],
  KeyU: [2, -1],
};
/** With Alt, the keys that move turn: to the right as L, up as I, away as O. */
const ALT = ["KeyL", "KeyI", "KeyO"] as const;

/** Whether a key (`KeyboardEvent.code`) moves or turns the hand. */
export const isHandKey = (code: string): boolean => code in MOVES || code in TURNS;

/** Speeds wanted by the keys that are down. */
export function ratesOfKeys(down: ReadonlySet<string>, alt: boolean, fine: boolean): Rates {
  const rates = still();
  for (const code of down) {
    const move = MOVES[code];
    const turn = TURNS[code];
    if (turn) rates.turn[turn[0]] += turn[1];
    if (move && !alt) rates.move[move[0]] += move[1];
    if (move && alt) {
      const [axis, sign] = TURNS[ALT[move[0]]] ?? [0, 0];
      rates.turn[axis] += move[1] * sign;
    }
  }
  const speed = fine ? FINE : 1;
  const clamp = (v: Vec3): Vec3 => [clampUnit(v[0]) * speed, clampUnit(v[1]) * speed, clampUnit(v[2]) * speed];
  return { move: clamp(rates.move), turn: clamp(rates.turn) };
}

const clampUnit = (x: number) => Math.max(-1, Math.min(1, x));

/** Sum of two speeds. */
export const plus = (a: Rates, b: Rates): Rates => ({ move: add(a.move, b.move), turn: add(a.turn, b.turn) });

/** Speeds after dt, on their way from `now` to `wanted`; small ones become none. */
export function follow(now: Rates, wanted: Rates, dt: number): Rates {
  const share = 1 - Math.exp(-dt / FOLLOW);
  const one = (a: number, b: number) => {
    const x = a + (b - a) * share;
    return b === 0 && Math.abs(x) < 0.005 ? 0 : x;
  };
  const three = (a: Vec3, b: Vec3): Vec3 => [one(a[0], b[0]), one(a[1], b[1]), one(a[2], b[2])];
  return { move: three(now.move, wanted.move), turn: three(now.turn, wanted.turn) };
}

/** Whether there is any motion in it. */
export const isMoving = (r: Rates): boolean => r.move.some((x) => x !== 0) || r.turn.some((x) => x !== 0);

/** A vector of the view's axes in the world's. */
const inWorld = (v: Vec3, b: Basis): Vec3 => add(add(scale(b.right, v[0]), scale(b.up, v[1])), scale(b.forward, v[2]));

/** The hand after dt at these speeds; `pivot` is the point about which it turns, in the world. */
export function advanced(pose: PoseArray, rates: Rates, dt: number, basis: Basis, pivot: Vec3, radius: number): PoseArray {
  const rotation = scale(inWorld(rates.turn, basis), TURN_SPEED * dt);
  const motion = scale(inWorld(rates.move, basis), MOVE_SPEED * radius * dt);
  return translated(turned(pose, rotation, pivot), motion);
}
