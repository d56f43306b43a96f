//! Arming a device again, away from the loop.
//!
//! [`Device::arm`] may take seconds, and what a vendor's library does meanwhile nobody knows. So no cycle ever calls it: the loop gives the whole device away, to a thread
//! that does nothing else, and goes on without it. Until the device is back its reads are [`DeviceError::Arming`], no wrench is sent, and nobody waits; the cycle
//! in which it comes back is known by what was read in it, so a recording of inputs replays. Devices travel in two rings with room for one: no lock, no allocation.
//!
//! On a virtual clock there is nobody to delay, and runs must have the same bits every time: there the device is armed between two cycles, and is back after a number of cycles that
//! the caller chooses.

use crate::device::{Device, DeviceError};
use rtrb::{Consumer, Producer, RingBuffer};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the thread looks for a device (it could be woken, but that is a system call in a cycle).
const LOOK: Duration = Duration::from_millis(5);

/// A device that was armed, or why it could not be.
pub(crate) type Armed = (Box<dyn Device>, Result<(), DeviceError>);

/// Where an arm's device is armed again.
pub(crate) enum Arming {
    /// Nowhere: a lost device stays lost.
    Never,
    /// On a thread of its own.
    Thread(ArmingThread),
    /// Between two cycles of a virtual clock.
    Virtual {
        /// For how many cycles a device is away.
        cycles: u32,
        /// The device while it is away, and for how many cycles more.
        away: Option<(Armed, u32)>,
    },
}

impl Arming {
    /// Whether devices can be armed here.
    pub fn is_possible(&self) -> bool {
        !matches!(self, Arming::Never)
    }

    /// Takes a device to arm it. Never waits, but on a virtual clock.
    pub fn give(&mut self, mut device: Box<dyn Device>) {
        match self {
            // Not asked for. Dropping a device disarms it.
            Arming::Never => {}
            Arming::Thread(thread) => thread.give(device),
            Arming::Virtual { cycles, away } => {
                let armed = arm(&mut *device);
                *away = Some(((device, armed), *cycles));
            }
        }
    }

    /// A device that is back. Never waits.
    pub fn take(&mut self) -> Option<Armed> {
        match self {
            Arming::Never => None,
            Arming::Thread(thread) => thread.done.pop().ok(),
            Arming::Virtual { away, .. } => match away {
                Some((_, 0)) => away.take().map(|(armed, _)| armed),
                Some((_, left)) => {
                    *left -= 1;
                    None
                }
                None => None,
            },
        }
    }

    /// No device is wanted back any more: one that is being armed is disarmed as soon as that ends. Waits for nothing.
    pub fn end(&self) {
        if let Arming::Thread(thread) = self {
            thread.ends.store(true, Ordering::Release);
        }
    }
}

/// The loop's end of a thread that arms devices. It ends when this is dropped; a device that is being armed then is disarmed and dropped by the thread.
pub(crate) struct ArmingThread {
    devices: Producer<Box<dyn Device>>,
    done: Consumer<Armed>,
    ends: Arc<AtomicBool>,
}

impl ArmingThread {
    /// Starts the thread. Not to be called by a thread with real-time priority, which it would inherit.
    pub fn start() -> io::Result<ArmingThread> {
        let (devices, work) = RingBuffer::new(1);
        let (told, done) = RingBuffer::new(1);
        let ends = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&ends);
        std::thread::Builder::new().name("stiction-arming".into()).spawn(move || run(work, told, &ending))?;
        Ok(ArmingThread { devices, done, ends })
    }

    fn give(&mut self, device: Box<dyn Device>) {
        // There is one device, so there is room; were there none, the device would be dropped, which disarms it.
        let _ = self.devices.push(device);
    }
}

impl Drop for ArmingThread {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
    }
}

fn run(mut work: Consumer<Box<dyn Device>>, mut told: Producer<Armed>, ends: &AtomicBool) {
    loop {
        let Ok(mut device) = work.pop() else {
            if ends.load(Ordering::Acquire) {
                return;
            }
            std::thread::sleep(LOOK);
            continue;
        };
        let armed = arm(&mut *device);
        if ends.load(Ordering::Acquire) {
            disarm(&mut *device);
            return;
        }
        let _ = told.push((device, armed));
    }
}

/// Disarms and arms. A backend that panics has lost its device.
fn arm(device: &mut dyn Device) -> Result<(), DeviceError> {
    let armed = catch_unwind(AssertUnwindSafe(|| {
        device.disarm();
        device.arm()
    }));
    armed.unwrap_or_else(|_| {
        disarm(device);
        Err(DeviceError::Gone)
    })
}

/// Takes a device's force away. A device whose disarm panics is beyond help.
pub(crate) fn disarm(device: &mut dyn Device) {
    let _ = catch_unwind(AssertUnwindSafe(|| device.disarm()));
}
