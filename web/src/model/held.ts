// What the hand holds, in worlds of many bodies.
import { composed, inverse, isPose } from "../input/pose";
import type { Frame, Lane, PoseArray, World } from "../protocol";

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

/** Where the hand wants the body that it holds: it moves the body as much as it moves itself, from where both were when it took the body. */
export class Hold {
  private body: number | null = null;
  private hand = -1;
  private handFromBody: PoseArray = [0, 0, 0, 1, 0, 0, 0];

  /** Takes a frame. */
  follow(frame: Frame): void {
    const lane = frame.lanes[0];
    const body = lane ? heldBody(lane) : null;
    if (body === this.body && frame.ofHand === this.hand) return;
    [this.body, this.hand] = [body, frame.ofHand];
    const pose = body === null ? undefined : lane?.bodies[body];
    if (pose && isPose(pose) && isPose(frame.hand)) this.handFromBody = composed(inverse(frame.hand), pose);
  }

  /** The body that is held. */
  get held(): number | null {
    return this.body;
  }

  /** Where a hand there wants the body. */
  wanted(hand: PoseArray): PoseArray {
    return composed(hand, this.handFromBody);
  }
}
