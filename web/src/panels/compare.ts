// "Compare": a second lane on the same hand, in which any key has another value.
import { el, setShown } from "../dom";
import type { Controls } from "../model/keys";
import type { Control } from "../protocol";
import type { Wanted } from "../setup";
import { field, type Field } from "./fields";

/** The choice of the key that lanes are compared by, and the second lane's values. */
export function compareField(wanted: Wanted, controls: Controls): Field {
  const springs = controls.compared?.words.some((w) => w.word === "yamane") ?? false;
  const title = "Our method and friction springs side by side, on the same hand";
  const quick = el("button", { type: "button", class: "quick", title, "data-testid": "compare-springs", hidden: !springs, click: () => wanted.compareWithSprings() }, "Ours against springs, same hand");
  const option = ({ key, label }: Control) => el("option", { value: key }, label);
  const some = (built: boolean) => controls.list.filter((control) => control.built === built).map(option);
  const select = el(
    "select",
    { id: "compare", "data-testid": "compare" },
    el("option", { value: "" }, "nothing: one lane"),
    el("optgroup", { label: "at once" }, ...some(false)),
    el("optgroup", { label: "built anew, takes a moment" }, ...some(true)),
  );
  select.addEventListener("change", () => wanted.compareBy(select.value === "" ? null : select.value));
  const others = el("div", { class: "second-lane" });
  const node = el("div", { class: "field" }, quick, el("div", { class: "field-head" }, el("label", { for: "compare" }, "Compare two values of")), select, others);
  let [shown, fields] = ["", [] as Field[]];
  return {
    node,
    update() {
      const keys = Object.keys(wanted.setup.value?.compare ?? {});
      if (keys.join(" ") !== shown) {
        shown = keys.join(" ");
        fields = keys.flatMap((key) => controls.find(key) ?? []).map((control) => field(wanted.second, { ...control, label: `${control.label} of the second lane` }, "compare-"));
        others.replaceChildren(...fields.map((f) => f.node));
      }
      select.value = keys.find((key) => key === select.value) ?? keys[0] ?? "";
      setShown(others, fields.length > 0);
      for (const one of fields) one.update();
    },
  };
}
