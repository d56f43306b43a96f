// The view as input sees it.
import { isPose, toLocal, toWorld } from "../input/pose";
import { heldBody } from "../model/held";
import type { Surroundings } from "../input/seam";
import type { Frame, PoseArray } from "../protocol";
import { basisOf, orbited, panned, zoomedAt, type Orbit } from "./orbit";
import { probes } from "./pick";
import type { Picture } from "./picture";
import { pictureAt } from "./screen";
import type { WorldView } from "./world-view";

/** Held parts with more triangles than this are looked for in fewer places around the pointer, or in none if it is only passing. */
const MANY = 6000;

/** What the stage knows and input asks for. */
export interface Known {
  picture: Picture;
  world(): WorldView | null;
  frame(): Frame | null;
  holding(): boolean;
  /** The hand as it is drawn; null if it is not. */
  hand(): PoseArray | null;
  setOrbit(orbit: Orbit): void;
  /** The hand shall take that body, or let go of what it holds. */
  take(body: number | null): void;
  wake(): void;
}

/** Makes the seam between input and view. */
export function surroundings(known: Known): Surroundings {
  const { picture } = known;
  const radius = () => known.world()?.world.radius ?? 1;
  const viewPixels = () => Math.min(picture.rect(0).width, picture.rect(0).height);
  return {
    radius,
    viewPixels,
    frame: () => known.frame(),
    mayMove: () => known.holding() && known.frame()?.playback === false && known.frame()?.source !== "device",
    maxForce: () => known.world()?.world.coupling.max_force ?? 0,
    basis: () => basisOf(picture.orbit),
    ray: (x, y, lane) => picture.ray(x, y, lane),
    pivot(hand) {
      const lane = known.frame()?.lanes[0];
      return lane && isPose(lane.part) ? toWorld(hand, toLocal(lane.part, lane.centre)) : [hand[0], hand[1], hand[2]];
    },
    grip(x, y, tolerance, quick) {
      const [world, frame] = [known.world(), known.frame()];
      const lane = pictureAt(picture.rects(), x);
      const part = frame?.lanes[lane]?.part;
      if (!world || !part) return null;
      const hand = known.hand();
      const tries = world.triangles <= MANY ? probes(tolerance) : probes(tolerance).filter((_, i) => i === 0 || (!quick && i > 16));
      for (const [dx, dy] of tries) {
        const grip = world.grip(picture.ray(x + dx, y + dy, lane), lane, hand ? [part, hand] : [part]);
        if (grip) return grip;
      }
      return null;
    },
    held() {
      const lane = known.frame()?.lanes[0];
      return lane ? heldBody(lane) : null;
    },
    inHands: (body) => known.frame()?.lanes[0]?.holds.includes(body + 1) ?? false,
    onBody: (lane, body, local) => known.world()?.onBody(lane, body, local) ?? null,
    take: (body) => known.take(body),
    setGrabbed(local) {
      const world = known.world();
      if (world) world.grabbed = local;
    },
    orbit: (dx, dy) => known.setOrbit(orbited(picture.orbit, dx, dy, viewPixels())),
    pan(dx, dy) {
      const r = picture.rect(0);
      known.setOrbit(panned(picture.orbit, dx, dy, r.height, r.width / r.height));
    },
    zoom(factor, x, y) {
      const ray = picture.ray(x, y, pictureAt(picture.rects(), x));
      known.setOrbit(zoomedAt(picture.orbit, factor, radius(), ray));
    },
    focus(x, y) {
      const lane = pictureAt(picture.rects(), x);
      const part = known.frame()?.lanes[lane]?.part;
      const target = part ? known.world()?.pointAt(picture.ray(x, y, lane), part, lane) : null;
      if (target) known.setOrbit({ ...picture.orbit, target });
    },
    wake: () => known.wake(),
  };
}
