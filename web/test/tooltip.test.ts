// The card beside the pointer: what it is called, and that it leaves the parked hand's button free.
import { describe, expect, it } from "vitest";
import { clearOf, contactTitle } from "../src/panels/tooltip";
import type { Lane } from "../src/protocol";

/** A lane with contacts of these numbers, and these columns in its row. */
const lane = (ids: number[], row: Record<string, unknown>) => ({ row, contacts: { count: ids.length, id: Uint32Array.from(ids) } }) as unknown as Lane;

describe("the title of a contact", () => {
  const formation = { contact1_kind: "face-face", contact1_held: 4, contact1_fixed: 5, contact2_kind: "vertex-face", contact2_held: 258, contact2_fixed: 6, contact3_kind: "none", contact3_held: 0, contact3_fixed: 0 };

  it("names the elements of contact formations", () => {
    expect(contactTitle(lane([67108869], formation), 0)).toBe("face 4 of the part on face 5");
  });
  it("has elements whose number a frame cuts off", () => {
    expect(contactTitle(lane([67108869, 2 * 2 ** 24 + 6], formation), 1)).toBe("vertex 258 of the part on face 6");
  });
  it("is the number where the row is of another contact, or tells none", () => {
    expect(contactTitle(lane([9], formation), 0)).toBe("Contact 9");
    expect(contactTitle(lane([9, 9, 0], formation), 2)).toBe("Contact 0");
    expect(contactTitle(lane([1234], {}), 0)).toBe("Contact 1234");
  });
});

describe("the place of the card", () => {
  const pill = { left: 100, right: 300, top: 400, bottom: 440 };

  it("stays where it covers nothing", () => {
    expect(clearOf(250, [110, 230, 150], pill)).toBe(250);
    expect(clearOf(380, [310, 230, 150], pill)).toBe(380);
    expect(clearOf(0, [0, 0, 0], { left: 0, right: 0, top: 0, bottom: 0 })).toBe(0);
  });
  it("is above the button that it would cover, or below where there is no room", () => {
    expect(clearOf(380, [110, 230, 150], pill)).toBe(246);
    expect(clearOf(20, [110, 230, 150], { ...pill, top: 100, bottom: 140 })).toBe(144);
  });
});
