//! What is measured, in which order, and for how long: the time is shared out by weight, and what one group takes too
//! long or leaves over is shared among the rest.

use super::general::General;
use super::tally::SolverRow;
use std::time::{Duration, Instant};
use stiction::friction::Cone;
use stiction_reference::families::Loading;

/// The cones measured.
const CONES: [Cone; 3] = [Cone::paper(4), Cone::paper(8), Cone::Disk];
/// The loads measured.
const LOADS: [Loading; 3] = [Loading::Holds, Loading::Slips, Loading::Edge];
/// General solvers take part up to that many contacts.
const GENERAL_CONTACTS: usize = 1000;

/// A group of samples: same number of contacts, same cone, same kind of load.
#[derive(Clone, Copy, Debug)]
pub struct GroupKind {
    /// About how many contacts.
    pub contacts: usize,
    /// The friction limit.
    pub cone: Cone,
    /// How close to slipping.
    pub load: Loading,
}

impl GroupKind {
    /// "holds", "slips" or "edge".
    pub fn load_word(&self) -> &'static str {
        match self.load {
            Loading::Holds => "holds",
            Loading::Slips => "slips",
            Loading::Edge | Loading::EdgeClose => "edge",
        }
    }

    /// "4", "8" or "disk".
    pub fn cone_word(&self) -> String {
        match self.cone {
            Cone::Disk => "disk".into(),
            Cone::Polygon { sides, .. } => sides.to_string(),
        }
    }

    /// What it costs to learn something about a group of this size, relative to others.
    fn weight(&self) -> f64 {
        match self.contacts {
            0..=32 => 0.15,
            33..=150 => 0.8,
            151..=500 => 0.6,
            501..=1500 => 1.2,
            1501..=5000 => 0.4,
            // Making a problem of this size takes longer than solving it; the figures need the load that holds.
            _ if self.load == Loading::Holds => 2.4,
            _ => 0.8,
        }
    }
}

/// The groups still to be measured.
pub struct BenchPlan {
    left: Vec<GroupKind>,
    end: Instant,
}

impl BenchPlan {
    /// Every cone and load for each number of contacts, in that order.
    pub fn new(contacts: &[usize], seconds: f64) -> Self {
        let mut left = Vec::new();
        for &contacts in contacts {
            for cone in CONES {
                left.extend(LOADS.map(|load| GroupKind { contacts, cone, load }));
            }
        }
        left.reverse();
        Self { left, end: Instant::now() + Duration::from_secs_f64(seconds) }
    }

    /// Groups left.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// The next group and its share of the time that is left.
    pub fn next(&mut self) -> Option<(GroupKind, Duration)> {
        let all: f64 = self.left.iter().map(GroupKind::weight).sum();
        let what = self.left.pop()?;
        let time = self.end.saturating_duration_since(Instant::now());
        Some((what, time.mul_f64(what.weight() / all)))
    }

    /// General solvers that a group is too large for: not asked that much, or one solve would take twice their share
    /// of the group's time, judging by the last smaller group with the same cone and load (time ~ contacts²).
    pub fn excluded(&self, rows: &[SolverRow], what: &GroupKind, budget: Duration) -> Vec<General> {
        let is_too_slow = |general: &General| {
            let before = rows.iter().rev().find(|r| r.solver == general.name() && r.is_like(what));
            let expected = before.map_or(0.0, |r| r.p50_us * 1e-6 * (what.contacts as f64 / r.contacts as f64).powi(2));
            what.contacts > 100 && expected > 2.0 * general.share() * budget.as_secs_f64()
        };
        General::ALL.into_iter().filter(|g| what.contacts > GENERAL_CONTACTS || is_too_slow(g)).collect()
    }
}
