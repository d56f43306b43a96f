// The card beside the pointer with a contact's numbers.
import { byId, el, setShown, setText } from "../dom";
import { digits, fixed, percent, si } from "../model/format";
import type { Areas, Contacts, Frame, Lane, World } from "../protocol";
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

/** The rows of the card for a contact area; null where there is none of that number. */
export function areaFacts(a: Areas, i: number): [string, string][] | null {
  if (!(i >= 0 && i < a.count)) return null;
  const friction = Math.hypot(a.friction[3 * i] ?? 0, a.friction[3 * i + 1] ?? 0, a.friction[3 * i + 2] ?? 0);
  return [
    ["state", STATES[a.state[i] ?? 0] ?? "?"],
    ["normal force", `${digits(a.normalForce[i] ?? NaN, 3)} N`],
    ["friction", `${digits(friction, 3)} N`],
    ["torque of friction", `${digits(a.torsion[i] ?? NaN, 3)} N m`],
    ["area", squareMetres(areaOf(a, i))],
    ["depth", si(a.depth[i] ?? NaN, "m")],
  ];
}

/** The area within an outline (m²): it is plane and convex. */
export function areaOf({ start, corners }: Pick<Areas, "start" | "corners">, i: number): number {
  const [from, to] = [start[i] ?? 0, start[i + 1] ?? 0];
  const sum = [0, 0, 0];
  const at = (corner: number, k: number) => corners[3 * corner + k]! - corners[3 * from + k]!;
  for (let c = from + 1; c + 1 < to; c++) for (let k = 0; k < 3; k++) sum[k]! += at(c, (k + 1) % 3) * at(c + 1, (k + 2) % 3) - at(c, (k + 2) % 3) * at(c + 1, (k + 1) % 3);
  return Math.hypot(...sum) / 2;
}

/** An area in a unit that fits. */
export function squareMetres(area: number): string {
  if (area >= 0.1) return `${digits(area, 3)} m²`;
  return area >= 1e-4 ? `${digits(1e4 * area, 3)} cm²` : `${digits(1e6 * area, 3)} mm²`;
}

/** A contact area's name: the bodies that touch there. */
export function areaTitle(a: Areas, i: number, { bodies }: Pick<World, "bodies">): string {
  const name = (k: number) => bodies[a.bodies[2 * i + k] ?? -1]?.name ?? `body ${a.bodies[2 * i + k]}`;
  return `${name(0)} on ${name(1)}`;
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

  constructor(private readonly world: () => World | null) {
    this.node.append(this.title, this.list);
  }

  /** The pointer is over a contact, or not any more. */
  hover(hovered: Hovered | null, frame: Frame | null): void {
    this.hovered = hovered;
    const lane = hovered ? frame?.lanes[hovered.lane] : undefined;
    const ids = hovered?.area ? lane?.areas.id : lane?.contacts.id;
    this.id = hovered && ids ? (ids[hovered.index] ?? -1) : -1;
    this.write(frame);
  }

  /** Follows the contact (by its number) into a new frame. */
  write(frame: Frame | null): void {
    const hovered = this.hovered;
    const lane = hovered ? frame?.lanes[hovered.lane] : undefined;
    const of = hovered?.area ? lane?.areas : lane?.contacts;
    const index = of?.id.indexOf(this.id) ?? -1;
    const rows = !lane ? null : hovered?.area ? areaFacts(lane.areas, index) : contactFacts(lane.contacts, index);
    setShown(this.node, rows !== null);
    const world = this.world();
    if (!rows || !hovered || !lane || !world) return;
    const title = hovered.area ? areaTitle(lane.areas, index, world) : contactTitle(lane, index);
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
