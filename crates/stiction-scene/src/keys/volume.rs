//! Keys of the engine of contact volumes beyond those that it shares with others: bodies that move by themselves, joints, and how contacts push.

use super::kind::{Choice, Key, Kind, Range, Table, WordList, choice, choices};
use super::live::Live;
use super::tables::table;
use crate::EngineKind::Volume;
use Kind::{Direction, Flag, Number, Numbers, Texts, Word};
use Range::{Any, NotNegative, Positive};
use stiction_volume::{ContactMethod, Grip};

/// Where contact forces act, by words.
pub const CONTACT_METHODS: WordList<ContactMethod, 2> = [
    (choice("volume", "spread over the area of the contact"), ContactMethod::Volume),
    (choice("point", "at the deepest point, as the paper's rival does"), ContactMethod::Point),
];
const CONTACT_METHOD_WORDS: &[Choice] = &choices(&CONTACT_METHODS);

/// How a hand acts on its body, by words.
pub const GRIPS: WordList<Grip, 2> = [
    (choice("device", "the device is the body: no spring is in between, and the hand feels what touches the body"), Grip::Device),
    (choice("spring", "the spring of [coupling] pulls the body to the hand"), Grip::Spring),
];
const GRIP_WORDS: &[Choice] = &choices(&GRIPS);

/// Kinds of joints, by words: `true` for a hinge, which has an axis.
pub const JOINT_KINDS: WordList<bool, 2> =
    [(choice("ball", "all rotations about a point"), false), (choice("hinge", "rotation about an axis"), true)];
const JOINT_KIND_WORDS: &[Choice] = &choices(&JOINT_KINDS);

/// Keys of [contact].
pub const VOLUME_CONTACT: &[Key] = &[
    Key::always("method", Word(CONTACT_METHOD_WORDS), "", "Where contact forces act")
        .or("\"volume\"")
        .of(Volume)
        .live(Live::choice("Contact forces act")),
    Key::always(
        "normal_stiffness",
        Number(Positive),
        "N/m",
        "Normal stiffness k_N of a pair of bodies, before it is spread over their contact area; by default from their masses and the period",
    )
    .of(Volume)
    .live(Live::number("Normal stiffness", [100.0, 1e6], 0.0, [1e-3, 1e9])),
    Key::always(
        "normal_damping",
        Number(NotNegative),
        "N s/m",
        "Normal damping b_N of a pair of bodies; by default from their masses and the period",
    )
    .of(Volume)
    .live(Live::number("Normal damping", [0.0, 1000.0], 0.1, [0.0, 1e6])),
    Key::always(
        "tangential_stiffness",
        Number(Positive),
        "N/m",
        "Stiffness k_S of static friction; by default that of the normal",
    )
    .of(Volume)
    .live(Live::number("Tangential stiffness", [100.0, 1e6], 0.0, [1e-3, 1e9])),
    Key::always(
        "tangential_damping",
        Number(NotNegative),
        "N s/m",
        "Damping b_S of static friction; by default that of the normal",
    )
    .of(Volume)
    .live(Live::number("Tangential damping", [0.0, 1000.0], 0.1, [0.0, 1e6])),
];

/// The key of [coupling].
pub const GRIP_DAMPING: Key = Key::always(
    "grip_damping",
    Number(NotNegative),
    "",
    "Damping of the spring between a hand and a body that it holds by `grip = \"spring\"`, as a share of the body's critical damping",
)
.or("1.0")
.of(Volume);

/// Keys of [[body]].
pub const MOVING: &[Key] = &[
    Key::always("velocity", Numbers(3, Any), "m/s", "Velocity of its centre of mass at first, in world axes")
        .or("[0.0, 0.0, 0.0]")
        .of(Volume),
    Key::always("spin", Numbers(3, Any), "rad/s", "Angular velocity at first, in world axes")
        .or("[0.0, 0.0, 0.0]")
        .of(Volume),
    Key::always("copies", Kind::Table(&COPIES), "", "Makes a grid of such bodies, called \"name 1\", \"name 2\" and so on")
        .of(Volume),
];

/// `copies`
const COPIES: Table = table(
    "`copies`",
    "Equal bodies in a grid. They are numbered along x first, then along y, then upwards.",
    &[&[
        Key::always("count", Numbers(3, Positive), "", "How many along x, y and z, whole numbers").required(),
        Key::always("step", Numbers(3, Any), "m", "How far each is from the next along x, y and z").required(),
    ]],
);

/// The key of [[hand]].
pub const GRIP: Key = Key::always("grip", Word(GRIP_WORDS), "", "How the hand acts on its body").or("\"device\"").of(Volume);

/// [[joint]]
pub const JOINT: Table = table(
    "[[joint]]",
    "A joint of two bodies, by stiff springs and dampers.",
    &[&[
        Key::always("between", Texts(2), "", "The names of the two bodies").required(),
        Key::always("kind", Word(JOINT_KIND_WORDS), "", "Which motions it leaves free").or("\"ball\""),
        Key::always("at", Numbers(3, Any), "m", "Where it is at first, in the world").required(),
        Key::always("axis", Direction, "", "The axis of a hinge at first, in world axes").or("[0.0, 0.0, 1.0]"),
        Key::always(
            "stiffness",
            Number(Positive),
            "N/m",
            "Stiffness against what the joint does not leave free; by default from the masses of the bodies and the period",
        ),
        Key::always(
            "limits_deg",
            Numbers(2, Any),
            "deg",
            "Smallest and largest angle of a hinge: that of the second body relative to the first, 0 at first",
        ),
        Key::always("drive", Kind::Table(&DRIVE), "", "What turns a hinge"),
        Key::always("collide", Flag, "", "Whether the two bodies touch each other").or("false"),
    ]],
);

/// `drive`
const DRIVE: Table = table(
    "`drive`",
    "Turns a hinge by stiffness · (offset + amplitude · sin(2π(frequency · t + phase)) - angle) and by damping of the difference in angular velocity, to which `speed` adds.",
    &[&[
        Key::always("stiffness", Number(NotNegative), "N m/rad", "Torque by angle; 0 for a motor of a speed").or("0.0"),
        Key::always("damping", Number(NotNegative), "N m s/rad", "Torque by angular velocity").required(),
        Key::always("offset_deg", Number(Any), "deg", "Middle of the swing").or("0.0"),
        Key::always("amplitude_deg", Number(Any), "deg", "Half of the swing").or("0.0"),
        Key::always("frequency", Number(NotNegative), "Hz", "Swings in a second").or("0.0"),
        Key::always("phase", Number(Any), "", "Where the swing begins, as a share of it").or("0.0"),
        Key::always("speed", Number(Any), "rad/s", "Angular velocity of a motor").or("0.0"),
        Key::always("max_torque", Number(Positive), "N m", "Largest torque; by default there is no limit"),
    ]],
);
