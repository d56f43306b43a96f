//! The state machine against a model that is written from the documented table alone: after each cycle of random events both must agree on phase,
//! fault, counts, and whether there is force.

mod envelope_support;

use envelope_support::{Handle, Random, T, limits};
use stiction::spatial::Vec6;
use stiction_device::{Alarms, DeviceState, Envelope, Fault, Observation, Phase};

/// The table of the documentation: name, cut rather than fade, latched. The worst first.
const TABLE: [(&str, bool, bool); 15] = [
    ("emergency stop", true, true),
    ("stopped", true, true),
    ("device failure", true, true),
    ("no answer", false, true),
    ("broken engine", false, true),
    ("over-speed", true, true),
    ("no power", true, false),
    ("no hand", false, false),
    ("bad pose", false, false),
    ("pose jump", false, false),
    ("clock reversed", false, false),
    ("stale pose", false, false),
    ("missed deadline", false, false),
    ("bad answer", false, false),
    ("not armed", true, false),
];
const OVER_SPEED: usize = 5;

/// Of the limits that the tests use: in cycles.
const RAMP: u32 = 30;
const FADE: u32 = 10;
const SETTLE: u32 = 15;
const STALE: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Off,
    On { cycles: u32 },
    Fading { left: u32 },
    Waiting,
    Latched,
}

/// What the table says happens.
struct Model {
    is: Is,
    row: Option<usize>,
    clear: u32,
    began: [u64; 15],
    before: [bool; 15],
}

impl Model {
    fn cycle(&mut self, rows: &[bool; 15], measured: bool) {
        for i in 0..15 {
            self.began[i] += u64::from(rows[i] && !self.before[i]);
        }
        self.before = *rows;
        let forceless = matches!(self.is, Is::Off | Is::Waiting);
        let counts = |i: &usize| rows[*i] && !(forceless && *i == OVER_SPEED);
        let active: Vec<usize> = (0..15).filter(counts).collect();
        self.clear = if rows.contains(&true) { 0 } else { self.clear + 1 };
        if let Some(worst) = active.first() {
            self.row = Some(self.row.map_or(*worst, |r| r.min(*worst)));
            let end = if TABLE[self.row.unwrap()].2 { Is::Latched } else { Is::Waiting };
            let cut = active.iter().any(|i| TABLE[*i].1);
            self.is = match self.is {
                Is::On { .. } if !cut => Is::Fading { left: FADE },
                Is::Fading { left } if !cut => Is::Fading { left },
                _ => end,
            };
        } else if measured && self.clear > 0 && (self.is == Is::Off || (self.is == Is::Waiting && self.clear >= SETTLE))
        {
            (self.is, self.row) = (Is::On { cycles: 0 }, None);
        }
        match &mut self.is {
            Is::On { cycles } => *cycles += 1,
            Is::Fading { left } => {
                *left -= 1;
                if *left == 0 {
                    self.is = if TABLE[self.row.unwrap()].2 { Is::Latched } else { Is::Waiting };
                }
            }
            _ => {}
        }
    }

    fn phase(&self) -> Phase {
        match self.is {
            Is::Off => Phase::Off,
            Is::On { cycles } if cycles < RAMP => Phase::Ramping,
            Is::On { .. } => Phase::Running,
            Is::Fading { .. } => Phase::Fading,
            Is::Waiting => Phase::Waiting,
            Is::Latched => Phase::Latched,
        }
    }
}

/// Makes cycles that have a known set of causes.
struct World {
    handle: Handle,
    skew: [u64; 2],
    /// Cycles since the last good measurement, if there was one.
    waited: Option<u32>,
    bad_pose: bool,
    bad_answers: u32,
    sequence: u64,
    stopped: bool,
    /// Cycles that each cause still lasts.
    lasts: [u32; 15],
    enable_seen: Option<stiction_device::DeviceState>,
}

impl World {
    fn cycle(&mut self, random: &mut Random) -> (Observation, Option<Vec6>, [bool; 15]) {
        let mut rows = [false; 15];
        let on: Vec<bool> = self.lasts.iter().map(|l| *l > 0).collect();
        self.lasts.iter_mut().for_each(|l| *l = l.saturating_sub(1));
        let mut seen = self.handle.next();
        if on[14] {
            // What was known of the device is void.
            (seen.arming, self.waited, self.bad_pose, self.enable_seen) = (true, None, false, None);
            seen.now -= self.skew[0];
            return self.finish(seen, &on, rows, DeviceState::still());
        }
        let mut state = seen.state.unwrap();
        state.enable.estop_ok = !on[0];
        state.alarms = Alarms(if on[2] { Alarms::FAILURE.0 } else { 0 } | if on[5] { Alarms::OVERSPEED.0 } else { 0 });
        state.enable.powered = !on[6];
        state.enable.hand = !on[7];
        let fresh = !on[11] || self.enable_seen.is_none();
        if fresh {
            self.sequence += 1;
        }
        state.sequence = self.sequence;
        let at_once = fresh && !on[8] && self.waited == Some(0);
        if fresh {
            self.bad_pose = on[8];
        }
        if on[8] {
            state.pose.translation.vector.x = f64::NAN;
        }
        if at_once && on[9] {
            self.lasts[9] = 0;
            self.handle.place.y += if self.handle.place.y > 0.0 { -0.5 } else { 0.5 };
            state.pose.translation.vector.y = self.handle.place.y;
            rows[9] = true;
        } else if at_once && on[10] && random.below(2) == 0 {
            self.lasts[10] = 0;
            self.skew[1] += 5_000_000;
            rows[10] = true;
        }
        // The first cycle has none before it.
        if on[10] && !rows[10] && self.lasts[10] > 0 && self.enable_seen.is_some() {
            self.lasts[10] = 0;
            self.skew[0] += 5_000_000;
            rows[10] = true;
        }
        state.time -= self.skew[1];
        seen.now -= self.skew[0];
        self.waited = if fresh && !on[8] { Some(0) } else { self.waited.map(|w| w + 1) };
        if fresh || random.below(2) == 0 || self.enable_seen.is_none() {
            seen.state = Some(state);
            self.enable_seen = Some(state);
        } else {
            // Reading failed: what is known of the device is what it said last.
            seen.state = None;
        }
        let known = self.enable_seen.unwrap();
        rows[8] = self.bad_pose;
        rows[11] = self.waited.is_some_and(|w| w > STALE);
        self.finish(seen, &on, rows, known)
    }

    /// Lateness, answer, and the causes that are known by what the device said.
    fn finish(
        &mut self,
        mut seen: Observation,
        on: &[bool],
        mut rows: [bool; 15],
        known: DeviceState,
    ) -> (Observation, Option<Vec6>, [bool; 15]) {
        seen.late = if on[12] { 0.0051 } else { 0.0049 };
        let asked = match (on[3], on[13]) {
            (true, _) => None,
            (_, true) => Some(Vec6::new(0.0, 1.0, f64::NAN, 0.0, 0.0, 0.0)),
            _ => Some(Vec6::new(0.6, 0.0, -0.8, 0.0, 0.05, 0.0)),
        };
        if !on[3] {
            self.bad_answers = if on[13] { self.bad_answers + 1 } else { 0 };
        }
        rows[0] = !known.enable.estop_ok;
        rows[1] = self.stopped;
        rows[2] = known.alarms.has(Alarms::FAILURE);
        rows[3] = on[3];
        rows[4] = self.bad_answers >= 10 && !on[3];
        rows[5] = known.alarms.has(Alarms::OVERSPEED);
        rows[6] = !known.enable.powered;
        rows[7] = !known.enable.hand;
        rows[12] = on[12];
        rows[14] = on[14];
        rows[13] = on[13] && !on[3];
        (seen, asked, rows)
    }
}

#[test]
fn the_envelope_does_what_the_table_says() {
    let (mut visited, mut forces) = ([0u64; 6], 0u64);
    for seed in 0..1500 {
        let mut random = Random(seed * 2 + 1);
        let mut envelope = Envelope::new(limits(), T).unwrap();
        let mut model = Model { is: Is::Off, row: None, clear: 0, began: [0; 15], before: [false; 15] };
        let mut world = World {
            handle: Handle::new(),
            skew: [0; 2],
            waited: None,
            bad_pose: false,
            bad_answers: 0,
            sequence: 1,
            stopped: false,
            lasts: [0; 15],
            enable_seen: None,
        };
        let rate = [40, 100, 300][random.below(3) as usize];
        // Nothing measured yet.
        for _ in 0..random.below(5) {
            let mut seen = world.handle.next();
            seen.state = None;
            model.cycle(&[false; 15], false);
            assert_eq!(*envelope.pass(Some(&Vec6::repeat(1.0)), &seen).wrench(), Vec6::zeros());
            assert_eq!(envelope.report().phase, model.phase());
            visited[envelope.report().phase as usize] += 1;
        }
        for tick in 0..600 {
            if random.below(rate) == 0 {
                world.lasts[random.below(15) as usize] = 2 + random.below(25) as u32;
            }
            if world.lasts[1] > 0 {
                world.lasts[1] = 0;
                world.stopped = true;
                envelope.stop();
            }
            if random.below(60) == 0 {
                let latched = model.is == Is::Latched;
                if latched {
                    (model.is, model.row, model.clear, world.stopped) = (Is::Waiting, None, 0, false);
                }
                assert_eq!(envelope.rearm(), latched, "seed {seed}, tick {tick}");
            }
            let (seen, asked, rows) = world.cycle(&mut random);
            model.cycle(&rows, world.waited.is_some());
            let sent = *envelope.pass(asked.as_ref(), &seen).wrench();
            let report = envelope.report();
            let at = format!("seed {seed}, tick {tick}, causes {rows:?}");
            assert_eq!(report.phase, model.phase(), "{at}");
            assert_eq!(report.fault.map(Fault::name), model.row.map(|r| TABLE[r].0), "{at}");
            assert_eq!(report.faults, model.began, "{at}");
            let may = matches!(model.is, Is::On { .. } | Is::Fading { .. });
            assert_eq!(sent != Vec6::zeros(), may, "{at}: {sent:?}");
            visited[report.phase as usize] += 1;
            forces += u64::from(may);
        }
    }
    assert!(visited.iter().all(|n| *n > 100), "{visited:?}");
    assert!(forces > 100_000);
}

#[test]
fn the_documented_table_is_the_one_in_force() {
    let text = include_str!("../src/envelope/mod.rs");
    let rows = text.lines().filter_map(|l| l.strip_prefix("//! | ")).skip(1);
    let mut found = 0;
    for (row, (fault, (name, cut, latched))) in rows.zip(Fault::ALL.into_iter().zip(TABLE)) {
        let cells: Vec<&str> = row.split(" | ").collect();
        assert!(cells[0].starts_with(name), "{name}: {row}");
        assert_eq!((fault.name(), fault.cuts(), fault.latches()), (name, cut, latched));
        assert_eq!(cells[2].starts_with("cut"), cut, "{row}");
        assert_eq!(cells[3].starts_with("yes"), latched, "{row}");
        found += 1;
    }
    assert_eq!(found, 15);
}
