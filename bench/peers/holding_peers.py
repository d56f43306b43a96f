#!/usr/bin/env python3
"""The holding table: how fast a part creeps that Coulomb's law says must stand still.

A cube lies on a horizontal plane and is pulled sideways by a force below the friction limit. The numbers are in
holding.json (SI units); Stiction reads the same file.

- Load: gravity plus a vertical force at the centre of mass, so that the total is N(t). Column "constant": N = N0.
  Column "varying": N = N0 (1 + a sin(2 pi t / period)), from the first step on.
- Pull: horizontal, along x, at the centre of mass in every system; 0.9 of the limit at the smallest load of the column.
- Time: settle without pull, ramp the pull up, wait, then measure.
- Creep: displacement along x in the measured time, divided by it: of the centre of mass ("part") and of the mean of the
  four lower corners ("contact"). The two differ when the part tilts meanwhile.
- Control: afterwards the pull is 1.1 of the limit at the largest load, for a second. "slides" is the distance it then
  moves, divided by what Coulomb's law says: about 1, unless the setting glues the part instead of holding it by friction.

Forces are taken at the beginning of a step. CPU time is that of the step call alone, called from Python.
"""

import argparse
import importlib.metadata
import json
import logging
import math
import os
import re
import subprocess
import sys
import time

import results

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "holding.json"), encoding="utf-8") as file:
    P = json.load(file)
EDGE, MASS, MU, GRAVITY = P["edge_m"], P["mass_kg"], P["friction"], P["gravity_m_per_s2"]
HALF = EDGE / 2
STEP = P["step_s"]
ZERO = 1e-6  # um/s: what --check takes for standing still


class MuJoCo:
    """`option`: attributes of <option>; `geom`: attributes of both geoms."""

    def __init__(self, dt, option="", geom=""):
        import mujoco

        size = f"{HALF} {HALF} {HALF}"
        self.model = mujoco.MjModel.from_xml_string(f"""
            <mujoco><option timestep="{dt}" gravity="0 0 {-GRAVITY}" {quoted(option)}/><worldbody>
            <geom type="plane" size="5 5 1" friction="{MU}" {quoted(geom)}/>
            <body pos="0 0 {HALF}"><freejoint/>
            <geom type="box" size="{size}" mass="{MASS}" friction="{MU}" {quoted(geom)}/></body>
            </worldbody></mujoco>""")
        self.data = mujoco.MjData(self.model)
        self.advance = mujoco.mj_step

    def force(self, x, z):
        self.data.xfrc_applied[1, :3] = x, 0, z

    def step(self):
        self.advance(self.model, self.data)

    def places(self):
        return centre_and_contact(self.data.qpos[0], *self.data.qpos[3:7])


class Drake:
    """`shape`: "box" (Drake gives a box on a plane one contact point), "spheres" (`across` times `across` of radius 1 mm on
    the lower face; with 2, at the corners) or "hydroelastic" (compliant box, rigid plane). The rest: MultibodyPlantConfig."""

    def __init__(self, dt, shape="box", across=2, modulus=1e7, **plant):
        from pydrake import geometry
        from pydrake.math import RigidTransform
        from pydrake.multibody import plant as mbp
        from pydrake.multibody.math import SpatialForce
        from pydrake.multibody.tree import SpatialInertia, UnitInertia
        from pydrake.systems.analysis import Simulator
        from pydrake.systems.framework import DiagramBuilder

        logging.getLogger("drake").setLevel(logging.ERROR)
        builder = DiagramBuilder()
        self.plant, _ = mbp.AddMultibodyPlant(mbp.MultibodyPlantConfig(time_step=dt, **plant), builder)
        self.plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
        inertia = SpatialInertia(MASS, [0, 0, 0], UnitInertia.SolidCube(EDGE))
        self.body = self.plant.AddRigidBody("cube", inertia)

        def add(body, place, form, name, compliant=False):
            properties = geometry.ProximityProperties()
            geometry.AddContactMaterial(friction=mbp.CoulombFriction(MU, MU), properties=properties)
            if shape == "hydroelastic" and compliant:
                geometry.AddCompliantHydroelasticProperties(EDGE, modulus, properties)
            elif shape == "hydroelastic":
                geometry.AddRigidHydroelasticProperties(properties)
            self.plant.RegisterCollisionGeometry(body, RigidTransform(place), form, name, properties)

        add(self.plant.world_body(), [0, 0, 0], geometry.HalfSpace(), "plane")
        if shape == "spheres":
            radius = 1e-3
            line = [EDGE * n / (across - 1) - HALF for n in range(across)]
            for n, (x, y) in enumerate((x, y) for x in line for y in line):
                add(self.body, [x, y, radius - HALF], geometry.Sphere(radius), f"sphere{n}")
        else:
            add(self.body, [0, 0, 0], geometry.Box(EDGE, EDGE, EDGE), "cube", compliant=True)
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        self.plant.SetFreeBodyPose(self.context, self.body, RigidTransform([0, 0, HALF]))
        self.applied = mbp.ExternallyAppliedSpatialForce()
        self.applied.body_index = self.body.index()
        self.spatial = SpatialForce
        self.dt, self.steps = dt, 0
        self.force(0, 0)
        self.simulator.Initialize()

    def force(self, x, z):
        self.applied.F_Bq_W = self.spatial([0, 0, 0], [x, 0, z])
        self.plant.get_applied_spatial_force_input_port().FixValue(self.context, [self.applied])

    def step(self):
        self.steps += 1
        self.simulator.AdvanceTo(self.steps * self.dt)

    def places(self):
        w, x, y, z, place, *_ = self.plant.GetPositions(self.context)
        return centre_and_contact(place, w, x, y, z)


class PyBullet:
    """`body`: changeDynamics of both bodies; the rest: setPhysicsEngineParameter."""

    def __init__(self, dt, body=None, **engine):
        import pybullet

        self.api = pybullet
        if pybullet.isConnected():
            pybullet.disconnect()
        pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(0, 0, -GRAVITY)
        pybullet.setTimeStep(dt)
        if engine:
            pybullet.setPhysicsEngineParameter(**engine)
        plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE)
        cube = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[HALF] * 3)
        ground = pybullet.createMultiBody(0, plane)
        self.body = pybullet.createMultiBody(MASS, cube, basePosition=[0, 0, HALF])
        # Bullet multiplies the coefficients of the two bodies.
        for which, friction in ((ground, 1.0), (self.body, MU)):
            pybullet.changeDynamics(which, -1, lateralFriction=friction, **(body or {}))

    def force(self, x, z):
        place, _ = self.api.getBasePositionAndOrientation(self.body)
        self.api.applyExternalForce(self.body, -1, [x, 0, z], place, self.api.WORLD_FRAME)

    def step(self):
        self.api.stepSimulation()

    def places(self):
        place, (x, y, z, w) = self.api.getBasePositionAndOrientation(self.body)
        return centre_and_contact(place[0], w, x, y, z)


# Peer, time step, settings. `mark`: "default", or "best" for what creeps least of all we tried at 1 ms, the cheaper one if
# several stand still; chosen on this very experiment (runs of 2 to 5 s).
# Drake's box rocks on its one contact point (and so does not slide freely in the control); its default solver with four
# points is the row below. Its creep falls with the number of points; 10 times 10 is what a step of 1 ms has time for.
# Also tried, no better: MuJoCo: pyramidal cone with noslip or impratio, solver tolerance 0, integrators implicitfast,
# discrete and RK4, solimp up to 0.9999. Drake: similar, tamsi, stiction_tolerance down to 1e-12 (lagged then creeps about
# twice as fast as sap), sap_near_rigid_threshold 0 to 1, hydroelastic moduli 1e5 to 1e9. PyBullet: frictionERP,
# enableConeFriction, substeps, the Dantzig solver. Left out because they fail the control: PyBullet's sleeping (does not
# notice the pull) and useMaximalCoordinates with frictionAnchor (slides a sixth of the way).
ELLIPTIC = "cone=elliptic"
ROWS = [
    (MuJoCo, STEP, {"mark": "default"}),
    (MuJoCo, 0.002, {"mark": "default"}),
    (MuJoCo, STEP, {"option": ELLIPTIC}),
    (MuJoCo, STEP, {"option": f"{ELLIPTIC}, impratio=100"}),
    (MuJoCo, STEP, {"option": f"{ELLIPTIC}, noslip_iterations=10"}),
    (MuJoCo, STEP, {
        "mark": "best",
        "option": f"{ELLIPTIC}, impratio=100, noslip_iterations=10, noslip_tolerance=0",
        "geom": "solref=0.002 1, solimp=0.99 0.999 0.001",
    }),
    (Drake, STEP, {"mark": "default", "shape": "box"}),
    (Drake, STEP, {"mark": "default", "shape": "spheres", "across": 2}),
    (Drake, STEP, {"shape": "spheres", "across": 2, "discrete_contact_approximation": "sap"}),
    (Drake, STEP, {"shape": "hydroelastic", "discrete_contact_approximation": "sap"}),
    (Drake, STEP, {
        "shape": "hydroelastic",
        "discrete_contact_approximation": "sap",
        "contact_surface_representation": "triangle",
    }),
    (Drake, STEP, {"mark": "best", "shape": "spheres", "across": 10, "discrete_contact_approximation": "sap"}),
    (PyBullet, STEP, {"mark": "default"}),
    (PyBullet, 1 / 240, {"mark": "default"}),
    (PyBullet, STEP, {"body": {"frictionAnchor": 1}}),
    (PyBullet, STEP, {"numSolverIterations": 200, "solverResidualThreshold": 0}),
    (PyBullet, STEP, {"mark": "best", "solverResidualThreshold": 0, "body": {"frictionAnchor": 1}}),
]


def quoted(attributes):
    """a=1, b=2 3 as XML attributes."""
    return " ".join('{}="{}"'.format(*item.split("=")) for item in attributes.split(", ") if item)


def described(settings):
    """One line that says all settings of a row."""
    parts = []
    for name, value in settings.items():
        if name in ("option", "geom"):
            parts.append(value)
        elif isinstance(value, dict):
            parts += [f"{key}={number}" for key, number in value.items()]
        elif name != "mark":
            parts.append(f"{name}={value}")
    return ": ".join(filter(None, [settings.get("mark"), ", ".join(parts)]))


def centre_and_contact(centre, w, x, y, z):
    """Places along x of the centre and of the mean lower corner, which is the middle of the lower face."""
    return float(centre), float(centre - HALF * 2 * (x * z + w * y) / (w * w + x * x + y * y + z * z))


def run(system, load, seconds, dt):
    """One experiment: creep of part and contact (um/s), CPU time of a step (us), distance in the control over Coulomb's."""
    amplitude = P["varying_amplitude"] if load == "varying" else 0.0
    pull = P["pull_of_limit"] * MU * P["mean_load_n"] * (1 - amplitude)
    over = P["control_of_limit"] * MU * P["mean_load_n"] * (1 + amplitude)
    start = P["settle_s"] + P["ramp_s"] + P["wait_s"]
    first, last = round(start / dt), round((start + seconds) / dt)

    def normal(k):
        return P["mean_load_n"] * (1 + amplitude * math.sin(2 * math.pi * k * dt / P["varying_period_s"]))

    def advance(k, sideways):
        ramp = min(max((k * dt - P["settle_s"]) / P["ramp_s"], 0.0), 1.0)
        system.force(sideways * ramp, MASS * GRAVITY - normal(k))
        clock = time.process_time()
        system.step()
        return time.process_time() - clock

    for k in range(first):
        advance(k, pull)
    before = system.places()
    cpu = sum(advance(k, pull) for k in range(first, last))
    after = system.places()
    speed = coulomb = 0.0
    for k in range(last, last + round(1 / dt)):
        advance(k, over)
        speed += (over - MU * normal(k)) / MASS * dt
        coulomb += speed * dt
    part, contact = ((b - a) * 1e6 / seconds for a, b in zip(before, after))
    return part, contact, cpu * 1e6 / (last - first), (system.places()[0] - after[0]) / coulomb


def peers(seconds, emit):
    """Runs all peers; the names of those left out."""
    missing = []
    for peer, dt, settings in ROWS:
        name = peer.__name__
        if name in missing:
            continue
        setting = described(settings)
        arguments = {key: value for key, value in settings.items() if key != "mark"}
        for load in ("constant", "varying"):
            say(f"{name}, {setting}, dt {dt:.4g} s, {load} load ...")
            try:
                version = importlib.metadata.version(name.lower())
                part, contact, cpu, slides = run(peer(dt, **arguments), load, seconds, dt)
            except Exception as error:  # not installed, a system library missing, a setting it refuses: the others go on
                say(f"{name} SKIPPED: {type(error).__name__}: {error}")
                missing.append(name)
                break
            emit({
                "system": name,
                "version": version,
                "setting": setting,
                "load": load,
                "part_um_per_s": part,
                "contact_um_per_s": contact,
                "seconds": seconds,
                "dt": dt,
                "cpu_us_per_step": cpu,
                "slides": slides,
            })
    return missing


def stiction(emit):
    """Stiction's own rows; False, with the reason on stderr, if there are none."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "stiction-lab", "--", "bench", "holding", "--json"]
    say("Stiction: " + " ".join(command))
    try:
        answer = subprocess.run(command, cwd=os.path.join(HERE, "../.."), capture_output=True, text=True, check=True)
        rows = [json.loads(line) for line in answer.stdout.splitlines() if line.strip()]
        if not rows:
            raise ValueError("it printed no rows")
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        say(f"Stiction SKIPPED: {error}")
        for line in (getattr(error, "stderr", None) or "").splitlines()[-5:]:
            say(f"    {line}")
        return False
    for row in rows:
        emit(row)
    return True


def holds(rows):
    """Whether Stiction's rows with `hold` in their setting stand still, in both columns."""
    ours = [r for r in rows if r["system"].lower() == "stiction" and re.search(r"\bhold\b", r["setting"])]
    moving = [r for r in ours if not max(abs(r["part_um_per_s"]), abs(r["contact_um_per_s"])) < ZERO]
    for row in moving:
        say(f"check: Stiction, {row['setting']}, {row['load']}: creeps {row['part_um_per_s']:g} um/s")
    absent = {"constant", "varying"} - {r["load"] for r in ours}
    for load in sorted(absent):
        say(f"check: no row of Stiction with hold and {load} load")
    return not moving and not absent


def kept(row):
    """A row of a file of results; only ours have a target."""
    what = f"{row['system']} {row['version']}, {row['setting']}, {row['load']} load: creep of the part's centre"
    ours = row["system"].lower() == "stiction" and re.search(r"\bhold\b", row["setting"])
    return results.measurement(what, abs(row["part_um_per_s"]), "µm/s", at_most=ZERO if ours else None)


def number(value):
    return "-" if value is None else f"{value:.1e}" if 0 < abs(value) < 1e-3 else f"{value:.4g}"


def table(rows):
    groups = {}
    for row in rows:
        key = (row["system"], row["version"], row["setting"], row["dt"])
        groups.setdefault(key, {})[row["load"]] = row
    print("Creep in um/s of a part that must not move (part: centre; contact: mean lower corner).")
    print("slides: distance when pulled over the limit, over Coulomb's; must be about 1. cpu: us a step.\n")
    columns = ["part", "contact", "slides"]
    print(f"{'':18} {'':8} {'constant load':^29} {'varying load':^29}")
    print(f"{'system':18} {'dt ms':>8}" + "".join(f" {c:>9}" for c in columns * 2) + f" {'cpu':>7}  setting")
    for (system, version, setting, dt), loads in groups.items():
        cells = []
        for load in ("constant", "varying"):
            row = loads.get(load, {})
            cells += [number(row.get("part_um_per_s")), number(row.get("contact_um_per_s"))]
            cells.append(f"{row['slides']:.2f}" if "slides" in row else "-")
        cpu = sum(row["cpu_us_per_step"] for row in loads.values()) / len(loads)
        name = f"{system} {version}"
        print(f"{name:18} {dt * 1e3:8.3g}" + "".join(f" {c:>9}" for c in cells) + f" {cpu:7.1f}  {setting}")


def say(text):
    print(f"holding: {text}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="run-holding",
        description="The holding table: creep of a part below the friction limit, Stiction beside MuJoCo, Drake and PyBullet.",
        epilog="Exit code: 0; 1 if --check fails; 3 if a system is missing from the table.",
    )
    parser.add_argument("--quick", action="store_true", help=f"measure {P['quick_s']:g} s instead of {P['measure_s']:g} (peers)")
    parser.add_argument("--peers-only", action="store_true", help="without Stiction's rows")
    parser.add_argument("--check", action="store_true", help=f"exit with 1 unless Stiction's hold rows are 0 (below {ZERO:g} um/s)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    options = parser.parse_args()
    if options.check and options.peers_only:
        parser.error("--check needs Stiction's rows; leave --peers-only out")

    # Bullet and others print on stdout; that is ours alone.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = out
    rows = []

    def emit(row):
        rows.append(row)
        if options.json:
            print(json.dumps(row), flush=True)

    missing = [] if options.peers_only or stiction(emit) else ["Stiction"]
    missing += peers(P["quick_s"] if options.quick else P["measure_s"], emit)
    if rows:
        results.keep("bench-holding-peers", " ".join(["bench/peers/run-holding", *sys.argv[1:]]), [kept(row) for row in rows])
    if not options.json and rows:
        table(rows)
    if missing:
        say("missing from the table: " + ", ".join(missing) + " (the reasons are above)")
    if options.check and not holds(rows):
        sys.exit(1)
    sys.exit(3 if missing else 0)


if __name__ == "__main__":
    main()
