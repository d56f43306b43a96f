// Everything that one lane shows of its own: the held part and its shadow, its contacts, wrench, weakest motion, rubber band and path.
import { Group } from "three";
import { directionToLocal, toLocal } from "../input/pose";
import { heldBody } from "../model/held";
import type { Lane, PoseArray, Vec3, World } from "../protocol";
import { areaForces, AreasView, type AreaForce } from "./areas";
import { Band } from "./band";
import { BodiesView } from "./bodies";
import { CAPACITY, ContactsView } from "./contacts";
import type { Layers } from "./contract";
import type { Look } from "./look";
import { heldPart, place, type Shape } from "./parts";
import { Patches, type Patch } from "./patches";
import { PathView } from "./path";
import { ShadowView, type Ground } from "./shadow";
import { reachOf, WeakestView } from "./weakest";
import { WrenchView } from "./wrench";

/** Lengths of arrows (m for 1 N): of contacts and of the total. */
export interface Metres {
  contact: number;
  total: number;
}

/** Patches that are more curved than this have no shadow of their own. */
const FLAT = 0.98;

/** The drawn lane. */
export class LaneView {
  readonly group = new Group();
  /** Moves with the part: the shape, and a slice or shell that it carries. */
  readonly held = new Group();
  private readonly contacts: ContactsView;
  private readonly wrench: WrenchView;
  private readonly band: Band;
  private readonly path: PathView;
  private readonly weakest: WeakestView;
  private readonly shadow: ShadowView;
  private readonly areas: AreasView;
  private readonly finder = new Patches();
  /** The bodies of a world of many, once their shapes are there. */
  private bodies: BodiesView | null = null;
  /** Forces over contact areas that were last summed up. */
  forces: AreaForce[] = [];
  /** Patches of the contacts that were last summed up. */
  patches: Patch[] = [];

  constructor(private readonly look: Look) {
    this.areas = new AreasView(look);
    this.contacts = new ContactsView(look);
    this.wrench = new WrenchView(look);
    this.band = new Band(look);
    this.path = new PathView(look);
    this.weakest = new WeakestView(look);
    this.shadow = new ShadowView(look);
    this.group.add(this.held, this.shadow.group, this.areas.group, this.contacts.group, this.wrench.group, this.weakest.group, this.band.group, this.path.group);
  }

  /** The held part has its shape. */
  setShape(shape: Shape, look: Look): void {
    this.held.add(heldPart(shape, look));
  }

  /** The bodies of a world of many have their shapes. */
  setBodies(world: World, shapes: ReadonlyMap<number, Shape>): void {
    this.bodies?.dispose();
    this.bodies = new BodiesView(this.look, world.bodies, shapes);
    this.group.add(this.bodies.group);
  }

  /** Follows a frame: adds to the path. Every frame comes once. */
  follow(lane: Lane, time: number, world: World): void {
    if (lane.centre.every(Number.isFinite)) this.path.add(lane.centre, time, lane.word, world.radius);
  }

  /** Sums up the forces of a lane's contacts. */
  sumUp(lane: Lane, world: World): void {
    this.patches = this.finder.of(lane.contacts, Math.min(lane.contacts.count, CAPACITY), world.radius);
    this.forces = areaForces(lane.areas, world.bodies, heldBody(lane));
  }

  /** Lays the part's shadow on what is below it and on what it touches. */
  lay(pose: PoseArray, world: World, below: (from: Vec3, way: Vec3) => Ground | null, centre: Vec3): void {
    const ground = below(centre, [0, 0, -1]);
    const touched = this.patches.filter((p) => p.count > 2 && p.flatness > FLAT).map((p): Ground => ({ point: p.centre, normal: p.normal, reach: p.reach }));
    const grounds = ground ? [ground, ...touched.filter((t) => t.normal[0] * ground.normal[0] + t.normal[1] * ground.normal[1] + t.normal[2] * ground.normal[2] < 0.9)] : touched;
    this.shadow.update(world.held_box, pose, grounds, world.radius);
  }

  /** Puts the bodies of a world of many where they are. */
  arrange(lane: Lane, ground: (from: Vec3) => Ground | null): void {
    this.bodies?.update(lane.bodies, heldBody(lane), ground);
  }

  /** Takes what is to be drawn now; `single`: each contact with its own forces. */
  update(lane: Lane, hand: PoseArray, grabbed: Vec3, layers: Layers, world: World, metres: Metres, single: boolean, eye: Vec3): void {
    place(this.held, lane.part);
    this.contacts.update(lane.contacts, single ? null : this.patches, layers, world.radius, metres.contact, eye);
    this.areas.update(lane.areas, this.forces, layers, world.radius, metres.total);
    this.weakest.group.visible = false;
    if (layers.givesWay && lane.centre.every(Number.isFinite)) {
      const local = toLocal(lane.part, lane.centre);
      this.weakest.update(lane.centre, lane.weakest, world.radius, (way) => reachOf(world.held_box, local, directionToLocal(lane.part, way)));
    }
    this.path.show(layers.path);
    const wrench = layers.totalWrench && lane.wrench.every(Number.isFinite) && lane.centre.every(Number.isFinite);
    this.wrench.group.visible = wrench;
    if (wrench) this.wrench.update(lane.centre, lane.wrench, world.radius, metres.total, world.coupling.max_torque);
    const share = Math.hypot(lane.wrench[0], lane.wrench[1], lane.wrench[2]) / world.coupling.max_force;
    this.band.update(hand, lane.part, grabbed, share, world.radius);
    this.band.group.visible &&= layers.hand && (world.bodies.length === 0 || heldBody(lane) !== null);
  }

  /** Forgets the path. */
  clearPath(): void {
    this.path.clear();
  }

  /** Frees GPU memory of all but the shared shape. */
  dispose(): void {
    this.bodies?.dispose();
    for (const view of [this.areas, this.contacts, this.wrench, this.weakest, this.shadow, this.band, this.path]) view.dispose();
  }
}
