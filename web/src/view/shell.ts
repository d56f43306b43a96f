// The point shell that collides, level by level.
import { BufferAttribute, BufferGeometry, Color, Points, PointsMaterial } from "three";
import type { Shell } from "../protocol";
import { LEVEL_COLOURS } from "./colours";

/** Points in the order of their levels, and how many there are up to each level. */
export function byLevel(shell: Shell): { positions: Float32Array; levels: Uint8Array; upTo: number[] } {
  const count = shell.levels.length;
  const tally: number[] = [];
  for (const l of shell.levels) tally[l] = (tally[l] ?? 0) + 1;
  let sum = 0;
  const upTo = Array.from(tally, (n) => (sum += n ?? 0));
  const next = upTo.map((_, l) => (l === 0 ? 0 : upTo[l - 1]!));
  const out = { positions: new Float32Array(3 * count), levels: new Uint8Array(count), upTo };
  for (let i = 0; i < count; i++) {
    const l = shell.levels[i]!;
    const to = next[l]!++;
    out.positions.set(shell.positions.subarray(3 * i, 3 * i + 3), 3 * to);
    out.levels[to] = l;
  }
  return out;
}

/** The shell on the GPU; one geometry, with an object for each lane that shows it. */
export class ShellView {
  private readonly geometry = new BufferGeometry();
  private readonly material = new PointsMaterial({ size: 3, sizeAttenuation: false, vertexColors: true });
  private readonly upTo: number[];
  readonly objects: Points[] = [];

  constructor(shell: Shell, pixelRatio: number) {
    const { positions, levels, upTo } = byLevel(shell);
    this.upTo = upTo;
    this.material.size = 3 * pixelRatio;
    const colours = new Float32Array(positions.length);
    const palette = LEVEL_COLOURS.map((c) => new Color(c));
    levels.forEach((l, i) => palette[l % palette.length]?.toArray(colours, 3 * i));
    this.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    this.geometry.setAttribute("color", new BufferAttribute(colours, 3));
  }

  /** Another object that shows the shell. */
  object(): Points {
    const points = new Points(this.geometry, this.material);
    this.objects.push(points);
    return points;
  }

  /** Shows points up to a level; null for none. */
  show(level: number | null): void {
    const last = this.upTo[Math.min(level ?? -1, this.upTo.length - 1)] ?? 0;
    this.geometry.setDrawRange(0, last);
    for (const o of this.objects) o.visible = last > 0;
  }

  /** Frees GPU memory. */
  dispose(): void {
    for (const o of this.objects) o.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
  }
}
