//! A campaign of faults on the virtual clock: the loop's own cycles from moments of contact on, with one fault or two at random times, and
//! every wrench that goes to the device judged by a checker that shares no code with the envelope.
//!
//! The rules: finite; within the peak limits and the thermal budget; no further from the segment between zero and the last wrench than
//! the slew allows; zero in the very cycle of an emergency stop, a software stop, a device's failure, lost power or an over-speed alarm, and
//! until it is armed again after the first three; zero after the fade without a hand, without a measurement, or after a panic of the engine;
//! and afterwards, no force from a device whose loop has died or was killed. The same run has the same number and the same bits.

use crate::checker::LimitShares;
use crate::kinds::FaultKind;
use crate::run::{Random, moments};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use stiction_session::{Session, SessionError};

/// What a campaign found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignReport {
    /// Runs that were made.
    pub runs: u64,
    /// Cycles in all of them.
    pub cycles: u64,
    /// Cycles in which force or torque was sent.
    pub with_force: u64,
    /// Moments of contact that runs started from.
    pub moments: usize,
    /// How many runs had each kind, in the order of [`FaultKind::all`].
    pub kinds: Vec<u64>,
    /// Distinct pairs of kinds that came together.
    pub pairs: usize,
    /// Number of distinct pairs of kinds that exist.
    pub pairs_of: usize,
    /// How often the envelope saw each of its own faults begin, in the order of [`Fault::ALL`](stiction_device::Fault::ALL).
    pub faults: [u64; stiction_device::Fault::ALL.len()],
    /// Runs in which a rule was broken.
    pub violations: u64,
    /// Descriptions of the first violations.
    pub first: Vec<String>,
    /// The largest of all that was sent, as shares of what is allowed.
    pub worst: LimitShares,
}

/// How many violations are told in words.
const TOLD: usize = 10;

/// Runs a campaign: run number n is the same whatever the range, for the same session. `progress` hears how many runs are done, and says whether to go on.
///
/// # Errors
/// [`SessionError`] where the session has two arms, or its part never touches anything.
pub fn campaign(
    session: &Session,
    runs: Range<u64>,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<CampaignReport, SessionError> {
    let moments = moments(session)?;
    let header = session.header("campaign", 0);
    let n = FaultKind::COUNT;
    let mut out =
        CampaignReport { moments: moments.len(), kinds: vec![0; n], pairs_of: n * (n - 1) / 2, ..Default::default() };
    let mut pairs = BTreeSet::new();
    for number in runs {
        let (first, second) = crate::kinds::kinds_of(number);
        let kinds: Vec<FaultKind> = [Some(first), second].into_iter().flatten().map(FaultKind::numbered).collect();
        let mut random = Random(SplitMix64::from_seed(number.wrapping_mul(0x9e37_79b9).wrapping_add(17).to_le_bytes()));
        let moment = &moments[random.below(moments.len() as u64) as usize];
        let shown = catch_unwind(AssertUnwindSafe(|| crate::run::run(session, &header, moment, &kinds, &mut random)));
        out.runs += 1;
        [Some(first), second].into_iter().flatten().for_each(|kind| out.kinds[kind] += 1);
        pairs.extend(second.map(|second| (first, second)));
        let wrong = match shown {
            Ok(shown) => {
                out.cycles += shown.cycles;
                out.with_force += shown.with_force;
                out.worst.join(&shown.worst);
                out.faults.iter_mut().zip(shown.faults).for_each(|(sum, n)| *sum += n);
                shown.wrong
            }
            Err(_) => Some("it panicked".into()),
        };
        if let Some(why) = wrong {
            out.violations += 1;
            if out.first.len() < TOLD {
                let names: Vec<_> = kinds.iter().map(|k| k.name()).collect();
                out.first.push(format!("run {number} ({}): {why}", names.join(" + ")));
            }
        }
        if !progress(out.runs) {
            break;
        }
    }
    out.pairs = pairs.len();
    Ok(out)
}
