// A group of the panel that folds, and remembers whether it is open.
import { el } from "../dom";

const KEY = "stiction.groups";

function closed(): Set<string> {
  try {
    return new Set((localStorage.getItem(KEY) ?? "").split(",").filter(Boolean));
  } catch {
    return new Set();
  }
}

/** A titled group with content. */
export function group(title: string, id: string, ...content: Node[]): HTMLDetailsElement {
  const node = el("details", { class: "group", "data-testid": `group-${id}`, open: !closed().has(id) }, el("summary", {}, title), el("div", { class: "group-body" }, ...content));
  node.addEventListener("toggle", () => {
    const now = closed();
    if (node.open) now.delete(id);
    else now.add(id);
    try {
      localStorage.setItem(KEY, [...now].join(","));
    } catch {
      // Without storage it is open again next time.
    }
  });
  return node;
}
