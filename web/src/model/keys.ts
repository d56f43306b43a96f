// The scene's keys that a page may override: what values they take, and how to compare them.
import { METHODS } from "../protocol";

/** A key with the values it takes. */
export interface KeySpec {
  kind: "number" | "word" | "flag" | "cone";
  words?: readonly string[];
  /** Limits of numbers: hard ones. */
  min?: number;
  max?: number;
}

/** Every key that `configure` takes, as PROTOCOL.md lists them. */
export const KEYS: Readonly<Record<string, KeySpec>> = {
  "friction.method": { kind: "word", words: METHODS },
  "friction.cone": { kind: "cone" },
  "friction.static": { kind: "number", min: 0, max: 10 },
  "friction.kinetic": { kind: "number", min: 0, max: 10 },
  "friction.spring_stiffness": { kind: "number", min: 1e-3, max: 1e9 },
  "coupling.stiffness": { kind: "number", min: 1e-3, max: 1e9 },
  "coupling.torsion": { kind: "number", min: 1e-6, max: 1e6 },
  "contact.stiffness": { kind: "number", min: 1e-3, max: 1e9 },
  "contact.release": { kind: "flag" },
  "damping.alpha": { kind: "number", min: 0, max: 0.95 },
  "damping.when": { kind: "word", words: ["sliding", "colliding"] },
};

/** Sides of a cone's text; "disk" for Coulomb's own, null for what is no cone. */
export function coneSides(text: string): number | "disk" | null {
  const plain = unquote(text);
  if (plain === "disk") return "disk";
  const sides = Number(/^\{[^{}]*\bsides\s*=\s*(\d{1,3})\b[^{}]*\}$/.exec(plain)?.[1] ?? NaN);
  return sides >= 3 && sides <= 64 ? sides : null;
}

/** The text for a cone. */
export function coneText(sides: number | "disk"): string {
  return sides === "disk" ? "disk" : `{ sides = ${sides} }`;
}

/** A text without TOML's quotes. */
export function unquote(text: string): string {
  const t = text.trim();
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(t);
  return quoted ? (quoted[1] ?? quoted[2] ?? "") : t;
}

/** A number of a text; NaN for anything else (also for an empty one). */
export function numberOf(text: string | undefined): number {
  const t = (text ?? "").trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(t) ? Number(t) : NaN;
}

/** A number as an override: short, and read back to the same. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** The value in the one way of writing it, or null where the key does not take it. */
export function normalise(key: string, value: string): string | null {
  const spec = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (!spec || value.length > 100) return null;
  const plain = unquote(value);
  switch (spec.kind) {
    case "word":
      return spec.words?.includes(plain) ? plain : null;
    case "flag":
      return plain === "true" || plain === "false" ? plain : null;
    case "cone": {
      const sides = coneSides(plain);
      return sides === null ? null : coneText(sides);
    }
    case "number": {
      const x = numberOf(plain);
      return x >= (spec.min ?? -Infinity) && x <= (spec.max ?? Infinity) ? numberText(x) : null;
    }
  }
}

/** Whether two values of a key mean the same. */
export function sameValue(key: string, a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || (normalise(key, a) ?? a) === (normalise(key, b) ?? b);
}
