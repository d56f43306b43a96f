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

e2e("switch: µ kinetic comes back when µ static does, and a refused value says why beside its field", async (use) => {
  // Kinetic below static, so that moving static past it shows.
  const server = await use.server({ args: ["--set", "friction.kinetic=0.7"] });
  const page = await use.page(server);
  await ready(page);
  const mu = () => page.evaluate(() => [window.stiction.world().lanes[0].mu_static, window.stiction.world().lanes[0].mu_kinetic]);
  assert.deepEqual(await mu(), [0.8, 0.7]);
  const type = async (key, text) => {
    await id(page, `set-${key}`).fill(text);
    await page.keyboard.press("Enter");
  };
  const becomes = (s, k) => until(page, `µ ${s}, ${k}`, ([s, k]) => window.stiction.world().lanes[0].mu_static === s && window.stiction.world().lanes[0].mu_kinetic === k, [s, k]);
  await id(page, "slide-friction.static").fill("0.3");
  await becomes(0.3, 0.3);
  await id(page, "slide-friction.static").fill("0.8");
  await becomes(0.8, 0.7);
  // The same for one that the user chose.
  await type("friction.kinetic", "0.6");
  await becomes(0.8, 0.6);
  await id(page, "slide-friction.static").fill("0.5");
  await becomes(0.5, 0.5);
  await id(page, "slide-friction.static").fill("0.8");
  await becomes(0.8, 0.6);

  await type("friction.kinetic", "0.9");
  await id(page, "refusal-friction.kinetic").waitFor();
  assert.equal(await id(page, "refusal-friction.kinetic").textContent(), "“0.9” was not taken: it must not be above µ static, which is 0.8");
  assert.equal(await id(page, "set-friction.kinetic").inputValue(), "0.6");
  await type("friction.static", "11");
  assert.match(await id(page, "refusal-friction.static").textContent(), /a number from 0 to 10 is wanted/);
  await type("friction.static", "0.9");
  await becomes(0.9, 0.6);
  assert.equal(await id(page, "refusal-friction.static").isVisible(), false);
  assert.equal(await id(page, "problem").count(), 0, "what the page refuses never reaches the server");
});
