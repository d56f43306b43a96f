// A browser without WebGL.
import assert from "node:assert/strict";
import { NO_WEBGL } from "../lib/browser.mjs";
import { e2e } from "../lib/e2e.mjs";
import { id, until } from "../lib/page.mjs";

e2e("without WebGL: the page says so, numbers and controls go on", async (use) => {
  const page = await use.page(await use.server(), "", { flags: NO_WEBGL });
  await id(page, "no-webgl").waitFor();
  assert.match(await id(page, "no-webgl").textContent(), /needs WebGL 2/);
  await until(page, "the plots grow", () => window.stiction.series("fx").length > 20);
  const rows = await page.evaluate(() => window.stiction.series("fx").length);
  await until(page, "and grow on", (n) => window.stiction.series("fx").length > n + 20, rows);
  await until(page, "a sentence", () => /^(holds|slides|free)/.test(window.stiction.sentence()));
  assert.ok((await id(page, "plots").boundingBox()).height > 50);
  await id(page, "set-friction.method").selectOption("qp");
  await until(page, "controls work", () => window.stiction.world().lanes[0].method === "qp");
  await until(page, "frames count as drawn", () => window.stiction.fps() > 0);
});
