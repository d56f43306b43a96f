// Mouse, pen and fingers: on the part they move and turn the hand, elsewhere the camera.
import { dragged, rolled, wheelDepth, wheelPixels, type Drag } from "./drag";
import type { Frame } from "../protocol";
import { add, scale, translated, turned } from "./pose";
import type { Grip, Surroundings } from "./seam";
import type { Target } from "./target";

/** How near to the part a press counts as one on it (pixels). */
export const NEAR = 24;

/** A body that the press has asked for: its end lets go of it, unless a hand held it before, as a device of the scene does. */
interface Taken {
  body: number;
  lets: boolean;
}

type Mode =
  | { kind: "move"; drag: Drag; grip: Grip; begun: boolean; taken: Taken | null }
  | { kind: "turn"; taken: Taken | null }
  | { kind: "orbit" }
  | { kind: "pan" }
  | { kind: "pinch" };

interface Place {
  x: number;
  y: number;
}

/** Listens to pointers on an element that fills the host. */
export class Pointer {
  /** Where the pointer rests, in pixels of the host and of the page; null outside. */
  over: (Place & { pageX: number; pageY: number }) | null = null;
  private readonly down = new Map<number, Place>();
  private mode: Mode | null = null;
  /** Whether dragging the part turns it: for fingers, which have neither Shift nor a right button. */
  turning = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly view: Surroundings,
    private readonly target: Target,
  ) {
    element.addEventListener("pointerdown", (e) => this.press(e));
    element.addEventListener("pointermove", (e) => this.move(e));
    element.addEventListener("pointerup", (e) => this.lift(e));
    element.addEventListener("pointercancel", (e) => this.lift(e));
    element.addEventListener("pointerleave", () => this.rest(null));
    element.addEventListener("contextmenu", (e) => e.preventDefault());
    element.addEventListener("dblclick", (e) => this.view.focus(this.place(e).x, this.place(e).y));
    element.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
  }

  /** Whether the user holds a button or a finger down. */
  get busy(): boolean {
    return this.mode !== null;
  }

  /** Ends what is going on: another world, or the part is no longer this page's. Nothing is let go of: what was held may be gone, or another page's. */
  cancel(): void {
    if (this.mode?.kind === "move" || this.mode?.kind === "turn") this.mode.taken = null;
    this.setMode(null);
    this.down.clear();
  }

  /** Shows by the cursor what a press would do. */
  updateCursor(): void {
    const hand = this.mode?.kind === "move" || this.mode?.kind === "turn";
    const over = this.over && !this.mode && this.view.mayMove() && this.view.grip(this.over.x, this.over.y, NEAR, true);
    const cursor = hand ? "grabbing" : this.mode ? "move" : over ? "grab" : "default";
    if (this.element.style.cursor !== cursor) this.element.style.cursor = cursor;
  }

  private press(e: PointerEvent): void {
    const at = this.place(e);
    this.down.set(e.pointerId, at);
    this.element.setPointerCapture(e.pointerId);
    if (this.down.size > 2) return;
    if (this.down.size === 2) return this.setMode({ kind: "pinch" });
    const grip = this.view.mayMove() && e.button !== 1 ? this.view.grip(at.x, at.y, NEAR) : null;
    this.setMode(grip ? this.onPart(e, grip) : { kind: e.button === 0 && !e.shiftKey ? "orbit" : "pan" });
  }

  private onPart(e: PointerEvent, grip: Grip): Mode {
    const start = this.view.frame()?.hand;
    if (!start) return { kind: "orbit" };
    this.view.setGrabbed(grip.local);
    const taken = grip.body !== undefined && grip.body !== this.view.held() ? { body: grip.body, lets: !this.view.inHands(grip.body) } : null;
    if (taken) {
      this.target.forget();
      this.view.take(taken.body);
    }
    if (e.button === 2 || e.shiftKey || this.turning) return { kind: "turn", taken };
    return { kind: "move", grip, begun: false, taken, drag: { start, anchor: this.onRay(grip, this.place(e)), forward: this.view.basis().forward, depth: 0 } };
  }

  /** The grabbed point, moved in the view plane to where the pointer really is, so that a press beside the part moves nothing. */
  private onRay(grip: Grip, at: Place) {
    const { forward } = this.view.basis();
    const still = { start: [0, 0, 0, 1, 0, 0, 0] as [number, number, number, number, number, number, number], anchor: grip.world, forward, depth: 0 };
    const moved = dragged(still, this.view.ray(at.x, at.y, grip.lane));
    return moved ? add(grip.world, [moved[0], moved[1], moved[2]]) : grip.world;
  }

  private move(e: PointerEvent): void {
    const at = this.place(e);
    this.rest({ ...at, pageX: e.clientX, pageY: e.clientY });
    const before = this.down.get(e.pointerId);
    if (!before || !this.mode) return;
    const others = [...this.down].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    this.down.set(e.pointerId, at);
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    switch (this.mode.kind) {
      case "orbit":
        return this.view.orbit(dx, dy);
      case "pan":
        return this.view.pan(dx, dy);
      case "pinch":
        return this.pinch(before, at, others[0]);
      case "turn":
        return this.turn(dx, dy);
      case "move":
        return this.follow(at);
    }
  }

  private follow(at: Place): void {
    const frame = this.view.frame();
    if (this.mode?.kind !== "move" || !frame || !this.view.mayMove() || !this.has(this.mode.taken)) return;
    if (!this.mode.begun) this.begin(this.mode, frame);
    this.mode.begun = true;
    const pose = dragged(this.mode.drag, this.view.ray(at.x, at.y, this.mode.grip.lane));
    if (pose) this.target.set(pose, performance.now());
    this.view.wake();
  }

  /** Whether the hand has the body that a press took: until the server has said so, nobody knows where from. */
  private has(taken: Taken | null): boolean {
    return taken === null || this.view.held() === taken.body;
  }

  /** The first motion of a drag. A body that was taken may have moved since the press: its grabbed point comes to the pointer from where it is. */
  private begin(mode: Mode & { kind: "move" }, frame: Frame): void {
    mode.drag.start = mode.taken ? frame.hand : this.target.begin(frame.hand, performance.now());
    if (!mode.taken) return;
    const now = this.view.onBody(mode.grip.lane, mode.taken.body, mode.grip.local);
    if (now) mode.drag.anchor = now;
  }

  /** A new frame: a body that was taken is moved as soon as the hand has it, though the pointer may rest. */
  feel(): void {
    const mode = this.mode;
    const at = this.over;
    if (mode?.kind === "move" && mode.taken && !mode.begun && at && this.has(mode.taken)) this.follow(at);
  }

  private turn(dx: number, dy: number): void {
    const frame = this.view.frame();
    if (this.mode?.kind !== "turn" || !frame || !this.view.mayMove() || !this.has(this.mode.taken)) return;
    const now = performance.now();
    const pose = this.target.begin(frame.hand, now);
    this.target.set(turned(pose, rolled(dx, dy, this.view.basis(), this.view.viewPixels()), this.view.pivot(pose)), now);
    this.view.wake();
  }

  /** Two fingers: their distance zooms, their middle pans. */
  private pinch(before: Place, at: Place, other: Place | undefined): void {
    if (!other) return;
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(at.x - other.x, at.y - other.y)];
    if (was > 1 && is > 1) this.view.zoom(was / is, (at.x + other.x) / 2, (at.y + other.y) / 2);
    this.view.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
  }

  private lift(e: PointerEvent): void {
    if (!this.down.delete(e.pointerId)) return;
    if (this.mode?.kind === "pinch" && this.down.size === 1) this.setMode({ kind: "orbit" });
    else if (this.down.size === 0) this.setMode(null);
    if (e.pointerType === "touch") this.rest(null);
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    // Wheel events are in whole pixels; a drag would notice the difference.
    const at = this.over ?? this.place(e);
    const pixels = wheelPixels(e.deltaY || e.deltaX, e.deltaMode);
    const frame = this.view.frame();
    if (!e.altKey || !frame || !this.view.mayMove()) return this.zoom(Math.exp(pixels * 0.0015), at);
    const depth = wheelDepth(pixels, this.view.radius(), e.shiftKey);
    if (this.mode?.kind === "move") {
      this.mode.drag.depth += depth;
      return this.follow(at);
    }
    const now = performance.now();
    this.target.set(translated(this.target.begin(frame.hand, now), scale(this.view.basis().forward, depth)), now);
    this.view.wake();
  }

  /** The wheel zooms also during a drag, which goes on from there: the hand stays where it is. */
  private zoom(factor: number, at: Place): void {
    this.view.zoom(factor, at.x, at.y);
    const frame = this.view.frame();
    if (this.mode?.kind !== "move" || !frame) return;
    const { drag, grip } = this.mode;
    const start = this.target.begin(frame.hand, performance.now());
    const anchor = this.onRay({ ...grip, world: add(drag.anchor, scale(drag.forward, drag.depth)) }, at);
    this.mode.drag = { start, anchor, forward: this.view.basis().forward, depth: 0 };
  }

  private setMode(mode: Mode | null): void {
    const acts = (m: Mode | null) => m?.kind === "move" || m?.kind === "turn";
    if (acts(this.mode) !== acts(mode)) this.target.hold(acts(mode), performance.now());
    // The end of a press lets go of what it took: a body falls, or flies on.
    if ((this.mode?.kind === "move" || this.mode?.kind === "turn") && this.mode.taken?.lets) this.view.take(null);
    this.mode = mode;
    this.view.wake();
  }

  private rest(over: Pointer["over"]): void {
    this.over = over;
    this.view.wake();
  }

  private place(e: MouseEvent): Place {
    const box = this.element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }
}
