"""Leaves numbers as a file of results, from which `make results` makes docs/results.md: see crates/stiction-results."""

import datetime
import json
import math
import os
import platform
import subprocess

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def measurement(what, value, unit, at_most=None, at_least=None):
    """A row; without a target unless one is given."""
    number = value is not None and math.isfinite(value)
    row = {"what": what, "value": value if number else None, "unit": unit, "target": None, "met": None}
    if at_most is not None:
        row.update(target=f"≤ {at_most:g}", met=number and value <= at_most)
    if at_least is not None:
        row.update(target=f"≥ {at_least:g}", met=number and value >= at_least)
    return row


def keep(name, command, rows):
    """Writes rows to `<name>.jsonl`."""
    folder = os.environ.get("STICTION_RESULTS")
    folder = folder or os.path.join(TREE, os.environ.get("CARGO_TARGET_DIR", "target"), "results")
    os.makedirs(folder, exist_ok=True)
    origin = {
        "name": name,
        "command": command,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": commit(),
        "machine": machine(),
    }
    with open(os.path.join(folder, f"{name}.jsonl"), "w", encoding="utf-8") as file:
        for row in [origin, *rows]:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def commit():
    def git(*words):
        return subprocess.run(["git", *words], cwd=TREE, capture_output=True, check=True, text=True).stdout.strip()

    try:
        changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs")
        return git("rev-parse", "--short", "HEAD") + (" + changes" if changes else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine():
    cpu = platform.processor() or "processor unknown"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), cpu)
    except OSError:
        pass
    return f"{cpu}, {os.cpu_count()} cores, {platform.system().lower()} {platform.machine()}, Python {platform.python_version()}"
