// Writes NAME.gz beside every file of dist, for the server to embed, and says how large the first load is.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dist = new URL("../dist", import.meta.url).pathname;
let total = 0;
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, String(name));
  if (!statSync(path).isFile() || path.endsWith(".gz")) continue;
  const packed = gzipSync(readFileSync(path), { level: 9 });
  writeFileSync(`${path}.gz`, packed);
  total += packed.length;
}
console.log(`first load: ${(total / 1024).toFixed(0)} KiB compressed`);
if (total > 1_000_000) {
  console.error("error: the first load is over 1 MB compressed");
  process.exit(1);
}
