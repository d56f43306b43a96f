// Time: pause, steps, slow motion, reset, who moves the hand, recording; in a recording a scrub bar.
import { byId, el, icon, setShown, setText } from "../dom";
import { digits, fixed, speed as speedWords } from "../model/format";
import type { Frame } from "../protocol";
import type { Session } from "../session";

const SPEEDS = [1, 0.25, 0.1, 0.01];
const WINDOWS = [5, 10, 30, 60];

/** What the keyboard and others do with time. */
export interface Transport {
  write(frame: Frame): void;
  toggle(): void;
  step(ticks: number): void;
  reset(): void;
  letGo(): void;
  seek(time: number): void;
  /** Shows how many seconds the plots have. */
  showSeconds(seconds: number): void;
}

/** Fills the bar between stage and plots. */
export function transportBar(session: Session, onWindow: (seconds: number) => void, onReset: () => void): Transport {
  let [lastGo, seekTo, wantsPause] = [-Infinity, NaN, null as boolean | null];
  let wantsSpeed: number | null = null;
  const frame = () => session.frame.value;
  const paused = () => wantsPause ?? frame()?.paused ?? false;
  const time = (pause: boolean, speed: number) => session.command({ type: "time", paused: pause, speed });
  const speedNow = () => wantsSpeed ?? frame()?.speed ?? 1;
  const setSpeed = (speed: number) => {
    if (!time(paused(), speed)) return;
    wantsSpeed = speed;
    setTimeout(() => (wantsSpeed = null), 500);
  };

  const self: Transport = {
    write,
    toggle() {
      const length = session.world.value?.playback?.seconds ?? Infinity;
      if (paused() && (frame()?.time ?? 0) >= length - 1e-6) session.command({ type: "seek", time: 0 });
      const next = !paused();
      if (!time(next, speedNow())) return;
      wantsPause = next;
      setTimeout(() => (wantsPause = null), 500);
      show();
    },
    step(ticks) {
      if (!paused()) time(true, speedNow());
      session.command({ type: "step", ticks });
    },
    reset() {
      if (session.command({ type: "reset" })) onReset();
    },
    letGo() {
      if (performance.now() - lastGo < 100) return;
      lastGo = performance.now();
      const many = (session.world.value?.bodies.length ?? 0) > 0;
      session.command(many ? { type: "grab", body: null } : { type: "let_go" });
    },
    seek(to) {
      if (Number.isNaN(seekTo)) {
        requestAnimationFrame(() => {
          session.command({ type: "seek", time: seekTo });
          seekTo = NaN;
        });
      }
      seekTo = to;
    },
    showSeconds(seconds) {
      const text = digits(seconds, 2);
      other.value = other.textContent = "";
      if (!WINDOWS.includes(seconds)) [other.value, other.textContent] = [String(seconds), `last ${text} s`];
      setShown(other, other.value !== "");
      span.value = String(seconds);
    },
  };

  const button = (id: string, label: string, title: string, run: () => void, ...content: (Node | string)[]) =>
    el("button", { type: "button", "data-testid": id, title, "aria-label": content.length > 0 ? label : title, click: run }, ...(content.length > 0 ? content : [label]));
  const play = button("play", "Pause", "Pause or play (Space)", () => self.toggle(), icon("pause"));
  const steps = [1, 10, 100].map((n) => button(`step-${n}`, `+${n}`, `Step ${n} ${n === 1 ? "tick (.)" : "ticks"}`, () => self.step(n)));
  const speeds = SPEEDS.map((s) => button(`speed-${Math.round(1 / s)}`, speedWords(s), s === 1 ? "Real time" : `Slow motion, ${speedWords(s)}`, () => setSpeed(s)));
  const reset = button("reset", "Reset", "Part and hand as the scene starts (R)", () => self.reset());
  const script = button("script", "Script moves", "Let the scene’s own script move the hand", () => session.command({ type: "script" }));
  const letGo = button("let-go", "Let go", "The hand goes to where the part is (H)", () => self.letGo());
  const record = button("record", "Record", "Record to a file", () => session.command({ type: "record", on: !(session.recordings.value?.recording ?? null) }), icon("record"), el("span", {}, "Record"));
  const live = button("live", "Back to live", "Leave the recording", () => session.command({ type: "live" }));
  const clock = el("output", { class: "clock", "data-testid": "clock" });
  const verdict = el("span", { class: "verdict", "data-testid": "replay-verdict" });
  const scrub = el("input", { type: "range", min: 0, max: 1, step: 0.001, value: 0, class: "scrub", "aria-label": "Time in the recording", "data-testid": "scrub" });
  const span = el("select", { "aria-label": "Seconds in the plots", "data-testid": "window" }, ...WINDOWS.map((w) => el("option", { value: w, selected: w === 10 }, `last ${w} s`)));
  const other = span.appendChild(el("option", { hidden: true }));
  span.addEventListener("change", () => onWindow(Number(span.value)));
  scrub.addEventListener("input", () => self.seek(Number(scrub.value)));

  const cluster = (label: string, ...nodes: Node[]) => el("div", { class: "cluster", role: "group", "aria-label": label }, ...nodes);
  const liveOnly = [cluster("Hand", reset, script, letGo), cluster("Record", record)];
  const replayOnly = [cluster("Recording", live), el("div", { class: "scrub-row" }, scrub, verdict)];
  const main = el("fieldset", { "data-holder": "world" }, el("legend", { class: "visually-hidden" }, "Time and hand"));
  main.append(cluster("Play", play, ...steps), cluster("Speed", ...speeds), ...liveOnly, ...replayOnly);
  byId("transport").append(main, el("div", { class: "transport-end" }, clock, span));

  function show(): void {
    const is = paused();
    play.replaceChildren(icon(is ? "play" : "pause"));
    play.setAttribute("aria-label", is ? "Play" : "Pause");
    play.setAttribute("aria-pressed", String(is));
    play.classList.toggle("attention", is);
  }

  let [wasPaused, wasSpeed, wasSource] = [null as boolean | null, NaN, ""];
  function write(f: Frame): void {
    if (paused() !== wasPaused) show();
    wasPaused = paused();
    if (f.speed !== wasSpeed) speeds.forEach((b, i) => b.setAttribute("aria-pressed", String(Math.abs((SPEEDS[i] ?? 0) - f.speed) < 1e-9)));
    wasSpeed = f.speed;
    if (f.source !== wasSource) script.setAttribute("aria-pressed", String(f.source === "script"));
    wasSource = f.source;
    const length = session.world.value?.playback?.seconds;
    setText(clock, length === undefined ? `${fixed(f.time, 3)} s` : `${fixed(f.time, 3)} / ${fixed(length, 3)} s`);
    if (length !== undefined && Number.isNaN(seekTo) && !scrub.matches(":active")) scrub.value = String(f.time);
  }

  session.world.listen((world) => {
    const replay = world?.playback ?? null;
    byId("transport").classList.toggle("replay", replay !== null);
    for (const node of liveOnly) setShown(node, replay === null);
    for (const node of replayOnly) setShown(node, replay !== null);
    for (const node of [script, letGo]) setShown(node, !world?.device);
    const words = (world?.bodies.length ?? 0) > 0 ? ["The hand lets go of the body that it holds (H)", "All bodies and hands as the scene starts (R)"] : ["The hand goes to where the part is (H)", "Part and hand as the scene starts (R)"];
    for (const [node, text] of [[letGo, words[0]!], [reset, words[1]!]] as const) {
      node.title = text;
      node.setAttribute("aria-label", text);
    }
    setShown(span, replay === null);
    setText(verdict, replay?.verdict ?? "");
    scrub.max = String(replay?.seconds ?? 1);
  });
  session.recordings.listen((r) => {
    const on = (r?.recording ?? null) !== null;
    record.setAttribute("aria-pressed", String(on));
    record.classList.toggle("recording", on);
    record.replaceChildren(icon(on ? "stop" : "record"), el("span", {}, on ? "Stop" : "Record"));
    record.setAttribute("aria-label", on ? "Stop recording" : "Record");
  });
  show();
  return self;
}
