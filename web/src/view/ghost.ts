// A pointer that shows where the demonstration's hand holds the part.

const NS = "http://www.w3.org/2000/svg";
/** A closed hand, 24 by 24, with the grip in its middle. */
const HAND = "M7.2 12.6V9.4a1.5 1.5 0 0 1 3 0V7.6a1.5 1.5 0 0 1 3 0v1a1.5 1.5 0 0 1 3 0v1.2a1.4 1.4 0 0 1 2.8 0v4.7c0 3.6-2.3 6-5.8 6-2.7 0-4-1-5.2-3l-2.4-4c-.9-1.6.9-2.8 1.6-.9z";

/** The drawn pointer. */
export class GhostCursor {
  readonly element = document.createElementNS(NS, "svg");

  constructor() {
    this.element.setAttribute("viewBox", "0 0 24 24");
    this.element.setAttribute("class", "ghost-cursor");
    this.element.setAttribute("aria-hidden", "true");
    this.element.dataset.testid = "ghost-cursor";
    const path = document.createElementNS(NS, "path");
    path.setAttribute("d", HAND);
    this.element.append(path);
    this.show(null);
  }

  /** Puts it at a place of the host (pixels); null hides it. */
  show(at: [number, number] | null): void {
    this.element.style.display = at ? "" : "none";
    if (at) this.element.style.transform = `translate(${(at[0] - 19).toFixed(1)}px, ${(at[1] - 17).toFixed(1)}px)`;
  }
}
