// Who holds the part, from this page's point of view.
import type { Roles } from "../protocol";
import { plural } from "./format";

/** What the role card shows and offers. */
export interface RoleView {
  holding: boolean;
  /** In a sentence. */
  line: string;
  /** What happened to the part, or is about to; "" for nothing. */
  note: string;
  /** What the ask button says; null: no such button. */
  ask: string | null;
  /** This page has asked and waits. */
  waiting: boolean;
  /** Pages that ask this one. */
  requests: number[];
  /** Whether there is anyone to let hold it. */
  canDrop: boolean;
}

/** What moves the part: the page that holds it, the scene's own motion, or a recording. */
export type Mover = "page" | "script" | "recording";

/** The view of `page`, `since` seconds after it was told of the roles; `device` is what holds the part instead of a page, `mover` what moves it meanwhile; in a world of `many` bodies pages hold no part but a hand. */
export function roleView(roles: Roles | null, page: number | null, device: string | null = null, since = 0, mover: Mover = "page", many = false): RoleView {
  const view = ofPart(roles, page, device, since, many && mover === "page" ? "hand" : mover);
  const said = (text: string) => (many ? text.replaceAll("the part", "the hand").replaceAll("drag it to take over", "press on a body to take it") : text);
  return { ...view, line: said(view.line), note: said(view.note), ask: view.ask && said(view.ask) };
}

function ofPart(roles: Roles | null, page: number | null, device: string | null, since: number, mover: Mover | "hand"): RoleView {
  const none: RoleView = { holding: false, line: "", note: "", ask: null, waiting: false, requests: [], canDrop: false };
  if (!roles || page === null) return none;
  const others = roles.pages.filter((p) => p !== page).length;
  const watching = others > 0 ? `; ${plural(others, "other page")} ${others === 1 ? "watches" : "watch"}` : "";
  const left = roles.takes_over_in === null ? null : `in ${Math.max(0, Math.ceil(roles.takes_over_in - since))} s`;
  const taken = roles.taken_over;
  const idle = taken ? `nothing for ${Math.round(taken.idle)} s` : "";
  if (roles.holder === page) {
    const requests = roles.asking.filter((p) => p !== page);
    const leaves = left !== null && requests.length > 0 ? `If you do nothing, page ${requests[0]} takes the part ${left}.` : "";
    const came = taken?.by === page ? `You took it over from page ${taken.from}, which had done ${idle}.` : "";
    const held = { page: "You hold the part", hand: "You have the hand: press on a body to take it, drag it, let it go", script: "The scene's script moves the part: drag it to take over", recording: "A recording plays: “Back to live” lets you hold the part" }[mover];
    const line = `${device === null ? held : `The device holds the part (${device}); you control the scene`} (page ${page})${watching}`;
    return { ...none, holding: true, line, note: leaves || came, requests, canDrop: others > 0 };
  }
  if (roles.holder === null) return { ...none, line: "Nobody holds the part", ask: "Take the part" };
  const waiting = roles.asking.includes(page);
  const line = `Page ${roles.holder} ${device === null ? "holds the part" : `controls the scene, the device holds the part (${device})`}; you watch as page ${page}`;
  const lost = taken?.from === page ? `Page ${taken.by} took the part over, because this page had done ${idle}.` : "";
  const comes = waiting && left !== null && roles.asking[0] === page ? `If page ${roles.holder} does nothing, you get it ${left}.` : "";
  return { ...none, line, note: comes || lost, ask: waiting ? "Asked, waiting…" : "Ask for the part", waiting };
}
