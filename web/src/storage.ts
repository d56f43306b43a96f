// What the browser keeps for the page. Where it keeps nothing, choices last as long as the page.

/** A kept value, or null. */
export function stored(key: string, where: () => Storage = () => localStorage): string | null {
  try {
    return where().getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value, if that is possible. */
export function store(key: string, value: string, where: () => Storage = () => localStorage): void {
  try {
    where().setItem(key, value);
  } catch {
    // Private windows may refuse.
  }
}

/** A kept set of words; without one, `otherwise`. */
export function storedWords(key: string, otherwise: readonly string[] = []): Set<string> {
  return new Set((stored(key) ?? otherwise.join(",")).split(",").filter(Boolean));
}
