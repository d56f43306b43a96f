// The gamepad: read only while there is one, and shaken by the force that the hand feels.
import type { Frame } from "../protocol";
import { ratesOfPad, RUMBLE_EVERY, rumbleOf } from "./pad";
import { still, type Rates } from "./rates";

/** The first gamepad that is connected. */
export class GamepadInput {
  private index: number | null = null;
  private shaken = -Infinity;
  private slipping = false;
  private knock = false;

  constructor(
    private readonly onGamepad: (name: string | null) => void,
    private readonly wake: () => void,
  ) {
    window.addEventListener("gamepadconnected", (e) => this.connect(e.gamepad));
    window.addEventListener("gamepaddisconnected", (e) => {
      if (e.gamepad.index === this.index) this.connect(pads().find((p) => p !== null && p.connected && p.index !== e.gamepad.index) ?? null);
    });
  }

  /** Whether there is one to read. */
  get connected(): boolean {
    return this.index !== null;
  }

  /** Speeds that the sticks ask for. */
  rates(): Rates {
    const pad = this.pad();
    return pad ? ratesOfPad(pad.axes, pad.buttons) : still();
  }

  /** Shakes it for a new frame. */
  feel(frame: Frame, maxForce: number, now: number): void {
    const lane = frame.lanes[0];
    if (!lane || this.index === null) return;
    const slips = lane.row.verdict === "slips" || lane.slipped > 0;
    if (slips && !this.slipping) this.knock = true;
    this.slipping = slips;
    if (now - this.shaken < RUMBLE_EVERY) return;
    const rumble = frame.paused ? null : rumbleOf(Math.hypot(lane.wrench[0], lane.wrench[1], lane.wrench[2]), maxForce, this.knock);
    this.knock = false;
    const motor = this.pad()?.vibrationActuator;
    if (!rumble || !motor || typeof motor.playEffect !== "function") return;
    this.shaken = now;
    const effect = { duration: 1.2 * RUMBLE_EVERY, strongMagnitude: rumble.strong, weakMagnitude: rumble.weak };
    motor.playEffect("dual-rumble", effect).catch(() => undefined);
  }

  private connect(pad: Gamepad | null): void {
    if (pad && this.index !== null && this.index !== pad.index && this.pad()) return;
    this.index = pad ? pad.index : null;
    this.onGamepad(pad ? pad.id : null);
    this.wake();
  }

  private pad(): Gamepad | null {
    return this.index === null ? null : (pads()[this.index] ?? null);
  }
}

/** All gamepads; none where the browser forbids to ask. */
function pads(): (Gamepad | null)[] {
  try {
    return navigator.getGamepads();
  } catch {
    return [];
  }
}
