"""The scenes that every engine runs, as plain data (SI units, z up, quaternions w x y z).

A scene is a dictionary:

- gravity, friction = [static, kinetic]; an engine with one coefficient takes the kinetic one;
- bodies: name, mass (0: it never moves), shape ({"box": half edges} or {"capsule": [radius, half length]}, along its own z), position, quaternion;
  "slides": the one axis along which a body moves, without friction or weight (a jaw), if there is one;
- loads: constant forces at a body's centre of mass from a time on: body, force, from;
- pull: a spring from a body's centre to a point that moves along x: body, stiffness, damping, speed; its force is taken at the beginning of a step;
- contact: stiffness and damping of a contact as a whole, for engines that take them;
- dt, seconds, sample (s), watch: which bodies are told every so often: [x y z qw qx qy qz vx vy vz wx wy wz].
"""

import math

UPRIGHT = [1.0, 0.0, 0.0, 0.0]
#: Rows of blocks from below; 30 and 100 blocks are three and ten walls of ten.
ROWS = {3: [2, 1], 6: [3, 2, 1], 10: [4, 3, 2, 1], 13: [5, 4, 3, 1]}
BLOCK = [1.0, 0.5, 0.5]  # half edges: the paper's 1 m x 1 m x 2 m, lying along x
#: Blocks of a row are this far apart, middle to middle: 0.2 m of air between them.
PITCH = 2.2
#: The capsule and its jaws: weight / (2 mu N) is the share of what friction can hold.
CAPSULE = {"radius": 0.01, "half_length": 0.02, "mass": 0.05, "friction": 0.5, "pinch": 1.0}


def body(name, shape, position, mass, quaternion=None, **more):
    return {"name": name, "shape": shape, "position": position, "mass": mass, "quaternion": quaternion or UPRIGHT, **more}


def floor(half):
    return body("floor", {"box": [half, half, 0.5]}, [0.0, 0.0, -0.5], 0.0)


def scene(name, bodies, dt, seconds, sample, watch, gravity=9.8, friction=(0.5, 0.5), **more):
    return {
        "name": name,
        "gravity": gravity,
        "friction": list(friction),
        "bodies": bodies,
        "loads": [],
        "dt": dt,
        "seconds": seconds,
        "sample": sample,
        "watch": watch,
        **more,
    }


def blocks(count, dt, seconds=5.0):
    """The paper's experiment 1: 1 m x 1 m x 2 m, 1 kg, g 9.8, in walls: each block lies on two of the row below.

    Rows from below: 3 = 2 + 1, 6 = 3 + 2 + 1, 10 = 4 + 3 + 2 + 1, 13 = 5 + 4 + 3 + 1 (the last on the middle one of three).
    """
    walls = [ROWS[count]] if count in ROWS else [ROWS[10]] * (count // 10)
    bodies = [floor(20.0)]
    for number, rows in enumerate(walls):
        y = 2.0 * (number - 0.5 * (len(walls) - 1))
        for level, row in enumerate(rows):
            for i in range(row):
                place = [PITCH * (i - 0.5 * (row - 1)), y, 0.5 + level]
                bodies.append(body(f"block{len(bodies)}", {"box": BLOCK}, place, 1.0))
    assert len(bodies) == count + 1
    return scene(f"blocks-{count}", bodies, dt, seconds, 0.05, list(range(1, count + 1)))


def cube_drop(tilt, dt=0.01, seconds=40.0):
    """The paper's experiment 2: a cube of 2 m and 1 kg, its lowest edge 1 m above the floor, tilted about y."""
    height = 1.0 + math.cos(tilt) + math.sin(tilt)
    turn = [math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0]
    bodies = [floor(20.0), body("cube", {"box": [1.0, 1.0, 1.0]}, [0.0, 0.0, height], 1.0, turn)]
    contact = {"stiffness": 1500.0, "damping": 1.5}
    return scene(f"cube-drop-{tilt:g}", bodies, dt, seconds, dt, [1], contact=contact)


def stick_slip(static, kinetic, damping=0.0, dt=0.001, seconds=8.0):
    """The paper's experiment 3: 2 kg on a floor, pulled through a spring of 400 N/m at 0.0642 m/s. The weight's size is ours."""
    bodies = [floor(5.0), body("weight", {"box": [0.05, 0.05, 0.025]}, [0.0, 0.0, 0.025], 2.0)]
    pull = {"body": 1, "stiffness": 400.0, "damping": damping, "speed": 0.0642}
    return scene("stick-slip", bodies, dt, seconds, 0.001, [1], friction=(static, kinetic), pull=pull)


#: When the capsule's creep is measured (s); the control begins at the end of it.
CREEP = [2.0, 12.0]
#: In the control the jaws press with what the weight needs, divided by this; it lasts so long, and what it says is read off in this part of it (s).
CONTROL, CONTROL_S, CONTROL_READ = 1.1, 0.2, [0.05, 0.2]


def pinched_capsule(dt=0.001):
    """A capsule that lies along x between two jaws, which press on it along y with 1 N: friction can hold 1 N, and it weighs 0.49 N.

    The left jaw stands still; the right one moves along y alone, without weight, and is pushed. From 12 s on it is pushed with too little: the
    control, in which the capsule must slide.
    """
    c = CAPSULE
    half = [0.03, 0.01, 0.08]
    y = c["radius"] + half[1]
    lying = [math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0]
    bodies = [
        body("left jaw", {"box": half}, [0.0, -y, 0.0], 0.0),
        body("right jaw", {"box": half}, [0.0, y, 0.0], 0.1, slides=[0.0, 1.0, 0.0]),
        body("capsule", {"capsule": [c["radius"], c["half_length"]]}, [0.0, 0.0, 0.0], c["mass"], lying),
    ]
    little = c["mass"] * 9.8 / (2.0 * c["friction"] * CONTROL)
    loads = [
        {"body": 1, "force": [0.0, -c["pinch"], 0.0], "from": 0.0},
        {"body": 1, "force": [0.0, c["pinch"] - little, 0.0], "from": CREEP[1]},
    ]
    friction = [c["friction"]] * 2
    return scene("pinched-capsule", bodies, dt, CREEP[1] + CONTROL_S, 0.05, [2], friction=friction, loads=loads)
