// What the user wants the world to be: edits are gathered for 150 ms, then sent as one `configure`.
import type { Address } from "./model/address";
import { Controls } from "./model/keys";
import { compareWith, known, sameSetup, SceneValues, setupOf, withValue, without, type Setup } from "./model/overrides";
import { Signal } from "./model/signal";
import type { Overrides } from "./protocol";
import type { Session } from "./session";

const GATHER = 150;

/** The wanted scene with its overrides, in step with the world in force. */
export class Wanted {
  /** What controls show: the user's edits, or the world in force. */
  readonly setup = new Signal<Setup | null>(null);
  /** True from when the address has been dealt with: then it follows the world. */
  settled = false;
  /** True while the server has not answered the last edit: what is in force is not yet what is wanted. */
  busy = false;
  /** What can be set, as the server says. */
  readonly controls = new Signal(new Controls([]));
  private readonly own = new SceneValues();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: Session,
    private readonly address: Address,
  ) {
    session.welcome.listen((welcome) => {
      const now = this.controls.value.list;
      if (welcome && JSON.stringify(now) !== JSON.stringify(welcome.controls)) this.controls.set(new Controls(welcome.controls));
    });
    session.world.listen((world) => {
      if (!world) return;
      this.own.learn(this.controls.value, world);
      if (this.timer === undefined) this.busy = false;
      if (this.timer === undefined) this.setup.set(setupOf(world));
      this.settle();
    });
    session.roles.listen(() => this.settle());
    session.fatal.listen(() => {
      this.busy &&= this.timer !== undefined;
      this.settle();
    });
    session.problems.listen(() => this.adopt());
    session.link.listen(() => (this.busy &&= this.timer !== undefined));
  }

  /** The value of a key that controls show. */
  value(key: string): string | undefined {
    const world = this.session.world.value;
    const setup = this.setup.value;
    const edited = setup?.set[key];
    if (edited !== undefined) return edited;
    const overridden = world && setup && world.scene === setup.scene && key in world.set;
    return (overridden ? this.own.own(this.controls.value, setup.scene, key, setup.set) : undefined) ?? world?.values[key];
  }

  /** Whether a key differs from the scene's. */
  overridden(key: string): boolean {
    return key in (this.setup.value?.set ?? {});
  }

  /** Another scene, as it is; the comparison stays. */
  scene(name: string): void {
    this.edit({ scene: name, set: {}, compare: this.setup.value?.compare ?? null });
  }

  /** Overrides a key. */
  set(key: string, text: string): void {
    const setup = this.setup.value;
    if (!setup) return;
    const set = withValue(this.controls.value, setup.set, this.session.world.value?.values ?? {}, key, text);
    this.edit(this.own.diff(this.controls.value, { ...setup, set }));
  }

  /** Back to what the scene says, for one key or (null) for all. */
  reset(key: string | null): void {
    const setup = this.setup.value;
    if (setup) this.edit({ ...setup, set: key === null ? {} : without(setup.set, key) });
  }

  /** A second lane with another word of the key that lanes are compared by, or none. */
  compare(word: string | null): void {
    const setup = this.setup.value;
    if (setup) this.edit({ ...setup, compare: compareWith(this.controls.value, word, setup.set) });
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

  /** Something went wrong: what is in force counts. */
  private adopt(): void {
    const world = this.session.world.value;
    this.busy &&= this.timer !== undefined;
    if (world && this.timer === undefined) this.setup.set(setupOf(world));
  }

  /** Once it is known who holds the part and what is there: applies the address, or gives it up. */
  private settle(): void {
    const { session, address } = this;
    const [world, welcome] = [session.world.value, session.welcome.value];
    if (this.settled || !welcome || !session.roles.value || (!world && session.fatal.value === null)) return;
    this.settled = true;
    const asks = address.scene !== null || Object.keys(address.set).length > 0 || address.compare !== null;
    const scene = address.scene ?? world?.scene;
    if (!asks || scene === undefined) return;
    if (!welcome.scenes.includes(scene)) {
      session.complain(`This link names the scene “${scene}”, which this server does not have.`);
      return;
    }
    const setup: Setup = { scene, set: this.taken(address.set), compare: address.compare && this.taken(address.compare) };
    if (world && sameSetup(this.controls.value, setup, setupOf(world))) return;
    if (session.holding) this.edit(setup);
    else session.complain("The settings in this link were not applied, because another page holds the part.");
  }
}
