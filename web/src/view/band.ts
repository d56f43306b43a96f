// The rubber band between the hand and the part: from the grabbed point of the one to the same point of the other.
import { CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { toWorld } from "../input/pose";
import type { PoseArray, Vec3 } from "../protocol";
import { ORDER, type Look } from "./look";

const ALONG = new Vector3(0, 0, 1);

/** The drawn rubber band of one lane. */
export class Band {
  readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false });
  private readonly tube = new Mesh(new CylinderGeometry(1, 1, 1, 10, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), this.material);
  private readonly ends = [0, 1].map(() => new Mesh(new SphereGeometry(1, 12, 8), this.material));

  constructor(private readonly look: Look) {
    this.group.add(this.tube, ...this.ends);
    for (const m of this.group.children) m.renderOrder = ORDER.overlay;
  }

  /** Spans it between hand and part at a point of the part's axes; `share` is the force over the coupling's largest. */
  update(hand: PoseArray, part: PoseArray, grabbed: Vec3, share: number, radius: number): void {
    const from = new Vector3(...toWorld(hand, grabbed));
    const way = new Vector3(...toWorld(part, grabbed)).sub(from);
    const long = way.length();
    const thick = 0.011 * radius;
    this.group.visible = long > 0.5 * thick;
    if (!this.group.visible) return;
    this.material.color.lerpColors(this.look.colours.hand, this.look.colours.taut, Math.max(0, Math.min(1, share || 0)));
    this.tube.position.copy(from);
    this.tube.quaternion.setFromUnitVectors(ALONG, way.clone().divideScalar(long));
    this.tube.scale.set(thick, thick, long);
    this.ends[0]?.position.copy(from);
    this.ends[1]?.position.copy(from).add(way);
    this.ends.forEach((e, i) => e.scale.setScalar((i === 0 ? 2.6 : 2) * thick));
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.tube.geometry.dispose();
    for (const e of this.ends) e.geometry.dispose();
    this.material.dispose();
  }
}
