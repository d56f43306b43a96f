//! An engine that is slower than the loop runs beside it: the loop never waits, the hand is served in between, and a replay has the same bits.

mod support;

use std::time::{Duration, Instant};
use stiction::columns::{Column, Row};
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::{Mat6, Pose, Vec6, halves};
use stiction_device::{CycleSink, FailingSimulation, Fault, servo_loop};
use stiction_record::{Recorder, Recording, WriteOptions};
use stiction_session::{Pace, RecordSink, SlowEngine};
use support::{Rig, plan, session};

/// Another engine whose ticks take so long.
#[derive(Debug)]
struct Slow(Box<dyn Simulation>, Duration);

impl Simulation for Slow {
    fn hand_count(&self) -> usize {
        self.0.hand_count()
    }
    fn tick(&mut self, hands: &[HandInput], period: f64) {
        std::thread::sleep(self.1);
        self.0.tick(hands, period);
    }
    fn hand(&self, hand: usize) -> HandTick {
        self.0.hand(hand)
    }
    fn columns(&self) -> &[Column] {
        self.0.columns()
    }
    fn record(&self, hand: usize, row: &mut Row) {
        self.0.record(hand, row);
    }
    fn body_count(&self) -> usize {
        self.0.body_count()
    }
    fn body(&self, body: usize) -> Pose {
        self.0.body(body)
    }
    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        self.0.place(hand, pose)
    }
    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(Slow(self.0.fork(), self.1))
    }
    fn felt_stiffness(&self, hand: usize) -> Option<Mat6> {
        self.0.felt_stiffness(hand)
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn hand(rig: &Rig) -> HandInput {
    HandInput::at(rig.servo.outputs()[0].hand.hand)
}

#[test]
fn a_replay_takes_results_in_the_ticks_in_which_they_were_taken() {
    let session = session(plan("small", &[]));
    let engine = session.simulation(false).unwrap();
    let slow = Box::new(Slow(engine.fork(), Duration::from_micros(700)));
    let mut live = SlowEngine::start(slow, 2).unwrap();
    let script = session.world.scene.hand().clone();
    let (mut inputs, mut rows) = (Vec::new(), Vec::new());
    for tick in 0..400 {
        let input = HandInput::at(script.pose(f64::from(tick) * 1e-3));
        live.tick(&[input], 1e-3);
        let mut row = Row::default();
        live.record(0, &mut row);
        inputs.push(input);
        rows.push(row);
        // Unevenly, so that results are there in ticks that nobody could foresee.
        std::thread::sleep(Duration::from_micros(100 + 37 * (u64::from(tick as u32) % 23)));
    }
    let exchanged = |row: &Row| *row.words().last().unwrap() == 1;
    let taken: Vec<usize> = (0..rows.len()).filter(|i| exchanged(&rows[*i])).collect();
    let apart: Vec<usize> = taken.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(taken.len() > 50, "{} results", taken.len());
    assert!(apart.iter().all(|n| *n >= 2), "not before the engine's own period has passed");
    let mut again = SlowEngine::here(engine, 2);
    for (tick, (input, row)) in inputs.iter().zip(&rows).enumerate() {
        again.expect(0, row);
        again.tick(&[*input], 1e-3);
        let mut now = Row::default();
        again.record(0, &mut now);
        assert_eq!(now, *row, "tick {tick}");
    }
    assert!(rows.iter().any(|row| f64::from_bits(row.words()[20]).abs() > 1.0), "nothing was felt");
}

#[test]
fn the_loop_does_not_wait_for_a_slow_engine_and_the_hand_is_served_in_between() {
    let session = session(plan("small", &[]));
    let mut engine = session.simulation(false).unwrap();
    // Pressed on the plate.
    let mut rig = Rig::new(&session);
    rig.run(500);
    let pressed = hand(&rig);
    for tick in 0..500 {
        engine.tick(&[HandInput::at(session.world.scene.hand().pose(f64::from(tick) * 1e-3))], 1e-3);
    }
    (0..50).for_each(|_| engine.tick(&[pressed], 1e-3));
    let felt = |wrench: &Vec6| halves(wrench).0;
    let mut beside = SlowEngine::start(Box::new(Slow(engine.fork(), Duration::from_millis(50))), 1).unwrap();
    let mut longest = Duration::ZERO;
    let mut moved = pressed;
    for _ in 0..20 {
        moved.pose.translation.vector.z -= 1e-5;
        let begun = Instant::now();
        beside.tick(&[moved], 1e-3);
        longest = longest.max(begun.elapsed());
    }
    assert!(longest < Duration::from_millis(25), "a tick waited for {longest:?}");
    // Pressed by 0.2 mm more, while no result of the engine has come yet: the spring of the coupling says by how much more it is felt. The contact yields as well, a little.
    engine.tick(&[moved], 1e-3);
    let (served, truth) = (felt(&beside.hand(0).wrench), felt(&engine.hand(0).wrench));
    let before = felt(&rig.servo.outputs()[0].hand.wrench);
    assert!((truth - before).norm() > 0.1, "{before:?} {truth:?}");
    assert!((served - truth).norm() < 0.25 * (truth - before).norm(), "{served:?} for {truth:?}, {before:?} before");
}

#[test]
fn an_engine_that_panics_beside_the_loop_ends_in_a_fault_and_no_force() {
    let session = session(plan("small", &[]));
    let mut rig = Rig::new(&session);
    rig.servo.wrap(|inner| Box::new(SlowEngine::start(Box::new(FailingSimulation::new(inner, 100)), 2).unwrap()));
    let mut faults = Vec::new();
    for _ in 0..3000 {
        let output = rig.run(1);
        faults.extend(output.report.fault);
        if output.report.fault.is_some() && output.sent.wrench().norm() == 0.0 {
            break;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    assert!(faults.contains(&Fault::NoAnswer), "{faults:?}");
    assert_eq!(rig.servo.outputs()[0].sent.wrench().norm(), 0.0);
}

#[test]
fn a_scene_with_a_slow_engine_runs_live_and_replays_to_the_same_bits() {
    let session = session(plan("small", &["run.engine_rate=300", "run.seconds=0.5"]));
    let mut file = std::env::temp_dir();
    file.push(format!("stiction-beside-{}.mcap", std::process::id()));
    let (recorder, [feed]) = Recorder::create::<1>(&file, &session.header("test", 0), WriteOptions::default()).unwrap();
    let mut feed = Some(feed);
    let sinks = |_| feed.take().map(|feed| Box::new(RecordSink::new(feed, false)) as Box<dyn CycleSink>);
    let (arms, _handles) = session.arms(Pace::Real, sinks).unwrap();
    let running = servo_loop::start(arms, None).unwrap();
    std::thread::sleep(Duration::from_millis(600));
    drop(running.stop().unwrap());
    let counts = recorder.finish().unwrap();
    let mut recording = Recording::open(&file).unwrap();
    let exchanged = recording.entries().unwrap().filter(|e| e.as_ref().unwrap().row.words().last() == Some(&1)).count();
    let found = session.replay(&mut Recording::open(&file).unwrap(), |_, _| true).unwrap();
    std::fs::remove_file(&file).unwrap();
    println!("{} ticks, {exchanged} results", found.ticks);
    assert!(found.difference.is_none() && found.gap.is_none(), "{found:?}");
    assert_eq!(found.ticks, counts.written);
    assert!(exchanged > 20 && 4 * exchanged as u64 <= found.ticks + 4, "{exchanged} results in {} ticks", found.ticks);
}
