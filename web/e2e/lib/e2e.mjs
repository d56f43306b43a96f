// A test end to end: gets servers and pages, and gives them back whatever happens. Pages that complained fail it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch, openPage, SOFTWARE } from "./browser.mjs";
import { startServer } from "./server.mjs";

const filter = process.argv[2]?.toLowerCase() ?? "";
const browsers = new Map();

/** A browser for these flags, shared by all tests. */
async function browserFor(flags) {
  const key = flags.join(" ");
  if (!browsers.has(key)) browsers.set(key, await launch(flags));
  return browsers.get(key);
}

after(async () => {
  for (const browser of browsers.values()) await browser.close();
});

/** What a test uses: everything ends with it. */
class Use {
  servers = [];
  pages = [];
  others = [];

  constructor(t) {
    this.t = t;
  }

  /** Starts a server: see `startServer`. */
  async server(options) {
    const server = await startServer(options);
    this.servers.push(server);
    return server;
  }

  /** Opens a page of a server (or an address); `query` is the part of the address from the question mark on. The scene's own script runs, once, unless `demo` leaves its demonstration on. */
  async page(from, query = "", { flags = SOFTWARE, demo = false, ...options } = {}) {
    const url = new URL(query, typeof from === "string" ? from : from.url);
    if (!demo) url.searchParams.set("demo", "off");
    const page = await openPage(await browserFor(flags), url.href, options);
    this.pages.push(page);
    return page;
  }

  /** Something else to close: a function. */
  closing(close) {
    this.others.push(close);
  }

  /** A line for whoever reads the output. */
  say(line) {
    this.t.diagnostic(line);
  }

  async end() {
    for (const page of this.pages) await page.context().close();
    for (const close of this.others) await close();
    await Promise.all(this.servers.map((s) => s.stop()));
    await Promise.all(this.servers.map((s) => s.remove()));
  }
}

/** A test with a name; only those whose name has the word of the command line in it. */
export function e2e(name, body, { timeout = 60_000 } = {}) {
  if (!name.toLowerCase().includes(filter)) return;
  test(name, { timeout: 2 * timeout }, async (t) => {
    try {
      await once(t, body);
    } catch (error) {
      // A real browser on a busy machine: once more, and said so.
      t.diagnostic(`AGAIN: ${name}: ${error.message}`);
      await once(t, body);
    }
  });
}

async function once(t, body) {
  const use = new Use(t);
  try {
    await body(use);
    for (const page of use.pages) assert.deepEqual(page.problems, [], "console errors, warnings or exceptions of a page");
  } catch (error) {
    for (const page of use.pages) if (page.problems.length > 0) use.say(`page: ${page.problems.join(" | ")}`);
    for (const server of use.servers) if (server.stderr) use.say(`server: ${server.stderr.trim()}`);
    throw error;
  } finally {
    await use.end();
  }
}
