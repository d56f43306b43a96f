// Small helpers to make elements without a framework.

type Props = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element with attributes (true is present, false absent; functions listen to the event of that name) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/** An element of index.html. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

/** Changes a text only if it differs: cheap when nothing changed. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows or hides. */
export function setShown(node: HTMLElement, shown: boolean): void {
  if (node.hidden === shown) node.hidden = !shown;
}

/** What CSS variables of the theme are at an element, as colours that a canvas understands. */
export function themeColours(host: HTMLElement, names: readonly string[]): Map<string, string> {
  const probe = host.appendChild(document.createElement("i"));
  const resolved = (name: string) => {
    probe.style.color = `var(${name}, #888)`;
    return getComputedStyle(probe).color;
  };
  const colours = new Map(names.map((name) => [name, resolved(name)]));
  probe.remove();
  return colours;
}

const ICONS: Record<string, string> = {
  play: "M5 3.5v9l7-4.5z",
  pause: "M4.5 3.5h2.5v9H4.5zM9 3.5h2.5v9H9z",
  reset: "M8 3a5 5 0 1 1-4.6 3l1.1.5A3.8 3.8 0 1 0 8 4.2V6.5L4.6 3.6 8 .8z",
  undo: "M6.5 3 2.8 6.5l3.7 3.5V7.6h2.6a2.2 2.2 0 0 1 0 4.4H6v1.3h3.1a3.5 3.5 0 0 0 0-7H6.5z",
  link: "M6.8 9.9 9.9 6.8l-.7-.7-3.1 3.1zM8.5 4.3l1.1-1.1a2.3 2.3 0 0 1 3.2 3.2l-1.9 2-.8-.8 1.9-2a1.2 1.2 0 0 0-1.6-1.6L9.3 5.1zm-1 7.4-1.1 1.1a2.3 2.3 0 0 1-3.2-3.2l1.9-2 .8.8-1.9 2a1.2 1.2 0 0 0 1.6 1.6l1.1-1.1z",
  download: "M7.4 2h1.2v6.2l2.2-2.2.8.8L8 10.5 4.4 6.8l.8-.8 2.2 2.2zM3 12h10v1.2H3z",
  close: "m4.4 3.6 3.6 3.6 3.6-3.6.8.8L8.8 8l3.6 3.6-.8.8L8 8.8l-3.6 3.6-.8-.8L7.2 8 3.6 4.4z",
  camera: "M2.5 5h2.3l1-1.5h4.4l1 1.5h2.3v7.5h-11zM8 6.3a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.4 1h1.2v2.2H7.4zM7.4 12.8h1.2V15H7.4zM1 7.4h2.2v1.2H1zM12.8 7.4H15v1.2h-2.2z",
  moon: "M12.8 10.2A5.4 5.4 0 0 1 5.8 3.2a5.4 5.4 0 1 0 7 7z",
  panel: "M2 3h12v10H2zm1.2 1.2v7.6h5.9V4.2z",
  record: "M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  stop: "M4.5 4.5h7v7h-7z",
};

/** A drawn symbol of 16 by 16 in the text's colour; decorative. */
export function icon(name: keyof typeof ICONS | string): SVGSVGElement {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", ICONS[name] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** Calls `run` at most every `ms`, at once if it may, and once more for the last call. */
export function throttle(ms: number | (() => number), run: () => void): () => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const go = () => {
    timer = null;
    last = performance.now();
    run();
  };
  return () => {
    if (timer !== null) return;
    const wait = last + (typeof ms === "number" ? ms : ms()) - performance.now();
    if (wait <= 0) go();
    else timer = setTimeout(go, wait);
  };
}
