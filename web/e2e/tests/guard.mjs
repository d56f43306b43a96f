// Who may talk to the server.
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { e2e } from "../lib/e2e.mjs";
import { id, ready, until } from "../lib/page.mjs";

const TOKEN = "12345678abc";
const REFUSED = /WebSocket connection to .* failed|Failed to load resource: the server responded with a status of (401|403)/;

e2e("guard: a page of another origin gets no connection", async (use) => {
  const server = await use.server();
  const other = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><link rel=icon href='data:,'><title>other</title>"));
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  use.closing(() => new Promise((done) => other.close(done)));
  const page = await use.page(`http://127.0.0.1:${other.address().port}/`, "", { allow: REFUSED });
  const attempt = (url) =>
    page.evaluate((url) => new Promise((done) => {
      const socket = new WebSocket(url);
      socket.onopen = () => done("open");
      socket.onclose = (e) => done(`closed ${e.code}`);
    }), url);
  for (const host of ["127.0.0.1", "localhost"]) assert.equal(await attempt(`ws://${host}:${server.port}/api/session`), "closed 1006", host);
  assert.equal((await server.stats()).pages, 0);
  // It is the server that refuses, not the browser alone: another origin, and another Host, as after DNS rebinding.
  const own = `http://127.0.0.1:${server.port}`;
  assert.equal(await statusOf(server, "/api/session", { origin: own }), 101);
  assert.equal(await statusOf(server, "/api/session", { origin: `http://127.0.0.1:${other.address().port}` }), 403);
  assert.equal(await statusOf(server, "/api/session", { origin: "http://evil.example" }), 403);
  assert.equal(await statusOf(server, "/api/session", { host: `evil.example:${server.port}`, origin: `http://evil.example:${server.port}` }), 403);
});

e2e("guard: with a token the page asks for it, says when it is wrong, and connects with the right one", async (use) => {
  const server = await use.server({ args: ["--token", TOKEN] });
  assert.match(server.url, /\?token=12345678abc$/);
  for (const path of ["/api/stats", "/api/session", "/api/mesh/1/held", "/api/shell/1", "/api/recordings/x.mcap", "/api/stats?token=wrong"]) {
    assert.equal(await statusOf(server, path), 401, path);
  }
  assert.equal((await server.get("/api/stats", { authorization: `Bearer ${TOKEN}` })).status, 200);
  const page = await use.page(new URL("/", server.url).href, "", { allow: REFUSED });
  await id(page, "token").waitFor();
  assert.match(await id(page, "connection").textContent(), /token needed/);
  await id(page, "token").fill("not-the-token");
  await id(page, "token-send").click();
  await page.getByText("That is not the token.").waitFor();
  await id(page, "token").fill(TOKEN);
  await page.keyboard.press("Enter");
  await ready(page);
  assert.equal(await id(page, "token-card").isVisible(), false);
  await page.reload();
  await ready(page);
  // And the address of the terminal needs no form.
  const direct = await use.page(server.url);
  await ready(direct, { holding: false });
  assert.equal(new URL(direct.url()).search.includes(TOKEN), false, "the token has left the address bar");
  await direct.reload();
  await ready(direct, { holding: false });
  const texts = await direct.evaluate(async () => {
    const copied = [];
    navigator.clipboard.writeText = async (text) => void copied.push(text);
    for (const name of ["copy-link", "share-link", "share-link-token"]) {
      document.querySelector(`[data-testid="${name}"]`).click();
      await new Promise((next) => setTimeout(next, 50));
    }
    return copied;
  });
  assert.deepEqual(texts.map((text) => text.includes(TOKEN)), [false, false, true], "links have it only if asked for");
});

/** The status of a GET that asks for a WebSocket, which `fetch` cannot. */
function statusOf(server, path, more = {}) {
  const headers = { ...more, connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
  return new Promise((done, fail) => {
    const asked = request({ host: "127.0.0.1", port: server.port, path, headers }, (answer) => done(answer.resume().statusCode));
    asked.on("upgrade", (answer, socket) => {
      socket.destroy();
      done(answer.statusCode);
    });
    asked.on("error", fail).end();
  });
}
