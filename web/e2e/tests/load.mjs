// The page loads, small, and draws.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { colours, drawsOn, id, ready, series, until, world } from "../lib/page.mjs";

const MOST_BYTES = 1_000_000;

e2e("load: the page comes in under 1 MB, draws, and shows its world", async (use) => {
  const server = await use.server();
  let bytes = 0;
  const files = [];
  const began = Date.now();
  const page = await use.page(server, "", {
    context: { viewport: { width: 1280, height: 720 } },
    async before(page, context) {
      const cdp = await context.newCDPSession(page);
      await cdp.send("Network.enable");
      cdp.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
      cdp.on("Network.responseReceived", (e) => files.push(new URL(e.response.url).pathname));
    },
  });
  await ready(page, { scene: "corner-cube" });
  use.say(`first picture after ${((Date.now() - began) / 1000).toFixed(1)} s`);
  await drawsOn(page, 5);
  await page.waitForLoadState("networkidle");
  use.say(`first load: ${(bytes / 1000).toFixed(0)} kB in ${files.length} files`);
  assert.ok(bytes > 20_000 && bytes < MOST_BYTES, `${bytes} bytes: ${files.join(" ")}`);
  assert.equal(await page.title(), "corner-cube – Stiction");
  assert.equal(await id(page, "scene").inputValue(), "corner-cube");
  assert.match(await id(page, "description").textContent(), /90-degree corner/);
  assert.match(await id(page, "connection").textContent(), /connected/);
  assert.match(await id(page, "role-line").textContent(), /You hold the part|script moves the part/);
  assert.equal(await id(page, "no-webgl").isVisible(), false);
  const { lanes, rate, values } = await world(page);
  assert.deepEqual([lanes.length, lanes[0].method, lanes[0].mu_static, rate], [1, "hold", 0.8, 1000]);
  assert.equal(Number(values["friction.static"]), 0.8);
  await until(page, "30 rows in the plots", () => window.stiction.series("fx").length > 30);
  const time = await series(page, "time");
  assert.ok(time.every((t, i) => i === 0 || t > time[i - 1]), "time goes forward");
  assert.equal(await page.evaluate(() => window.stiction.malformed), 0);
  const { count, most } = await colours(page, await id(page, "stage").screenshot());
  use.say(`${count} colours, the most common one on ${(100 * most).toFixed(0)} % of the picture`);
  assert.ok(count > 10 && most < 0.95, "the picture has more than a background in it");
});
