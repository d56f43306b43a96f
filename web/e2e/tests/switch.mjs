// Settings of the world by the page's controls, in the address, and what the server says to wrong ones.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { drawsOn, id, ready, until, world } from "../lib/page.mjs";

e2e("switch: method and µ by the controls stand in the address, which brings them back", async (use) => {
  const server = await use.server();
  const page = await use.page(server);
  await ready(page);
  await id(page, "set-friction.method").selectOption("qp");
  await until(page, "the method qp", () => window.stiction.world().lanes[0].method === "qp");
  await id(page, "slide-friction.static").fill("0.55");
  await until(page, "µ = 0.55", () => window.stiction.world().lanes[0].mu_static === 0.55);
  const { values, lanes, set } = await world(page);
  assert.deepEqual([values["friction.method"], Number(values["friction.static"]), Number(values["friction.kinetic"])], ["qp", 0.55, 0.55]);
  assert.deepEqual([lanes[0].mu_static, lanes[0].mu_kinetic], [0.55, 0.55]);
  assert.equal(set["friction.method"], "qp");
  assert.equal(await id(page, "set-friction.static").inputValue(), "0.55");
  await until(page, "the address has it", () => /set=friction\.method=qp/.test(location.search) && /set=friction\.static=0\.55/.test(location.search));
  await drawsOn(page);
  const address = page.url();

  // Back to the scene by another way; the address alone brings it back.
  await id(page, "reset-all").click();
  await until(page, "the scene's own settings", () => Object.keys(window.stiction.world().set).length === 0 && !location.search.includes("set="));
  await page.goto(address);
  await ready(page);
  await until(page, "the address brings the method back", () => window.stiction.world().lanes[0].method === "qp" && window.stiction.world().lanes[0].mu_static === 0.55);
  assert.match(page.url(), /set=friction\.method=qp/, "the address keeps what it asked for all the while");
  await page.reload();
  await ready(page);
  const again = await world(page);
  assert.deepEqual([again.lanes[0].method, again.lanes[0].mu_static], ["qp", 0.55]);
  assert.match(page.url(), /set=friction\.method=qp/);
});

e2e("switch: a wrong combination shows the server's message, and nothing else breaks", async (use) => {
  const server = await use.server();
  const page = await use.page(server, "?scene=corner-cube&set=friction.method=lp&set=friction.cone=disk");
  await ready(page);
  await id(page, "problem-text").first().waitFor();
  const message = await id(page, "problem-text").first().textContent();
  use.say(`the message: ${message}`);
  assert.ok(server.stderr.includes(message), `the terminal has the same: ${server.stderr}`);
  assert.match(message, /lp|cone|disk/);
  assert.equal((await world(page)).lanes[0].method, "hold");
  assert.equal(await id(page, "set-friction.method").inputValue(), "hold");
  await drawsOn(page);
  await id(page, "dismiss").first().click();
  assert.equal(await id(page, "problem").count(), 0);
  await id(page, "set-friction.method").selectOption("lp");
  await until(page, "the method lp", () => window.stiction.world().lanes[0].method === "lp");
  await drawsOn(page);
});
