//! Every figure there is.

use crate::figure::Figure;

#[path = "../cv-01-normal/figure.rs"]
mod cv_01_normal;
#[path = "../cv-09-stack/figure.rs"]
mod cv_09_stack;
#[path = "../cv-12-drop/figure.rs"]
mod cv_12_drop;
#[path = "../cv-14-stick-slip/figure.rs"]
mod cv_14_stick_slip;
#[path = "../cv-15-shovels/figure.rs"]
mod cv_15_shovels;
#[path = "../cv-16-top/figure.rs"]
mod cv_16_top;
#[path = "../lp-01/figure.rs"]
mod lp_01;
#[path = "../lp-02/figure.rs"]
mod lp_02;
#[path = "../lp-03/figure.rs"]
mod lp_03;
#[path = "../lp-04/figure.rs"]
mod lp_04;
#[path = "../lp-05/figure.rs"]
mod lp_05;
#[path = "../lp-06/figure.rs"]
mod lp_06;
#[path = "../lp-07/figure.rs"]
mod lp_07;
#[path = "../lp-08/figure.rs"]
mod lp_08;
#[path = "../lp-09/figure.rs"]
mod lp_09;
#[path = "../lp-10/figure.rs"]
mod lp_10;
#[path = "../lp-11/figure.rs"]
pub(crate) mod lp_11;
#[path = "../lp-12/figure.rs"]
mod lp_12;
#[path = "../lp-13/figure.rs"]
mod lp_13;
#[path = "../lp-14/figure.rs"]
mod lp_14;
#[path = "../lp-15/figure.rs"]
mod lp_15;
#[path = "../lp-16/figure.rs"]
mod lp_16;
#[path = "../lp-17/figure.rs"]
mod lp_17;
#[path = "../lp-18/figure.rs"]
mod lp_18;
#[path = "../lp-yamane/figure.rs"]
mod lp_yamane;
#[path = "../ours-cones/figure.rs"]
mod ours_cones;
#[path = "../ours-margin/figure.rs"]
mod ours_margin;
#[path = "../ours-mixed/figure.rs"]
mod ours_mixed;
#[path = "../ours-noise/figure.rs"]
mod ours_noise;
#[path = "../ours-power/figure.rs"]
mod ours_power;
#[path = "../ours-springback/figure.rs"]
mod ours_springback;

/// A figure by its folder and module.
macro_rules! figure {
    ($name:literal, $module:ident, $title:literal) => {
        Figure {
            name: $name,
            title: $title,
            readme: include_str!(concat!("../", $name, "/README.md")),
            run: $module::run,
        }
    };
}

/// All figures: those of the friction paper by number, those of the contact volume paper by number, then ours.
pub const ALL: &[Figure] = &[
    figure!("lp-01", lp_01, "Time of collision and friction against the number of contacts"),
    figure!(
        "lp-02",
        lp_02,
        "A peg 1 % larger than its hole goes in by penalty contact only; a clearance fit and friction"
    ),
    figure!("lp-03", lp_03, "The friction pyramid"),
    figure!("lp-04", lp_04, "Virtual assembly with friction: a starter motor in its seat"),
    figure!("lp-05", lp_05, "Time of the linear and the quadratic program"),
    figure!("lp-06", lp_06, "No stickiness when a part is pulled out of a corner"),
    figure!("lp-07", lp_07, "Static damping"),
    figure!("lp-08", lp_08, "Point shell, distance field, and contact force with and without friction"),
    figure!("lp-09", lp_09, "The starter motor slides on the engine"),
    figure!("lp-10", lp_10, "Static friction in the car door"),
    figure!("lp-11", lp_11, "The window motor is pulled sideways in the car door"),
    figure!("lp-12", lp_12, "Minimal force to insert a peg against the friction coefficient"),
    figure!("lp-13", lp_13, "A cube in a corner and its contact force"),
    figure!("lp-14", lp_14, "Static friction and sliding in turn under a fast hand"),
    figure!("lp-15", lp_15, "Time and position beside constraint-based methods, 72 contacts"),
    figure!("lp-16", lp_16, "A held part does not follow the hand; on frictional springs it creeps"),
    figure!("lp-17", lp_17, "No insertion by snake motion"),
    figure!("lp-18", lp_18, "The starter motor at a narrow passage"),
    figure!("lp-yamane", lp_yamane, "How stiff frictional springs may be, explicit and implicit"),
    figure!(
        "cv-01-normal",
        cv_01_normal,
        "A rocking cube's normal force is continuous, and a turning one feels a torque of friction"
    ),
    figure!("cv-09-stack", cv_09_stack, "Walls of blocks: time of a step, what stands, and when a column buckles"),
    figure!("cv-12-drop", cv_12_drop, "A cube that falls comes to rest"),
    figure!("cv-14-stick-slip", cv_14_stick_slip, "Stick-slip of a weight that is pulled through a spring"),
    figure!("cv-15-shovels", cv_15_shovels, "Two devices hold, lift and throw a block"),
    figure!("cv-16-top", cv_16_top, "A spinning top falls, rolls and comes to rest"),
    figure!("ours-mixed", ours_mixed, "Some contacts stick while others slide"),
    figure!("ours-margin", ours_margin, "How far from slipping, told while it still holds"),
    figure!("ours-cones", ours_cones, "The friction limit by direction, for every cone"),
    figure!("ours-noise", ours_noise, "Creep on noisy normals under a varying load"),
    figure!("ours-power", ours_power, "Friction never pushes: the work of sliding contacts in both metrics"),
    figure!("ours-springback", ours_springback, "How far a slid part comes back when let go"),
];

/// A figure by its name.
pub fn find(name: &str) -> Option<&'static Figure> {
    ALL.iter().find(|f| f.name == name)
}
