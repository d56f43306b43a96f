//! A collision walk that runs out of its budget: coarser, said so, and hardly felt.

mod support;

use std::collections::HashSet;
use stiction::contact::penalty::ShellOn;
use stiction::spatial::{Pose, halves};
use stiction::tick::Engine;
use stiction::trace::Flags;
use support::world;

/// The shell points inside the field, by exhaustive search.
fn inside(engine: &Engine, part: &Pose) -> HashSet<u64> {
    let [held, fixed] = engine.parts();
    let (shell, field, to_field) = match engine.settings().shell_on {
        ShellOn::Held | ShellOn::Both => (&held.shell, &fixed.field, engine.world_from_fixed().inv_mul(part)),
        ShellOn::Fixed => (&fixed.shell, &held.field, part.inv_mul(engine.world_from_fixed())),
    };
    let at = |i: usize| to_field * nalgebra::Point3::from(shell.points()[i].position);
    (0..shell.points().len()).filter(|&i| field.distance(at(i).coords) < 0.0).map(|i| i as u64).collect()
}

/// Stiffness does not depend on the number of contacts: with a fraction of the samples, the force is about the same.
#[test]
fn a_small_budget_is_told_keeps_contacts_and_is_hardly_felt() {
    for (name, budget) in [("plate-cube", 300), ("corner-cube", 300), ("peg-in-hole-round", 200)] {
        let full = world(name, &["contact.model=penalty"]);
        let coarse = world(name, &["contact.model=penalty", &format!("contact.max_samples={budget}")]);
        let (mut full, mut run) = (full.run().unwrap(), coarse.run().unwrap());
        let (mut flagged, mut compared, mut worst, mut kept, mut sums) = (0, 0, 0.0_f64, 0, [0.0; 2]);
        let mut last: HashSet<u64> = HashSet::new();
        while !run.finished() {
            let before = run.trace().part;
            let (a, b) = (*full.step(), *run.step());
            flagged += u32::from(b.flags.has(Flags::COARSE));
            assert!(!a.flags.has(Flags::COARSE), "{name}: the full one ran out");
            assert!(b.contacts <= a.contacts.max(1) * 2 + 20, "{name}: {} contacts of {}", b.contacts, a.contacts);
            // With one solve, the contacts are those of the pose before the step.
            let now: HashSet<u64> = run.engine().contacts().map(|c| c.id.0).collect();
            if b.substeps == 1 {
                let there = inside(run.engine(), &before);
                assert!(now.is_subset(&there), "{name}, tick {}: a contact outside", b.tick);
                let lost = last.intersection(&there).filter(|id| !now.contains(id)).count();
                assert_eq!(lost, 0, "{name}, tick {}: contacts lost", b.tick);
                kept += last.intersection(&now).count();
            }
            last = now;
            let ((fa, _), (fb, _)) = (halves(&a.wrench), halves(&b.wrench));
            // Below a newton the two are before or after the same touch.
            if fa.norm() > 1.0 {
                compared += 1;
                let off = (fa - fb).norm() / fa.norm();
                sums = [sums[0] + fa.norm(), sums[1] + fb.norm()];
                worst = worst.max(off);
            }
        }
        let mean = sums[1] / sums[0] - 1.0;
        println!(
            "{name}, {budget} samples: coarse in {flagged} ticks, {kept} contacts kept, force off by {worst:.3} at most and {mean:.3} on \
             average of {compared} ticks"
        );
        assert!(flagged > 500 && compared > 500 && kept > 10_000, "{name}: {flagged} {compared} {kept}");
        assert!(mean.abs() < 0.25, "{name}: the force is off by {mean} on average");
        // A peg that slides is gripped by rings of points that pass the rim, other ones with other points: there on average only.
        assert!(worst < 0.25 || name.starts_with("peg"), "{name}: the force is off by {worst}");
    }
}
