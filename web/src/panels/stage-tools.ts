// Over the 3D view: buttons for the usual views, the colour bar of a slice, and a note while the hand stays where the user left it.
import { byId, el, setShown, setText } from "../dom";
import { digits, fixed } from "../model/format";
import type { Frame } from "../protocol";
import type { SliceFacts, Stage } from "../view/contract";
import type { ViewName } from "../view/orbit";

/** The views, with their names and keys. */
export const VIEW_BUTTONS: readonly (readonly [ViewName, label: string, key: string])[] = [
  ["front", "Front", "1"],
  ["side", "Side", "2"],
  ["top", "Top", "3"],
  ["iso", "Iso", "4"],
];

/** A hand that pulls with less than this (N) is not worth a note. */
const LEAST_PULL = 0.05;

/** What is over the stage. */
export interface StageTools {
  /** Shows a slice's colours and distances. */
  slice(facts: SliceFacts | null): void;
  /** Shows what a frame says of the hand. */
  write(frame: Frame): void;
}

/** Builds them. */
export function stageTools(actions: { stage(): Stage | null; holding(): boolean; look(view: ViewName): void; fit(): void; letGo(): void }): StageTools {
  const button = (id: string, label: string, title: string, run: () => void) => el("button", { type: "button", "data-testid": id, title, click: run }, label);
  const views = VIEW_BUTTONS.map(([view, label, key]) => button(`view-${view}`, label, `Look from the ${view === "iso" ? "diagonal" : view} (${key})`, () => actions.look(view)));
  const fit = button("view-fit", "Fit", "The view that the scene begins with (C)", actions.fit);
  const turn = button("touch-turn", "Turn part", "Dragging the part turns it: for fingers, which have no Shift key", () => {
    const on = turn.getAttribute("aria-pressed") !== "true";
    turn.setAttribute("aria-pressed", String(on));
    actions.stage()?.setTurning(on);
  });
  turn.classList.add("touch-only");
  turn.setAttribute("aria-pressed", "false");
  const pulls = el("span", { "data-testid": "parked-text", title: "The hand stays where you left it, and pulls on" });
  const parked = el("div", { class: "parked", "data-testid": "parked", role: "status", hidden: true }, pulls, button("parked-let-go", "Let go", "The hand goes to where the part is (H)", actions.letGo));
  const [bar, ticks, caption] = [el("div", { class: "slice-colours" }), el("div", { class: "slice-ticks" }), el("p")];
  const slice = el("div", { class: "slice-bar", "data-testid": "slice-bar", hidden: true }, caption, bar, ticks);
  byId("stage-area").append(el("div", { class: "stage-middle" }, slice, parked), el("div", { class: "stage-tools" }, el("div", { class: "cluster views", role: "group", "aria-label": "Views" }, turn, ...views, fit)));

  return {
    slice(facts) {
      setShown(slice, facts !== null);
      if (!facts) return;
      const { deepest, farthest, spacing, axis, part, position } = facts;
      bar.style.background = gradient(facts);
      ticks.replaceChildren(...[-deepest, 0, farthest].map((x) => el("span", { style: `left: ${(100 * (x + deepest)) / (deepest + farthest)}%` }, x === 0 ? "0" : fixed(1000 * x, 1))));
      setText(caption, `Distance to the ${part} part (mm) at ${axis} = ${fixed(1000 * position, 2)} mm; a line every ${digits(1000 * spacing, 2)} mm`);
    },
    write(frame) {
      const [fx = 0, fy = 0, fz = 0] = frame.lanes[0]?.wrench ?? [];
      const force = Math.hypot(fx, fy, fz);
      const shown = actions.holding() && frame.source === "page" && force > LEAST_PULL && !(actions.stage()?.busy() ?? false);
      setShown(parked, shown);
      if (shown) setText(pulls, `Hand parked: pulls with ${digits(force, 2)} N`);
    },
  };
}

/** The colours of a slice from the deepest inside to the farthest outside, as the shader mixes them. */
export function gradient({ deepest, farthest, colours }: SliceFacts): string {
  const whole = deepest + farthest;
  const mixed = (x: number) => {
    const far = Math.sqrt(Math.min(1, Math.abs(x) / (x < 0 ? deepest : farthest)));
    const share = (x < 0 ? 0.35 : 0.14) + 0.5 * far;
    return `color-mix(in srgb-linear, ${x < 0 ? colours.inside : colours.outside} ${(100 * share).toFixed(1)}%, ${colours.paper})`;
  };
  const stops = Array.from({ length: 25 }, (_, i) => -deepest + (i / 24) * whole);
  const edge = (100 * deepest) / whole;
  const line = `${colours.surface} ${(edge - 0.5).toFixed(2)}%, ${colours.surface} ${(edge + 0.5).toFixed(2)}%`;
  const of = (some: number[]) => some.map((x) => `${mixed(x)} ${((100 * (x + deepest)) / whole).toFixed(2)}%`);
  return `linear-gradient(to right, ${[...of(stops.filter((x) => x < -1e-12)), line, ...of(stops.filter((x) => x > 1e-12))].join(", ")})`;
}
