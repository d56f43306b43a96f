//! Words that keys of the engine's settings take, and what they stand for.

use super::kind::{Choice, Words, choices, meaning, plain, word_of};
use crate::document::{Data, Node};
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Cone, Fit, Method, Metric};
use stiction::tick::{ContactModel, Damping};

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, label: word, doc }
}

/// The friction methods.
pub static METHODS: Words<Method, 5> = METHOD_LIST;
const METHOD_LIST: Words<Method, 5> = [
    (choice("hold", "Coulomb’s law with slip memory: holds without creep"), Method::Hold),
    (choice("qp", "the paper’s quadratic program: each contact sticks or slides"), Method::Qp(Metric::Stiffness)),
    (choice("lp", "the paper’s linear program: all contacts hold, or none"), Method::Lp),
    (choice("yamane", "friction springs: they give way with hand and load"), Method::Yamane),
    (choice("none", "no friction at all"), Method::Frictionless),
];
pub const METHOD_WORDS: &[Choice] = &choices(&METHOD_LIST);

/// Whether a method works with friction pyramids only.
pub fn needs_pyramid(method: Method) -> bool {
    method == Method::Lp
}

/// What a step is measured by.
pub static METRICS: Words<Metric, 2> = METRIC_LIST;
const METRIC_LIST: Words<Metric, 2> = [(plain("stiffness"), Metric::Stiffness), (plain("mass"), Metric::Mass)];
pub const METRIC_WORDS: &[Choice] = &choices(&METRIC_LIST);

/// The contact models.
pub static MODELS: Words<ContactModel, 2> = MODEL_LIST;
const MODEL_LIST: Words<ContactModel, 2> = [
    (choice("hard", "contacts as stiff as the parts need, solved together with friction"), ContactModel::Hard),
    (
        choice(
            "penalty",
            "soft springs, for the friction methods lp, qp and yamane and for pyramids, which select it by themselves",
        ),
        ContactModel::Penalty,
    ),
];
pub const MODEL_WORDS: &[Choice] = &choices(&MODEL_LIST);

/// Parts that carry the point shell.
pub static SHELLS: Words<ShellOn, 3> = SHELL_LIST;
const SHELL_LIST: Words<ShellOn, 3> =
    [(plain("held"), ShellOn::Held), (plain("fixed"), ShellOn::Fixed), (plain("both"), ShellOn::Both)];
pub const SHELL_WORDS: &[Choice] = &choices(&SHELL_LIST);

/// How a pyramid lies about the cone.
static FITS: Words<Fit, 2> = FIT_LIST;
const FIT_LIST: Words<Fit, 2> = [(plain("circumscribed"), Fit::Circumscribed), (plain("inscribed"), Fit::Inscribed)];
pub const FIT_WORDS: &[Choice] = &choices(&FIT_LIST);

/// When damping works.
pub static DAMPINGS: Words<Damping, 2> = DAMPING_LIST;
const DAMPING_LIST: Words<Damping, 2> = [
    (Choice { word: "sliding", label: "while a contact slides", doc: "" }, Damping::Sliding),
    (Choice { word: "colliding", label: "in every contact (the paper’s way)", doc: "" }, Damping::Colliding),
];
pub const DAMPING_WORDS: &[Choice] = &choices(&DAMPING_LIST);

/// The word for a friction method, as `friction.method` takes it: the same in scenes, on the command line, in JSON and in recordings.
pub fn method_word(method: Method) -> &'static str {
    word_of(&METHODS, &method).unwrap_or_default()
}

/// The cone of a checked value.
pub fn cone(value: &Node) -> Cone {
    let sides = value.get("sides").and_then(Node::whole).and_then(|n| usize::try_from(n).ok());
    let fit = value.get("fit").and_then(|fit| meaning(&FITS, fit)).unwrap_or(Fit::Circumscribed);
    sides.map_or(Cone::Disk, |sides| Cone::Polygon { sides, fit })
}

/// The value of a cone, as `friction.cone` takes it.
pub fn cone_value(cone: Cone) -> Data {
    let Cone::Polygon { sides, fit } = cone else { return Data::word("disk") };
    let sides = ("sides", Data::Whole(sides as i64));
    match fit {
        Fit::Circumscribed => Data::table([sides]),
        Fit::Inscribed => Data::table([sides, ("fit", Data::word("inscribed"))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variant that is new to the engine does not compile here until it has its place, and its word.
    #[test]
    fn every_variant_has_a_word_of_its_own() {
        let place = |method: &Method| match method {
            Method::Hold => 0,
            Method::Qp(_) => 1,
            Method::Lp => 2,
            Method::Yamane => 3,
            Method::Frictionless => 4,
        };
        assert!(METHODS.iter().enumerate().all(|(i, (_, method))| place(method) == i));
        assert_eq!(METHODS.map(|(_, m)| method_word(m)), ["hold", "qp", "lp", "yamane", "none"]);
        assert_eq!(method_word(Method::Qp(Metric::Mass)), "qp", "whatever the metric");
        let place = |model: &ContactModel| match model {
            ContactModel::Hard => 0,
            ContactModel::Penalty => 1,
        };
        assert!(MODELS.iter().enumerate().all(|(i, (_, model))| place(model) == i));
    }
}
