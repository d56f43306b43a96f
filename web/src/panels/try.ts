// "Try": the friction method and the numbers of the scene, as the server offers them.
import { byId, el, setShown } from "../dom";
import { unquote } from "../model/keys";
import type { Session } from "../session";
import type { Wanted } from "../setup";
import { compareField } from "./compare";
import { field, type Field } from "./fields";
import { group } from "./group";

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
    const key = controls.compared?.key ?? "";
    const live = controls.list.filter((control) => !control.built);
    fields = live.flatMap((control) => {
      const own = field(wanted, control);
      const counts = () => control.engine === null || control.engine === (session.world.value?.engine ?? control.engine);
      const update = () => {
        own.update();
        const methods = [wanted, wanted.second].map((lane) => unquote(lane.value(key) ?? ""));
        setShown(own.node, counts() && (control.method === null || methods.includes(control.method)));
      };
      const compared = control.compared ? [compareField(wanted, controls)] : [];
      const others = compared.map((field) => ({
        ...field,
        update: () => {
          field.update();
          setShown(field.node, counts());
        },
      }));
      return [{ ...own, update }, ...others];
    });
    box.replaceChildren(el("legend", { class: "visually-hidden" }, "Settings of the world"), ...fields.map((f) => f.node), all);
    update();
  });
  wanted.setup.listen(update);
  wanted.refused.listen(update);
  wanted.second.refused.listen(update);
  session.world.listen(update);
}
