// Pointers and the wheel on the plots: the wheel and two fingers zoom, a drag pans, a click goes to that moment.
import { wheelPixels } from "../input/drag";

/** What gestures ask of the plots, and do to them. Times in seconds. */
export interface PlotGestures {
  /** Pixels of the time axis, and from when to when it goes. */
  width(): number;
  stretch(): [number, number];
  hover(time: number): void;
  zoom(at: number, factor: number): void;
  pan(by: number): void;
  /** Whether a drag pans; else it seeks. */
  pans(): boolean;
  seek(time: number): void;
  /** Back to all there is. */
  whole(): void;
}

/** A press that has moved by more than this is a drag (pixels). */
const STILL = 4;

/** Listens on the canvas of the plots. */
export function listenPlots(canvas: HTMLElement, to: PlotGestures): void {
  const down = new Map<number, { x: number; from: number }>();
  let dragged = false;
  const perPixel = () => {
    const [from, end] = to.stretch();
    return (end - from) / to.width();
  };
  const timeAt = (x: number) => to.stretch()[0] + Math.min(to.width(), Math.max(0, x)) * perPixel();

  canvas.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, { x: event.offsetX, from: event.offsetX });
    dragged = down.size > 1;
    canvas.setPointerCapture(event.pointerId);
    if (down.size === 1 && !to.pans()) to.seek(timeAt(event.offsetX));
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = event.offsetX;
    const finger = down.get(event.pointerId);
    if (!finger) return to.hover(timeAt(at));
    const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, f]) => f);
    const before = finger.x;
    finger.x = at;
    if (other) {
      const [was, is] = [Math.abs(before - other.x), Math.abs(at - other.x)];
      if (was > 8 && is > 8) to.zoom(timeAt((at + other.x) / 2), was / is);
    } else if (dragged || Math.abs(at - finger.from) > STILL) {
      if (to.pans()) to.pan((before - at) * perPixel());
      else to.seek(timeAt(at));
      dragged = true;
    }
    to.hover(timeAt(at));
  });
  const lift = (event: PointerEvent, seeks: boolean) => {
    if (down.delete(event.pointerId) && seeks && !dragged && down.size === 0) to.seek(timeAt(event.offsetX));
  };
  canvas.addEventListener("pointerup", (event) => lift(event, true));
  canvas.addEventListener("pointercancel", (event) => lift(event, false));
  canvas.addEventListener("dblclick", () => to.whole());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const pixels = wheelPixels(sideways ? event.deltaX || event.deltaY : event.deltaY, event.deltaMode);
      if (sideways) to.pan(pixels * perPixel());
      else to.zoom(timeAt(event.offsetX), Math.exp(0.002 * pixels));
      to.hover(timeAt(event.offsetX));
    },
    { passive: false },
  );
}
