// Overrides of a scene: what differs from the scene, and which follow from which.
import type { Overrides, World } from "../protocol";
import { coneSides, coneText, numberOf, type Controls } from "./keys";

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
export function sameOverrides(controls: Controls, a: Overrides | null, b: Overrides | null): boolean {
  if (!a || !b) return a === b;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => controls.same(key, a[key], b[key]));
}

/** Whether two setups mean the same. */
export function sameSetup(controls: Controls, a: Setup, b: Setup): boolean {
  return a.scene === b.scene && sameOverrides(controls, a.set, b.set) && sameOverrides(controls, a.compare, b.compare);
}

/** Whether a key's default follows another one that is overridden: then the scene's own value is not known. */
function unknown(controls: Controls, key: string, set: Overrides): boolean {
  const follows = controls.find(key)?.follows ?? null;
  return follows !== null && follows in set;
}

/** What the scene itself says, learnt from worlds in which a key is not overridden. */
export class SceneValues {
  private readonly known = new Map<string, Overrides>();

  /** Learns from a world. */
  learn(controls: Controls, world: World): void {
    const own = this.known.get(world.scene) ?? {};
    for (const [key, value] of Object.entries(world.values)) {
      if (!(key in world.set) && !unknown(controls, key, world.set)) own[key] = value;
    }
    this.known.set(world.scene, own);
  }

  /** The scene's own value of a key under these overrides, if it is known. */
  own(controls: Controls, scene: string, key: string, set: Overrides): string | undefined {
    return unknown(controls, key, set) ? undefined : this.known.get(scene)?.[key];
  }

  /** Leaves out overrides that say what the scene says. */
  diff(controls: Controls, setup: Setup): Setup {
    const set: Overrides = {};
    for (const [key, value] of Object.entries(setup.set)) {
      if (!controls.same(key, value, this.own(controls, setup.scene, key, setup.set))) set[key] = value;
    }
    return { ...setup, set };
  }
}

/** Sets a key, and what must follow: some numbers are at most another one, some methods work on pyramids only. `values` are those in force. */
export function withValue(controls: Controls, set: Overrides, values: Overrides, key: string, text: string): Overrides {
  const value = controls.normalise(key, text);
  if (value === null) return set;
  const next: Overrides = { ...set, [key]: value };
  for (const { key: low, at_most } of controls.list) {
    if (at_most === null) continue;
    const [most, x] = [at_most, low].map((k) => numberOf(next[k] ?? values[k]));
    if (x! > most!) next[low] = String(most);
  }
  const cone = controls.pyramidFor(key, value)?.key;
  if (cone !== undefined && coneSides(next[cone] ?? "") === "disk") delete next[cone];
  return next;
}

/** Overrides without a key. */
export function without(set: Overrides, key: string): Overrides {
  const next = { ...set };
  delete next[key];
  return next;
}

/** The second lane for a word of the key that lanes are compared by; null compares with nothing. */
export function compareWith(controls: Controls, word: string | null, set: Overrides): Overrides | null {
  const key = controls.compared?.key;
  if (word === null || key === undefined) return null;
  const cone = controls.pyramidFor(key, word)?.key;
  const disk = cone !== undefined && coneSides(set[cone] ?? "") === "disk";
  return disk ? { [key]: word, [cone]: coneText(8) } : { [key]: word };
}

/** Overrides in the one way of writing them, and the keys of those that the server does not take. */
export function known(controls: Controls, set: Overrides): { set: Overrides; unknown: string[] } {
  const out: Overrides = {};
  const unknown: string[] = [];
  for (const [key, text] of Object.entries(set)) {
    const value = controls.normalise(key, text);
    if (value === null) unknown.push(`${key}=${text}`);
    else out[key] = value;
  }
  return { set: out, unknown };
}
