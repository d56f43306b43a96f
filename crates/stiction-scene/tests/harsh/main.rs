//! The harsh tests: strangers' parts with the settings that `stiction new` writes, pressed, levered, shaken and slid. `make study-pairs` runs all
//! of it; the short form is part of `make test`.
//!
//! Everything that a fit is held to, before anything is measured. h is the voxel, w the thinnest wall of both parts, a the largest allowance
//! that the engine makes for faceting where the boxes of the parts overlap and, a hundred-thousandth of the parts' size, for the rounding of coordinates (and, for depths, the roughness of both parts where fits have one), ℓ the engaged length: that over which the boxes of the parts overlap along the way out. µ is static/kinetic.
//!
//! | check | what is done | bound |
//! |---|---|---|
//! | exact depth | no engine: mesh distance at the seated pose | 10 µm from the list |
//! | blocked | 40 N in every blocked direction and the coupling's largest torque about every axis (not where a part can tilt out of its seat), in both senses, 5 s, µ 0 (then forces go through the middle of what is engaged), 0.2/0.2, 0.5/0.4 | exact depth w/10 + a on faces, h/4 more at edges; tilt 2 (lateral play + a + 25 µm)/ℓ, or what the rigid meshes admit where that is more ([`rigid`]: 25 µm beyond the allowance at that place, by exact distance), and without friction any tilt at which rigid meshes rest under the hand's wrench (forces N ≥ 0 at the meshes' contacts balance it to 1 %, and the meshes are no deeper than that); about the way out, where the list has a play of rotation, 2 (play + (a + 25 µm)/ℓ), or what the meshes admit; "through" is more than play + a + w/10 + tilt bound × radius along the push |
//! | creep | pressed with 10 N through the middle of the faces that bear it, ±20 % in force (F), torque (±20 % of F times half ℓ) or both, every 0.25 s and 2 s, and pulled with 0.9 of what rigid statics holds at the worst instant, 60 s | 1e-12 m/s at equal phase after three cycles, at every contact and the centre; 0.1 mm since before the pull |
//! | friction limit | a box and pins of 128 and of 32 facets, pressed with 10 N: breakaway and sliding | 2 % of µ_s F and µ_k F; with 32 facets, where contacts at angles of up to 11.25° to the press make ΣF_n larger than F, 2 % of what rigid statics holds |
//! | energy | closed paths of the hand, the second time around, with every µ | 1e-6 J more out than in; what single ticks create is told |
//! | rest | 10 N by the hand in every blocked direction, or pressed and pulled by a load with 0.9 of what statics holds; then still for 2 s | in the last second: wrench within 1e-9 N and N m, place within 1e-12 m, no tick that "slips" |
//! | play | 0.05 N without friction | 3h/8 + a from the list; fits by parameter, whose play is known and which touch with faces of radius r: a + h²/8r + roughness, over the cosine between the push and the face's normal |
//! | slides fast | along the way out at 0.5 m/s, pressed with 10 N | behind: what statics holds (between µ_s F and four times that) over k_vc, and two ticks of way; deeper, beyond what is allowed at that place, than at rest or than after a hand of a tenth of that speed: 5 µm or w/10 |
//! | screw | an M12 nut on its bolt by parameter, 5 N along the axis: one turn of the hand, µ 0 to 0.2, in both senses and on both flanks; then 40 N along the axis with a hand that goes with the nut | the pitch within 1 %, at the end and from the helix at every tick; µ 0.2: locked, 1e-12 m/s at any point; without friction it runs down the helix, 0.5 to 1.2 of the closed form's speed; depth as for blocked |
//!
//! Exact depth ([`exact`]) is by mesh distance, not by the engine's field; what friction holds ([`limit`]) is a cone program of rigid statics that
//! takes from the engine only where contacts are. Threads have no table of plays: along z it follows from their least clearance, and across it is in the list's words.
//!
//! `STICTION_STUDY=1` runs the full form; a fraction, such as 0.1, tries every pair too, but shortens the
//! runs of blocked and creep and leaves out long periods and some coefficients.
//! `STICTION_FITS=nut,pin` tries only fits whose name contains one of these, and `STICTION_CHECKS=blocked,play` only these checks; then the count of pairs
//! is not checked. `STICTION_CASES=1` prints every case, not only the worst of each check.

mod analytic;
mod blocked;
mod coulomb;
mod creep;
#[path = "../pairs/data.rs"]
#[allow(dead_code)]
mod data;
mod energy;
mod exact;
mod fit;
mod limit;
mod play;
mod report;
mod rest;
mod rigid;
mod screw;
mod seated;
mod slide;

use fit::{Fit, FitSource};
use report::{FitReport, Outcome};
use std::sync::Mutex;
use std::time::Instant;

/// Pairs of the short form: round, and a thread.
const SHORT: [&str; 2] = ["factory_round_8_tight", "nutbolt_m8_loose"];
/// Fits by parameter of the short form.
const SHORT_ANALYTIC: [&str; 3] = ["cone_32_facets_smooth", "box_7", "thread_m12"];
/// Friction coefficients, static and kinetic.
const MUS: [[f64; 2]; 3] = [[0.0, 0.0], [0.2, 0.2], [0.5, 0.4]];

/// How long runs are.
pub struct Effort {
    /// Seconds of a blocked push.
    pub blocked: f64,
    /// Seconds of a creep run.
    pub creep: f64,
    /// Seconds for which a nut must be locked.
    pub screw: f64,
    /// Periods of its load (s).
    pub periods: &'static [f64],
    /// Whether every pair is tried.
    full: bool,
    /// Names of the only checks that are tried, if not all are.
    checks: Option<String>,
    /// Friction coefficients for blocked pushes.
    blocked_mus: &'static [[f64; 2]],
    /// Friction coefficients for energy.
    energy: &'static [[f64; 2]],
    /// Friction coefficients for rest.
    rest: &'static [[f64; 2]],
    /// Friction coefficients for creep.
    creep_mus: &'static [[f64; 2]],
}

impl Effort {
    fn from_environment() -> Effort {
        let study = std::env::var("STICTION_STUDY").ok().and_then(|text| text.parse::<f64>().ok());
        let short = Effort {
            blocked: 0.2,
            creep: 1.5,
            screw: 0.3,
            periods: &[0.25],
            full: false,
            checks: std::env::var("STICTION_CHECKS").ok(),
            blocked_mus: &MUS,
            energy: &[MUS[0], MUS[2]],
            rest: &MUS[1..2],
            creep_mus: &MUS[2..],
        };
        match study.map(|share| share.min(1.0)).filter(|share| *share > 0.0) {
            None => short,
            Some(1.0) => Effort {
                blocked: 5.0,
                creep: 60.0,
                screw: 10.0,
                periods: &[0.25, 2.0],
                full: true,
                blocked_mus: &MUS,
                energy: &MUS,
                rest: &MUS[1..],
                creep_mus: &MUS[1..],
                ..short
            },
            Some(share) => Effort {
                blocked: 5.0 * share,
                creep: 60.0 * share,
                screw: 10.0 * share,
                full: true,
                blocked_mus: &MUS[1..2],
                creep_mus: &MUS[1..2],
                rest: &MUS[1..],
                ..short
            },
        }
    }
}

/// Such as "0.5/0.4".
pub fn coefficients([mu_static, mu_kinetic]: [f64; 2]) -> String {
    format!("{mu_static}/{mu_kinetic}")
}

/// Everything that is tried with one fit.
fn try_fit(source: FitSource, effort: &Effort) -> FitReport {
    // On rough parts, asperities interlock and hold more than µF.
    let known_force = source.rough == 0.0 && (source.name.starts_with("pin_") || source.name.starts_with("box_"));
    let mut outcomes = Vec::new();
    let mut times = Vec::new();
    let began = Instant::now();
    let fit = Fit::new(source);
    times.push(("bake", began.elapsed()));
    let mut timed = |name: &'static str, check: &mut dyn FnMut(&mut Vec<Outcome>)| {
        if effort.checks.as_ref().is_some_and(|names| names.split(',').all(|wanted| wanted != name)) {
            return;
        }
        let began = Instant::now();
        check(&mut outcomes);
        times.push((name, began.elapsed()));
    };
    let rubbing = &MUS[1..];
    if fit.source.screw.is_some() {
        timed("screw", &mut |out| screw::check(&fit, effort.full, effort.screw, out));
        if !effort.full {
            // The short form has another thread for everything else.
            return FitReport { name: fit.source.name.clone(), facts: fit.facts(), outcomes, times };
        }
    }
    timed("exact depth", &mut |out| seated::check(&fit, out));
    // Cones touch with all of their points, and take long.
    if effort.full || fit.source.radius.is_none_or(f64::is_infinite) {
        timed("blocked", &mut |out| blocked::check(&fit, effort, effort.blocked_mus, out));
        timed("play", &mut |out| play::check(&fit, out));
    }
    timed("creep", &mut |out| creep::check(&fit, effort, effort.creep_mus, out));
    if known_force {
        timed("friction limit", &mut |out| coulomb::check(&fit, rubbing, out));
    }
    // Threads and cones have many points within reach, and take long: with friction in the full form only.
    let rubs = effort.full || fit.source.removal.is_some();
    timed("energy", &mut |out| energy::check(&fit, if rubs { effort.energy } else { &MUS[..1] }, out));
    timed("rest", &mut |out| rest::check(&fit, effort.rest, out));
    timed("slides fast", &mut |out| slide::check(&fit, &MUS[1..2], out));
    FitReport { name: fit.source.name.clone(), facts: fit.facts(), outcomes, times }
}

#[test]
fn strangers_parts_hold() {
    let effort = Effort::from_environment();
    let only = std::env::var("STICTION_FITS").ok();
    let folder = data::folder();
    let entries = folder.as_ref().map_or(Vec::new(), |folder| data::list(folder));
    let wanted = |name: &str| match &only {
        Some(names) => names.split(',').any(|part| name.contains(part)),
        None => effort.full || SHORT.contains(&name) || SHORT_ANALYTIC.iter().any(|part| name.starts_with(part)),
    };
    let pairs = entries.iter().filter(|entry| wanted(entry["name"].as_str().unwrap()));
    let mut sources: Vec<FitSource> = pairs.map(|entry| fit::pair(folder.as_ref().unwrap(), entry)).collect();
    let pairs_tried = sources.len();
    sources.extend(analytic::all().into_iter().filter(|source| wanted(&source.name)));
    let count = sources.len();
    // The heaviest first, so that no worker is left alone with them at the end: fits by parameter of which nothing is free, such as threads and cones, and meshes of many faces.
    let mut sources: Vec<(usize, FitSource)> = sources.into_iter().enumerate().collect();
    let weight = |s: &FitSource| (s.removal.is_none(), s.meshes.iter().map(|m| m.faces.len()).sum::<usize>());
    sources.sort_by_key(|(_, source)| std::cmp::Reverse(weight(source)));
    let queue = Mutex::new(sources.into_iter());
    let done = Mutex::new(Vec::new());
    report::print_head();
    let began = Instant::now();
    let worker = || {
        loop {
            let next = queue.lock().unwrap().next();
            let Some((number, source)) = next else { return };
            let report = try_fit(source, &effort);
            report::print_rows(&report);
            done.lock().unwrap().push((number, report));
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(worker)));
    });
    let mut reports = done.into_inner().unwrap();
    reports.sort_by_key(|(number, _)| *number);
    let reports: Vec<FitReport> = reports.into_iter().map(|(_, report)| report).collect();
    let failures = report::print_failures(&reports);
    let listed = entries.len();
    println!(
        "{pairs_tried} of {listed} pairs and {} fits by parameter, {:.0} s",
        count - pairs_tried,
        began.elapsed().as_secs_f64()
    );
    assert_eq!(reports.len(), count, "fits that were not tried");
    if only.is_none() && effort.checks.is_none() {
        assert!(folder.is_some() || !effort.full, "there are no pairs to study");
        let names = entries.iter().map(|entry| entry["name"].as_str().unwrap());
        for name in names.filter(|name| effort.full || SHORT.contains(name)) {
            let report = reports.iter().find(|report| report.name == name);
            let tried = |check: &str| report.is_some_and(|r| r.outcomes.iter().any(|o| o.check == check));
            assert!(tried("blocked") && tried("creep") && tried("play"), "{name} was skipped");
        }
    }
    assert_eq!(failures, 0, "see the list above");
}
