//! `deep` and `opposed` fire where something is wrong: parts that start in each other, points on the far side of a wall. They once fired on flush edges, in corners and
//! in ordinary drags.

use std::path::Path;
use stiction_bake::Silent;
use stiction_scene::{Scene, Summary};

const CUBE: &str = "held = { solid = \"box\", size = [0.02, 0.02, 0.02], resolution = 64, points = 2000 }\n";

fn run(fixed: &str, frames: &str, method: &str) -> Summary {
    let text = format!("{CUBE}fixed = {{ {fixed} }}\nhand.keyframes = [{frames}]\n");
    let set = [format!("friction.method={method}").parse().unwrap()];
    let scene = Scene::parse(&text, Path::new("scene.toml"), &set).unwrap();
    let mut run = scene.build(None, &Silent).unwrap().run().unwrap();
    while !run.finished() {
        run.step();
    }
    run.summary()
}

const METHODS: [&str; 4] = ["hold", "lp", "yamane", "none"];

#[test]
fn flush_edges_and_ordinary_drags_are_nothing_to_warn_of() {
    let flush = "solid = \"plate\", size = [0.02, 0.02], thickness = 0.02, resolution = 64, points = 2000, position = [0, 0, -0.01]";
    let plate = "solid = \"plate\", size = [0.06, 0.06], thickness = 0.02, resolution = 64, points = 4000, position = [0, 0, -0.01]";
    let corner =
        "solid = \"l-bar\", legs = [0.04, 0.04], thickness = 0.01, length = 0.05, resolution = 64, points = 4000";
    let press = "{ t = 0, position = [0, 0, 0.0101] }, { t = 0.2, position = [0, 0, 0.006] }";
    let cases = [
        (flush, format!("{press}, {{ t = 0.5, position = [0.001, 0, 0.006] }}")),
        // Over the edge of the plate, and off it.
        (plate, format!("{press}, {{ t = 0.6, position = [0.03, 0.01, 0.006] }}, {{ t = 1, position = [0.06, 0, 0.006] }}")),
        // Along the inner edge of a corner, turned against both walls.
        (
            corner,
            "{ t = 0, position = [0.0101, 0.0101, 0] }, { t = 0.2, position = [0.006, 0.006, 0] }, { t = 0.6, position = [0.006, 0.006, 0.03] }, \
             { t = 1, position = [0.006, 0.006, -0.03], rotation = { axis = [0, 0, 1], angle_deg = 10 } }"
                .to_owned(),
        ),
    ];
    for (fixed, frames) in &cases {
        for method in METHODS {
            let summary = run(fixed, frames, method);
            assert!(summary.contacts_max > 0, "{fixed} {method}");
            let wrong = ["deep", "opposed"].iter().find(|flag| summary.flags.contains_key(**flag));
            assert_eq!(wrong, None, "{fixed} {method}: {:?}", summary.flags);
        }
    }
}

#[test]
fn parts_that_start_in_each_other_and_walls_that_are_crossed_are_warned_of() {
    let thick = "solid = \"plate\", size = [0.06, 0.06], thickness = 0.02, resolution = 64, points = 4000, position = [0, 0, -0.01]";
    let thin = "solid = \"plate\", size = [0.06, 0.06], thickness = 0.001, resolution = 128, points = 8000, position = [0, 0, -0.0005]";
    for method in METHODS {
        // 6 mm deep in a plate of 20 mm, and through more than half of one of 1 mm.
        let deep = run(thick, "{ t = 0, position = [0, 0, 0.004] }, { t = 0.05, position = [0, 0, 0.004] }", method);
        assert!(deep.flags.contains_key("deep"), "{method}: {:?}", deep.flags);
        let crossed =
            run(thin, "{ t = 0, position = [0, 0, 0.0092] }, { t = 0.05, position = [0, 0, 0.0092] }", method);
        assert!(crossed.flags.contains_key("opposed"), "{method}: {:?}", crossed.flags);
    }
}
