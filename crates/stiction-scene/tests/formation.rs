//! Scenes with `engine = "formation"`: what they visit, what they cost, and what is refused.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use stiction::friction::SlipState;
use stiction::spatial::{Pose, Vec3, Vec6, exp, halves};
use stiction::trace::ContactTrace;
use stiction_bake::solids::Solid;
use stiction_bake::{Mesh, Silent, export};
use stiction_formation::naming::PointContact;
use stiction_formation::timeline::FormationTimeline;
use stiction_formation::words::formation_type;
use stiction_scene::{EngineKind, Scene, SceneError, Setting};
use stiction_testing::alloc::{Counting, counts};
use support::world;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The formations that last for at least 20 ms in each scene.
const VISITED: [(&str, &[&str]); 5] = [
    ("formation-block", &["{f-f, f-f}", "{f-e, f-e}", "{f-e}", "{f-v}", "{e-e}"]),
    ("formation-bracket", &["{f-f}", "{f-f, f-f}", "{f-f, f-f, f-f}", "{e-f, e-f, f-f}", "{e-f, f-f}"]),
    ("formation-l", &["{v-f}", "{e-f}", "{f-f}", "{f-f, f-f}", "{e-f, e-f}", "{e-f, v-f}"]),
    ("formation-peg", &["{f-f}", "{f-e}", "{f-f, f-f}", "{e-f}"]),
    ("formation-wedge", &["{f-f}", "{f-f, f-f}", "{e-f, f-e}", "{v-f, v-f}", "{e-f}"]),
];

/// Every formation that the paper names: the principal contacts of figure 1, and the captions of figure 12a.
const NAMED: [&str; 9] =
    ["{f-f}", "{e-f}", "{f-e}", "{v-f}", "{f-v}", "{e-e}", "{e-f, v-f}", "{e-f, e-f}", "{f-f, f-f}"];

/// What a scene visits, and that its steps allocate nothing.
fn visited(name: &str) -> BTreeSet<String> {
    let world = world(name, &[]);
    let mut run = world.formation_run().unwrap();
    let mut line = FormationTimeline::default();
    // Tables that are made when they are first asked for.
    run.step();
    while !run.finished() {
        let (time, before) = (run.time(), counts());
        run.step();
        assert_eq!(counts(), before, "{name}: the step at {time} s allocated");
        line.add(time, 1.0 / world.scene.rate, &run.engine().tick().named());
    }
    let summary = run.summary();
    assert!(summary.finite && !summary.flags.contains_key("deep"), "{name}: {summary:?}");
    line.lasting(0.02).iter().filter(|s| !s.contacts.is_empty()).map(|s| formation_type(&s.contacts)).collect()
}

#[test]
fn the_scenes_visit_every_formation_that_the_paper_names() {
    let mut all = BTreeSet::new();
    for (name, expected) in VISITED {
        let found = visited(name);
        for formation in expected {
            assert!(found.contains(*formation), "{name} does not visit {formation}, only {found:?}");
        }
        all.extend(found);
    }
    for formation in NAMED {
        assert!(all.contains(formation), "no scene visits {formation}");
    }
}

fn parse(parts: &str) -> Result<Scene, SceneError> {
    Scene::parse(&format!("engine = \"formation\"\n{parts}"), Path::new("scene.toml"), &[])
}

const CUBE: &str = "held = { solid = \"box\", size = [0.05, 0.05, 0.05] }\n";

#[test]
fn keys_of_other_engines_are_refused_by_name() {
    let plate = "fixed = { solid = \"plate\", size = [0.2, 0.2], thickness = 0.01 }\n";
    let parts = format!("{CUBE}{plate}");
    assert!(parse(&parts).is_ok());
    for key in [
        "contact.stiffness = 1e5",
        "damping.alpha = 0.5",
        "friction.method = \"lp\"",
        "friction.cone = { sides = 8 }",
        "friction.budget = 9",
        "friction.micro_slip = 1e-6",
    ] {
        let told = parse(&format!("{parts}{key}")).unwrap_err().to_string();
        assert!(
            told.contains("has no effect: the engine is \"formation\"") && told.contains("\"quasi-static\""),
            "{told}"
        );
    }
    for key in ["resolution = 64", "points = 9", "voxel = 0.001", "normal_noise = 0.1", "storage = \"dense\""] {
        let told =
            parse(&parts.replace("thickness = 0.01", &format!("thickness = 0.01, {key}"))).unwrap_err().to_string();
        assert!(told.contains("has no effect: the engine is \"formation\""), "{told}");
    }
    let quasi_static = format!("{parts}formation.moments = \"area\"");
    let told = Scene::parse(&quasi_static, Path::new("scene.toml"), &[]).unwrap_err().to_string();
    assert!(told.contains("formation has no effect: the engine is \"quasi-static\""), "{told}");
    // A scene of the other engine can be tried with this one as it is.
    let set: Setting = "engine=formation".parse().unwrap();
    assert!(Scene::read(&Scene::find("plate-cube").unwrap(), &[set]).is_ok());
}

#[test]
fn settings_reach_the_engine() {
    let text = "fixed = { solid = \"plate\", size = [0.2, 0.2], thickness = 0.01 }\n\
                formation = { epsilon = 2e-4, tangential = 700, moments = \"area\", interpolation = 0.05 }\n\
                friction = { static = 0.7, kinetic = 0.3 }\ncoupling.stiffness = 900\nload.gravity = [0, 0, -9.81]\n\
                start.position = [0, 0, 0.05]\n";
    let held = CUBE.replace("size", "density = 1000.0, size");
    let engine = parse(&format!("{held}{text}")).unwrap().build(None, &Silent).unwrap().formation_engine().unwrap();
    let s = engine.settings();
    assert_eq!((engine.epsilon(), s.tangential, s.interpolation), (2e-4, Some(700.0), 0.05));
    assert_eq!((s.mu_static, s.mu_kinetic, s.coupling.stiffness), (0.7, 0.3, 900.0));
    assert!(
        s.moments == stiction_formation::MomentModel::Area && (s.mass - 0.125).abs() < 1e-12 && s.gravity.z == -9.81
    );
}

#[test]
fn two_hands_are_refused_with_the_engine_that_takes_them() {
    let text = r#"
        engine = "formation"
        body = [{ name = "a", solid = "box", size = [1, 1, 1] }, { name = "b", solid = "box", size = [1, 1, 1], position = [0, 0, 2] }]
        hand = [{ holds = "a" }, { holds = "b" }]"#;
    let told = Scene::parse(text, Path::new("scene.toml"), &[]).unwrap_err().to_string();
    assert!(
        told.contains("the formation engine takes one hand") && told.contains("engine = \"quasi-static\""),
        "{told}"
    );
}

/// A mesh as a file in the folder of a test.
fn file(name: &str, mesh: &Mesh) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("formation-{name}.stl"));
    let mut bytes = Vec::new();
    export::write_stl(mesh, &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The message about a scene whose fixed part is this mesh.
fn refused(name: &str, mesh: &Mesh) -> String {
    let scene =
        parse(&format!("{CUBE}fixed = {{ mesh = {:?} }}\nstart.position = [0, 0, 2]", file(name, mesh))).unwrap();
    scene.build(None, &Silent).map(drop).expect_err(name).to_string()
}

#[test]
fn meshes_that_are_no_polyhedra_get_one_message_with_the_engine_to_use_instead() {
    let smooth = Solid::Torus { major: 0.1, minor: 0.04, segments: 360, rings: 180 }.mesh().unwrap();
    assert!(smooth.faces.len() > 100_000);
    let cube = Solid::Box { size: [0.1, 0.1, 0.1] }.mesh().unwrap();
    let mut open = cube.clone();
    open.faces.pop();
    // A third face on an edge.
    let mut fin = cube.clone();
    fin.points.push(stiction::spatial::Vec3::new(0.3, 0.3, 0.3));
    let [a, b, _] = fin.faces[0];
    fin.faces.push([a, b, fin.points.len() as u32 - 1]);
    let mut inside_out = cube.clone();
    inside_out.faces.iter_mut().for_each(|f| f.swap(0, 1));
    let cases = [
        ("smooth", smooth, "it is a smooth part rather than a polyhedron"),
        ("open", open, "it is not a closed surface"),
        ("fin", fin, "it is not a closed surface"),
        ("inside-out", inside_out, "point inwards"),
    ];
    for (name, mesh, why) in cases {
        let told = refused(name, &mesh);
        assert!(told.starts_with("the fixed part is no polyhedron, and engine = \"formation\" needs one: "), "{told}");
        assert!(told.contains(why) && told.matches("engine = \"quasi-static\"").count() == 1, "{told}");
    }
    let good =
        parse(&format!("{CUBE}fixed = {{ mesh = {:?} }}\nstart.position = [0, 0, 2]", file("good", &cube))).unwrap();
    assert!(good.build(None, &Silent).unwrap().formation_run().is_ok());
}

#[test]
fn a_union_of_solids_is_refused_since_it_may_overlap() {
    let fixed = "fixed = { solids = [{ solid = \"box\", size = [1, 1, 1] }, { solid = \"box\", size = [1, 1, 2] }] }";
    let told = parse(&format!("{CUBE}{fixed}")).unwrap().build(None, &Silent).map(drop).unwrap_err().to_string();
    assert!(told.contains("a union of 2 solids") && told.contains("engine = \"quasi-static\""), "{told}");
}

#[test]
fn parts_that_start_in_each_other_are_told() {
    let plate = "fixed = { solid = \"plate\", size = [0.2, 0.2], thickness = 0.01 }\nstart.position = [0, 0, 0.02]";
    let world = parse(&format!("{CUBE}{plate}")).unwrap().build(None, &Silent).unwrap();
    assert!(world.warnings.iter().any(|w| w.contains("start in each other")), "{:?}", world.warnings);
}

/// A run of one engine on a world of the other is an error, not a panic.
#[test]
fn a_run_of_another_engine_is_refused() {
    assert!(matches!(world("formation-l", &[]).run(), Err(SceneError::OtherEngine { .. })));
    assert!(matches!(
        world("plate-cube", &["held.resolution=16", "fixed.points=50"]).formation_run(),
        Err(SceneError::OtherEngine { .. })
    ));
}

/// The wrench (N, N m about the part's centre) that a hand feels which has pressed a box of 5 cm onto a plate by 4 mm and then turned it, with a torsion of the coupling (N m/rad).
fn felt_on_a_face(engine: &str, torsion: f64, turn: Vec3) -> Vec6 {
    let text = format!(
        "held = {{ solid = \"box\", size = [0.05, 0.05, 0.05] }}
         fixed = {{ solid = \"box\", size = [0.2, 0.2, 0.02], position = [0.0, 0.0, -0.01] }}
         start = {{ position = [0.0, 0.0, 0.026] }}
         coupling = {{ stiffness = 1000.0, torsion = {torsion} }}
         friction = {{ static = 0.5, kinetic = 0.5 }}
         {engine}"
    );
    let world = Scene::parse(&text, Path::new("face.toml"), &[]).unwrap().build(None, &Silent).unwrap();
    let hand = |tick: u32| {
        let (down, turned) = (f64::from(tick.min(200)) / 200.0, f64::from(tick.saturating_sub(200).min(200)) / 200.0);
        Pose::from_parts(Vec3::new(0.0, 0.0, 0.026 - 0.005 * down).into(), exp(&(turn * turned)))
    };
    let none = Vec6::zeros();
    match world.scene.engine {
        EngineKind::QuasiStatic => {
            let mut engine = world.engine().unwrap();
            (0..500).map(|i| engine.tick(&hand(i), &none).wrench).last().unwrap()
        }
        EngineKind::Formation => {
            let mut engine = world.formation_engine().unwrap();
            (0..500).map(|i| engine.tick(&hand(i), &none, 1e-3).wrench).last().unwrap()
        }
        EngineKind::Volume => panic!("its device is the body, and is pressed as far as the hand goes"),
    }
}

/// Pressure and friction over a square of side a resist tilting with k a²/12 and twisting with k a²/6. With that as the coupling's torsion, the quasi-static engine, whose part lies flush and is turned by the
/// hand's spring alone, must give the same moment; one force at the centroid gives none. Contact formations push at the hand's pose, where the face that is pressed is tilted with the hand: of their moment about
/// the part's centre, the lever of that force is taken off.
#[test]
fn a_face_bears_the_moment_that_it_bears_in_the_quasi_static_engine() {
    let square = 1000.0 * 0.05 * 0.05;
    for (torsion, turn) in [(square / 12.0, Vec3::x() * 0.01), (square / 6.0, Vec3::z() * 0.02)] {
        let points = felt_on_a_face("engine = \"quasi-static\"", torsion, turn);
        let area = felt_on_a_face("engine = \"formation\"\nformation.moments = \"area\"", torsion, turn);
        let paper = felt_on_a_face("engine = \"formation\"", torsion, turn);
        let moment =
            |wrench: &Vec6| halves(wrench).1 - (exp(&turn) * Vec3::new(0.0, 0.0, -0.025)).cross(&halves(wrench).0);
        let expected = -turn * torsion;
        assert!((halves(&points).1 - expected).norm() < 0.03 * expected.norm(), "{points} {expected}");
        assert!((moment(&area) - halves(&points).1).norm() < 0.05 * expected.norm(), "{area} {points}");
        assert!(moment(&paper).norm() < 0.05 * expected.norm(), "{paper}");
        for wrench in [points, area, paper] {
            assert!((wrench[2] - 4.0).abs() < 0.15, "{wrench}");
        }
    }
}

/// Two ways to the same names: formations that are identified, and names read off the points of the quasi-static engine, on the same motion.
#[test]
fn both_engines_name_the_same_contacts_on_the_same_motion() {
    let seconds = "run.seconds=2.5";
    let identified = {
        let world = world("formation-l", &[seconds]);
        let mut run = world.formation_run().unwrap();
        let mut line = FormationTimeline::default();
        while !run.finished() {
            let time = run.time();
            run.step();
            line.add(time, 1.0 / world.scene.rate, &run.engine().tick().named());
        }
        line
    };
    let set = [
        "engine=quasi-static",
        seconds,
        "held.resolution=64",
        "held.points=800",
        "fixed.resolution=128",
        "fixed.points=2000",
    ];
    let world = world("formation-l", &set);
    let namer = world.contact_namer().unwrap();
    let mut run = world.run().unwrap();
    let mut read = FormationTimeline::default();
    while !run.finished() {
        let time = run.time();
        run.step();
        if run.ticks().is_multiple_of(10) {
            let touching = run.engine().contacts().filter(|c| c.state != SlipState::Separated);
            let point = |c: ContactTrace| PointContact { position: c.position, normal: c.normal, sliding: false };
            let names = namer.names(&run.trace().part, touching.map(point));
            read.add(time, 0.01, &names.iter().map(|n| (n.contact, n.rule())).collect::<Vec<_>>());
        }
    }
    let told = |line: &FormationTimeline| line.lasting(0.2).into_iter().map(|s| s.contacts).collect::<Vec<_>>();
    let [identified, read] = [told(&identified), told(&read)];
    assert_eq!(identified.len(), 5, "nothing, a vertex, an edge, a face, two faces: {identified:?}");
    assert_eq!(identified, read);
}
