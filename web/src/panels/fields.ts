// Controls for one key of a scene each: a label, the value in force, and a mark that takes an override back.
import { el, icon, setShown } from "../dom";
import { coneSides, coneText, numberOf, numberText, unquote } from "../model/keys";
import { digits } from "../model/format";
import type { Control } from "../protocol";
import type { Wanted } from "../setup";

/** A control on the page. */
export interface Field {
  node: HTMLElement;
  /** Shows what is wanted or in force. */
  update(): void;
}

function frame(wanted: Wanted, key: string, label: Node, body: Node[]): Field & { overridden(): void } {
  const words = { title: "Back to the scene’s value", "aria-label": `Back to the scene’s ${key}`, "data-testid": `reset-${key}` };
  const reset = el("button", { type: "button", class: "reset-mark", ...words, click: () => wanted.reset(key) }, icon("undo"));
  const node = el("div", { class: "field", "data-testid": `field-${key}` }, el("div", { class: "field-head" }, label, reset), ...body);
  const overridden = () => {
    const on = wanted.overridden(key);
    node.classList.toggle("overridden", on);
    setShown(reset, on);
  };
  return { node, update: overridden, overridden };
}

/** The control of a key. */
export function field(wanted: Wanted, control: Control): Field {
  const make = { number: numberField, word: wordField, flag: flagField, cone: coneField };
  return make[control.kind](wanted, control);
}

/** A number with a slider and a box. */
function numberField(wanted: Wanted, { key, label: name, unit: unitName, doc, slider: ends, step, limits }: Control): Field {
  const log = step === 0;
  const id = `field-${key}`;
  const box = el("input", { id, type: "number", step: "any", inputmode: "decimal", min: limits[0], max: limits[1], title: doc, placeholder: "automatic", "data-testid": `set-${key}` });
  const [low, high] = log ? [Math.log10(ends[0]), Math.log10(ends[1])] : ends;
  const slider = el("input", { type: "range", min: low, max: high, step: log ? 0.01 : step, "aria-label": `${name}, slider`, "data-testid": `slide-${key}` });
  const label = el("label", { for: id, title: doc }, name);
  const unit = el("span", { class: "unit" }, unitName);
  const value = el("span", { class: "field-value" }, box, unit);
  const parts = frame(wanted, key, label, [slider]);
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
    if (Number.isFinite(numberOf(box.value)) && box.validity.valid) wanted.set(key, box.value);
    self.update();
  });
  const self: Field = {
    node: parts.node,
    update() {
      parts.overridden();
      const x = numberOf(wanted.value(key));
      const text = Number.isFinite(x) ? numberText(x) : "";
      if (!typing) box.value = text;
      if (Number.isFinite(x)) slider.value = String(log ? Math.log10(Math.max(x, 1e-12)) : x);
    },
  };
  return self;
}

/** A choice of a few words, each with a line that explains it. */
function wordField(wanted: Wanted, { key, label, doc: title, words }: Control): Field {
  const id = `field-${key}`;
  const select = el("select", { id, title, "data-testid": `set-${key}` }, ...words.map((w) => el("option", { value: w.word }, w.label)));
  const says = el("p", { class: "explain" });
  const parts = frame(wanted, key, el("label", { for: id, title }, label), [select, says]);
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
function flagField(wanted: Wanted, { key, label, doc: title }: Control): Field {
  const box = el("input", { type: "checkbox", "data-testid": `set-${key}` });
  const parts = frame(wanted, key, el("label", { class: "check", title }, box, el("span", {}, label)), []);
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
function coneField(wanted: Wanted, { key, label, doc: title, words, limits, follows }: Control): Field {
  const [least, most] = limits;
  const disk = el("option", { value: "disk" }, words[0]?.label ?? "disk");
  const kind = el("select", { id: `field-${key}`, title, "data-testid": `set-${key}` }, disk, el("option", { value: "sides" }, "pyramid"));
  const sides = el("input", { type: "number", min: least, max: most, step: 1, value: 8, "aria-label": "Sides of the pyramid", "data-testid": "cone-sides" });
  const many = el("span", { class: "field-value" }, sides, el("span", { class: "unit" }, "sides"));
  const parts = frame(wanted, key, el("label", { for: `field-${key}`, title }, label), [el("div", { class: "row" }, kind, many)]);
  const send = () => {
    const count = Math.min(most, Math.max(least, Math.round(Number(sides.value) || 8)));
    sides.value = String(count);
    wanted.set(key, coneText(kind.value === "disk" ? "disk" : count));
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
