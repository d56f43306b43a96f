// Who holds the part: asking, giving, keeping.
import { byId, el, setText } from "../dom";
import { roleView, stillKept } from "../model/roles";
import type { Session } from "../session";

/** Fills the card, and enables what only the holder may use (`data-holder`, and `data-holder="world"` where there must be a world). */
export function rolePanel(session: Session, onHolding: (holding: boolean) => void): void {
  const card = byId("role-card");
  const line = el("p", { class: "role-line", role: "status", "data-testid": "role-line" });
  const actions = el("div", { class: "role-actions" });
  card.append(line, actions);
  let kept = new Set<number>();
  let drawn = "";

  const button = (label: string, id: string, run: () => void, strong = false, disabled = false) =>
    el("button", { type: "button", class: strong ? "strong" : "", "data-testid": id, disabled, click: run }, label);

  const update = () => {
    const roles = session.roles.value;
    if (roles) kept = stillKept(kept, roles);
    const view = roleView(roles, session.page, kept, session.world.value?.device ?? null);
    const open = session.link.value.state === "open";
    setText(line, view.line || "Waiting for the engine");
    card.dataset.holding = String(view.holding && open);
    const state = JSON.stringify([view, open]);
    if (state !== drawn) {
      drawn = state;
      actions.replaceChildren();
      for (const page of view.requests) {
        const give = button("Give", "role-give", () => session.command({ type: "give", to: page }), true);
        const keep = button("Keep", "role-keep", () => {
          kept.add(page);
          update();
        });
        actions.append(el("div", { class: "request", "data-testid": "role-request" }, el("span", {}, `Page ${page} asks for the part`), give, keep));
      }
      if (view.ask !== null) actions.append(button(view.ask, "role-ask", () => session.connection.send({ type: "ask" }), true, view.waiting || !open));
      if (view.canDrop) actions.append(button("Let others hold it", "role-drop", () => session.command({ type: "drop" })));
    }
    for (const node of document.querySelectorAll<HTMLFieldSetElement | HTMLSelectElement>("[data-holder]")) node.disabled = !session.holding || (node.dataset.holder === "world" && !session.world.value);
    onHolding(session.holding);
  };
  session.roles.listen(update);
  session.welcome.listen(update);
  session.link.listen(update);
  session.world.listen(update);
}
