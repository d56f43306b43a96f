// Recording what the hand does, and playing it back to the same bits.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { e2e } from "../lib/e2e.mjs";
import { drawsOn, grab, id, ready, until } from "../lib/page.mjs";
import { run } from "../lib/server.mjs";

e2e("record: a drag is recorded, replays to the same bits, is scrubbed, downloaded and replayed by the program", async (use) => {
  const server = await use.server({ scene: "plate-cube" });
  const page = await use.page(server);
  await ready(page, { scene: "plate-cube" });
  await until(page, "contact", () => window.stiction.frame().lanes[0].row.contacts > 0 && window.stiction.frame().time > 1);
  await id(page, "record").click();
  await until(page, "it records", () => window.stiction.frame().recording);
  const [x, y] = await grab(page);
  const began = (await page.evaluate(() => window.stiction.frame().time)) + 2.5;
  for (let i = 0; (await page.evaluate(() => window.stiction.frame().time)) < began; i++) {
    await page.mouse.move(x + 8 * Math.sin(i / 3), y + 3 * Math.sin(i / 5));
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
  await id(page, "record").click();
  await until(page, "a file in the list", () => !window.stiction.frame().recording && document.querySelectorAll('[data-testid="recording-load"]').length === 1);

  await page.reload();
  await ready(page);
  await id(page, "recording-load").click();
  await until(page, "the recording is loaded", () => window.stiction.world().playback !== null && window.stiction.frame()?.playback);
  const { seconds, verdict, name } = await page.evaluate(() => window.stiction.world().playback);
  use.say(`${name}: ${seconds.toFixed(2)} s, "${verdict}"`);
  assert.match(await id(page, "replay-verdict").textContent(), /replayed to the same bits/);
  assert.ok(seconds > 1.5, `${seconds} s`);
  if (!(await page.evaluate(() => window.stiction.frame().paused))) await id(page, "play").click();
  await until(page, "the recording is paused", () => window.stiction.frame().paused);
  // A recording is shown at 50 moments a second.
  for (const share of [0, 0.5, 1]) {
    await id(page, "scrub").fill(String(Number((share * seconds).toFixed(3))));
    await until(page, `the moment at ${100 * share} %`, (t) => Math.abs(window.stiction.frame().time - t) < 0.025, share * seconds);
    await drawsOn(page, 1);
    await until(page, "its contacts on the stage", () => {
      const f = window.stiction.frame();
      return f.lanes[0].contacts.count > 0 && f.lanes[0].contacts.count === Number(document.getElementById("stage").dataset.contacts);
    });
  }
  assert.match(await id(page, "clock").textContent(), / \/ /);

  const [download] = await Promise.all([page.waitForEvent("download"), id(page, "recording-download").click()]);
  assert.equal(download.suggestedFilename(), name);
  const got = join(server.folder, "downloaded.mcap");
  await download.saveAs(got);
  assert.ok((await readFile(got)).equals(await readFile(join(server.folder, name))), "the download is the file");
  const href = await id(page, "recording-download").getAttribute("href");
  assert.equal((await fetch(href)).status, 200);

  await id(page, "live").click();
  await until(page, "back to live", () => window.stiction.world().playback === null && !window.stiction.frame().playback);
  await drawsOn(page);

  const replayed = await run(["replay", join(server.folder, name)]);
  use.say(`stiction replay: ${replayed.stdout.trim().split("\n").at(-1)}`);
  assert.equal(replayed.code, 0, replayed.stderr);
  // The same with a flipped byte does not pass for it.
  const bytes = await readFile(got);
  bytes[Math.floor(bytes.length / 2)] ^= 0x10;
  await writeFile(got, bytes);
  assert.notEqual((await run(["replay", got])).code, 0, "a damaged recording is not replayed to the same bits");
});
