// Light or dark: as the system has it, until the user chooses.
import { Signal } from "./model/signal";

/** The two looks. */
export type Theme = "light" | "dark";

const KEY = "stiction.theme";

function saved(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
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
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    this.theme.set(next);
  }
}
