// All that is drawn of one world. A new world makes a new one of these; the old one is disposed of.
import { Group, Plane, Vector3, type Object3D } from "three";
import type { Ray } from "../input/drag";
import { add, directionToLocal, isPose, length, orientationOf, rotate, scale, sub, toLocal, toWorld } from "../input/pose";
import type { Grip } from "../input/seam";
import { heldBody } from "../model/held";
import { decodeMesh, decodeShell, decodeSlice, type DisplayMesh, type Frame, type PoseArray, type Vec3, type World } from "../protocol";
import { largestAreaForce } from "./areas";
import { firstBody, groundOf } from "./bodies";
import { largestForce, largestSum } from "./contacts";
import type { Layers, SliceFacts } from "./contract";
import { floorGrid } from "./floor";
import { LaneView, type Metres } from "./lane";
import { Latest } from "./latest";
import type { Look } from "./look";
import { boxMesh } from "./mesh";
import { corners, fitted, fittedTo, middle, type Orbit } from "./orbit";
import { fixedPart, handLines, place, Shape } from "./parts";
import { hit, hitPart, passes } from "./pick";
import { AutoScale } from "./scale";
import { groundBelow } from "./shadow";
import { ShellView } from "./shell";
import { planeOf, SliceView } from "./slice";

/** How a world gets its shapes, and where it tells of trouble with them and of changes to draw. */
export interface Supply {
  fetchShape(path: string): Promise<ArrayBuffer>;
  problem(message: string): void;
  changed(): void;
  /** Another slice is shown, or none. */
  sliced(facts: SliceFacts | null): void;
  pixelRatio: number;
}

/** Nearer than this, in radii of the part, contacts have their own arrows; farther than that, their sums. */
const NEAR = 3.6;
const FAR = 4;

type SliceLayer = NonNullable<Layers["slice"]>;

/** The drawn world. */
export class WorldView {
  readonly group = new Group();
  /** Point of the held part at which the rubber band is spanned, in its axes; null: at its centre. */
  grabbed: Vec3 | null = null;
  private readonly fixed = new Group();
  private readonly hand = new Group();
  private readonly lanes: LaneView[] = [];
  private readonly grid;
  private readonly scales: { contact: AutoScale; total: AutoScale };
  /** Lengths of arrows as they were last drawn (m for 1 N), and whether contacts have their own. */
  metres: Metres = { contact: 0, total: 0 };
  single = false;
  private apart = false;
  private readonly shapes: Shape[] = [];
  /** Shapes of a world of many bodies, by their numbers. */
  private readonly meshes = new Map<number, Shape>();
  /** Lines of the held body at the hand, by the number of its shape. */
  private readonly outlines = new Map<number, Object3D>();
  /** The body that the hand holds, in a world of many. */
  private inHand: number | null = null;
  private bodies: PoseArray[][] = [];
  private held: Shape | null = null;
  private shell: ShellView | "asked" | null = null;
  private slice: { view: SliceView; part: "held" | "fixed"; axis: "x" | "y" | "z" } | null = null;
  private readonly cut = new Plane();
  private readonly slices: Latest<SliceLayer>;
  private wanted: SliceLayer | null = null;
  private poses: PoseArray[] = [];
  private fixedPose: PoseArray;
  private gone = false;
  private loading: Promise<void> | null = null;

  constructor(
    public world: World,
    private readonly look: Look,
    private readonly supply: Supply,
  ) {
    this.grid = floorGrid(world, look);
    this.fixedPose = world.world_from_fixed;
    place(this.fixed, this.fixedPose);
    this.group.add(this.fixed, this.hand, this.grid);
    this.retell(world);
    this.group.visible = false;
    this.scales = { contact: new AutoScale(0.8 * world.radius), total: new AutoScale(0.8 * world.radius) };
    this.slices = new Latest((key, current) => this.fetchSlice(key, current), (why) => this.problem("slice", why));
  }

  /** The same world with other settings: lanes come and go, and those that stay keep their paths. */
  retell(world: World): void {
    this.world = world;
    while (this.lanes.length > world.lanes.length) this.dropLane();
    while (this.lanes.length < world.lanes.length) this.addLane();
  }

  private addLane(): void {
    const lane = new LaneView(this.look);
    this.lanes.push(lane);
    this.group.add(lane.group);
    if (this.held) lane.setShape(this.held, this.look);
    if (this.meshes.size > 0) lane.setBodies(this.world, this.meshes);
    if (this.shell instanceof ShellView && this.world.shell_on === "held") lane.held.add(this.shell.object());
    if (this.slice?.part === "held") lane.held.add(this.slice.view.object());
  }

  private dropLane(): void {
    const lane = this.lanes.pop();
    lane?.group.removeFromParent();
    lane?.dispose();
  }

  /** Whether the edges of a box stand in for a shape that could not be had. */
  get poor(): boolean {
    return this.shapes.some((s) => s.standIn);
  }

  /** Whether it is a world of many bodies, and not of a held and a fixed part. */
  get many(): boolean {
    return this.world.bodies.length > 0;
  }

  /** Fetches all shapes, once; the edges of its box stand in for one that cannot be had. */
  load(): Promise<void> {
    return (this.loading ??= this.many ? this.fetchBodies() : this.fetchBoth());
  }

  private async fetchBodies(): Promise<void> {
    const firsts = new Map(this.world.bodies.map((body) => [body.mesh, body] as const).reverse());
    const fetched = await Promise.all([...firsts].map(async ([mesh, { name, box }]) => [mesh, await this.fetchMesh(`body/${mesh}`, `shape of ${name}`, box)] as const));
    if (this.gone) return;
    for (const [mesh, shape] of fetched) {
      this.meshes.set(mesh, shape);
      this.shapes.push(shape);
    }
    for (const lane of this.lanes) lane.setBodies(this.world, this.meshes);
    this.supply.changed();
  }

  private async fetchBoth(): Promise<void> {
    const [held, fixed] = await Promise.all([this.fetchMesh("held", "shape of the held part", this.world.held_box), this.fetchMesh("fixed", "shape of the fixed part", this.world.fixed_box)]);
    if (this.gone) return;
    this.shapes.push(held, fixed);
    this.held = held;
    this.fixed.add(fixedPart(fixed, this.look));
    this.hand.add(handLines(held, this.look));
    for (const lane of this.lanes) lane.setShape(held, this.look);
    this.supply.changed();
  }

  private async fetchMesh(path: string, what: string, box: [Vec3, Vec3]): Promise<Shape> {
    let mesh = null;
    try {
      mesh = decodeMesh(await this.supply.fetchShape(`mesh/${this.world.generation}/${path}`));
      if (!mesh) throw new Error("it cannot be read");
    } catch (why) {
      this.problem(what, why);
    }
    return mesh ? new Shape(mesh) : new Shape(boxMesh(box), true);
  }

  private problem(what: string, why: unknown): void {
    if (!this.gone) this.supply.problem(`The ${what} could not be loaded: ${why instanceof Error ? why.message : String(why)}`);
  }

  /** Takes the layers that need more than the next drawing: shell and slice. */
  show(layers: Layers): void {
    if (this.many) return;
    if (layers.shellLevel !== null && this.shell === null) void this.fetchShell(layers);
    if (this.shell instanceof ShellView) this.shell.show(layers.shellLevel);
    if (JSON.stringify(layers.slice) === JSON.stringify(this.wanted)) return;
    this.wanted = layers.slice && { ...layers.slice };
    if (this.wanted) this.slices.ask(this.wanted);
    else {
      this.slices.cancel();
      this.setSlice(null);
    }
  }

  private async fetchShell(layers: Layers): Promise<void> {
    this.shell = "asked";
    try {
      const shell = decodeShell(await this.supply.fetchShape(`shell/${this.world.generation}`));
      if (!shell) throw new Error("it cannot be read");
      if (this.gone) return;
      this.shell = new ShellView(shell, this.supply.pixelRatio);
      for (const to of this.carriers(this.world.shell_on)) to.add(this.shell.object());
      this.shell.show(layers.shellLevel);
      this.supply.changed();
    } catch (why) {
      this.shell = null;
      this.problem("point shell", why);
    }
  }

  private async fetchSlice({ part, axis, at }: SliceLayer, current: () => boolean): Promise<void> {
    const share = Math.max(0, Math.min(1, at)).toFixed(4);
    const slice = decodeSlice(await this.supply.fetchShape(`slice/${this.world.generation}/${part}?axis=${axis}&at=${share}`));
    if (!current() || this.gone) return;
    if (!slice || slice.columns < 2 || slice.rows < 2) throw new Error("it cannot be read");
    const view = new SliceView(slice, this.look.palette);
    for (const to of this.carriers(part)) to.add(view.object());
    this.setSlice({ view, part, axis });
  }

  private setSlice(slice: WorldView["slice"]): void {
    this.slice?.view.dispose();
    this.slice = slice;
    for (const part of ["held", "fixed"] as const) this.look.cut(part, slice?.part === part ? this.cut : null);
    this.tellSlice();
    this.supply.changed();
  }

  private tellSlice(): void {
    const { slice } = this;
    this.supply.sliced(slice && { part: slice.part, axis: slice.axis, ...slice.view.facts(slice.axis) });
  }

  /** What moves with a part, in every lane. */
  private carriers(part: "held" | "fixed"): Object3D[] {
    return part === "fixed" ? [this.fixed] : this.lanes.map((l) => l.held);
  }

  /** A new frame has come: paths grow. */
  follow(frame: Frame): void {
    const lane = frame.lanes[0];
    this.inHand = lane ? heldBody(lane) : null;
    frame.lanes.forEach((lane, i) => this.lanes[i]?.follow(lane, frame.time, this.world));
  }

  /** Takes what is to be drawn of a frame with the hand at a pose, dt after the last time, seen from a place. */
  update(frame: Frame, hand: PoseArray, layers: Layers, dt: number, eye: Vec3): void {
    this.group.visible = true;
    frame.lanes.forEach((lane, i) => this.lanes[i]?.sumUp(lane, this.world));
    this.single = !this.many && (layers.cones || this.isNear(eye, frame));
    this.metres = this.lengths(frame, layers, dt);
    if (this.many) return this.updateMany(frame, hand, layers, eye);
    place(this.hand, hand);
    this.hand.visible = layers.hand && this.isApart(hand, frame.lanes.map((l) => l.part), this.world.held_box[1]);
    this.poses = frame.lanes.map((l) => l.part);
    this.fixedPose = frame.lanes[0]?.bodies[1] ?? this.world.world_from_fixed;
    place(this.fixed, this.fixedPose);
    const grabbed = this.grabbed ?? middle(this.world.held_box);
    const ground = this.shapes[1]?.standIn === false ? this.shapes[1].mesh : null;
    const below = (from: Vec3, way: Vec3) => ground && groundBelow(ground, this.fixedPose, from, way);
    frame.lanes.forEach((lane, i) => {
      this.lanes[i]?.update(lane, hand, grabbed, layers, this.world, this.metres, this.single, eye);
      this.lanes[i]?.lay(lane.part, this.world, below, toWorld(lane.part, middle(this.world.held_box)));
    });
  }

  private updateMany(frame: Frame, hand: PoseArray, layers: Layers, eye: Vec3): void {
    this.bodies = frame.lanes.map((l) => l.bodies);
    this.outline(frame, hand, layers);
    const ground = groundOf(this.world.bodies, this.bodies[0] ?? [], this.meshes);
    frame.lanes.forEach((lane, i) => {
      const held = heldBody(lane);
      const box = held === null ? undefined : this.world.bodies[held]?.box;
      this.lanes[i]?.update(lane, hand, this.grabbed ?? (box ? middle(box) : [0, 0, 0]), layers, this.world, this.metres, false, eye);
      this.lanes[i]?.arrange(lane, ground);
    });
  }

  /** The held body's lines where the hand wants it, if that is not where it is. */
  private outline(frame: Frame, hand: PoseArray, layers: Layers): void {
    const held = this.inHand;
    const facts = held === null ? undefined : this.world.bodies[held];
    const shape = facts && this.meshes.get(facts.mesh);
    for (const lines of this.outlines.values()) lines.visible = false;
    const parts = frame.lanes.flatMap((l) => (held !== null && l.bodies[held] ? [l.bodies[held]] : []));
    this.hand.visible = layers.hand && shape !== undefined && this.isApart(hand, parts, facts!.box[1]);
    if (!facts || !shape) return;
    place(this.hand, hand);
    let lines = this.outlines.get(facts.mesh);
    if (!lines) {
      this.outlines.set(facts.mesh, (lines = handLines(shape, this.look)));
      this.hand.add(lines);
    }
    lines.visible = true;
  }

  /** Whether the eye is so near that single contacts can be told apart; a little farther away to go back than to come. */
  private isNear(eye: Vec3, frame: Frame): boolean {
    const part = frame.lanes[0]?.part;
    return part !== undefined && length(sub(eye, toWorld(part, middle(this.world.held_box)))) < (this.single ? FAR : NEAR) * this.world.radius;
  }

  /** Whether the hand is so far from a part that there is anything to see of it beside the part. */
  private isApart(hand: PoseArray, parts: readonly PoseArray[], corner: Vec3): boolean {
    const gap = Math.max(...parts.map((part) => Math.max(length(sub(toWorld(hand, corner), toWorld(part, corner))), length(sub(toWorld(hand, [0, 0, 0]), toWorld(part, [0, 0, 0]))))));
    return (this.apart = gap > (this.apart ? 0.02 : 0.03) * this.world.radius);
  }

  /** Lengths of arrows: one scale for sums and the hand, so that they can be compared, and another for single contacts. */
  private lengths(frame: Frame, layers: Layers, dt: number): Metres {
    const total = Math.max(...frame.lanes.map((l) => Math.hypot(l.wrench[0], l.wrench[1], l.wrench[2])));
    const sums = Math.max(...this.lanes.map((l) => Math.max(largestSum(l.patches, layers), largestAreaForce(l.forces, layers))));
    const most = Number.isFinite(this.world.coupling.max_force) ? this.world.coupling.max_force : 0;
    // Bodies of many sizes and weights are drawn: their arrows are as long as the largest force lets them be.
    const hand = layers.metresPerNewton ?? this.scales.total.next(Math.max(total, sums, (this.many ? 1e-3 : 0.1) * most), dt);
    if (!this.single) return { contact: hand, total: hand };
    const force = Math.max(...frame.lanes.map((l) => largestForce(l.contacts, layers)));
    const count = Math.max(...frame.lanes.map((l) => l.contacts.count));
    this.scales.contact.wanted = this.world.radius * (count > 40 ? 0.45 : 0.8);
    return { contact: layers.metresPerNewton ?? this.scales.contact.next(Math.max(force, 0.002 * most), dt), total: hand };
  }

  /** Makes ready for drawing the picture of one lane from a place. */
  prepare(lane: number, eye: Vec3): void {
    this.lanes.forEach((l, i) => (l.group.visible = i === lane));
    if (!this.slice) return;
    const pose = this.slice.part === "fixed" ? this.fixedPose : this.poses[lane];
    if (!pose) return;
    const { normal, point } = planeOf(this.slice.view.slice);
    const through = new Vector3(...toWorld(pose, point));
    this.cut.setFromNormalAndCoplanarPoint(new Vector3(...rotate(orientationOf(pose), normal)), through);
    if (this.cut.distanceToPoint(new Vector3(...eye)) > 0) this.cut.negate();
  }

  /** Where a ray meets the part of a lane or the hand. */
  grip(ray: Ray, lane: number, poses: PoseArray[]): Grip | null {
    if (this.many) return this.gripOfBody(ray, lane);
    if (!this.held) return null;
    for (const pose of poses) {
      if (!isPose(pose) || !passes(ray, toWorld(pose, middle(this.world.held_box)), 1.3 * this.world.radius)) continue;
      const local = hitPart(this.held.mesh, pose, ray);
      if (local) return { lane, local, world: toWorld(pose, local) };
    }
    return null;
  }

  /** The body that a ray meets first, if a hand can take it. */
  private gripOfBody(ray: Ray, lane: number): Grip | null {
    const found = firstBody(ray, this.world.bodies, this.bodies[lane] ?? [], this.meshes);
    return found && this.world.bodies[found.body]?.grab ? { lane, ...found } : null;
  }

  /** A point of a body of the newest drawing in the world; null if there is no such body. */
  onBody(lane: number, body: number, local: Vec3): Vec3 | null {
    const pose = this.bodies[lane]?.[body];
    return pose && isPose(pose) ? toWorld(pose, local) : null;
  }

  /** The point of either part that a ray of sight meets first, in the world; null if it meets none. */
  pointAt(ray: Ray, part: PoseArray, lane = 0): Vec3 | null {
    if (this.many) return firstBody(ray, this.world.bodies, this.bodies[lane] ?? [], this.meshes)?.world ?? null;
    const along = (mesh: DisplayMesh | undefined, pose: PoseArray) =>
      mesh && isPose(pose) ? (hit(mesh, { origin: toLocal(pose, ray.origin), direction: directionToLocal(pose, ray.direction) }) ?? Infinity) : Infinity;
    const t = Math.min(along(this.held?.mesh, part), along(this.shapes[1]?.mesh, this.fixedPose));
    return t < Infinity ? add(ray.origin, scale(ray.direction, t)) : null;
  }

  /** The point of the first lane's part that is in front of its middle, seen from a place (in the part's axes). */
  front(frame: Frame, eye: Vec3): Vec3 {
    if (this.many) return this.frontOfBody(frame, eye);
    const centre = middle(this.world.held_box);
    const part = frame.lanes[0]?.part;
    if (!part || !this.held) return centre;
    return hitPart(this.held.mesh, part, { origin: eye, direction: sub(toWorld(part, centre), eye) }) ?? centre;
  }

  private frontOfBody(frame: Frame, eye: Vec3): Vec3 {
    const [lane, held] = [frame.lanes[0], this.inHand];
    const [facts, pose] = held === null ? [] : [this.world.bodies[held], lane?.bodies[held]];
    const shape = facts && this.meshes.get(facts.mesh);
    if (!facts || !pose || !shape) return [0, 0, 0];
    const centre = middle(facts.box);
    return hitPart(shape.mesh, pose, { origin: eye, direction: sub(toWorld(pose, centre), eye) }) ?? centre;
  }

  /** The view from which a user would want to begin. */
  firstView(): Orbit {
    if (this.world.room) return fittedTo(corners(this.world.room));
    const fixed = this.shapes[1]?.mesh;
    const pose = this.world.world_from_fixed;
    if (!fixed) return fitted(this.world);
    return fitted(this.world, (from, to) => {
      const origin = toLocal(pose, from);
      const t = hit(fixed, { origin, direction: sub(toLocal(pose, to), origin) });
      return t !== null && t < 0.999;
    });
  }

  /** Triangles of the held part, or of all bodies: what a grip costs. */
  get triangles(): number {
    if (this.many) return this.world.bodies.reduce((sum, body) => sum + (this.meshes.get(body.mesh)?.mesh.indices.length ?? 0) / 3, 0);
    return (this.held?.mesh.indices.length ?? 0) / 3;
  }

  /** How far from the held part there is something to see (m). */
  get reach(): number {
    const [low, high] = this.world.fixed_box;
    return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) + 10 * this.world.radius;
  }

  /** The theme has changed. */
  recolour(): void {
    this.slice?.view.setPalette(this.look.palette);
    this.tellSlice();
  }

  /** Forgets the paths. */
  clearPath(): void {
    for (const l of this.lanes) l.clearPath();
  }

  /** Frees GPU memory; what is still being fetched is dropped when it comes. */
  dispose(): void {
    this.gone = true;
    this.slices.cancel();
    this.slice?.view.dispose();
    for (const part of ["held", "fixed"] as const) this.look.cut(part, null);
    if (this.shell instanceof ShellView) this.shell.dispose();
    for (const x of [...this.lanes, ...this.shapes, this.grid.geometry]) x.dispose();
    this.group.removeFromParent();
  }
}
