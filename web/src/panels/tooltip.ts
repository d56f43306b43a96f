// The card beside the pointer with a contact's numbers.
import { byId, el, setShown, setText } from "../dom";
import { digits, fixed, percent, si } from "../model/format";
import type { Contacts, Frame } from "../protocol";
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
    const contacts = hovered ? frame?.lanes[hovered.lane]?.contacts : undefined;
    const rows = contacts ? contactFacts(contacts, contacts.id.indexOf(this.id)) : null;
    setShown(this.node, rows !== null);
    if (!rows || !hovered) return;
    setText(this.title, `Contact ${this.id}`);
    rows.forEach(([name, value], i) => {
      const row = this.list.children[i] ?? this.list.appendChild(el("div", {}, el("dt"), el("dd")));
      setText(row.children[0] ?? row, name);
      setText(row.children[1] ?? row, value);
    });
    const [width, height] = [this.node.offsetWidth, this.node.offsetHeight];
    const x = hovered.x + 16 + width > innerWidth ? hovered.x - 16 - width : hovered.x + 16;
    const y = Math.min(Math.max(4, hovered.y + 12), innerHeight - height - 4);
    this.node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}
