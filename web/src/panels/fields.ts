// Controls for one key of a scene each: a label, the value in force, and a mark that takes an override back.
import { el, icon, setShown } from "../dom";
import { coneSides, coneText, numberOf, numberText, unquote } from "../model/keys";
import { digits } from "../model/format";
import type { Control } from "../protocol";
import type { LaneSettings } from "../setup";

/** A control on the page. */
export interface Field {
  node: HTMLElement;
  /** Shows what is wanted or in force. */
  update(): void;
}

/** Where a control is: those of the second lane begin with "compare-", and go back to the first lane's values. */
export type FieldPlace = "" | "compare-";

function frame(wanted: LaneSettings, at: FieldPlace, key: string, label: Node, body: Node[]): Field & { overridden(): void } {
  const back = at === "" ? "Back to the scene’s" : "Compare no more by";
  const words = { title: at === "" ? `${back} value` : `${back} this`, "aria-label": `${back} ${key}`, "data-testid": `${at}reset-${key}` };
  const reset = el("button", { type: "button", class: "reset-mark", ...words, click: () => wanted.reset(key) }, icon("undo"));
  const refused = el("p", { class: "refusal", role: "alert", "data-testid": `${at}refusal-${key}`, hidden: true });
  const node = el("div", { class: "field", "data-testid": `${at}field-${key}` }, el("div", { class: "field-head" }, label, reset), ...body, refused);
  const overridden = () => {
    const why = wanted.refused.value?.key === key ? wanted.refused.value.why : null;
    if (refused.textContent !== (why ?? "")) refused.textContent = why ?? "";
    setShown(refused, why !== null);
    const on = wanted.overridden(key);
    node.classList.toggle("overridden", on);
    setShown(reset, on);
  };
  return { node, update: overridden, overridden };
}

/** The control of a key. */
export function field(wanted: LaneSettings, control: Control, at: FieldPlace = ""): Field {
  const make = { number: numberField, word: wordField, flag: flagField, cone: coneField };
  return make[control.kind](wanted, control, at);
}

/** A number with a slider and a box. */
function numberField(wanted: LaneSettings, { key, label: name, unit: unitName, doc, slider: ends, step, limits, at_most }: Control, at: FieldPlace): Field {
  const log = step === 0;
  const id = `${at}field-${key}`;
  const box = el("input", { id, type: "number", step: "any", inputmode: "decimal", min: limits[0], max: limits[1], title: doc, placeholder: "automatic", "data-testid": `${at}set-${key}` });
  const [low, high] = log ? [Math.log10(ends[0]), Math.log10(ends[1])] : ends;
  const slider = el("input", { type: "range", min: low, max: high, step: log ? 0.01 : step, "aria-label": `${name}, slider`, "data-testid": `${at}slide-${key}` });
  const label = el("label", { for: id, title: doc }, name);
  const unit = el("span", { class: "unit" }, unitName);
  const value = el("span", { class: "field-value" }, box, unit);
  const capped = el("p", { class: "explain", "data-testid": `${at}capped-${key}`, hidden: true });
  const parts = frame(wanted, at, key, label, [slider, capped]);
  parts.node.firstElementChild?.append(value);
  slider.addEventListener("input", () => {
    const x = log ? Number(digits(10 ** Number(slider.value), 3).replace("−", "-")) : Number(slider.value);
    box.value = numberText(x);
    wanted.set(key, box.value);
  });
  let typing = false;
  box.addEventListener("input", () => (typing = true));
  box.addEventListener("change", () => {
    typing = false;
    if (box.value === "" && !box.validity.badInput) wanted.reset(key);
    else wanted.set(key, box.validity.badInput ? "what you typed" : box.value);
    self.update();
  });
  const self: Field = {
    node: parts.node,
    update() {
      parts.overridden();
      const x = numberOf(wanted.value(key));
      const text = Number.isFinite(x) ? numberText(x) : "";
      if (!typing) box.value = text;
      const most = at_most === null ? undefined : wanted.controls.value.find(at_most);
      const held = most !== undefined && !wanted.overridden(key) && wanted.overridden(most.key) && x === numberOf(wanted.value(most.key));
      if (held) capped.textContent = `lowered with ${most.label}: it cannot be above`;
      setShown(capped, held);
      if (Number.isFinite(x)) slider.value = String(log ? Math.log10(Math.max(x, 1e-12)) : x);
    },
  };
  return self;
}

/** A choice of a few words, each with a line that explains it. */
function wordField(wanted: LaneSettings, { key, label, doc: title, words }: Control, at: FieldPlace): Field {
  const id = `${at}field-${key}`;
  const select = el("select", { id, title, "data-testid": `${at}set-${key}` }, ...words.map((w) => el("option", { value: w.word }, w.label)));
  const says = el("p", { class: "explain" });
  const parts = frame(wanted, at, key, el("label", { for: id, title }, label), [select, says]);
  select.addEventListener("change", () => wanted.set(key, select.value));
  return {
    node: parts.node,
    update() {
      parts.overridden();
      select.value = unquote(wanted.value(key) ?? "");
      const text = words.find((w) => w.word === select.value)?.doc ?? "";
      says.textContent = text;
      setShown(says, text !== "");
    },
  };
}

/** A switch. */
function flagField(wanted: LaneSettings, { key, label, doc: title }: Control, at: FieldPlace): Field {
  const box = el("input", { type: "checkbox", "data-testid": `${at}set-${key}` });
  const parts = frame(wanted, at, key, el("label", { class: "check", title }, box, el("span", {}, label)), []);
  box.addEventListener("change", () => wanted.set(key, String(box.checked)));
  return {
    node: parts.node,
    update() {
      parts.overridden();
      box.checked = unquote(wanted.value(key) ?? "") === "true";
    },
  };
}

/** Disk, or a pyramid with so many sides. */
function coneField(wanted: LaneSettings, { key, label, doc: title, words, limits, follows }: Control, at: FieldPlace): Field {
  const [least, most] = limits;
  const disk = el("option", { value: "disk" }, words[0]?.label ?? "disk");
  const kind = el("select", { id: `${at}field-${key}`, title, "data-testid": `${at}set-${key}` }, disk, el("option", { value: "sides" }, "pyramid"));
  const sides = el("input", { type: "number", min: least, max: most, step: 1, value: 8, "aria-label": "Sides of the pyramid", "data-testid": `${at}cone-sides` });
  const many = el("span", { class: "field-value" }, sides, el("span", { class: "unit" }, "sides"));
  const parts = frame(wanted, at, key, el("label", { for: `${at}field-${key}`, title }, label), [el("div", { class: "row" }, kind, many)]);
  const send = () => {
    wanted.set(key, coneText(kind.value === "disk" ? "disk" : Math.round(Number(sides.value) || 8)));
  };
  kind.addEventListener("change", send);
  sides.addEventListener("change", send);
  return {
    node: parts.node,
    update() {
      parts.overridden();
      const cone = coneSides(wanted.value(key) ?? "");
      disk.disabled = follows !== null && wanted.controls.value.pyramidFor(follows, unquote(wanted.value(follows) ?? "")) !== undefined;
      kind.value = typeof cone === "number" ? "sides" : "disk";
      if (typeof cone === "number" && document.activeElement !== sides) sides.value = String(cone);
      setShown(many, kind.value === "sides");
    },
  };
}
