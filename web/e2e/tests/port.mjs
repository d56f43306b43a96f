// A port that is in use.
import assert from "node:assert/strict";
import { e2e } from "../lib/e2e.mjs";
import { run } from "../lib/server.mjs";

e2e("port: one that is in use is refused with who has it and a free one; without --port the next is taken", async (use) => {
  const first = await use.server();
  const second = await run(["view", "--no-open", "--no-priority", "--port", String(first.port)], { timeout: 10_000 });
  use.say(second.stderr.trim());
  assert.ok(second.code !== 0 && second.code !== null, `exit code ${second.code}`);
  assert.match(second.stderr, new RegExp(`127\\.0\\.0\\.1:${first.port}`));
  assert.match(second.stderr, new RegExp(`${first.child.pid}|stiction`), "who has it");
  const free = Number(/--port (\d+)/.exec(second.stderr)?.[1]);
  assert.ok(free > 1024 && free !== first.port, "a free one");

  // Two without --port: at least the second finds the usual port taken.
  const usual = await use.server({ port: null });
  const next = await use.server({ port: null });
  assert.notEqual(next.port, usual.port);
  use.say(next.stderr.trim());
  assert.match(next.stderr, /note: .*7780.*(in use|taken)/);
  assert.ok(next.stderr.includes(String(next.port)) || next.stdout.includes(String(next.port)));
  assert.equal((await next.get("/api/stats")).status, 200);
  await next.stop();
  assert.equal(next.code, 0, "Ctrl-C is no failure");
});
