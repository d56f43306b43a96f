//! The thread of the loop.

use super::follow::Follower;
use super::lane::Asked;
use super::stand::Stand;
use super::view::View;
use super::{EVERY, PROBE_EVERY, Source, Wish};
use rtrb::{Consumer, Producer, RingBuffer};
use std::io;
use std::sync::Arc;
use stiction::spatial::Pose;
use stiction_device::handover::{Latest, Publisher, latest};
use stiction_device::{LoopClock, Periodic, PeriodicThread, periodic};

/// Room in the rings: far more than are ever on their way.
const ROOM: usize = 64;

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
pub fn start(stand: Box<Stand>, view: View, priority: Option<i32>) -> io::Result<(PeriodicThread<Loop>, LiveEnds)> {
    let (mut inner, ends) = make(stand, view);
    let thread = PeriodicThread::start("stiction-view-loop", priority, Arc::default(), move |stop, stats| {
        periodic::run(&mut inner, stop, stats);
        inner
    })?;
    Ok((thread, ends))
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
    /// Ticks that are due.
    ticks: LoopClock,
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

impl Periodic for Loop {
    fn period(&self) -> u64 {
        self.stand.period
    }

    fn cycle(&mut self, _now: u64, late: u64) -> bool {
        self.clock.late = self.clock.late.max(late);
        self.once()
    }

    fn skipped(&mut self, deadlines: u64) {
        self.clock.skipped += deadlines;
    }
}

impl Loop {
    /// One period of real time; whether anything ticked. Allocates nothing, waits for nothing.
    pub fn once(&mut self) -> bool {
        let (wish, _) = self.wish.take();
        let changed = self.change();
        self.take_back();
        self.clock.cycles += 1;
        // A new world begins with a tick, also in a pause.
        let first = u64::from(std::mem::take(&mut self.first));
        let ticks = self.clock.ticks.ticks(&wish.tempo, first);
        (0..ticks).for_each(|_| self.tick(&wish));
        // By real time, so that margins keep up in slow motion, and catch up in a pause.
        let (cycles, now) = (self.clock.cycles, self.clock.of_stand);
        if now > 0 && now != self.clock.asked && (cycles.is_multiple_of(PROBE_EVERY) || now == 1) && self.ask() {
            self.clock.asked = now;
        }
        if changed || self.clock.cycles.is_multiple_of(EVERY) || (wish.tempo.paused && ticks > 0) {
            self.show(&wish);
        }
        ticks > 0
    }

    /// Takes the newest world, if there is one.
    fn change(&mut self) -> bool {
        let mut changed = false;
        while let Ok(stand) = self.new_stands.pop() {
            let old = std::mem::replace(&mut self.stand, stand);
            if self.stand.keeps_slip {
                for (lane, old) in self.stand.lanes.iter_mut().zip(&old.lanes) {
                    lane.go_on_from(old);
                }
            }
            throw(&mut self.done, Trash::Stand(old));
            changed = true;
            self.hand = Follower::new(self.stand.first);
            let clock = &mut self.clock;
            (clock.now, clock.of_stand, clock.asked) = (0, 0, 0);
            // A world that goes on begins with a tick, also in a pause: until then nothing is known of its contacts.
            self.first = self.stand.elapsed.is_some();
            match self.stand.elapsed {
                Some(elapsed) => clock.time = elapsed,
                None => {
                    (clock.time, clock.tick, clock.script) = (0.0, 0, 0.0);
                    clock.ticks.reset();
                }
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
            Source::Part => self.stand.lanes.first().map_or(*self.hand.pose(), |lane| lane.hand().body),
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
            (view.source, view.seq) = (wish.source, wish.seq);
            (view.paused, view.speed) = (wish.tempo.paused, wish.tempo.speed);
            let device = stand.lanes.first().filter(|lane| lane.has_device());
            (view.time, view.tick) = (clock.time, clock.tick);
            (view.hand, view.device) = (device.map_or(*hand.pose(), |lane| lane.hand().hand), device.is_some());
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
