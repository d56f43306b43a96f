// Cards over the stage: what each lane is, how much of its friction it uses, what happens in it, and how far it has crept.
import { byId, el, setShown, setText } from "../dom";
import { creep, fixed, si } from "../model/format";
import { frictionUse } from "../model/friction";
import { heldName } from "../model/held";
import type { Frame, PoseArray } from "../protocol";
import type { Session } from "../session";

/** How far a pose is from another, in words. */
export function displaced(from: PoseArray, to: PoseArray): string {
  const away = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  const cosine = Math.abs(from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6]);
  const turned = (360 / Math.PI) * Math.acos(Math.min(1, cosine));
  return `${fixed(1000 * away, 2)} mm, ${fixed(turned, 1)}°`;
}

/** A card with its gauge. */
function card(i: number) {
  const label = el("span", { class: "lane-label", "data-testid": `lane-${i}-label` });
  const badge = el("span", { class: "badge small" });
  const said = el("p", { class: "lane-sentence", "data-testid": `lane-${i}-sentence` });
  const touches = el("p", { class: "lane-touches", "data-testid": `lane-${i}-touches`, title: "Which face, edge or vertex of the part touches which of the fixed one" });
  const crept = el("b", { "data-testid": `lane-${i}-creep` });
  const line = el("p", { class: "lane-creep", title: "How far the contact has moved along the surface while the hand rested" }, el("span", {}, "crept "), crept);
  const value = el("b", { class: "gauge-value", "data-testid": `gauge-${i}-value` });
  const bar = el("i");
  const meter = el("div", { class: "gauge-bar", role: "meter", "aria-label": "Friction used of what is available", "aria-valuemin": 0, "aria-valuemax": 100 }, bar);
  const words = el("p", { class: "gauge-words", "data-testid": `gauge-${i}-words` });
  const title = "Friction used of what is available: the least µ that would hold the part, over µ static. 100 % while it slides.";
  const gauge = el("div", { class: "gauge", title, "data-testid": `gauge-${i}` }, el("p", { class: "gauge-name" }, el("span", {}, "Friction used"), value), meter, words);
  const force = el("b", { "data-testid": `hand-${i}-force` });
  const felt = el("p", { class: "hand-force", title: "The yellow arrow: what the hand feels. It pulls or presses as hard the other way." }, el("span", {}, "Force on the hand"), force);
  const moved = el("b", { "data-testid": `part-${i}-moved` });
  const away = el("p", { class: "hand-force part-moved", title: "How far the part's origin is from where it is at the scene's start, and how far the part has turned since" }, el("span", {}, "Part moved"), moved);
  const holds = el("b", { "data-testid": `holds-${i}` });
  const held = el("p", { class: "hand-force", title: "The body that the hand holds: press on another one to take that" }, el("span", {}, "In the hand"), holds);
  const energy = el("b", { "data-testid": `kinetic-${i}` });
  const moving = el("p", { class: "hand-force part-moved", title: "Kinetic energy of all bodies" }, el("span", {}, "Energy of motion"), energy);
  const node = el("article", { class: "lane-card", "data-testid": `lane-${i}` }, el("header", {}, badge, label, line), gauge, held, felt, away, moving, said, touches);
  return { node, holds, held, energy, moving, away, force, moved, label, badge, said, touches, crept, line, gauge, value, meter, bar, words };
}

/** Fills the cards; the result writes a frame's words into them. */
export function laneCards(session: Session): (frame: Frame) => void {
  const host = byId("lane-cards");
  const cards = [0, 1].map(card);
  host.append(...cards.map((c) => c.node));
  session.world.listen((world) => {
    host.classList.toggle("two", (world?.lanes.length ?? 0) > 1);
    cards.forEach((c, i) => {
      const facts = world?.lanes[i];
      setShown(c.node, facts !== undefined);
      setText(c.label, facts?.label ?? "");
      setShown(c.gauge, world?.margins ?? false);
      const many = (world?.bodies.length ?? 0) > 0;
      for (const node of [c.held, c.moving]) setShown(node, many);
      for (const node of [c.line, c.away]) setShown(node, !many);
    });
  });
  return (frame) => {
    cards.forEach((c, i) => {
      const [lane, facts] = [frame.lanes[i], session.world.value?.lanes[i]];
      if (!lane || !facts) return;
      setText(c.said, lane.sentence);
      setText(c.touches, lane.touches);
      setShown(c.touches, lane.touches !== "");
      setShown(c.badge, lane.word !== undefined);
      setText(c.badge, lane.word ?? "");
      c.badge.dataset.word = lane.word ?? "";
      setText(c.crept, creep(lane.creep));
      const force = Math.hypot(lane.wrench[0] ?? 0, lane.wrench[1] ?? 0, lane.wrench[2] ?? 0);
      setText(c.force, `${fixed(force, force < 9.995 ? 2 : 1)} N`);
      setText(c.moved, session.world.value ? displaced(session.world.value.start, lane.part) : "");
      const world = session.world.value;
      if (world && world.bodies.length > 0) {
        setText(c.holds, heldName(lane, world) ?? "nothing");
        setText(c.energy, si(lane.row.kinetic_j ?? NaN, "J"));
      }
      c.line.classList.toggle("idle", lane.word === "free");
      const { share, value, words } = frictionUse(lane, facts);
      setText(c.value, value);
      setText(c.words, words);
      c.gauge.dataset.word = lane.word ?? "";
      c.bar.style.transform = `scaleX(${(share ?? 0).toFixed(3)})`;
      if (share === null) c.meter.removeAttribute("aria-valuenow");
      else c.meter.setAttribute("aria-valuenow", String(Math.floor(100 * share)));
    });
  };
}
