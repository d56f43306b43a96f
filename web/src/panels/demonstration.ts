// The first minute: the scene's demonstration runs and says what to try, until somebody drags the part.
import { byId, el, setShown, setText } from "../dom";
import type { Session } from "../session";
import type { Wanted } from "../setup";

/** After so long without an answer it is asked for again (ms). */
const AGAIN = 1000;

/** Among many bodies a demonstration cannot go back; so long after its end the scene begins anew (s). */
const REST = 1.5;

/** Starts the demonstration of a hand that waits, once the world is the wanted one, and shows what to try meanwhile; with `?demo=off` the scene's own script runs instead. */
export function demonstration(session: Session, wanted: Wanted, search = location.search): void {
  const off = new URLSearchParams(search).get("demo") === "off";
  const text = el("p", { "data-testid": "invitation" });
  const card = el("div", { id: "invitation", role: "status", hidden: true }, text);
  byId("stage-area").append(card);
  let asked = -Infinity;
  session.frame.listen((frame) => {
    const world = session.world.value;
    const due = frame?.source === "waits" || (off && frame?.source === "demonstration");
    const now = performance.now();
    if (due && !frame.playback && session.holding && wanted.settled && !wanted.busy && now - asked > AGAIN) {
      asked = now;
      session.command({ type: off ? "script" : "demonstrate" });
    }
    const over = world !== null && world.bodies.length > 0 && frame?.source === "demonstration" && frame.time > world.seconds + REST;
    if (over && !frame.playback && !frame.recording && session.holding && now - asked > AGAIN) {
      asked = now;
      session.command({ type: "reset" });
    }
    const shown = frame?.source === "demonstration" && world !== null && world.invitation !== "";
    if (shown) setText(text, world.invitation);
    setShown(card, shown);
  });
}
