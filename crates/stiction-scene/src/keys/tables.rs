//! Keys of everything but the parts.

use super::kind::{Key, Kind, Range, Table};
use super::parts::{FIXED, HELD};
use Kind::{Direction, Either, Flag, List, Number, Numbers, OneOf, Text, Texts, Whole, Word};
use Range::{Any, NotNegative, Part, Positive, Share};

const fn table(name: &'static str, doc: &'static str, keys: &'static [Key]) -> Table {
    Table { name, doc, keys, part: false }
}

/// The whole file.
pub const ROOT: Table = table(
    "the scene",
    "The whole file. SI units: m, N, kg, s, rad unless the key says `_deg`.",
    &[
        Key::new("name", Text, "", "What the scene is called; by default its folder"),
        Key::new("description", Text, "", "What it shows, in a line").or("\"\""),
        Key::new("run", Kind::Table(&RUN), "", "How long and how fast"),
        Key::new("held", Kind::Table(&HELD), "", "The part in the hand").required(),
        Key::new("fixed", Kind::Table(&FIXED), "", "The part that does not move").required(),
        Key::new("start", Kind::Table(&START), "", "Where the held part is at first"),
        Key::new("coupling", Kind::Table(&COUPLING), "", "The spring between hand and part"),
        Key::new("contact", Kind::Table(&CONTACT), "", "How contacts push"),
        Key::new("friction", Kind::Table(&FRICTION), "", "The friction solver and coefficients"),
        Key::new("damping", Kind::Table(&DAMPING), "", "Static damping of penalty contacts"),
        Key::new("load", Kind::Table(&LOAD), "", "What acts on the held part besides hand and contact"),
        Key::new("hand", Kind::Table(&HAND), "", "How the hand moves; without it, it stays at [start]"),
    ],
);

/// [run]
pub const RUN: Table = table(
    "[run]",
    "How long and how fast.",
    &[
        Key::new("seconds", Number(Positive), "s", "Length of the run; by default that of the hand's motion, or 1"),
        Key::new("rate", Number(Positive), "Hz", "Ticks a second").or("1000.0"),
    ],
);

/// [start]
pub const START: Table = table(
    "[start]",
    "Where the held part is at first (world from part); by default where the hand is.",
    &[
        Key::new("position", Numbers(3, Any), "m", "Where its origin is"),
        Key::new("rotation", OneOf(ROTATION), "", "How it is turned"),
        Key::new(
            "relative_to",
            Word(&["world", "fixed"]),
            "",
            "Whose axes and origin poses are told in: the world's, or the fixed part's, so that all turns with that",
        )
        .or("\"world\""),
    ],
);

/// [coupling]
pub const COUPLING: Table = table(
    "[coupling]",
    "The spring between hand and part.",
    &[
        Key::new("stiffness", Number(Positive), "N/m", "Force by distance").or("2000.0"),
        Key::new("torsion", Number(Positive), "N m/rad", "Torque by angle").or("20.0"),
        Key::new("max_force", Number(Positive), "N", "The force never reaches this").or("40.0"),
        Key::new("max_torque", Number(Positive), "N m", "The torque never reaches this").or("4.0"),
    ],
);

/// [contact]
pub const CONTACT: Table = table(
    "[contact]",
    "How contacts push, and the work of a tick.",
    &[
        Key::new(
            "model",
            Word(&["hard", "penalty"]),
            "",
            "hard: contacts as stiff as the parts need, solved together with friction; penalty: soft springs, for the friction methods lp, qp and yamane and for pyramids, which select it by themselves",
        ),
        Key::new(
            "stiffness",
            Number(Positive),
            "N/m",
            "hard: of each contact, by default from the thinnest wall and the coupling's largest force and torque; penalty: what the part feels in the stiffest direction, by default 50000",
        ),
        Key::new(
            "modulus",
            Number(Positive),
            "N/m³",
            "hard: stiffness by area, instead of `stiffness`: for parts that are deeper in each other than they should, such as press fits",
        ),
        Key::new(
            "allowance",
            Number(NotNegative),
            "m",
            "hard: depth that contacts ignore; by default the faceting error at each place, half a voxel at most near inner edges, and a hundred-thousandth of the parts' size",
        ),
        Key::new(
            "blend",
            Number(Part),
            "",
            "penalty: points shallower than this share of the largest depth count less; by default 0.25",
        ),
        Key::new(
            "shell_on",
            Word(&["held", "fixed", "both"]),
            "",
            "The part that carries the point shell; the other carries the field. By default both (hard), or the one with more points (penalty)",
        ),
        Key::new(
            "tangent_axis",
            Direction,
            "",
            "Direction of the shell's part that friction polygons have a vertex along",
        )
        .or("[1.0, 0.0, 0.0]"),
        Key::new(
            "release",
            Flag,
            "",
            "penalty: whether contacts that are about to come apart lose their friction; by default true",
        ),
        Key::new("max_samples", Whole(1, i64::MAX), "", "Most field samples of a collision walk; by default no limit"),
        Key::new(
            "work",
            Whole(1, i64::MAX),
            "samples",
            "hard: most work of a tick, counted in samples of a distance field; building contacts and solving for their forces is counted in the same unit. \
             What is left out is represented by coarser points, and the tick is flagged as coarse. By default 10000000, some tenths of a second; a live session \
             lowers it to what the machine does in half a period",
        ),
        Key::new("substeps", Whole(1, 1000), "", "penalty: most solves in a tick; by default 4"),
        Key::new(
            "step_bound",
            Number(Positive),
            "m",
            "penalty: furthest that a point goes beyond the proven clearance in a solve; by default a quarter of the thinnest wall",
        ),
    ],
);

/// [friction]
pub const FRICTION: Table = table(
    "[friction]",
    "The friction solver and the coefficients.",
    &[
        Key::new(
            "method",
            Word(&["hold", "qp", "lp", "yamane", "none"]),
            "",
            "hold: Coulomb's law with slip memory; qp, lp: the paper's programs; yamane: springs that creep; none: no friction",
        )
        .or("\"hold\""),
        Key::new("metric", Word(&["stiffness", "mass"]), "", "What qp measures a step by").or("\"stiffness\""),
        Key::new(
            "cone",
            Either(&Word(&["disk"]), &OneOf(&[&POLYGON])),
            "",
            "Coulomb's cone itself, or a pyramid; by default the disk, for lp 8 sides",
        ),
        Key::new(
            "micro_slip",
            Number(Positive),
            "m",
            "Slip below which a contact counts as stuck, and the most that a released part springs back; by default twice the largest elastic depth of a contact (hard), or 1e-6 (penalty)",
        ),
        Key::new("budget", Whole(1, 1_000_000), "", "Most passes over the contacts in a solve").or("400"),
        Key::new("spring_stiffness", Number(Positive), "N/m", "All frictional springs of yamane together").or("10000.0"),
        Key::new("static", Number(NotNegative), "", "µ_s where no pair of materials matches").or("0.5"),
        Key::new("kinetic", Number(NotNegative), "", "µ_k there, at most µ_s; by default µ_s"),
        Key::new("pair", List(&[&PAIR]), "", "Coefficients of two materials, in either order; the first match counts"),
    ],
);

/// The pyramid of `cone`.
pub const POLYGON: Table = table(
    "`cone`",
    "A friction pyramid.",
    &[
        Key::new("sides", Whole(3, 64), "", "Sides").required(),
        Key::new("fit", Word(&["circumscribed", "inscribed"]), "", "Facets or vertices on the cone")
            .or("\"circumscribed\""),
    ],
);

/// [[friction.pair]]
pub const PAIR: Table = table(
    "[[friction.pair]]",
    "Coefficients of two materials.",
    &[
        Key::new("between", Texts(2), "", "The two materials").required(),
        Key::new("static", Number(NotNegative), "", "µ_s").required(),
        Key::new("kinetic", Number(NotNegative), "", "µ_k, at most µ_s; by default µ_s"),
    ],
);

/// [damping]
pub const DAMPING: Table = table(
    "[damping]",
    "Static damping of penalty contacts: the share of a step that is not taken. Hard contacts need none.",
    &[
        Key::new("alpha", Number(Share), "", "That share; by default 0.6"),
        Key::new(
            "when",
            Word(&["sliding", "colliding"]),
            "",
            "While a contact slides (the default), or in every contact (the paper's way)",
        ),
    ],
);

/// [load]
pub const LOAD: Table = table(
    "[load]",
    "What acts on the held part besides hand and contact, in world axes about its centre.",
    &[
        Key::new("gravity", Numbers(3, Any), "m/s²", "Gravity").or("[0.0, 0.0, 0.0]"),
        Key::new("force", Numbers(3, Any), "N", "A force").or("[0.0, 0.0, 0.0]"),
        Key::new("torque", Numbers(3, Any), "N m", "A torque").or("[0.0, 0.0, 0.0]"),
        Key::new("vary", Kind::Table(&VARY), "", "Force and torque that come and go"),
        Key::new(
            "ramp_seconds",
            Number(NotNegative),
            "s",
            "Force, torque and vary grow smoothly from zero in this time",
        )
        .or("0.0"),
    ],
);

/// vary
pub const VARY: Table = table(
    "`vary`",
    "Added times sin(2πt/period + phase).",
    &[
        Key::new("period", Number(Positive), "s", "Its period").required(),
        Key::new("force", Numbers(3, Any), "N", "Amplitude of the force").or("[0.0, 0.0, 0.0]"),
        Key::new("torque", Numbers(3, Any), "N m", "Amplitude of the torque").or("[0.0, 0.0, 0.0]"),
        Key::new("phase_deg", Number(Any), "deg", "Phase").or("0.0"),
    ],
);

/// [hand]
pub const HAND: Table = table(
    "[hand]",
    "How the hand moves (world from part): one of `keyframes`, `csv` and `script`.",
    &[
        Key::new(
            "keyframes",
            List(&[&KEYFRAME]),
            "",
            "Poses at times; minimum jerk between them, at rest in each. From one to the next the hand turns the shortest way, at most half a turn; \
             exactly half a turn is right-handed about the axis that points up (of level ones, along y, or else x). For more, use `turn` in a script",
        ),
        Key::new(
            "csv",
            Text,
            "",
            "A file of t,x,y,z,qx,qy,qz,qw with a header, from the scene's folder; straight between rows",
        ),
        Key::new("script", List(&[&MOVE, &TURN, &WAIT, &SHAKE, &JUMP]), "", "One movement after another"),
        Key::new("from", Kind::Table(&FROM), "", "Where a script begins; by default [start]"),
        Key::new("encoder_step", Number(NotNegative), "m", "Positions are rounded to this, as encoders do; 0 is off")
            .or("0.0"),
        Key::new("encoder_step_rad", Number(NotNegative), "rad", "So are the rotation vector's components").or("0.0"),
        Key::new(
            "relative_to",
            Word(&["world", "fixed"]),
            "",
            "Whose axes and origin poses are told in: the world's, or the fixed part's, so that all turns with that",
        )
        .or("\"world\""),
    ],
);

const FROM: Table = table(
    "`from`",
    "A pose.",
    &[
        Key::new("position", Numbers(3, Any), "m", "Where the part's origin would be").or("[0.0, 0.0, 0.0]"),
        Key::new("rotation", OneOf(ROTATION), "", "How it would be turned"),
    ],
);

const KEYFRAME: Table = table(
    "a keyframe",
    "A pose at a time. What is left out stays as it was in the keyframe before.",
    &[
        Key::new("t", Number(NotNegative), "s", "When; above the one before").required(),
        Key::new("position", Numbers(3, Any), "m", "Where the part's origin would be"),
        Key::new("rotation", OneOf(ROTATION), "", "How it would be turned"),
    ],
);

const TURN_DOC: &str = "The turn, about world axes through the part's origin: by axis and angle it is by the whole angle, as in 720 for two turns; by quaternion the \
                        shortest way";
const MOVE: Table = table(
    "a `move`",
    "Moves, and turns at the same time if `turn` is given, by minimum jerk: along a helix where axis and way have one direction.",
    &[
        Key::new("move", Numbers(3, Any), "m", "How far, in world axes").required(),
        Key::new("turn", OneOf(ROTATION), "", TURN_DOC),
        Key::new("seconds", Number(Positive), "s", "How long it takes").required(),
    ],
);
const TURN: Table = table(
    "a `turn`",
    "Turns by minimum jerk.",
    &[
        Key::new("turn", OneOf(ROTATION), "", TURN_DOC).required(),
        Key::new("seconds", Number(Positive), "s", "How long it takes").required(),
    ],
);
const WAIT: Table = table("a `wait`", "Stays.", &[Key::new("wait", Number(Positive), "s", "How long").required()]);
const SHAKE: Table = table(
    "a `shake`",
    "To and fro: amplitude times sin(2πt/period).",
    &[
        Key::new("shake", Numbers(3, Any), "m", "Amplitude, in world axes").required(),
        Key::new("period", Number(Positive), "s", "Its period").required(),
        Key::new("seconds", Number(Positive), "s", "How long it takes").required(),
    ],
);
const JUMP: Table =
    table("a `jump`", "Moves at once.", &[Key::new("jump", Numbers(3, Any), "m", "How far, in world axes").required()]);

/// A rotation, one way or the other.
pub const ROTATION: &[&Table] = &[&AXIS_ANGLE, &QUATERNION];

const AXIS_ANGLE: Table = table(
    "a rotation",
    "About an axis.",
    &[
        Key::new("axis", Direction, "", "The axis, of any length").required(),
        Key::new("angle_deg", Number(Any), "deg", "The angle, right-handed").required(),
    ],
);
const QUATERNION: Table = table(
    "a quaternion",
    "By a unit quaternion.",
    &[
        Key::new("qw", Number(Any), "", "Its real part").required(),
        Key::new("qx", Number(Any), "", "Its part along x").required(),
        Key::new("qy", Number(Any), "", "Its part along y").required(),
        Key::new("qz", Number(Any), "", "Its part along z").required(),
    ],
);
