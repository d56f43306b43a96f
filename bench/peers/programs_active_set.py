#!/usr/bin/env python3
"""The friction paper's linear and quadratic program in simplex and active-set solvers, in two forms.

"6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming" (Zhao, Li, Barbič). The problems are those of figure 5, as
`stiction-lab figures lp-05` left them: data-loads.csv and data-contacts.csv. Written on its own from these numbers, so that it shares no code with the Rust programs.

    LP  (32)-(37)  M q + K' lambda = 0,  G' lambda = 0,  f + K q + G b = 0,  limits
    QP  (28)-(31)  min 1/2 q' M q  subject to  f + K q + G b = 0,  limits

    two unknowns a contact   b = (b_u, b_v),  b . (cos t_j, sin t_j) <= L,  t_j = (2j + 1) pi/l                  (12)-(13)
    l impulses a contact     b = sum_i c_i T_i,  c_i >= 0,  sum_i c_i <= L/cos t_0,  T_i at 2 pi i/l              (14)-(18)

Solvers: HiGHS's dual simplex for the LP; DAQP (dual active set) and HiGHS's own active-set method for the QP. Both QP solvers need a positive definite Hessian; M weighs q alone, so that DAQP
works by proximal steps and HiGHS adds 1e-7. Timed: each solver's own work from arrays that are there, cold, without presolve, in processor time (other programs may run). Not timed: building the arrays.

Units are scaled: torque rows by the contacts' root mean square distance, forces by the wrench, stiffness and mass by their largest entry, unknowns of a contact by its limit.
"""

import argparse
import csv
import json
import os
import statistics
import sys
import time

import results

FOLDER = os.path.join(results.TREE, os.environ.get("CARGO_TARGET_DIR", "target"))


def arguments():
    parser = argparse.ArgumentParser(description="Solve figure 5's programs with simplex and active-set methods.")
    parser.add_argument("folder", nargs="?", default=os.path.join(FOLDER, "figures", "lp-05"), help="where figure 5 left its data")
    parser.add_argument("--out", default=os.path.join(FOLDER, "peers", "programs.json"), help="where the times go")
    return parser.parse_args()


def fingerprint(path):
    """FNV-1a, 64 bits, of a file: the figure takes results of its own problems only."""
    value = 0xCBF29CE484222325
    with open(path, "rb") as file:
        for byte in file.read():
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def read(folder, np):
    """The problems: wrench, stiffness, mass, our step and verdict, contacts."""
    def rows(name):
        with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    contacts = {}
    for row in rows("data-contacts.csv"):
        numbers = [float(row[c]) for c in ["px", "py", "pz", "ux", "uy", "uz", "vx", "vy", "vz", "limit_n"]]
        contacts.setdefault(row["problem"], []).append(numbers)
    out = []
    for row in rows("data-loads.csv"):
        six = lambda name: np.array([float(row[f"{name}{i}"]) for i in range(6)])
        matrix = lambda name: np.array([[float(row[f"{name}{i}{j}"]) for j in range(6)] for i in range(6)])
        touching = np.array([c for c in contacts[row["problem"]] if c[9] > 0.0])
        out.append((six("f"), matrix("k"), matrix("m"), touching, int(row["sides"]), row["verdict"], six("q")))
    return out


class Scaled:
    """A problem in its own units."""

    def __init__(self, problem, np):
        wrench, stiffness, mass, contacts, self.sides, self.verdict, step = problem
        points, tangents = contacts[:, :3], contacts[:, 3:9].reshape(-1, 2, 3)
        lever = np.sqrt((points**2).sum() / len(points))
        d = np.array([1, 1, 1, lever, lever, lever])
        f = wrench / d
        self.force = np.abs(f).max()
        self.f = f / self.force
        k, m = stiffness / np.outer(d, d), mass / np.outer(d, d)
        self.size = np.abs(k).max()
        self.k, self.m = k / self.size, m / np.abs(m).max()
        g = np.concatenate([tangents, np.cross(points[:, None, :], tangents) / lever], axis=2)
        self.g = g * (contacts[:, 9] / self.force)[:, None, None]  # contacts, (u, v), 6
        # The step in these units: q D, by force over stiffness.
        self.step = step * d * self.size / self.force
        self.free = np.linalg.norm(np.linalg.solve(self.k, self.f))

    def columns(self, form, np):
        """The columns of G, 6 x unknowns, and the limits: A, upper, and least values of the unknowns."""
        count, sides = len(self.g), self.sides
        if form == "two unknowns":
            angles = (2 * np.arange(sides) + 1) * np.pi / sides
            facets = np.column_stack([np.cos(angles), np.sin(angles)])
            return self.g.reshape(2 * count, 6).T, np.kron(np.eye(count), facets), np.ones(count * sides), -np.inf
        angles = 2 * np.pi * np.arange(sides) / sides
        generators = np.column_stack([np.cos(angles), np.sin(angles)])
        columns = np.einsum("ia,nab->nib", generators, self.g).reshape(sides * count, 6).T
        sums = np.kron(np.eye(count), np.ones((1, sides)))
        return columns, sums, np.full(count, 1 / np.cos(np.pi / sides)), 0.0


def lp_arrays(p, form, np):
    g, a, upper, least = p.columns(form, np)
    n, unit = g.shape[1], p.g.reshape(-1, 6)
    zero = np.zeros
    rows = [
        np.hstack([p.m, p.k.T, zero((6, n))]),
        np.hstack([zero((len(unit), 6)), unit, zero((len(unit), n))]),
        np.hstack([p.k, zero((6, 6)), g]),
        np.hstack([zero((len(a), 12)), a]),
    ]
    equal = np.concatenate([zero(6 + len(unit)), -p.f])
    lower = np.concatenate([equal, np.full(len(a), -np.inf)])
    return np.vstack(rows), lower, np.concatenate([equal, upper]), np.concatenate([np.full(12, -np.inf), np.full(n, least)])


def qp_arrays(p, form, np):
    g, a, upper, least = p.columns(form, np)
    n = g.shape[1]
    rows = np.vstack([np.hstack([p.k, g]), np.hstack([np.zeros((len(a), 6)), a])])
    lower = np.concatenate([-p.f, np.full(len(a), -np.inf)])
    hessian = np.zeros((6 + n, 6 + n))
    hessian[:6, :6] = p.m
    return hessian, rows, lower, np.concatenate([-p.f, upper]), np.concatenate([np.full(6, -np.inf), np.full(n, least)])


def highs_model(rows, lower, upper, least, highspy, np, sparse):
    a = sparse.csr_array(rows)
    a.eliminate_zeros()
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = a.shape
    lp.col_cost_ = np.zeros(lp.num_col_)
    inf = highspy.kHighsInf
    lp.col_lower_ = np.where(np.isinf(least), -inf, least)
    lp.col_upper_ = np.full(lp.num_col_, inf)
    lp.row_lower_, lp.row_upper_ = np.where(np.isinf(lower), -inf, lower), upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = a.indptr, a.indices, a.data
    return lp


def run_highs(model, options, highspy):
    highs = highspy.Highs()
    for name, value in {"output_flag": False, "threads": 1, "presolve": "off", **options}.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            sys.exit(f"run-programs: HiGHS refuses {name} = {value}")
    start = time.process_time()
    highs.passModel(model)
    highs.run()
    seconds = time.process_time() - start
    return highs, seconds


def highs_simplex(p, form, tools):
    np, sparse, highspy, _ = tools
    model = highs_model(*lp_arrays(p, form, np), highspy, np, sparse)
    highs, seconds = run_highs(model, {"solver": "simplex", "primal_feasibility_tolerance": 1e-9}, highspy)
    status = highs.getModelStatus()
    holds = {highspy.HighsModelStatus.kOptimal: True, highspy.HighsModelStatus.kInfeasible: False}.get(status)
    step = np.array(highs.getSolution().col_value[:6]) if holds else None
    return holds, step, seconds


def highs_qp(p, form, tools):
    np, sparse, highspy, _ = tools
    hessian, rows, lower, upper, least = qp_arrays(p, form, np)
    model = highspy.HighsModel()
    model.lp_ = highs_model(rows, lower, upper, least, highspy, np, sparse)
    h = sparse.csc_array(np.tril(hessian))
    model.hessian_.dim_ = hessian.shape[0]
    model.hessian_.format_ = highspy.HessianFormat.kTriangular
    model.hessian_.start_, model.hessian_.index_, model.hessian_.value_ = h.indptr, h.indices, h.data
    highs, seconds = run_highs(model, {"time_limit": 30.0}, highspy)
    solved = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return None, np.array(highs.getSolution().col_value[:6]) if solved else None, seconds


def daqp_qp(p, form, tools):
    from ctypes import c_int

    np, _, _, daqp = tools
    hessian, rows, lower, upper, least = qp_arrays(p, form, np)
    n, big = hessian.shape[0], 1e30
    bounded = np.isfinite(least).any()
    low = np.concatenate([np.where(np.isinf(least), -big, least)] if bounded else [[]] + [])
    a = np.ascontiguousarray(rows)
    up = np.concatenate([np.full(n, big), upper]) if bounded else upper
    lo = np.concatenate([low, np.where(np.isinf(lower), -big, lower)]) if bounded else np.where(np.isinf(lower), -big, lower)
    sense = np.zeros(len(up), dtype=c_int)
    first = n if bounded else 0
    sense[first:first + 6] = 5  # equations
    f = np.zeros(n)
    start = time.process_time()
    x, _, flag, _ = daqp.solve(hessian, f, a, up, lo, sense, eps_prox=1e-4, primal_tol=1e-9, iter_limit=100000)
    seconds = time.process_time() - start
    return None, np.array(x[:6]) if flag > 0 else None, seconds


SERIES = [("LP", "HiGHS dual simplex", highs_simplex), ("QP", "DAQP", daqp_qp), ("QP", "HiGHS active set", highs_qp)]
# Each problem is solved so often, cold; the median counts.
REPEATS = 3
FORMS = ["two unknowns", "impulses"]


def main():
    options = arguments()
    try:
        import daqp
        import highspy
        import numpy as np
        from scipy import sparse
    except ImportError as error:
        sys.exit(f"run-programs: {error}. Start it with bench/peers/run-programs, which installs what it needs.")
    tools = (np, sparse, highspy, daqp)
    try:
        problems = [Scaled(p, np) for p in read(options.folder, np)]
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"run-programs: {options.folder} has no problems of figure 5: {error!r}. Run stiction-lab figures lp-05 first.")
    out, rows = {}, []
    for program, solver, solve in SERIES:
        for form in FORMS:
            times, apart, agree, solved = [], 0.0, 0, 0
            solve(problems[0], form, tools)  # the first call of a process also loads the solver
            for p in problems:
                answers = [solve(p, form, tools) for _ in range(REPEATS)]
                holds, step, _ = answers[0]
                times.append(statistics.median(seconds for _, _, seconds in answers) * 1e3)
                agree += program == "LP" and holds == (p.verdict == "Holds")
                solved += step is not None or holds is False
                if step is not None and p.verdict == "Holds":
                    apart = max(apart, float(np.linalg.norm(step - p.step)) / p.free)
            name = f"{program}, {solver}, {form}"
            out[name] = {"median_ms": statistics.median(times), "times_ms": times, "apart": apart, "agree": agree, "solved": solved}
            print(f"{name}: {statistics.median(times):.3f} ms, {solved} of {len(problems)} solved, {f'{agree} verdicts agree, ' if program == 'LP' else ''}steps apart by {apart:.1e}", flush=True)
            rows.append(results.measurement(f"figure 5's problems: {name}", statistics.median(times), "ms"))
    os.makedirs(os.path.dirname(options.out), exist_ok=True)
    origin = {"command": "bench/peers/run-programs", "commit": results.commit(), "machine": results.machine(), "problems": fingerprint(os.path.join(options.folder, "data-contacts.csv"))}
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump({**origin, "series": out}, file)
    results.keep("programs", "bench/peers/run-programs", rows)


if __name__ == "__main__":
    main()
