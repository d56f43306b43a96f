// Boxes and a few points as the shapes of the mock. For development only.

function box(low, high) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])));
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return { corners, triangles: quads.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]) };
}

function mesh(boxes) {
  const [corners, triangles] = [[], []];
  for (const b of boxes) {
    triangles.push(...b.triangles.map((t) => t.map((i) => i + corners.length)));
    corners.push(...b.corners);
  }
  const out = Buffer.alloc(12 + 12 * (corners.length + triangles.length));
  [corners.length, triangles.length, triangles.length].forEach((v, i) => out.writeUInt32LE(v, 4 * i));
  corners.flat().forEach((v, i) => out.writeFloatLE(v, 12 + 4 * i));
  triangles.flat().forEach((v, i) => out.writeUInt32LE(v, 12 + 12 * corners.length + 4 * i));
  return out;
}

/** The answer to GET api/…; null where there is none. */
export function shape(path) {
  if (/^mesh\/\d+\/held$/.test(path)) return mesh([box([-0.05, -0.05, -0.05], [0.05, 0.05, 0.05])]);
  if (/^mesh\/\d+\/fixed$/.test(path)) return mesh([box([-0.2, 0, -0.02], [0.2, 0.2, 0]), box([-0.2, -0.02, -0.02], [0.2, 0, 0.16])]);
  if (/^shell\/\d+$/.test(path)) {
    const n = 400;
    const out = Buffer.alloc(4 + 13 * n);
    out.writeUInt32LE(n, 0);
    for (let i = 0; i < n; i++) [((i * 37) % n) / n * 0.4 - 0.2, ((i * 61) % n) / n * 0.2, 0].forEach((v, k) => out.writeFloatLE(v, 4 + 12 * i + 4 * k));
    for (let i = 0; i < n; i++) out[4 + 12 * n + i] = Math.floor(Math.log2(1 + i)) % 8;
    return out;
  }
  if (/^slice\/\d+\/(held|fixed)$/.test(path)) {
    const n = 48;
    const out = Buffer.alloc(44 + 4 * n * n);
    [n, n].forEach((v, i) => out.writeUInt32LE(v, 4 * i));
    [-0.06, -0.06, 0, 0.12 / n, 0, 0, 0, 0.12 / n, 0].forEach((v, i) => out.writeFloatLE(v, 8 + 4 * i));
    for (let i = 0; i < n * n; i++) out.writeFloatLE(Math.max(Math.abs((i % n) / n - 0.5), Math.abs(Math.floor(i / n) / n - 0.5)) * 0.12 - 0.05, 44 + 4 * i);
    return out;
  }
  return null;
}
