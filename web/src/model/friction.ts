// How much of the friction that is there a part uses: the number of the gauge.
//
// The engine tells the margin s: the least factor on all friction limits, hence on µ, with which friction still holds the part against the load of the moment. What is used of the
// friction available is that factor: µ needed / µ static. The gauge says 100 % exactly while the part slides. Then s µ_static is the µ that holding it would
// take; it may be below µ static, since a part that slides has µ kinetic only. While the part holds, the gauge stays below 100 %.
import type { Lane, LaneFacts } from "../protocol";
import { apart, coefficient } from "./format";

/** What the gauge shows. */
export interface FrictionUse {
  /** Share used, 0 to 1; null if there is none to tell. */
  share: number | null;
  /** The number, or what stands for it. */
  value: string;
  /** What it means, in a few words. */
  words: string;
}

/** The most that the gauge shows of a part that holds: margins are older than the word by some hundredths of a second. */
const HELD = 0.99;

/** A µ beyond this is not told in digits. */
const MOST = 100;

/** The friction that a lane uses. */
export function frictionUse({ word, margin }: Pick<Lane, "word" | "margin">, { method, mu_static, mu_kinetic }: LaneFacts): FrictionUse {
  const needed = margin * mu_static;
  if (method === "none") return { share: null, value: "–", words: "there is no friction" };
  if (word === "slides") {
    const [needs, has] = apart(needed, mu_kinetic);
    const words = Number.isNaN(needed) ? `µ kinetic ${coefficient(mu_kinetic)}` : needed === Infinity ? "no µ would hold it" : needed <= mu_kinetic ? "it is being caught" : needed > MOST ? `needs µ above ${MOST}` : `needs µ ${needs}; kinetic ${has}`;
    return { share: 1, value: "100 %", words };
  }
  if (word !== "holds") return { share: null, value: "–", words: word === "rolls" ? "it rolls" : word === "undecided" ? "not known" : "nothing to hold" };
  if (Number.isNaN(margin)) return { share: null, value: "–", words: method === "yamane" ? "springs: no limit to tell" : "not known yet" };
  const share = Math.min(HELD, Math.max(0, margin));
  return { share, value: `${Math.floor(100 * share + 1e-9)} %`, words: `needs µ ${coefficient(share * mu_static)} of ${coefficient(mu_static)}` };
}
