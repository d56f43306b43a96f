"""Engines that are programs of their own: ODE and rapier, built here from a file of ours each, and Stiction."""

import importlib.metadata
import json
import os
import subprocess
import tomllib

import engines

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TARGET = os.path.join(TREE, os.environ.get("CARGO_TARGET_DIR", "target"))
BUILT = os.path.join(TARGET, "peers")


class Missing(Exception):
    """An engine that cannot be had here, and why."""


def call(command, **more):
    """Runs a command; what it says is part of the error."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout
    except OSError as error:
        raise Missing(f"{command[0]}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise Missing(f"{command[0]} failed: {error.stderr.strip()[-600:]}") from error


class Ode:
    """ODE from Debian's libode-dev; the package is installed where we may. `solver`: "exact" (dWorldStep) or "quick" (dWorldQuickStep)."""

    name = "ODE"

    def __init__(self):
        if not os.path.exists("/usr/include/ode/ode.h"):
            if os.geteuid() != 0:
                raise Missing("its headers are not there; on Debian: apt install libode-dev")
            call(["apt-get", "update", "-qq"])
            call(["apt-get", "install", "-y", "-qq", "libode-dev"])
        os.makedirs(BUILT, exist_ok=True)
        self.version = call(["dpkg-query", "--showformat=${Version}", "--show", "libode-dev"]).strip()
        self.program = os.path.join(BUILT, "volume-ode")
        source = os.path.join(HERE, "ode.cpp")
        given = [f'-DODE_VERSION="{self.version}"', "-std=c++17", "-O2"]
        call([os.environ.get("CXX", "g++"), *given, source, "-lode", "-o", self.program])

    def run(self, scene, solver="exact", iterations=20, erp=-1, cfm=-1, springs=False):
        lines = [f"world {scene['gravity']} {scene['friction'][1]} {scene['dt']} {scene['seconds']} {scene['sample']}"]
        lines.append(f"solver {solver} {iterations} {erp} {cfm}")
        if springs:
            lines.append(f"contact {scene['contact']['stiffness']} {scene['contact']['damping']}")
        for body in scene["bodies"]:
            (kind, size) = next(iter(body["shape"].items()))
            numbers = [*size, 0.0][:3] + [body["mass"], *body["position"], *body["quaternion"], *body.get("slides", [0.0] * 3)]
            lines.append(f"body {kind} {engines.words(numbers)}")
        lines += [f"load {load['body']} {engines.words(load['force'])} {load['from']}" for load in scene["loads"]]
        if "pull" in scene:
            pull = scene["pull"]
            lines.append(f"pull {pull['body']} {pull['stiffness']} {pull['damping']} {pull['speed']}")
        lines += [f"watch {body}" for body in scene["watch"]]
        return json.loads(call([self.program], input="\n".join(lines)))


class Rapier:
    """rapier in double precision; a crate of its own, with its own Cargo.lock."""

    name = "rapier"

    def __init__(self):
        manifest = os.path.join(HERE, "rapier", "Cargo.toml")
        call(["cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", manifest, "--target-dir", BUILT])
        self.program = os.path.join(BUILT, "release", "volume-rapier")
        with open(os.path.join(HERE, "rapier", "Cargo.lock"), "rb") as file:
            packages = tomllib.load(file)["package"]
        self.version = next(p["version"] for p in packages if p["name"] == "rapier3d-f64")

    def run(self, scene, **settings):
        return json.loads(call([self.program], input=json.dumps({"scene": scene, "settings": settings})))


class Stiction:
    """Ours: `method`: "volume", or "point" for force at the deepest point alone."""

    name = "Stiction"

    def __init__(self):
        call(["cargo", "build", "--quiet", "--release", "-p", "stiction-volume", "--example", "peer_scene"], cwd=TREE)
        self.program = os.path.join(TARGET, "release", "examples", "peer_scene")
        with open(os.path.join(TREE, "Cargo.toml"), "rb") as file:
            self.version = tomllib.load(file)["workspace"]["package"]["version"]

    def run(self, scene, method="volume"):
        return json.loads(call([self.program, method], input=json.dumps(scene)))


class InPython:
    """An engine of engines.py."""

    def __init__(self, engine):
        self.engine, self.name = engine, engine.__name__
        try:
            self.version = importlib.metadata.version(self.name.lower())
        except importlib.metadata.PackageNotFoundError as error:
            raise Missing("its package is not installed; is there a network, and a package for this Python?") from error

    def run(self, scene, **settings):
        return engines.run(self.engine(scene, **settings), scene)
