//! Keys of the engine's settings: coupling, contact, friction and damping. Each row has its way into [`Settings`] and back.

use super::choices::{
    DAMPING_WORDS, DAMPINGS, FIT_WORDS, LOCAL_RULE_WORDS, LOCAL_RULES, METHOD_WORDS, METHODS, METRIC_WORDS, METRICS,
    MODEL_WORDS, MODELS, RELEASE_WORDS, RELEASES, SHELL_WORDS, SHELLS, SPRING_FORMS, SPRING_WORDS, cone, cone_value,
    method_of, method_word,
};
use super::idle::{
    coneless, frictionless, no_pair_matches, no_pyramid, other_pair, replaced_by_pair, undamped, weightless,
    without_passes, without_stiffness,
};
use super::kind::{Binding, Choice, Key, Kind, Only, Range, Table, all_of, meaning, word_of};
use super::live::Live;
use super::tables::table;
use super::volume::{GRIP_DAMPING, VOLUME_CONTACT};
use crate::EngineKind::QuasiStatic;
use crate::document::{Data, Node};
use Kind::{Direction, Either, List, Number, OneOf, Texts, Whole, Word};
use Range::{NotNegative, Part, Positive, Share};
use stiction::friction::{Cone, Method};
use stiction::spatial::Vec3;
use stiction::tick::{ContactModel, Settings};

/// Binds a key to a number of the settings.
macro_rules! number {
    ($($field:ident).+) => {
        Binding {
            decides: false,
            set: |s, value| if let Some(x) = value.number() { s.$($field).+ = x },
            get: |s| Some(Data::Number(s.$($field).+)),
        }
    };
}

/// Binds a key to a number that the engine finds by itself where it is not given.
macro_rules! optional {
    ($field:ident) => {
        Binding { decides: false, set: |s, value| s.$field = value.number(), get: |s| s.$field.map(Data::Number) }
    };
}

/// Binds a key to a whole number of the settings; one that does not fit is no limit.
macro_rules! whole {
    ($($field:ident).+) => {
        Binding {
            decides: false,
            set: |s, value| if let Some(n) = value.whole().and_then(|n| n.try_into().ok()) { s.$($field).+ = n },
            get: |s| s.$($field).+.try_into().ok().map(Data::Whole),
        }
    };
}

/// Binds a key to a value that has a word.
macro_rules! word {
    ($words:ident, $field:ident) => {
        Binding {
            decides: false,
            set: |s, value| {
                if let Some(known) = meaning(&$words, value) {
                    s.$field = known
                }
            },
            get: |s| word_of(&$words, &s.$field).map(Data::word),
        }
    };
}

/// Binds a key to a vector of the settings.
macro_rules! vector {
    ($field:ident, $how:tt) => {
        Binding {
            decides: false,
            set: |s, value| if let Some(v) = value.numbers() { s.$field $how Vec3::from_row_slice(&v) },
            get: |s| Some(Data::numbers(s.$field.as_slice())),
        }
    };
}

/// [coupling]
pub const COUPLING: Table = table(
    "[coupling]",
    "The spring between hand and part.",
    &[&[
        Key::always("stiffness", Number(Positive), "N/m", "Force by distance of the spring between hand and part")
            .or("2000.0")
            .sets(number!(coupling.stiffness))
            .live(Live::number("Coupling stiffness", [10.0, 1e5], 0.0, [1e-3, 1e9])),
        Key::always("torsion", Number(Positive), "N m/rad", "Torque by angle of the spring between hand and part")
            .or("20.0")
            .sets(number!(coupling.torsion))
            .live(Live::number("Coupling torsion", [0.1, 1000.0], 0.0, [1e-6, 1e6])),
        Key::always("max_force", Number(Positive), "N", "The force never reaches this")
            .or("40.0")
            .sets(number!(coupling.max_force))
            .live(Live::number("Largest force", [1.0, 100.0], 0.0, [1e-3, 1e4]).built()),
        Key::always("max_torque", Number(Positive), "N m", "The torque never reaches this")
            .or("4.0")
            .sets(number!(coupling.max_torque))
            .live(Live::number("Largest torque", [0.01, 10.0], 0.0, [1e-6, 1e3]).built()),
        GRIP_DAMPING,
    ]],
);

/// [contact]
pub const CONTACT: Table =
    table("[contact]", "How contacts push, and the work of a tick.", &[QUASI_STATIC_CONTACT, VOLUME_CONTACT]);

/// Keys of [contact] that belong to the quasi-static engine.
const QUASI_STATIC_CONTACT: &[Key] = &all_of(
    QuasiStatic,
    [
        Key::always("model", Word(MODEL_WORDS), "", "How contacts push").sets(Binding {
            decides: true,
            // The first of all that decide: the defaults of the others depend on it.
            set: |s, value| {
                let model = meaning(&MODELS, value);
                if model == Some(ContactModel::Paper) {
                    let Settings { friction, release, damped, .. } = Settings::paper();
                    (s.friction, s.release, s.damped) = (friction, release, damped);
                }
                s.model = model;
            },
            get: |s| word_of(&MODELS, &s.contact_model()).map(Data::word),
        })
        .live(Live::choice("Contact model").built()),
        Key::unless(
            without_stiffness,
            "stiffness",
            Number(Positive),
            "N/m",
            "hard: of each contact, by default from the thinnest wall and the coupling's largest force and torque; penalty: what the part feels in the stiffest direction, by default 50000",
        )
        .sets(Binding {
            decides: false,
            set: |s, value| match value.number() {
                Some(x) if s.contact_model().is_penalty() => s.budget.stiffness = x,
                given => s.stiffness = given,
            },
            get: |s| match s.contact_model().is_penalty() {
                true => Some(Data::Number(s.budget.stiffness)),
                false => s.stiffness.map(Data::Number),
            },
        })
        .live(Live::number("Contact stiffness", [1000.0, 1e7], 0.0, [1e-3, 1e9])),
        Key::only(Only::Hard,
            "modulus",
            Number(Positive),
            "N/m³",
            "stiffness by area, instead of `stiffness`: for parts that are deeper in each other than they should, such as press fits",
        )
        .sets(optional!(modulus)),
        Key::only(Only::NotPenalty,
            "allowance",
            Number(NotNegative),
            "m",
            "depth that contacts ignore; by default the faceting error at each place, half a voxel at most near inner edges, and a hundred-thousandth of the parts' size",
        )
        .sets(optional!(allowance))
        .live(Live::number("Depth that contacts ignore", [1e-7, 1e-3], 0.0, [0.0, 0.1]).built()),
        Key::only(Only::Penalty,
            "blend",
            Number(Part),
            "",
            "points shallower than this share of the largest depth count less; by default 0.25",
        )
        .sets(number!(budget.blend)),
        Key::always(
            "shell_on",
            Word(SHELL_WORDS),
            "",
            "The part that carries the point shell; the other carries the field. By default both (hard), or the one with more points (penalty, paper)",
        )
        .sets(word!(SHELLS, shell_on))
        .live(Live::choice("Part with the point shell").built()),
        Key::unless(
            no_pyramid,
            "tangent_axis",
            Direction,
            "",
            "Direction of the shell's part that friction polygons have a vertex along",
        )
        .or("[1.0, 0.0, 0.0]")
        .describes()
        .sets(vector!(tangent_axis, =)),
        Key::only(Only::Penalty,
            "release",
            Word(RELEASE_WORDS),
            "",
            "which contacts lose their friction because they are about to come apart (Zhao, Li, Barbič, section 4.1); by default applied, with contact.model paper paper",
        )
        .sets(word!(RELEASES, release))
        .live(Live::choice("Contacts that lose their friction").follows("contact.model")),
        Key::always("max_samples", Whole(1, i64::MAX), "", "Most field samples of a collision walk; by default no limit")
            .sets(whole!(max_samples)),
        Key::only(Only::NotPenalty,
            "work",
            Whole(1, i64::MAX),
            "samples",
            "most work of a tick, counted in samples of a distance field; building contacts and solving for their forces is counted in the same unit. \
             What is left out is represented by coarser points, and the tick is flagged as coarse. By default 10000000, some tenths of a second; a live session \
             lowers it to what the machine does in half a period",
        )
        .sets(whole!(work)),
        Key::only(Only::Penalty, "substeps", Whole(1, 1000), "", "most solves in a tick; by default 4")
            .sets(whole!(substeps))
            .live(Live::number("Solves in a tick", [1.0, 16.0], 1.0, [1.0, 100.0]).built()),
        Key::only(Only::Penalty,
            "step_bound",
            Number(Positive),
            "m",
            "furthest that a point goes beyond the proven clearance in a solve; by default a quarter of the thinnest wall",
        )
        .sets(optional!(step_bound)),
    ],
);

const STATIC: Key = Key::unless(
    replaced_by_pair,
    "static",
    Number(NotNegative),
    "",
    "µ_s: friction holds up to µ_s times the normal force",
)
.or("0.5")
.sets(Binding {
    decides: false,
    // The kinetic coefficient, which comes after it, is the same by default.
    set: |s, value| {
        if let Some(x) = value.number() {
            (s.mu_static, s.mu_kinetic) = (x, x);
        }
    },
    get: |s| Some(Data::Number(s.mu_static)),
})
.live(Live::number("µ static", [0.0, 1.5], 0.01, [0.0, 10.0]));
const KINETIC: Key = Key::unless(
    replaced_by_pair,
    "kinetic",
    Number(NotNegative),
    "",
    "µ_k, of contacts that slide: at most µ_s, and by default µ_s",
)
.at_most("static")
.sets(number!(mu_kinetic))
.live(Live::number("µ kinetic", [0.0, 1.5], 0.01, [0.0, 10.0]).follows("friction.static"));

/// [friction]
pub const FRICTION: Table = table(
    "[friction]",
    "The friction solver, and the coefficients where no pair of materials matches.",
    &[&[
        Key::always("method", Word(METHOD_WORDS), "", "How friction is decided; by default hold, with contact.model paper lp")
            .sets(Binding {
                decides: true,
                set: |s, value| {
                    if let Some(method) = meaning(&METHODS, value) {
                        (s.friction.method, s.friction.cone) = method_of(method, s.model);
                    }
                },
                get: |s| Some(Data::word(method_word(s.friction.method))),
            })
            .of(QuasiStatic)
            .live(Live::choice("Friction method").compared()),
        Key::only(Only::Method("qp"), "metric", Word(METRIC_WORDS), "", "what a step is measured by; by default stiffness, with contact.model paper mass")
            .of(QuasiStatic)
            .sets(Binding {
                decides: false,
                set: |s, value| {
                    if let (Method::Qp(metric), Some(known)) = (&mut s.friction.method, meaning(&METRICS, value)) {
                        *metric = known;
                    }
                },
                get: |s| match s.friction.method {
                    Method::Qp(metric) => word_of(&METRICS, &metric).map(Data::word),
                    _ => None,
                },
            }),
        Key::only(
            Only::Method("gauss-seidel"),
            "rule",
            Word(LOCAL_RULE_WORDS),
            "",
            "what is done at one contact while the others stand still",
        )
        .or("\"graph-intersection\"")
        .of(QuasiStatic)
        .sets(Binding {
            decides: false,
            set: |s, value| {
                if let (Method::GaussSeidel(rule), Some(known)) = (&mut s.friction.method, meaning(&LOCAL_RULES, value)) {
                    *rule = known;
                }
            },
            get: |s| match s.friction.method {
                Method::GaussSeidel(rule) => word_of(&LOCAL_RULES, &rule).map(Data::word),
                _ => None,
            },
        }),
        Key::only(
            Only::Unilateral,
            "tolerance",
            Number(Positive),
            "",
            "residual of the natural map, as a share of the free velocities, to which a tick is solved; one that misses it is flagged as undecided. By default 1e-6",
        )
        .of(QuasiStatic)
        .sets(number!(tolerance)),
        STATIC,
        KINETIC,
        Key::unless(
            coneless,
            "cone",
            Either(&Word(&[Choice { word: "disk", label: "disk (Coulomb’s own)", doc: "" }]), &OneOf(&[&POLYGON])),
            "",
            "Coulomb's cone itself, or a pyramid; by default the disk, for lp, and qp with contact.model paper, 8 sides",
        )
        .sets(Binding { decides: true, set: |s, value| s.friction.cone = cone(value), get: |s| Some(cone_value(s.friction.cone)) })
        .of(QuasiStatic)
        .live(Live::choice("Friction cone").follows("friction.method")),
        Key::unless(
            frictionless,
            "micro_slip",
            Number(Positive),
            "m",
            "Slip below which a contact counts as stuck, and the most that a released part springs back; by default twice the largest elastic depth of a contact (hard), or 1e-6 (penalty)",
        )
        .sets(Binding {
            decides: false,
            set: |s, value| {
                if let Some(x) = value.number() {
                    s.friction.micro_slip = x;
                    s.micro_slip = (!s.contact_model().is_penalty()).then_some(x);
                }
            },
            get: |s| match s.contact_model().is_penalty() {
                true => Some(Data::Number(s.friction.micro_slip)),
                false => s.micro_slip.map(Data::Number),
            },
        })
        .of(QuasiStatic)
        .live(Live::number("Slip that counts as stuck", [1e-9, 1e-3], 0.0, [1e-15, 0.1]).built()),
        Key::unless(without_passes, "budget", Whole(1, 1_000_000), "", "Most passes over the contacts in a solve")
            .or("400")
            .of(QuasiStatic)
            .sets(whole!(friction.budget))
            .live(Live::number("Passes in a solve", [1.0, 1000.0], 1.0, [1.0, 100_000.0]).built()),
        Key::only(Only::Method("yamane"), "spring_stiffness", Number(Positive), "N/m", "all frictional springs together")
            .or("10000.0")
            .of(QuasiStatic)
            .sets(number!(friction.spring_stiffness))
            .live(Live::number("Friction springs", [10.0, 1e6], 0.0, [1e-3, 1e9])),
        Key::only(Only::Method("yamane"), "spring_form", Word(SPRING_WORDS), "", "when the springs' forces are taken")
            .or("\"implicit\"")
            .of(QuasiStatic)
            .sets(Binding {
                decides: false,
                set: |s, value| {
                    if let Some(form) = meaning(&SPRING_FORMS, value) {
                        s.friction.spring_form = form;
                    }
                },
                get: |s| word_of(&SPRING_FORMS, &s.friction.spring_form).map(Data::word),
            })
            .live(Live::choice("Forces of friction springs")),
        Key::unless(no_pair_matches, "pair", List(&[&PAIR]), "", "Coefficients of two materials, in either order; the first match counts"),
    ]],
);

/// [[friction.pair]]
pub const PAIR: Table = table(
    "[[friction.pair]]",
    "Coefficients of two materials.",
    &[&[
        Key::always("between", Texts(2), "", "The two materials").required(),
        STATIC.required().idle(other_pair).describes(),
        KINETIC.idle(other_pair).describes(),
    ]],
);

/// The pyramid of `cone`.
pub const POLYGON: Table = table(
    "`cone`",
    "A friction pyramid.",
    &[&[
        Key::always("sides", Whole(SIDES[0], SIDES[1]), "", "Sides").required(),
        Key::always("fit", Word(FIT_WORDS), "", "Facets or vertices on the cone").or("\"circumscribed\""),
    ]],
);

/// Least and most sides of a friction pyramid.
pub const SIDES: [i64; 2] = [3, Cone::MAX_SIDES as i64];

/// [damping]
pub const DAMPING: Table = table(
    "[damping]",
    "Static damping of penalty contacts: the share of a step that is not taken. Hard contacts need none.",
    &[&[
        Key::only(Only::Penalty, "alpha", Number(Share), "", "the share of a step that is not taken; by default 0.6")
            .sets(number!(damping))
            .live(Live::number("Damping α", [0.0, 0.95], 0.01, [0.0, 0.95])),
        Key::only(
            Only::Penalty,
            "when",
            Word(DAMPING_WORDS),
            "",
            "when damping works; by default while a contact slides, with contact.model paper in every contact",
        )
        .idle(undamped)
        .sets(word!(DAMPINGS, damped))
        .live(Live::choice("Damping works").follows("contact.model")),
    ]],
);

/// The row of gravity, in [load].
pub const GRAVITY: Key = Key::always("gravity", Kind::Numbers(3, Range::Any), "m/s²", "Gravity")
    .or("[0.0, 0.0, 0.0]")
    .sets(vector!(gravity, +=));

/// The row of a body's mass.
pub const MASS: Key = Key::unless(weightless, "mass", Number(Positive), "kg", "Mass; or `density`")
    .describes()
    .or("1.0")
    .sets(number!(mass));

/// Settings with the values of some rows; those that decide the contact model go first.
pub fn apply(settings: &mut Settings, rows: &[(&'static Key, Node)]) {
    for decides in [true, false] {
        for (key, value) in rows {
            if let Some(binding) = key.binding.filter(|b| b.decides == decides) {
                (binding.set)(settings, value);
            }
        }
    }
}
