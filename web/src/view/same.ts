// Whether a world that the server tells of is the one that is shown already.
import type { World } from "../protocol";

/** What shapes and their places depend on: all else may change without anything being fetched anew. The generation alone would not do: another server
 * counts from the start. */
const shaping = (w: World): string =>
  JSON.stringify([w.generation, w.scene, w.radius, w.world_from_fixed, w.held_box, w.fixed_box, w.shell_on, w.shell_points, w.shell_levels, w.playback?.name ?? null, w.bodies]);

/** Whether both have the same shapes: only settings or the number of lanes differ. */
export const sameShapes = (a: World, b: World): boolean => shaping(a) === shaping(b);
