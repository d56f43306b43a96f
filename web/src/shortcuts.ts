// Keys that work anywhere on the page, except while typing.

/** What a key does, by `event.key` in lower case. */
export type Shortcuts = Record<string, () => void>;

/** Whether a key press belongs to the element it goes to. */
export function belongsTo(tag: string, type: string | null, key: string): boolean {
  if (tag === "TEXTAREA" || tag === "SELECT") return true;
  if (tag === "INPUT") return type !== "checkbox" && type !== "range" ? true : key === " " || key.startsWith("Arrow");
  return (tag === "BUTTON" || tag === "A" || tag === "SUMMARY") && (key === " " || key === "Enter");
}

/** Listens for them. */
export function listenKeys(shortcuts: Shortcuts): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (document.querySelector("dialog[open]") || belongsTo(target.tagName, target.getAttribute("type"), event.key)) return;
    const run = shortcuts[event.key.toLowerCase()];
    if (!run || (event.repeat && event.key !== "." && event.key !== ">")) return;
    event.preventDefault();
    run();
  });
}
