#!/usr/bin/env python3
"""The holding table: how fast a part creeps that Coulomb's law says must stand still.

A cube lies on a horizontal plane and is pulled sideways by a force below the friction limit. The numbers are in
holding.json (SI units); Stiction reads the same file.

- Load: gravity plus a vertical force at the centre of mass, so that the total is N(t). Column "constant": N = N0.
  Column "varying": N = N0 (1 + a sin(2 pi t / period)) from the first step on.
- Pull: horizontal, along x, at the centre of mass, in every system; 0.9 of the limit at the smallest load of the column.
- Time: settle without pull, ramp the pull up, wait, then measure.
- Creep: displacement along x over the measured time, divided by it: of the centre of mass ("part") and of the mean of the
  four lower corners ("contact"; these differ when the part tilts).

Forces are taken at the beginning of a step. CPU time is that of the step call alone, with its share of Python.
"""

import argparse
import importlib.metadata
import json
import math
import os
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "holding.json"), encoding="utf-8") as file:
    P = json.load(file)
EDGE, MASS, MU, GRAVITY = P["edge_m"], P["mass_kg"], P["friction"], P["gravity_m_per_s2"]
HALF = EDGE / 2
INERTIA = MASS * EDGE**2 / 6


class MuJoCo:
    """`option`: attributes of <option>; `geom`: attributes of both geoms."""

    package = "mujoco"

    def __init__(self, dt, option="", geom=""):
        import mujoco

        self.model = mujoco.MjModel.from_xml_string(f"""
            <mujoco><option timestep="{dt}" gravity="0 0 {-GRAVITY}" {option}/><worldbody>
            <geom type="plane" size="5 5 1" friction="{MU}" {geom}/>
            <body pos="0 0 {HALF}"><freejoint/>
            <geom type="box" size="{HALF} {HALF} {HALF}" mass="{MASS}" friction="{MU}" {geom}/></body>
            </worldbody></mujoco>""")
        self.data = mujoco.MjData(self.model)
        self.advance = mujoco.mj_step

    def force(self, x, z):
        self.data.xfrc_applied[1, 0] = x
        self.data.xfrc_applied[1, 2] = z

    def step(self):
        self.advance(self.model, self.data)

    def pose(self):
        return self.data.qpos[:3].copy(), quaternion_matrix(self.data.qpos[3:])


class Drake:
    """`plant`: MultibodyPlantConfig; `shape`: "box" (one contact point), "corners" (four spheres, as Drake's guide advises
    for point contact) or "hydroelastic" (compliant box on a rigid plane), with its modulus."""

    package = "drake"

    def __init__(self, dt, shape="box", modulus=1e7, **plant):
        from pydrake.geometry import (
            AddCompliantHydroelasticProperties,
            AddContactMaterial,
            AddRigidHydroelasticProperties,
            Box,
            HalfSpace,
            ProximityProperties,
            Sphere,
        )
        from pydrake.math import RigidTransform
        from pydrake.multibody.math import SpatialForce
        from pydrake.multibody.plant import (
            AddMultibodyPlant,
            CoulombFriction,
            ExternallyAppliedSpatialForce,
            MultibodyPlantConfig,
        )
        from pydrake.multibody.tree import SpatialInertia, UnitInertia
        from pydrake.systems.analysis import Simulator
        from pydrake.systems.framework import DiagramBuilder

        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlant(MultibodyPlantConfig(time_step=dt, **plant), builder)
        self.plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
        inertia = SpatialInertia(MASS, [0, 0, 0], UnitInertia.SolidCube(EDGE))
        self.body = self.plant.AddRigidBody("cube", inertia)

        def add(body, place, form, name, hydroelastic):
            properties = ProximityProperties()
            AddContactMaterial(friction=CoulombFriction(MU, MU), properties=properties)
            if shape == "hydroelastic":
                hydroelastic(properties)
            self.plant.RegisterCollisionGeometry(body, RigidTransform(place), form, name, properties)

        add(self.plant.world_body(), [0, 0, 0], HalfSpace(), "plane", AddRigidHydroelasticProperties)
        if shape == "corners":
            for n, corner in enumerate(CORNERS):
                add(self.body, corner + [0, 0, RADIUS], Sphere(RADIUS), f"corner{n}", None)
        else:
            soft = lambda properties: AddCompliantHydroelasticProperties(EDGE, modulus, properties)
            add(self.body, [0, 0, 0], Box(EDGE, EDGE, EDGE), "cube", soft)
        self.plant.Finalize()
        diagram = builder.Build()
        self.simulator = Simulator(diagram)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        self.plant.SetFreeBodyPose(self.context, self.body, RigidTransform([0, 0, HALF]))
        self.applied = ExternallyAppliedSpatialForce()
        self.applied.body_index = self.body.index()
        self.spatial = SpatialForce
        self.port = self.plant.get_applied_spatial_force_input_port()
        self.time, self.dt, self.steps = 0.0, dt, 0
        self.force(0, 0)
        self.simulator.Initialize()

    def force(self, x, z):
        self.applied.F_Bq_W = self.spatial([0, 0, 0], [x, 0, z])
        self.port.FixValue(self.context, [self.applied])

    def step(self):
        self.steps += 1
        self.simulator.AdvanceTo(self.steps * self.dt)

    def pose(self):
        pose = self.plant.EvalBodyPoseInWorld(self.context, self.body)
        return pose.translation(), pose.rotation().matrix()


class PyBullet:
    """`engine`: setPhysicsEngineParameter; `body`: changeDynamics of both bodies; `create`: createMultiBody."""

    package = "pybullet"

    def __init__(self, dt, engine=None, body=None, create=None):
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
        ground = pybullet.createMultiBody(0, plane, **(create or {}))
        self.body = pybullet.createMultiBody(MASS, cube, basePosition=[0, 0, HALF], **(create or {}))
        # Bullet multiplies the two coefficients of friction.
        for which, friction in ((ground, 1.0), (self.body, MU)):
            pybullet.changeDynamics(which, -1, lateralFriction=friction, **(body or {}))

    def force(self, x, z):
        place, _ = self.api.getBasePositionAndOrientation(self.body)
        self.api.applyExternalForce(self.body, -1, [x, 0, z], place, self.api.WORLD_FRAME)

    def step(self):
        self.api.stepSimulation()

    def pose(self):
        place, q = self.api.getBasePositionAndOrientation(self.body)
        return np.array(place), quaternion_matrix((q[3], q[0], q[1], q[2]))


CORNERS = np.array([[x, y, -HALF] for x in (-HALF, HALF) for y in (-HALF, HALF)])
RADIUS = 1e-3


def quaternion_matrix(q):
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def places(system):
    """Centre and mean lower corner, along x."""
    centre, rotation = system.pose()
    return np.array([centre[0], centre[0] + float((CORNERS @ rotation.T)[:, 0].mean())])


def run(make, load, seconds, dt):
    """One experiment: creep of the part, creep of the contact (um/s), CPU time of a step (us)."""
    system = make(dt)
    amplitude = P["varying_amplitude"] if load == "varying" else 0.0
    full = P["pull_of_limit"] * MU * P["mean_load_n"] * (1 - amplitude)
    start = P["settle_s"] + P["ramp_s"] + P["wait_s"]
    first, last = round(start / dt), round((start + seconds) / dt)
    cpu = 0.0
    for k in range(last):
        t = k * dt
        if k == first:
            before = places(system)
            cpu = 0.0
        normal = P["mean_load_n"] * (1 + amplitude * math.sin(2 * math.pi * t / P["varying_period_s"]))
        pull = full * min(max((t - P["settle_s"]) / P["ramp_s"], 0.0), 1.0)
        system.force(pull, MASS * GRAVITY - normal)
        clock = time.perf_counter()
        system.step()
        cpu += time.perf_counter() - clock
    moved = (places(system) - before) * 1e6 / seconds
    return float(moved[0]), float(moved[1]), cpu * 1e6 / (last - first)
