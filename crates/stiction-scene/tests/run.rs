//! Runs: no allocation in a step, the same bits again, sums that mean what they say, shapes from the cache.

use std::path::{Path, PathBuf};
use stiction::friction::Verdict;
use stiction::spatial::Vec3;
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_scene::{Scene, SceneError, Setting};
use stiction_testing::alloc::{Counting, counts};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SMALL: &str = r#"
    held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 24, points = 200 }
    fixed = { solid = "plate", size = [0.06, 0.06], thickness = 0.01, resolution = 32, points = 1500 }
    contact.shell_on = "fixed"
    load = { force = [0.0, 0.0, -1.0], vary = { force = [0.2, 0, 0], period = 0.1 }, ramp_seconds = 0.1 }
    [hand]
    script = [{ move = [0, 0, -0.003], seconds = 0.3 }, { turn = { axis = [0, 0, 1], angle_deg = 1 }, seconds = 0.2 },
        { shake = [0.0005, 0, 0], period = 0.1, seconds = 0.2 }, { jump = [0.001, 0, 0] }, { wait = 0.3 }]
    from = { position = [0, 0, 0.016] }
    encoder_step = 1e-5
    encoder_step_rad = 1e-4
"#;

fn small(set: &[&str]) -> Scene {
    let set: Vec<Setting> = set.iter().map(|s| s.parse().unwrap()).collect();
    Scene::parse(SMALL, Path::new("scene.toml"), &set).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_step_allocates_nothing() {
    let mut run = small(&[]).build(None, &Silent).unwrap().run().unwrap();
    let before = counts().allocations;
    while !run.finished() {
        run.step();
    }
    assert_eq!(counts().allocations, before);
    assert!(run.summary().contacts_max > 50);
}

#[test]
fn the_same_scene_gives_the_same_bits_and_another_one_others() {
    let hash = |set: &[&str]| {
        let mut run = small(set).build(None, &Silent).unwrap().run().unwrap();
        while !run.finished() {
            run.step();
        }
        run.summary().trace_hash
    };
    let first = hash(&[]);
    assert_eq!(first.len(), 16);
    assert_eq!(first, hash(&[]));
    for set in ["friction.static=0.51", "fixed.normal_noise=0.01", "run.rate=999"] {
        assert_ne!(first, hash(&[set]), "{set}");
    }
}

#[test]
fn sums_are_those_of_the_traces() {
    let mut run = small(&[]).build(None, &Silent).unwrap().run().unwrap();
    let (mut holding, mut sliding, mut free, mut most, mut contacts) = (0, 0, 0, 0.0f64, 0u64);
    let (mut held, mut reference, mut drift) = (0, Vec3::zeros(), 0.0);
    while !run.finished() {
        let t = *run.step();
        holding += u64::from(t.verdict == Verdict::Holds);
        sliding += u64::from(t.verdict == Verdict::Slips);
        free += u64::from(t.verdict == Verdict::Free);
        most = most.max(Vec3::new(t.wrench[0], t.wrench[1], t.wrench[2]).norm());
        contacts += u64::from(t.contacts);
        held = if t.verdict == Verdict::Holds { held + 1 } else { 0 };
        // The tick 0.1 s after the first that held.
        if held == 101 {
            reference = t.centre;
        }
        drift = if held > 101 { (t.centre - reference).norm() } else { 0.0 };
    }
    let summary = run.summary();
    assert_eq!(
        (summary.ticks, summary.ticks_holding, summary.ticks_sliding, summary.ticks_free),
        (1000, holding, sliding, free)
    );
    assert_eq!((summary.device_force_max_n, summary.drift_m), (most, drift));
    assert!((summary.contacts_mean - contacts as f64 / 1000.0).abs() < 1e-12);
    assert!((run.time() - 1.0).abs() < 1e-12 && run.finished());
    // The jump of 1 mm is 2 N at once.
    assert!((0.5..2.5).contains(&summary.force_step_max_n), "{}", summary.force_step_max_n);
}

#[test]
fn noise_turns_normals_by_its_deviation_and_moves_no_point() {
    let clean = small(&[]).build(None, &Silent).unwrap();
    let rough = small(&["fixed.normal_noise=0.02", "fixed.seed=5"]).build(None, &Silent).unwrap();
    let pairs = clean.fixed.shell.points().iter().zip(rough.fixed.shell.points());
    let mut squares = 0.0;
    for (a, b) in pairs {
        assert_eq!(a.position, b.position);
        squares += a.normal.cross(&b.normal).norm_squared();
    }
    let deviation = (squares / 1500.0 / 2.0).sqrt();
    assert!((deviation / 0.02 - 1.0).abs() < 0.06, "{deviation}");
    assert_eq!(clean.held.shell, rough.held.shell);
}

#[test]
fn a_shape_comes_from_the_cache_the_second_time_and_a_broken_one_is_baked_again() {
    let cache = Cache::new(folder("cache-test"));
    let first = small(&[]).build(Some(&cache), &Silent).unwrap();
    let entries = cache.entries().unwrap();
    assert_eq!(entries.len(), 2);
    let again = small(&["fixed.normal_noise=0.01"]).build(Some(&cache), &Silent).unwrap();
    assert_eq!((cache.entries().unwrap().len(), &again.held), (2, &first.held));
    std::fs::write(&entries[0].path, b"nonsense").unwrap();
    let mended = small(&[]).build(Some(&cache), &Silent).unwrap();
    assert_eq!((&mended.held, &mended.fixed), (&first.held, &first.fixed));
    assert!(mended.warnings.iter().any(|w| w.contains("baked again")), "{:?}", mended.warnings);
    assert!(small(&["coupling.max_torque=0.2"]).build(Some(&cache), &Silent).unwrap().warnings.is_empty());
}

#[test]
fn voxels_too_fine_for_the_band_are_told_with_the_key_and_a_value_that_works() {
    // Only soft contacts need deep fields.
    let soft = "contact.model=\"penalty\"";
    let sparse = "fixed.storage=\"sparse\"";
    // In SMALL the shell is on the fixed part, and contacts feel the field of the other.
    let on_held = "contact.shell_on=\"held\"";
    for (fine, key) in [("fixed.voxel=0.00005", "voxel"), ("fixed.resolution=1200", "resolution")] {
        let error = small(&[soft, on_held, sparse, fine]).build(None, &Silent).unwrap_err();
        let SceneError::TooFine { part: "fixed", key: found, ref value, .. } = error else { panic!("{error}") };
        assert_eq!(found, key);
        let text = error.to_string();
        assert!(text.contains(&format!("set fixed.{key} = {value}")) && text.contains("fixed.storage"), "{text}");
        let set = format!("fixed.{key}={value}");
        small(&[soft, on_held, sparse, &set]).build(None, &Silent).unwrap_or_else(|e| panic!("{set}: {e}"));
    }
}

#[test]
fn a_voxel_alone_is_enough_also_where_only_a_dense_field_is_deep_enough() {
    // 4 mm by 4 mm by 4 mm in voxels of 15 µm: too many for a field that is dense by itself, too fine for a band.
    let set = [
        "contact.model=\"penalty\"",
        "contact.shell_on=\"held\"",
        "fixed={solid=\"box\",size=[0.004,0.004,0.004],voxel=0.000015,points=500}",
    ];
    let world = small(&set).build(None, &Silent).unwrap();
    assert!(world.fixed.field.known_depth().is_infinite());
}

#[test]
fn density_gives_the_mass_and_odd_settings_are_told() {
    let world = small(&["held.density=1000"]).build(None, &Silent).unwrap();
    assert!((world.scene.settings.mass - 8e-3).abs() < 1e-9, "{}", world.scene.settings.mass);
    for (set, wanted) in [
        ("coupling.max_force=500", "the hardest push, 500 N"),
        ("contact.stiffness=1000", "stiffer than the contacts"),
        ("start={position=[0,0,0.01]}", "deep in each other"),
    ] {
        let warnings = small(&["contact.model=\"penalty\"", set]).build(None, &Silent).unwrap().warnings;
        assert!(warnings.iter().any(|w| w.contains(wanted)), "{set}: {warnings:?}");
    }
}
