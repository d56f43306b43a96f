// The bar between stage and plots: drag it, or move it by arrow keys.
import { byId } from "./dom";
import { store, stored } from "./storage";

const KEY = "stiction.plots";
const [LEAST, MOST] = [12, 70];

/** The plots' share (percent) with which two thirds of the window are left to the 3D view. */
function ownShare(): number {
  const [stage, plots] = [byId("stage-area").offsetHeight, byId("plots").offsetHeight];
  return (100 * (stage + plots)) / innerHeight - 66.7;
}

/** Makes it work; the height is a share of the window (percent), and is remembered. */
export function splitter(): void {
  const bar = byId("splitter");
  let share = Number(stored(KEY)) || ownShare();
  const put = (to: number) => {
    share = Math.min(MOST, Math.max(LEAST, to));
    document.documentElement.style.setProperty("--plots-height", `${share.toFixed(1)}vh`);
    bar.setAttribute("aria-valuenow", share.toFixed(0));
  };
  const keep = () => store(KEY, share.toFixed(1));
  bar.setAttribute("aria-valuemin", String(LEAST));
  bar.setAttribute("aria-valuemax", String(MOST));
  put(share);
  bar.addEventListener("pointerdown", (down) => {
    const [from, start] = [down.clientY, share];
    bar.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent) => put(start + (100 * (from - event.clientY)) / innerHeight);
    bar.addEventListener("pointermove", move);
    const end = () => {
      bar.removeEventListener("pointermove", move);
      keep();
    };
    bar.addEventListener("pointerup", end, { once: true });
    bar.addEventListener("pointercancel", end, { once: true });
  });
  bar.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowUp" ? 2 : event.key === "ArrowDown" ? -2 : 0;
    if (by === 0) return;
    event.preventDefault();
    put(share + by);
    keep();
  });
}
