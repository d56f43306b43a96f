//! An engine that is slower than the loop, run beside it on a thread of its own.
//!
//! Engines know no thread. [`SlowEngine`] gives the hands of a tick to an engine on another thread, and takes its result some ticks later: not before the engine's own period has passed, and not
//! before the result is there. The ticks in between have the last result, with the wrench led on along the hand's motion by the engine's own
//! [`felt_stiffness`](Simulation::felt_stiffness), if it has one. The column `exchanged` says in which ticks results were taken. A replay reads it and takes
//! them in the same ticks, computed on the spot; since the engine's ticks depend on nothing else, all bits are the same.

use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;
use stiction::columns::{Column, ColumnKind, Row};
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::{Mat6, Pose, Vec6, join, log};
use stiction_device::FailingSimulation;

/// Most hands and bodies of an engine that runs beside the loop.
const MOST_HANDS: usize = 2;
const MOST_BODIES: usize = 16;
/// How often the engine's thread looks for work while it has none.
const LOOK: Duration = Duration::from_micros(100);

/// Input of one tick of the engine.
#[derive(Clone, Copy, Debug)]
struct Job {
    hands: [HandInput; MOST_HANDS],
    period: f64,
    /// Puts the body of a hand there before the tick.
    place: Option<(usize, Pose)>,
}

/// What a tick of the engine did.
#[derive(Clone, Copy, Debug)]
struct Done {
    hands: [HandTick; MOST_HANDS],
    rows: [Row; MOST_HANDS],
    stiffness: [Option<Mat6>; MOST_HANDS],
    bodies: [Pose; MOST_BODIES],
    coarse_ticks: u64,
}

impl Done {
    fn of(engine: &dyn Simulation) -> Done {
        let blank = HandTick::blank(Pose::identity());
        let mut done = Done {
            hands: [blank; MOST_HANDS],
            rows: [Row::default(); MOST_HANDS],
            stiffness: [None; MOST_HANDS],
            bodies: [Pose::identity(); MOST_BODIES],
            coarse_ticks: engine.coarse_ticks(),
        };
        for hand in 0..engine.hand_count().min(MOST_HANDS) {
            done.hands[hand] = engine.hand(hand);
            engine.record(hand, &mut done.rows[hand]);
            done.stiffness[hand] = engine.felt_stiffness(hand);
        }
        for body in 0..engine.body_count().min(MOST_BODIES) {
            done.bodies[body] = engine.body(body);
        }
        done
    }
}

fn work(engine: &mut dyn Simulation, job: &Job) -> Done {
    if let Some((hand, pose)) = job.place {
        engine.place(hand, &pose);
    }
    engine.tick(&job.hands[..engine.hand_count().min(MOST_HANDS)], job.period);
    Done::of(engine)
}

/// The engine's thread. It ends when the loop's side is dropped.
#[derive(Debug)]
struct Worker {
    jobs: Producer<Job>,
    done: Consumer<Done>,
    forks: mpsc::Sender<mpsc::Sender<Box<dyn Simulation>>>,
    /// Kept so that the thread is not detached by accident; dropped without waiting for it.
    _thread: JoinHandle<()>,
}

impl Worker {
    fn start(mut engine: Box<dyn Simulation>) -> std::io::Result<Worker> {
        let (jobs, mut asked) = RingBuffer::<Job>::new(1);
        let (mut answers, done) = RingBuffer::new(1);
        let (forks, fork) = mpsc::channel::<mpsc::Sender<Box<dyn Simulation>>>();
        let body = move || {
            while !asked.is_abandoned() {
                if let Ok(wanted) = fork.try_recv() {
                    let _ = wanted.send(engine.fork());
                }
                match asked.pop() {
                    // There is never more than one on its way.
                    Ok(job) => _ = answers.push(work(&mut *engine, &job)),
                    Err(_) => std::thread::sleep(LOOK),
                }
            }
        };
        let thread = std::thread::Builder::new().name("stiction-engine".into()).spawn(body)?;
        Ok(Worker { jobs, done, forks, _thread: thread })
    }
}

/// The thread on which the engine runs.
#[derive(Debug)]
enum Place {
    /// A thread of its own; with a copy of the engine as it was at first.
    Thread(Worker, Box<dyn Simulation>),
    /// The caller's thread: for replays, which take results in the same ticks as the recorded run did.
    Here(Box<dyn Simulation>),
}

/// An engine that is slower than the loop: it ticks on a thread of its own, and the loop takes a result whenever one is done.
#[derive(Debug)]
pub struct SlowEngine {
    place: Place,
    columns: Vec<Column>,
    hand_count: usize,
    body_count: usize,
    /// Ticks of the loop in a tick of the engine, at least.
    every: u64,
    done: Done,
    /// The hands' poses for which the last result was computed, and the job under way with the tick in which it was given.
    computed_at: [Pose; MOST_HANDS],
    given: Option<(u64, Job)>,
    placed: Option<(usize, Pose)>,
    /// The hands of the last tick, their wrenches led on, and the number of the tick.
    hands: [HandInput; MOST_HANDS],
    wrenches: [Vec6; MOST_HANDS],
    tick: u64,
    exchanged: bool,
    /// A replay says that a result was taken in the next tick.
    expected: Option<bool>,
}

impl SlowEngine {
    /// The column that says whether a result was taken in the tick.
    pub const COLUMN: Column = Column::new("exchanged", ColumnKind::Count);

    /// Runs an engine beside the loop, one of its ticks in at least `every` ticks of the loop.
    ///
    /// # Errors
    /// If the system makes no thread.
    pub fn start(engine: Box<dyn Simulation>, every: u64) -> std::io::Result<SlowEngine> {
        let first = engine.fork();
        let beside = SlowEngine::here(engine.fork(), every);
        Ok(SlowEngine { place: Place::Thread(Worker::start(engine)?, first), ..beside })
    }

    /// The same engine for a replay.
    pub fn here(engine: Box<dyn Simulation>, every: u64) -> SlowEngine {
        let mut columns = engine.columns().to_vec();
        columns.push(SlowEngine::COLUMN);
        let done = Done::of(&*engine);
        let hands = done.hands.map(|tick| HandInput::at(tick.hand));
        SlowEngine {
            columns,
            hand_count: engine.hand_count().min(MOST_HANDS),
            body_count: engine.body_count().min(MOST_BODIES),
            every: every.max(1),
            computed_at: done.hands.map(|tick| tick.hand),
            wrenches: done.hands.map(|tick| tick.wrench),
            done,
            given: None,
            placed: None,
            hands,
            tick: u64::MAX,
            exchanged: false,
            expected: None,
            place: Place::Here(engine),
        }
    }

    /// A copy of the engine as it is now; to be asked outside of the loop. One that panicked has copies that do so, too.
    pub(crate) fn engine(&self) -> Box<dyn Simulation> {
        match &self.place {
            Place::Here(engine) => engine.fork(),
            Place::Thread(worker, first) => {
                let (send, receive) = mpsc::channel();
                let _ = worker.forks.send(send);
                receive.recv().unwrap_or_else(|_| Box::new(FailingSimulation::new(first.fork(), 0)))
            }
        }
    }

    /// Takes the result of the job under way, if it is time and it is there.
    fn take(&mut self) -> Option<Done> {
        let (given, job) = self.given?;
        let due = self.tick.wrapping_sub(given) >= self.every;
        match (&mut self.place, self.expected.take()) {
            (Place::Here(engine), expected) => expected.unwrap_or(due).then(|| work(&mut **engine, &job)),
            // The engine panicked: so does this tick, without a word, and the servo knows what to do.
            (Place::Thread(worker, _), _) if worker.jobs.is_abandoned() => std::panic::resume_unwind(Box::new(())),
            (Place::Thread(worker, _), _) if due => worker.done.pop().ok(),
            _ => None,
        }
    }
}

impl Simulation for SlowEngine {
    fn hand_count(&self) -> usize {
        self.hand_count
    }

    fn tick(&mut self, hands: &[HandInput], period: f64) {
        self.tick = self.tick.wrapping_add(1);
        for (to, hand) in self.hands.iter_mut().zip(hands) {
            *to = *hand;
        }
        let taken = self.take();
        self.exchanged = taken.is_some();
        if let (Some(done), Some((_, job))) = (taken, self.given) {
            self.done = done;
            self.computed_at = job.hands.map(|hand| hand.pose);
            self.given = None;
        }
        if self.given.is_none() {
            let job = Job { hands: self.hands, period: period * self.every as f64, place: self.placed.take() };
            if let Place::Thread(worker, _) = &mut self.place {
                let _ = worker.jobs.push(job);
            }
            self.given = Some((self.tick, job));
        }
        for hand in 0..self.hand_count {
            self.wrenches[hand] = led_on(&self.done, hand, &self.computed_at[hand], &self.hands[hand].pose);
        }
    }

    fn hand(&self, hand: usize) -> HandTick {
        HandTick { tick: self.tick, hand: self.hands[hand].pose, wrench: self.wrenches[hand], ..self.done.hands[hand] }
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn record(&self, hand: usize, row: &mut Row) {
        row.clear();
        self.hand(hand).put(row);
        let own = self.done.rows[hand].words().iter().skip(stiction::simulation::HAND_COLUMNS.len());
        own.for_each(|word| row.put(*word));
        row.put(u64::from(self.exchanged));
    }

    fn body_count(&self) -> usize {
        self.body_count
    }

    fn body(&self, body: usize) -> Pose {
        self.done.bodies[body.min(MOST_BODIES - 1)]
    }

    /// Takes effect in the next tick of the engine.
    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        let good = pose.translation.vector.iter().all(|x| x.is_finite());
        if good {
            self.placed = Some((hand, *pose));
        }
        good
    }

    /// The copy has its engine here: it goes on as a replay does.
    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(SlowEngine::here(self.engine(), self.every))
    }

    fn felt_stiffness(&self, hand: usize) -> Option<Mat6> {
        self.done.stiffness[hand]
    }

    fn expect(&mut self, hand: usize, recorded: &Row) {
        if hand == 0 {
            self.expected = recorded.words().last().map(|word| *word == 1);
        }
    }

    fn coarse_ticks(&self) -> u64 {
        self.done.coarse_ticks
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// The wrench of the last result at a hand, led on to where the hand is now; as it was where that is not known.
fn led_on(done: &Done, hand: usize, from: &Pose, to: &Pose) -> Vec6 {
    let tick = &done.hands[hand];
    let wrench = tick.wrench;
    let Some(stiffness) = done.stiffness[hand] else { return wrench };
    let turned = log(&(to.rotation * from.rotation.inverse()));
    // The hand's motion at the body's centre, by which the stiffness is told.
    let centre = tick.body.inverse_transform_point(&tick.centre.into());
    let moved = to * centre - from * centre;
    let led = wrench + stiffness * join(moved, turned);
    if led.iter().all(|x| x.is_finite()) { led } else { wrench }
}
