// Surfaces lit at their vertices, for where the CPU makes the pixels: a fragment is a colour and nothing else. The lights are those of picture.ts.
import { Color, ShaderMaterial, type ShaderMaterialParameters } from "three";

const VERTEX = `
uniform vec3 colour;
varying vec3 lit;
#include <clipping_planes_pars_vertex>
void main() {
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
  vec3 n = normalize(normalMatrix * normal);
  if (dot(n, mvPosition.xyz) > 0.0) n = -n;
  vec3 sky = (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz;
  vec3 light = 1.9 * mix(vec3(0.456, 0.440, 0.413), vec3(1.0), 0.5 * dot(n, sky) + 0.5);
  light += 1.7 * max(0.0, dot(n, vec3(-0.349, 0.388, 0.853)));
  vec3 linear = min(vec3(1.0), colour * light / 3.14159265);
  lit = mix(1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, 12.92 * linear, vec3(lessThan(linear, vec3(0.0031308))));
}`;

const FRAGMENT = `
uniform float strength;
varying vec3 lit;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  gl_FragColor = vec4(lit, strength);
}`;

/** A material with a colour, lit at vertices from where the camera is; both sides are lit alike. */
export class VertexLit extends ShaderMaterial {
  readonly color: Color;

  constructor(parameters: ShaderMaterialParameters) {
    const color = new Color();
    super({ ...parameters, vertexShader: VERTEX, fragmentShader: FRAGMENT, clipping: true, uniforms: { colour: { value: color }, strength: { value: parameters.opacity ?? 1 } } });
    this.color = color;
  }
}
