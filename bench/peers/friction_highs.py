#!/usr/bin/env python3
"""The literal friction LP in HiGHS: verdict and time per problem.

Equations (32)-(37) of "6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming" (Zhao, Li,
Barbič), unknowns (q, lambda, beta):

    M q + K' lambda = 0,  G' lambda = 0,  f + K q + G beta = 0,  beta_i . (cos t_j, sin t_j) <= reach L_i

Written on its own from the JSON lines of `export-problems`, so that it shares no code with the Rust programs.
Units are scaled as there: torque rows by the contacts' root mean square distance, forces by the wrench, stiffness
and mass by their largest entry, beta_i by its limit. Deviations: none but units.

Timed: passing the arrays to HiGHS, its presolve and its solve, from an empty model. Not timed: building the arrays.
"""

import argparse
import json
import sys
import time

METHODS = ["choose", "simplex", "ipm"]


def arguments():
    parser = argparse.ArgumentParser(
        description="Solve the literal friction LP (32)-(37) with HiGHS.",
        epilog="Example: cargo run --release -p stiction-reference --example export-problems -- --count 60 "
        "| bench/peers/run-highs --json",
    )
    parser.add_argument("file", nargs="?", default="-", help="JSON lines of export-problems (default: standard input)")
    parser.add_argument("--json", action="store_true", help="print only a summary, as one JSON object")
    parser.add_argument("--solver", choices=METHODS, default="choose", help="HiGHS's method (default: its own choice)")
    parser.add_argument("--no-presolve", action="store_true", help="switch HiGHS's presolve off")
    parser.add_argument("--tolerance", type=float, default=1e-9, help="feasibility tolerance, 1e-10 or more (default 1e-9)")
    return parser.parse_args()


def read_lines(path):
    """Yields (line number, text) of the lines that are not empty."""
    try:
        source = sys.stdin if path == "-" else open(path, encoding="utf-8")
    except OSError as error:
        sys.exit(f"friction_highs: cannot read {path}: {error.strerror}")
    with source:
        for number, line in enumerate(source, 1):
            if line.strip():
                yield number, line


def build(problem, np, sparse):
    """The LP as (A, row_lower, row_upper) with free columns (q, lambda, beta)."""
    wrench = np.array(problem["wrench"], float)
    stiffness = np.array(problem["stiffness"], float)
    mass = np.array(problem["mass"], float)
    contacts = problem["contacts"]
    k, sides = len(contacts), int(problem["sides"])
    points = np.array([c["point"] for c in contacts], float).reshape(k, 3)
    tangents = np.array([[c["tangent_u"], c["tangent_v"]] for c in contacts], float).reshape(k, 2, 3)
    limits = np.array([c["limit"] for c in contacts], float)
    lever = np.sqrt((points**2).sum() / max(k, 1)) or 1.0
    d = np.array([1, 1, 1, lever, lever, lever])
    f = wrench / d
    force = np.abs(f).max() or 1.0
    f = f / force
    big_k, m = stiffness / np.outer(d, d), mass / np.outer(d, d)
    big_k, m = big_k / np.abs(big_k).max(), m / np.abs(m).max()
    g = np.concatenate([tangents, np.cross(points[:, None, :], tangents) / lever], axis=2).reshape(2 * k, 6).T
    held = limits > 0
    unit = np.where(held, limits / force, 1.0)
    angles = (2 * np.arange(sides) + 1) * np.pi / sides
    polygon = np.column_stack([np.cos(angles), np.sin(angles)])
    rows = [
        [sparse.csr_array(m), sparse.csr_array(big_k.T), None],
        [None, sparse.csr_array(g.T), None],
        [sparse.csr_array(big_k), None, sparse.csr_array(g * np.repeat(unit, 2))],
        [None, None, sparse.kron(sparse.eye_array(k), polygon)],
    ]
    if k == 0:
        rows = [[r[0], r[1]] for r in (rows[0], rows[2])]
    a = sparse.csr_array(sparse.block_array(rows, format="csr"))
    a.eliminate_zeros()
    reach = np.repeat(np.where(held, float(problem["reach"]), 0.0), sides)
    equal = np.concatenate([np.zeros(6 + 2 * k), -f])
    return a, np.concatenate([equal, np.full(k * sides, -np.inf)]), np.concatenate([equal, reach])


def solve(lp, options, highspy, np):
    """Returns (verdict, microseconds): "holds", "slips" or "undecided"."""
    a, lower, upper = lp
    rows, columns = a.shape
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns, rows
    model.col_cost_ = np.zeros(columns)
    model.col_lower_, model.col_upper_ = np.full(columns, -highspy.kHighsInf), np.full(columns, highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = lower, upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = a.indptr, a.indices, a.data
    highs = highspy.Highs()
    settings = {
        "output_flag": False,
        "threads": 1,
        "solver": options.solver,
        "presolve": "off" if options.no_presolve else "choose",
        "primal_feasibility_tolerance": options.tolerance,
        "dual_feasibility_tolerance": options.tolerance,
    }
    for name, value in settings.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            sys.exit(f"friction_highs: HiGHS refuses {name} = {value}")
    start = time.perf_counter()
    highs.passModel(model)
    highs.run()
    elapsed = (time.perf_counter() - start) * 1e6
    status = highs.getModelStatus()
    names = {
        highspy.HighsModelStatus.kOptimal: "holds",
        highspy.HighsModelStatus.kInfeasible: "slips",
        # Without an objective, "unbounded or infeasible" can only be the latter.
        highspy.HighsModelStatus.kUnboundedOrInfeasible: "slips",
    }
    return names.get(status, "undecided"), elapsed


def main():
    options = arguments()
    try:
        import highspy
        import numpy as np
        from scipy import sparse
    except ImportError as error:
        sys.exit(f"friction_highs: {error}. Start it with bench/peers/run-highs, which installs what it needs.")
    counts, times, sizes = {"holds": 0, "slips": 0, "undecided": 0}, [], set()
    for number, line in read_lines(options.file):
        try:
            problem = json.loads(line)
            lp = build(problem, np, sparse)
        except (ValueError, KeyError, TypeError) as error:
            sys.exit(f"friction_highs: line {number} is not a problem of export-problems: {error!r}")
        if not times:
            solve(lp, options, highspy, np)  # the first call of a process also loads HiGHS
        verdict, elapsed = solve(lp, options, highspy, np)
        counts[verdict] += 1
        times.append(elapsed)
        sizes.add(len(problem["contacts"]))
        if not options.json:
            print(f"seed {problem.get('seed', number)}: {verdict}, {elapsed:.0f} us", flush=True)
    if not times:
        sys.exit("friction_highs: no problems given. Try --help.")
    summary = {
        "solver": "HiGHS " + highspy.Highs().version(),
        "method": options.solver,
        "presolve": not options.no_presolve,
        "tolerance": options.tolerance,
        "problems": len(times),
        "contacts": sorted(sizes),
        **counts,
        "p50_us": round(float(np.percentile(times, 50)), 1),
        "p99_us": round(float(np.percentile(times, 99)), 1),
    }
    if options.json:
        print(json.dumps(summary))
    else:
        print(
            f"{summary['solver']}: {len(times)} problems, {counts['holds']} hold, {counts['slips']} slip, "
            f"{counts['undecided']} undecided; p50 {summary['p50_us']} us, p99 {summary['p99_us']} us"
        )


if __name__ == "__main__":
    main()
