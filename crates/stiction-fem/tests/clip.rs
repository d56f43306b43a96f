//! A clip that is pushed onto a pipe and pulled off again: the phases of the paper (7.2), its material, 15 g, and steps of 1 ms and of 3 ms.
//!
//! The clip is a ring of 260° in the x-z plane whose opening looks down; it is held where it is opposite of the opening. The pipe lies along y. What the paper does not give (dimensions, µ) is chosen here.

mod support;

use std::time::Instant;
use stiction::spatial::{Pose, Vec3, Vec6, join};
use stiction_fem::world::{DeformableWorld, HandMotion};
use support::clip::{HAND, OPENING, clip_and_pipe, clip_body, clip_settings, grip, made};

struct Run {
    /// Force along z on the hand at each step, and height of the hand.
    force: Vec<(f64, f64)>,
    worst_residual: f64,
    unsolved: usize,
    most_contacts: usize,
    deepest: f64,
    turned: f64,
    slowest: f64,
    mean: f64,
}

fn run(world: &mut DeformableWorld, period: f64, start: f64, end: f64, seconds: f64) -> Run {
    let steps = (seconds / period) as usize;
    let mut out = Run {
        force: Vec::new(),
        worst_residual: 0.0,
        unsolved: 0,
        most_contacts: 0,
        deepest: 0.0,
        turned: 0.0,
        slowest: 0.0,
        mean: 0.0,
    };
    let speed = (end - start) / seconds;
    for step in 0..steps {
        let height = start + (end - start) * step as f64 / steps as f64;
        let hand = HandMotion {
            pose: Pose::translation(0.0, 0.0, height),
            twist: join(Vec3::new(0.0, 0.0, speed), Vec3::zeros()),
            load: Vec6::zeros(),
        };
        let begin = Instant::now();
        world.step(&[hand]);
        let took = begin.elapsed().as_secs_f64();
        let report = world.report();
        out.worst_residual = out.worst_residual.max(report.residual);
        out.unsolved += usize::from(!report.solved);
        out.most_contacts = out.most_contacts.max(report.contacts);
        out.deepest = out.deepest.max(report.depth);
        out.turned = out.turned.max(report.turned);
        out.slowest = out.slowest.max(took);
        out.mean += took / steps as f64;
        out.force.push((height, -world.grip_wrench(0)[2]));
    }
    out
}

#[test]
fn the_clip_snaps_on_and_off_in_three_phases() {
    let (mesh, model) = made(2.0);
    let (compliance, surface) = clip_body(&mesh, &model);
    for period in [1e-3, 3e-3] {
        let settings = clip_settings(period, 0.2, 40, 0.4e-3);
        let mut world = DeformableWorld::new(settings, clip_and_pipe(&compliance, &surface), &[HAND]).unwrap();
        let on = run(&mut world, period, 12e-3, 0.0, 1.2);
        let resting = world.state(0).frame.centre - world.state(0).mass.centre;
        let off = run(&mut world, period, 0.0, 14e-3, 1.4);
        let peak = |r: &Run| r.force.iter().map(|f| f.1).fold(0.0, f64::max);
        let least = |r: &Run| r.force.iter().map(|f| f.1).fold(0.0, f64::min);
        for (name, r) in [("on", &on), ("off", &off)] {
            println!(
                "{period} s, {name}: force on the hand {:.2} to {:.2} N, at most {} contacts, {} unsolved of {}, residual {:.1e}, overlap {:.1e} m, faces turned by {:.2} rad, step {:.3} ms, at most {:.3} ms",
                least(r),
                peak(r),
                r.most_contacts,
                r.unsolved,
                r.force.len(),
                r.worst_residual,
                r.deepest,
                r.turned,
                1e3 * r.mean,
                1e3 * r.slowest
            );
        }
        // Pushing: the hand is pushed back, up. Then, past the widest opening, the clip pulls itself on, down.
        let at_peak = on.force.iter().position(|f| f.1 == peak(&on)).unwrap();
        let after = on.force[at_peak..].iter().map(|f| f.1).fold(f64::INFINITY, f64::min);
        assert!(peak(&on) > 1.0, "no resistance: {}", peak(&on));
        assert!(after < -0.2 * peak(&on), "the clip does not close by itself: {after}");
        assert!(resting.norm() < 1e-3, "it is on the pipe: {resting:?}");
        // Off: resistance downwards, then an abrupt release, and nothing is left.
        assert!(least(&off) < -1.0, "no resistance: {}", least(&off));
        assert!(off.force.last().unwrap().1.abs() < 0.05, "it is off: {:?}", off.force.last());
        assert!(world.vertices(0).iter().all(|p| p.iter().all(|x| x.is_finite())));
        assert!(peak(&on) < 100.0 && least(&off) > -100.0);
        assert!(on.unsolved + off.unsolved < (on.force.len() + off.force.len()) / 100);
    }
}

/// How far the two ends open by a pair of opposite forces (m/N), for meshes of 1.5 to 3 cells through the wall.
#[test]
fn opening_stiffness_converges_with_the_cells() {
    let mut found = Vec::new();
    for cells in [1.5, 2.0, 2.5, 3.0] {
        let begin = Instant::now();
        let (mesh, model) = made(cells);
        let nodes = model.elements().nodes();
        let held = grip(&model);
        // The weight of the material near the ends as a load: it does not depend on the elements.
        let field: Vec<Vec3> = nodes
            .iter()
            .map(|p| {
                if p.z < 0.0 && p.x.abs().atan2(-p.z) < OPENING {
                    Vec3::new(p.x.signum(), 0.0, 0.0)
                } else {
                    Vec3::zeros()
                }
            })
            .collect();
        let mut load = vec![Vec3::zeros(); nodes.len()];
        model.mass_times(&field, &mut load);
        let work = load.clone();
        let force: f64 = load.iter().map(|f| f.x.abs()).sum::<f64>() / 2.0;
        let fixed = |freedom: usize| held.binary_search(&((freedom / 3) as u32)).is_ok();
        let factor = stiction_fem::elastic::StiffnessFactor::new(&model, 1.0, 0.0, fixed).unwrap();
        factor.solve(&mut load, &mut factor.memory(1));
        let opening = load.iter().zip(&work).map(|(u, f)| u.dot(f)).sum::<f64>() / force;
        println!(
            "{cells} cells through the wall: {:.4} N/mm, {} tetrahedra, {:.1?}",
            1e-3 * force / opening,
            mesh.tetrahedra().len(),
            begin.elapsed()
        );
        found.push(force / opening);
    }
    // Against the finest: two cells within the target of 5 %.
    assert!((found[1] / found[3] - 1.0).abs() < 0.05, "{found:?}");
    assert!((found[2] / found[3] - 1.0).abs() < 0.05, "{found:?}");
}

/// On and off a hundred times: each cycle like the second one, and nothing wears, drifts or grows.
#[test]
fn a_hundred_cycles_are_alike() {
    let (mesh, model) = made(1.5);
    let (compliance, surface) = clip_body(&mesh, &model);
    let settings = clip_settings(3e-3, 0.2, 40, 0.4e-3);
    let mut world = DeformableWorld::new(settings, clip_and_pipe(&compliance, &surface), &[HAND]).unwrap();
    let mut peaks = Vec::new();
    let mut unsolved = 0;
    for _ in 0..100 {
        let on = run(&mut world, 3e-3, 12e-3, 0.0, 0.3);
        let off = run(&mut world, 3e-3, 0.0, 12e-3, 0.3);
        let most = on.force.iter().map(|f| f.1).fold(0.0, f64::max);
        let least = off.force.iter().map(|f| f.1).fold(0.0, f64::min);
        peaks.push((most, least));
        unsolved += on.unsolved + off.unsolved;
        assert!(on.deepest.max(off.deepest) < 1e-4, "{} {}", on.deepest, off.deepest);
    }
    let (most, least) = peaks[1];
    println!("second cycle {most:.3} N, {least:.3} N, last {:?}, {unsolved} of 20000 unsolved", peaks[99]);
    assert!(most > 1.0 && least < -1.0);
    for peak in &peaks[1..] {
        assert!((peak.0 / most - 1.0).abs() < 0.05 && (peak.1 / least - 1.0).abs() < 0.05, "{peak:?} {most} {least}");
    }
    assert!(unsolved < 200, "{unsolved}");
}
