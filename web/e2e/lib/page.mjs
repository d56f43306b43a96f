// What tests do with a page: wait, look at it through its hook, drag in it.

/** An element by its data-testid. */
export const id = (page, name) => page.getByTestId(name);

/** Waits until a function in the page is true; says what it waited for if that never happens. */
export async function until(page, what, test, arg = null, timeout = 30_000) {
  try {
    await page.waitForFunction(test, arg, { timeout, polling: 50 });
  } catch (error) {
    const state = await page.evaluate(() => ({ sentence: window.stiction?.sentence(), link: window.stiction?.connection(), frames: window.stiction?.frames })).catch(() => null);
    throw new Error(`waited ${timeout / 1000} s for: ${what}; the page is at ${JSON.stringify(state)}; ${error.message.split("\n")[0]}`);
  }
}

/** Waits for something outside the page. */
export async function eventually(what, test, timeout = 30_000) {
  const from = Date.now();
  for (;;) {
    const got = await test();
    if (got) return got;
    if (Date.now() - from > timeout) throw new Error(`waited ${timeout / 1000} s for: ${what}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** Waits for a world that this page holds and draws. */
export async function ready(page, { scene, holding = true } = {}) {
  await until(
    page,
    `a world${scene ? ` of ${scene}` : ""} that is drawn`,
    ({ scene, holding }) => {
      const s = window.stiction;
      return s?.frame() && s.world() && (!scene || s.world().scene === scene) && s.connection().holding === holding && Number(document.getElementById("stage").dataset.framesDrawn) > 2;
    },
    { scene, holding },
  );
}

/** The newest frame, with the lanes' contacts left out but for their count. */
export const frame = (page) =>
  page.evaluate(() => {
    const f = window.stiction.frame();
    return f && { ...f, lanes: f.lanes.map(({ contacts, ...rest }) => ({ ...rest, shown: contacts.count })) };
  });

/** The world in force. */
export const world = (page) => page.evaluate(() => window.stiction.world());

/** A column of the plots. */
export const series = (page, name) => page.evaluate((n) => window.stiction.series(n), name);

/** Starts to keep every frame that comes, as small records. */
export const startLog = (page) =>
  page.evaluate(() => {
    const log = (window.__log = []);
    let last = null;
    const look = () => {
      if (window.__log !== log) return;
      const f = window.stiction.frame();
      if (f && f !== last) {
        last = f;
        const lanes = f.lanes.map((l) => ({ part: l.part, wrench: l.wrench, pressure: l.row.pressure_n, verdict: l.row.verdict, word: l.word, sentence: l.sentence, margin: l.margin, slipped: l.slipped }));
        log.push({ time: f.time, hand: f.hand, source: f.source, said: window.stiction.sentence(), ...lanes[0], lanes });
      }
      setTimeout(look, 8);
    };
    look();
  });

/** Ends it: the records. */
export const endLog = (page) =>
  page.evaluate(() => {
    const log = window.__log;
    window.__log = null;
    return log;
  });

/** Distance of two positions (the first three numbers). */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Angle between two poses' rotations (rad). */
export const angle = (a, b) => 2 * Math.acos(Math.min(1, Math.abs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6])));

/** Where the middle of the held part is on the page (pixels). */
export async function partOnPage(page, lane = 0) {
  return page.evaluate((lane) => window.stictionView.project(window.stiction.frame().lanes[lane].centre, lane), lane);
}

/** Pixels of the page for a metre across the view, near the part. */
export async function pixelsPerMetre(page) {
  return page.evaluate(() => {
    const at = window.stiction.frame().lanes[0].centre;
    const [x, y] = window.stictionView.project(at);
    return Math.max(
      ...[0, 1, 2].map((axis) => {
        const moved = [...at];
        moved[axis] += 1e-3;
        const [a, b] = window.stictionView.project(moved);
        return Math.hypot(a - x, b - y) / 1e-3;
      }),
    );
  });
}

/** Presses the mouse on the part; the result is where. */
export async function grab(page) {
  const [x, y] = await partOnPage(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  return [x, y];
}

/** The frames that are drawn so far. */
export const drawn = (page) => page.evaluate(() => Number(document.getElementById("stage").dataset.framesDrawn ?? 0));

/** Waits until a few more frames have been drawn. */
export async function drawsOn(page, more = 3) {
  const before = await drawn(page);
  await until(page, `${more} more frames on the stage`, (n) => Number(document.getElementById("stage").dataset.framesDrawn) >= n, before + more);
}

/** How many colours (of 4096) a PNG has, and the share of the most common one. Decoded in a blank page, which has no rules of its own. */
export async function colours(page, png) {
  const context = await page.context().browser().newContext();
  try {
    const blank = await context.newPage();
    return await blank.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const to = new OffscreenCanvas(image.width, image.height).getContext("2d");
      to.drawImage(image, 0, 0);
      const { data: pixels } = to.getImageData(0, 0, image.width, image.height);
      const seen = new Map();
      let light = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
        const key = (r >> 4) * 256 + (g >> 4) * 16 + (b >> 4);
        seen.set(key, (seen.get(key) ?? 0) + 1);
        light += (r + g + b) / 765;
      }
      const all = pixels.length / 4;
      return { count: seen.size, most: Math.max(...seen.values()) / all, light: light / all };
    }, png.toString("base64"));
  } finally {
    await context.close();
  }
}

/** A point of a part's own axes in the world, for a pose x y z qw qx qy qz. */
export function placed([x, y, z, w, i, j, k], [a, b, c]) {
  const [tx, ty, tz] = [2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)];
  return [x + a + w * tx + j * tz - k * ty, y + b + w * ty + k * tx - i * tz, z + c + w * tz + i * ty - j * tx];
}
