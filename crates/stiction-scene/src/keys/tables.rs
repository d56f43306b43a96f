//! Keys of the file, the run, hands and loads.

use super::engine::{CONTACT, COUPLING, DAMPING, FRICTION, GRAVITY};
use super::formation::FORMATION;
use super::idle::{in_the_loop, nothing_to_ramp, poseless, without_amplitude};
use super::kind::{Key, Kind, Range, Surface, Table, plain};
use super::parts::{BODY, FIXED, HELD, ROTATED};
use super::volume::{GRIP, JOINT};
use crate::EngineKind::{Formation, QuasiStatic, Volume};
use crate::engine_kind::ENGINE_WORDS;
use Kind::{Direction, Either, Flag, List, Number, Numbers, OneOf, Text, Word};
use Range::{Any, NotNegative, Positive};

/// A table that describes no surface.
pub const fn table(name: &'static str, doc: &'static str, groups: &'static [&'static [Key]]) -> Table {
    Table { name, doc, groups, surface: Surface::None }
}

/// The whole file.
pub const ROOT: Table = table(
    "the scene",
    "The whole file. SI units: m, N, kg, s, rad unless the key says `_deg`. Bodies are `held` and `fixed`, or a list `body`.",
    &[&[
        Key::always("name", Text, "", "What the scene is called; by default its folder"),
        Key::always("description", Text, "", "What it shows, in a line").or("\"\""),
        Key::always("engine", Word(ENGINE_WORDS), "", "What computes the motion").or("\"quasi-static\""),
        Key::always("run", Kind::Table(&RUN), "", "How long and how fast"),
        Key::always("held", Kind::Table(&HELD), "", "The part in the hand"),
        Key::always("fixed", Kind::Table(&FIXED), "", "The part that does not move"),
        Key::always("body", List(&[&BODY]), "", "Bodies, instead of `held`, `fixed` and `start`"),
        Key::always("start", Kind::Table(&START), "", "Where the held part is at first"),
        Key::always("friction", Kind::Table(&FRICTION), "", "The friction solver and coefficients"),
        Key::always("coupling", Kind::Table(&COUPLING), "", "The spring between hand and part"),
        Key::always("contact", Kind::Table(&CONTACT), "", "How contacts push"),
        Key::always("damping", Kind::Table(&DAMPING), "", "Static damping of penalty contacts").of(QuasiStatic),
        Key::always("formation", Kind::Table(&FORMATION), "", "How contact formations push").of(Formation),
        Key::always("joint", List(&[&JOINT]), "", "Joints of bodies").of(Volume),
        Key::always(
            "load",
            Either(&Kind::Table(&LOAD), &List(&[&LOADS])),
            "",
            "What acts on the held part besides hand and contact; or a list of loads, which add up",
        ),
        Key::always(
            "hand",
            Either(&Kind::Table(&HAND), &List(&[&HANDS])),
            "",
            "How the hand moves, by default it stays at [start]; or a list of hands, with `body`",
        ),
        Key::always(
            "demonstration",
            Kind::Table(&DEMONSTRATION),
            "",
            "What the viewer shows until somebody drags the part",
        ),
    ]],
);

/// [run]
pub const RUN: Table = table(
    "[run]",
    "How long and how fast.",
    &[&[
        Key::always("seconds", Number(Positive), "s", "Length of the run; by default that of the hand's motion, or 1"),
        Key::always("rate", Number(Positive), "Hz", "Ticks a second").or("1000.0"),
        Key::unless(
            in_the_loop,
            "engine_rate",
            Number(Positive),
            "Hz",
            "Ticks of the engine a second, where it is slower than the loop: it then runs beside it, on a thread of its own; by default as `rate`",
        ),
    ]],
);

/// [start]
pub const START: Table = table(
    "[start]",
    "Where the held part is at first (world from part); by default where the hand is.",
    &[&[Key::always("position", Numbers(3, Any), "m", "Where its origin is"), ROTATED, RELATIVE_TO]],
);

/// [load]
pub const LOAD: Table =
    table("[load]", "What acts on the held part besides hand and contact, in world axes about its centre.", &[FORCES]);

/// [[load]]
pub const LOADS: Table = table(
    "[[load]]",
    "What acts on a body besides hands and contacts, in world axes about its centre. Several loads on a body add up. With contact volumes gravity acts on all bodies, and \
     [load] may be a single table: its force is on the body of the first hand.",
    &[&[Key::always("on", Text, "", "The name of the body").required()], FORCES],
);

const FORCES: &[Key] = &[
    GRAVITY,
    Key::always("force", Numbers(3, Any), "N", "A force").or("[0.0, 0.0, 0.0]"),
    Key::always("torque", Numbers(3, Any), "N m", "A torque").or("[0.0, 0.0, 0.0]"),
    Key::unless(without_amplitude, "vary", Kind::Table(&VARY), "", "Force and torque that come and go"),
    Key::unless(
        nothing_to_ramp,
        "ramp_seconds",
        Number(NotNegative),
        "s",
        "Force, torque and vary grow smoothly from zero in this time",
    )
    .or("0.0"),
];

/// vary
pub const VARY: Table = table(
    "`vary`",
    "Added times sin(2πt/period + phase).",
    &[&[
        Key::always("period", Number(Positive), "s", "Its period").required(),
        Key::always("force", Numbers(3, Any), "N", "Amplitude of the force").or("[0.0, 0.0, 0.0]"),
        Key::always("torque", Numbers(3, Any), "N m", "Amplitude of the torque").or("[0.0, 0.0, 0.0]"),
        Key::always("phase_deg", Number(Any), "deg", "Phase").or("0.0"),
    ]],
);

/// [hand]
pub const HAND: Table = table(
    "[hand]",
    "How the hand moves (world from part): one of `keyframes`, `csv` and `script`.",
    &[MOTION, &[RELATIVE_TO]],
);

/// [[hand]]
pub const HANDS: Table = table(
    "[[hand]]",
    "A hand that holds a body, and how it moves (world from body): one of `keyframes`, `csv` and `script`; by default it stays where the body is at first.",
    &[
        &[Key::always("holds", Text, "", "The name of the body; with contact volumes a hand may hold none"), GRIP],
        MOTION,
        &[IN_AXES_OF],
    ],
);

/// Whose axes poses of a list's item are told in.
pub const IN_AXES_OF: Key = Key::unless(
    poseless,
    "relative_to",
    Text,
    "",
    "Whose axes and origin poses are told in: \"world\", or the name of a fixed body that comes before",
)
.or("\"world\"");

const RELATIVE_TO: Key = Key::unless(
    poseless,
    "relative_to",
    Word(&[plain("world"), plain("fixed")]),
    "",
    "Whose axes and origin poses are told in: the world's, or the fixed part's, so that all turns with that",
)
.or("\"world\"");

const MOTION: &[Key] = &[
    Key::always(
        "keyframes",
        List(&[&KEYFRAME]),
        "",
        "Poses at times; minimum jerk between them, at rest in each. From one to the next the hand turns the shortest way, at most half a turn; \
             exactly half a turn is right-handed about the axis that points up (of level ones, along y, or else x). For more, use `turn` in a script",
    ),
    Key::always(
        "csv",
        Text,
        "",
        "A file of t,x,y,z,qx,qy,qz,qw with a header, from the scene's folder; straight between rows",
    ),
    Key::always("script", SCRIPT, "", "One movement after another"),
    Key::always("from", Kind::Table(&FROM), "", "Where a script begins; by default [start]"),
    Key::always("encoder_step", Number(NotNegative), "m", "Positions are rounded to this, as encoders do; 0 is off")
        .or("0.0"),
    Key::always("encoder_step_rad", Number(NotNegative), "rad", "So are the rotation vector's components").or("0.0"),
];

/// [demonstration]
pub const DEMONSTRATION: Table = table(
    "[demonstration]",
    "What the viewer shows until somebody drags the part: a motion of the first hand, forth and back. No run, recording or hash depends on it.",
    &[&[
        Key::always("text", Text, "", "What to try, in a sentence or two")
            .or("\"Drag the part. Friction holds it until you pull too hard.\""),
        Key::always(
            "script",
            SCRIPT,
            "",
            "One movement after another, from where the hand begins and in its axes; by default the hand's own motion",
        ),
    ]],
);

const SCRIPT: Kind = List(&[&MOVE, &TURN, &WAIT, &SHAKE, &JUMP]);

const FROM: Table = table(
    "`from`",
    "A pose.",
    &[&[
        Key::always("position", Numbers(3, Any), "m", "Where the part's origin would be").or("[0.0, 0.0, 0.0]"),
        Key::always("rotation", OneOf(ROTATION), "", "How it would be turned"),
    ]],
);

const KEYFRAME: Table = table(
    "a keyframe",
    "A pose at a time. What is left out stays as it was in the keyframe before.",
    &[&[
        Key::always("t", Number(NotNegative), "s", "When; above the one before").required(),
        Key::always("position", Numbers(3, Any), "m", "Where the part's origin would be"),
        Key::always("rotation", OneOf(ROTATION), "", "How it would be turned"),
    ]],
);

const TURN_DOC: &str = "The turn, about world axes through the part's origin: by axis and angle it is by the whole angle, as in 720 for two turns; by quaternion the \
                        shortest way";
const STEADY_DOC: &str =
    "Whether the speed is the same from beginning to end, instead of growing from rest and ending in it";
const MOVE: Table = table(
    "a `move`",
    "Moves, and turns at the same time if `turn` is given, by minimum jerk: along a helix where axis and way have one direction.",
    &[&[
        Key::always("move", Numbers(3, Any), "m", "How far, in world axes").required(),
        Key::always("turn", OneOf(ROTATION), "", TURN_DOC),
        Key::always("seconds", Number(Positive), "s", "How long it takes").required(),
        Key::always("steady", Flag, "", STEADY_DOC).or("false"),
    ]],
);
const TURN: Table = table(
    "a `turn`",
    "Turns by minimum jerk.",
    &[&[
        Key::always("turn", OneOf(ROTATION), "", TURN_DOC).required(),
        Key::always("seconds", Number(Positive), "s", "How long it takes").required(),
        Key::always("steady", Flag, "", STEADY_DOC).or("false"),
    ]],
);
const WAIT: Table =
    table("a `wait`", "Stays.", &[&[Key::always("wait", Number(Positive), "s", "How long").required()]]);
const SHAKE: Table = table(
    "a `shake`",
    "To and fro: amplitude times sin(2πt/period).",
    &[&[
        Key::always("shake", Numbers(3, Any), "m", "Amplitude, in world axes").required(),
        Key::always("period", Number(Positive), "s", "Its period").required(),
        Key::always("seconds", Number(Positive), "s", "How long it takes").required(),
    ]],
);
const JUMP: Table = table(
    "a `jump`",
    "Moves at once.",
    &[&[Key::always("jump", Numbers(3, Any), "m", "How far, in world axes").required()]],
);

/// A rotation, one way or the other.
pub const ROTATION: &[&Table] = &[&AXIS_ANGLE, &QUATERNION];

const AXIS_ANGLE: Table = table(
    "a rotation",
    "About an axis.",
    &[&[
        Key::always("axis", Direction, "", "The axis, of any length").required(),
        Key::always("angle_deg", Number(Any), "deg", "The angle, right-handed").required(),
    ]],
);
const QUATERNION: Table = table(
    "a quaternion",
    "By a unit quaternion.",
    &[&[
        Key::always("qw", Number(Any), "", "Its real part").required(),
        Key::always("qx", Number(Any), "", "Its part along x").required(),
        Key::always("qy", Number(Any), "", "Its part along y").required(),
        Key::always("qz", Number(Any), "", "Its part along z").required(),
    ]],
);
