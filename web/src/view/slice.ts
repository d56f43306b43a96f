// A slice of a distance field: colours by sign and distance, lines of equal distance, and the surface as a bold line. The lines are
// made for each pixel, so that they stay thin however near the camera is.
import { BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, FloatType, Mesh, NearestFilter, RedFormat, ShaderMaterial, Vector2, Vector3 } from "three";
import { add, cross, length, scale, unit } from "../input/pose";
import type { Slice, Vec3 } from "../protocol";
import type { Palette } from "./colours";
import type { SliceFacts } from "./contract";
import { nice } from "./scale";

/** Distances that can be drawn: what is not finite becomes as far outside as anything, or inside if it is minus infinity. */
export function cleaned(distances: Float32Array): { values: Float32Array; deepest: number; farthest: number } {
  let [deepest, farthest] = [0, 0];
  for (const d of distances) {
    if (!Number.isFinite(d)) continue;
    deepest = Math.max(deepest, -d);
    farthest = Math.max(farthest, d);
  }
  return { values: distances.map((d) => (Number.isFinite(d) ? d : d < 0 ? -deepest : farthest)), deepest, farthest };
}

/** Distance between lines (m): at least 3 cells of the grid, and at most some 20 lines to the largest distance. */
export function lineSpacing(slice: Slice, largest: number): number {
  const cell = Math.max(length(slice.u), length(slice.v));
  const least = Math.max(3 * cell, largest / 20);
  const next = [1, 2, 2.5].map((k) => nice(k * least)).find((x) => x >= least);
  return next ?? 10 * nice(least);
}

/** Normal of the slice's plane, and a point on it, in the part's axes. */
export const planeOf = (s: Slice): { normal: Vec3; point: Vec3 } => ({ normal: unit(cross(s.u, s.v)), point: s.origin });

const VERTEX = `
attribute vec2 cell;
varying vec2 at;
void main() {
  at = cell;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
precision highp sampler2D;
uniform sampler2D field;
uniform vec2 last;
uniform float spacing;
uniform float deepest;
uniform float farthest;
uniform float size;
uniform vec3 inside;
uniform vec3 outside;
uniform vec3 surface;
uniform vec3 paper;
varying vec2 at;
float d(ivec2 i) { return texelFetch(field, clamp(i, ivec2(0), ivec2(last)), 0).r; }
void main() {
  ivec2 i = ivec2(floor(at));
  vec2 f = at - vec2(i);
  float a = d(i), b = d(i + ivec2(1, 0)), c = d(i + ivec2(0, 1)), e = d(i + ivec2(1, 1));
  float x = mix(mix(a, b, f.x), mix(c, e, f.x), f.y);
  float slope = length(vec2(mix(b - a, e - c, f.y), mix(c - a, e - b, f.x))) / size;
  float pixel = max(fwidth(x), 1e-12);
  float far = min(1.0, abs(x) / (x < 0.0 ? deepest : farthest));
  vec3 colour = mix(paper, x < 0.0 ? inside : outside, (x < 0.0 ? 0.35 : 0.14) + 0.5 * sqrt(far));
  float step = x / spacing;
  float line = abs(step - floor(step + 0.5)) * spacing / pixel;
  float clear = smoothstep(0.05, 0.2, slope) * clamp(spacing / pixel / 6.0 - 0.3, 0.0, 1.0);
  colour = mix(colour, surface, 0.3 * clear * (1.0 - smoothstep(0.4, 1.3, line)));
  float zero = smoothstep(0.01, 0.05, slope) * (1.0 - smoothstep(1.2, 2.2, abs(x) / pixel));
  colour = mix(colour, surface, zero);
  gl_FragColor = vec4(colour, x < 0.0 ? 0.96 : mix(0.8, 0.96, zero));
  #include <colorspace_fragment>
}`;

/** The slice on the GPU; one texture, with an object for each lane that shows it. */
export class SliceView {
  readonly objects: Mesh[] = [];
  private readonly texture: DataTexture;
  private readonly geometry = new BufferGeometry();
  private readonly material: ShaderMaterial;

  constructor(
    readonly slice: Slice,
    private palette: Palette,
  ) {
    const { columns, rows, origin, u, v } = slice;
    const { values, deepest, farthest } = cleaned(slice.distances);
    this.texture = new DataTexture(values, columns, rows, RedFormat, FloatType, undefined, undefined, undefined, NearestFilter, NearestFilter);
    this.texture.unpackAlignment = 4;
    this.texture.needsUpdate = true;
    const [i, j] = [columns - 1, rows - 1];
    const corners = [origin, add(origin, scale(u, i)), add(add(origin, scale(u, i)), scale(v, j)), add(origin, scale(v, j))];
    this.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flat()), 3));
    this.geometry.setAttribute("cell", new BufferAttribute(Float32Array.from([0, 0, i, 0, i, j, 0, j]), 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      transparent: true,
      uniforms: {
        field: { value: this.texture },
        last: { value: new Vector2(i, j) },
        spacing: { value: lineSpacing(slice, Math.max(deepest, farthest)) },
        deepest: { value: deepest || 1 },
        farthest: { value: farthest || 1 },
        size: { value: (length(u) + length(v)) / 2 },
        inside: { value: new Vector3() },
        outside: { value: new Vector3() },
        surface: { value: new Vector3() },
        paper: { value: new Vector3() },
      },
    });
    this.setPalette(palette);
  }

  /** Where the slice is along its axis, in the part's axes, and what its colours and lines mean (m). */
  facts(axis: "x" | "y" | "z"): Omit<SliceFacts, "part" | "axis"> {
    const { inside, outside, surface, background } = this.palette;
    const { spacing, deepest, farthest } = this.material.uniforms;
    const position = this.slice.origin["xyz".indexOf(axis)] ?? NaN;
    return { position, deepest: deepest?.value, farthest: farthest?.value, spacing: spacing?.value, colours: { inside, outside, surface, paper: background } };
  }

  /** Takes the colours of a theme. */
  setPalette(p: Palette): void {
    this.palette = p;
    for (const [name, css] of [["inside", p.inside], ["outside", p.outside], ["surface", p.surface], ["paper", p.background]] as const) {
      const c = new Color(css);
      (this.material.uniforms[name]?.value as Vector3).set(c.r, c.g, c.b);
    }
  }

  /** Another object that shows the slice. */
  object(): Mesh {
    const mesh = new Mesh(this.geometry, this.material);
    mesh.renderOrder = 0.5;
    this.objects.push(mesh);
    return mesh;
  }

  /** Frees GPU memory. */
  dispose(): void {
    for (const o of this.objects) o.removeFromParent();
    this.texture.dispose();
    this.geometry.dispose();
    this.material.dispose();
  }
}
