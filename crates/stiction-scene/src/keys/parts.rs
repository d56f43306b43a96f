//! Keys of the two parts: geometry, bake options, material.

use super::kind::{Key, Kind, Range, Table};
use super::tables::ROTATION;
use Kind::{Number, Numbers, Pairs, Text, Whole, Word};
use Range::{Any, NotNegative, Positive};

/// Solids by the word for them.
pub const SOLIDS: &[(&str, &str, &[Key])] = &[
    ("box", "A box around the origin", &[size3("Edge lengths along x, y and z")]),
    (
        "cylinder",
        "A cylinder around z, centred",
        &[radius("Its radius"), length("height", "Its length along z"), SEGMENTS],
    ),
    (
        "capsule",
        "A capsule around z, centred: all points within a radius of a segment",
        &[
            radius("The radius"),
            length("height", "The segment's length; the capsule is longer by two radii"),
            SEGMENTS,
            count("rings", "Bands of facets on each half sphere").or("24"),
        ],
    ),
    (
        "torus",
        "A torus around z, centred",
        &[
            length("major", "From the axis to the middle of the tube"),
            length("minor", "Radius of the tube"),
            SEGMENTS,
            count("rings", "Points around the tube").or("48"),
        ],
    ),
    ("plate", "A plate in the x-y plane, centred", &[size2(), length("thickness", "Length along z")]),
    (
        "l-bar",
        "An L profile along z; its inner edge is the z axis, its inner faces lie in x = 0 and y = 0",
        &[
            Key::new("legs", Numbers(2, Positive), "m", "How far the legs reach along x and y from the inner edge")
                .required(),
            length("thickness", "Thickness of both legs, towards negative x and y"),
            length("length", "Length along z, centred"),
        ],
    ),
    (
        "corner",
        "Three walls that meet at right angles; the inner corner is the origin, the inner faces are the coordinate planes",
        &[length("size", "How far the walls reach"), length("thickness", "Thickness of the walls")],
    ),
    (
        "plate-round-hole",
        "A plate in the x-y plane with a round hole in the middle, centred",
        &[size2(), length("thickness", "Length along z"), radius("Radius of the hole"), SEGMENTS],
    ),
    (
        "plate-square-hole",
        "A plate in the x-y plane with a rectangular hole in the middle, centred",
        &[
            size2(),
            length("thickness", "Length along z"),
            Key::new("hole", Numbers(2, Positive), "m", "Lengths of the hole along x and y").required(),
        ],
    ),
    (
        "peg",
        "A round peg along z from 0 to its length, with a chamfer around its lower end",
        &[
            radius("Its radius"),
            length("length", "Its length"),
            length("chamfer", "What the 45 degree chamfer takes from radius and length"),
            SEGMENTS,
        ],
    ),
    (
        "shaft",
        "A round shaft along z from 0, of steps with different radii",
        &[Key::new("steps", Pairs(Positive), "m", "Radius and length of each step, from below").required(), SEGMENTS],
    ),
    (
        "gear",
        "A spur gear around z, centred, with involute teeth",
        &[
            length("module", "Pitch diameter by teeth"),
            Key::new("teeth", Whole(3, 100_000), "", "Number of teeth").required(),
            length("width", "Length along z"),
            Key::new("bore", Number(NotNegative), "m", "Radius of the bore; 0 for none").or("0.0"),
            Key::new("pressure_angle_deg", Number(Positive), "deg", "Pressure angle").or("20.0"),
            Key::new("addendum", Number(Positive), "modules", "Height of the teeth above the pitch circle").or("1.0"),
            Key::new("dedendum", Number(Positive), "modules", "Depth of the gaps below the pitch circle").or("1.25"),
            count("flank_pieces", "Pieces of each involute flank").or("12"),
            count("arc_pieces", "Pieces of each arc at tip and root").or("4"),
            count("layers", "Layers of the walls along z").or("8"),
            count("rings", "Rings of the faces between bore and root").or("3"),
        ],
    ),
    (
        "bolt",
        "A bolt with an ISO metric thread, right-handed around z from 0 to its length, head above; a nut at the same pose is on its thread",
        &[
            DIAMETER,
            PITCH,
            length("length", "Length of the thread along z, without the head"),
            Key::new("head", Word(&["hexagon", "cylinder", "none"]), "", "Its head; none is a threaded rod")
                .or("\"hexagon\""),
            Key::new(
                "head_width",
                Number(Positive),
                "m",
                "Width of a hexagon across flats, or diameter of a cylinder; by default 1.5 diameters of the thread",
            ),
            Key::new("head_height", Number(Positive), "m", "Length of the head along z; by default 0.65 diameters"),
            CLEARANCE,
            LEAD_IN,
            FACETS,
        ],
    ),
    (
        "nut",
        "A hexagonal nut with an ISO metric thread, right-handed around z from 0 to its height; at the same pose as a bolt it is on its thread",
        &[
            DIAMETER,
            PITCH,
            Key::new("width", Number(Positive), "m", "Width across flats; by default 1.5 diameters of the thread"),
            Key::new("height", Number(Positive), "m", "Length along z; by default 0.9 diameters"),
            CLEARANCE,
            LEAD_IN,
            FACETS,
        ],
    ),
];

const DIAMETER: Key = length("diameter", "Nominal diameter of the thread: 0.012 for M12");
const PITCH: Key = Key::new(
    "pitch",
    Number(Positive),
    "m",
    "Distance of neighbouring crests along z; by default that of ISO's coarse series, 0.00175 for M12",
);
const CLEARANCE: Key = Key::new(
    "clearance",
    Number(NotNegative),
    "m",
    "Distance from ISO's basic profile along the radius, inwards for a bolt, outwards for a nut; by default a twentieth of the pitch",
);
const LEAD_IN: Key = Key::new(
    "lead_in",
    Number(Positive),
    "m",
    "Length along z in which the thread rises from nothing at each end; by default one pitch",
);
const FACETS: Key = Key::new("segments", Whole(3, 1 << 20), "", "Facets per turn of the thread").or("96");

/// Keys of a mesh instead of a solid.
pub const MESH: &[Key] = &[
    Key::new("mesh", Text, "", "A mesh file (STL, OBJ, PLY, glTF), from the scene's folder").required(),
    Key::new(
        "unit",
        Kind::Either(&Text, &Number(Positive)),
        "",
        "What one unit of the file is: m, cm, mm, um, inch, foot, or a number of metres",
    )
    .or("\"m\""),
    Key::new("up", Word(&["x", "y", "z"]), "", "The axis of the file that points up; it becomes z").or("\"z\""),
    Key::new("scale", Number(Positive), "", "Makes the part larger or smaller").or("1.0"),
    Key::new(
        "transform",
        Kind::Rows,
        "",
        "Where the mesh goes in its part's frame: 12 or 16 numbers, the rows of a matrix",
    ),
];

/// The keys that come with a word for `solid`, or with a mesh.
pub fn solid_keys(word: Option<&str>) -> &'static [Key] {
    match word {
        Some(word) => SOLIDS.iter().find(|s| s.0 == word).map_or(&[], |s| s.2),
        None => MESH,
    }
}

const SEGMENTS: Key = Key::new("segments", Whole(3, 1 << 20), "", "Points around").or("96");

const fn length(name: &'static str, doc: &'static str) -> Key {
    Key::new(name, Number(Positive), "m", doc).required()
}

const fn radius(doc: &'static str) -> Key {
    length("radius", doc)
}

const fn count(name: &'static str, doc: &'static str) -> Key {
    Key::new(name, Whole(1, 100_000), "", doc)
}

const fn size3(doc: &'static str) -> Key {
    Key::new("size", Numbers(3, Positive), "m", doc).required()
}

const fn size2() -> Key {
    Key::new("size", Numbers(2, Positive), "m", "Lengths along x and y").required()
}

/// The words for solids, as `solid` takes them.
const SOLID_WORDS: &[&str] = &[
    "box",
    "cylinder",
    "capsule",
    "torus",
    "plate",
    "l-bar",
    "corner",
    "plate-round-hole",
    "plate-square-hole",
    "peg",
    "shaft",
    "gear",
    "bolt",
    "nut",
];

const SOLID: Key = Key::new("solid", Word(SOLID_WORDS), "", "A solid by its parameters; or `mesh`");
const MATERIAL: Key = Key::new("material", Text, "", "A name that [[friction.pair]] may use");
const RESOLUTION: Key =
    Key::new("resolution", Whole(8, 65536), "", "Voxels along the longest side of the distance field").or("256");
const VOXEL: Key = Key::new("voxel", Number(Positive), "m", "Edge of a voxel, instead of a resolution");
const CUBE: Key =
    Key::new("cube", Kind::Flag, "", "The field as a cube instead of a box that fits the part").or("false");
const POINTS: Key = Key::new("points", Whole(1, 4_000_000), "", "Points of the shell").or("8000");
const LEVELS: Key =
    Key::new("levels", Whole(1, 32), "", "Levels of the shell; by default as many as give about four children a point");
const SHELL_OFFSET: Key =
    Key::new("shell_offset", Number(Any), "m", "Distance of the shell from the surface; negative is inside").or("0.0");
const STORAGE: Key = Key::new(
    "storage",
    Word(&["auto", "dense", "sparse"]),
    "",
    "How distances are stored: auto is dense up to 256³, sparse above",
)
.or("\"auto\"");
const THICKEN: Key =
    Key::new("thicken", Number(NotNegative), "m", "Thickness for open sheets of a mesh; 0 leaves them out");
const SIGN: Key = Key::new(
    "sign",
    Word(&["auto", "winding", "offset"]),
    "",
    "How inside is told from outside, as in `stiction bake`",
)
.or("\"auto\"");
const NOISE: Key = Key::new(
    "normal_noise",
    Number(NotNegative),
    "rad",
    "Standard deviation by which every shell normal is turned about each of two axes; positions stay",
)
.or("0.0");
const SEED: Key = Key::new("seed", Whole(0, i64::MAX), "", "Seed of that noise").or("1");

/// [held]
pub const HELD: Table = Table {
    name: "[held]",
    doc: "The part in the hand: `solid` with its parameters, or `mesh`.",
    keys: &[
        SOLID,
        Key::new("mass", Number(Positive), "kg", "Mass; or `density`").or("1.0"),
        Key::new("density", Number(Positive), "kg/m³", "Mass by the part's volume"),
        MATERIAL,
        RESOLUTION,
        VOXEL,
        CUBE,
        POINTS,
        LEVELS,
        SHELL_OFFSET,
        STORAGE,
        THICKEN,
        SIGN,
        NOISE,
        SEED,
    ],
    part: true,
};

/// [fixed]
pub const FIXED: Table = Table {
    name: "[fixed]",
    doc: "The part that does not move: `solid` with its parameters, or `mesh`; and where it is.",
    keys: &[
        SOLID,
        Key::new("position", Numbers(3, Any), "m", "Where its origin is").or("[0.0, 0.0, 0.0]"),
        Key::new("rotation", Kind::OneOf(ROTATION), "", "How it is turned"),
        MATERIAL,
        RESOLUTION,
        VOXEL,
        CUBE,
        POINTS,
        LEVELS,
        SHELL_OFFSET,
        STORAGE,
        THICKEN,
        SIGN,
        NOISE,
        SEED,
    ],
    part: true,
};
