// Overrides of a scene: what differs from the scene, and which follow from which.
import type { Method, Overrides, World } from "../protocol";
import { coneSides, coneText, numberOf, normalise, sameValue } from "./keys";

/** A scene with its overrides: what `configure` sends and the address names. */
export interface Setup {
  scene: string;
  set: Overrides;
  compare: Overrides | null;
}

/** The setup that a world is of. */
export function setupOf(world: World): Setup {
  return { scene: world.scene, set: { ...world.set }, compare: world.compare ? { ...world.compare } : null };
}

/** Whether two sets of overrides mean the same. */
export function sameOverrides(a: Overrides | null, b: Overrides | null): boolean {
  if (!a || !b) return a === b;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(key, a[key], b[key]));
}

/** Whether two setups mean the same. */
export function sameSetup(a: Setup, b: Setup): boolean {
  return a.scene === b.scene && sameOverrides(a.set, b.set) && sameOverrides(a.compare, b.compare);
}

/** Keys whose default follows another key: their scene's own value is known only while that one is the scene's. */
const FOLLOWS: Readonly<Record<string, string>> = { "friction.kinetic": "friction.static", "friction.cone": "friction.method" };

/** What the scene itself says, learnt from worlds in which a key is not overridden. */
export class SceneValues {
  private readonly known = new Map<string, Overrides>();

  /** Learns from a world. */
  learn(world: World): void {
    const own = this.known.get(world.scene) ?? {};
    for (const [key, value] of Object.entries(world.values)) {
      const follows = FOLLOWS[key];
      if (!(key in world.set) && !(follows !== undefined && follows in world.set)) own[key] = value;
    }
    this.known.set(world.scene, own);
  }

  /** The scene's own value of a key under these overrides, if it is known. */
  own(scene: string, key: string, set: Overrides): string | undefined {
    const follows = FOLLOWS[key];
    if (follows !== undefined && follows in set) return undefined;
    return this.known.get(scene)?.[key];
  }

  /** Leaves out overrides that say what the scene says. */
  diff(setup: Setup): Setup {
    const set: Overrides = {};
    for (const [key, value] of Object.entries(setup.set)) {
      if (!sameValue(key, value, this.own(setup.scene, key, setup.set))) set[key] = value;
    }
    return { ...setup, set };
  }
}

/** Sets a key, and what must follow: kinetic friction is at most the static one, lp works on pyramids only. `values` are those in force. */
export function withValue(set: Overrides, values: Overrides, key: string, text: string): Overrides {
  const value = normalise(key, text);
  if (value === null) return set;
  const next: Overrides = { ...set, [key]: value };
  const inForce = (k: string) => next[k] ?? values[k];
  const [most, moving] = [numberOf(inForce("friction.static")), numberOf(inForce("friction.kinetic"))];
  if (moving > most) next["friction.kinetic"] = String(most);
  if (key === "friction.method" && value === "lp" && coneSides(next["friction.cone"] ?? "") === "disk") delete next["friction.cone"];
  return next;
}

/** Overrides without a key. */
export function without(set: Overrides, key: string): Overrides {
  const next = { ...set };
  delete next[key];
  return next;
}

/** The second lane for a method; null compares with nothing. */
export function compareWith(method: Method | null, set: Overrides): Overrides | null {
  if (!method) return null;
  const disk = coneSides(set["friction.cone"] ?? "") === "disk";
  return method === "lp" && disk ? { "friction.method": method, "friction.cone": coneText(8) } : { "friction.method": method };
}
