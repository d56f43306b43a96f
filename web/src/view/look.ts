// Materials that all lanes share, so that a change of theme changes colours and nothing else.
import { Color, DoubleSide, FrontSide, GreaterDepth, LineBasicMaterial, MeshBasicMaterial, MeshLambertMaterial, PointsMaterial, type Material, type Plane } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { VertexLit } from "./lit";
import type { Theme } from "../theme";
import { paletteOf, type Palette } from "./colours";

/** Order of drawing: what is opaque, then what shows through it. */
export const ORDER = { parts: 0, inside: 1, held: 2, ghosts: 3, overlay: 5 };

/** Surfaces are drawn a little farther away than they are, so that their edges win. */
const BEHIND_EDGES = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

/** What is seen faintly where something hides it. */
const HIDDEN = { transparent: true, opacity: 0.35, depthWrite: false, depthFunc: GreaterDepth };

/** Makes points round and shades them like balls. */
function round(material: PointsMaterial): PointsMaterial {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      vec2 ball = 2.0 * gl_PointCoord - 1.0;
      float depth2 = 1.0 - dot(ball, ball);
      if (depth2 < 0.0) discard;
      diffuseColor.rgb *= 0.62 + 0.48 * dot(vec3(ball.x, -ball.y, sqrt(depth2)), vec3(-0.45, 0.5, 0.74));`,
    );
  };
  return material;
}

/** All materials and colours of the view. */
export class Look {
  palette: Palette = paletteOf("light");
  readonly fixed: MeshLambertMaterial | VertexLit;
  readonly held: MeshLambertMaterial | VertexLit;
  /** The held part where the fixed one hides it. */
  readonly heldHidden = new MeshBasicMaterial({ transparent: true, opacity: 0.22, depthWrite: false, depthFunc: GreaterDepth });
  /** Bodies that nobody holds, in a world of many. */
  readonly body: MeshLambertMaterial | VertexLit;
  readonly bodyEdge = new LineBasicMaterial();
  readonly fixedEdge = new LineBasicMaterial();
  readonly heldEdge = new LineBasicMaterial();
  readonly hand = new LineMaterial({ linewidth: 1.6, transparent: true, opacity: 0.85 });
  readonly handHidden = new LineMaterial({ linewidth: 1.2, transparent: true, opacity: 0.25, depthWrite: false, depthFunc: GreaterDepth });
  readonly handThin = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  readonly handThinHidden = new LineBasicMaterial({ transparent: true, opacity: 0.15, depthWrite: false, depthFunc: GreaterDepth });
  readonly grid = new LineBasicMaterial();
  /** Lit and coloured by instance: balls and arrows. */
  readonly solid = new MeshLambertMaterial();
  readonly solidHidden = new MeshBasicMaterial(HIDDEN);
  /** The same on top of everything. */
  readonly overlay = new MeshLambertMaterial({ transparent: true, opacity: 0.95, depthTest: false });
  /** Coloured by vertex, for where the CPU makes the pixels: arrows, dots, paths. */
  readonly flat = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide });
  readonly flatHidden = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, ...HIDDEN });
  readonly dot = round(new PointsMaterial({ vertexColors: true }));
  readonly dotHidden = round(new PointsMaterial({ vertexColors: true, ...HIDDEN }));
  /** Contact areas and their rims, coloured by vertex. */
  readonly area = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, transparent: true, opacity: 0.6, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2 });
  readonly areaHidden = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, ...HIDDEN });
  readonly rim = new LineBasicMaterial({ vertexColors: true });
  readonly rimHidden = new LineBasicMaterial({ vertexColors: true, ...HIDDEN, opacity: 0.8 });
  readonly cone = new MeshLambertMaterial({ side: DoubleSide, transparent: true, opacity: 0.26, depthWrite: false });
  /** Colours for instances, linear. */
  readonly colours = Object.fromEntries(Object.keys(this.palette).map((name) => [name, new Color()])) as Record<keyof Palette, Color>;

  /** `fine`: round things may have many faces; else the CPU draws, and each counts. */
  constructor(
    theme: Theme,
    readonly fine: boolean,
  ) {
    const Surface = fine ? MeshLambertMaterial : VertexLit;
    this.fixed = new Surface({ side: DoubleSide, ...BEHIND_EDGES });
    this.held = new Surface({ side: FrontSide, transparent: true, opacity: 0.9, ...BEHIND_EDGES });
    this.body = new Surface({ side: FrontSide, ...BEHIND_EDGES });
    this.setTheme(theme);
  }

  /** Takes the colours of a theme. Colours by instance follow at the next drawing. */
  setTheme(theme: Theme): void {
    const p = (this.palette = paletteOf(theme));
    this.fixed.color.set(p.fixed);
    this.held.color.set(p.held);
    this.heldHidden.color.set(p.held);
    this.body.color.set(p.body);
    this.bodyEdge.color.set(p.bodyEdge);
    this.fixedEdge.color.set(p.fixedEdge);
    this.heldEdge.color.set(p.heldEdge);
    for (const m of [this.hand, this.handHidden, this.handThin, this.handThinHidden]) m.color.set(p.hand);
    this.grid.color.set(p.grid);
    for (const name of Object.keys(p) as (keyof Palette)[]) this.colours[name].set(p[name]);
  }

  /** Bold lines stay as wide as they look with fewer pixels. */
  setPixelRatio(ratio: number): void {
    this.hand.linewidth = Math.max(1.2, 1.6 * ratio);
    this.handHidden.linewidth = Math.max(1, 1.2 * ratio);
  }

  /** Cuts a part open at a plane of the world; null: leaves it whole. */
  cut(part: "held" | "fixed", plane: Plane | null): void {
    const cut: Material[] = part === "held" ? [this.held, this.heldHidden, this.heldEdge] : [this.fixed, this.fixedEdge];
    for (const m of cut) if ((m.clippingPlanes?.[0] ?? null) !== plane) m.clippingPlanes = plane ? [plane] : null;
  }
}

