// "See": what the 3D view draws.
import { byId, el, setShown } from "../dom";
import { SWITCHES } from "../model/layers";
import { digits, fixed } from "../model/format";
import type { Signal } from "../model/signal";
import type { Session } from "../session";
import type { Layers, SliceFacts } from "../view/contract";
import { group } from "./group";

const WORDS: Record<(typeof SWITCHES)[number][0], string> = {
  contacts: "Contacts",
  normalForces: "Normal forces",
  frictionForces: "Friction forces",
  totalWrench: "Force on the hand",
  givesWay: "What gives way",
  cones: "Friction cones",
  hand: "Hand",
  path: "Path",
};

/** Layers that only worlds of a held and a fixed part have. */
const FOR_PARTS: readonly string[] = ["givesWay", "cones"];

function slider(id: string, label: string, min: number, max: number, step: number) {
  const input = el("input", { type: "range", id, min, max, step, "data-testid": id });
  const out = el("output", { for: id, class: "field-value" });
  const node = el("div", { class: "field" }, el("div", { class: "field-head" }, el("label", { for: id }, label), out), input);
  return { input, out, node };
}

function options(id: string, label: string, items: [string, string][]) {
  return el("select", { id, "aria-label": label, "data-testid": id }, ...items.map(([value, text]) => el("option", { value }, text)));
}

/** Builds the group; `layers` is both read and changed. */
export function seePanel(session: Session, layers: Signal<Layers>, slices: Signal<SliceFacts | null>, resetCamera: () => void): void {
  const change = (some: Partial<Layers>) => layers.set({ ...layers.value, ...some });
  const boxes = SWITCHES.map(([key, name]) => {
    const box = el("input", { type: "checkbox", "data-testid": `see-${name}`, change: () => change({ [key]: box.checked }) });
    return { key, box, node: el("label", { class: "check" }, box, el("span", {}, WORDS[key])) };
  });
  const shell = slider("see-shell", "Point shell", -1, 7, 1);
  const arrows = slider("see-arrows", "Arrow length", -5.01, -1, 0.01);
  const part = options("see-slice-part", "Slice of", [["", "no slice"], ["held", "held part"], ["fixed", "fixed part"]]);
  const axis = options("see-slice-axis", "Axis of the slice", [["x", "across x"], ["y", "across y"], ["z", "across z"]]);
  const at = slider("see-slice-at", "Position", 0, 1, 0.005);
  // Without a value of its own a slider from 0 to 1 stands at 1, where there is nothing to see.
  at.input.value = "0.5";
  const camera = el("button", { type: "button", "data-testid": "reset-camera", click: resetCamera }, "Reset camera");

  shell.input.addEventListener("input", () => change({ shellLevel: Number(shell.input.value) < 0 ? null : Number(shell.input.value) }));
  arrows.input.addEventListener("input", () => change({ metresPerNewton: Number(arrows.input.value) < -5 ? null : Number((10 ** Number(arrows.input.value)).toPrecision(3)) }));
  const slice = () => {
    const of = part.value;
    change({ slice: of === "held" || of === "fixed" ? { part: of, axis: axis.value as "x" | "y" | "z", at: Number(at.input.value) } : null });
  };
  for (const input of [part, axis]) input.addEventListener("change", slice);
  at.input.addEventListener("input", slice);

  const sliced = el("div", { class: "field" }, el("div", { class: "field-head" }, el("label", { for: "see-slice-part" }, "Distance field")), el("div", { class: "row" }, part, axis));
  const list = el("fieldset", { class: "checks" }, el("legend", { class: "visually-hidden" }, "Layers"), ...boxes.map((b) => b.node));
  byId("panel-groups").append(group("See", "see", list, arrows.node, shell.node, sliced, at.node, camera));

  layers.listen((now) => {
    for (const { key, box } of boxes) box.checked = now[key];
    shell.input.value = String(now.shellLevel ?? -1);
    shell.out.textContent = now.shellLevel === null ? "off" : `up to level ${now.shellLevel}`;
    arrows.input.value = String(now.metresPerNewton === null ? -5.01 : Math.log10(now.metresPerNewton));
    arrows.out.textContent = now.metresPerNewton === null ? "automatic" : `${digits(1000 * now.metresPerNewton, 2)} mm/N`;
    part.value = now.slice?.part ?? "";
    setShown(axis, now.slice !== null);
    setShown(at.node, now.slice !== null);
    if (!now.slice) return;
    axis.value = now.slice.axis;
    at.input.value = String(now.slice.at);
  });
  slices.listen((facts) => (at.out.textContent = facts ? `${facts.axis} = ${fixed(1000 * facts.position, 2)} mm` : ""));
  session.world.listen((world) => {
    if (!world) return;
    // Distance fields, point shells and margins are not of an engine of many bodies.
    const many = world.bodies.length > 0;
    for (const { key, node } of boxes) setShown(node, !(many && FOR_PARTS.includes(key)));
    for (const node of [shell.node, sliced]) setShown(node, !many);
    setShown(at.node, !many && layers.value.slice !== null);
    shell.input.max = String(Math.max(0, world.shell_levels - 1));
    shell.input.value = String(layers.value.shellLevel ?? -1);
  });
}
