//! The device under test: everything that is read from it and written to it goes past the checker.

use crate::checker::{Checker, Told};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stiction_device::{Applied, Caps, Device, DeviceError, DeviceState, Drive, SafeWrench};
use stiction_session::SceneDevice;

/// What the run and the loop's end of the wire share.
#[derive(Debug)]
pub struct Bench {
    pub device: SceneDevice,
    pub checker: Checker,
    pub told: Told,
    /// Time that passes before the next read besides its own period (s).
    pub extra: f64,
    pub refuses: bool,
    /// The vendor's thread does not call: the loop's own makes the cycle, and there is nothing new to read.
    pub stalled: bool,
    /// A wrench was written since the last read.
    pub written: bool,
    /// What was read last.
    pub last: Option<DeviceState>,
    /// The first thing that was wrong, and in which cycle.
    pub wrong: Option<(u64, String)>,
}

/// The bench as the loop's device.
pub struct Wire {
    bench: Arc<Mutex<Bench>>,
    caps: Caps,
    /// The next read or write panics.
    panics: Arc<Mutex<[bool; 2]>>,
}

/// Locked, also after a panic: what is in it is whole, since panics come before the lock.
pub fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    pub fn new(bench: Arc<Mutex<Bench>>, caps: Caps, panics: Arc<Mutex<[bool; 2]>>) -> Wire {
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
        let bench = &mut *open(&self.bench);
        // What arms it is a request, too.
        bench.written = true;
        bench.device.arm()
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        self.burn(0);
        let bench = &mut *open(&self.bench);
        let extra = std::mem::take(&mut bench.extra);
        bench.device.sim.step(extra);
        let mut read = bench.device.read();
        // A device that answers requests has something new only after a write.
        let nothing_new = match self.caps.drive {
            Drive::RequestReply => !std::mem::take(&mut bench.written),
            _ => bench.stalled,
        };
        if nothing_new && read.is_ok() {
            read = bench.last.ok_or(DeviceError::Timeout);
        }
        bench.last = read.ok().or(bench.last);
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
        let written = match () {
            () if bench.refuses => Err(DeviceError::Timeout),
            () if bench.stalled => Ok(Applied::Inhibited),
            () => bench.device.write(wrench),
        };
        bench.told.refused = written.is_err();
        bench.written = written.is_ok();
        // What a later cycle was told, it must read itself.
        bench.told.state = None;
        written
    }

    fn disarm(&mut self) {
        open(&self.bench).device.disarm();
    }
}
