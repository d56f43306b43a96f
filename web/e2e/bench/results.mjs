// Leaves numbers as a file of results, from which `make results` makes docs/results.md: see crates/stiction-results.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const tree = fileURLToPath(new URL("../../../", import.meta.url));

function commit() {
  const git = (...words) => execFileSync("git", words, { cwd: tree, encoding: "utf8" }).trim();
  try {
    const changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs");
    return git("rev-parse", "--short", "HEAD") + (changes === "" ? "" : " + changes");
  } catch {
    return "unknown";
  }
}

/** Writes rows to `<name>.jsonl`. */
export function keep(name, rows) {
  const folder = process.env.STICTION_RESULTS ?? join(resolve(tree, process.env.CARGO_TARGET_DIR ?? "target"), "results");
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus()[0]?.model ?? "processor unknown"}, ${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.version}`;
  const command = ["make bench-view", ...process.argv.slice(2)].join(" ");
  mkdirSync(folder, { recursive: true });
  const lines = [{ name, command, date, commit: commit(), machine }, ...rows].map((row) => JSON.stringify(row) + "\n");
  writeFileSync(join(folder, `${name}.jsonl`), lines.join(""));
}
