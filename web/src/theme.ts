// Light or dark: as the system has it, until the user chooses.
import { Signal } from "./model/signal";
import { store, stored } from "./storage";

/** The two looks. */
export type Theme = "light" | "dark";

const KEY = "stiction.theme";

function saved(): Theme | null {
  const value = stored(KEY);
  return value === "light" || value === "dark" ? value : null;
}

/** The look in force; sets it on the page and follows the system while nothing was chosen. */
export class ThemeChoice {
  readonly theme: Signal<Theme>;

  constructor() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const system = (): Theme => (dark.matches ? "dark" : "light");
    this.theme = new Signal(saved() ?? system());
    this.theme.listen((theme) => (document.documentElement.dataset.theme = theme));
    dark.addEventListener("change", () => {
      if (saved() === null) this.theme.set(system());
    });
  }

  /** The other one, from now on. */
  toggle(): void {
    const next = this.theme.value === "dark" ? "light" : "dark";
    store(KEY, next);
    this.theme.set(next);
  }
}
