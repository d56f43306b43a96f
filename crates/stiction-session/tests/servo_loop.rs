//! The loop on its own thread and the real clock: cycles, commands, the end; a device that panics; nothing allocated. No wake-up times are
//! judged here: the machine may be busy.

mod support;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};
use stiction::simulation::HandInput;
use stiction_device::servo_loop::start;
use stiction_device::{Applied, Caps, Commands, Device, DeviceError, DeviceState, Phase, SafeWrench};
use stiction_record::{Recorder, WriteOptions};
use stiction_session::{Pace, Plan, RecordSink, SceneDevice, Session, SummedEngine};
use stiction_testing::alloc::{Counting, Counts, counts};
use support::{plan, session};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What happens inside the loop, seen from outside.
#[derive(Default)]
struct Seen {
    reads: AtomicU64,
    /// Allocations of the loop's thread between its first read and its last.
    allocated: AtomicU64,
    disarmed: AtomicBool,
    /// What is to go wrong in the next read.
    panics: AtomicBool,
    allocates: AtomicBool,
    lost: AtomicBool,
    /// How often it was armed.
    armed: AtomicU64,
}

struct Probe {
    device: SceneDevice,
    seen: Arc<Seen>,
    first: Option<u64>,
}

impl Device for Probe {
    fn caps(&self) -> &Caps {
        self.device.caps()
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.seen.disarmed.store(false, SeqCst);
        self.seen.armed.fetch_add(1, SeqCst);
        self.device.arm()
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        if self.seen.panics.load(SeqCst) {
            resume_unwind(Box::new(()));
        }
        if self.seen.allocates.swap(false, SeqCst) {
            drop(std::hint::black_box(Box::new(1)));
        }
        let Counts { allocations, releases, .. } = counts();
        let now = allocations + releases;
        let first = *self.first.get_or_insert(now);
        self.seen.allocated.store(now - first, SeqCst);
        self.seen.reads.fetch_add(1, SeqCst);
        if self.seen.lost.swap(false, SeqCst) {
            return Err(DeviceError::Gone);
        }
        self.device.read()
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.device.write(wrench)
    }

    fn disarm(&mut self) {
        self.seen.disarmed.store(true, SeqCst);
        self.device.disarm();
    }
}

fn probe(session: &Session, arm: u8, seen: &Arc<Seen>) -> Box<dyn Device> {
    Box::new(Probe { device: session.device(arm, Pace::Real).unwrap(), seen: Arc::clone(seen), first: None })
}

/// The copies of what adds up a part's motion once had no room for its slides and contacts.
#[test]
fn ticks_that_are_summed_up_allocate_nothing_and_are_told_as_they_were() {
    for (set, arms) in [(vec![], 1), (vec![], 2), (vec!["contact={model=\"hard\"}"], 1)] {
        let mut plan = plan("small", &set);
        plan.arms = arms;
        let session = session(plan);
        let scene = &session.world.scene;
        let mut engine = session.summed_simulation(false).unwrap();
        let copy = engine.fork();
        let second = HandInput::at(scene.world_from_fixed());
        let before = counts();
        for tick in 0..1400 {
            let hand = HandInput::at(scene.hand().pose(f64::from(tick) / 1000.0));
            engine.tick(&[hand, second], session.period());
        }
        let after = counts();
        assert_eq!((before.allocations, before.releases), (after.allocations, after.releases), "{set:?}, {arms} hands");
        let told = SummedEngine::summaries(&*engine);
        assert_eq!(told.len(), usize::from(arms));
        assert!(
            told.iter().all(|s| s.ticks == 1400 && s.motion.slipped_m > 1e-3 && s.motion.slide_count > 0),
            "{told:?}"
        );
        assert!(SummedEngine::summaries(&*copy).iter().all(|s| s.ticks == 0), "a copy goes on by itself");
        assert!(SummedEngine::summaries(&*session.simulation(false).unwrap()).is_empty());
    }
}

/// Waits until it is so, for some seconds at most.
fn wait(what: &str, mut so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}: not after 20 s");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn cycles_commands_and_snapshots_pass_and_nothing_is_allocated() {
    // Pressed down for good.
    let session = session(plan("small", &["hand.script=[{move=[0,0,-0.008],seconds=0.2}]"]));
    let seen = Arc::new(Seen::default());
    let header = session.header("test", 0);
    let (recorder, [feed]) = Recorder::start(std::io::sink(), &header, WriteOptions::default()).unwrap();
    let mut feed = Some(feed);
    let sink = |_| feed.take().map(|feed| Box::new(RecordSink::new(feed, false)) as Box<_>);
    let (arms, mut reins) = session.arms_with(sink, |arm| Ok(probe(&session, arm, &seen))).unwrap();
    let reins = &mut reins[0];
    let running = start(arms, None).unwrap();
    assert!(running.granted().priority.is_err() && !running.ended());
    let mut largest = 0.0_f64;
    let mut look = |so: &dyn Fn(&stiction_device::Snapshot) -> bool| {
        let (snapshot, _) = reins.snapshots.take();
        largest = largest.max(snapshot.output.sent.wrench().norm());
        so(&snapshot)
    };
    wait("cycles", || look(&|s| s.cycle > 300));
    wait("force", || look(&|s| s.output.hand.contacts > 0 && s.output.sent.wrench().norm() > 0.0));
    reins.commands.publish(&Commands { clutch: true, ..Commands::default() });
    wait("clutch", || reins.snapshots.take().0.input.commands.clutch);
    reins.commands.publish(&Commands { stop: true, ..Commands::default() });
    wait("stop", || reins.snapshots.take().0.output.report.phase == Phase::Latched);
    reins.commands.publish(&Commands { rearm: 1, ..Commands::default() });
    wait("rearm", || reins.snapshots.take().0.output.report.phase != Phase::Latched);
    // A lost device is armed on another thread, and comes back. The command must come in the very cycle of the loss: it is lost until that is so.
    let mut rearm = 1;
    wait("arming", || {
        rearm += 1;
        seen.lost.store(true, SeqCst);
        reins.commands.publish(&Commands { rearm, ..Commands::default() });
        seen.armed.load(SeqCst) > 1
    });
    seen.lost.store(false, SeqCst);
    wait("its measurements", || reins.snapshots.take().0.input.read.is_ok());
    let reads = seen.reads.load(SeqCst);
    assert!(reads > 300, "{reads} reads");
    assert_eq!(seen.allocated.load(SeqCst), 0, "allocations in {reads} cycles");
    // The counter would have seen one.
    seen.allocates.store(true, SeqCst);
    wait("allocation", || seen.allocated.load(SeqCst) > 0);
    let stats = Arc::clone(running.stats());
    let mut arms = running.stop().expect("the thread did not panic");
    assert!(largest > 0.0, "{largest} N");
    // All but those without the device.
    let (reads, cycles) = (seen.reads.load(SeqCst), stats.compute.count());
    assert!(cycles > reads);
    assert_eq!((stats.late.count(), stats.period.count()), (cycles, cycles - 1));
    assert!(seen.disarmed.load(SeqCst));
    let arm = arms.iter_mut().next().unwrap();
    assert_eq!((arm.is_dead(), arm.snapshot().cycle), (false, cycles));
    assert_eq!(arm.device_mut().unwrap().read(), Err(DeviceError::NotArmed));
    drop(arms);
    let counts = recorder.finish().unwrap();
    assert_eq!((counts.accepted + counts.dropped, counts.written), (cycles, counts.accepted));
}

#[test]
fn a_device_that_panics_loses_its_arm_and_nothing_else() {
    let session = session(Plan { arms: 2, ..plan("small", &[]) });
    let seen = [Arc::new(Seen::default()), Arc::new(Seen::default())];
    let (arms, mut reins) =
        session.arms_with(|_| None, |arm| Ok(probe(&session, arm, &seen[usize::from(arm)]))).unwrap();
    let running = start(arms, None).unwrap();
    wait("cycles", || seen.iter().all(|s| s.reads.load(SeqCst) > 50));
    seen[0].panics.store(true, SeqCst);
    wait("disarm", || seen[0].disarmed.load(SeqCst));
    let (dead, living) = (seen[0].reads.load(SeqCst), seen[1].reads.load(SeqCst));
    wait("the other arm", || seen[1].reads.load(SeqCst) > living + 100);
    assert_eq!(seen[0].reads.load(SeqCst), dead);
    assert!(!seen[1].disarmed.load(SeqCst) && !running.ended());
    let cycle = reins[1].snapshots.take().0.cycle;
    wait("its snapshots", || reins[1].snapshots.take().0.cycle > cycle);
    let arms = running.stop().expect("the thread did not panic");
    assert_eq!(arms.iter().map(|a| a.is_dead()).collect::<Vec<_>>(), [true, false]);
    assert!(seen[1].disarmed.load(SeqCst));
}

#[test]
fn dropping_a_running_loop_disarms() {
    let session = session(plan("small", &[]));
    let seen = Arc::new(Seen::default());
    let (arms, _reins) = session.arms_with(|_| None, |arm| Ok(probe(&session, arm, &seen))).unwrap();
    let running = start(arms, None).unwrap();
    wait("cycles", || seen.reads.load(SeqCst) > 20);
    assert!(!seen.disarmed.load(SeqCst));
    drop(running);
    assert!(seen.disarmed.load(SeqCst));
}
