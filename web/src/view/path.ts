// The way that the part's centre has gone, as a thin tube coloured by what the part did there.
import { CylinderGeometry, type Color } from "three";
import type { Motion, Vec3 } from "../protocol";
import { Instances } from "./arrows";
import { writeAlong } from "./instances";
import { ORDER, type Look } from "./look";

/** Pieces of a path, on a graphics device and where the CPU draws; when there are more, the oldest quarter goes. */
export const PIECES = { fine: 2048, rough: 256 };

/** The drawn path of one lane. */
export class PathView {
  private readonly pieces: Instances;
  private count = 0;
  private last: Vec3 | null = null;
  private time = -Infinity;
  private readonly most: number;

  constructor(private readonly look: Look) {
    this.most = look.fine ? PIECES.fine : PIECES.rough;
    const tube = new CylinderGeometry(1, 1, 1, look.fine ? 5 : 3, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.pieces = new Instances(tube, this.most, [
      [look.solid, ORDER.inside],
      [look.solidHidden, ORDER.ghosts],
    ]);
    this.clear();
  }

  /** The object to be shown. */
  get group() {
    return this.pieces.group;
  }

  /** The part's centre at a time; when time runs back the path begins anew. */
  add(centre: Vec3, time: number, word: Motion | undefined, radius: number): void {
    if (time < this.time) this.clear();
    this.time = time;
    const from = (this.last ??= centre);
    const [x, y, z] = [centre[0] - from[0], centre[1] - from[1], centre[2] - from[2]];
    const long = Math.hypot(x, y, z);
    if (!(long > 0.01 * radius)) return;
    this.last = centre;
    if (this.count === this.most) this.forget(this.most / 4);
    const i = this.count++;
    writeAlong(this.pieces.matrices, i, ...from, x / long, y / long, z / long, 0.008 * radius, long);
    this.pieces.paint(i, this.colourOf(word));
    this.pieces.commit(this.count);
  }

  private colourOf(word: Motion | undefined): Color {
    const { stuck, sliding, separated } = this.look.colours;
    return word === "slides" ? sliding : word === "holds" || word === "rolls" ? stuck : separated;
  }

  private forget(oldest: number): void {
    this.pieces.matrices.copyWithin(0, 16 * oldest);
    this.pieces.colours.copyWithin(0, 3 * oldest);
    this.count -= oldest;
  }

  /** Whether it is to be seen. */
  show(visible: boolean): void {
    this.group.visible = visible && this.count > 0;
  }

  /** Forgets the path. */
  clear(): void {
    this.count = 0;
    this.last = null;
    this.time = -Infinity;
    this.pieces.commit(0);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.pieces.dispose();
  }
}
