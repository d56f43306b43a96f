// A group of the panel that folds, and remembers whether it is open.
import { el } from "../dom";
import { store, storedWords } from "../storage";

const KEY = "stiction.groups";

/** A titled group with content. */
export function group(title: string, id: string, ...content: Node[]): HTMLDetailsElement {
  const node = el("details", { class: "group", "data-testid": `group-${id}`, open: !storedWords(KEY).has(id) }, el("summary", {}, title), el("div", { class: "group-body" }, ...content));
  node.addEventListener("toggle", () => {
    const now = storedWords(KEY);
    if (node.open) now.delete(id);
    else now.add(id);
    store(KEY, [...now].join(","));
  });
  return node;
}
