import { expect, test } from "vitest";
import { Sharpness } from "../src/view/sharpness";

test("slow drawings get fewer pixels while something is moved, and all when it rests", () => {
  const s = new Sharpness();
  for (let t = 0; t < 500; t += 50) {
    s.move(t);
    s.took(60, t);
  }
  expect(s.ratio(460)).toBe(0.75);
  expect(s.wait(0.75, 460)).toBeGreaterThan(250);
  expect(s.ratio(900)).toBe(1);
  expect(s.wait(1, 900)).toBeNull();
});

test("one slow drawing changes nothing, and drawings at rest do not count", () => {
  const s = new Sharpness();
  s.move(0);
  s.took(200, 0);
  s.took(10, 10);
  s.took(200, 20);
  expect(s.ratio(20)).toBe(1);
  for (let t = 1000; t < 2000; t += 100) s.took(200, t);
  s.move(2000);
  expect(s.ratio(2000)).toBe(1);
});

test("quick drawings become sharper again", () => {
  const s = new Sharpness();
  for (let t = 0; t < 30; t += 10) (s.move(t), s.took(60, t));
  expect(s.ratio(30)).toBe(0.75);
  for (let t = 30; t < 400; t += 10) (s.move(t), s.took(3, t));
  expect(s.ratio(400)).toBe(1);
});
