"""What is run: engines with their settings, in every experiment. `best`: what creeps least of all that we tried, by the engine's own documentation."""

from engines import Drake, MuJoCo, PyBullet
from outside import Ode, Rapier, Stiction

VOLUME, POINT = {"method": "volume"}, {"method": "point"}
EXACT, QUICK = {"solver": "exact"}, {"solver": "quick"}

#: Experiment 1. Drake is not here: by default it gives a box one contact point, on which nothing stands.
BLOCKS = [
    (Stiction, "volume", VOLUME),
    (Stiction, "points", POINT),
    (Ode, "exact step", EXACT),
    (Ode, "quick step", QUICK),
    (Rapier, "default", {}),
    (MuJoCo, "default", {}),
    (PyBullet, "default", {}),
]

#: Experiment 2: with the paper's spring and damper in ODE too, and as each engine comes.
DROP = [
    (Stiction, "volume", VOLUME),
    (Stiction, "points", POINT),
    (Ode, "exact step, the paper's spring and damper", EXACT | {"springs": True}),
    (Ode, "exact step, default", EXACT),
    (Ode, "quick step, the paper's spring and damper", QUICK | {"springs": True}),
    (Rapier, "default", {}),
    (MuJoCo, "default", {}),
]

#: Experiment 3: engines with one coefficient get the kinetic one.
SLIP = BLOCKS

ELLIPTIC = "cone=elliptic"
NOSLIP = f"{ELLIPTIC}, impratio=100, noslip_iterations=10, noslip_tolerance=0"
STIFF = "solref=0.002 1, solimp=0.99 0.999 0.001"
SAP = {"discrete_contact_approximation": "sap"}

#: The pinched capsule. Also tried, no better: MuJoCo with 50 noslip iterations, impratio 1000 and solver tolerance 0, and with a pyramidal cone and noslip;
#: Drake with hydroelastic moduli of 1e7 and 1e8 Pa, and points with sap; PyBullet with 200 iterations and with friction ERP; ODE's quick step with 200
#: iterations. "best" was chosen on this very scene; of settings that stand still, the one that slides most freely in the control or is cheapest.
CAPSULE = [
    (Stiction, "volume", VOLUME),
    (MuJoCo, "default", {}),
    (MuJoCo, "elliptic, impratio 100", {"option": f"{ELLIPTIC}, impratio=100"}),
    (MuJoCo, "best: elliptic, impratio 100, noslip, stiff contacts", {"option": NOSLIP, "geom": STIFF}),
    (Drake, "default", {}),
    (Drake, "hydroelastic", {"hydroelastic": 1e7}),
    (Drake, "best: hydroelastic of 1 MPa, sap", {"hydroelastic": 1e6} | SAP),
    (PyBullet, "default", {}),
    (PyBullet, "frictionAnchor", {"body": {"frictionAnchor": 1}}),
    (PyBullet, "best: frictionAnchor, residual 0", {"solverResidualThreshold": 0, "body": {"frictionAnchor": 1}}),
    (Ode, "exact step", EXACT),
    (Ode, "quick step", QUICK),
    (Ode, "best: exact step, CFM 0", EXACT | {"cfm": 0}),
    (Rapier, "default", {}),
    (Rapier, "one friction constraint a point, 20 iterations", {"coulomb": True, "iterations": 20}),
]
