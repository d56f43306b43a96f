//! What must hold once a real arm is attached: arming delays nobody, no device gets more than it can bear, and a weight is felt without swings.

mod support;

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};
use stiction::spatial::{Vec6, halves};
use stiction_device::servo_loop::{run_virtual, start};
use stiction_device::sim::{
    CallbackDevice, Chain, PacedDevice, RequestReplyDevice, SimDevice, SimFault, SimHand, SimParams,
};
use stiction_device::{Applied, Caps, Commands, Device, DeviceError, Intervention, Mapping, Phase};
use stiction_device::{CycleSink, DeviceState, SafeWrench, Snapshot, realtime};
use stiction_record::{Entry, Recorder, Recording, WriteOptions, Writer};
use stiction_session::{HandWord, Pace, Plan, RecordSink, Replayed, SceneDevice, Session, SessionError, entry};
use support::{Rig, plan, session};

/// How long the slow device takes to arm.
const ARMING: Duration = Duration::from_secs(3);

/// What a test sees of a device, and what it tells the device to do.
#[derive(Default)]
struct Watched {
    reads: AtomicU64,
    /// The clock at the last read, and the longest time between two reads since `reads` was last zero (ns).
    last: AtomicU64,
    longest: AtomicU64,
    /// Whether it has lost its connection.
    lost: AtomicBool,
    /// Whether `arm` is at work, and how often it has ended.
    arming: AtomicBool,
    armed: AtomicU64,
    /// Whether the next read waits for as long as the device takes to arm, and how many have done so.
    hangs: AtomicBool,
    hung: AtomicU64,
    /// Reads on the simulated vendor's thread.
    by_vendor: AtomicU64,
}

/// A simulated device that takes its time to arm, or arms at once.
struct Slow {
    device: SceneDevice,
    watched: Arc<Watched>,
    takes: Duration,
}

impl Device for Slow {
    fn caps(&self) -> &Caps {
        self.device.caps()
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.watched.arming.store(true, SeqCst);
        std::thread::sleep(self.takes);
        self.watched.arming.store(false, SeqCst);
        self.watched.armed.fetch_add(1, SeqCst);
        self.device.arm()
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        let w = &self.watched;
        let now = realtime::now();
        let last = w.last.swap(now, SeqCst);
        let by_vendor = std::thread::current().name() == Some("simulated-vendor");
        w.by_vendor.fetch_add(u64::from(by_vendor), SeqCst);
        if w.hangs.swap(false, SeqCst) {
            std::thread::sleep(ARMING);
            w.hung.fetch_add(1, SeqCst);
        }
        if w.reads.fetch_add(1, SeqCst) > 0 {
            w.longest.fetch_max(now - last, SeqCst);
        }
        if w.lost.load(SeqCst) {
            self.device.disarm();
        }
        self.device.read()
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.device.write(wrench)
    }

    fn disarm(&mut self) {
        self.device.disarm();
    }
}

fn wait(what: &str, mut so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}: not after 20 s");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The recording's number for a device that is being armed.
const ARMING_CODE: u8 = 8;

#[test]
fn a_device_that_takes_3_s_to_arm_delays_no_cycle_of_the_other_hand() {
    let script = "hand.script=[{move=[0,0,-0.008],seconds=0.2}]";
    let session = session(Plan { arms: 2, ..plan("small", &[script]) });
    let watched = [Arc::new(Watched::default()), Arc::new(Watched::default())];
    let devices = |arm: u8| -> Result<Box<dyn Device>, _> {
        let (device, watched) = (session.device(arm, Pace::Real)?, Arc::clone(&watched[usize::from(arm)]));
        Ok(Box::new(Slow { device, watched, takes: if arm == 0 { ARMING } else { Duration::ZERO } }))
    };
    let file = std::env::temp_dir().join(format!("stiction-arming-{}.mcap", std::process::id()));
    let (recorder, feeds) = Recorder::create::<2>(
        &file,
        &session.header("test", 0),
        WriteOptions { ring: 16_384, ..WriteOptions::default() },
    )
    .unwrap();
    let mut feeds = feeds.map(Some);
    let sinks = |arm: u8| {
        let feed = feeds[usize::from(arm)].take()?;
        Some(Box::new(RecordSink::new(feed, false)) as Box<dyn CycleSink>)
    };
    let (arms, mut reins) = session.arms_with(sinks, devices).unwrap();
    let running = start(arms, None).unwrap();
    wait("force", || reins[1].snapshots.take().0.cycle > 1500);
    // The first device is lost, and armed again on command.
    watched[0].lost.store(true, SeqCst);
    wait("the loss", || reins[0].snapshots.take().0.input.read.is_err());
    reins[0].commands.publish(&Commands { rearm: 1, ..Commands::default() });
    wait("arming", || watched[0].arming.load(SeqCst));
    watched[0].lost.store(false, SeqCst);
    watched[1].longest.store(0, SeqCst);
    let (reads, began) = (watched[1].reads.load(SeqCst), Instant::now());
    wait("the end of arming", || watched[0].armed.load(SeqCst) == 2);
    let (reads, took) = (watched[1].reads.load(SeqCst) - reads, began.elapsed().as_secs_f64());
    let longest = watched[1].longest.load(SeqCst) as f64 * 1e-9;
    println!("{reads} cycles of the other hand in {took:.2} s, {longest:.4} s between two of them at most");
    // Wake-ups are the machine's; but a loop that waits for the arming has no cycles at all.
    assert!(reads as f64 > 500.0 * took && longest < 0.5, "{reads} cycles in {took} s, longest gap {longest} s");
    // And the device comes back: with a measurement, then with force.
    wait("its measurements", || reins[0].snapshots.take().0.input.read.is_ok());
    wait("its force", || reins[0].snapshots.take().0.output.report.phase == Phase::Running);
    drop(running.stop().expect("the thread did not panic"));
    assert_eq!(recorder.finish().unwrap().dropped, 0);
    let mut recording = Recording::open(&file).unwrap();
    let entries: Vec<Entry> = recording.entries().unwrap().map(Result::unwrap).collect();
    let of = |hand: u8| entries.iter().filter(move |e| e.hand == hand);
    let (first, last) = {
        let mut away = of(0).filter(|e| e.input.failed & 15 == ARMING_CODE);
        let first = away.next().unwrap();
        (first.tick, away.next_back().unwrap().tick)
    };
    assert!(last - first > 1000 && of(0).filter(|e| (first..=last).contains(&e.tick)).all(|e| e.sent == [0.0; 6]));
    // The cycle in which it came back is in the recording, which replays.
    let found = session.replay(&mut Recording::open(&file).unwrap(), |_, _| true).unwrap();
    assert_eq!((found.ticks, found.difference), (entries.len() as u64, None));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn an_answer_that_takes_3_s_delays_no_cycle_of_the_other_hand() {
    let script = "hand.script=[{move=[0,0,-0.008],seconds=0.2}]";
    let session = session(Plan { arms: 2, ..plan("small", &[script]) });
    let watched = [Arc::new(Watched::default()), Arc::new(Watched::default())];
    let slow = |session: &Session, arm: u8| -> Result<Slow, SessionError> {
        let (device, watched) = (session.device(arm, Pace::Real)?, Arc::clone(&watched[usize::from(arm)]));
        Ok(Slow { device, watched, takes: Duration::ZERO })
    };
    let replying = RequestReplyDevice::new(slow(&session, 0).unwrap(), Duration::from_micros(200));
    let polled = session.caps(1);
    let session = session.attached(vec![replying.caps().clone(), polled]).unwrap();
    let mut replying = Some(replying);
    let devices = |arm: u8| -> Result<Box<dyn Device>, _> {
        Ok(match replying.take().filter(|_| arm == 0) {
            Some(device) => Box::new(device),
            None => Box::new(slow(&session, arm)?),
        })
    };
    let (arms, mut reins) = session.arms_with(|_| None, devices).unwrap();
    let running = start(arms, None).unwrap();
    wait("force", || reins[0].snapshots.take().0.output.report.phase == Phase::Running);
    watched[1].longest.store(0, SeqCst);
    let (reads, began) = (watched[1].reads.load(SeqCst), Instant::now());
    watched[0].hangs.store(true, SeqCst);
    wait("no force", || *reins[0].snapshots.take().0.output.sent.wrench() == Vec6::zeros());
    wait("the answer", || watched[0].hung.load(SeqCst) == 1);
    let (reads, took) = (watched[1].reads.load(SeqCst) - reads, began.elapsed().as_secs_f64());
    let longest = watched[1].longest.load(SeqCst) as f64 * 1e-9;
    println!("{reads} cycles of the other hand in {took:.2} s, {longest:.4} s between two of them at most");
    assert!(reads as f64 > 500.0 * took && longest < 0.5, "{reads} cycles in {took} s, longest gap {longest} s");
    wait("its force", || reins[0].snapshots.take().0.output.report.phase == Phase::Running);
    drop(running.stop().expect("the thread did not panic"));
}

#[test]
fn a_vendors_thread_makes_the_cycles_and_the_loop_stands_by() {
    let session = session(plan("small", &["hand.script=[{move=[0,0,-0.008],seconds=0.2}]"]));
    let watched = Arc::new(Watched::default());
    let device = session.device(0, Pace::Real).unwrap();
    let slow = Slow { device, watched: Arc::clone(&watched), takes: Duration::ZERO };
    let called = CallbackDevice::new(slow, session.period());
    let (session, stalls) = (session.attached(vec![called.caps().clone()]).unwrap(), called.stalls());
    let mut called = Some(called);
    let (arms, mut reins) = session.arms_with(|_| None, |_| Ok(Box::new(called.take().unwrap()))).unwrap();
    let running = start(arms, None).unwrap();
    wait("force", || reins[0].snapshots.take().0.output.report.phase == Phase::Running);
    let counts = || [&watched.reads, &watched.by_vendor].map(|n| n.load(SeqCst));
    let [reads, by_vendor] = counts();
    println!("{by_vendor} of {reads} cycles by the vendor's thread");
    // A machine that is busy may keep that thread from running for two periods.
    assert!(by_vendor * 2 > reads, "{by_vendor} of {reads} cycles by the vendor's thread");
    // It hangs: the loop's own thread goes on.
    stalls.store(true, SeqCst);
    std::thread::sleep(Duration::from_millis(20));
    let before = counts();
    wait("cycles by the loop", || counts()[0] > before[0] + 200);
    assert_eq!(counts()[1], before[1]);
    stalls.store(false, SeqCst);
    wait("cycles by the vendor's thread", || counts()[1] > before[1] + 100);
    // A lost device is armed again, and its vendor's thread calls again.
    watched.lost.store(true, SeqCst);
    wait("the loss", || reins[0].snapshots.take().0.input.read.is_err());
    watched.lost.store(false, SeqCst);
    reins[0].commands.publish(&Commands { rearm: 1, ..Commands::default() });
    wait("arming", || watched.armed.load(SeqCst) == 2);
    let before = counts();
    wait("cycles by the new thread", || counts()[1] > before[1] + 100);
    wait("force", || reins[0].snapshots.take().0.output.report.phase == Phase::Running);
    let arms = running.stop().expect("the thread did not panic");
    assert_eq!(arms.iter().count(), 1);
    let after = counts();
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(counts(), after, "no call after the end");
}

#[test]
fn two_vendors_that_both_want_to_call_are_refused() {
    let session = session(Plan { arms: 2, ..plan("small", &[]) });
    let device =
        |session: &Session, arm| session.device(arm, Pace::Real).map(|d| CallbackDevice::new(d, session.period()));
    let caps = device(&session, 0).unwrap().caps().clone();
    let session = session.attached(vec![caps.clone(), caps]).unwrap();
    let (arms, _reins) = session.arms_with(|_| None, |arm| Ok(Box::new(device(&session, arm)?))).unwrap();
    let told = start(arms, None).err().unwrap().to_string();
    assert!(told.contains("vendor's thread"), "{told}");
}

/// On the virtual clock, where no machine is busy.
#[test]
fn the_other_hand_feels_the_same_while_a_device_is_armed() {
    let script = "hand.script=[{move=[0,0,-0.008],seconds=0.2}]";
    // Without the passivity controller, which does not know that the other hand works too.
    let session = session(Plan { arms: 2, passivity: false, ..plan("small", &[script]) });
    let devices = |arm: u8| -> Result<Box<dyn Device>, _> {
        let mut device = session.device(arm, Pace::Virtual(session.period()))?;
        if arm == 0 {
            device.sim.inject(SimFault::GoneOnRead, 1500, 5).unwrap();
        }
        Ok(Box::new(device))
    };
    let (mut arms, mut reins) = session.arms_with(|_| None, devices).unwrap();
    arms.iter_mut().next().unwrap().arm_virtually(3000);
    let (mut before, mut largest, mut away, mut tick) = (0.0, 0.0_f64, 0, 0);
    run_virtual(&mut arms, |arms, _| {
        let [first, second] = [0, 1].map(|i| *arms.iter().nth(i).unwrap().snapshot());
        let force = second.output.sent.wrench()[2];
        if first.input.read == Err(DeviceError::Arming) {
            away += 1;
            largest = largest.max((force - before).abs());
            assert_eq!((*first.output.sent.wrench(), second.output.report.phase), (Vec6::zeros(), Phase::Running));
        } else if away == 0 {
            before = force;
        }
        tick += 1;
        reins[0].commands.publish(&Commands { rearm: u32::from(tick > 1508), ..Commands::default() });
        tick < 6000
    });
    println!("{before:.3} N, and {largest:.4} N from that at most in {away} cycles");
    assert!(before < -1.0 && largest < 0.1 && away == 3001, "{before} N, {largest} N, {away} cycles");
    assert_eq!(arms.iter().next().unwrap().snapshot().output.report.phase, Phase::Running);
}

#[test]
fn a_device_that_cannot_be_armed_says_why_and_gets_no_force() {
    let session = session(plan("small", &[]));
    let devices = |arm: u8| -> Result<Box<dyn Device>, _> {
        let mut device = session.device(arm, Pace::Virtual(session.period()))?;
        device.sim.inject(SimFault::GoneOnRead, 700, 5).unwrap();
        device.sim.inject(SimFault::BusyAtArm, 690, 30).unwrap();
        Ok(Box::new(device))
    };
    let (mut arms, mut reins) = session.arms_with(|_| None, devices).unwrap();
    let mut tick = 0;
    run_virtual(&mut arms, |arms, _| {
        let snapshot = *arms.iter().next().unwrap().snapshot();
        match tick {
            690 => assert!(snapshot.output.report.phase == Phase::Running),
            // Time stands still without reads: the device stays busy until it is tried again.
            715..=900 => {
                assert_eq!(
                    (snapshot.input.read, *snapshot.output.sent.wrench()),
                    (Err(DeviceError::Busy), Vec6::zeros())
                );
                assert_eq!(snapshot.output.report.phase, Phase::Waiting);
            }
            _ => {}
        }
        tick += 1;
        reins[0].commands.publish(&Commands { rearm: u32::from(tick > 710), ..Commands::default() });
        tick < 900
    });
}

/// What a weight did to a light hand.
#[derive(Debug)]
struct Swings {
    /// The largest change of the sent force from cycle to cycle (N).
    change: f64,
    /// The least and the largest force sent along the weight, as shares of it.
    share: [f64; 2],
    /// Cycles in which the passivity controller acted.
    acted: u64,
}

/// A light hand that carries a part through the air by a script, after the soft start.
fn swings(mass: f64, script: &str, passivity: bool) -> Swings {
    let (weight, mass) = (9.81 * mass, format!("held.mass={mass}"));
    let set = [&*mass, "hand.from={position=[0,0,0.06]}", "run.seconds=3", script];
    let mut rig = Rig::new(&session(Plan { hand: HandWord::Light, passivity, ..plan("small", &set) }));
    let mut last = *rig.run(600).sent.wrench();
    let acted = |rig: &Rig| {
        let report = rig.servo.ports()[0].envelope().report();
        report.interventions_of(Intervention::PassivityScaled) + report.interventions_of(Intervention::PassivityDamped)
    };
    let before = acted(&rig);
    let mut out = Swings { change: 0.0, share: [f64::INFINITY, 0.0], acted: 0 };
    for _ in 0..2400 {
        let output = rig.run(1);
        assert_eq!((output.report.phase, output.hand.contacts), (Phase::Running, 0));
        let now = *output.sent.wrench();
        out.change = out.change.max((now - last).fixed_rows::<3>(0).norm());
        let share = -now[2] / weight;
        out.share = [out.share[0].min(share), out.share[1].max(share)];
        last = now;
    }
    out.acted = acted(&rig) - before;
    out
}

#[test]
fn a_weight_in_a_light_hand_does_not_swing() {
    let ways = [
        ("held", "hand.script=[{wait=3}]"),
        ("lowered", "hand.script=[{wait=0.5},{move=[0,0,-0.02],seconds=1},{wait=2}]"),
        (
            "shaken",
            "hand.script=[{move=[0,0,-0.02],seconds=0.7},{move=[0,0,0.01],seconds=0.3},{move=[0,0,-0.01],seconds=0.3},{move=[0,0,0.01],seconds=0.3},{wait=2}]",
        ),
    ];
    for mass in [0.05, 0.1, 0.3] {
        for (way, script) in ways {
            let (on, off) = (swings(mass, script, true), swings(mass, script, false));
            println!("{way}, {mass} kg: {on:?}; without the controller {off:?}");
            assert!(on.change < 1e-6, "{way}, {mass} kg: a change of {} N in a cycle", on.change);
        }
    }
}

/// A device that its maker allows 3 N and 0.05 N m.
fn weak() -> SimParams {
    let usual = SimParams::default();
    let chain = Chain { force: [1.0, 3.0], torque: [0.02, 0.05], ..usual.chain };
    SimParams { name: "weak device".into(), stiffness: [300.0, 0.1], chain, ..usual }
}

/// Drives a scene whose hands press without yielding; the largest force and torque that each device was sent, and all cycles.
fn pressed(session: &Session, params: &[SimParams]) -> (Vec<[f64; 2]>, Vec<Entry>) {
    let devices = |arm: u8| -> Result<Box<dyn Device>, _> {
        let params = SimParams { hand: SimHand::Free, ..params[usize::from(arm)].clone() };
        let scene = &session.world.scene;
        let hand =
            if arm == 0 { scene.hand().clone() } else { stiction_scene::Hand::resting(scene.world_from_fixed()) };
        let mapping = Mapping::new(params.caps().actuated);
        Ok(Box::new(SceneDevice::new(params, hand, mapping, Pace::Virtual(session.period()))?))
    };
    let (mut arms, _reins) = session.arms_with(|_| None, devices).unwrap();
    let (mut most, mut entries) = (vec![[0.0_f64; 2]; params.len()], Vec::new());
    run_virtual(&mut arms, |arms, _| {
        for (arm, most) in arms.iter().zip(&mut most) {
            let (force, torque) = halves(arm.sent().wrench());
            *most = [most[0].max(force.norm()), most[1].max(torque.norm())];
            // The count is already that of the next cycle.
            entries.push(entry(&Snapshot { cycle: arm.snapshot().cycle - 1, ..*arm.snapshot() }));
        }
        entries.len() < 1400 * params.len()
    });
    (most, entries)
}

const PRESS: &str = "hand.script=[{move=[0.01,0.01,-0.03],turn={axis=[0,1,0],angle_deg=40},seconds=1}]";

#[test]
fn a_device_with_3_n_never_sees_more_than_3_n() {
    let params = [weak(), SimParams::touch_like()];
    for arms in [1, 2] {
        let session = session(Plan { arms, ..plan("small", &[PRESS]) });
        let params = &params[..usize::from(arms)];
        // Without its capabilities nothing is sent to it at all.
        let other = |_| Ok(Box::new(PacedDevice::new(SimDevice::new(weak())?, 1e-3)) as Box<dyn Device>);
        let told = session.arms_with(|_| None, other).err().unwrap().to_string();
        assert!(told.contains("weak device") && told.contains("attached"), "{told}");
        let session = session.attached(params.iter().map(SimParams::caps).collect()).unwrap();
        assert!(session.world.scene.settings.coupling.stiffness <= 300.0);
        let (most, entries) = pressed(&session, params);
        println!("{arms} arms: at most {most:?} N and N m");
        for (most, params) in most.iter().zip(params) {
            let caps = params.caps();
            assert!(most[0] <= caps.force[1] && most[1] <= caps.torque[1], "{}: {most:?}", caps.name);
            // Nearly all of it: the coupling asks for what the device has.
            assert!(most[0] > 0.5 * caps.force[1], "{}: {most:?}", caps.name);
        }
        // The recording says with what, and replays without the device.
        let header = session.header("test", 0);
        assert!(header.device.starts_with("weak device"), "{}", header.device);
        assert_eq!(header.parameters["device.0.force"], "1.0 3.0");
        let plan = Plan::recorded(&header).unwrap();
        assert_eq!(plan, Plan { recorded: true, ..session.plan.clone() });
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &header, WriteOptions::default()).unwrap();
        entries.iter().for_each(|e| writer.add(e).unwrap());
        writer.finish().unwrap();
        drop(writer);
        let found = support::session(plan).replay(&mut Recording::new(Cursor::new(bytes)).unwrap(), |_, _| true);
        assert_eq!(found.unwrap(), Replayed { ticks: entries.len() as u64, ..Replayed::default() });
    }
}
