// The wrench that the hand feels: a bold arrow for the force and a curved one for the torque, both at the part's centre.
import { Group } from "three";
import type { Vec3, Wrench } from "../protocol";
import { Arc, SECTORS } from "./arc";
import { Arrows } from "./arrows";
import { ORDER, type Look } from "./look";

/** Sectors of the curved arrow for a torque: none below a fiftieth of the largest, all at the largest. */
export function sectorsOf(torque: number, maxTorque: number): number {
  const share = maxTorque > 0 && Number.isFinite(torque) ? Math.min(1, torque / maxTorque) : 0;
  return share < 0.02 ? 0 : Math.max(4, Math.round(share * SECTORS));
}

/** The drawn wrench of one lane. */
export class WrenchView {
  readonly group = new Group();
  private readonly arrow: Arrows;
  private readonly arc = new Arc(0.035);

  constructor(private readonly look: Look) {
    this.arrow = new Arrows([[look.overlay, ORDER.overlay]], 1, 14);
    this.group.add(this.arrow.group, this.arc.group);
  }

  /** Takes the wrench of a frame about the part's centre. */
  update(centre: Vec3, [fx, fy, fz, tx, ty, tz]: Wrench, radius: number, metres: number, maxTorque: number): void {
    this.arrow.begin();
    this.arrow.push(...centre, fx * metres, fy * metres, fz * metres, 0.03 * radius, this.look.colours.wrench);
    this.arrow.end();
    const torque = Math.hypot(tx, ty, tz);
    const sectors = sectorsOf(torque, maxTorque);
    this.arc.group.visible = sectors > 0;
    if (sectors > 0) this.arc.update(centre, [tx / torque, ty / torque, tz / torque], 0.42 * radius, sectors / SECTORS, this.look.colours.wrench);
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.arrow.dispose();
    this.arc.dispose();
  }
}
