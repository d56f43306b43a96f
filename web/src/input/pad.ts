// What a gamepad says as speeds of the hand, and what its motors shall do.
import type { Rates } from "./rates";

/** Deflections of a stick up to this share are none. */
export const DEAD = 0.12;

/** A stick without its dead zone, which is round; outside it the response is quadratic, and full deflection is 1. */
export function stick(x: number, y: number): [number, number] {
  const r = Math.hypot(x, y);
  if (!(r > DEAD)) return [0, 0];
  const share = Math.min(1, (r - DEAD) / (1 - DEAD));
  const k = (share * share) / r;
  return [x * k, y * k];
}

/** A trigger without its dead zone. */
export const trigger = (value: number): number => (value > 0.05 ? Math.min(1, (value - 0.05) / 0.95) : 0);

/** Speeds of a pad of the standard layout: left stick in the view plane, right stick turns, right trigger away and left trigger towards the viewer,
 * and the shoulder buttons roll. */
export function ratesOfPad(axes: readonly number[], buttons: readonly { value: number }[]): Rates {
  const [x, y] = stick(axes[0] ?? 0, axes[1] ?? 0);
  const [yaw, pitch] = stick(axes[2] ?? 0, axes[3] ?? 0);
  const button = (i: number) => trigger(buttons[i]?.value ?? 0);
  return { move: [x, -y, button(7) - button(6)], turn: [pitch, yaw, button(5) - button(4)] };
}

/** An effect of both motors, 0 to 1. */
export interface Rumble {
  strong: number;
  weak: number;
}

/** Shortest time between two effects (ms). */
export const RUMBLE_EVERY = 100;

/** What the motors do for the force that the hand feels; null if that is nothing worth feeling. The beginning of a slip is a strong knock. */
export function rumbleOf(force: number, maxForce: number, slipBegins: boolean): Rumble | null {
  const share = maxForce > 0 && Number.isFinite(force) ? Math.min(1, Math.max(0, force / maxForce)) : 0;
  if (slipBegins) return { strong: Math.max(0.6, share), weak: 1 };
  return share < 0.02 ? null : { strong: 0.7 * share, weak: 0.4 * share };
}
