// Dialogs: help with keys and the mouse, and a link to copy.
import { el } from "../dom";

const KEYS: [string, string][] = [
  ["Space", "pause or play"],
  [".", "one tick; with Shift ten"],
  ["R", "reset: part and hand as the scene starts"],
  ["H", "let go: the hand goes to the part"],
  ["1 2 3 4", "look from the front, the side, above, obliquely"],
  ["C", "reset the camera"],
  ["?", "this help"],
];
const VIEW_KEYS: [string, string][] = [
  ["W A S D, arrows", "move the hand across the view"],
  ["E, Q", "move it away, nearer"],
  ["J L, I K, U O", "turn it; so do arrows with Alt"],
  ["Shift", "five times finer"],
];
const MOUSE: [string, string][] = [
  ["drag the part", "moves the hand across the view; let go, it stays there and pulls on until you let it go (H)"],
  ["press on a body", "where there are many: the hand takes it, drags it, and lets go when you do, so that it falls or flies on; a body that another hand holds is moved by that hand, which keeps it"],
  ["right button or Shift", "on the part: turns the hand"],
  ["wheel", "zooms, towards the pointer"],
  ["Alt and wheel", "moves the hand nearer or farther; with Shift five times finer"],
  ["drag beside it", "turns the camera; right button moves it"],
  ["double click", "on a part: the camera turns about that point"],
  ["point at a contact", "shows its numbers"],
];
const TOUCH: [string, string][] = [
  ["one finger", "on the part: moves the hand, or turns it with “Turn part”; beside it: turns the camera"],
  ["a finger on a body", "where there are many: takes it, drags it and lets go of it"],
  ["two fingers", "move the camera; apart and together: zoom"],
  ["tap twice", "on a part: the camera turns about that point"],
];
const PLOTS: [string, string][] = [
  ["point at them", "shows the numbers of that time; in a recording a click goes there"],
  ["wheel, two fingers", "zoom in time; with Shift the wheel goes on and back"],
  ["drag", "goes on and back, once zoomed in"],
  ["double click", "shows all again"],
];

const WORDS: [string, string][] = [
  ["holds, slides", "friction keeps the part where it is, or cannot and it moves; pushing a part in, it slides"],
  ["friction used", "the least µ that would hold the part, over the µ that it has at rest: at 100 % it slides"],
  ["contact area", "contacts that are near each other and push the same way; arrows show their sum"],
  ["hand parked", "you let go of the mouse, and the hand stays where it was and pulls on"],
  ["hand at its most", "the hand pulls no harder than the scene allows (flag: saturated)"],
  ["crept", "what a held part moved along the surface while the hand rested, and did not spring back"],
  ["hold, qp, lp, yamane", "ways to decide friction; hold is ours, yamane uses springs"],
  ["face, edge, vertex", "a flat side of a part, where two of them meet, and a corner; each has a number, as the part's polyhedron counts them: “face 4 of the part on face 5” is face 4 of what you move on face 5 of what stands still"],
  ["sticking, sliding", "the same of a single contact: friction keeps it where it is, or it moves along the surface"],
  ["contact formation", "all contacts at a time, each a face, edge or vertex on another; also the name of an engine that finds forces from them"],
  ["coarse", "a tick had more work than time, so fewer contacts stood for all"],
];

function table(caption: string, rows: [string, string][], keys = true): HTMLElement {
  return el("section", {}, el("h3", {}, caption), el("dl", { class: "facts wide" }, ...rows.map(([k, v]) => el("div", {}, el("dt", {}, keys ? el("kbd", {}, k) : k), el("dd", {}, v)))));
}

/** Shows a link for the user to copy: for browsers that do not let the page do it. */
export function showLink(link: string): void {
  const box = el("input", { readonly: true, value: link, "aria-label": "Link", "data-testid": "link-text" });
  const dialog = el("dialog", { class: "help", "aria-label": "Link" }, el("h2", {}, "Copy this link"), box, el("button", { type: "button", class: "strong", click: () => dialog.close() }, "Close"));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  box.focus();
  box.select();
}

/** Makes the dialog; the result opens it. */
export function helpDialog(): () => void {
  const close = el("button", { type: "button", class: "strong", "data-testid": "help-close", click: () => dialog.close() }, "Close");
  const legend = el("p", { class: "explain" }, "Green holds, orange slides: in the badge, the gauge, on the contacts and behind the plots. Zoom in to see the forces of single contacts. Click the name of a plot to open or fold it.");
  const byTouch = matchMedia("(pointer: coarse)").matches;
  const [keys, viewKeys, plots] = [table("Keys", KEYS), table("While the 3D view has the focus", VIEW_KEYS), table("Plots", PLOTS, false)];
  const [mouse, touch, words] = [table("Mouse", MOUSE, false), table("Touch", TOUCH, false), table("Words", WORDS, false)];
  const dialog = el(
    "dialog",
    { class: "help", "aria-label": "Help", "data-testid": "help-dialog" },
    // It has the focus first: the button is at the end, and would scroll the dialog there.
    el("h2", { tabindex: -1, autofocus: true }, byTouch ? "Touch, words and keys" : "Keys, mouse and words"),
    el("div", { class: "columns" }, ...(byTouch ? [el("div", {}, touch, words, plots), el("div", {}, mouse, keys, viewKeys)] : [el("div", {}, keys, viewKeys, plots), el("div", {}, mouse, touch, words)])),
    legend,
    close,
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return () => {
    if (dialog.open) return;
    dialog.showModal();
    dialog.scrollTop = 0;
  };
}
