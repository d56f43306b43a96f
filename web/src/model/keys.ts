// The scene's keys that a page may override, as the server declares them: what values they take, and how to compare them.
import type { Control } from "../protocol";

/** The controls that the server offers. */
export class Controls {
  constructor(readonly list: readonly Control[]) {}

  /** The control of a key. */
  find(key: string | null): Control | undefined {
    return this.list.find((control) => control.key === key);
  }

  /** The control that two lanes are compared by unless another is chosen. */
  get compared(): Control | undefined {
    return this.list.find((control) => control.compared);
  }

  /** The cone that follows a key, where the word that is wanted for that key works with pyramids only. */
  pyramidFor(key: string, word: string): Control | undefined {
    const needed = this.find(key)?.words.some((w) => w.word === word && w.pyramid);
    return needed ? this.list.find((control) => control.kind === "cone" && control.follows === key) : undefined;
  }

  /** The value in the one way of writing it, or null where the key does not take it. */
  normalise(key: string, value: string): string | null {
    const control = this.find(key);
    if (!control || value.length > 100) return null;
    const plain = unquote(value);
    const [least, most] = control.limits;
    switch (control.kind) {
      case "word":
        return control.words.some((w) => w.word === plain) ? plain : null;
      case "flag":
        return plain === "true" || plain === "false" ? plain : null;
      case "cone": {
        const sides = coneSides(plain);
        return sides === null || (sides !== "disk" && !(sides >= least && sides <= most)) ? null : coneText(sides);
      }
      case "number": {
        const x = numberOf(plain);
        return x >= least && x <= most && (!control.whole || Number.isInteger(x)) ? numberText(x) : null;
      }
    }
  }

  /** Why a key does not take a text, for the user; null if it does. `valueOf` tells values in force. */
  refusal(key: string, text: string, valueOf: (key: string) => string | undefined): string | null {
    const control = this.find(key);
    if (!control) return `“${key}” is no key that this server takes`;
    const said = `“${text}” was not taken: `;
    const value = this.normalise(key, text);
    if (value === null) return said + this.wanted(control, unquote(text));
    const most = numberOf(valueOf(control.at_most ?? ""));
    if (control.at_most === null || !(numberOf(value) > most)) return null;
    return `${said}it must not be above ${this.find(control.at_most)?.label ?? control.at_most}, which is ${numberText(most)}`;
  }

  /** What a key takes, in words. */
  private wanted({ kind, limits: [least, most], unit, whole, words }: Control, text: string): string {
    const number = whole ? "a whole number" : "a number";
    switch (kind) {
      case "number":
        return Number.isNaN(numberOf(text)) ? `${number} is wanted` : `${number} from ${numberText(least)} to ${numberText(most)}${unit ? ` ${unit}` : ""} is wanted`;
      case "cone":
        return `${numberText(least)} to ${numberText(most)} sides, or the disk, are possible`;
      case "word":
        return `one of ${words.map((w) => w.word).join(", ")} is wanted`;
      case "flag":
        return "true or false is wanted";
    }
  }

  /** Whether two values of a key mean the same. */
  same(key: string, a: string | undefined, b: string | undefined): boolean {
    if (a === undefined || b === undefined) return a === b;
    return a === b || (this.normalise(key, a) ?? a) === (this.normalise(key, b) ?? b);
  }
}

/** Sides of a cone's text; "disk" for Coulomb's own, null for what is no cone. */
export function coneSides(text: string): number | "disk" | null {
  const plain = unquote(text);
  if (plain === "disk") return "disk";
  const sides = /^\{[^{}]*\bsides\s*=\s*(\d{1,3})\b[^{}]*\}$/.exec(plain)?.[1];
  return sides === undefined ? null : Number(sides);
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
