//! `stiction new`: a scene of two meshes runs as it is written, without a warning, and its hand presses where its comment says.

use serde_json::Value;
use std::path::{Path, PathBuf};
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, exp};
use stiction::trace::ContactTrace;
use stiction_bake::import::Unit;
use stiction_bake::solids::{Solid, SpurGear};
use stiction_bake::{Silent, export};
use stiction_scene::{NewScene, NewSceneOptions, Run, Scene, SceneError, World, new_scene};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a solid as STL, one unit of the file being so many metres.
fn stl(path: &Path, solid: Solid, unit: f64) -> PathBuf {
    let mut mesh = solid.mesh().unwrap();
    mesh.points.iter_mut().for_each(|p| *p /= unit);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    export::write_stl(&mesh, std::fs::File::create(path).unwrap()).unwrap();
    path.into()
}

/// The world of a new scene as it is written: nothing about it is odd.
fn world(made: &NewScene, folder: &Path) -> World {
    let text = &made.text;
    let scene = Scene::parse(text, &folder.join("scene.toml"), &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let world = scene.build(None, &Silent).unwrap();
    assert!(world.warnings.is_empty(), "{:?}\n{text}", world.warnings);
    world
}

/// The place of the first touch, from the scene's comment.
fn commented(text: &str) -> Vec3 {
    let words: String = text.lines().filter_map(|line| line.strip_prefix('#')).collect();
    let (_, rest) = words.split_once("touches it first about [").unwrap_or_else(|| panic!("{text}"));
    let numbers = rest.split_once("] m").unwrap().0.split(',').map(|x| x.trim().parse().unwrap());
    Vec3::from_iterator(numbers)
}

/// The middle of the forces that bear the part.
fn pressed_at(run: &Run) -> Vec3 {
    let contacts = run.engine().contacts().filter(|c| c.normal_force > 0.0);
    let weigh =
        |(sum, force): (Vec3, f64), c: ContactTrace| (sum + c.normal_force * c.position, force + c.normal_force);
    let (sum, force) = contacts.fold((Vec3::zeros(), 0.0), weigh);
    sum / force
}

/// The part is free at first, is pressed with about 10 N around the place of the comment, and holds while it is pulled.
fn presses_as_told(name: &str, made: &NewScene, folder: &Path) {
    let world = world(made, folder);
    let part = world.held.field.part();
    let size = (part.max - part.min).amax();
    let mut run = world.run().unwrap();
    while run.time() < 1.5 {
        run.step();
    }
    let (told, found, force) = (commented(&made.text), pressed_at(&run), run.trace().wrench[2]);
    while !run.finished() {
        run.step();
    }
    let (summary, trace) = (run.summary(), run.trace());
    println!(
        "{name}: {force:.2} N {:.1} % of its length beside the place; in the end {:.2} N, {:?}",
        100.0 * (found - told).norm() / size,
        trace.wrench[2],
        trace.verdict
    );
    assert!((force - 10.0).abs() < 1.0, "{name}: {force} N\n{}", made.text);
    assert!((found - told).norm() < 0.1 * size, "{name}: pressed at {found}\n{}", made.text);
    assert!(summary.finite && summary.ticks_free > 100, "{name}: {summary:?}");
    assert_eq!(trace.verdict, Verdict::Holds, "{name}: {}", trace.wrench);
    assert!(
        !["deep", "unsolvable"].iter().any(|flag| summary.flags.contains_key(*flag)),
        "{name}: {:?}",
        summary.flags
    );
}

#[test]
fn the_hand_of_a_new_scene_presses_where_its_comment_says() {
    let folder = folder("new-presses");
    let plate = || Solid::Plate { size: [0.08, 0.06], thickness: 0.01 };
    let pairs = [
        ("cylinder on plate", Solid::Cylinder { radius: 0.01, height: 0.03, segments: 48 }, plate()),
        ("capsule on plate", Solid::Capsule { radius: 0.008, height: 0.02, segments: 48, rings: 12 }, plate()),
        // Centre over centre these pass each other.
        (
            "peg on a plate with a hole",
            Solid::Peg { radius: 0.006, length: 0.03, chamfer: 0.001, segments: 48 },
            Solid::PlateRoundHole { size: [0.06, 0.06], thickness: 0.01, radius: 0.01, segments: 48 },
        ),
        (
            "ring over a post",
            Solid::Torus { major: 0.02, minor: 0.005, segments: 64, rings: 24 },
            Solid::Cylinder { radius: 0.006, height: 0.04, segments: 48 },
        ),
        // Centre over centre the box is beside the standing leg.
        (
            "box on an angle",
            Solid::Box { size: [0.015, 0.015, 0.015] },
            Solid::LBar { legs: [0.05, 0.05], thickness: 0.008, length: 0.05 },
        ),
        (
            "gear on gear",
            Solid::Gear(SpurGear::standard(0.001, 24, 0.008)),
            Solid::Gear(SpurGear::standard(0.001, 24, 0.008)),
        ),
    ];
    for (name, held, fixed) in pairs {
        let held = stl(&folder.join(format!("{name}/held.stl")), held, 1e-3);
        let fixed = stl(&folder.join(format!("{name}/fixed.stl")), fixed, 1e-3);
        let options = NewSceneOptions { folder: folder.join(name), ..Default::default() };
        let made = new_scene(&held, &fixed, &options, &Silent).unwrap();
        presses_as_told(name, &made, &options.folder);
    }
}

/// A sheet that stands on its edge was once between the lines by which heights are compared, and so "not above" anything.
#[test]
fn a_sheet_on_its_edge_comes_down_on_what_is_below() {
    let folder = folder("new-thin");
    let options = NewSceneOptions { folder: folder.clone(), unit: Some(Unit::MILLIMETRE), ..Default::default() };
    for thickness in [2e-4, 1e-3] {
        let sheet = stl(&folder.join("sheet.stl"), Solid::Box { size: [0.08, thickness, 0.02] }, 1e-3);
        let block = stl(&folder.join("block.stl"), Solid::Box { size: [0.0904, 0.0904, 0.01] }, 1e-3);
        for (held, fixed) in [(&sheet, &block), (&block, &sheet)] {
            let made = new_scene(held, fixed, &options, &Silent).unwrap_or_else(|e| panic!("{thickness}: {e}"));
            let at = commented(&made.text);
            let top = if fixed == &sheet { 0.01 } else { 0.005 };
            assert!(at.xy().norm() < 1e-3 && (at.z - top).abs() < 1e-6, "{thickness}: {at}");
        }
    }
}

#[test]
fn a_new_scene_names_its_meshes_from_its_folder() {
    let folder = folder("new-paths");
    let held = stl(&folder.join("meshes/a \"peg\"\\b.stl"), Solid::Box { size: [0.01; 3] }, 1e-3);
    let fixed = stl(&folder.join("plate.stl"), Solid::Plate { size: [0.1, 0.08], thickness: 0.01 }, 1e-3);
    let options = NewSceneOptions { folder: folder.join("meshes"), ..Default::default() };
    let made = new_scene(&held, &fixed, &options, &Silent).unwrap();
    let text = &made.text;
    assert!(text.contains("mesh = \"a \\\"peg\\\"\\\\b.stl\"") && text.contains("mesh = \"../plate.stl\""), "{text}");
    // The folder can be moved.
    let elsewhere = folder.with_file_name("new-paths-moved");
    let _ = std::fs::remove_dir_all(&elsewhere);
    std::fs::rename(&folder, &elsewhere).unwrap();
    Scene::parse(text, &elsewhere.join("meshes/scene.toml"), &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let error = new_scene(&folder.join("none.stl"), &fixed, &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("none.stl"), "{error}");
}

#[test]
fn start_and_goal_of_a_new_scene_are_where_they_are_wanted() {
    let folder = folder("new-poses");
    let peg =
        stl(&folder.join("peg.stl"), Solid::Peg { radius: 0.0095, length: 0.03, chamfer: 0.001, segments: 48 }, 1e-3);
    let block = stl(
        &folder.join("block.stl"),
        Solid::PlateRoundHole { size: [0.06, 0.06], thickness: 0.02, radius: 0.01, segments: 48 },
        1e-3,
    );
    let make = |start: Option<Pose>, goal: Option<Pose>| {
        new_scene(&peg, &block, &NewSceneOptions { folder: folder.clone(), start, goal, ..Default::default() }, &Silent)
    };
    let hand = |made: &NewScene| Scene::parse(&made.text, &folder.join("scene.toml"), &[]).unwrap().hand().clone();
    let near = |a: &Pose, b: &Pose| {
        (a.translation.vector - b.translation.vector).norm() < 1e-6 && a.rotation.angle_to(&b.rotation) < 1e-6
    };
    // From straight above into the hole: the upper face is at 10 mm, and there is room below the peg at first.
    let goal = Pose::translation(0.0, 0.0, -0.005);
    let made = make(None, Some(goal)).unwrap();
    let motion = hand(&made);
    assert!(near(&motion.pose(4.0), &goal) && motion.pose(0.0).translation.z > 0.01, "{}", made.text);
    let mut run = world(&made, &folder).run().unwrap();
    while !run.finished() {
        run.step();
    }
    assert!((run.trace().part.translation.z + 0.005).abs() < 1e-3, "it goes in: {:?}", run.trace().part);
    // Lying on the rim, from a start beside the hole.
    let turned = exp(&Vec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    let start = Pose::from_parts(Vec3::new(-0.015, 0.02, 0.05).into(), turned);
    let made = make(Some(start), None).unwrap();
    assert!(near(&hand(&made).pose(0.0), &start), "{}", made.text);
    presses_as_told("peg lying on the plate", &made, &folder);
    // Both.
    let made = make(Some(start), Some(goal)).unwrap();
    let motion = hand(&made);
    assert!(near(&motion.pose(0.0), &start) && near(&motion.pose(9.0), &goal), "{}", made.text);
    // Through the hole, beside the block, below it: nothing to come down on.
    for start in [
        Pose::translation(0.0, 0.0, 0.05),
        Pose::translation(0.2, 0.0, 0.05),
        Pose::translation(0.015, 0.0, -0.1),
        Pose::translation(1e30, 0.0, 0.0),
    ] {
        let error = make(Some(start), None).unwrap_err();
        assert!(matches!(error, SceneError::NothingBelow) && error.to_string().contains("goal"), "{error}");
    }
}

#[test]
fn real_parts_press_where_the_comment_says_without_a_warning() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if !data.join("pairs.json").is_file() {
        println!("SKIP: {} is not there, so no new scene of real parts was tried", data.display());
        return;
    }
    let pairs: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(data.join("pairs.json")).unwrap()).unwrap();
    let folder = folder("new-real");
    for name in ["factory_round_16_loose", "industreal_gear_large", "wrs_motor_in_panel", "fb_drawer_top_in_box"] {
        let pair = pairs.iter().find(|pair| pair["name"] == name).unwrap();
        let [held, fixed] = ["moving", "fixed"].map(|role| data.join(pair[role].as_str().unwrap()));
        let options = NewSceneOptions { folder: folder.clone(), ..Default::default() };
        let made = new_scene(&held, &fixed, &options, &Silent).unwrap();
        presses_as_told(name, &made, &folder);
    }
}

#[test]
fn a_new_scene_has_one_unit_for_both_meshes_and_says_so() {
    let folder = folder("new-unit");
    // By itself the small one would be taken for a part in m.
    let small = stl(&folder.join("small.stl"), Solid::Box { size: [4e-4; 3] }, 1e-3);
    let large = stl(&folder.join("large.stl"), Solid::Box { size: [0.05; 3] }, 1e-3);
    let metres = stl(&folder.join("metres.stl"), Solid::Box { size: [0.05; 3] }, 1.0);
    let unsure = stl(&folder.join("unsure.stl"), Solid::Box { size: [3e-3; 3] }, 1e-3);
    let make = |held: &Path, fixed: &Path, unit: Option<Unit>, mu: Option<f64>| {
        let options = NewSceneOptions { folder: folder.clone(), unit, mu, ..Default::default() };
        new_scene(held, fixed, &options, &Silent).unwrap()
    };
    for (held, fixed, unit, words) in [
        (&small, &large, "mm", "the held part is 0.4 mm long, the fixed one 50 mm"),
        (&large, &small, "mm", "for both meshes, by the longer one"),
        (&metres, &metres, "m", "the held part is 50 mm long"),
        (&unsure, &unsure, "mm", "the size alone does not tell"),
    ] {
        let made = make(held, fixed, None, None);
        let lines = made.text.lines().filter(|l| *l == format!("unit = \"{unit}\"")).count();
        assert_eq!((lines, made.notes.len()), (2, 1), "{}", made.text);
        assert!(
            made.notes[0].contains(words) && made.text.replace("\n# ", " ").contains(&made.notes[0]),
            "{:?}",
            made.notes
        );
    }
    let made = make(&large, &large, Some(Unit::INCH), Some(0.25));
    assert_eq!(made.text.matches("unit = \"inch\"").count(), 2, "{}", made.text);
    let scene = Scene::parse(&made.text, &folder.join("scene.toml"), &[]).unwrap();
    assert_eq!((scene.settings.mu_static, scene.settings.mu_kinetic), (0.25, 0.25));
}
