// The page of `stiction view`: makes all parts and connects them.
import { byId, el, throttle } from "./dom";
import { addressWriter, copyText, findToken, keepToken, shareLink, type Shown } from "./location";
import { testHook } from "./hook";
import { readAddress } from "./model/address";
import { readLayers } from "./model/layers";
import { Signal } from "./model/signal";
import { aboutPanel } from "./panels/about";
import { demonstration } from "./panels/demonstration";
import { healthLine } from "./panels/health";
import { helpDialog, showLink } from "./panels/help";
import { laneCards } from "./panels/lanes";
import { messages } from "./panels/messages";
import { recordingsPanel } from "./panels/recordings";
import { rolePanel } from "./panels/role";
import { seePanel } from "./panels/see";
import { sharePanel } from "./panels/share";
import { stageTools, VIEW_BUTTONS } from "./panels/stage-tools";
import { topBar } from "./panels/top";
import { Tooltip } from "./panels/tooltip";
import { transportBar } from "./panels/transport";
import { tryPanel } from "./panels/try";
import { Board } from "./plots/board";
import { History } from "./plots/history";
import { RecordingSurvey } from "./plots/survey";
import { Session } from "./session";
import { Wanted } from "./setup";
import { listenKeys } from "./shortcuts";
import { splitter } from "./splitter";
import { StageHost } from "./stage-host";
import { ThemeChoice } from "./theme";
import type { Layers, SliceFacts } from "./view/contract";
import type { ViewName } from "./view/orbit";

const opened = readAddress(location.search);
const session = new Session(findToken(opened));
const wanted = new Wanted(session, opened);
const theme = new ThemeChoice();
const layers = new Signal<Layers>(readLayers(opened.layers));
const slices = new Signal<SliceFacts | null>(null);
const past = new History();
const tooltip = new Tooltip(() => session.world.value);

const noView = messages(session, (token) => {
  keepToken(token);
  session.connection.setToken(token);
});
const help = helpDialog();
const shown: Shown = {
  session,
  layers: () => layers.value,
  camera: () => host.camera(),
  opened,
  settled: () => wanted.settled && !wanted.busy,
};
const toast = el("div", { class: "toast", role: "status", "data-testid": "toast", hidden: true });
document.body.append(toast);
let toastGoes: ReturnType<typeof setTimeout> | undefined;
function say(words: string): void {
  toast.textContent = words;
  toast.hidden = false;
  clearTimeout(toastGoes);
  toastGoes = setTimeout(() => (toast.hidden = true), 1500 + 60 * words.length);
}
function copyLink(withToken: boolean): void {
  const token = withToken ? session.connection.usedToken : null;
  const link = shareLink(shown, token);
  void copyText(link).then((done) => (done ? say(token === null ? "Link copied, without the token" : "Link copied, with the token: whoever has it can move the part") : showLink(link)));
}

const top = topBar(session, wanted, theme, {
  help,
  panel: () => byId("app").classList.toggle("no-panel"),
  copy: () => copyLink(false),
});
tryPanel(session, wanted);
seePanel(session, layers, slices, () => resetCamera());
recordingsPanel(session);
const lanes = laneCards(session);
const health = healthLine(session);
demonstration(session, wanted);
const board = new Board(byId("plots"), past);
const transport = transportBar(
  session,
  (seconds) => {
    board.window.reset();
    board.window.seconds = seconds;
    board.draw();
  },
  () => host.stage?.clearPath(),
);
board.onSeek = (time) => transport.seek(time);
board.onSeconds = (seconds) => transport.showSeconds(seconds);
sharePanel({ session, history: past, board, stage: () => host.stage, copyLink, token: () => session.connection.usedToken, say });
aboutPanel(session);
const tools = stageTools({ stage: () => host.stage, holding: () => session.holding, look: (view) => lookFrom(view), fit: () => resetCamera(), letGo: () => transport.letGo() });
slices.listen((facts) => tools.slice(facts));

const host = new StageHost({
  session,
  theme: theme.theme,
  layers,
  camera: opened.cam,
  cameraScene: opened.scene,
  cameraRecording: opened.recording,
  onNone: noView,
  onCamera: () => writeAddress(),
  events: {
    onHand: (pose) => session.moveHand(pose),
    onGrab: (body) => session.grab(body),
    onLetGo: () => transport.letGo(),
    onHover: (hovered) => tooltip.hover(hovered, session.frame.value),
    onGamepad: (name) => say(name === null ? "The gamepad is gone" : `Gamepad: ${name}`),
    onSlice: (facts) => slices.set(facts),
  },
});
rolePanel(session, (holding) => host.setHolding(holding), say);

const writeAddress = addressWriter(shown);
function resetCamera(): void {
  host.resetCamera();
  writeAddress();
}
function lookFrom(view: ViewName): void {
  host.lookFrom(view);
  writeAddress();
}
session.world.listen((world) => {
  if (!world) return;
  past.setWorld(world);
  if (world.playback && !past.survey) past.survey = surveyOf(world.generation, world.playback.seconds);
  board.setWorld(world);
  document.title = `${world.scene} – Stiction`;
  writeAddress();
});
function surveyOf(generation: number, seconds: number): RecordingSurvey {
  const rows = (from: number, to: number, count: number) => session.survey(generation, from, to, count);
  const failed = (why: unknown) => session.world.value?.generation === generation && session.complain(`The plots of the recording could not be loaded: ${why instanceof Error ? why.message : String(why)}`);
  return new RecordingSurvey(rows, seconds, () => board.draw(), failed);
}
layers.listen(writeAddress);
for (const event of ["pointerup", "wheel", "keyup"]) byId("stage").addEventListener(event, writeAddress, { passive: true });

// Where the CPU draws, every changed text is drawn by it too.
const textEvery = () => (byId("stage").dataset.drawnBy === "cpu" ? 330 : 125);
const writeTexts = throttle(textEvery, () => {
  const frame = session.frame.value;
  if (!frame) return;
  top.write(frame);
  lanes(frame);
  health(frame);
  transport.write(frame);
  tooltip.write(frame);
  tools.write(frame);
  if (frame.playback && frame.paused) writeAddress();
  board.write();
});
// A page that hardly keeps up leaves its time to the 3D view.
const plotEvery = () => (session.drawnRate.rate(performance.now()) < 24 ? 90 : 34);
let asked = 0;
const drawPlots = throttle(plotEvery, () => {
  asked ||= requestAnimationFrame(() => {
    asked = 0;
    board.draw();
  });
});
session.frame.listen((frame) => {
  if (!frame) return;
  if (past.add(frame)) drawPlots();
  writeTexts();
});
theme.theme.listen(() => board.restyle());

listenKeys({
  " ": () => transport.toggle(),
  ".": () => transport.step(1),
  ">": () => transport.step(10),
  r: () => transport.reset(),
  h: () => transport.letGo(),
  c: () => resetCamera(),
  ...Object.fromEntries(VIEW_BUTTONS.map(([view, , key]) => [key, () => lookFrom(view)])),
  "?": help,
});
byId("transport").addEventListener("click", (event) => {
  if (event instanceof MouseEvent && event.detail > 0 && event.target instanceof Element && event.target.closest("button")) byId("stage").focus({ preventScroll: true });
});
splitter();
testHook(session, past, board, top.sentence);
session.connection.open();
void host.load();
