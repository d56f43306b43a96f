// Who holds the part, from this page's point of view.
import type { Roles } from "../protocol";
import { plural } from "./format";

/** What the role card shows and offers. */
export interface RoleView {
  holding: boolean;
  /** In a sentence. */
  line: string;
  /** What the ask button says; null: no such button. */
  ask: string | null;
  /** This page has asked and waits. */
  waiting: boolean;
  /** Pages that ask this one and have not been told to wait. */
  requests: number[];
  /** Whether there is anyone to let hold it. */
  canDrop: boolean;
}

/** The view of `page`; `kept` are requests it has declined, `device` is what holds the part instead of a page. */
export function roleView(roles: Roles | null, page: number | null, kept: ReadonlySet<number> = new Set(), device: string | null = null): RoleView {
  const none: RoleView = { holding: false, line: "", ask: null, waiting: false, requests: [], canDrop: false };
  if (!roles || page === null) return none;
  const others = roles.pages.filter((p) => p !== page).length;
  const watching = others > 0 ? `; ${plural(others, "other page")} ${others === 1 ? "watches" : "watch"}` : "";
  if (roles.holder === page) {
    const requests = roles.asking.filter((p) => p !== page && !kept.has(p));
    return { ...none, holding: true, line: `${device === null ? "You hold the part" : `The device holds the part (${device}); you control the scene`} (page ${page})${watching}`, requests, canDrop: others > 0 };
  }
  if (roles.holder === null) return { ...none, line: "Nobody holds the part", ask: "Take the part" };
  const waiting = roles.asking.includes(page);
  const line = `Page ${roles.holder} ${device === null ? "holds the part" : `controls the scene, the device holds the part (${device})`}; you watch as page ${page}`;
  return { ...none, line, ask: waiting ? "Asked, waiting…" : "Ask for the part", waiting };
}

/** Declined requests that still stand: one that was taken back may be made anew. */
export function stillKept(kept: ReadonlySet<number>, roles: Roles): Set<number> {
  return new Set([...kept].filter((p) => roles.asking.includes(p)));
}
