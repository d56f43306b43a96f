#!/usr/bin/env python3
"""The experiments of the engine of contact volumes, beside other engines, in one run.

Walls of blocks (experiment 1 of Hasegawa and Sato), a cube that falls (2), stick-slip (3) and a capsule that friction must hold between two jaws. The scenes are in
scenes.py, what is run in rows.py, and how it is judged, with bounds that were set before the first run, in judge.py. Every engine gets the same scene, and
the same code reads off its samples. Times are processor time of the engine's step alone (collision detection is part of it).
"""

import argparse
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import judge
import outside
import results
import rows
import scenes

TILTS = [0.05, 0.07, 0.08, 0.1, 0.12, 0.13, 0.15]
COUNTS = [3, 6, 10, 13, 30, 100]
#: The paper's length of a step in experiment 1 (s).
DT = 0.005


class Bench:
    """Runs rows and collects measurements, curves for the figures, and which engines are missing."""

    def __init__(self, quick, without):
        self.quick, self.engines, self.missing = quick, {}, dict.fromkeys(without, "left out")
        self.rows, self.curves = [], {}

    def engine(self, kind):
        """An engine, made when it is first asked for; None, with the reason said once, where it cannot be had."""
        name = "ODE" if kind is outside.Ode else kind.__name__
        if name not in self.engines and name not in self.missing:
            try:
                self.engines[name] = kind() if hasattr(kind, "name") else outside.InPython(kind)
            except outside.Missing as error:
                self.leave_out(name, error)
        return self.engines.get(name)

    def leave_out(self, name, error):
        say(f"{name} SKIPPED: {error}")
        self.missing[name] = str(error)
        self.engines.pop(name, None)

    def each(self, listed):
        """Engines that are there: name with version and setting, whether it is ours, and a function that runs a scene."""
        for kind, setting, settings in listed:
            engine = self.engine(kind)
            if engine is None:
                continue

            def run(scene, engine=engine, setting=setting, settings=settings):
                if engine.name in self.missing:
                    return None
                say(f"{engine.name}, {setting}: {scene['name']}, dt {1e3 * scene['dt']:g} ms ...")
                try:
                    return engine.run(scene, **settings)
                except Exception as error:  # a system library missing, a setting it refuses: the others go on
                    self.leave_out(engine.name, f"{type(error).__name__}: {error}")
                    return None

            yield f"{engine.name} {engine.version}, {setting}", setting if engine.name == "Stiction" else None, run

    def keep(self, what, value, unit, **target):
        self.rows.append(results.measurement(what, value, unit, **target))

    def curve(self, experiment, name, values):
        self.curves.setdefault(experiment, {})[name] = values


def blocks(bench):
    """Experiment 1: time of a step at 5 ms; then the largest step with which a wall stands, and the time that a simulated second takes with it."""
    counts = [3, 10] if bench.quick else COUNTS
    for name, ours, run in bench.each(rows.BLOCKS):
        table = []
        for count in counts:
            out = run(scenes.blocks(count, DT))
            if out is None:
                break
            stood, fell = judge.stands(scenes.blocks(count, DT), out["samples"])
            label = f"{count} blocks, {name}"
            limit = {"at_most": 1000.0} if ours == "volume" and count == 100 else {}
            bench.keep(f"{label}: time of a step at 5 ms", out["mean_us"], "µs", **limit)
            # Points need not fall to fail: they never come to rest, and the last of the 5 s is when that counts.
            target = {"volume": {"at_least": 5.0}, "points": {"at_most": 4.99}}.get(ours, {})
            bench.keep(f"{label}: stands at 5 ms for", 5.0 if stood else fell, "s", **target)
            largest = cost = None
            for dt in judge.LADDER if ours != "points" else []:
                tried = out if dt == DT else run(scenes.blocks(count, dt))
                if tried and judge.stands(scenes.blocks(count, dt), tried["samples"])[0]:
                    largest, cost = dt, 1e-3 * tried["mean_us"] / dt
                    break
            if ours != "points":
                bench.keep(f"{label}: largest step with which it stands", 1e3 * largest if largest else math.nan, "ms")
                bench.keep(f"{label}: processor time of a simulated second at that step", cost or math.nan, "ms")
            table.append([count, out["mean_us"], 5.0 if stood else fell, largest, cost])
        bench.curve("blocks", name, table)
    for count in (count for count in counts if count >= 10 and "ODE" in bench.engines):
        ours, theirs = (
            next((row[4] for n, t in bench.curves["blocks"].items() if n.startswith(start) and end in n for row in t if row[0] == count), None)
            for start, end in (("Stiction", "volume"), ("ODE", "exact"))
        )
        stands = "" if theirs else " (which stands with no step)"
        ratio = ours / theirs if ours and theirs else 0.0 if ours else math.nan
        if ours or "Stiction" in bench.engines:
            bench.keep(f"{count} blocks: a simulated second of ours over one of ODE's exact step{stands}", ratio, "", at_most=1.0)


def drop(bench):
    """Experiment 2: the largest angular momentum between 38 and 40 s."""
    for name, ours, run in bench.each(rows.DROP):
        found = []
        for tilt in TILTS[3:4] if bench.quick else TILTS:
            out = run(scenes.cube_drop(tilt))
            if out is None:
                break
            last = judge.angular_momentum(out["samples"], 38.0, 40.0)
            target = {"at_most": 0.001} if ours == "volume" else {"at_least": 0.05} if ours == "points" else {}
            bench.keep(f"cube dropped, tilt {tilt:g} rad, {name}: largest angular momentum in 38-40 s", last, "kg m²/s", **target)
            found.append(last)
            height = judge.rest_height(out["samples"])
            if height and ours == "volume":
                bench.keep(f"cube dropped, tilt {tilt:g} rad, {name}: |height at rest − 0.99347|", abs(height - 0.993467), "m", at_most=1e-5)
            if tilt == 0.1:
                inertia = 2.0 / 3.0
                bench.curve("cube-drop", name, [[s["t"], inertia * s["bodies"][0][11]] for s in out["samples"]])


def slip(bench):
    """Experiment 3: period and tension."""
    for name, ours, run in bench.each(rows.SLIP):
        for static in [0.265] if ours else [0.160]:
            scene = scenes.stick_slip(static, 0.160, seconds=5.0 if bench.quick else 8.0)
            out = run(scene)
            if out is None:
                break
            found = judge.stick_slip(scene, out["samples"])
            volume = ours == "volume"
            label = f"stick-slip, {name}"
            bench.keep(f"{label}: period", found["period"], "s")
            if volume:
                bench.keep(f"{label}: |period / 0.4847 s − 1|", abs(found["period"] / 0.4847 - 1.0), "", at_most=0.03)
            # 3 % of the range.
            for word, bound in (("least", 0.391), ("most", 5.881)):
                bench.keep(f"{label}: {word} tension", found[word], "N")
                if volume:
                    bench.keep(f"{label}: |{word} tension − {bound}|", abs(found[word] - bound), "N", at_most=0.03 * 5.49)
            bench.keep(f"{label}: share of time at rest (Coulomb: 0.331)", found["stuck"], "")
            bench.curve("stick-slip", name, found["tension"][::5])


def capsule(bench):
    """A capsule that friction must hold: how fast it sinks, and whether it slides when it must."""
    for name, ours, run in bench.each(rows.CAPSULE):
        out = run(scenes.pinched_capsule())
        if out is None:
            continue
        sinks, slides = judge.creep(out["samples"])
        target = {"at_most": 1e-12} if ours else {}
        bench.keep(f"pinched capsule, {name}: speed at which it sinks", abs(sinks), "m/s", **target)
        bench.keep(f"pinched capsule, {name}: acceleration in the control, over Coulomb's", slides, "")
        bench.curve("pinched-capsule", name, [sinks, slides])


EXPERIMENTS = {"blocks": blocks, "drop": drop, "slip": slip, "capsule": capsule}


def say(text):
    print(f"volume: {text}", file=sys.stderr, flush=True)


def table(found):
    for row in found:
        value = "none" if row["value"] is None else f"{row['value']:.4g}"
        verdict = {None: "", True: "met", False: "MISSED"}[row["met"]]
        print(f"{row['what']:<112} {value:>11} {row['unit']:<8} {row['target'] or '':>12} {verdict}".rstrip())


def main():
    parser = argparse.ArgumentParser(
        prog="run-volume",
        description="The experiments of the engine of contact volumes beside ODE, rapier, MuJoCo, Drake and PyBullet.",
        epilog="Exit code: 0; 1 if --check fails; 3 if an engine is missing.",
    )
    parser.add_argument("--quick", action="store_true", help="fewer blocks, one tilt: to see that it works")
    parser.add_argument("--peers-only", action="store_true", help="without Stiction's rows")
    parser.add_argument("--check", action="store_true", help="exit with 1 unless Stiction meets every target")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    parser.add_argument("--only", action="append", choices=EXPERIMENTS, help="one experiment; may be given again")
    options = parser.parse_args()
    if options.check and options.peers_only:
        parser.error("--check needs Stiction's rows; leave --peers-only out")

    # Bullet and others print on stdout; that is ours alone.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = out

    bench = Bench(options.quick, ["Stiction"] if options.peers_only else [])
    for name, experiment in EXPERIMENTS.items():
        if not options.only or name in options.only:
            experiment(bench)
    if bench.rows:
        command = " ".join(["bench/peers/run-volume", *sys.argv[1:]])
        results.keep("bench-volume", command, bench.rows)
        if not bench.quick:
            keep_curves(command, bench)
    for row in bench.rows if options.json else []:
        print(json.dumps(row, ensure_ascii=False))
    if not options.json:
        table(bench.rows)
    missing = [name for name in bench.missing if name != "Stiction" or not options.peers_only]
    if missing:
        say("missing: " + ", ".join(missing) + " (the reasons are above)")
    judged = [row for row in bench.rows if row["met"] is not None]
    if options.check:
        missed = [row["what"] for row in judged if not row["met"]]
        for what in missed:
            say(f"check: missed: {what}")
        if missed or not judged:
            sys.exit(1)
    sys.exit(3 if missing else 0)


def keep_curves(command, bench):
    """Leaves what the figures draw: of an experiment that was not run again, what there was."""
    path = os.path.join(outside.BUILT, "volume.json")
    kept = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
    os.makedirs(outside.BUILT, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        clean = json.dumps(kept | bench.curves | {"command": command, "commit": results.commit()}).replace("NaN", "null")
        file.write(clean)


if __name__ == "__main__":
    main()
