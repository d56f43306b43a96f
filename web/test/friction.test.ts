import { describe, expect, it } from "vitest";
import { frictionUse } from "../src/model/friction";
import type { LaneFacts, Motion } from "../src/protocol";

const FACTS: LaneFacts = { method: "hold", label: "", mu_static: 0.5, mu_kinetic: 0.4 };
const use = (word: Motion | undefined, margin: number, facts = FACTS) => frictionUse({ word, margin }, facts);

describe("friction used of what is available", () => {
  it("is µ needed over µ static while the part holds", () => {
    expect(use("holds", 0.625)).toEqual({ share: 0.625, value: "62 %", words: "needs µ 0.31 of 0.50" });
    expect(use("holds", 0).value).toBe("0 %");
  });

  it("is 100 % exactly while it slides, whatever the margin of the moment", () => {
    for (const margin of [0.2, 0.999, 1, 1.4, Infinity, NaN]) {
      expect(use("slides", margin)).toMatchObject({ share: 1, value: "100 %" });
      expect(use("holds", margin).value).not.toBe("100 %");
    }
  });

  it("says the µ that would be needed while it slides", () => {
    expect(use("slides", 1.68).words).toBe("needs µ 0.84; kinetic 0.40");
    expect(use("slides", 0.7).words).toBe("it is being caught");
    expect(use("slides", 6e4).words).toBe("needs µ above 100");
    expect(use("slides", Infinity).words).toBe("no µ would hold it");
  });

  it("never needs just what it has, and shows small coefficients", () => {
    expect(use("slides", 0.8004).words).toBe("needs µ 0.401; kinetic 0.400");
    expect(use("holds", 0.96, { ...FACTS, mu_static: 0.025 }).words).toBe("needs µ 0.024 of 0.025");
  });

  it("never says of a part without friction that it is held", () => {
    for (const word of ["holds", "slides", "free", "no friction", undefined] as const) {
      const told = use(word, 0.3, { ...FACTS, method: "none" });
      expect(told).toEqual({ share: null, value: "–", words: "there is no friction" });
    }
  });

  it("is nothing for a part in the air, or where nothing is known", () => {
    expect(use("free", NaN).share).toBeNull();
    expect(use("holds", NaN).share).toBeNull();
    expect(use("rolls", 0.1).share).toBeNull();
  });
});
