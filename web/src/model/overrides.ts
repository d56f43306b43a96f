// Overrides of a scene: what differs from the scene, and which follow from which.
import type { Control, Overrides, World } from "../protocol";
import { coneSides, coneText, numberOf, numberText, unquote, type Controls } from "./keys";

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

/**
 * What the server is asked for, of what the user wants: a number that must not be above another one is lowered to it, and a cone that the method does not work with is left out. The wishes themselves
 * stay as they are, so that they are in force again when what stood against them is gone. `valueOf` tells values that are not wished for.
 */
export function possible(controls: Controls, wishes: Overrides, valueOf: (key: string) => string | undefined): Overrides {
  const set = { ...wishes };
  for (const { key, kind, at_most, follows } of controls.list) {
    const wish = set[key];
    if (wish === undefined) continue;
    const most = at_most === null ? NaN : numberOf(set[at_most] ?? valueOf(at_most));
    if (numberOf(wish) > most) set[key] = numberText(most);
    const method = follows === null ? undefined : (set[follows] ?? valueOf(follows));
    if (kind === "cone" && coneSides(wish) === "disk" && follows !== null && controls.pyramidFor(follows, unquote(method ?? ""))) delete set[key];
  }
  return set;
}

/** Overrides without a key. */
export function without(set: Overrides, key: string): Overrides {
  const next = { ...set };
  delete next[key];
  return next;
}

/** Overrides of a second lane with a key set; a method that works on pyramids only gets one where the first lane has the disk. */
export function secondLane(controls: Controls, compare: Overrides | null, key: string, value: string, set: Overrides): Overrides {
  const cone = controls.pyramidFor(key, value)?.key;
  const disk = cone !== undefined && coneSides(set[cone] ?? "") === "disk";
  return { ...compare, [key]: value, ...(disk ? { [cone]: coneText(8) } : {}) };
}

/** A value to begin a comparison with that differs from the first lane's (undefined where that is not known). */
export function otherValue({ kind, words, slider: [low, high], step, limits, whole }: Control, value: string | undefined): string {
  const own = unquote(value ?? "");
  switch (kind) {
    case "word":
      return words.find((w) => w.word !== own)?.word ?? own;
    case "flag":
      return own === "true" ? "false" : "true";
    case "cone":
      return coneText(coneSides(own) === "disk" ? 8 : "disk");
    case "number": {
      const middle = step === 0 ? Math.sqrt(low * high) : (low + high) / 2;
      const x = numberOf(own) > 0 ? numberOf(own) / 2 : middle;
      const fit = Math.max(limits[0], Math.min(limits[1], x));
      return numberText(whole ? Math.max(1, Math.round(fit)) : fit);
    }
  }
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
