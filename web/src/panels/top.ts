// The top bar: scene, the sentence, the connection, and a few buttons.
import { byId, el, icon, setShown, setText } from "../dom";
import type { Link } from "../connection";
import type { Session } from "../session";
import type { Wanted } from "../setup";
import type { ThemeChoice } from "../theme";
import type { Frame } from "../protocol";

const SPEAK_EVERY = 2500;

/** What the connection is, in a few words. */
export function linkWords(link: Link, roundTrip: number): string {
  switch (link.state) {
    case "open":
      return Number.isFinite(roundTrip) ? `connected, ${roundTrip < 10 ? roundTrip.toFixed(1) : roundTrip.toFixed(0)} ms` : "connected";
    case "connecting":
      return "connecting…";
    case "lost":
      return "connection lost, trying again";
    case "unauthorised":
      return "token needed";
    case "refused":
      return "refused by the server";
    case "mismatch":
      return "other version";
  }
}

/** What the top bar offers to others. */
export interface TopBar {
  /** Shows what a frame says; called some ten times a second. */
  write(frame: Frame): void;
  /** The sentence on show. */
  sentence(): string;
}

/** Fills the top bar. */
export function topBar(session: Session, wanted: Wanted, theme: ThemeChoice, actions: { help(): void; panel(): void; copy(): void }): TopBar {
  const [sentence, badge, spoken, link] = [byId("sentence"), byId("badge"), byId("spoken"), byId("link")];
  const select = byId<HTMLSelectElement>("scene");
  select.dataset.holder = "";
  select.addEventListener("change", () => wanted.scene(select.value));
  const scenes = () => {
    const names = [...(session.welcome.value?.scenes ?? [])];
    const now = wanted.setup.value?.scene;
    if (now !== undefined && !names.includes(now)) names.unshift(now);
    if (names.join("\n") !== [...select.options].map((o) => o.value).join("\n")) select.replaceChildren(...names.map((n) => el("option", { value: n }, n)));
    if (now !== undefined) select.value = now;
  };
  session.welcome.listen(scenes);
  wanted.setup.listen(scenes);

  const look = el("button", { type: "button", class: "icon-button", "data-testid": "theme", click: () => theme.toggle() });
  theme.theme.listen((now) => {
    const other = now === "dark" ? "light" : "dark";
    look.replaceChildren(icon(now === "dark" ? "sun" : "moon"));
    look.setAttribute("aria-label", `Switch to ${other}`);
    look.title = `Switch to ${other}`;
  });
  const tool = (id: string, label: string, content: Node | string, run: () => void) =>
    el("button", { type: "button", class: "icon-button", "data-testid": id, "aria-label": label, title: label, click: run }, content);
  byId("top-tools").append(
    tool("copy-link", "Copy a link to this", icon("link"), actions.copy),
    look,
    tool("toggle-panel", "Show or hide the controls", icon("panel"), actions.panel),
    tool("help", "Help: keys and mouse (?)", "?", actions.help),
  );

  const showLink = () => {
    const now = session.link.value;
    setText(link, linkWords(now, session.connection.roundTrip));
    link.dataset.state = now.state;
  };
  session.link.listen(showLink);
  setInterval(showLink, 1000);

  session.fatal.listen((why) => {
    if (why === null) return;
    setText(sentence, "There is no world to show.");
    setShown(badge, true);
    setText(badge, "no world");
    delete badge.dataset.word;
  });

  let [said, at, verdict] = ["", -Infinity, ""];
  return {
    write(frame) {
      const lane = frame.lanes[0];
      if (!lane) return;
      setText(sentence, lane.sentence);
      const did = lane.word;
      setShown(badge, did !== undefined);
      setText(badge, did ?? "");
      badge.dataset.word = did ?? "";
      const now = performance.now();
      if (now - at > SPEAK_EVERY && ((did ?? "") !== verdict || (now - at > 4 * SPEAK_EVERY && lane.sentence !== said))) {
        [said, at, verdict] = [lane.sentence, now, did ?? ""];
        setText(spoken, lane.sentence);
      }
    },
    sentence: () => sentence.textContent ?? "",
  };
}
