//! The friction rules of section 4.4: each row by itself, and a sequence of motions that leads to it.

mod support;

use stiction::spatial::{Pose, Vec3};
use stiction_formation::FormationSettings;
use stiction_formation::friction::FrictionRule::{self, Dynamic, Impact, Limit, Static};
use stiction_formation::friction::{Freedom, Slip, rules};
use stiction_formation::motion::MotionType::{self, Broken, Changed, Free, Gained, Guarded, Kept};
use support::{EDGE, cube, ell, engine, go, kinds, on_floor};

const H: f64 = 0.5 * EDGE;

const fn slip(distance: f64, small: bool) -> Slip {
    Slip { distance, small, in_cone: false, new: false }
}

const fn new(in_cone: bool) -> Slip {
    Slip { new: true, in_cone, small: true, distance: 0.0 }
}

/// A name, what the rules ask, and their answer.
type RuleCase = (&'static str, MotionType, Freedom, &'static [Slip], &'static [FrictionRule]);

#[test]
fn every_rule_of_the_paper() {
    const STAYS: Slip = slip(1e-5, true);
    const SLIPS: Slip = slip(1e-3, false);
    const MADE: Slip = new(true);
    const GRAZED: Slip = new(false);
    let no = Freedom { possible: false, pure_rotation: false };
    let slide = Freedom { possible: true, pure_rotation: false };
    let turn = Freedom { possible: true, pure_rotation: true };
    let table: &[RuleCase] = &[
        ("MT1 inside the cone", Guarded, no, &[MADE], &[Impact]),
        ("MT1 outside the cone", Guarded, no, &[GRAZED], &[Dynamic]),
        ("MT2 (a) nothing moved", Kept, turn, &[STAYS, STAYS], &[Static, Static]),
        ("MT2 (a) no possible motion", Kept, no, &[STAYS, SLIPS], &[Static, Limit]),
        ("MT2 (b) must translate", Kept, slide, &[STAYS, SLIPS], &[Dynamic, Dynamic]),
        ("MT2 (c) turns about the contact of least slip", Kept, turn, &[SLIPS, STAYS], &[Dynamic, Static]),
        ("MT2 (c) all slip", Kept, turn, &[SLIPS, SLIPS], &[Dynamic, Dynamic]),
        ("MT3 by a rotation", Changed, turn, &[STAYS, SLIPS], &[Static, Dynamic]),
        ("MT3 not by a rotation", Changed, slide, &[STAYS, STAYS], &[Dynamic, Dynamic]),
        ("MT4 inside the cone", Gained, no, &[STAYS, SLIPS, MADE], &[Static, Limit, Impact]),
        ("MT4 outside the cone", Gained, no, &[STAYS, SLIPS, GRAZED], &[Dynamic, Dynamic, Dynamic]),
        ("MT5 turns", Broken, no, &[SLIPS, STAYS], &[Dynamic, Static]),
        ("MT5 slides", Broken, no, &[SLIPS, SLIPS], &[Dynamic, Dynamic]),
    ];
    for (name, motion, freedom, slips, expected) in table {
        assert_eq!(rules(*motion, *freedom, slips)[..slips.len()], **expected, "{name}");
    }
}

/// A hand's way to a pose in so many ticks, and what is then the case.
struct Step(Pose, usize, &'static [&'static str], MotionType, &'static [FrictionRule]);

fn sequence(start: Pose, settings: FormationSettings, steps: &[Step]) {
    let mut engine = engine(settings, cube(), ell(), start);
    for (number, Step(to, ticks, expected, motion, friction)) in steps.iter().enumerate() {
        let mut seen = Vec::new();
        // The motion that is asked for may be that of any tick of the step: a change takes one.
        for i in 1..=*ticks {
            let from = engine.last().hand;
            let at = from.lerp_slerp(to, 1.0 / (*ticks - i + 1) as f64);
            go(&mut engine, &at, 1);
            let tick = engine.last();
            seen.push((tick.motion, tick.contacts().map(|(_, f)| f.rule).collect::<Vec<_>>()));
        }
        assert_eq!(kinds(&engine), *expected, "step {number}");
        assert!(seen.iter().any(|(m, f)| m == motion && f == friction), "step {number}: {seen:?}");
    }
}

/// The cube tilted about z on its lower edge nearest to the wall, which stays at x.
fn tilted(x: f64, angle: f64) -> Pose {
    let corner = Vec3::new(-H, -H, 0.0);
    let turn = stiction::spatial::exp(&(Vec3::z() * angle));
    Pose::from_parts((Vec3::new(x, 0.0, 0.0) - turn * corner).into(), turn)
}

fn down(pose: Pose, by: f64) -> Pose {
    Pose::translation(0.0, -by, 0.0) * pose
}

#[test]
fn motions_that_lead_to_each_rule() {
    let settings = FormationSettings::default();
    let floor = |x: f64, y: f64| down(on_floor(x, 0.0), -y);
    let ff: &[&str] = &["face-face"];
    // MT1 inside and outside the cone; MT2 (a), (b) with µ F/K = 2.5 mm at 10 N.
    sequence(
        floor(0.08, 0.002),
        settings,
        &[
            Step(floor(0.08, -0.005), 40, ff, Guarded, &[Impact]),
            Step(floor(0.081, -0.005), 20, ff, Kept, &[Static]),
            Step(floor(0.09, -0.005), 100, ff, Kept, &[Dynamic]),
            Step(floor(0.09, -0.005), 5, ff, Kept, &[Static]),
            // Pressed while it is at its limit: no motion that the floor allows.
            Step(floor(0.092, -0.0005), 10, ff, Kept, &[Limit]),
            // Lifted.
            Step(floor(0.09, 0.005), 40, &[], Free, &[]),
        ],
    );
    sequence(floor(0.08, 0.001), settings, &[Step(floor(0.1, -0.001), 40, ff, Guarded, &[Dynamic])]);
    // MT3: from a face to an edge by a rotation about that edge; and back.
    sequence(
        floor(0.08, 0.001),
        settings,
        &[
            Step(floor(0.08, -0.002), 20, ff, Kept, &[Static]),
            Step(down(tilted(0.08 - H, 0.2), 0.002), 200, &["edge-face"], Changed, &[Static]),
            Step(floor(0.08, -0.002), 200, ff, Changed, &[Static]),
        ],
    );
    // MT4: along the floor to the wall; the approach is along the wall's normal, inside its cone.
    let wall = |x: f64| floor(H + x, -0.002);
    let two: &[&str] = &["face-face", "face-face"];
    sequence(
        floor(H + 0.003, 0.001),
        settings,
        &[
            Step(wall(0.003), 20, ff, Kept, &[Static]),
            Step(wall(-0.003), 60, two, Gained, &[Limit, Impact]),
            // MT5: away from the wall.
            Step(wall(0.01), 60, ff, Broken, &[Static]),
        ],
    );
    // MT4 outside the cone: mostly along the wall.
    let along = |x: f64, z: f64| Pose::translation(0.0, 0.0, z) * wall(x);
    sequence(
        floor(H + 0.001, 0.001),
        settings,
        &[
            Step(along(0.001, 0.0), 20, ff, Kept, &[Static]),
            Step(along(-0.001, 0.03), 60, two, Gained, &[Dynamic, Dynamic]),
        ],
    );
}

/// MT2 (c): leaning in the corner of the L, with an upright edge on the wall and the bottom on the floor, the cube turns about the edge: the edge's contact slips least.
#[test]
fn a_turn_about_a_contact_lets_that_contact_stick() {
    let angle = 0.3;
    let settings = FormationSettings { mu_static: 0.2, mu_kinetic: 0.2, ..FormationSettings::default() };
    // The upright edge at (−H, −H) in x and z, turned about y by `angle`, on the wall.
    let at = |angle: f64, press: f64| {
        let turn = stiction::spatial::exp(&(Vec3::y() * angle));
        let corners = [[-H, -H], [-H, H], [H, -H], [H, H]].map(|[x, z]| turn * Vec3::new(x, 0.0, z));
        let nearest = corners.iter().copied().min_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
        Pose::from_parts(Vec3::new(-nearest.x - press, H - press, -nearest.z).into(), turn)
    };
    let mut engine = engine(settings, cube(), ell(), at(angle, -0.002));
    go(&mut engine, &at(angle, 0.001), 60);
    assert_eq!(kinds(&engine), ["edge-face", "face-face"]);
    let mut seen = Vec::new();
    for i in 1..=200 {
        go(&mut engine, &at(angle + 2e-3 * f64::from(i), 0.001), 1);
        let tick = engine.last();
        seen.push((tick.motion, tick.contacts().map(|(t, f)| (t.contact.kind.name(), f.rule)).collect::<Vec<_>>()));
    }
    let turning = (Kept, vec![("face-face", Dynamic), ("edge-face", Static)]);
    assert!(seen.iter().filter(|s| **s == turning).count() > 20, "{:?}", &seen[150..160]);
}
