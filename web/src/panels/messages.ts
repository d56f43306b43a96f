// What goes wrong or takes its time: the bar of problems, notes over the stage, the question for a token.
import { byId, el, icon, setShown } from "../dom";
import type { Session } from "../session";

/** Fills them. `onToken` gets what the user types. The result says why there is no 3D view. */
export function messages(session: Session, onToken: (token: string) => void): (why: string) => void {
  const bar = byId("problems");
  session.problems.listen((problems) => {
    bar.replaceChildren(
      ...problems.map(({ text, times }) => {
        const close = el("button", { type: "button", class: "icon-button", "aria-label": "Dismiss", "data-testid": "dismiss", click: () => session.dismiss(text) }, icon("close"));
        const count = times > 1 ? [el("small", {}, `${times} times`)] : [];
        return el("div", { class: "problem", "data-testid": "problem" }, el("p", { "data-testid": "problem-text" }, text), ...count, close);
      }),
    );
  });

  const notes = byId("stage-notes");
  const card = (id: string, ...content: Node[]) => {
    const node = el("div", { class: "note-card", "data-testid": id, hidden: true }, ...content);
    notes.append(node);
    return node;
  };
  const noView = el("p");
  const noViewCard = card("no-webgl", el("h2", {}, "No 3D view"), noView, el("p", { class: "explain" }, "Plots, numbers and controls work all the same."));
  const fatalText = el("p", { class: "fatal-text" });
  const fatal = card("fatal", el("h2", {}, "There is no world to show"), fatalText, el("p", { class: "explain" }, "Choose another scene above."));
  fatal.classList.add("fill");
  const doing = el("p");
  const meter = el("progress", { max: 1 });
  const progress = card("progress", doing, meter);
  progress.setAttribute("role", "status");
  const lost = card("lost", el("p", {}, "Connection lost, trying again. The picture is the last one that came."));
  lost.setAttribute("role", "status");
  const reload = el("button", { type: "button", class: "strong", click: () => location.reload() }, "Reload");
  const mismatch = card("mismatch", el("h2", {}, "Page and server are of different versions"), el("p", {}, "Reload to get the page that fits this server."), reload);
  const refused = card("refused", el("h2", {}, "The server refuses this address"), el("p", {}, "Open the address that the terminal shows."));
  const ask = tokenForm(onToken);
  const token = card("token-card", ask.form);
  for (const node of [mismatch, refused, token]) node.classList.add("fill");

  session.fatal.listen((text) => {
    fatalText.textContent = text ?? "";
    setShown(fatal, text !== null);
  });
  session.progress.listen((p) => {
    setShown(progress, p !== null);
    if (!p) return;
    doing.textContent = p.text;
    if (p.of > 0) meter.value = Math.min(1, p.done / p.of);
    else meter.removeAttribute("value");
  });
  session.link.listen(({ state }) => {
    setShown(lost, state === "lost");
    setShown(mismatch, state === "mismatch");
    setShown(refused, state === "refused");
    if (state === "unauthorised" && token.hidden) ask.again();
    setShown(token, state === "unauthorised");
    if (state === "unauthorised") ask.box.focus();
  });
  return (why) => {
    noView.textContent = why;
    setShown(noViewCard, true);
  };
}

function tokenForm(onToken: (token: string) => void) {
  const box = el("input", { id: "token", type: "password", autocomplete: "off", required: true, maxlength: 200, "data-testid": "token" });
  const wrong = el("p", { class: "bad", role: "alert" });
  const send = el("button", { type: "submit", class: "strong", "data-testid": "token-send" }, "Connect");
  const says = el("p", {}, "The terminal that started stiction view shows it.");
  const form = el("form", {}, el("h2", {}, "This server wants a token"), says, el("label", { for: "token" }, "Token"), box, wrong, send);
  let tried = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tried = true;
    onToken(box.value.trim());
  });
  return { form, box, again: () => (wrong.textContent = tried ? "That is not the token." : "") };
}
