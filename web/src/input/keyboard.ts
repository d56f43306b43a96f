// Keys while the view has the focus.
import { isHandKey, ratesOfKeys, type Rates } from "./rates";

/** What the keys do, for people who cannot see them at work. */
export const KEYS_LABEL =
  "3D view. With the part in hand: arrow keys or W A S D move the hand across the view, E away and Q nearer; " +
  "J and L, I and K, U and O turn it, as do arrow keys with Alt; Shift is five times finer; H lets go.";

/** Keeps track of the keys that are down. */
export class Keyboard {
  private readonly down = new Set<string>();
  private alt = false;
  private shift = false;
  private readonly gone = new AbortController();

  constructor(host: HTMLElement, mayMove: () => boolean, onLetGo: () => void, wake: () => void) {
    const { signal } = this.gone;
    host.addEventListener(
      "keydown",
      (e) => {
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
      },
      { signal },
    );
    host.addEventListener(
      "keyup",
      (e) => {
        this.modifiers(e);
        if (this.down.delete(e.code)) wake();
      },
      { signal },
    );
    for (const [on, name] of [[host, "blur"], [window, "blur"]] as const) on.addEventListener(name, () => this.clear(), { signal });
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

  /** Stops listening. */
  dispose(): void {
    this.clear();
    this.gone.abort();
  }
}
