// Shapes of the two parts on the GPU, and the objects that show them.
import { BufferAttribute, BufferGeometry, Group, LineSegments, Mesh, type Object3D } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { DisplayMesh, PoseArray } from "../protocol";
import { ORDER, type Look } from "./look";
import { outline, shaded } from "./mesh";

/** With more lines than this they are drawn thin: bold ones would hide the part. */
const BOLD_LINES = 120;

/** A part's surface and its lines, shared by all objects that show it. */
export class Shape {
  readonly surface = new BufferGeometry();
  readonly lines = new BufferGeometry();
  /** The same lines, wider than a pixel; null if there are too many. */
  readonly bold: LineSegmentsGeometry | null;

  /** `standIn`: only its lines are shown. */
  constructor(
    readonly mesh: DisplayMesh,
    readonly standIn = false,
  ) {
    const { positions, normals } = shaded(mesh);
    this.surface.setAttribute("position", new BufferAttribute(positions, 3));
    this.surface.setAttribute("normal", new BufferAttribute(normals, 3));
    const lines = outline(mesh);
    this.lines.setAttribute("position", new BufferAttribute(lines, 3));
    this.bold = lines.length > 0 && lines.length <= 6 * BOLD_LINES ? new LineSegmentsGeometry().setPositions(lines) : null;
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.surface.dispose();
    this.lines.dispose();
    this.bold?.dispose();
  }
}

/** Puts an object where a pose says. */
export function place(object: Object3D, [x, y, z, qw, qx, qy, qz]: PoseArray): void {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw);
}

/** The fixed part. */
export function fixedPart(shape: Shape, look: Look): Group {
  const lines = new LineSegments(shape.lines, look.fixedEdge);
  return shape.standIn ? new Group().add(lines) : new Group().add(new Mesh(shape.surface, look.fixed), lines);
}

/** The held part, a little translucent, so that contacts behind it show, and faint where the fixed part hides it. */
export function heldPart(shape: Shape, look: Look): Group {
  const surface = new Mesh(shape.surface, look.held);
  const hidden = new Mesh(shape.surface, look.heldHidden);
  const lines = new LineSegments(shape.lines, look.heldEdge);
  surface.renderOrder = ORDER.held;
  hidden.renderOrder = ORDER.held + 0.5;
  return shape.standIn ? new Group().add(lines) : new Group().add(surface, hidden, lines);
}

/** The hand: lines of the held part, also where something hides them. */
export function handLines(shape: Shape, look: Look): Group {
  const { bold } = shape;
  const seen = bold ? new LineSegments2(bold, look.hand) : new LineSegments(shape.lines, look.handThin);
  const hidden = bold ? new LineSegments2(bold, look.handHidden) : new LineSegments(shape.lines, look.handThinHidden);
  seen.renderOrder = ORDER.inside;
  hidden.renderOrder = ORDER.ghosts;
  return new Group().add(seen, hidden);
}
