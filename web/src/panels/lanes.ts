// Cards over the stage: what each lane is, what happens in it, and how far it has crept.
import { byId, el, setShown, setText } from "../dom";
import { creep } from "../model/format";
import type { Frame } from "../protocol";
import type { Session } from "../session";

/** Fills the cards; the result writes a frame's words into them. */
export function laneCards(session: Session): (frame: Frame) => void {
  const host = byId("lane-cards");
  const cards = [0, 1].map((i) => {
    const label = el("span", { class: "lane-label", "data-testid": `lane-${i}-label` });
    const badge = el("span", { class: "badge small" });
    const said = el("p", { class: "lane-sentence", "data-testid": `lane-${i}-sentence` });
    const crept = el("b", { "data-testid": `lane-${i}-creep` });
    const line = el("p", { class: "lane-creep", title: "How far the contact has moved along the surface while the hand rested" }, el("span", {}, "crept "), crept);
    const node = el("article", { class: "lane-card", "data-testid": `lane-${i}` }, el("header", {}, badge, label, line), said);
    host.append(node);
    return { node, label, badge, said, crept, line };
  });
  session.world.listen((world) => {
    host.classList.toggle("two", (world?.lanes.length ?? 0) > 1);
    cards.forEach((card, i) => {
      const facts = world?.lanes[i];
      setShown(card.node, facts !== undefined);
      setText(card.label, facts?.label ?? "");
    });
  });
  return (frame) => {
    cards.forEach((card, i) => {
      const lane = frame.lanes[i];
      if (!lane) return;
      setText(card.said, lane.sentence);
      const { verdict } = lane.row;
      setShown(card.badge, verdict !== undefined);
      setText(card.badge, verdict ?? "");
      card.badge.dataset.verdict = verdict ?? "";
      setText(card.crept, creep(lane.creep));
      card.line.classList.toggle("idle", verdict === "free");
    });
  };
}
