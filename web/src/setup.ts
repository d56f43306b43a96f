// What the user wants the world to be: edits are gathered for 150 ms, then sent as one `configure`.
import type { Address } from "./model/address";
import { Controls } from "./model/keys";
import { known, otherValue, possible, sameOverrides, sameSetup, SceneValues, secondLane, setupOf, without, type Setup } from "./model/overrides";
import { Signal } from "./model/signal";
import type { Overrides } from "./protocol";
import type { Session } from "./session";

const GATHER = 150;
/** After a reload the server may still take the old page for the one that holds the part: so long a link waits for it to be gone (ms). */
const OLD_PAGE = 3000;

/** A value that was not taken, and why. */
export interface Refused {
  key: string;
  why: string;
}

/** The settings of one lane, as controls show and change them. */
export interface LaneSettings {
  /** What can be set, as the server says. */
  readonly controls: Signal<Controls>;
  readonly refused: Signal<Refused | null>;
  /** The value of a key that controls show. */
  value(key: string): string | undefined;
  /** Whether a key differs: from the scene, or in the second lane from the first. */
  overridden(key: string): boolean;
  /** Sets a key, or says why that cannot be. */
  set(key: string, text: string): void;
  /** Takes that back. */
  reset(key: string): void;
}

/** The wanted scene with its overrides, in step with the world in force. */
export class Wanted implements LaneSettings {
  /** What controls show: the user's edits, or the world in force. */
  readonly setup = new Signal<Setup | null>(null);
  /** True from when the address has been dealt with: then it follows the world. */
  settled = false;
  /** True while the server has not answered the last edit: what is in force is not yet what is wanted. */
  busy = false;
  readonly controls = new Signal(new Controls([]));
  readonly refused = new Signal<Refused | null>(null);
  /** The settings of the second lane. */
  readonly second: LaneSettings;
  private readonly own = new SceneValues();
  /** What the user set, of which the server gets what is possible. */
  private wishes: Overrides = {};
  /** What was edited last, and where it is told if the server refuses it. */
  private edited: { key: string; refused: Signal<Refused | null> } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The address's recording has been asked for. */
  private asked = false;
  /** When a link stops to wait for another page to leave. */
  private giveUp = Infinity;

  constructor(
    private readonly session: Session,
    private readonly address: Address,
  ) {
    this.second = this.secondLane();
    session.welcome.listen((welcome) => {
      const now = this.controls.value.list;
      if (welcome && JSON.stringify(now) !== JSON.stringify(welcome.controls)) this.controls.set(new Controls(welcome.controls));
    });
    session.world.listen((world) => {
      if (!world) return;
      this.own.learn(this.controls.value, world);
      if (this.timer === undefined) {
        this.busy = false;
        this.edited = null;
        this.adoptWorld();
      }
      this.settle();
    });
    session.roles.listen((roles) => {
      if (roles && this.giveUp === Infinity) {
        this.giveUp = performance.now() + OLD_PAGE;
        setTimeout(() => this.settle(), OLD_PAGE + 10);
      }
      this.settle();
    });
    session.fatal.listen(() => {
      this.busy &&= this.timer !== undefined;
      this.settle();
    });
    session.problems.listen(() => this.adopt());
    session.link.listen(() => (this.busy &&= this.timer !== undefined));
  }

  value(key: string): string | undefined {
    const edited = this.setup.value?.set[key];
    return edited !== undefined ? edited : this.unset(key);
  }

  overridden(key: string): boolean {
    return key in (this.setup.value?.set ?? {});
  }

  /** Another scene, as it is; the comparison stays. */
  scene(name: string): void {
    this.wishes = {};
    this.edit({ scene: name, set: {}, compare: this.setup.value?.compare ?? null });
  }

  set(key: string, text: string): void {
    const setup = this.setup.value;
    if (!setup || this.refuse(this, key, text)) return;
    const wishes = { ...this.wishes, [key]: this.controls.value.normalise(key, text) ?? text };
    this.wish(wishes, key);
  }

  /** Back to what the scene says, for one key or (null) for all. */
  reset(key: string | null): void {
    this.refused.set(null);
    if (this.setup.value) this.wish(key === null ? {} : without(this.wishes, key), key);
  }

  /** Compares with a second lane in which a key has another value; null with nothing. */
  compareBy(key: string | null): void {
    const setup = this.setup.value;
    const control = this.controls.value.find(key);
    this.second.refused.set(null);
    if (!setup || (key !== null && !control)) return;
    const compare = control ? secondLane(this.controls.value, null, control.key, otherValue(control, this.value(control.key)), setup.set) : null;
    this.edit({ ...setup, compare });
  }

  /** Our method in the first lane, friction springs in the second, on the same hand. */
  compareWithSprings(): void {
    const setup = this.setup.value;
    const key = this.controls.value.compared?.key;
    if (!setup || key === undefined) return;
    this.wishes = { ...this.wishes, [key]: "hold" };
    const set = possible(this.controls.value, this.wishes, (k) => this.unset(k));
    this.edit(this.own.diff(this.controls.value, { ...setup, set, compare: { [key]: "yamane" } }));
  }

  /** The value of a key that is not overridden. */
  private unset(key: string): string | undefined {
    const [world, setup] = [this.session.world.value, this.setup.value];
    const overridden = world && setup && world.scene === setup.scene && key in world.set;
    return (overridden ? this.own.own(this.controls.value, setup.scene, key, setup.set) : undefined) ?? world?.values[key];
  }

  /** Says why a lane does not take a value; false if it does. */
  private refuse(lane: LaneSettings, key: string, text: string): boolean {
    const why = this.controls.value.refusal(key, text, (k) => lane.value(k));
    lane.refused.set(why === null ? null : { key, why });
    this.edited = { key, refused: lane.refused };
    return why !== null;
  }

  private wish(wishes: Overrides, key: string | null): void {
    const setup = this.setup.value;
    if (!setup) return;
    const known = this.own.diff(this.controls.value, { ...setup, set: wishes }).set;
    this.wishes = key !== null && key in wishes && !(key in known) ? without(wishes, key) : wishes;
    const set = possible(this.controls.value, this.wishes, (k) => this.unset(k));
    this.edit(this.own.diff(this.controls.value, { ...setup, set }));
  }

  private secondLane(): LaneSettings {
    const change = (compare: Overrides | null) => this.setup.value && this.edit({ ...this.setup.value, compare });
    const compare = () => this.setup.value?.compare ?? null;
    const lane: LaneSettings = {
      controls: this.controls,
      refused: new Signal<Refused | null>(null),
      value: (key) => compare()?.[key] ?? this.value(key),
      overridden: (key) => key in (compare() ?? {}),
      set: (key, text) => {
        if (this.refuse(lane, key, text)) return;
        change(secondLane(this.controls.value, compare(), key, this.controls.value.normalise(key, text) ?? text, this.setup.value?.set ?? {}));
      },
      reset: (key) => {
        const left = without(compare() ?? {}, key);
        change(Object.keys(left).length > 0 ? left : null);
      },
    };
    return lane;
  }

  /** Overrides of the address that the server takes; the user is told of the others. */
  private taken(overrides: Overrides): Overrides {
    const { set, unknown } = known(this.controls.value, overrides);
    for (const what of unknown) this.session.complain(`This link sets “${what}”, which this server does not take.`);
    return set;
  }

  private edit(setup: Setup): void {
    this.setup.set(setup);
    this.busy = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const world = this.session.world.value;
      const news = !world || !sameSetup(this.controls.value, setup, setupOf(world)) || this.session.fatal.value !== null;
      this.busy = news && this.session.command({ type: "configure", ...setup });
    }, GATHER);
  }

  /** What is in force is what is wanted; wishes that led to it stay. */
  private adoptWorld(): void {
    const world = this.session.world.value;
    if (!world) return;
    this.setup.set(setupOf(world));
    const set = this.own.diff(this.controls.value, { ...setupOf(world), set: possible(this.controls.value, this.wishes, (k) => this.unset(k)) }).set;
    if (!sameOverrides(this.controls.value, set, world.set)) this.wishes = { ...world.set };
  }

  /** Something went wrong: what is in force counts, and the field that was edited says why. */
  private adopt(): void {
    if (this.timer !== undefined) return;
    const [why, edited] = [this.session.problems.value[0]?.text, this.edited];
    if (this.busy && edited && why !== undefined) edited.refused.set({ key: edited.key, why });
    this.busy = false;
    this.edited = null;
    this.adoptWorld();
    if (this.asked) this.settled = true;
  }

  /** Once it is known who holds the part and what is there: applies the address, or gives it up. */
  private settle(): void {
    const { session, address } = this;
    const [world, welcome] = [session.world.value, session.welcome.value];
    if (this.settled || !welcome || !session.roles.value || (!world && session.fatal.value === null)) return;
    const asks = address.recording !== null || address.scene !== null || Object.keys(address.set).length > 0 || address.compare !== null;
    if (asks && !session.holding && performance.now() < this.giveUp) return;
    if (address.recording !== null) return this.openRecording(address.recording);
    this.settled = true;
    const scene = address.scene ?? world?.scene;
    if (!asks || scene === undefined) return;
    if (!welcome.scenes.includes(scene)) {
      session.complain(`This link names the scene “${scene}”, which this server does not have.`);
      return;
    }
    const setup: Setup = { scene, set: this.taken(address.set), compare: address.compare && this.taken(address.compare) };
    if (world && sameSetup(this.controls.value, setup, setupOf(world))) return;
    if (!session.holding) return session.complain("The settings in this link were not applied, because another page holds the part.");
    this.wishes = setup.set;
    this.edit(setup);
  }

  /** The recording of the address, at its moment: asks for it, and goes there when it is loaded. */
  private openRecording(name: string): void {
    const { session, address } = this;
    const shown = session.world.value?.playback?.name === name;
    if (!session.holding) {
      this.settled = true;
      if (!shown) session.complain(`The recording of this link, ${name}, was not opened, because another page holds the part.`);
    } else if (shown) {
      this.settled = true;
      if (address.time === null) return;
      session.command({ type: "time", paused: true, speed: 1 });
      session.command({ type: "seek", time: address.time });
    } else if (!this.asked) this.asked = session.command({ type: "play", name });
  }
}
