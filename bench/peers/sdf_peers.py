#!/usr/bin/env python3
"""A dense 256^3 signed distance field of one gear: Stiction, mesh2sdf and Open3D in one run, on all threads.

- Stiction: `stiction-lab bench bake --part dense`, from the mesh in memory to the field in memory: mending, exact distance at
  every node, signs.
- mesh2sdf: `mesh2sdf.core.compute`, without its mesh repair. Exact next to the surface, swept further away; it runs on
  one thread, whatever there is.
- Open3D: `RaycastingScene.compute_signed_distance` at every node, with one ray a node for the sign (its fastest setting),
  from adding the triangles on.

Every program runs alone, one after the other, in rounds; medians and ratios are printed. Afterwards Stiction's field is
compared with Open3D's exact distances at random points (`stiction bake` and `stiction query`), which share no code.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import results

TARGET = 20.0


def arguments():
    parser = argparse.ArgumentParser(description="Signed distance fields: Stiction beside mesh2sdf and Open3D.")
    parser.add_argument("--stiction", required=True, help="the program (run-sdf passes it)")
    parser.add_argument("--lab", required=True, help="the laboratory's program (run-sdf passes it)")
    parser.add_argument("--mesh", help="a mesh file, in metres, instead of our own gear")
    parser.add_argument("--rounds", type=int, default=1, help="rounds over all programs (default: 1, about five minutes)")
    parser.add_argument("--size", type=int, default=256, help="nodes along an edge for the peers (default: 256)")
    parser.add_argument("--check", action="store_true", help=f"exit with 1 if a ratio is below {TARGET:.0f}")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    return parser.parse_args()


def read_stl(path):
    """Corners of a binary STL file, welded."""
    raw = np.fromfile(path, dtype=np.uint8)
    count = int(raw[80:84].view(np.uint32)[0])
    rows = raw[84 : 84 + 50 * count].reshape(count, 50)
    corners = rows[:, 12:48].copy().view(np.float32).reshape(-1, 3)
    points, index = np.unique(corners, axis=0, return_inverse=True)
    return points, index.reshape(-1, 3).astype(np.uint32)


def run_ours(program, mesh):
    command = [program, "bench", "bake", "--part", "dense", "--mesh", mesh, "--json"]
    # Its own file of results is not to be replaced by this.
    with tempfile.TemporaryDirectory() as folder:
        row = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "STICTION_RESULTS": folder})
    return json.loads(row.stdout)["seconds"]


def run_mesh2sdf(points, faces, size):
    import mesh2sdf.core

    start = time.perf_counter()
    mesh2sdf.core.compute(points, faces, size)
    return time.perf_counter() - start


def run_open3d(points, faces, size):
    import open3d as o3d

    axis = np.linspace(-1, 1, size, dtype=np.float32)
    nodes = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1)
    query = o3d.core.Tensor(nodes)
    start = time.perf_counter()
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(o3d.core.Tensor(points), o3d.core.Tensor(faces))
    scene.compute_signed_distance(query, nthreads=0, nsamples=1).numpy()
    return time.perf_counter() - start


def agreement(program, gear, folder):
    """Largest difference to Open3D at random points in the part's box, in voxels, and signs that differ."""
    import open3d as o3d

    points, faces = read_stl(gear)
    shape = os.path.join(folder, "gear.shape")
    command = [program, "bake", gear, "-o", shape, "--resolution", "256", "--unit", "m", "--no-cache", "--json"]
    report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    low, high = points.min(0), points.max(0)
    places = np.random.default_rng(1).uniform(low, high, (20000, 3)).astype(np.float32)
    csv = os.path.join(folder, "places.csv")
    np.savetxt(csv, places, delimiter=",", header="x,y,z", comments="", fmt="%.9g")
    answer = subprocess.run([program, "query", shape, "--points", csv], capture_output=True, check=True, text=True)
    ours = np.loadtxt(answer.stdout.splitlines(), delimiter=",", skiprows=1)[:, 3]
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(o3d.core.Tensor(points), o3d.core.Tensor(faces))
    exact = scene.compute_signed_distance(o3d.core.Tensor(places), nsamples=11).numpy()
    voxel = find(report, "voxel_m")
    wrong = int(np.sum((np.sign(ours) != np.sign(exact)) & (np.abs(exact) > voxel)))
    return float(np.max(np.abs(np.abs(ours) - np.abs(exact))) / voxel), wrong


def find(tree, key):
    """The first value with this key, anywhere."""
    if isinstance(tree, dict):
        if key in tree:
            return tree[key]
        tree = list(tree.values())
    for item in tree if isinstance(tree, list) else []:
        found = find(item, key)
        if found is not None:
            return found
    return None


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        gear = os.path.join(folder, "gear.stl")
        given = ["--mesh", options.mesh] if options.mesh else []
        subprocess.run([options.lab, "bench", "bake", "--gear", gear, *given], check=True)
        points, faces = read_stl(gear)
        # Both peers' cubes run from -1 to 1; the part fills as much of it as in ours.
        middle = (points.max(0) + points.min(0)) / 2
        scaled = ((points - middle) / np.abs(points - middle).max() * (1 - 12 / 256)).astype(np.float32)
        programs = {
            "stiction": lambda: run_ours(options.lab, gear),
            "mesh2sdf": lambda: run_mesh2sdf(scaled, faces, options.size),
            "open3d": lambda: run_open3d(scaled, faces, options.size),
        }
        times = {name: [] for name in programs}
        for _ in range(options.rounds):
            for name, run in programs.items():
                print(f"running {name} ...", file=sys.stderr)
                times[name].append(run())
        # Once more at the end: a machine that became busy meanwhile shows.
        times["stiction"].append(run_ours(options.lab, gear))
        difference, wrong = agreement(options.stiction, gear, folder)
    median = {name: statistics.median(seconds) for name, seconds in times.items()}
    result = {
        "triangles": int(len(faces)),
        "threads": os.cpu_count(),
        "seconds": median,
        "seconds_all": times,
        "times_faster": {name: median[name] / median["stiction"] for name in ("mesh2sdf", "open3d")},
        "largest_difference_to_open3d_voxels": difference,
        "signs_that_differ_beyond_a_voxel": wrong,
    }
    if options.json:
        print(json.dumps(result))
    else:
        print(f"dense {options.size}^3 of a mesh with {len(faces)} triangles, {os.cpu_count()} threads")
        for name, seconds in median.items():
            ratio = "" if name == "stiction" else f"{seconds / median['stiction']:8.1f} times as long"
            print(f"  {name:<10}{seconds:8.2f} s{ratio}")
        print(f"  against Open3D at 20000 points: at most {difference:.2f} voxels apart, {wrong} signs differ beyond a voxel")
    what = f"dense {options.size}^3 field of {len(faces)} triangles"
    rows = [results.measurement(f"{what}: stiction", median["stiction"], "s")]
    rows += [
        results.measurement(f"{what}: time of {name} over ours", times_faster, "x", at_least=TARGET)
        for name, times_faster in result["times_faster"].items()
    ]
    rows.append(results.measurement(f"{what}: signs that differ from Open3D beyond a voxel", wrong, "", at_most=0))
    results.keep("bench-sdf", " ".join(["bench/peers/run-sdf", *sys.argv[1:]]), rows)
    missed = min(result["times_faster"].values()) < TARGET or wrong > 0 or difference > 3**0.5 / 2
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
