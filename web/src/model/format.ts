// Numbers as the page writes them: tabular, with a real minus sign, and with units that fit.

/** What stands for a number that is unknown. */
export const UNKNOWN = "–";

/** A number with so many decimals; −0 is 0, NaN is a dash. */
export function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return UNKNOWN;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** Three digits with a prefix: 0.000112 s is "112 µs". What is below a thousandth of the smallest prefix is 0. */
export function si(value: number, unit: string): string {
  if (!Number.isFinite(value)) return `${fixed(value, 0)} ${unit}`;
  if (Math.abs(value) < 1e-12) return `0 ${unit}`;
  const size = Math.abs(value);
  const [scale, prefix] = PREFIXES.find(([s]) => size >= 0.9995 * s) ?? ([1e-9, "n"] as [number, string]);
  return `${digits(value / scale, 3)} ${prefix}${unit}`;
}

/** So many digits, without an exponent: 12.3, 0.0123, 12300. */
export function digits(value: number, count: number): string {
  if (!Number.isFinite(value) || value === 0) return fixed(value, 0);
  const before = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(count))))) + 1;
  return fixed(value, Math.min(12, Math.max(0, count - before)));
}

/** A friction coefficient: two decimals, three where it is small. */
export function coefficient(mu: number): string {
  return fixed(mu, mu < 0.0995 ? 3 : 2);
}

/** A coefficient that is needed and a smaller one that is there, with as many decimals as it takes to tell them apart (three at most), the first rounded up. */
export function apart(needed: number, has: number): [string, string] {
  const up = (decimals: number) => fixed(Math.ceil(needed * 10 ** decimals - 1e-9) / 10 ** decimals, decimals);
  const decimals = coefficient(needed) === coefficient(has) || has < 0.0995 ? 3 : 2;
  return [decimals === 2 ? coefficient(needed) : up(3), fixed(has, decimals)];
}

/** A length that something crept: µm with a decimal up to a millimetre, then mm. */
export function creep(metres: number): string {
  if (!Number.isFinite(metres)) return UNKNOWN;
  const micro = Math.abs(metres) * 1e6;
  return micro < 999.95 ? `${fixed(micro, 1)} µm` : `${fixed(micro / 1000, 2)} mm`;
}

/** A share as percent. */
export function percent(share: number): string {
  return Number.isFinite(share) ? `${fixed(100 * share, 0)} %` : UNKNOWN;
}

/** Bytes in decimal units. */
export function bytes(count: number): string {
  if (!(count >= 0)) return UNKNOWN;
  if (count < 1000) return `${count} B`;
  if (count < 999_950) return `${fixed(count / 1e3, 1)} kB`;
  if (count < 999_950_000) return `${fixed(count / 1e6, 1)} MB`;
  return `${fixed(count / 1e9, 1)} GB`;
}

/** A share of real time: 1, 1/4, 1/10, 1/100. */
export function speed(value: number): string {
  if (value === 1) return "1×";
  const inverse = 1 / value;
  return Math.abs(inverse - Math.round(inverse)) < 1e-6 ? `1/${Math.round(inverse)}×` : `${digits(value, 2)}×`;
}

/** One thing, or several: plural(2, "page") is "2 pages". */
export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
