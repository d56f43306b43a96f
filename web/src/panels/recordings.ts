// Recordings of the server's folder: load them, download them.
import { byId, el, icon } from "../dom";
import { bytes } from "../model/format";
import type { Recordings, World } from "../protocol";
import type { Session } from "../session";
import { group } from "./group";

/** Characters at the end of a name that are always shown. */
const TAIL = 20;

/** Builds the group. */
export function recordingsPanel(session: Session): void {
  const now = el("p", { class: "recording-now", "data-testid": "recording-now", role: "status" });
  const list = el("ul", { class: "files", "data-testid": "recordings" });
  const where = el("p", { class: "explain" });
  byId("panel-groups").append(group("Recordings", "recordings", el("fieldset", { "data-holder": "" }, el("legend", { class: "visually-hidden" }, "Recordings"), now, list), where));

  const item = (file: Recordings["files"][number], playing: boolean) => {
    const run = () => session.command({ type: "play", name: file.name });
    const load = el("button", { type: "button", class: "file", title: `Play ${file.name}`, "aria-pressed": String(playing), "data-testid": "recording-load", click: run });
    // Names begin with the scene and end with date and time: the end tells them apart, so it is never cut.
    const cut = Math.max(0, file.name.length - TAIL);
    load.append(el("span", { class: "file-name" }, el("span", {}, file.name.slice(0, cut)), file.name.slice(cut)), el("small", {}, bytes(file.bytes)));
    const words = { title: `Download ${file.name}`, "aria-label": `Download ${file.name}`, "data-testid": "recording-download" };
    const href = session.connection.href(`recordings/${encodeURIComponent(file.name)}`);
    const get = el("a", { href, download: file.name, class: "icon-button", ...words }, icon("download"));
    return el("li", {}, load, get);
  };
  const update = (recordings: Recordings | null, world: World | null) => {
    const playing = world?.playback?.name ?? null;
    const files = recordings?.files.slice(0, 100) ?? [];
    list.replaceChildren(...files.map((file) => item(file, file.name === playing)));
    const side = (world?.lanes.length ?? 0) > 1 ? ", the left side only" : "";
    now.textContent = recordings?.recording ? `Recording to ${recordings.recording}${side}` : files.length === 0 ? "None yet: press Record." : "";
    now.hidden = now.textContent === "";
    now.classList.toggle("recording", Boolean(recordings?.recording));
    where.textContent = recordings ? `In ${recordings.folder}` : "";
  };
  session.recordings.listen((r) => update(r, session.world.value));
  session.world.listen((w) => update(session.recordings.value, w));
}
