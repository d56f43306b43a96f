// The 3D view: a picture of a world, and input. It draws only when something has changed.
import { Controls } from "../input/controls";
import { isPose } from "../input/pose";
import type { Frame, PoseArray, Vec3, World } from "../protocol";
import { surroundings } from "./around";
import { DEFAULT_LAYERS, type Hovered, type Layers, type MakeStage, type Stage, type StageOptions } from "./contract";
import { Fences } from "./fence";
import { Look } from "./look";
import { eyeOf, parsed, printed, seenFrom, type Orbit, type ViewName } from "./orbit";
import { nearest } from "./pick";
import { Picture } from "./picture";
import { toWorld } from "../input/pose";
import { GhostCursor } from "./ghost";
import { LegendView } from "./legend";
import { makeRenderer } from "./renderer";
import { Sharpness } from "./sharpness";
import { sameShapes } from "./same";
import { pictureAt } from "./screen";
import { WorldView } from "./world-view";

/** How near to a contact the pointer must be to be over it (pixels). */
const HOVER = 12;

/** What tests of the page may ask. Places are pixels of the page. */
interface Hook {
  project(point: Vec3, lane?: number): [number, number];
  frame(): Frame | null;
  target(): PoseArray | null;
  /** From the last drawing's commands to its pixels (ms). */
  took(): number;
  camera(): string;
}

/** Where the CPU draws it also takes the page's own time: drawings begin no closer together than so many times what one takes, so that what comes in is heard. */
const REST = 2;

class View implements Stage {
  private readonly look: Look;
  private readonly picture: Picture;
  private readonly controls: Controls;
  private readonly fences: Fences;
  /** Drawings that may be under way at once: where the CPU makes the pixels, a queue would only make them late. */
  private readonly atOnce: number;
  /** Only where the CPU makes the pixels. */
  private readonly sharpness: Sharpness | null;
  private sharpen: ReturnType<typeof setTimeout> | undefined;
  private readonly resized: ResizeObserver;
  private readonly legend = new LegendView();
  private readonly ghost = new GhostCursor();
  /** Where the demonstration holds the part, in its axes, and the camera that it was chosen for. */
  private held: { orbit: Orbit; local: Vec3 } | null = null;
  private layers: Layers = { ...DEFAULT_LAYERS };
  private cameraGiven = false;
  private world: WorldView | null = null;
  private newest: Frame | null = null;
  private holding = false;
  private hovered: Hovered | null = null;
  /** A frame has not been drawn yet; something has changed; an animation frame has been asked for. */
  private fresh = false;
  private dirty = true;
  private request = 0;
  /** How long the pixels of the last drawing took (ms). */
  private took = NaN;
  private last = 0;
  private lastDraw = 0;
  private drawn = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly options: StageOptions,
  ) {
    const { renderer, software } = makeRenderer();
    this.look = new Look(options.theme, !software);
    this.fences = new Fences(renderer.getContext() as WebGL2RenderingContext);
    this.atOnce = software ? 1 : 2;
    this.sharpness = software ? new Sharpness() : null;
    host.dataset.drawnBy = software ? "cpu" : "gpu";
    this.picture = new Picture(host, renderer, this.look, () => this.change());
    const view = surroundings({
      picture: this.picture,
      world: () => this.world,
      frame: () => this.current(),
      holding: () => this.holding,
      hand: () => (this.layers.hand ? this.hand() : null),
      setOrbit: (orbit) => this.setOrbit(orbit),
      take: (body) => options.events.onGrab(body),
      wake: () => this.wake(),
    });
    this.controls = new Controls(host, this.picture.canvas, view, options.events);
    this.resized = new ResizeObserver(() => this.picture.resize() && this.change());
    this.resized.observe(host);
    this.legend.setPalette(this.look.palette);
    host.append(this.legend.element, this.ghost.element);
    this.hook();
    this.wake();
  }

  async setWorld(world: World, fetchShape: (path: string) => Promise<ArrayBuffer>): Promise<void> {
    const shown = this.world;
    if (shown && !shown.poor && sameShapes(shown.world, world)) {
      shown.retell(world);
      this.picture.lanes = Math.max(1, world.lanes.length);
      this.change();
      return shown.load();
    }
    const before = shown?.world.scene;
    this.controls.cancel();
    this.held = null;
    this.world?.dispose();
    delete this.host.dataset.problem;
    const view = new WorldView(world, this.look, {
      fetchShape,
      pixelRatio: this.picture.pixelRatio,
      changed: () => this.change(),
      problem: (message) => this.problem(message),
      sliced: (facts) => this.options.events.onSlice(facts),
    });
    this.options.events.onSlice(null);
    this.world = view;
    this.picture.scene.add(view.group);
    this.picture.lanes = Math.max(1, world.lanes.length);
    const newView = before !== world.scene && !this.cameraGiven;
    if (newView) this.picture.orbit = view.firstView();
    const { orbit } = this.picture;
    this.cameraGiven = false;
    view.show(this.layers);
    this.change();
    await view.load();
    if (newView && this.world === view && this.picture.orbit === orbit) this.setOrbit(view.firstView());
  }

  setFrame(frame: Frame): void {
    // In a world of many bodies a hand may hold none.
    if (!isPose(frame.hand) || !frame.lanes.every((l) => isPose(l.part) || l.row.holds === 0)) return;
    this.newest = frame;
    this.fresh = true;
    if (!this.current()) return;
    this.world?.follow(frame);
    this.controls.feel(frame, performance.now());
    this.dirty = true;
    // Where a drawing is under way, its end asks for the next.
    this.soon();
  }

  show(layers: Partial<Layers>): void {
    this.layers = { ...this.layers, ...layers };
    this.world?.show(this.layers);
    this.change();
  }

  setHolding(holding: boolean): void {
    if (this.holding && !holding) this.controls.cancel();
    this.holding = holding;
    this.wake();
  }

  resetCamera(): void {
    if (this.world) this.setOrbit(this.world.firstView());
  }

  lookFrom(view: ViewName): void {
    this.setOrbit(seenFrom(this.picture.orbit, view, this.world?.firstView() ?? null));
  }

  setTurning(turning: boolean): void {
    this.controls.pointer.turning = turning;
  }

  busy(): boolean {
    return this.controls.pointer.busy;
  }

  snapshot(): HTMLCanvasElement {
    const { world, picture } = this;
    // What is drawn now can be read only until the browser has shown it.
    picture.draw(world?.reach ?? 1, (lane, eye) => world?.prepare(lane, eye));
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [picture.canvas.width, picture.canvas.height];
    copy.getContext("2d")?.drawImage(picture.canvas, 0, 0);
    return copy;
  }

  redraw(): void {
    this.change();
  }

  stream(rate: number): MediaStream | null {
    const { canvas } = this.picture;
    return typeof canvas.captureStream === "function" ? canvas.captureStream(rate) : null;
  }

  camera(): string {
    return printed(this.picture.orbit);
  }

  setCamera(text: string): boolean {
    const orbit = parsed(text);
    if (!orbit) return false;
    this.cameraGiven = this.world === null;
    this.setOrbit(orbit);
    return true;
  }

  setTheme(theme: "light" | "dark"): void {
    this.look.setTheme(theme);
    this.picture.recolour();
    this.legend.setPalette(this.look.palette);
    this.world?.recolour();
    this.change();
  }

  clearPath(): void {
    this.world?.clearPath();
    this.change();
  }

  /** The newest frame, if it is one of the world that is shown. */
  private current(): Frame | null {
    return this.newest && this.newest.generation === this.world?.world.generation ? this.newest : null;
  }

  /** The hand as it is drawn: where the user wants it while the user acts. */
  private hand(): PoseArray | null {
    return this.controls.target.shown(performance.now()) ?? this.current()?.hand ?? null;
  }

  private setOrbit(orbit: Orbit): void {
    this.picture.orbit = orbit;
    this.sharpness?.move(performance.now());
    this.change();
  }

  private problem(message: string): void {
    this.host.dataset.problem = message;
    this.host.dispatchEvent(new CustomEvent("stage-problem", { detail: message }));
  }

  private change(): void {
    this.dirty = true;
    this.wake();
  }

  private wake(): void {
    if (this.request === 0) this.request = requestAnimationFrame((now) => this.animate(now));
  }

  /** Draws what is new: with the display's next frame, or at once where the CPU draws and is slower than the display anyway. */
  private soon(): void {
    const atOnce = this.sharpness !== null && this.dirty && !document.hidden && !this.picture.lost && this.mayDraw();
    if (atOnce) this.draw(performance.now());
    else this.wake();
  }

  private animate(now: number): void {
    this.request = 0;
    const dt = Math.min(0.2, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const { moved, again } = this.controls.tick(performance.now(), dt);
    this.dirty ||= moved;
    if (moved) this.sharpness?.move(performance.now());
    if (this.dirty && !this.picture.lost && this.mayDraw()) this.draw(now);
    this.controls.pointer.updateCursor();
    this.updateHover();
    if (again || (this.dirty && this.fences.underWay === 0)) this.wake();
  }

  private mayDraw(): boolean {
    const rested = this.sharpness === null || !(performance.now() - this.lastDraw < REST * this.took);
    return rested && this.fences.underWay < this.atOnce;
  }

  private draw(now: number): void {
    this.dirty = false;
    const dt = Math.min(0.2, Math.max(0, (now - this.lastDraw) / 1000));
    this.lastDraw = now;
    this.chooseSharpness();
    const frame = this.current();
    const hand = this.hand();
    const { world } = this;
    if (world && frame && hand) {
      this.picture.lanes = frame.lanes.length;
      world.update(frame, hand, this.layers, dt, eyeOf(this.picture.orbit));
    }
    this.picture.draw(world?.reach ?? 1, (lane, eye) => world?.prepare(lane, eye));
    this.annotate(world, frame, hand);
    this.host.dataset.framesDrawn = String(++this.drawn);
    this.host.dataset.areas = String(frame?.lanes[0]?.areas.count ?? 0);
    this.host.dataset.contacts = String(frame?.lanes[0]?.contacts.count ?? 0);
    const news = this.fresh ? frame : null;
    this.fresh = false;
    this.fences.mark((ms) => {
      this.took = ms;
      this.sharpness?.took(ms, performance.now());
      if (news) this.options.onDrawn(news);
      if (this.dirty) this.soon();
    });
  }

  /** Legend and pointer over the picture. */
  private annotate(world: WorldView | null, frame: Frame | null, hand: PoseArray | null): void {
    const holds = frame?.lanes[0]?.row.holds !== 0;
    const shown = frame?.source === "demonstration" && world !== null && hand !== null && holds;
    this.ghost.show(shown ? this.picture.project(toWorld(hand, this.holds(world, frame)), 0) : null);
    if (!world || !frame) return;
    const perMetre = this.picture.pixelsPerMetre(0);
    const { total, contact } = world.metres;
    const givesWay = frame.lanes.some((l) => l.weakest.some((x) => x !== 0));
    this.legend.update({ layers: this.layers, hand: total * perMetre, contact: contact * perMetre, single: world.single, givesWay, areas: world.many });
    this.host.dataset.forces = world.single ? "contacts" : "patches";
  }

  /** Where the demonstration's pointer holds the part: the point of it that is in front, for this camera. */
  private holds(world: WorldView, frame: Frame): Vec3 {
    const { orbit } = this.picture;
    if (this.held?.orbit !== orbit) this.held = { orbit, local: world.front(frame, eyeOf(orbit)) };
    return this.held.local;
  }

  /** Takes the number of pixels for this drawing, and sees to it that the last one is sharp. */
  private chooseSharpness(): void {
    if (!this.sharpness) return;
    const now = performance.now();
    const ratio = this.sharpness.ratio(now);
    this.picture.setPixelRatio(ratio);
    clearTimeout(this.sharpen);
    const wait = this.sharpness.wait(ratio, now);
    if (wait !== null) this.sharpen = setTimeout(() => this.change(), wait);
  }

  private updateHover(): void {
    const { over, busy } = this.controls.pointer;
    const frame = this.current();
    let next: Hovered | null = null;
    if (over && !busy && frame && this.layers.contacts) {
      const lane = pictureAt(this.picture.rects(), over.x);
      const [contacts, areas] = [frame.lanes[lane]?.contacts, frame.lanes[lane]?.areas];
      const at = (count: number, position: Float32Array) => nearest({ count, position }, over.x, over.y, HOVER, (p) => this.picture.project(p, lane));
      const [point, area] = [contacts ? at(contacts.count, contacts.position) : -1, areas ? at(areas.count, areas.centre) : -1];
      if (Math.max(point, area) >= 0) next = { lane, index: Math.max(point, area), area: area >= 0, x: over.pageX, y: over.pageY };
    }
    const [a, b] = [this.hovered, next];
    if (a === b || (a && b && a.lane === b.lane && a.index === b.index && a.area === b.area && a.x === b.x && a.y === b.y)) return;
    this.hovered = next;
    this.options.events.onHover(next);
  }

  private hook(): void {
    const hook: Hook = {
      project: (point, lane = 0) => {
        const box = this.picture.canvas.getBoundingClientRect();
        const [x, y] = this.picture.project(point, lane) ?? [NaN, NaN];
        return [x + box.left, y + box.top];
      },
      frame: () => this.current(),
      target: () => this.controls.target.last(),
      took: () => this.took,
      camera: () => this.camera(),
    };
    (window as any).stictionView = hook;
  }
}

/** Makes the 3D view. */
export const makeStage: MakeStage = (host, options) => new View(host, options);
