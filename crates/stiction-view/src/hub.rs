//! Makes frames of what the loop shows, or of a recording: once, for all pages.

use crate::lane_report::LaneReport;
use crate::live::{LoopView, Retired};
use crate::state::{LoopState, SharedState, locked};
use crate::wire::{FrameFacts, LaneExtra, encode};
use axum::body::Bytes;
use rtrb::Consumer;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use stiction_device::handover::Latest;

/// Time between two looks at the loop.
const LOOK: Duration = Duration::from_millis(2);
/// Shortest time between two frames: what happens in between is summed up in the next.
const EACH: Duration = Duration::from_millis(11);
/// A frame that says nothing new is sent again this often, so that pages that come see it.
const AGAIN: Duration = Duration::from_millis(250);

/// Channels of the loop that the hub reads: views, and boxes to drop.
pub struct HubChannels {
    pub views: Latest<LoopView>,
    pub retired: Consumer<Retired>,
}

/// Number of a world, and what was last told of its lanes.
type Counted = (u64, [LaneReport; 2]);

/// Runs until everything ends.
pub fn run(shared: &Arc<SharedState>, loops: &mpsc::Receiver<HubChannels>) {
    let mut ends: Option<HubChannels> = None;
    let mut counted = Counted::default();
    let mut pace = Pace::new();
    let mut peaks = Peaks::default();
    let mut last = Instant::now();
    let mut look = Instant::now();
    while !shared.stop.load(Relaxed) {
        std::thread::sleep(LOOK);
        ends = loops.try_recv().ok().or(ends);
        let passed = look.elapsed().as_secs_f64();
        look = Instant::now();
        let recorded = locked(&shared.control).player.as_mut().map(|player| player.frame(passed));
        if let Some(frame) = recorded {
            if let Some(frame) = frame.filter(|f| f.fresh || last.elapsed() > AGAIN).map(|f| f.bytes) {
                send(shared, frame);
                last = Instant::now();
            }
            // The loop is looked at all the same, for what it throws away.
            if let Some(ends) = &mut ends {
                ends.views.with(|view, _| note(shared, view));
                sweep(&mut ends.retired);
            }
            continue;
        }
        let Some(ends) = &mut ends else { continue };
        sweep(&mut ends.retired);
        let frame = ends.views.with(|view, fresh| {
            note(shared, view);
            if fresh {
                peaks.take(view);
            }
            let still = counted.0 == view.world && counted.1[0].ticks() == view.lane[0].ticks;
            let due = fresh && !still && last.elapsed() >= EACH;
            (due || last.elapsed() > AGAIN).then(|| {
                let passed = last.elapsed().as_secs_f64();
                frame(shared, view, &mut counted, &std::mem::take(&mut peaks), (pace.rate(view.cycles), passed))
            })
        });
        if let Some(frame) = frame {
            send(shared, frame);
            last = Instant::now();
        }
    }
}

/// Drops the worlds and probes that the loop no longer needs.
fn sweep(retired: &mut Consumer<Retired>) {
    while let Ok(what) = retired.pop() {
        match what {
            Retired::World(world) => drop(world),
            Retired::Probe(probe) => drop(probe),
        }
    }
}

fn send(shared: &SharedState, frame: Bytes) {
    shared.counters.frames.fetch_add(1, Relaxed);
    shared.frames.send_replace(frame);
}

fn note(shared: &SharedState, view: &LoopView) {
    let part = view.lane[0].hand.body;
    *locked(&shared.seen) = LoopState { world: view.world, time: view.time, part, hand: view.hand };
}

/// The frame of a view; of `pace` the cycles a second and the time since the last frame (s).
fn frame(shared: &SharedState, view: &LoopView, counted: &mut Counted, peaks: &Peaks, pace: (f64, f64)) -> Bytes {
    if counted.0 != view.world {
        *counted = (view.world, Default::default());
    }
    let infos = locked(&shared.lanes).iter().find(|(world, _)| *world == view.world).map(|(_, lanes)| lanes.clone());
    let infos = infos.unwrap_or_default();
    let lanes = view.lanes().iter().zip(&mut counted.1).enumerate().map(|(i, (lane, report))| {
        let known = shared.margins.of(view.world, i);
        let extra = report.next(infos.get(i), lane, known.as_ref(), pace.1);
        LaneExtra { cpu_longest: peaks.longest[i] as f64 * 1e-9, ..extra }
    });
    let recording = shared.recording.load(Relaxed);
    let late = peaks.late as f64 * 1e-9;
    let facts = FrameFacts { rate: pace.0, recording, playback: false, late, lanes: lanes.collect() };
    encode(view, &facts).into()
}

/// The worst since the last frame (ns): latest start of a cycle, longest tick of each lane.
#[derive(Default)]
struct Peaks {
    late: u64,
    longest: [u64; 2],
}

impl Peaks {
    fn take(&mut self, view: &LoopView) {
        self.late = self.late.max(view.late);
        for (peak, lane) in self.longest.iter_mut().zip(view.lanes()) {
            *peak = (*peak).max(lane.cpu_longest);
        }
    }
}

/// Cycles a second, over about half a second.
struct Pace {
    since: Instant,
    cycles: u64,
    rate: f64,
}

impl Pace {
    fn new() -> Self {
        Pace { since: Instant::now(), cycles: 0, rate: 0.0 }
    }

    fn rate(&mut self, cycles: u64) -> f64 {
        let passed = self.since.elapsed().as_secs_f64();
        if passed > 0.5 {
            self.rate = cycles.saturating_sub(self.cycles) as f64 / passed;
            (self.since, self.cycles) = (Instant::now(), cycles);
        }
        self.rate
    }
}
