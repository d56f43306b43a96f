//! Keys of bodies: surface, bake options, material, mass and pose.

use super::engine::MASS;
use super::idle::{closed, noiseless, weightless};
use super::kind::{Choice, Key, Kind, Range, Surface, Table, WordList, choice, choices, plain};
use super::live::Live;
use super::solids::{SOLID_WORDS, SOLIDS};
use super::tables::{IN_AXES_OF, ROTATION};
use super::volume::MOVING;
use crate::EngineKind::QuasiStatic;
use crate::document::Node;
use Kind::{List, Number, Numbers, Text, Whole, Word};
use Range::{Any, NotNegative, Positive};
use stiction_bake::field::{Sign, Storage};
use stiction_bake::import::UpAxis;

/// Keys of a mesh instead of a solid.
pub const MESH: &[Key] = &[
    Key::always("mesh", Text, "", "A mesh file (STL, OBJ, PLY, glTF), from the scene's folder").required(),
    Key::always(
        "unit",
        Kind::Either(&Text, &Number(Positive)),
        "",
        "What one unit of the file is: m, cm, mm, um, inch, foot, or a number of metres",
    )
    .or("\"m\""),
    Key::always("up", Word(UP_WORDS), "", "The axis of the file that points up; it becomes z").or("\"z\""),
    Key::always("scale", Number(Positive), "", "Makes the part larger or smaller").or("1.0"),
    Key::always(
        "transform",
        Kind::Rows,
        "",
        "Where the mesh goes in its part's frame: 12 or 16 numbers, the rows of a matrix",
    ),
];

/// Keys of a union of solids instead of a solid.
pub const UNION: &[Key] = &[Key::always(
    "solids",
    List(&[&POSED_SOLID]),
    "",
    "Solids that may overlap and touch: the part is their union. Facets that meet only there have no allowance for inner edges",
)
.required()];

/// A solid of a union.
pub const POSED_SOLID: Table = Table {
    name: "a solid of `solids`",
    doc: "A solid, and where it is in its part.",
    groups: &[&[SOLID.required(), POSITION, ROTATED]],
    surface: Surface::Solid,
};

/// The keys that come with a word for `solid`, with a mesh or with a union of solids.
fn surface_keys(surface: Surface, solid: Option<&str>, union: bool) -> &'static [Key] {
    match (surface, solid) {
        (Surface::None, _) | (Surface::Solid, None) => &[],
        (_, Some(word)) => SOLIDS.iter().find(|s| s.word == word).map_or(&[], |s| s.keys),
        (Surface::Any, None) if union => UNION,
        (Surface::Any, None) => MESH,
    }
}

/// Every key that a table takes, with those of its solid, mesh or union of solids.
pub fn keys_of(node: &Node, table: &Table) -> impl Iterator<Item = &'static Key> + Clone + use<> {
    let solid = node.get("solid").and_then(Node::text);
    table.keys().chain(surface_keys(table.surface, solid, node.get("solids").is_some()))
}

/// Axes of a file that point up.
pub const UPS: WordList<UpAxis, 3> = [(plain("x"), UpAxis::X), (plain("y"), UpAxis::Y), (plain("z"), UpAxis::Z)];
const UP_WORDS: &[Choice] = &choices(&UPS);
/// Ways to store distances.
pub const STORAGES: WordList<Storage, 3> = [
    (choice("auto", "dense up to 256³, sparse above"), Storage::Auto),
    (choice("dense", "every node of the grid"), Storage::Dense),
    (choice("sparse", "blocks around the surface, a bound elsewhere"), Storage::Sparse),
];
const STORAGE_WORDS: &[Choice] = &choices(&STORAGES);
/// Ways to tell inside from outside.
pub const SIGNS: WordList<Sign, 3> = [
    (choice("auto", "by winding number where faces could be oriented, else by the offset surface"), Sign::Auto),
    (choice("winding", "by generalised winding number: needs faces that can be oriented"), Sign::Winding),
    (
        choice("offset", "by the surface at a small distance from the mesh: needs no orientation, fills cavities"),
        Sign::Offset,
    ),
];
const SIGN_WORDS: &[Choice] = &choices(&SIGNS);

const SOLID: Key = Key::always("solid", Word(SOLID_WORDS), "", "A solid by its parameters; or `mesh`, or `solids`");
/// Where the origin of something is.
pub const POSITION: Key = Key::always("position", Numbers(3, Any), "m", "Where its origin is").or("[0.0, 0.0, 0.0]");
/// How something is turned.
pub const ROTATED: Key = Key::always("rotation", Kind::OneOf(ROTATION), "", "How it is turned");
const WEIGHT: &[Key] =
    &[MASS, Key::unless(weightless, "density", Number(Positive), "kg/m³", "Mass by the part's volume").describes()];
const MATERIAL: Key = Key::always("material", Text, "", "A name, by which [[friction.pair]] may find the part");
const BAKED: &[Key] = &[
    Key::always("resolution", Whole(8, 65536), "", "Voxels along the longest side of the distance field")
        .or("256")
        .live(Live::number("Resolution", [16.0, 512.0], 1.0, [8.0, 512.0]).built())
        .of(QuasiStatic),
    Key::always("voxel", Number(Positive), "m", "Edge of a voxel, instead of a resolution").of(QuasiStatic),
    Key::always("cube", Kind::Flag, "", "The field as a cube instead of a box that fits the part")
        .or("false")
        .of(QuasiStatic),
    Key::always("points", Whole(1, 4_000_000), "", "Points of the shell")
        .or("8000")
        .live(Live::number("Shell points", [10.0, 30_000.0], 10.0, [1.0, 100_000.0]).built())
        .of(QuasiStatic),
    Key::always(
        "levels",
        Whole(1, 32),
        "",
        "Levels of the shell; by default as many as give about four children a point",
    )
    .of(QuasiStatic),
    Key::always("shell_offset", Number(Any), "m", "Distance of the shell from the surface; negative is inside")
        .or("0.0")
        .of(QuasiStatic),
    Key::always("storage", Word(STORAGE_WORDS), "", "How distances are stored").or("\"auto\"").of(QuasiStatic),
    Key::unless(closed, "thicken", Number(NotNegative), "m", "Thickness for open sheets of a mesh; 0 leaves them out")
        .of(QuasiStatic),
    Key::always("sign", Word(SIGN_WORDS), "", "How inside is told from outside, as in `stiction bake`")
        .or("\"auto\"")
        .of(QuasiStatic),
    Key::always(
        "normal_noise",
        Number(NotNegative),
        "rad",
        "Standard deviation by which every shell normal is turned about each of two axes; positions stay",
    )
    .or("0.0")
    .live(Live::number("Noise of shell normals", [0.0, 0.3], 0.01, [0.0, 1.0]).built())
    .of(QuasiStatic),
    Key::unless(noiseless, "seed", Whole(0, i64::MAX), "", "Seed of that noise").or("1").of(QuasiStatic),
];

/// [held]
pub const HELD: Table = Table {
    name: "[held]",
    doc: "The part in the hand: `solid` with its parameters, `mesh` or `solids`.",
    groups: &[&[SOLID], WEIGHT, &[MATERIAL], BAKED],
    surface: Surface::Any,
};

/// [fixed]
pub const FIXED: Table = Table {
    name: "[fixed]",
    doc: "The part that does not move: `solid` with its parameters, `mesh` or `solids`; and where it is.",
    groups: &[&[SOLID, POSITION, ROTATED, MATERIAL], BAKED],
    surface: Surface::Any,
};

/// [[body]]
pub const BODY: Table = Table {
    name: "[[body]]",
    doc: "A body, instead of `held` and `fixed`: `solid` with its parameters, `mesh` or `solids`; where it is at first, a held one by default where its hand is.",
    groups: &[
        &[
            Key::always("name", Text, "", "What hands and loads call it").required(),
            Key::always("fixed", Kind::Flag, "", "Whether it never moves").or("false"),
            SOLID,
            POSITION,
            ROTATED,
            IN_AXES_OF,
        ],
        MOVING,
        WEIGHT,
        &[MATERIAL],
        BAKED,
    ],
    surface: Surface::Any,
};
