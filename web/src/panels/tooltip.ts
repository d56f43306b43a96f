// The card beside the pointer with a contact's numbers.
import { byId, el, setShown, setText } from "../dom";
import { digits, fixed, percent, si } from "../model/format";
import type { Contacts, Frame, Lane } from "../protocol";
import type { Hovered } from "../view/contract";

const STATES = ["separated", "stuck", "sliding"];

/** The rows of the card for a contact; null where there is none of that number. */
export function contactFacts(c: Contacts, i: number): [string, string][] | null {
  if (!(i >= 0 && i < c.count)) return null;
  const size = (a: Float32Array) => Math.hypot(a[3 * i] ?? 0, a[3 * i + 1] ?? 0, a[3 * i + 2] ?? 0);
  const [friction, limit, normal] = [size(c.friction), c.limit[i] ?? NaN, c.normalForce[i] ?? NaN];
  return [
    ["state", limit > 0 ? (STATES[c.state[i] ?? 0] ?? "?") : "touches"],
    ["normal force", `${digits(normal, 3)} N`],
    ["friction", `${digits(friction, 3)} N`],
    ["share of µFₙ", limit > 0 ? percent(friction / limit) : "–"],
    ["slip in this tick", si(size(c.slip), "m")],
    ["depth", `${fixed(1e6 * (c.depth[i] ?? NaN), 2)} µm`],
  ];
}

/** A contact's name: which elements touch, where the tick's row tells them (contact formations), else its number. A frame has 32 bits of a number, which has more in that engine; the row has all. */
export function contactTitle({ row, contacts }: Pick<Lane, "row" | "contacts">, i: number): string {
  const id = contacts.id[i] ?? -1;
  const of = (what: string) => (row as unknown as Record<string, unknown>)[`contact${i + 1}_${what}`];
  const [kind, held, fixed] = [of("kind"), of("held"), of("fixed")];
  const [a, b] = typeof kind === "string" ? kind.split("-") : [];
  if (b === undefined || typeof held !== "number" || typeof fixed !== "number" || (held % 256) * 2 ** 24 + fixed !== id) return `Contact ${id}`;
  return `${a} ${held} of the part on ${b} ${fixed}`;
}

/** Where a box of a size is put so that it does not cover another: above that one, or below it where there is no room. */
export function clearOf(y: number, [x, width, height]: [number, number, number], other: { left: number; right: number; top: number; bottom: number }): number {
  const apart = x + width <= other.left || x >= other.right || y + height <= other.top || y >= other.bottom;
  if (apart) return y;
  return other.top - height - 4 >= 0 ? other.top - height - 4 : other.bottom + 4;
}

/** Shows and moves the card. */
export class Tooltip {
  private readonly node = byId("tooltip");
  private readonly title = el("b");
  private readonly list = el("dl", { class: "facts" });
  private hovered: Hovered | null = null;
  private id = -1;

  constructor() {
    this.node.append(this.title, this.list);
  }

  /** The pointer is over a contact, or not any more. */
  hover(hovered: Hovered | null, frame: Frame | null): void {
    this.hovered = hovered;
    const contacts = hovered ? frame?.lanes[hovered.lane]?.contacts : undefined;
    this.id = hovered && contacts ? (contacts.id[hovered.index] ?? -1) : -1;
    this.write(frame);
  }

  /** Follows the contact (by its shell point) into a new frame. */
  write(frame: Frame | null): void {
    const hovered = this.hovered;
    const lane = hovered ? frame?.lanes[hovered.lane] : undefined;
    const index = lane?.contacts.id.indexOf(this.id) ?? -1;
    const rows = lane ? contactFacts(lane.contacts, index) : null;
    setShown(this.node, rows !== null);
    if (!rows || !hovered || !lane) return;
    const title = contactTitle(lane, index);
    setText(this.title, title[0]?.toUpperCase() + title.slice(1));
    rows.forEach(([name, value], i) => {
      const row = this.list.children[i] ?? this.list.appendChild(el("div", {}, el("dt"), el("dd")));
      setText(row.children[0] ?? row, name);
      setText(row.children[1] ?? row, value);
    });
    const [width, height] = [this.node.offsetWidth, this.node.offsetHeight];
    const x = hovered.x + 16 + width > innerWidth ? hovered.x - 16 - width : hovered.x + 16;
    const parked = document.querySelector(".parked")?.getBoundingClientRect();
    const below = Math.min(Math.max(4, hovered.y + 12), innerHeight - height - 4);
    const y = parked ? clearOf(below, [x, width, height], parked) : below;
    this.node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}
