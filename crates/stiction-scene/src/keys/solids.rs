//! Solids by parameter: for each its word, its keys and how it is made of them.

use super::check::check;
use super::kind::{Choice, Key, Kind, Range, plain};
use super::parts::POSED_SOLID;
use crate::Setting;
use crate::document::{Node, SceneFault, apply, parse};
use crate::error::Problem;
use crate::read::{Reader, contradiction};
use Kind::{Number, Numbers, Tuples, Whole, Word};
use Range::{Any, NotNegative, Positive};
use stiction_bake::solids::{Bolt, BoltHead, Cable, Nut, ScrewThread, SheetBend, SheetMetal, Solid, SpurGear};

/// A solid that a scene can name.
pub struct SolidRow {
    /// As `solid` takes it.
    pub word: &'static str,
    pub doc: &'static str,
    /// Its parameters.
    pub keys: &'static [Key],
    /// The solid of a checked table.
    make: fn(&Reader) -> Result<Solid, SceneFault>,
}

/// The words for solids, as `solid` takes them.
pub const SOLID_WORDS: &[Choice] = &{
    let mut out = [plain(""); SOLIDS.len()];
    let mut i = 0;
    while i < SOLIDS.len() {
        out[i] = plain(SOLIDS[i].word);
        i += 1;
    }
    out
};

/// The solid of a checked table.
pub fn solid(table: &Reader) -> Result<Solid, SceneFault> {
    let Some(node) = table.given("solid") else { return Err(table.fault("there is no `solid`".into())) };
    let row = SOLIDS.iter().find(|row| Some(row.word) == node.text());
    let row = row.ok_or_else(|| contradiction(node, "there is no such solid".into()))?;
    let solid = (row.make)(table)?;
    // Parameters that do not fit together are found by making the surface, which is cheap.
    solid.mesh().map_err(|error| contradiction(node, error.to_string()))?;
    Ok(solid)
}

/// A kind of solid by parameter, for programs that make one without a scene.
#[derive(Clone, Copy)]
pub struct SolidKind {
    /// The word that `solid` takes.
    pub word: &'static str,
    /// What the solid is, and where its origin is.
    pub doc: &'static str,
    keys: &'static [Key],
}

/// A parameter of a solid.
#[derive(Clone, Copy, Debug)]
pub struct SolidParameter {
    /// The name of the key.
    pub name: &'static str,
    /// What the parameter means.
    pub doc: &'static str,
    /// The unit, or empty for words and counts.
    pub unit: &'static str,
    /// The default as TOML has it, or empty.
    pub default: &'static str,
    /// How many values the parameter takes.
    pub form: ParameterForm,
}

/// How many values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterForm {
    /// One value.
    Single,
    /// A list of numbers.
    List,
    /// A list of lists of so many numbers.
    Tuples(usize),
}

/// All kinds of solids by parameter.
pub fn solid_kinds() -> impl Iterator<Item = SolidKind> {
    SOLIDS.iter().map(|SolidRow { word, doc, keys, .. }| SolidKind { word, doc, keys })
}

impl SolidKind {
    /// The parameters of the solid.
    pub fn parameters(&self) -> impl Iterator<Item = SolidParameter> + use<> {
        self.keys.iter().map(|&Key { name, doc, unit, default, kind, .. }| {
            let form = match kind {
                Numbers(..) => ParameterForm::List,
                Tuples(count, ..) => ParameterForm::Tuples(count),
                _ => ParameterForm::Single,
            };
            SolidParameter { name, doc, unit, default, form }
        })
    }
}

/// The solid of a kind with the given parameters, whose values are as in a scene; the others have their defaults.
pub fn solid_with(word: &str, parameters: &[Setting]) -> Result<Solid, Problem> {
    let make = || {
        let mut node = parse(&format!("solid = \"{word}\""))?;
        parameters.iter().enumerate().try_for_each(|(i, parameter)| apply(&mut node, parameter, i))?;
        check(&node, &POSED_SOLID)?;
        solid(&Reader::new(Some(&node), &POSED_SOLID))
    };
    make().map_err(|fault: SceneFault| fault.problem)
}

/// The lists of numbers of a checked key; none where it is not given.
fn tuples<const N: usize>(t: &Reader, key: &str) -> Vec<[f64; N]> {
    let given = t.given(key);
    let items = given.map_or(&[][..], Node::items).iter().filter_map(Node::numbers);
    items.filter_map(|numbers| numbers.try_into().ok()).collect()
}

/// The thread of a bolt or a nut, with the pitch of ISO's coarse series where none is given.
fn thread(t: &Reader) -> Result<ScrewThread, SceneFault> {
    let diameter = t.number("diameter");
    let pitch = t.maybe("pitch").or_else(|| ScrewThread::coarse_pitch(diameter));
    let Some(pitch) = pitch else {
        let reason = format!("ISO's coarse series has no diameter of {diameter} m: give `pitch` as well");
        return Err(t.given("diameter").map_or_else(|| t.fault(reason.clone()), |n| contradiction(n, reason.clone())));
    };
    let usual = ScrewThread::metric(diameter, pitch);
    Ok(ScrewThread {
        clearance: t.maybe("clearance").unwrap_or(usual.clearance),
        lead_in: t.maybe("lead_in").unwrap_or(usual.lead_in),
        segments: t.count("segments"),
        ..usual
    })
}

/// The head of a bolt; one that has none cannot have its size given.
fn head(t: &Reader, diameter: f64) -> Result<BoltHead, SceneFault> {
    let width = t.maybe("head_width").unwrap_or(1.5 * diameter);
    let height = t.maybe("head_height").unwrap_or(0.65 * diameter);
    match t.word("head").as_str() {
        "hexagon" => return Ok(BoltHead::Hexagon { width, height }),
        "cylinder" => return Ok(BoltHead::Cylinder { width, height }),
        _ => {}
    }
    match ["head_width", "head_height"].into_iter().find_map(|key| t.given(key).map(|node| (key, node))) {
        Some((key, node)) => Err(contradiction(node, format!("`{key}` is given, but `head` is \"none\""))),
        None => Ok(BoltHead::None),
    }
}

/// All solids.
pub const SOLIDS: &[SolidRow] = &[
    SolidRow {
        word: "box",
        doc: "A box around the origin",
        keys: &[size3("Edge lengths along x, y and z")],
        make: |t| Ok(Solid::Box { size: t.numbers("size") }),
    },
    SolidRow {
        word: "cylinder",
        doc: "A cylinder around z, centred",
        keys: &[radius("Its radius"), length("height", "Its length along z"), SEGMENTS],
        make: |t| {
            Ok(Solid::Cylinder {
                radius: t.number("radius"),
                height: t.number("height"),
                segments: t.count("segments"),
            })
        },
    },
    SolidRow {
        word: "capsule",
        doc: "A capsule around z, centred: all points within a radius of a segment",
        keys: &[
            radius("The radius"),
            length("height", "The segment's length; the capsule is longer by two radii"),
            SEGMENTS,
            count("rings", "Bands of facets on each half sphere").or("24"),
        ],
        make: |t| {
            let (segments, rings) = (t.count("segments"), t.count("rings"));
            Ok(Solid::Capsule { radius: t.number("radius"), height: t.number("height"), segments, rings })
        },
    },
    SolidRow {
        word: "torus",
        doc: "A torus around z, centred",
        keys: &[
            length("major", "From the axis to the middle of the tube"),
            length("minor", "Radius of the tube"),
            SEGMENTS,
            count("rings", "Points around the tube").or("48"),
        ],
        make: |t| {
            let (segments, rings) = (t.count("segments"), t.count("rings"));
            Ok(Solid::Torus { major: t.number("major"), minor: t.number("minor"), segments, rings })
        },
    },
    SolidRow {
        word: "plate",
        doc: "A plate in the x-y plane, centred",
        keys: &[size2(), length("thickness", "Length along z")],
        make: |t| Ok(Solid::Plate { size: t.numbers("size"), thickness: t.number("thickness") }),
    },
    SolidRow {
        word: "l-bar",
        doc: "An L profile along z; its inner edge is the z axis, its inner faces lie in x = 0 and y = 0",
        keys: &[
            Key::always("legs", Numbers(2, Positive), "m", "How far the legs reach along x and y from the inner edge")
                .required(),
            length("thickness", "Thickness of both legs, towards negative x and y"),
            length("length", "Length along z, centred"),
        ],
        make: |t| {
            let (legs, thickness) = (t.numbers("legs"), t.number("thickness"));
            Ok(Solid::LBar { legs, thickness, length: t.number("length") })
        },
    },
    SolidRow {
        word: "prism",
        doc: "A prism along z over a polygon without holes: wedges, brackets, blocks with notches",
        keys: &[
            Key::always("outline", Tuples(2, Any, false), "m", "Corners (x, y) of the polygon, in order, turning either way")
                .required(),
            length("length", "Length along z, centred"),
        ],
        make: |t| {
            Ok(Solid::Prism { outline: tuples(t, "outline"), length: t.number("length") })
        },
    },
    SolidRow {
        word: "corner",
        doc: "Three walls that meet at right angles; the inner corner is the origin, the inner faces are the coordinate planes",
        keys: &[length("size", "How far the walls reach"), length("thickness", "Thickness of the walls")],
        make: |t| Ok(Solid::Corner { size: t.number("size"), thickness: t.number("thickness") }),
    },
    SolidRow {
        word: "plate-round-hole",
        doc: "A plate in the x-y plane with a round hole in the middle, centred",
        keys: &[size2(), length("thickness", "Length along z"), radius("Radius of the hole"), SEGMENTS],
        make: |t| {
            let (size, thickness) = (t.numbers("size"), t.number("thickness"));
            Ok(Solid::PlateRoundHole { size, thickness, radius: t.number("radius"), segments: t.count("segments") })
        },
    },
    SolidRow {
        word: "plate-square-hole",
        doc: "A plate in the x-y plane with a rectangular hole in the middle, centred",
        keys: &[
            size2(),
            length("thickness", "Length along z"),
            Key::always("hole", Numbers(2, Positive), "m", "Lengths of the hole along x and y").required(),
        ],
        make: |t| {
            let (size, thickness) = (t.numbers("size"), t.number("thickness"));
            Ok(Solid::PlateSquareHole { size, thickness, hole: t.numbers("hole") })
        },
    },
    SolidRow {
        word: "peg",
        doc: "A round peg along z from 0 to its length, with a chamfer around its lower end",
        keys: &[
            radius("Its radius"),
            length("length", "Its length"),
            length("chamfer", "What the 45 degree chamfer takes from radius and length"),
            SEGMENTS,
        ],
        make: |t| {
            let (radius, length, chamfer) = (t.number("radius"), t.number("length"), t.number("chamfer"));
            Ok(Solid::Peg { radius, length, chamfer, segments: t.count("segments") })
        },
    },
    SolidRow {
        word: "shaft",
        doc: "A round shaft along z from 0, of steps with different radii",
        keys: &[
            Key::always("steps", Tuples(2, Positive, false), "m", "Radius and length of each step, from below").required(),
            SEGMENTS,
        ],
        make: |t| {
            Ok(Solid::Shaft { steps: tuples(t, "steps"), segments: t.count("segments") })
        },
    },
    SolidRow {
        word: "revolution",
        doc: "A solid of revolution around z: spinning tops, pins, knobs",
        keys: &[
            Key::always(
                "profile",
                Tuples(2, Any, false),
                "m",
                "Points (distance from the axis, z) from the bottom to the top; ends off the axis are closed by flat faces",
            )
            .required(),
            SEGMENTS,
        ],
        make: |t| {
            Ok(Solid::Revolution { profile: tuples(t, "profile"), segments: t.count("segments") })
        },
    },
    SolidRow {
        word: "ring",
        doc: "A ring around z: washers, pulleys, bores with chamfers",
        keys: &[
            Key::always(
                "section",
                Tuples(2, Any, false),
                "m",
                "Corners (distance from the axis, z) of its section, in order, turning either way; off the axis",
            )
            .required(),
            SEGMENTS,
        ],
        make: |t| Ok(Solid::Ring { section: tuples(t, "section"), segments: t.count("segments") }),
    },
    SolidRow {
        word: "sheet-metal",
        doc: "A plate of any outline with holes, its middle surface in the x-y plane up to its first bend: flanges, brackets, door sheets",
        keys: &[
            Key::always(
                "outline",
                Tuples(2, Any, false),
                "m",
                "Corners (x, y) of the flat pattern, in order, turning either way",
            )
            .required(),
            Key::always("rounding", Number(NotNegative), "m", "Radius of the outline's corners").or("0.0"),
            Key::always("holes", Tuples(3, Any, true), "m", "Round holes: x and y of the middle, and the radius").or("[]"),
            Key::always(
                "windows",
                Tuples(5, Any, true),
                "m",
                "Windows: x and y of the middle, lengths along x and y, and the radius of the corners",
            )
            .or("[]"),
            length("thickness", "Thickness, half of it on either side of the middle surface"),
            Key::always(
                "bends",
                Tuples(3, Any, true),
                "m, deg, m",
                "Bends along lines parallel to y: where each begins on the flat pattern along x, by how many degrees what follows turns up, and the radius of the middle surface",
            )
            .or("[]"),
            SEGMENTS,
        ],
        make: |t| {
            let bend = |[at, degrees, radius]: [f64; 3]| SheetBend { at, angle: degrees.to_radians(), radius };
            Ok(Solid::SheetMetal(SheetMetal {
                outline: tuples(t, "outline"),
                rounding: t.number("rounding"),
                holes: tuples(t, "holes"),
                windows: tuples(t, "windows"),
                thickness: t.number("thickness"),
                bends: tuples(t, "bends").into_iter().map(bend).collect(),
                segments: t.count("segments"),
            }))
        },
    },
    SolidRow {
        word: "cable",
        doc: "A round cable, hose or bent rod along a path, with flat ends",
        keys: &[
            Key::always("path", Tuples(3, Any, false), "m", "Corners (x, y, z) of its middle line").required(),
            radius("Its radius"),
            Key::always("bend", Number(Positive), "m", "Radius of the middle line at corners; by default three radii"),
            SEGMENTS,
        ],
        make: |t| {
            let radius = t.number("radius");
            let bend = t.maybe("bend").unwrap_or(3.0 * radius);
            Ok(Solid::Cable(Cable { path: tuples(t, "path"), radius, bend, segments: t.count("segments") }))
        },
    },
    SolidRow {
        word: "gear",
        doc: "A spur gear around z, centred, with involute teeth",
        keys: &[
            length("module", "Pitch diameter by teeth"),
            Key::always("teeth", Whole(3, 100_000), "", "Number of teeth").required(),
            length("width", "Length along z"),
            Key::always("bore", Number(NotNegative), "m", "Radius of the bore; 0 for none").or("0.0"),
            Key::always("pressure_angle_deg", Number(Positive), "deg", "Pressure angle").or("20.0"),
            Key::always("addendum", Number(Positive), "modules", "Height of the teeth above the pitch circle")
                .or("1.0"),
            Key::always("dedendum", Number(Positive), "modules", "Depth of the gaps below the pitch circle").or("1.25"),
            count("flank_pieces", "Pieces of each involute flank").or("12"),
            count("arc_pieces", "Pieces of each arc at tip and root").or("4"),
            count("layers", "Layers of the walls along z").or("8"),
            count("rings", "Rings of the faces between bore and root").or("3"),
        ],
        make: |t| {
            Ok(Solid::Gear(SpurGear {
                module: t.number("module"),
                teeth: t.count("teeth"),
                pressure_angle: t.number("pressure_angle_deg").to_radians(),
                width: t.number("width"),
                bore: t.number("bore"),
                addendum: t.number("addendum"),
                dedendum: t.number("dedendum"),
                flank_pieces: t.count("flank_pieces"),
                arc_pieces: t.count("arc_pieces"),
                layers: t.count("layers"),
                rings: t.count("rings"),
            }))
        },
    },
    SolidRow {
        word: "bolt",
        doc: "A bolt with an ISO metric thread, right-handed around z from 0 to its length, head above; a nut at the same pose is on its thread",
        keys: &[
            DIAMETER,
            PITCH,
            length("length", "Length of the thread along z, without the head"),
            Key::always(
                "head",
                Word(&[plain("hexagon"), plain("cylinder"), plain("none")]),
                "",
                "Its head; none is a threaded rod",
            )
            .or("\"hexagon\""),
            Key::always(
                "head_width",
                Number(Positive),
                "m",
                "Width of a hexagon across flats, or diameter of a cylinder; by default 1.5 diameters of the thread",
            ),
            Key::always("head_height", Number(Positive), "m", "Length of the head along z; by default 0.65 diameters"),
            CLEARANCE,
            LEAD_IN,
            FACETS,
        ],
        make: |t| {
            let thread = thread(t)?;
            Ok(Solid::Bolt(Bolt { head: head(t, thread.diameter)?, thread, length: t.number("length") }))
        },
    },
    SolidRow {
        word: "nut",
        doc: "A hexagonal nut with an ISO metric thread, right-handed around z from 0 to its height; at the same pose as a bolt it is on its thread",
        keys: &[
            DIAMETER,
            PITCH,
            Key::always("width", Number(Positive), "m", "Width across flats; by default 1.5 diameters of the thread"),
            Key::always("height", Number(Positive), "m", "Length along z; by default 0.9 diameters"),
            CLEARANCE,
            LEAD_IN,
            FACETS,
        ],
        make: |t| {
            let thread = thread(t)?;
            let width = t.maybe("width").unwrap_or(1.5 * thread.diameter);
            let height = t.maybe("height").unwrap_or(0.9 * thread.diameter);
            Ok(Solid::Nut(Nut { thread, width, height }))
        },
    },
];
const DIAMETER: Key = length("diameter", "Nominal diameter of the thread: 0.012 for M12");
const PITCH: Key = Key::always(
    "pitch",
    Number(Positive),
    "m",
    "Distance of neighbouring crests along z; by default that of ISO's coarse series, 0.00175 for M12",
);
const CLEARANCE: Key = Key::always(
    "clearance",
    Number(NotNegative),
    "m",
    "Distance from ISO's basic profile along the radius, inwards for a bolt, outwards for a nut; by default a twentieth of the pitch",
);
const LEAD_IN: Key = Key::always(
    "lead_in",
    Number(Positive),
    "m",
    "Length along z in which the thread rises from nothing at each end; by default one pitch",
);
const FACETS: Key = Key::always("segments", Whole(3, 1 << 20), "", "Facets per turn of the thread").or("96");
const SEGMENTS: Key = Key::always("segments", Whole(3, 1 << 20), "", "Points around").or("96");

const fn length(name: &'static str, doc: &'static str) -> Key {
    Key::always(name, Number(Positive), "m", doc).required()
}

const fn radius(doc: &'static str) -> Key {
    length("radius", doc)
}

const fn count(name: &'static str, doc: &'static str) -> Key {
    Key::always(name, Whole(1, 100_000), "", doc)
}

const fn size3(doc: &'static str) -> Key {
    Key::always("size", Numbers(3, Positive), "m", doc).required()
}

const fn size2() -> Key {
    Key::always("size", Numbers(2, Positive), "m", "Lengths along x and y").required()
}
