"""MuJoCo, Drake and PyBullet: each makes a scene of scenes.py, and `run` steps it."""

import logging
import statistics
import time


def run(engine, scene):
    """Runs a scene: samples of the watched bodies, and the processor time of the step call alone, called from Python (us)."""
    dt, every = scene["dt"], max(1, round(scene["sample"] / scene["dt"]))
    samples, times = [], []
    start = [body["position"] for body in scene["bodies"]]
    for k in range(round(scene["seconds"] / dt)):
        engine.forces(forces(scene, k * dt, start, engine.state))
        clock = time.process_time_ns()
        engine.step()
        times.append(1e-3 * (time.process_time_ns() - clock))
        if (k + 1) % every == 0:
            samples.append({"t": (k + 1) * dt, "bodies": [[float(x) for x in engine.state(i)] for i in scene["watch"]]})
    return {"samples": samples, "mean_us": statistics.fmean(times), "median_us": statistics.median(times)}


def forces(scene, t, start, state):
    """Forces at bodies' centres at a time: of loads, and of the pull."""
    out = {}

    def add(body, force):
        out[body] = [a + b for a, b in zip(out.get(body, [0.0] * 3), force)]

    for load in scene["loads"]:
        add(load["body"], load["force"] if t >= load["from"] - 1e-9 else [0.0] * 3)
    if "pull" in scene:
        pull = scene["pull"]
        now = state(pull["body"])
        spring = pull["stiffness"] * (pull["speed"] * t - (now[0] - start[pull["body"]][0]))
        add(pull["body"], [spring + pull["damping"] * (pull["speed"] - now[7]), 0.0, 0.0])
    return out


class MuJoCo:
    """`option`: attributes of <option>; `geom`: attributes of all geometries."""

    def __init__(self, scene, option="", geom=""):
        import mujoco

        parts = []
        friction = f"{scene['friction'][1]} 0.005 0.0001"
        for i, body in enumerate(scene["bodies"]):
            (kind, size) = next(iter(body["shape"].items()))
            mass = f'mass="{body["mass"]}"' if body["mass"] else ""
            shape = f'<geom type="{kind}" size="{words(size)}" {mass} friction="{friction}" {attributes(geom)}/>'
            joint = f'<joint type="slide" axis="{words(body["slides"])}"/>' if "slides" in body else "<freejoint/>"
            light = ' gravcomp="1"' if "slides" in body else ""
            place = f'pos="{words(body["position"])}" quat="{words(body["quaternion"])}"{light}'
            parts.append(f'<body name="b{i}" {place}>{joint if body["mass"] else ""}{shape}</body>')
        self.model = mujoco.MjModel.from_xml_string(f"""
            <mujoco><option timestep="{scene['dt']}" gravity="0 0 {-scene['gravity']}" {attributes(option)}/>
            <size memory="200M"/><worldbody>{''.join(parts)}</worldbody></mujoco>""")
        self.data = mujoco.MjData(self.model)
        self.advance = mujoco.mj_step

    def forces(self, forces):
        for body, force in forces.items():
            self.data.xfrc_applied[body + 1, :3] = force

    def step(self):
        self.advance(self.model, self.data)

    def state(self, body):
        b = self.model.body_jntadr[body + 1]
        if b < 0 or self.model.jnt_type[b] != 0:
            return [*self.data.xpos[body + 1], *self.data.xquat[body + 1], *[0.0] * 6]
        q, v = self.model.jnt_qposadr[b], self.model.jnt_dofadr[b]
        place, quaternion = self.data.qpos[q : q + 3], self.data.qpos[q + 3 : q + 7]
        return [*place, *quaternion, *self.data.qvel[v : v + 3], *turned(quaternion, self.data.qvel[v + 3 : v + 6])]


class Drake:
    """`hydroelastic`: modulus of bodies that move (Pa), those that do not are rigid; or None for contact at points. The rest: MultibodyPlantConfig."""

    def __init__(self, scene, hydroelastic=None, **plant):
        from pydrake import geometry
        from pydrake.math import RigidTransform
        from pydrake.common.eigen_geometry import Quaternion
        from pydrake.multibody import plant as mbp
        from pydrake.multibody.math import SpatialForce
        from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, SpatialInertia
        from pydrake.systems.analysis import Simulator
        from pydrake.systems.framework import DiagramBuilder

        logging.getLogger("drake").setLevel(logging.ERROR)
        builder = DiagramBuilder()
        self.plant, _ = mbp.AddMultibodyPlant(mbp.MultibodyPlantConfig(time_step=scene["dt"], **plant), builder)
        self.plant.mutable_gravity_field().set_gravity_vector([0, 0, -scene["gravity"]])
        self.bodies, poses = [], []
        for i, body in enumerate(scene["bodies"]):
            (kind, size) = next(iter(body["shape"].items()))
            pose = RigidTransform(Quaternion(body["quaternion"]), body["position"])
            if kind == "box":
                form = geometry.Box(*[2 * x for x in size])
                inertia = SpatialInertia.SolidBoxWithMass(body["mass"] or 1.0, *[2 * x for x in size])
            else:
                form = geometry.Capsule(size[0], 2 * size[1])
                inertia = SpatialInertia.SolidCapsuleWithMass(body["mass"], size[0], 2 * size[1], [0, 0, 1])
            properties = geometry.ProximityProperties()
            friction = mbp.CoulombFriction(*scene["friction"])
            geometry.AddContactMaterial(friction=friction, properties=properties)
            if hydroelastic and body["mass"]:
                geometry.AddCompliantHydroelasticProperties(0.5 * min(size), hydroelastic, properties)
            elif hydroelastic:
                geometry.AddRigidHydroelasticProperties(properties)
            if not body["mass"]:
                added = self.plant.world_body()
                self.plant.RegisterCollisionGeometry(added, pose, form, f"g{i}", properties)
            else:
                added = self.plant.AddRigidBody(f"b{i}", inertia)
                self.plant.RegisterCollisionGeometry(added, RigidTransform(), form, f"g{i}", properties)
            if "slides" in body:
                frame = self.plant.AddFrame(FixedOffsetFrame(f"f{i}", self.plant.world_frame(), pose))
                self.plant.AddJoint(PrismaticJoint(f"j{i}", frame, added.body_frame(), body["slides"]))
            self.bodies.append(added)
            poses.append(pose)
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for given, added, pose in zip(scene["bodies"], self.bodies, poses):
            if given["mass"] and "slides" not in given:
                self.plant.SetFreeBodyPose(self.context, added, pose)
        self.external, self.spatial = mbp.ExternallyAppliedSpatialForce, SpatialForce
        self.dt, self.steps, self.given = scene["dt"], 0, None
        self.forces({})
        self.simulator.Initialize()

    def forces(self, forces):
        if forces == self.given:
            return
        self.given = forces
        applied = []
        for body, force in forces.items():
            one = self.external()
            one.body_index = self.bodies[body].index()
            one.F_Bq_W = self.spatial([0, 0, 0], force)
            applied.append(one)
        self.plant.get_applied_spatial_force_input_port().FixValue(self.context, applied)

    def step(self):
        self.steps += 1
        self.simulator.AdvanceTo(self.steps * self.dt)

    def state(self, body):
        pose = self.plant.EvalBodyPoseInWorld(self.context, self.bodies[body])
        velocity = self.plant.EvalBodySpatialVelocityInWorld(self.context, self.bodies[body])
        q = pose.rotation().ToQuaternion()
        return [*pose.translation(), q.w(), q.x(), q.y(), q.z(), *velocity.translational(), *velocity.rotational()]


class PyBullet:
    """`body`: changeDynamics of all bodies; the rest: setPhysicsEngineParameter. A body that slides is a link on an axis."""

    def __init__(self, scene, body=None, **engine):
        import pybullet

        self.api = api = pybullet
        if api.isConnected():
            api.disconnect()
        api.connect(api.DIRECT)
        api.setGravity(0, 0, -scene["gravity"])
        api.setTimeStep(scene["dt"])
        if engine:
            api.setPhysicsEngineParameter(**engine)
        self.bodies = []
        for given in scene["bodies"]:
            (kind, size) = next(iter(given["shape"].items()))
            if kind == "box":
                shape = api.createCollisionShape(api.GEOM_BOX, halfExtents=size)
            else:
                shape = api.createCollisionShape(api.GEOM_CAPSULE, radius=size[0], height=2 * size[1])
            w, x, y, z = given["quaternion"]
            pose = {"basePosition": given["position"], "baseOrientation": [x, y, z, w]}
            if "slides" in given:
                link = {
                    "linkMasses": [given["mass"]],
                    "linkCollisionShapeIndices": [shape],
                    "linkVisualShapeIndices": [-1],
                    "linkPositions": [[0, 0, 0]],
                    "linkOrientations": [[0, 0, 0, 1]],
                    "linkInertialFramePositions": [[0, 0, 0]],
                    "linkInertialFrameOrientations": [[0, 0, 0, 1]],
                    "linkParentIndices": [0],
                    "linkJointTypes": [api.JOINT_PRISMATIC],
                    "linkJointAxis": [given["slides"]],
                }
                added = (api.createMultiBody(0, -1, **pose, **link), 0)
                api.setJointMotorControl2(added[0], 0, api.VELOCITY_CONTROL, force=0)
                api.changeDynamics(*added, linearDamping=0, angularDamping=0, jointDamping=0)
            else:
                added = (api.createMultiBody(given["mass"], shape, **pose), -1)
            # Bullet multiplies the coefficients of the two bodies.
            share = scene["friction"][1] ** 0.5
            api.changeDynamics(*added, lateralFriction=share, **(body or {}))
            self.bodies.append(added)

    def forces(self, forces):
        for body, force in forces.items():
            place = self.state(body)[:3]
            self.api.applyExternalForce(*self.bodies[body], force, place, self.api.WORLD_FRAME)

    def step(self):
        self.api.stepSimulation()

    def state(self, body):
        which, link = self.bodies[body]
        if link >= 0:
            place, (x, y, z, w) = self.api.getLinkState(which, link)[:2]
            return [*place, w, x, y, z, *[0.0] * 6]
        place, (x, y, z, w) = self.api.getBasePositionAndOrientation(which)
        velocity, spin = self.api.getBaseVelocity(which)
        return [*place, w, x, y, z, *velocity, *spin]


def words(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def attributes(text):
    """a=1, b=2 3 as XML attributes."""
    return " ".join('{}="{}"'.format(*item.split("=")) for item in text.split(", ") if item)


def turned(quaternion, v):
    """A vector of a body's axes in the world's."""
    w, *u = (float(x) for x in quaternion)
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    first = [2.0 * x for x in cross(u, v)]
    second = cross(u, first)
    return [float(v[i]) + w * first[i] + second[i] for i in range(3)]
