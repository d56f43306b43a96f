// Keys while the view has the focus.
import { isHandKey, ratesOfKeys, type Rates } from "./rates";

/** What the keys do, for people who cannot see them at work. */
export const KEYS_LABEL =
  "3D view. With the part in hand: arrow keys or W A S D move the hand across the view, E away and Q nearer; " +
  "J and L, I and K, U and O turn it, as do arrow keys with Alt; Shift is five times finer; H lets go; 1 to 4 look from the front, the side, above and obliquely.";

/** Keeps track of the keys that are down. */
export class Keyboard {
  private readonly down = new Set<string>();
  private alt = false;
  private shift = false;

  constructor(host: HTMLElement, mayMove: () => boolean, onLetGo: () => void, wake: () => void) {
    host.addEventListener("keydown", (e) => {
      this.modifiers(e);
      if (e.ctrlKey || e.metaKey || !mayMove()) return;
      if (e.code === "KeyH" && !e.altKey) {
        if (!e.repeat) onLetGo();
        return e.preventDefault();
      }
      if (!isHandKey(e.code)) return;
      e.preventDefault();
      this.down.add(e.code);
      wake();
    });
    host.addEventListener("keyup", (e) => {
      this.modifiers(e);
      if (this.down.delete(e.code)) wake();
    });
    for (const on of [host, window]) on.addEventListener("blur", () => this.clear());
  }

  private modifiers(e: KeyboardEvent): void {
    this.alt = e.altKey;
    this.shift = e.shiftKey;
  }

  /** Speeds that the keys ask for. */
  rates(): Rates {
    return ratesOfKeys(this.down, this.alt, this.shift);
  }

  /** All keys are up. */
  clear(): void {
    this.down.clear();
  }
}
