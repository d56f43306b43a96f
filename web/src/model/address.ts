// The page's state in its address: ?scene=…&set=friction.method=lp&compare=friction.method=yamane&recording=…&t=…&cam=…&layers=…
import type { Overrides } from "../protocol";

/** What an address says; what it leaves out is null. */
export interface Address {
  scene: string | null;
  set: Overrides;
  compare: Overrides | null;
  /** A recording of the server's folder, and a moment of it (s). */
  recording: string | null;
  time: number | null;
  cam: string | null;
  layers: string | null;
  token: string | null;
}

const LONGEST = 4000;

/** Reads the part of an address after the question mark. Nothing in it is trusted: what cannot be a key or a value is left out; which keys there are, the server says. */
export function readAddress(search: string): Address {
  const query = new URLSearchParams(search.slice(0, LONGEST));
  const word = (name: string, form: RegExp) => {
    const value = query.get(name);
    return value !== null && form.test(value) ? value : null;
  };
  const compare = overrides(query.getAll("compare"));
  return {
    scene: word("scene", /^[^\x00-\x1f\x7f]{1,4096}$/),
    set: overrides(query.getAll("set")),
    compare: Object.keys(compare).length > 0 ? compare : null,
    recording: word("recording", /^[A-Za-z0-9_-][\w.-]{0,58}\.mcap$/),
    time: moment(word("t", /^\d{1,7}(\.\d{1,6})?$/)),
    cam: word("cam", /^[\w.,:;+~-]{1,300}$/),
    layers: word("layers", /^[\w.,:-]{1,300}$/),
    token: word("token", /^[\x21-\x7e]{1,200}$/),
  };
}

const moment = (text: string | null) => (text === null ? null : Number(text));

function overrides(items: string[]): Overrides {
  const out: Overrides = {};
  for (const item of items.slice(0, 40)) {
    const cut = item.indexOf("=");
    if (cut < 0) continue;
    const [key, value] = [item.slice(0, cut), item.slice(cut + 1)];
    if (/^[a-z_]{1,40}(\.[a-z0-9_]{1,40}){1,4}$/.test(key) && /^[^\x00-\x1f\x7f]{1,100}$/.test(value)) out[key] = value;
  }
  return out;
}

/** Writes it: "" or "?…"; keys in order, so that the same state has the same address. */
export function writeAddress(address: Address): string {
  const parts: string[] = [];
  const add = (name: string, value: string | null) => {
    if (value !== null && value !== "") parts.push(`${name}=${escape(value)}`);
  };
  add("scene", address.scene);
  for (const key of Object.keys(address.set).sort()) add("set", `${key}=${address.set[key]}`);
  for (const key of Object.keys(address.compare ?? {}).sort()) add("compare", `${key}=${address.compare?.[key]}`);
  add("recording", address.recording);
  add("t", address.time === null ? null : String(Number(address.time.toFixed(3))));
  add("cam", address.cam);
  add("layers", address.layers);
  add("token", address.token);
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

/** As encodeURIComponent, but leaves what is plain in a query readable. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/%(3D|2C|3A|3B)/g, decodeURIComponent);
}
