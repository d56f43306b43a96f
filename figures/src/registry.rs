//! Every figure there is.

use crate::figure::Figure;

#[path = "../lp-01/figure.rs"]
mod lp_01;
#[path = "../lp-02/figure.rs"]
mod lp_02;
#[path = "../lp-05/figure.rs"]
mod lp_05;
#[path = "../lp-06/figure.rs"]
mod lp_06;
#[path = "../lp-07/figure.rs"]
mod lp_07;
#[path = "../lp-12/figure.rs"]
mod lp_12;
#[path = "../lp-14/figure.rs"]
mod lp_14;
#[path = "../lp-16/figure.rs"]
mod lp_16;
#[path = "../lp-17/figure.rs"]
mod lp_17;
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

/// All figures: those of the paper by number, then ours.
pub const ALL: &[Figure] = &[
    Figure {
        name: "lp-01",
        title: "Time of collision and friction against the number of contacts",
        readme: include_str!("../lp-01/README.md"),
        run: lp_01::run,
    },
    Figure {
        name: "lp-02",
        title: "A peg 1 % larger than its hole goes in by penalty contact",
        readme: include_str!("../lp-02/README.md"),
        run: lp_02::run,
    },
    Figure {
        name: "lp-05",
        title: "Time of the linear and the quadratic program",
        readme: include_str!("../lp-05/README.md"),
        run: lp_05::run,
    },
    Figure {
        name: "lp-06",
        title: "No stickiness when a part is pulled out of a corner",
        readme: include_str!("../lp-06/README.md"),
        run: lp_06::run,
    },
    Figure { name: "lp-07", title: "Static damping", readme: include_str!("../lp-07/README.md"), run: lp_07::run },
    Figure {
        name: "lp-12",
        title: "Minimal force to insert a peg against the friction coefficient",
        readme: include_str!("../lp-12/README.md"),
        run: lp_12::run,
    },
    Figure {
        name: "lp-14",
        title: "Static friction and sliding in turn under a fast hand",
        readme: include_str!("../lp-14/README.md"),
        run: lp_14::run,
    },
    Figure {
        name: "lp-16",
        title: "A held part does not follow the hand; on frictional springs it creeps",
        readme: include_str!("../lp-16/README.md"),
        run: lp_16::run,
    },
    Figure {
        name: "lp-17",
        title: "No insertion by snake motion",
        readme: include_str!("../lp-17/README.md"),
        run: lp_17::run,
    },
    Figure {
        name: "ours-mixed",
        title: "Some contacts stick while others slide",
        readme: include_str!("../ours-mixed/README.md"),
        run: ours_mixed::run,
    },
    Figure {
        name: "ours-margin",
        title: "How far from slipping, told while it still holds",
        readme: include_str!("../ours-margin/README.md"),
        run: ours_margin::run,
    },
    Figure {
        name: "ours-cones",
        title: "The friction limit by direction, for every cone",
        readme: include_str!("../ours-cones/README.md"),
        run: ours_cones::run,
    },
    Figure {
        name: "ours-noise",
        title: "Creep on noisy normals under a varying load",
        readme: include_str!("../ours-noise/README.md"),
        run: ours_noise::run,
    },
    Figure {
        name: "ours-power",
        title: "Friction never pushes: the work of sliding contacts in both metrics",
        readme: include_str!("../ours-power/README.md"),
        run: ours_power::run,
    },
    Figure {
        name: "ours-springback",
        title: "How far a slid part comes back when let go",
        readme: include_str!("../ours-springback/README.md"),
        run: ours_springback::run,
    },
];

/// A figure by its name.
pub fn find(name: &str) -> Option<&'static Figure> {
    ALL.iter().find(|f| f.name == name)
}
