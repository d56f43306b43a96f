//! Words that keys of the engine's settings take, and what they stand for.

use super::kind::{Choice, WordList, choice, choices, meaning, plain, word_of};
use crate::document::{Data, Node};
use stiction::contact::penalty::ShellOn;
use stiction::contact::separating::ReleaseRule;
use stiction::delassus::LocalRule;
use stiction::friction::{Cone, Fit, Method, Metric, SpringForm};
use stiction::tick::{ContactModel, Damping};

/// Friction methods by their words.
pub const METHODS: WordList<Method, 7> = [
    (choice("hold", "Coulomb’s law with slip memory: holds without creep"), Method::Hold),
    (choice("qp", "the paper’s quadratic program: each contact sticks or slides"), Method::Qp(Metric::Stiffness)),
    (choice("lp", "the paper’s linear program: all contacts hold, or none"), Method::Lp),
    (choice("yamane", "friction springs: they give way with hand and load"), Method::Yamane),
    (choice("none", "no friction at all"), Method::Frictionless),
    (
        choice("staggered", "staggered projections (Kaufman), with unilateral normal forces of their own"),
        Method::Staggered,
    ),
    (
        choice("gauss-seidel", "Gauss-Seidel (Duriez), with unilateral normal forces of its own"),
        Method::GaussSeidel(LocalRule::GraphIntersection),
    ),
];
/// The words alone.
pub const METHOD_WORDS: &[Choice] = &choices(&METHODS);

/// Whether a method works with friction pyramids only.
pub fn needs_pyramid(method: Method) -> bool {
    method == Method::Lp
}

/// What the quadratic program measures a step by.
pub const METRICS: WordList<Metric, 2> = [
    (choice("stiffness", "-sym(K): stops the contacts, Coulomb's law where K is symmetric"), Metric::Stiffness),
    (choice("mass", "diag(M, I), as in the paper: stops the part's centre"), Metric::Mass),
];
/// The words alone.
pub const METRIC_WORDS: &[Choice] = &choices(&METRICS);

/// When the forces of frictional springs are taken, by words.
pub const SPRING_FORMS: WordList<SpringForm, 2> = [
    (choice("implicit", "at the end of the step, solved for with it"), SpringForm::Implicit),
    (
        choice("explicit", "before the step: shakes where springs are stiffer than the coupling allows"),
        SpringForm::Explicit,
    ),
];
/// The words alone.
pub const SPRING_WORDS: &[Choice] = &choices(&SPRING_FORMS);

/// Contact models by their words.
pub const MODELS: WordList<ContactModel, 4> = [
    (choice("hard", "contacts as stiff as the parts need, solved together with friction"), ContactModel::Hard),
    (
        choice(
            "penalty",
            "soft springs, for the friction methods lp, qp and yamane and for pyramids, which select it by themselves",
        ),
        ContactModel::Penalty,
    ),
    (
        choice(
            "paper",
            "penalty contacts as the friction paper prints them, for comparison: the shell's normals, equations (2)-(3), section 4.1. By default with method lp, 8 sides, \
             release paper and damping in every contact",
        ),
        ContactModel::Paper,
    ),
    (
        choice(
            "unilateral",
            "rigid contacts without stiffness, for the friction methods staggered and gauss-seidel, which select it by themselves: the solvers of other schools, for comparison",
        ),
        ContactModel::Unilateral,
    ),
];

/// What Gauss-Seidel does at a contact, by words.
pub const LOCAL_RULES: WordList<LocalRule, 3> = [
    (choice("graph-intersection", "normal, then friction (Duriez)"), LocalRule::GraphIntersection),
    (choice("bipotential", "a projection onto the cone (de Saxcé)"), LocalRule::Bipotential),
    (choice("exact", "the contact’s own problem, solved"), LocalRule::Exact),
];
/// The words alone.
pub const LOCAL_RULE_WORDS: &[Choice] = &choices(&LOCAL_RULES);

/// The words alone.
pub const MODEL_WORDS: &[Choice] = &choices(&MODELS);

/// Parts that may carry the point shell, by their words.
pub const SHELLS: WordList<ShellOn, 3> =
    [(plain("held"), ShellOn::Held), (plain("fixed"), ShellOn::Fixed), (plain("both"), ShellOn::Both)];
/// The words alone.
pub const SHELL_WORDS: &[Choice] = &choices(&SHELLS);

/// How a friction pyramid fits its cone, by words.
const FITS: WordList<Fit, 2> = [(plain("circumscribed"), Fit::Circumscribed), (plain("inscribed"), Fit::Inscribed)];
/// The words alone.
pub const FIT_WORDS: &[Choice] = &choices(&FITS);

/// Which contacts lose their friction, by words.
pub const RELEASES: WordList<ReleaseRule, 4> = [
    (choice("applied", "those that the applied force pulls off, along their normal too"), ReleaseRule::Applied),
    (
        choice("three", "the same with the coupling’s force alone: the paper’s 4.1 with the condition of its 5.6"),
        ReleaseRule::Three,
    ),
    (choice("paper", "the paper’s 4.1 as printed, which halves friction on a plane"), ReleaseRule::Paper),
    (choice("none", "no contact: parts stick in corners"), ReleaseRule::None),
];
/// The words alone.
pub const RELEASE_WORDS: &[Choice] = &choices(&RELEASES);

/// When static damping works, by words.
pub const DAMPINGS: WordList<Damping, 2> = [
    (Choice { word: "sliding", label: "while a contact slides", doc: "" }, Damping::Sliding),
    (Choice { word: "colliding", label: "in every contact (the paper’s way)", doc: "" }, Damping::Colliding),
];
/// The words alone.
pub const DAMPING_WORDS: &[Choice] = &choices(&DAMPINGS);

/// The word for a friction method, as `friction.method` takes it: the same in scenes, on the command line, in JSON and in recordings.
pub fn method_word(method: Method) -> &'static str {
    word_of(&METHODS, &method).unwrap_or_default()
}

/// What a friction method is with a contact model, where nothing more is told of it: the method, with its metric, and the cone. The paper's quadratic program has its
/// mass metric, and pyramids.
pub fn method_of(method: Method, model: Option<ContactModel>) -> (Method, Cone) {
    let paper = model == Some(ContactModel::Paper);
    match method {
        Method::Qp(_) if paper => (Method::Qp(Metric::Mass), Cone::paper(8)),
        method if needs_pyramid(method) => (method, Cone::paper(8)),
        method => (method, Cone::Disk),
    }
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
            Method::Staggered => 5,
            Method::GaussSeidel(_) => 6,
        };
        assert!(METHODS.iter().enumerate().all(|(i, (_, method))| place(method) == i));
        assert_eq!(
            METHODS.map(|(_, m)| method_word(m)),
            ["hold", "qp", "lp", "yamane", "none", "staggered", "gauss-seidel"]
        );
        assert_eq!(method_word(Method::Qp(Metric::Mass)), "qp", "whatever the metric");
        let place = |model: &ContactModel| match model {
            ContactModel::Hard => 0,
            ContactModel::Penalty => 1,
            ContactModel::Paper => 2,
            ContactModel::Unilateral => 3,
        };
        assert!(MODELS.iter().enumerate().all(|(i, (_, model))| place(model) == i));
    }
}
