// Renderer, camera and lights: makes the pictures, one for each lane, and knows what is where in them.
import { DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, type WebGLRenderer } from "three";
import type { Ray } from "../input/drag";
import type { Vec3 } from "../protocol";
import type { Look } from "./look";
import { basisOf, eyeOf, halfView, projected, rayOf, type Orbit } from "./orbit";
import { Triad } from "./triad";
import { pictures, toPixels, toUnit, type Rect } from "./screen";

/** The pictures of all lanes. */
export class Picture {
  readonly scene = new Scene();
  orbit: Orbit = { target: [0, 0, 0], distance: 1, azimuth: -1, elevation: 0.5 };
  lanes = 1;
  lost = false;
  private readonly lens = new PerspectiveCamera();
  private readonly sun = new DirectionalLight(0xffffff, 1.7);
  private readonly triad = new Triad();
  private width = 1;
  private height = 1;

  constructor(
    private readonly host: HTMLElement,
    private readonly renderer: WebGLRenderer,
    private readonly look: Look,
    private readonly onRestored: () => void,
  ) {
    const { canvas } = this;
    canvas.style.display = "block";
    host.append(canvas, this.triad.element);
    const sky = new HemisphereLight(0xffffff, 0xb4b1ac, 1.9);
    sky.position.set(0, 0, 1);
    this.scene.add(sky, this.sun, this.sun.target);
    canvas.addEventListener("webglcontextlost", (e) => this.lose(e));
    canvas.addEventListener("webglcontextrestored", () => this.restore());
    this.recolour();
    this.resize();
  }

  /** The element that the pictures are in. */
  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Pixels of the device for one of the page. */
  get pixelRatio(): number {
    return this.renderer.getPixelRatio();
  }

  /** Takes another number of pixels; what was drawn is gone then. */
  setPixelRatio(ratio: number): void {
    if (ratio === this.pixelRatio) return;
    this.renderer.setPixelRatio(ratio);
    this.look.setPixelRatio(ratio);
  }

  /** Rectangles of the lanes' pictures. */
  rects(): Rect[] {
    return pictures(this.width, this.height, this.lanes);
  }

  /** The rectangle of one lane's picture. */
  rect(lane: number): Rect {
    const all = this.rects();
    return all[lane] ?? all[0] ?? { x: 0, y: 0, width: 1, height: 1 };
  }

  /** Pixels of a lane's picture for a metre across the view, at what the camera looks at. */
  pixelsPerMetre(lane: number): number {
    const { width, height } = this.rect(lane);
    return height / (2 * halfView(width / height) * this.orbit.distance);
  }

  /** The ray of sight through a place in a lane's picture. */
  ray(x: number, y: number, lane: number): Ray {
    const r = this.rect(lane);
    return rayOf(this.orbit, ...toUnit(r, x, y), r.width / r.height);
  }

  /** Where a point of the world is in a lane's picture (pixels of the host); null behind the camera. */
  project(point: Vec3, lane: number): [number, number] | null {
    const r = this.rect(lane);
    const [x, y, depth] = projected(this.orbit, point, r.width / r.height);
    return depth > 0 ? toPixels(r, x, y) : null;
  }

  /** Takes the size of the host; false if it has not changed. */
  resize(): boolean {
    const [width, height] = [Math.max(1, this.host.clientWidth), Math.max(1, this.host.clientHeight)];
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height);
    return true;
  }

  /** Takes the colours of the theme. */
  recolour(): void {
    this.triad.setPalette(this.look.palette);
  }

  /** Draws every lane; `prepare` is called before each with the lane and the camera's place. */
  draw(reach: number, prepare: (lane: number, eye: Vec3) => void): void {
    const { renderer } = this;
    const rects = this.rects();
    const { background, divider } = this.look.palette;
    renderer.setScissorTest(false);
    renderer.setClearColor(rects.length > 1 ? divider : background);
    renderer.clear();
    renderer.setScissorTest(true);
    renderer.setClearColor(background);
    rects.forEach((r, lane) => {
      this.aim(r, reach);
      renderer.setViewport(r.x, 0, r.width, r.height);
      renderer.setScissor(r.x, 0, r.width, r.height);
      if (rects.length > 1) renderer.clear();
      prepare(lane, eyeOf(this.orbit));
      renderer.render(this.scene, this.lens);
    });
    this.triad.turn(basisOf(this.orbit));
  }

  private aim(r: Rect, reach: number): void {
    const { orbit, lens } = this;
    const eye = eyeOf(orbit);
    const { right, up, forward } = basisOf(orbit);
    lens.aspect = r.width / r.height;
    lens.fov = (2 * Math.atan(halfView(lens.aspect)) * 180) / Math.PI;
    lens.near = 0.02 * orbit.distance;
    lens.far = 2 * orbit.distance + 4 * reach;
    lens.position.set(...eye);
    lens.up.set(...up);
    lens.lookAt(...orbit.target);
    lens.updateProjectionMatrix();
    const at = (k: 0 | 1 | 2) => eye[k] + orbit.distance * (0.5 * up[k] - 0.45 * right[k] - 0.1 * forward[k]);
    this.sun.position.set(at(0), at(1), at(2));
    this.sun.target.position.set(...orbit.target);
  }

  private lose(e: Event): void {
    e.preventDefault();
    this.lost = true;
  }

  private restore(): void {
    this.lost = false;
    this.onRestored();
  }
}

