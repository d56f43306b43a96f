//! The thread of the loop.

use super::follow::Follower;
use super::lane::Asked;
use super::stand::Stand;
use super::view::View;
use super::{EVERY, PROBE_EVERY, Source, Wish};
use rtrb::{Consumer, Producer, RingBuffer};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread::JoinHandle;
use stiction::spatial::Pose;
use stiction_device::Stats;
use stiction_device::handover::{Latest, Publisher, latest};
use stiction_device::realtime::{self, Granted};

/// Room in the rings: far more than are ever on their way.
const ROOM: usize = 64;
/// Most single steps in one cycle, so that a thousand of them do not hold it up.
const STEPS: u64 = 4;

/// What the loop is done with, to be dropped elsewhere.
pub enum Trash {
    /// A world.
    Stand(Box<Stand>),
    /// The probe of a world that is gone.
    Probe(Box<Asked>),
}

/// The ends of the loop that stay outside.
pub struct LiveEnds {
    /// What it shall do.
    pub wishes: Publisher<Wish>,
    /// What it does.
    pub views: Latest<View>,
    /// New worlds.
    pub stands: Producer<Box<Stand>>,
    /// What it is done with.
    pub trash: Consumer<Trash>,
    /// Questions for margins.
    pub asked: Consumer<Box<Asked>>,
    /// The probes back.
    pub answered: Producer<Box<Asked>>,
}

/// A loop at work. Dropping it stops it.
pub struct Live {
    thread: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    stats: Arc<Stats>,
    granted: Granted,
}

impl Live {
    /// How it does.
    pub fn stats(&self) -> &Arc<Stats> {
        &self.stats
    }

    /// What the system granted.
    pub fn granted(&self) -> &Granted {
        &self.granted
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A loop with a world, for whoever calls its [`cycle`](Loop::cycle), and its other ends.
pub fn make(stand: Box<Stand>, view: View) -> (Loop, LiveEnds) {
    let (wishes, wish) = latest(Wish::new());
    let (shown, views) = latest(view);
    let (stands, new_stands) = RingBuffer::new(ROOM);
    let (done, trash) = RingBuffer::new(ROOM);
    let (asking, asked) = RingBuffer::new(ROOM);
    let (answered, answers) = RingBuffer::new(ROOM);
    let hand = Follower::new(stand.first);
    let inner =
        Loop { stand, hand, wish, shown, new_stands, done, asking, answers, clock: Clock::default(), first: false };
    (inner, LiveEnds { wishes, views, stands, trash, asked, answered })
}

/// Starts a thread that cycles at absolute deadlines.
///
/// # Errors
/// Where the system makes no thread.
pub fn start(stand: Box<Stand>, view: View, priority: Option<i32>) -> io::Result<(Live, LiveEnds)> {
    let (mut inner, ends) = make(stand, view);
    let (stop, stats) = (Arc::new(AtomicBool::new(false)), Arc::new(Stats::default()));
    let (told, heard) = mpsc::channel();
    let (stopping, counting) = (Arc::clone(&stop), Arc::clone(&stats));
    let thread = std::thread::Builder::new().name("stiction-view-loop".into()).spawn(move || {
        let refused = || Granted { priority: Err("not asked for".into()), locked: Err("not asked for".into()) };
        // Whoever started this may be gone already.
        let _ = told.send(priority.map_or_else(refused, realtime::acquire));
        inner.cycles(&stopping, &counting);
    })?;
    let granted = heard.recv().map_err(|_| io::Error::other("the loop's thread ended at once"))?;
    Ok((Live { thread: Some(thread), stop, stats, granted }, ends))
}

/// Time as the loop has it.
#[derive(Default)]
struct Clock {
    /// Simulated time since the stand began (ns), and since the last reset (s).
    now: u64,
    time: f64,
    tick: u64,
    /// Since the script took over (s).
    script: f64,
    /// Ticks that are due, and single steps that were done.
    due: f64,
    steps: u64,
    source: Option<Source>,
    late: u64,
    skipped: u64,
    cycles: u64,
    /// Ticks since the stand began, and the one of which margins were last asked.
    of_stand: u64,
    asked: u64,
}

/// The loop itself.
pub struct Loop {
    stand: Box<Stand>,
    hand: Follower,
    wish: Latest<Wish>,
    shown: Publisher<View>,
    new_stands: Consumer<Box<Stand>>,
    done: Producer<Trash>,
    asking: Producer<Box<Asked>>,
    answers: Consumer<Box<Asked>>,
    clock: Clock,
    /// The stand is new.
    first: bool,
}

impl Loop {
    fn cycles(&mut self, stop: &AtomicBool, stats: &Stats) {
        let mut deadline = realtime::now() + self.stand.period;
        let mut last = None;
        while !stop.load(Relaxed) {
            realtime::sleep_until(deadline);
            let now = realtime::now();
            let late = now.saturating_sub(deadline);
            self.clock.late = self.clock.late.max(late);
            let begun = realtime::thread_time();
            let ticks = self.cycle();
            if ticks {
                stats.compute.add(realtime::thread_time().saturating_sub(begun));
            }
            stats.late.add(late);
            if let Some(last) = last {
                stats.period.add(now.saturating_sub(last));
            }
            last = Some(now);
            let period = self.stand.period;
            deadline += period;
            let behind = realtime::now().saturating_sub(deadline) / period;
            if behind > 0 {
                self.clock.skipped += behind;
                stats.skipped.store(stats.skipped.load(Relaxed) + behind, Relaxed);
                deadline += behind * period;
            }
        }
    }

    /// One period of real time; whether anything ticked. Allocates nothing, waits for nothing.
    pub fn cycle(&mut self) -> bool {
        let (wish, _) = self.wish.take();
        let changed = self.change();
        self.take_back();
        let clock = &mut self.clock;
        clock.cycles += 1;
        let before = clock.tick;
        if wish.paused {
            clock.due = 0.0;
            let steps = wish.steps.saturating_sub(clock.steps).min(STEPS);
            clock.steps += steps;
            let first = u64::from(std::mem::take(&mut self.first) && steps == 0);
            (0..steps + first).for_each(|_| self.tick(&wish));
        } else {
            self.first = false;
            clock.steps = wish.steps;
            clock.due += wish.speed.clamp(0.0, 1.0);
            if clock.due >= 1.0 {
                clock.due -= 1.0;
                self.tick(&wish);
            }
        }
        let ticked = self.clock.tick != before;
        // By real time, so that margins keep up in slow motion, and catch up in a pause.
        let (cycles, now) = (self.clock.cycles, self.clock.of_stand);
        if now > 0 && now != self.clock.asked && (cycles.is_multiple_of(PROBE_EVERY) || now == 1) && self.ask() {
            self.clock.asked = now;
        }
        if changed || self.clock.cycles.is_multiple_of(EVERY) || (wish.paused && ticked) {
            self.show(&wish);
        }
        ticked
    }

    /// Takes the newest world, if there is one.
    fn change(&mut self) -> bool {
        let mut changed = false;
        while let Ok(stand) = self.new_stands.pop() {
            let old = std::mem::replace(&mut self.stand, stand);
            throw(&mut self.done, Trash::Stand(old));
            changed = true;
            self.hand = Follower::new(self.stand.first);
            let clock = &mut self.clock;
            (clock.now, clock.of_stand, clock.asked) = (0, 0, 0);
            // A world that goes on begins with a tick, also in a pause: until then nothing is known of its contacts.
            self.first = self.stand.elapsed.is_some();
            match self.stand.elapsed {
                Some(elapsed) => clock.time = elapsed,
                None => (clock.time, clock.tick, clock.script, clock.due) = (0.0, 0, 0.0, 0.0),
            }
        }
        changed
    }

    /// Takes probes back, or throws those of worlds that are gone.
    fn take_back(&mut self) {
        while let Ok(asked) = self.answers.pop() {
            match self.stand.lanes.get_mut(asked.lane).filter(|_| asked.stand == self.stand.number) {
                Some(lane) => lane.asked = Some(asked),
                None => throw(&mut self.done, Trash::Probe(asked)),
            }
        }
    }

    fn tick(&mut self, wish: &Wish) {
        let period = self.stand.period;
        let h = period as f64 * 1e-9;
        let clock = &mut self.clock;
        if clock.source != Some(wish.source) {
            if clock.source.is_some() {
                self.hand.taken_over();
            }
            if wish.source == Source::Script && clock.script > 0.0 {
                clock.script = 0.0;
            }
            clock.source = Some(wish.source);
        }
        clock.now += period;
        clock.time += h;
        clock.tick += 1;
        clock.of_stand += 1;
        let goal = match wish.source {
            Source::Script => {
                clock.script += h;
                self.stand.script.pose(clock.script)
            }
            Source::Page => wish.hand,
            Source::Part => self.stand.lanes.first().map_or(*self.hand.pose(), |lane| *lane.part()),
        };
        // The first measurement ties the handle to the scene's hand: it must be exactly there.
        let hand: Pose = if clock.of_stand == 1 { self.stand.first } else { *self.hand.follow(&goal, h) };
        let (now, number) = (clock.now, clock.of_stand);
        for lane in &mut self.stand.lanes {
            lane.tick(now, number, &hand);
        }
    }

    /// Gives away the probes that are here; whether there was one.
    fn ask(&mut self) -> bool {
        let mut any = false;
        for lane in &mut self.stand.lanes {
            if self.asking.is_full() {
                return any;
            }
            any |= lane.asked.is_some();
            if let Some(asked) = lane.ask()
                && let Err(rtrb::PushError::Full(asked)) = self.asking.push(asked)
            {
                lane.asked = Some(asked);
            }
        }
        any
    }

    fn show(&mut self, wish: &Wish) {
        let (stand, clock, hand) = (&mut self.stand, &mut self.clock, &self.hand);
        self.shown.publish_with(|view| {
            (view.stand, view.generation) = (stand.number, stand.generation);
            (view.source, view.paused, view.speed, view.seq) = (wish.source, wish.paused, wish.speed, wish.seq);
            (view.time, view.tick, view.hand) = (clock.time, clock.tick, *hand.pose());
            (view.skipped, view.cycles) = (clock.skipped, clock.cycles);
            view.late = std::mem::take(&mut clock.late);
            view.lanes = stand.lanes.len() as u32;
            for (lane, to) in stand.lanes.iter_mut().zip(&mut view.lane) {
                lane.show(to);
            }
        });
    }
}

/// Gives something away to be dropped; where there is no room it is leaked, since dropping takes time.
fn throw(done: &mut Producer<Trash>, what: Trash) {
    if let Err(rtrb::PushError::Full(what)) = done.push(what) {
        std::mem::forget(what);
    }
}
