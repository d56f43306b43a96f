//! The thread of the loop.

use super::follow::Follower;
use super::lane::{HandMotion, MarginQuestion};
use super::tie::Tie;
use super::view::LoopView;
use super::world::{LiveWorld, MOST_HANDS};
use super::{EVERY, LoopCommands, PROBE_EVERY, Source};
use rtrb::{Consumer, Producer, RingBuffer};
use std::io;
use std::sync::Arc;
use stiction::spatial::{Pose, Vec6};
use stiction_device::handover::{Latest, Publisher, latest};
use stiction_device::{LoopClock, Periodic, PeriodicThread, periodic};

/// Room in the rings: far more than are ever on their way.
const ROOM: usize = 64;

/// Rest of a demonstration before it begins again (s).
const REST: f64 = 0.6;

/// A box that the loop no longer needs. It is dropped on another thread, because freeing memory takes time.
pub enum Retired {
    /// A world that another has replaced.
    World(Box<LiveWorld>),
    /// The probe of a world that is gone.
    Probe(Box<MarginQuestion>),
}

/// Channels to and from the loop, for the threads around it.
pub struct LoopChannels {
    /// Commands to the loop.
    pub commands: Publisher<LoopCommands>,
    /// Views of what the loop does.
    pub views: Latest<LoopView>,
    /// New worlds for the loop.
    pub worlds: Producer<Box<LiveWorld>>,
    /// Worlds and probes that the loop no longer needs.
    pub retired: Consumer<Retired>,
    /// Questions for margins, from the loop.
    pub asked: Consumer<Box<MarginQuestion>>,
    /// Answered questions, whose probes go back to the loop.
    pub answered: Producer<Box<MarginQuestion>>,
}

/// Makes a loop with a world, whose [`cycle`](Loop::cycle) the caller calls, and the channels to it.
pub fn make(world: Box<LiveWorld>, view: LoopView) -> (Loop, LoopChannels) {
    let (commands, command) = latest(LoopCommands::new());
    let (shown, views) = latest(view);
    let (worlds, new_worlds) = RingBuffer::new(ROOM);
    let (done, retired) = RingBuffer::new(ROOM);
    let (asking, asked) = RingBuffer::new(ROOM);
    let (answered, answers) = RingBuffer::new(ROOM);
    let (hands, ties) = (followers(&world), ties(&world));
    let inner = Loop {
        world,
        hands,
        ties,
        command,
        shown,
        new_worlds,
        done,
        asking,
        answers,
        clock: Clock::default(),
        first: false,
    };
    (inner, LoopChannels { commands, views, worlds, retired, asked, answered })
}

/// Starts a thread that cycles at absolute deadlines.
///
/// # Errors
/// If the system starts no thread.
pub fn start(
    world: Box<LiveWorld>,
    view: LoopView,
    priority: Option<i32>,
) -> io::Result<(PeriodicThread<Loop>, LoopChannels)> {
    let (mut inner, ends) = make(world, view);
    let thread = PeriodicThread::start("stiction-view-loop", priority, Arc::default(), move |stop, stats| {
        periodic::run(&mut inner, stop, stats);
        inner
    })?;
    Ok((thread, ends))
}

/// Simulated time of the loop, and counts of its cycles.
#[derive(Default)]
struct Clock {
    /// Simulated time since the world began (ns), and since the last reset (s).
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
    /// The hand that the page moves.
    moved: usize,
    /// Requests to take a body that were seen, and the last message about the hand before the newest of them: the hand stays until there is another one.
    grabs: Option<u32>,
    stays: Option<f64>,
    /// The last message about the hand.
    seq: f64,
    /// Ticks since the world began, and the one of which margins were last asked.
    of_world: u64,
    asked: u64,
}

/// The viewer's loop: ticks all lanes of its world once for each period that is due.
pub struct Loop {
    world: Box<LiveWorld>,
    hands: [Follower; MOST_HANDS],
    ties: [Tie; MOST_HANDS],
    command: Latest<LoopCommands>,
    shown: Publisher<LoopView>,
    new_worlds: Consumer<Box<LiveWorld>>,
    done: Producer<Retired>,
    asking: Producer<Box<MarginQuestion>>,
    answers: Consumer<Box<MarginQuestion>>,
    clock: Clock,
    /// Whether the world is new and has not ticked.
    first: bool,
}

impl Periodic for Loop {
    fn period(&self) -> u64 {
        self.world.period
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
        let (command, _) = self.command.take();
        let changed = self.change();
        self.take_back();
        self.clock.cycles += 1;
        // A new world begins with a tick, also in a pause.
        let first = u64::from(std::mem::take(&mut self.first));
        let ticks = self.clock.ticks.ticks(&command.tempo, first);
        (0..ticks).for_each(|_| self.tick(&command));
        // By real time, so that margins keep up in slow motion, and catch up in a pause.
        let (cycles, now) = (self.clock.cycles, self.clock.of_world);
        if now > 0 && now != self.clock.asked && (cycles.is_multiple_of(PROBE_EVERY) || now == 1) && self.ask() {
            self.clock.asked = now;
        }
        if changed || self.clock.cycles.is_multiple_of(EVERY) || (command.tempo.paused && ticks > 0) {
            self.show(&command);
        }
        ticks > 0
    }

    /// Takes the newest world, if there is one.
    fn change(&mut self) -> bool {
        let mut changed = false;
        while let Ok(world) = self.new_worlds.pop() {
            let old = std::mem::replace(&mut self.world, world);
            if self.world.keeps_slip {
                let many = self.world.many;
                for (number, lane) in self.world.lanes.iter_mut().enumerate() {
                    // A second lane begins where the first is: all bodies have moved, and not only one.
                    if let Some(old) = old.lanes.get(number).or(old.lanes.first().filter(|_| many)) {
                        lane.go_on_from(old);
                    }
                }
            }
            retire(&mut self.done, Retired::World(old));
            changed = true;
            (self.hands, self.ties) = (followers(&self.world), ties(&self.world));
            let clock = &mut self.clock;
            (clock.now, clock.of_world, clock.asked) = (0, 0, 0);
            // A world that goes on begins with a tick, also in a pause: until then nothing is known of its contacts.
            self.first = self.world.elapsed.is_some();
            match self.world.elapsed {
                Some(elapsed) => clock.time = elapsed,
                None => {
                    (clock.time, clock.tick, clock.script) = (0.0, 0, 0.0);
                    (clock.moved, clock.stays) = (0, None);
                    clock.ticks.reset();
                }
            }
            if self.world.keeps_slip && self.world.many {
                self.hold_on();
            }
        }
        changed
    }

    /// Takes probes back, and retires those of worlds that are gone.
    fn take_back(&mut self) {
        while let Ok(asked) = self.answers.pop() {
            match self.world.lanes.get_mut(asked.lane).filter(|_| asked.world == self.world.number) {
                Some(lane) => lane.asked = Some(asked),
                None => retire(&mut self.done, Retired::Probe(asked)),
            }
        }
    }

    fn tick(&mut self, command: &LoopCommands) {
        let period = self.world.period;
        let h = period as f64 * 1e-9;
        let clock = &mut self.clock;
        if clock.source != Some(command.source) {
            if clock.source.is_some() {
                self.hands.iter_mut().for_each(Follower::taken_over);
            }
            if matches!(command.source, Source::Script | Source::Demonstration) {
                (clock.script, clock.moved) = (0.0, 0);
            }
            if clock.source == Some(Source::Waits) {
                (clock.time, clock.tick) = (0.0, 0);
            }
            clock.source = Some(command.source);
        }
        clock.now += period;
        clock.time += h;
        clock.tick += 1;
        clock.of_world += 1;
        if command.source != Source::Waits {
            clock.script += h;
        }
        clock.seq = command.seq;
        if clock.grabs.replace(command.grab.count).is_some_and(|seen| seen != command.grab.count) {
            self.grab(command);
        }
        let mut handles = [HandMotion::still(Pose::identity()); MOST_HANDS];
        for number in 0..self.world.first.len().min(MOST_HANDS) {
            let goal = self.goal(number, command);
            let (first, follower) = (self.clock.of_world == 1, &mut self.hands[number]);
            // The first measurement ties the handle to the scene's hand: it must be exactly there.
            let pose = if first { self.world.first[number] } else { *follower.follow(&goal, h) };
            // Other engines have no use for velocities.
            let twist = if self.world.many && !first { follower.twist() } else { Vec6::zeros() };
            let motion = HandMotion { pose, twist };
            handles[number] = if first { motion } else { self.ties[number].handle(&motion) };
        }
        let (now, number, moved) = (self.clock.now, self.clock.of_world, self.clock.moved);
        for lane in &mut self.world.lanes {
            lane.tick(now, number, &handles, moved);
        }
    }

    /// A page wants to take a body, or to let go. If another hand holds the body, the page moves that hand from now on.
    fn grab(&mut self, command: &LoopCommands) {
        let holder = command.grab.body.and_then(|body| self.world.lanes.first()?.holder(body));
        match holder {
            Some(hand) => self.clock.moved = hand,
            None => self.take(self.clock.moved, command.grab.body),
        }
        self.clock.stays = Some(command.seq);
    }

    /// A hand takes a body where that is, or lets go. Its handle stays where it is.
    fn take(&mut self, hand: usize, body: Option<usize>) {
        if let Some((at, lane)) = body.zip(self.world.lanes.first()) {
            let at = lane.body(at);
            self.ties[hand] = self.ties[hand].at_body(self.hands[hand].pose(), at);
            self.hands[hand] = Follower::new(at).stretched(self.world.stretch);
        }
        self.world.lanes.iter_mut().for_each(|lane| lane.grab(hand, body));
    }

    /// In a world that goes on from another one, hands take anew what they hold: their handles begin where the scene does.
    fn hold_on(&mut self) {
        for hand in 0..self.world.first.len().min(MOST_HANDS) {
            if let Some(body) = self.world.lanes.first().and_then(|lane| lane.held(hand)) {
                self.take(hand, Some(body));
            }
        }
        self.clock.stays = Some(self.clock.seq);
    }

    /// Where a hand shall go: the one that the page moves as the commands say, another one as its script does at the same time.
    fn goal(&self, number: usize, command: &LoopCommands) -> Pose {
        let (world, clock) = (&self.world, &self.clock);
        let stays = self.hands[number].pose();
        let demonstration = &world.motions.demonstration;
        let time = match command.source {
            Source::Waits => 0.0,
            // What many bodies did, a motion back would not undo: the page begins anew where it ends.
            Source::Demonstration if !world.many => forth_and_back(clock.script, demonstration.seconds()),
            _ => clock.script,
        };
        if number != clock.moved {
            return world.motions.scripts.get(number).map_or(*stays, |script| script.pose(time));
        }
        match command.source {
            Source::Script => world.motions.scripts.get(number).map_or(*stays, |script| script.pose(time)),
            Source::Demonstration => demonstration.pose(time),
            Source::Waits => world.first[number],
            Source::Page if clock.stays == Some(command.seq) => *stays,
            Source::Page => command.hand,
            Source::Part => world.lanes.first().map_or(*stays, |lane| lane.hand(number).body),
        }
    }

    /// Gives away the probes that are here; whether there was one.
    fn ask(&mut self) -> bool {
        let mut any = false;
        for lane in &mut self.world.lanes {
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

    fn show(&mut self, command: &LoopCommands) {
        let (world, clock) = (&mut self.world, &mut self.clock);
        let (moved, hand) = (clock.moved, self.hands[clock.moved].pose());
        self.shown.publish_with(|view| {
            (view.world, view.generation) = (world.number, world.generation);
            (view.source, view.seq) = (command.source, command.seq);
            (view.paused, view.speed) = (command.tempo.paused, command.tempo.speed);
            let device = world.lanes.first().filter(|lane| lane.has_device());
            (view.time, view.tick) = (clock.time, clock.tick);
            (view.hand, view.device) = (device.map_or(*hand, |lane| lane.hand(moved).hand), device.is_some());
            view.moved = moved as u8;
            (view.skipped, view.cycles) = (clock.skipped, clock.cycles);
            view.late = std::mem::take(&mut clock.late);
            view.lanes = world.lanes.len() as u32;
            for (lane, to) in world.lanes.iter_mut().zip(&mut view.lane) {
                lane.show(to, moved);
            }
        });
    }
}

/// Followers where the hands of a world begin.
fn followers(world: &LiveWorld) -> [Follower; MOST_HANDS] {
    let first = |hand: usize| world.first.get(hand).or(world.first.first()).copied().unwrap_or(Pose::identity());
    std::array::from_fn(|hand| Follower::new(first(hand)).stretched(world.stretch))
}

/// Handles where these begin.
fn ties(world: &LiveWorld) -> [Tie; MOST_HANDS] {
    followers(world).map(|hand| Tie::new(*hand.pose(), world.stretch))
}

/// The time of a motion of this length that is shown forth and back, with a rest at its beginning (s).
fn forth_and_back(time: f64, length: f64) -> f64 {
    let round = time % (2.0 * length + REST);
    if round < length { round } else { (2.0 * length - round).max(0.0) }
}

/// Hands a box over to be dropped on another thread. If the ring is full it is leaked, since freeing memory takes time.
fn retire(done: &mut Producer<Retired>, what: Retired) {
    if let Err(rtrb::PushError::Full(what)) = done.push(what) {
        std::mem::forget(what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demonstration_goes_forth_and_back_and_begins_again() {
        let at = |time| forth_and_back(time, 2.0);
        assert_eq!([0.0, 1.5, 2.0, 2.5, 4.0, 4.0 + REST / 2.0].map(at), [0.0, 1.5, 2.0, 1.5, 0.0, 0.0]);
        assert!((at(4.0 + REST + 0.75) - 0.75).abs() < 1e-12);
        assert_eq!(forth_and_back(7.0, 0.0), 0.0, "a hand that rests");
    }
}
