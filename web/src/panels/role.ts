// Who holds the part: asking, giving, keeping, and taking over from a page that does nothing.
import { byId, el, setShown, setText } from "../dom";
import { roleView, type Mover } from "../model/roles";
import type { Session } from "../session";

/** Fills the card, and enables what only the holder may use (`data-holder`, and `data-holder="world"` where there must be a world). `say` is told of what happens to the part. */
export function rolePanel(session: Session, onHolding: (holding: boolean) => void, say: (words: string) => void): void {
  const card = byId("role-card");
  const line = el("p", { class: "role-line", role: "status", "data-testid": "role-line" });
  const note = el("p", { class: "role-note", "data-testid": "role-note", hidden: true });
  const actions = el("div", { class: "role-actions" });
  card.append(line, note, actions);
  let [drawn, heard, asked, told] = ["", 0, false, ""];
  let mover: Mover = "page";

  const button = (label: string, id: string, run: () => void, strong = false, disabled = false) =>
    el("button", { type: "button", class: strong ? "strong" : "", "data-testid": id, disabled, click: run }, label);

  const update = () => {
    const view = roleView(session.roles.value, session.page, session.world.value?.device ?? null, (performance.now() - heard) / 1000, mover, (session.world.value?.bodies.length ?? 0) > 0);
    const open = session.link.value.state === "open";
    setText(line, view.line || "Waiting for the engine");
    setText(note, view.note);
    setShown(note, view.note !== "");
    card.dataset.holding = String(view.holding && open);
    // Not with every second of the countdown: a button that is being pressed must stay.
    const state = JSON.stringify([{ ...view, note: "" }, open]);
    if (state !== drawn) {
      drawn = state;
      actions.replaceChildren();
      for (const page of view.requests) {
        const give = button("Give", "role-give", () => session.command({ type: "give", to: page }), true);
        const keep = button("Keep", "role-keep", () => session.command({ type: "keep", from: page }));
        actions.append(el("div", { class: "request", "data-testid": "role-request" }, el("span", {}, `Page ${page} asks for the part`), give, keep));
      }
      if (view.ask !== null) actions.append(button(view.ask, "role-ask", () => session.connection.send({ type: "ask" }), true, view.waiting || !open));
      if (view.canDrop) actions.append(button("Let others hold it", "role-drop", () => session.command({ type: "drop" })));
    }
    for (const node of document.querySelectorAll<HTMLFieldSetElement | HTMLSelectElement>("[data-holder]")) node.disabled = !session.holding || (node.dataset.holder === "world" && !session.world.value);
    onHolding(session.holding);
  };
  session.roles.listen((roles) => {
    heard = performance.now();
    const [taken, mine] = [roles?.taken_over, session.page];
    const news = taken && (taken.by === mine || taken.from === mine) ? JSON.stringify(taken) : "";
    if (news !== "" && news !== told) say(roleView(roles, mine).note);
    told = news;
    const waits = roles !== null && mine !== null && roles.asking.includes(mine);
    if (asked && !waits && roles?.holder !== mine) say(`Page ${roles?.holder} keeps the part`);
    asked = waits;
    update();
  });
  session.welcome.listen(update);
  session.link.listen(update);
  session.world.listen(update);
  session.frame.listen((frame) => {
    const now = frame?.playback ? "recording" : frame?.source === "script" || frame?.source === "demonstration" ? "script" : "page";
    if (now === mover) return;
    mover = now;
    update();
  });
  // A countdown, where there is one.
  setInterval(() => session.roles.value?.takes_over_in !== null && update(), 500);
}
