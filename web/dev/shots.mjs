// Pictures of the page in headless Chromium, for development only: node dev/shots.mjs [url] [folder]
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const [url = "http://127.0.0.1:8123/", folder = "/tmp/shots"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const SIZES = [["desk", 1280, 720], ["tablet", 1024, 768], ["portrait", 768, 1024]];
const only = process.env.ONLY?.split(",");
for (const [name, width, height] of SIZES) {
  for (const scheme of ["light", "dark"]) {
    if (only && !only.includes(`${name}-${scheme}`)) continue;
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, hasTouch: name !== "desk" });
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && console.log(`${name} ${scheme}: ${m.type()}: ${m.text()}`));
    page.on("pageerror", (e) => console.log(`${name} ${scheme}: ${e}`));
    await page.goto(url);
    await page.waitForTimeout(Number(process.env.WAIT ?? 7000));
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) console.log(`${name} ${scheme}: scrolls sideways`);
    await page.close();
  }
}
await browser.close();
