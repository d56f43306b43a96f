// A faint grid under the parts, and a small triad of the world's axes in a corner of the picture.
import { BufferAttribute, BufferGeometry, CanvasTexture, Group, LineBasicMaterial, LineSegments, OrthographicCamera, Scene, Sprite, SpriteMaterial, type WebGLRenderer } from "three";
import { toWorld } from "../input/pose";
import type { Vec3, World } from "../protocol";
import type { Palette } from "./colours";
import type { Look } from "./look";
import { corners } from "./orbit";
import { nice } from "./scale";

/** The grid: lines a nice distance apart, level with the lowest corner of the fixed part. */
export function floorGrid(world: World, look: Look): LineSegments {
  const fixed = corners(world.fixed_box).map((c) => toWorld(world.world_from_fixed, c));
  const step = nice(0.6 * world.radius);
  const low = Math.min(...fixed.map((c) => c[2])) - 0.002 * world.radius;
  const n = 14;
  const [x0, y0] = [Math.round(world.start[0] / step) * step, Math.round(world.start[1] / step) * step];
  const points: number[] = [];
  for (let i = -n; i <= n; i++) {
    points.push(x0 + i * step, y0 - n * step, low, x0 + i * step, y0 + n * step, low);
    points.push(x0 - n * step, y0 + i * step, low, x0 + n * step, y0 + i * step, low);
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
  return new LineSegments(geometry, look.grid);
}

/** The world's axes with their letters. */
export class Triad {
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0, 10);
  private readonly content = new Group();
  private readonly trash: { dispose(): void }[] = [];

  constructor() {
    this.camera.up.set(0, 0, 1);
    this.scene.add(this.content);
  }

  /** Takes the colours of a theme. */
  setPalette(p: Palette): void {
    this.dispose();
    this.content.clear();
    const axes: [string, string, Vec3][] = [["x", p.axisX, [1, 0, 0]], ["y", p.axisY, [0, 1, 0]], ["z", p.axisZ, [0, 0, 1]]];
    for (const [name, colour, to] of axes) {
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from([0, 0, 0, ...to]), 3));
      const line = new LineBasicMaterial({ color: colour });
      const map = letter(name, colour);
      const label = new SpriteMaterial({ map, depthTest: false });
      const sprite = new Sprite(label);
      sprite.position.set(to[0] * 1.28, to[1] * 1.28, to[2] * 1.28);
      sprite.scale.setScalar(0.62);
      this.content.add(new LineSegments(geometry, line), sprite);
      this.trash.push(geometry, line, map, label);
    }
  }

  /** Draws it into a square of the picture, seen as the parts are. */
  draw(renderer: WebGLRenderer, forward: Vec3, x: number, y: number, size: number): void {
    this.camera.position.set(-5 * forward[0], -5 * forward[1], -5 * forward[2]);
    this.camera.lookAt(0, 0, 0);
    renderer.setViewport(x, y, size, size);
    renderer.setScissor(x, y, size, size);
    renderer.clearDepth();
    renderer.render(this.scene, this.camera);
  }

  /** Frees GPU memory. */
  dispose(): void {
    for (const t of this.trash.splice(0)) t.dispose();
  }
}

function letter(name: string, colour: string): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const g = canvas.getContext("2d");
  if (g) {
    g.font = "600 46px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillStyle = colour;
    g.fillText(name, 32, 32);
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = "srgb";
  return map;
}
