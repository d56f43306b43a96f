// All input together: what the user does becomes a pose of the hand, at most once an animation frame.
import type { Frame, PoseArray } from "../protocol";
import { GamepadInput } from "./gamepad";
import { Keyboard, KEYS_LABEL } from "./keyboard";
import { Pointer } from "./pointer";
import { advanced, follow, isMoving, plus, still, type Rates } from "./rates";
import type { Surroundings } from "./seam";
import { Target } from "./target";

/** What the page hears of the hand. */
export interface HandListener {
  onHand(pose: PoseArray): void;
  onLetGo(): void;
  onGamepad(name: string | null): void;
}

/** Pointer, keyboard and gamepad of one view. */
export class Controls {
  readonly target = new Target();
  readonly pointer: Pointer;
  private readonly keyboard: Keyboard;
  private readonly gamepad: GamepadInput;
  private rates: Rates = still();

  constructor(
    host: HTMLElement,
    element: HTMLElement,
    private readonly view: Surroundings,
    private readonly listener: HandListener,
  ) {
    host.tabIndex = 0;
    host.setAttribute("role", "application");
    host.setAttribute("aria-label", KEYS_LABEL);
    element.style.touchAction = "none";
    element.addEventListener("pointerdown", () => host.focus({ preventScroll: true }));
    this.pointer = new Pointer(element, view, this.target);
    this.keyboard = new Keyboard(host, () => view.mayMove(), () => this.letGo(), () => view.wake());
    this.gamepad = new GamepadInput((name) => listener.onGamepad(name), () => view.wake());
  }

  /** An animation frame, dt after the last one. Tells whether the hand has moved, and whether another frame is wanted even if nothing changes. */
  tick(now: number, dt: number): { moved: boolean; again: boolean } {
    const frame = this.view.frame();
    const wanted = frame && this.view.mayMove() ? plus(this.keyboard.rates(), this.gamepad.rates()) : still();
    this.rates = follow(this.rates, wanted, dt);
    const moving = isMoving(this.rates);
    if (moving && frame) {
      const from = this.target.begin(frame.hand, now);
      this.target.set(advanced(from, this.rates, dt, this.view.basis(), this.view.pivot(from), this.view.radius()), now);
    }
    const pose = this.target.take();
    if (pose && this.view.mayMove()) this.listener.onHand(pose);
    return { moved: pose !== null, again: moving || isMoving(wanted) || this.gamepad.connected };
  }

  /** A new frame: the gamepad feels it. */
  feel(frame: Frame, now: number): void {
    this.pointer.feel();
    if (this.view.mayMove()) this.gamepad.feel(frame, this.view.maxForce(), now);
  }

  /** Ends whatever the user is doing: another world, or the part is no longer this page's. */
  cancel(): void {
    this.pointer.cancel();
    this.keyboard.clear();
    this.rates = still();
    this.target.clear();
  }

  private letGo(): void {
    this.cancel();
    this.listener.onLetGo();
  }
}
