// The help dialog: keys and the mouse.
import { el } from "../dom";

const KEYS: [string, string][] = [
  ["Space", "pause or play"],
  [".", "one tick; with Shift ten"],
  ["R", "reset: part and hand as the scene starts"],
  ["H", "let go: the hand goes to the part"],
  ["C", "reset the camera"],
  ["?", "this help"],
];
const MOUSE: [string, string][] = [
  ["drag the part", "moves the hand in the plane of the screen"],
  ["Shift and drag", "turns the hand"],
  ["wheel over the part while dragging", "moves it nearer or farther"],
  ["drag the background", "turns the camera"],
  ["right button, or two fingers", "moves the camera"],
  ["wheel, or pinch", "zooms"],
  ["point at a contact", "shows its numbers"],
  ["point at the plots", "shows the numbers of that time; in a recording a click goes there"],
];

function table(caption: string, rows: [string, string][]): HTMLElement {
  return el("section", {}, el("h3", {}, caption), el("dl", { class: "facts wide" }, ...rows.map(([k, v]) => el("div", {}, el("dt", {}, el("kbd", {}, k)), el("dd", {}, v)))));
}

/** Makes the dialog; the result opens it. */
export function helpDialog(): () => void {
  const close = el("button", { type: "button", class: "strong", autofocus: true, "data-testid": "help-close", click: () => dialog.close() }, "Close");
  const legend = el("p", { class: "explain" }, "Green is stick, orange is slip: in the badge, on the contacts and behind the plots. Click the name of a plot to fold it.");
  const dialog = el("dialog", { class: "help", "aria-label": "Help", "data-testid": "help-dialog" }, el("h2", {}, "Keys and mouse"), el("div", { class: "columns" }, table("Keys", KEYS), table("Mouse and touch", MOUSE)), legend, close);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return () => {
    if (!dialog.open) dialog.showModal();
  };
}
