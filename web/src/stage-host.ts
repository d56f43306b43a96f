// Brings the 3D view onto the page, and lets the page live without it.
import { byId } from "./dom";
import { Signal } from "./model/signal";
import type { Theme } from "./theme";
import type { Session } from "./session";
import type { ViewName } from "./view/orbit";
import { NoWebGL, type HandEvents, type Layers, type Stage } from "./view/contract";

/** What the view is told. */
export interface StageNeeds {
  session: Session;
  events: HandEvents;
  theme: Signal<Theme>;
  layers: Signal<Layers>;
  /** The camera of the address, and the scene that it is for; null for any. */
  camera: string | null;
  cameraScene: string | null;
  /** The recording that it is for; null for none. */
  cameraRecording: string | null;
  /** The camera may have changed without the user. */
  onCamera(): void;
  /** Why there is no view. */
  onNone(why: string): void;
}

/** The view, or nothing; loaded after the rest of the page so that numbers come first. */
export class StageHost {
  stage: Stage | null = null;
  private holding = false;
  private scene = "";
  /** The camera that the view chose by itself; null while the address's is in force. */
  private home: string | null = null;
  /** Whether the user may have moved the camera in this scene. */
  private steered = false;
  /** The address's camera, until its scene is there. */
  private wanted: string | null;

  constructor(private readonly needs: StageNeeds) {
    this.wanted = needs.camera;
  }

  /** Loads the view and connects it to the session. */
  async load(): Promise<void> {
    const { session, events, theme, layers } = this.needs;
    try {
      const { makeStage } = await import("./view/stage");
      const stage = makeStage(byId("stage"), { events, theme: theme.value, onDrawn: (frame) => session.drawn(frame) });
      this.stage = stage;
      stage.setHolding(this.holding);
      byId("stage").addEventListener("stage-problem", (event) => event instanceof CustomEvent && session.complain(String(event.detail)));
      for (const event of ["pointerdown", "wheel"]) byId("stage").addEventListener(event, () => (this.steered = true), { passive: true });
      theme.listen((now) => stage.setTheme(now));
      layers.listen((now) => stage.show(now));
      session.world.listen((world) => {
        if (!world) return;
        if (world.scene !== this.scene) this.steered = false;
        this.scene = world.scene;
        const settled = () => {
          if (!this.steered && this.scene === world.scene) this.home = stage.camera();
          this.needs.onCamera();
        };
        const complain = (error: unknown) => {
          if (session.world.value === world) session.complain(`The shapes could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
        };
        stage.setWorld(world, (path) => session.connection.fetchBytes(path)).then(settled, complain);
        const { cameraScene, cameraRecording } = this.needs;
        if (this.wanted !== null && (cameraScene ?? world.scene) === world.scene && (cameraRecording === null || world.playback?.name === cameraRecording)) {
          this.steered = stage.setCamera(this.wanted);
          this.wanted = null;
        }
        settled();
      });
      session.frame.listen((frame) => frame && stage.setFrame(frame));
    } catch (error) {
      this.stage = null;
      this.needs.onNone(error instanceof NoWebGL ? error.message : "The 3D view could not be loaded; reload to try again.");
      this.drawWithout();
    }
  }

  /** The camera for the address; null if it is the one that the view chooses. */
  camera(): string | null {
    if (!this.stage || this.wanted !== null) return this.wanted;
    const now = this.stage.camera();
    return now === this.home ? null : now;
  }

  /** Back to the camera that the view chooses. */
  resetCamera(): void {
    this.stage?.resetCamera();
    this.home = this.stage?.camera() ?? null;
  }

  /** Looks from one of the usual directions. */
  lookFrom(view: ViewName): void {
    this.steered = true;
    this.stage?.lookFrom(view);
  }

  /** Whether this page holds the part. */
  setHolding(holding: boolean): void {
    this.holding = holding;
    this.stage?.setHolding(holding);
  }

  /** Without a view, a frame counts as drawn when the page's numbers are. */
  private drawWithout(): void {
    let waiting = false;
    this.needs.session.frame.listen((frame) => {
      if (!frame || waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const newest = this.needs.session.frame.value;
        if (newest) this.needs.session.drawn(newest);
      });
    });
  }
}
