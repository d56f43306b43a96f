// "Try": the friction method and the numbers of the scene.
import { byId, el, setShown } from "../dom";
import { METHODS, type Method } from "../protocol";
import { unquote } from "../model/keys";
import type { Session } from "../session";
import type { Wanted } from "../setup";
import { coneField, flagField, numberField, wordField, type Field } from "./fields";
import { group } from "./group";

/** What each friction method is, in a line. */
export const METHOD_WORDS: Record<Method, string> = {
  hold: "Coulomb’s law with slip memory: holds without creep",
  qp: "the paper’s quadratic program: each contact sticks or slides",
  lp: "the paper’s linear program: all contacts hold, or none",
  yamane: "friction springs: they give way with hand and load",
  none: "no friction at all",
};

function numbers(wanted: Wanted): { friction: Field[]; springs: Field; stiff: Field[] } {
  const stiff = { from: 10, to: 1e5, step: 0, unit: "N/m" };
  return {
    friction: [
      numberField(wanted, "friction.static", { label: "µ static", unit: "", from: 0, to: 1.5, step: 0.01, title: "Friction holds up to µ static times the normal force" }),
      numberField(wanted, "friction.kinetic", { label: "µ kinetic", unit: "", from: 0, to: 1.5, step: 0.01, title: "Friction of a contact that slides; at most µ static" }),
    ],
    springs: numberField(wanted, "friction.spring_stiffness", { ...stiff, label: "Friction springs", to: 1e6, title: "All friction springs of yamane together" }),
    stiff: [
      numberField(wanted, "coupling.stiffness", { ...stiff, label: "Coupling stiffness", title: "The spring between hand and part" }),
      numberField(wanted, "coupling.torsion", { ...stiff, label: "Coupling torsion", unit: "N m/rad", from: 0.1, to: 1000, title: "The torsion spring between hand and part" }),
      numberField(wanted, "contact.stiffness", { ...stiff, label: "Contact stiffness", from: 1000, to: 1e7, title: "Stiffness of the contacts altogether" }),
    ],
  };
}

/** Builds the group into the panel. */
export function tryPanel(session: Session, wanted: Wanted): void {
  const { friction, springs, stiff } = numbers(wanted);
  const method = wordField(wanted, "friction.method", "Friction method", METHODS.map((m) => [m, m, METHOD_WORDS[m]]));
  const compare = el("select", { id: "compare", "data-testid": "compare" }, el("option", { value: "" }, "nothing: one lane"), ...METHODS.map((m) => el("option", { value: m }, m)));
  const says = el("p", { class: "explain" });
  compare.addEventListener("change", () => wanted.compare(METHODS.find((m) => m === compare.value) ?? null));
  const beside = el("div", { class: "field" }, el("div", { class: "field-head" }, el("label", { for: "compare" }, "Compare with")), compare, says);
  const damping = [
    numberField(wanted, "damping.alpha", { label: "Damping α", unit: "", from: 0, to: 0.95, step: 0.01, title: "The share of a step that is not taken" }),
    wordField(wanted, "damping.when", "Damping works", [
      ["sliding", "while a contact slides", ""],
      ["colliding", "in every contact (the paper’s way)", ""],
    ]),
  ];
  const release = flagField(wanted, "contact.release", "Contacts that are coming apart lose their friction (section 4.1 of the paper)");
  const all = el("button", { type: "button", class: "quiet", "data-testid": "reset-all", click: () => wanted.reset(null) }, "All back to the scene");
  const fields = [method, ...friction, coneField(wanted), springs, ...stiff, ...damping, release];
  const box = el("fieldset", { "data-testid": "try", "data-holder": "world" }, el("legend", { class: "visually-hidden" }, "Settings of the world"));
  box.append(method.node, beside, ...fields.slice(1).map((f) => f.node), all);
  byId("panel-groups").append(group("Try", "try", box));

  const update = () => {
    for (const field of fields) field.update();
    const setup = wanted.setup.value;
    const other = METHODS.find((m) => m === unquote(setup?.compare?.["friction.method"] ?? ""));
    compare.value = other ?? "";
    says.textContent = other ? METHOD_WORDS[other] : "";
    setShown(says, other !== undefined);
    setShown(springs.node, other === "yamane" || unquote(wanted.value("friction.method") ?? "") === "yamane");
    setShown(all, Object.keys(setup?.set ?? {}).length > 0);
  };
  wanted.setup.listen(update);
  session.world.listen(update);
}
