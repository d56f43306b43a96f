// Debian's Chromium with software rendering, and pages that tell what went wrong in them.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"];
/** Renders WebGL on the CPU, as Chromium does by itself where there is no GPU. */
export const SOFTWARE = ["--enable-unsafe-swiftshader"];
/** Has no WebGL at all. */
export const NO_WEBGL = ["--disable-gpu", "--disable-software-rasterizer", "--disable-3d-apis"];

/** What Chromium says of itself where it puts pages together on the CPU: it reads every picture of a WebGL canvas back. The page reads none. */
const OWN = /GL Driver Message .*GPU stall due to ReadPixels/;

/** The path that scripts/chromium.sh finds. */
export function executable() {
  const script = fileURLToPath(new URL("../../scripts/chromium.sh", import.meta.url));
  return execFileSync("sh", [script], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

/** Starts a browser. */
export function launch(args = SOFTWARE) {
  // A page that comes from a folder has no address, and would not be let to this machine.
  const replaced = process.env.STICTION_PAGE ? ["--disable-features=LocalNetworkAccessChecks"] : [];
  return chromium.launch({ executablePath: executable(), args: [...FLAGS, ...args, ...replaced] });
}

/**
 * Opens a page. `page.problems` has all errors and warnings of its console, and whatever it threw, except what matches `allow`.
 * `before` is called with the page before it goes anywhere.
 */
export async function openPage(browser, url, { allow = null, context: options = {}, before } = {}) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 640 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.problems = [];
  const hear = (text) => allow?.test(text) || OWN.test(text) || page.problems.push(text);
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && hear(`${m.type()}: ${m.text()} (${m.location().url})`));
  page.on("pageerror", (e) => hear(`thrown: ${e.stack ?? e}`));
  page.on("crash", () => hear("the page crashed"));
  if (process.env.STICTION_PAGE) await replacePage(page, resolve(process.env.STICTION_PAGE));
  await before?.(page, context);
  await page.goto(url);
  return page;
}

/** Takes the page from a folder instead of the program: $STICTION_PAGE=dist tries a page without building the program anew. */
async function replacePage(page, folder) {
  await page.route(
    (url) => url.hostname === "127.0.0.1" && !url.pathname.startsWith("/api/"),
    (route) => {
      const path = join(folder, new URL(route.request().url()).pathname.replace(/\/$/, "/index.html"));
      return existsSync(path) ? route.fulfill({ path }) : route.continue();
    },
  );
}
