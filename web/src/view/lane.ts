// Everything that one lane shows of its own: the held part, its contacts, wrench, rubber band and path.
import { Group } from "three";
import type { Lane, PoseArray, Vec3, World } from "../protocol";
import { Band } from "./band";
import { ContactsView } from "./contacts";
import type { Layers } from "./contract";
import type { Look } from "./look";
import { heldPart, place, type Shape } from "./parts";
import { PathView } from "./path";
import { WrenchView } from "./wrench";

/** Lengths of arrows (m for 1 N): of contacts and of the total. */
export interface Metres {
  contact: number;
  total: number;
}

/** The drawn lane. */
export class LaneView {
  readonly group = new Group();
  /** Moves with the part: the shape, and a slice or shell that it carries. */
  readonly held = new Group();
  private readonly contacts: ContactsView;
  private readonly wrench: WrenchView;
  private readonly band: Band;
  private readonly path: PathView;

  constructor(look: Look) {
    this.contacts = new ContactsView(look);
    this.wrench = new WrenchView(look);
    this.band = new Band(look);
    this.path = new PathView(look);
    this.group.add(this.held, this.contacts.group, this.wrench.group, this.band.group, this.path.group);
  }

  /** The held part has its shape. */
  setShape(shape: Shape, look: Look): void {
    this.held.add(heldPart(shape, look));
  }

  /** Follows a frame: adds to the path. Every frame comes once. */
  follow(lane: Lane, time: number, world: World): void {
    if (lane.centre.every(Number.isFinite)) this.path.add(lane.centre, time, lane.row.verdict, world.radius);
  }

  /** Takes what is to be drawn now. */
  update(lane: Lane, hand: PoseArray, grabbed: Vec3, layers: Layers, world: World, metres: Metres, eye: Vec3): void {
    place(this.held, lane.part);
    this.contacts.update(lane.contacts, layers, world.radius, metres.contact, eye);
    this.path.show(layers.path);
    const wrench = layers.totalWrench && lane.wrench.every(Number.isFinite) && lane.centre.every(Number.isFinite);
    this.wrench.group.visible = wrench;
    if (wrench) this.wrench.update(lane.centre, lane.wrench, world.radius, metres.total, world.coupling.max_torque);
    const share = Math.hypot(lane.wrench[0], lane.wrench[1], lane.wrench[2]) / world.coupling.max_force;
    this.band.update(hand, lane.part, grabbed, share, world.radius);
    this.band.group.visible &&= layers.hand;
  }

  /** Forgets the path. */
  clearPath(): void {
    this.path.clear();
  }

  /** Frees GPU memory of all but the shared shape. */
  dispose(): void {
    for (const view of [this.contacts, this.wrench, this.band, this.path]) view.dispose();
  }
}
