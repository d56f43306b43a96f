//! The device under test: everything that is read from it and written to it goes past the checker.

use super::checker::{Checker, Told};
use crate::SceneDevice;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stiction_device::{Applied, Caps, Device, DeviceError, SafeWrench, State};

/// What the run and the loop's end of the wire share.
#[derive(Debug)]
pub(super) struct Bench {
    pub device: SceneDevice,
    pub checker: Checker,
    pub told: Told,
    /// Time that passes before the next read besides its own period (s).
    pub extra: f64,
    pub refuses: bool,
    /// The first thing that was wrong, and in which cycle.
    pub wrong: Option<(u64, String)>,
}

/// The bench as the loop's device.
pub(super) struct Wire {
    bench: Arc<Mutex<Bench>>,
    caps: Caps,
    /// The next read or write panics.
    panics: Arc<Mutex<[bool; 2]>>,
}

/// Locked, also after a panic: what is in it is whole, since panics come before the lock.
pub(super) fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    pub fn new(bench: Arc<Mutex<Bench>>, panics: Arc<Mutex<[bool; 2]>>) -> Wire {
        let caps = open(&bench).device.caps().clone();
        Wire { bench, caps, panics }
    }

    fn burn(&self, which: usize) {
        if std::mem::take(&mut open(&self.panics)[which]) {
            resume_unwind(Box::new(()));
        }
    }
}

impl Device for Wire {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        open(&self.bench).device.arm()
    }

    fn read(&mut self) -> Result<State, DeviceError> {
        self.burn(0);
        let bench = &mut *open(&self.bench);
        let extra = std::mem::take(&mut bench.extra);
        bench.device.sim.step(extra);
        let read = bench.device.read();
        bench.told.state = read.ok();
        read
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.burn(1);
        let bench = &mut *open(&self.bench);
        let Bench { checker, told, wrong, .. } = bench;
        if let (Err(why), None) = (checker.check(wrench.wrench(), told), &wrong) {
            *wrong = Some((checker.cycles, why));
        }
        let written = if bench.refuses { Err(DeviceError::Timeout) } else { bench.device.write(wrench) };
        bench.told.refused = written.is_err();
        written
    }

    fn disarm(&mut self) {
        open(&self.bench).device.disarm();
    }
}
