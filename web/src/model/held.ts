// What the hand holds, in worlds of many bodies.
import type { Lane, World } from "../protocol";

/** The number of the body that the hand holds; null while it holds none, and for engines that do not tell. */
export function heldBody({ row }: Pick<Lane, "row">): number | null {
  const { holds } = row;
  return holds !== undefined && holds > 0 ? holds - 1 : null;
}

/** The name of the body that the hand holds; null while it holds none. */
export function heldName(lane: Pick<Lane, "row">, { bodies }: Pick<World, "bodies">): string | null {
  const held = heldBody(lane);
  return held === null ? null : (bodies[held]?.name ?? null);
}
