//! Same scene, same bits: run to run, in debug and in release, on every processor.
//!
//! Every scene from its start to its end in [`TICKS`] ticks (the hand moves further in each than at the scene's own rate, the engine has
//! no clock), so that all of it is seen: the free way, touching, sliding, holding. Every bit of every trace goes into the hash. The Makefile
//! runs this in the dev and the release profile.
//!
//! The hash covered fewer fields of a tick before it covered every column. In the last commit before that, the same values had the hashes:
//!
//! | scene | `hold` | `lp` |
//! |---|---|---|
//! | corner-cube | 9472565f75bb2c6a | 7529216f58af8337 |
//! | gear-on-shaft | 0ee7eed3b3ef038e | 78d6943eb39648ea |
//! | incline | e70a243f86d785db | 2aa2a6163ce133bf |
//! | peg-in-hole-chamfered | 8dfcb36eeced2b82 | 77f71187e724fad0 |
//! | peg-in-hole-round | 421341fdade33923 | 4b252e5ff9092b5d |
//! | peg-in-hole-square | 76f29bf14d660cff | d6e6d61292d38497 |
//! | plate-cube | 1a19a53e26dde747 | 33fcc7fe9bd00c05 |

mod support;

use stiction::friction::Method;
use stiction_scene::{EngineKind, Scene, Summary, World};
use support::{with_method, world};

/// Ticks of a run.
const TICKS: u64 = 300;

/// Scene, hash with `hold`, hash with `lp`. A change here is a change of what the engine computes: say why in the commit.
const GOLDEN: [(&str, &str, &str); 10] = [
    ("corner-cube", "4b7085d051328c3a", "e64044fc20eeca1e"),
    ("gear-on-shaft", "1a98663b93c3a873", "39702bbdab4cd5d5"),
    ("incline", "2c384b788bf79a2c", "ec7a41d3e890c773"),
    ("nut-bolt", "3d0f294edf9473c0", "6acb599215e5a8af"),
    ("peg-in-hole-chamfered", "4c8816fe4019da23", "e7ba859be34ebc0e"),
    ("peg-in-hole-round", "43e03b240d868a98", "68024bbc5013e3d7"),
    ("peg-in-hole-square", "bd9d0ee834d0eca0", "20da76f74a6da929"),
    ("plate-cube", "3cc60951cab158df", "568b8a77fff81f89"),
    ("starter-motor", "0e3e1b66d7aaf538", "afc2be84742904a3"),
    ("window-motor", "5ccbae8b550d5201", "147ba4e952538bf2"),
];

/// Scene of contact formations, hash. A change here is a change of what the engine computes: say why in the commit.
const FORMATION_GOLDEN: [(&str, &str); 5] = [
    ("formation-block", "2ee66ea829bbf8e1"),
    ("formation-bracket", "051b2e9fa9ede587"),
    ("formation-l", "4e8a9b97821ecf31"),
    ("formation-peg", "ce94400841fe3eb1"),
    ("formation-wedge", "4398cb9920383391"),
];

#[test]
fn every_scene_of_contact_formations_has_the_same_bits_everywhere() {
    let mut renewed = String::new();
    for name in Scene::names_of(EngineKind::Formation) {
        let hash = || {
            let mut world = world(&name, &[]);
            world.scene.rate = TICKS as f64 / world.scene.seconds;
            let mut run = world.formation_run().unwrap();
            (0..TICKS).for_each(|_| {
                run.step();
            });
            let summary = run.summary();
            assert!(summary.finite && summary.contacts_mean > 0.3, "{name}: {summary:?}");
            summary.trace_hash
        };
        let first = hash();
        assert_eq!(first, hash(), "{name}: the same run again");
        renewed += &format!("    (\"{name}\", \"{first}\"),\n");
    }
    let golden: String = FORMATION_GOLDEN.iter().map(|(name, a)| format!("    (\"{name}\", \"{a}\"),\n")).collect();
    assert!(
        renewed == golden,
        "the engine's answers have changed. If that is meant, these are the new lines of FORMATION_GOLDEN:\n{renewed}"
    );
}

/// Scene of contact volumes, hash. A change here is a change of what the engine computes: say why in the commit.
const VOLUME_GOLDEN: [(&str, &str); 9] = [
    ("block-stack", "ffb049b465dd1268"),
    ("cube-drop", "079b73b0e348b796"),
    ("gears", "b0fa8a12b5cfb2e2"),
    ("insect", "47e4a282bd11c11b"),
    ("pinched-capsule", "96c9cc63410f07b8"),
    ("shovels", "d1bdc94c6192d408"),
    ("spinning-top", "a432d3e2168185ca"),
    ("stick-slip", "e9fb31ffed6a211f"),
    ("tippe-top", "c16147fd28d04623"),
];

/// At the scene's own rate, since the integrator's bound is for that.
#[test]
fn every_scene_of_contact_volumes_has_the_same_bits_everywhere() {
    let mut renewed = String::new();
    for name in Scene::names_of(EngineKind::Volume) {
        let hash = || {
            let mut run = world(&name, &[]).volume_run().unwrap();
            (0..TICKS).for_each(|_| {
                run.step();
            });
            assert!(run.summary().finite, "{name}: {:?}", run.summary());
            run.summary().trace_hash
        };
        let first = hash();
        assert_eq!(first, hash(), "{name}: the same run again");
        renewed += &format!("    (\"{name}\", \"{first}\"),\n");
    }
    let golden: String = VOLUME_GOLDEN.iter().map(|(name, a)| format!("    (\"{name}\", \"{a}\"),\n")).collect();
    assert!(
        renewed == golden,
        "the engine's answers have changed. If that is meant, these are the new lines of VOLUME_GOLDEN:\n{renewed}"
    );
}

fn run(world: &World, method: Method) -> Summary {
    let mut world = with_method(world, method);
    world.scene.rate = TICKS as f64 / world.scene.seconds;
    let mut run = world.run().unwrap();
    for _ in 0..TICKS {
        run.step();
    }
    run.summary()
}

#[test]
fn every_scene_has_the_same_bits_everywhere() {
    let mut renewed = String::new();
    for name in Scene::names_of(EngineKind::QuasiStatic) {
        let world = world(&name, &[]);
        let hashes = [Method::Hold, Method::Lp].map(|method| {
            let first = run(&world, method);
            assert!(first.finite && first.contacts_max > 3, "{name}: {first:?}");
            first.trace_hash
        });
        renewed += &format!("    (\"{name}\", \"{}\", \"{}\"),\n", hashes[0], hashes[1]);
    }
    let golden: String = GOLDEN.iter().map(|(name, a, b)| format!("    (\"{name}\", \"{a}\", \"{b}\"),\n")).collect();
    assert!(
        renewed == golden,
        "the engine's answers have changed. If that is meant, these are the new lines of GOLDEN (after a change of the \
         baker, remove tmp/shapes in the target folder first: shapes are baked once):\n{renewed}"
    );
}

#[test]
fn the_same_run_again_has_the_same_hash_and_another_one_has_not() {
    for name in ["corner-cube", "peg-in-hole-round"] {
        let world = world(name, &[]);
        let [a, b] = [Method::Hold, Method::Hold].map(|m| run(&world, m));
        assert_eq!(a, b, "{name}");
        assert_ne!(a.trace_hash, run(&world, Method::Frictionless).trace_hash, "{name}");
    }
}

/// Margins were once looked for with the solver of the ticks, and left their friction behind as its warm start.
#[test]
fn asking_for_margins_changes_no_later_tick() {
    let world = world("corner-cube", &[]);
    let plain = run(&world, Method::Hold);
    let mut asked = with_method(&world, Method::Hold);
    asked.scene.rate = TICKS as f64 / asked.scene.seconds;
    let mut again = asked.run().unwrap();
    let mut margins = 0;
    for _ in 0..TICKS {
        again.step();
        margins += u32::from(again.engine().margins()[1] > 0.0);
    }
    assert!(margins > 100, "{margins} margins");
    assert_eq!(again.summary().trace_hash, plain.trace_hash);
}
