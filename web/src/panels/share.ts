// "Share": links, a picture, the plots as a table, a clip.
import { Clip, whyNoClip } from "../clip";
import { byId, el, setShown, themeColours } from "../dom";
import { csvOfFrames, csvOfSurvey } from "../model/csv";
import { fixed } from "../model/format";
import type { Board } from "../plots/board";
import type { History } from "../plots/history";
import type { Session } from "../session";
import type { Stage } from "../view/contract";
import { group } from "./group";

/** Rows of a table of a recording: every tick of a minute at 1 kHz. */
const MOST_ROWS = 65_536;

/** From one picture of a clip to the next where nothing moves (ms). */
const STILL = 200;

/** What is shared, and how. */
export interface Sharing {
  session: Session;
  history: History;
  board: Board;
  stage(): Stage | null;
  /** Copies a link to what is shown. */
  copyLink(withToken: boolean): void;
  /** The token in use. */
  token(): string | null;
  /** Tells the user something. */
  say(words: string): void;
}

/** Builds the group. */
export function sharePanel(sharing: Sharing): void {
  const { session, say } = sharing;
  const button = (id: string, label: string, title: string, run: () => void) => el("button", { type: "button", "data-testid": id, title, click: run }, label);
  const link = button("share-link", "Copy link", "A link to this scene with its settings, or to this moment of a recording, and the camera; without the token", () => sharing.copyLink(false));
  const full = button("share-link-token", "Copy link with token", "Whoever has this link can move the part", () => sharing.copyLink(true));
  const picture = button("share-picture", "Picture (PNG)", "The 3D view as it is now, with the sentence", () => void savePicture(sharing));
  const table = button("share-csv", "Plots (CSV)", "What the plots show, from end to end, as a table", () => void saveTable(sharing));
  const clip = button("share-clip", "Clip (WebM)", "Records the 3D view until you press again", () => toggleClip());
  const why = el("p", { class: "explain", "data-testid": "share-note" }, whyNoClip() ?? "");
  clip.disabled = whyNoClip() !== null;
  setShown(why, whyNoClip() !== null);
  byId("panel-groups").append(group("Share", "share", el("div", { class: "buttons" }, link, full, picture, table, clip), why));
  session.link.listen(() => setShown(full, sharing.token() !== null));

  let running: Clip | null = null;
  const toggleClip = () => {
    if (running) return running.stop();
    const stage = sharing.stage();
    const stream = stage?.stream(Clip.rate);
    if (!stage || !stream) return say("There is no 3D view to record");
    const name = fileName(sharing, "webm");
    // Only what is drawn is recorded, and what stands still is not drawn.
    const still = setInterval(() => stage.redraw(), STILL);
    try {
      running = new Clip(stream, (file) => {
        clearInterval(still);
        running = null;
        show();
        if (file) save(file, name);
        else say("Nothing was drawn, so there is no clip");
      });
    } catch (error) {
      clearInterval(still);
      say(`The browser makes no clip: ${error instanceof Error ? error.message : String(error)}`);
    }
    show();
  };
  const show = () => {
    clip.textContent = running ? "Stop the clip" : "Clip (WebM)";
    clip.setAttribute("aria-pressed", String(running !== null));
    clip.classList.toggle("recording", running !== null);
  };
}

/** "corner-cube-3.210s.png": scene or recording, and the time in it. */
function fileName({ session }: Sharing, ending: string): string {
  const world = session.world.value;
  const what = (world?.playback?.name ?? world?.scene ?? "stiction").replace(/\.mcap$/, "").replace(/^.*\//, "").replace(/[^\w.-]+/g, "-");
  return `${what}-${(session.frame.value?.time ?? 0).toFixed(3)}s.${ending}`;
}

function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** The 3D view with a line below it that says what it is. */
async function savePicture(sharing: Sharing): Promise<void> {
  const { session, say } = sharing;
  const stage = sharing.stage();
  if (!stage) return say("There is no 3D view to make a picture of");
  const view = stage.snapshot();
  const line = Math.max(18, Math.round(view.width / 50));
  const page = el("canvas", { width: view.width, height: view.height + 3 * line });
  const pen = page.getContext("2d");
  if (!pen) return say("This browser draws no pictures");
  const colours = themeColours(document.body, ["--surface", "--text", "--muted"]);
  pen.fillStyle = colours.get("--surface") ?? "#fff";
  pen.fillRect(0, 0, page.width, page.height);
  pen.drawImage(view, 0, 0);
  const [world, frame] = [session.world.value, session.frame.value];
  const labels = world?.lanes.map((lane) => lane.label).join(" | ") ?? "";
  const texts: [string, colour: string][] = [
    [frame?.lanes.map((lane) => lane.sentence).join(" | ") ?? "", "--text"],
    [`${world?.playback?.name ?? world?.scene ?? ""}, ${fixed(frame?.time ?? NaN, 3)} s: ${labels}`, "--muted"],
  ];
  pen.font = `${Math.round(0.75 * line)}px system-ui, sans-serif`;
  texts.forEach(([text, colour], i) => {
    pen.fillStyle = colours.get(colour) ?? "#888";
    pen.fillText(text, 0.6 * line, view.height + (i + 1.2) * line, page.width - 1.2 * line);
  });
  const file = await new Promise<Blob | null>((done) => page.toBlob(done, "image/png"));
  if (file) save(file, fileName(sharing, "png"));
  else say("The browser made no picture");
}

async function saveTable(sharing: Sharing): Promise<void> {
  const { session, history, board, say } = sharing;
  const world = session.world.value;
  if (!world) return;
  const [from, to] = board.stretch();
  let text: string;
  if (world.playback) {
    const survey = await session.survey(world.generation, from, to, MOST_ROWS).catch(() => null);
    if (!survey) return say("The recording’s numbers could not be loaded");
    text = csvOfSurvey(survey, 1 / world.rate);
  } else text = csvOfFrames(history.frames, world.lanes.length, from, to);
  save(new Blob([text], { type: "text/csv" }), fileName(sharing, "csv"));
}
