// "Try": the friction method and the numbers of the scene, as the server offers them.
import { byId, el, setShown } from "../dom";
import { unquote, type Controls } from "../model/keys";
import type { Session } from "../session";
import type { Wanted } from "../setup";
import { field, type Field } from "./fields";
import { group } from "./group";

/** The choice of a second lane. */
function compareField(wanted: Wanted, controls: Controls): Field {
  const words = controls.compared?.words ?? [];
  const select = el("select", { id: "compare", "data-testid": "compare" }, el("option", { value: "" }, "nothing: one lane"), ...words.map((w) => el("option", { value: w.word }, w.label)));
  const says = el("p", { class: "explain" });
  select.addEventListener("change", () => wanted.compare(select.value === "" ? null : select.value));
  const node = el("div", { class: "field" }, el("div", { class: "field-head" }, el("label", { for: "compare" }, "Compare with")), select, says);
  return {
    node,
    update() {
      const other = words.find((w) => w.word === compared(wanted, controls));
      select.value = other?.word ?? "";
      says.textContent = other?.doc ?? "";
      setShown(says, other !== undefined);
    },
  };
}

/** The word of the second lane. */
function compared(wanted: Wanted, controls: Controls): string {
  return unquote(wanted.setup.value?.compare?.[controls.compared?.key ?? ""] ?? "");
}

/** Builds the group into the panel. */
export function tryPanel(session: Session, wanted: Wanted): void {
  const all = el("button", { type: "button", class: "quiet", "data-testid": "reset-all", click: () => wanted.reset(null) }, "All back to the scene");
  const box = el("fieldset", { "data-testid": "try", "data-holder": "world" });
  byId("panel-groups").append(group("Try", "try", box));
  let fields: Field[] = [];

  const update = () => {
    for (const one of fields) one.update();
    setShown(all, Object.keys(wanted.setup.value?.set ?? {}).length > 0);
  };
  wanted.controls.listen((controls) => {
    fields = controls.list.flatMap((control) => {
      const own = field(wanted, control);
      const update = () => {
        own.update();
        const lanes = [compared(wanted, controls), unquote(wanted.value(controls.compared?.key ?? "") ?? "")];
        setShown(own.node, control.method === null || lanes.includes(control.method));
      };
      return [{ ...own, update }, ...(control.compared ? [compareField(wanted, controls)] : [])];
    });
    box.replaceChildren(el("legend", { class: "visually-hidden" }, "Settings of the world"), ...fields.map((f) => f.node), all);
    update();
  });
  wanted.setup.listen(update);
  session.world.listen(update);
}
