"""What is read off from the samples of a run; the same for every engine. Bounds were set before the first run."""

import math

import scenes

#: A wall stands if in 5 s no block's centre is ever farther than this from where it was set (m; a tenth of a block's height) ...
STANDS_M = 0.1
#: ... and none is faster than this in the last second (m/s).
STANDS_M_PER_S = 0.05
#: Lengths of a step that are tried, longest first (s).
LADDER = [0.030, 0.020, 0.015, 0.010, 0.007, 0.005, 0.003, 0.002, 0.001]


def finite(samples):
    return bool(samples) and all(math.isfinite(x) for sample in samples for state in sample["bodies"] for x in state)


def stands(scene, samples):
    """Whether a wall stands, and when it fell (s), which is None if it did not."""
    if not finite(samples) or samples[-1]["t"] < scene["seconds"] - scene["sample"]:
        return False, 0.0
    for sample in samples:
        for number, state in zip(scene["watch"], sample["bodies"]):
            far = math.dist(state[:3], scene["bodies"][number]["position"]) > STANDS_M
            fast = sample["t"] > scene["seconds"] - 1.0 and math.hypot(*state[7:10]) > STANDS_M_PER_S
            if far or fast:
                return False, sample["t"]
    return True, None


def angular_momentum(samples, begin, end):
    """Largest angular momentum of the cube about its centre and the y axis in a time (kg m2/s); I = m a2 / 6 about any axis."""
    inertia = 1.0 * 2.0**2 / 6.0
    values = [abs(inertia * s["bodies"][0][11]) for s in samples if begin <= s["t"] <= end]
    return max(values) if values and finite(samples) else math.nan


def rest_height(samples):
    """The cube's height at the end (m), if it lies flat on a face to 1e-3; else None."""
    w, x, y, z = samples[-1]["bodies"][0][3:7]
    axes = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return samples[-1]["bodies"][0][2] if max(map(abs, axes)) > 1 - 1e-6 else None


def stick_slip(scene, samples):
    """Tension (N), its least and most and period (s) after the first two cycles, and the share of time in which the weight stands still.

    A cycle begins where tension goes down through the middle of its range.
    """
    pull = scene["pull"]
    if not finite(samples):
        return {"least": math.nan, "most": math.nan, "period": math.nan, "stuck": math.nan, "tension": []}
    tension = [[s["t"], pull["stiffness"] * (pull["speed"] * s["t"] - s["bodies"][0][0])] for s in samples]
    late = [(t, force) for t, force in tension if t >= 2.0]
    least, most = min(f for _, f in late), max(f for _, f in late)
    middle = 0.5 * (least + most)
    falls = [
        a[0] + (b[0] - a[0]) * (a[1] - middle) / (a[1] - b[1])
        for a, b in zip(late, late[1:])
        if a[1] > middle >= b[1]
    ]
    period = (falls[-1] - falls[0]) / (len(falls) - 1) if len(falls) > 1 else math.nan
    speeds = [abs(s["bodies"][0][7]) for s in samples if s["t"] >= 2.0]
    stuck = sum(v < 1e-3 for v in speeds) / len(speeds)
    return {"least": least, "most": most, "period": period, "stuck": stuck, "tension": tension}


def creep(samples):
    """Speed at which the capsule sinks while it is held (m/s), and its acceleration in the control, over Coulomb's."""
    if not finite(samples):
        return math.nan, math.nan
    begin, end = scenes.CREEP

    def near(t):
        return min(samples, key=lambda s: abs(s["t"] - t))["bodies"][0]

    sunk = (near(begin)[2] - near(end)[2]) / (end - begin)
    first, last = scenes.CONTROL_READ
    slides = (near(end + first)[9] - near(end + last)[9]) / (last - first)
    return sunk, slides / (9.8 * (1.0 - 1.0 / scenes.CONTROL))
