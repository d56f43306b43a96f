// Shapes of the two parts on the GPU, and the objects that show them.
import { BufferAttribute, BufferGeometry, Group, LineSegments, Mesh, type Object3D } from "three";
import type { DisplayMesh, PoseArray } from "../protocol";
import { ORDER, type Look } from "./look";
import { outline, shaded } from "./mesh";

/** A part's surface and its lines, shared by all objects that show it. */
export class Shape {
  readonly surface = new BufferGeometry();
  readonly lines = new BufferGeometry();

  constructor(readonly mesh: DisplayMesh) {
    const { positions, normals } = shaded(mesh);
    this.surface.setAttribute("position", new BufferAttribute(positions, 3));
    this.surface.setAttribute("normal", new BufferAttribute(normals, 3));
    this.lines.setAttribute("position", new BufferAttribute(outline(mesh), 3));
  }

  /** Frees GPU memory. */
  dispose(): void {
    this.surface.dispose();
    this.lines.dispose();
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
  return new Group().add(new Mesh(shape.surface, look.fixed), lines);
}

/** The held part: translucent, so that contacts behind it show, and faint where the fixed part hides it. */
export function heldPart(shape: Shape, look: Look): Group {
  const surface = new Mesh(shape.surface, look.held);
  const hidden = new Mesh(shape.surface, look.heldHidden);
  const lines = new LineSegments(shape.lines, look.heldEdge);
  surface.renderOrder = ORDER.held;
  hidden.renderOrder = ORDER.held + 0.5;
  return new Group().add(surface, hidden, lines);
}

/** The hand: lines of the held part, also where something hides them. */
export function handLines(shape: Shape, look: Look): Group {
  const seen = new LineSegments(shape.lines, look.hand);
  const hidden = new LineSegments(shape.lines, look.handHidden);
  seen.renderOrder = ORDER.inside;
  hidden.renderOrder = ORDER.ghosts;
  return new Group().add(seen, hidden);
}
