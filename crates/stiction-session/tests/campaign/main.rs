//! Faults and their pairs at random moments of contact: no wrench leaves its limits or breaks the slew rule.

mod bench;
mod checker;
mod harness;
mod kinds;
mod run;
#[path = "../support/mod.rs"]
mod support;

use harness::{CampaignReport, campaign};
use kinds::FaultKind;
use stiction::coupling::Coupling;
use stiction_device::{Caps, Drive, Fault};
use stiction_results::{Measurement, ResultLog, Target};

use stiction_session::{HandWord, Plan, Session, SimWord};
use support::{plan, session, study};

/// Runs and tells.
fn campaigned(plan: Plan, runs: u64) -> CampaignReport {
    told(&session(plan), runs)
}

fn told(session: &Session, runs: u64) -> CampaignReport {
    let plan = &session.plan;
    let name = format!("{} {} {}", plan.scene_path.display(), plan.device.name(), plan.hand.name());
    let report = campaign(session, 0..runs, &mut |_| true).unwrap();
    let CampaignReport { cycles, with_force, moments, pairs, pairs_of, violations, worst, .. } = &report;
    println!(
        "{name}: {runs} runs from {moments} moments, {cycles} cycles, {with_force} with force, {} kinds, {pairs} of {pairs_of} pairs, \
         {violations} violations; worst {worst:?}",
        FaultKind::COUNT
    );
    println!("  faults seen by the envelope: {:?}", report.faults);
    if study().is_some() {
        let what = format!(
            "{name}: rules broken in {runs} runs of {} kinds of faults and {pairs} of {pairs_of} pairs",
            FaultKind::COUNT
        );
        let row = Measurement::new(what, *violations as f64, "").held_to(Target::AtMost(0.0));
        ResultLog::of_study("study-campaign").add(&row).unwrap();
    }
    assert_eq!(*violations, 0, "{name}:\n{}", report.first.join("\n"));
    report
}

#[test]
fn faults_and_their_pairs_never_break_a_limit() {
    let runs = if study().is_some() { 10_000 } else { 600 };
    let report = campaigned(plan("small", &[]), runs);
    // The campaign has seen what it is about.
    assert!(FaultKind::COUNT >= 25 && report.kinds.iter().all(|n| *n > 0), "{:?}", report.kinds);
    assert!(report.with_force * 5 > report.cycles, "{} of {} cycles with force", report.with_force, report.cycles);
    for fault in Fault::ALL {
        // The engine answers every finite hand with finite numbers.
        let never = matches!(fault, Fault::BadAnswer | Fault::BrokenEngine);
        assert!(never || report.faults[fault as usize] > 0, "{} never came", fault.name());
    }
    if study().is_some() {
        assert_eq!(report.pairs, report.pairs_of);
    }
}

#[test]
fn nor_with_other_devices_hands_and_scenes() {
    let runs = if study().is_some() { 2_500 } else { 60 };
    for device in [SimWord::Ideal, SimWord::Falcon, SimWord::Touch] {
        campaigned(Plan { device, ..plan("small", &[]) }, runs);
    }
    for hand in [HandWord::Light, HandWord::Free] {
        campaigned(Plan { hand, ..plan("small", &[]) }, runs);
    }
    for drive in [Drive::VendorCallback, Drive::RequestReply] {
        let session = session(plan("small", &[]));
        let caps = Caps { name: drive.name().into(), drive, ..session.caps(0) };
        told(&session.attached(vec![caps]).unwrap(), 4 * runs);
    }
    campaigned(Plan { passivity: false, ..plan("small", &[]) }, runs);
    campaigned(
        Plan { motion_scale: 3.0, force_scale: 2.0, handle_offset: [0.0, 0.01, 0.05], ..plan("small", &[]) },
        runs,
    );
    let scenes: &[&str] =
        if study().is_some() { &["corner-cube", "peg-in-hole-round", "gear-on-shaft"] } else { &["plate-cube"] };
    for name in scenes {
        campaigned(plan(name, &[]), runs);
    }
}

/// The device is a body of the engine of contact volumes: no coupling bounds what it asks for.
#[test]
fn nor_where_the_device_is_a_body() {
    let runs = if study().is_some() { 10_000 } else { 600 };
    let report = campaigned(plan("slab", &[]), runs);
    assert!(report.kinds.iter().all(|n| *n > 0), "{:?}", report.kinds);
    assert!(report.with_force * 5 > report.cycles, "{} of {} cycles with force", report.with_force, report.cycles);
    for (device, hand) in [(SimWord::Ideal, HandWord::Free), (SimWord::Falcon, HandWord::Light)] {
        campaigned(Plan { device, hand, ..plan("slab", &[]) }, runs / 4);
    }
}

/// An engine that asks for several times what the device has, and would turn its motors hot.
#[test]
fn nor_where_the_engine_asks_for_far_too_much() {
    let mut session = session(plan("small", &[]));
    session.world.scene.settings.coupling =
        Coupling { stiffness: 8000.0, torsion: 5.0, max_force: 60.0, max_torque: 2.0 };
    let report = told(&session, if study().is_some() { 2_500 } else { 120 });
    assert!(report.worst.peak.iter().all(|share| *share > 0.999), "{:?}", report.worst);
}

/// An emergency stop and refused writes on a device that answers requests: armed again on command, it stays stopped until the next command.
#[test]
fn a_stop_stays_latched_while_a_device_is_armed() {
    let session = session(plan("small", &[]));
    let caps = Caps { drive: Drive::RequestReply, ..session.caps(0) };
    let report = campaign(&session.attached(vec![caps]).unwrap(), 1060..1070, &mut |_| true).unwrap();
    assert_eq!(report.violations, 0, "{}", report.first.join("\n"));
}

#[test]
fn the_same_run_has_the_same_report() {
    let session = session(plan("small", &[]));
    let run = || campaign(&session, 40..80, &mut |_| true).unwrap();
    assert_eq!(run(), run());
    let mut heard = 0;
    let stopped = campaign(&session, 0..80, &mut |done| {
        heard = done;
        done < 3
    });
    assert_eq!((stopped.unwrap().runs, heard), (3, 3));
}
