// What is drawn, as a short text for the address.
import { DEFAULT_LAYERS, type Layers } from "../view/contract";

type Switch = "contacts" | "normalForces" | "frictionForces" | "totalWrench" | "givesWay" | "cones" | "hand" | "path";

/** Layers that are on or off, with their names in the address. */
export const SWITCHES: readonly (readonly [Switch, string])[] = [
  ["contacts", "contacts"],
  ["normalForces", "normal"],
  ["frictionForces", "friction"],
  ["totalWrench", "total"],
  ["givesWay", "weakest"],
  ["cones", "cones"],
  ["hand", "hand"],
  ["path", "path"],
];

/** "contacts,normal,shell:3,slice:held.z.0.5,arrows:0.01"; null for the default. */
export function layersText(layers: Layers): string | null {
  const words = SWITCHES.filter(([key]) => layers[key]).map(([, name]) => name);
  if (layers.shellLevel !== null) words.push(`shell:${layers.shellLevel}`);
  if (layers.slice) words.push(`slice:${layers.slice.part}.${layers.slice.axis}.${Number(layers.slice.at.toFixed(3))}`);
  if (layers.metresPerNewton !== null) words.push(`arrows:${Number(layers.metresPerNewton.toPrecision(3))}`);
  const text = words.length > 0 ? words.join(",") : "none";
  return layers === DEFAULT_LAYERS || text === plain() ? null : text;
}

function plain(): string {
  return SWITCHES.filter(([key]) => DEFAULT_LAYERS[key])
    .map(([, name]) => name)
    .join(",");
}

/** Reads it back; what it does not know is left out. */
export function readLayers(text: string | null): Layers {
  if (text === null) return { ...DEFAULT_LAYERS };
  const layers: Layers = { ...DEFAULT_LAYERS };
  const words = text.slice(0, 300).split(",");
  for (const [key, name] of SWITCHES) layers[key] = words.includes(name);
  for (const word of words) {
    const [name, value = ""] = word.split(":");
    if (name === "shell" && /^\d{1,2}$/.test(value)) layers.shellLevel = Number(value);
    if (name === "slice") layers.slice = readSlice(value);
    if (name === "arrows" && Number(value) > 0 && Number(value) <= 10) layers.metresPerNewton = Number(value);
  }
  return layers;
}

function readSlice(text: string): Layers["slice"] {
  const found = /^(held|fixed)\.([xyz])\.(\d(?:\.\d{1,6})?)$/.exec(text);
  const at = Number(found?.[3] ?? NaN);
  if (!found || !(at >= 0 && at <= 1)) return null;
  return { part: found[1] as "held" | "fixed", axis: found[2] as "x" | "y" | "z", at };
}
