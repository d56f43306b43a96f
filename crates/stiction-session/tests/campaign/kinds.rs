//! What can go wrong: all that a simulated device knows, and what happens to the loop, the machine and the disk.

use stiction::named;
use stiction_device::sim::SimFault;

/// A kind of fault that a campaign injects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A fault in the device, its cable or its switches.
    Device(SimFault),
    /// A fault in the loop, the machine or the disk.
    OutsideFault(OutsideFault),
}

named! {
    /// Something that goes wrong around the device.
    pub enum OutsideFault {
        /// Every cycle begins late, by up to 30 ms.
        Late = "cycles late",
        /// Cycles are left out: the thread was not woken.
        Skipped = "cycles skipped",
        /// The host's clock is set back, and later forward again.
        ClockBack = "host clock set back",
        /// The engine panics.
        EnginePanic = "engine panics",
        /// Reading the device panics.
        ReadPanic = "read panics",
        /// Writing to it panics.
        WritePanic = "write panics",
        /// Writes are refused, and the device says so; nothing else is wrong with it.
        WriteRefused = "writes refused",
        /// Emergency stop by software.
        Stop = "stopped by software",
        /// Clutch by software.
        Clutch = "clutch by software",
        /// Asked to arm again and again.
        Rearm = "rearmed over and over",
        /// A load that is no number.
        NanLoad = "load is no number",
        /// A load of 1e9 N.
        HugeLoad = "huge load",
        /// The hand lets go.
        LetGo = "hand lets go",
        /// An elbow: a push of up to 60 N.
        Shove = "handle shoved",
        /// The handle is knocked: up to 4 m/s and 40 rad/s at once.
        Knock = "handle knocked",
        /// The disk is full.
        FullDisk = "disk full",
        /// The disk is too slow for the recorder's ring.
        SlowDisk = "recorder too slow",
        /// The process is killed: no cycle comes any more, nothing is said to the device.
        Killed = "process killed",
    }
}

impl FaultKind {
    /// How many there are.
    pub const COUNT: usize = SimFault::ALL.len() + OutsideFault::ALL.len();

    /// All kinds of fault.
    pub fn all() -> impl Iterator<Item = FaultKind> {
        SimFault::ALL
            .into_iter()
            .map(FaultKind::Device)
            .chain(OutsideFault::ALL.into_iter().map(FaultKind::OutsideFault))
    }

    /// By its number.
    pub fn numbered(number: usize) -> FaultKind {
        match SimFault::ALL.get(number) {
            Some(fault) => FaultKind::Device(*fault),
            None => {
                FaultKind::OutsideFault(OutsideFault::ALL[(number - SimFault::ALL.len()) % OutsideFault::ALL.len()])
            }
        }
    }

    /// Name of the kind, for display.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Device(fault) => fault.name(),
            FaultKind::OutsideFault(around) => around.name(),
        }
    }
}

/// The kinds of a run by its number: each alone, then each pair, over and over, in an order that soon has seen all kinds.
pub fn kinds_of(run: u64) -> (usize, Option<usize>) {
    let n = FaultKind::COUNT as u64;
    let all = n + n * (n - 1) / 2;
    // Prime and of no relation to the rest: every number below `all` comes once.
    let number = (run % all) * 7919 % all;
    if number < n {
        return (number as usize, None);
    }
    let (mut first, mut left) = (0, number - n);
    while left >= n - 1 - first {
        left -= n - 1 - first;
        first += 1;
    }
    (first as usize, Some((first + 1 + left) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_and_every_pair_comes_up_once_a_round() {
        let n = FaultKind::COUNT;
        assert!(n >= 25);
        let all = (n + n * (n - 1) / 2) as u64;
        let seen: BTreeSet<_> = (0..all).map(kinds_of).collect();
        assert_eq!(seen.len() as u64, all);
        assert!(seen.iter().all(|(a, b)| *a < n && b.is_none_or(|b| *a < b && b < n)));
        let numbered: Vec<FaultKind> = (0..n).map(FaultKind::numbered).collect();
        assert_eq!(numbered, FaultKind::all().collect::<Vec<_>>());
    }
}
