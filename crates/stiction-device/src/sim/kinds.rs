//! Simulated devices that are not polled: one whose vendor's thread calls the cycle, and one that answers each request.

use crate::device::{Applied, Call, Caps, Device, DeviceError, DeviceState, Drive};
use crate::envelope::SafeWrench;
use crate::realtime;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A device whose vendor's thread calls the loop's cycle once a period while it is armed, as those of Haption and 3D Systems do.
pub struct CallbackDevice<D> {
    /// The device that is wrapped.
    pub device: D,
    caps: Caps,
    /// A period of the vendor's clock (ns).
    period: u64,
    call: Arc<Mutex<Option<Call>>>,
    runs: Arc<AtomicBool>,
    /// While this is set, the vendor's thread calls nobody.
    stalls: Arc<AtomicBool>,
}

impl<D: Device> CallbackDevice<D> {
    /// A device with a vendor's thread of this period (s).
    pub fn new(device: D, period: f64) -> Self {
        let caps = Caps { drive: Drive::VendorCallback, ..device.caps().clone() };
        let period = (period * 1e9) as u64;
        CallbackDevice { device, caps, period, call: Arc::default(), runs: Arc::default(), stalls: Arc::default() }
    }

    /// A switch that makes the vendor's thread hang while it is on.
    pub fn stalls(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stalls)
    }
}

impl<D: Device> Device for CallbackDevice<D> {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn on_call(&mut self, call: Call) {
        *self.call.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.disarm();
        self.device.arm()?;
        let (runs, stalls, call) = (Arc::new(AtomicBool::new(true)), Arc::clone(&self.stalls), Arc::clone(&self.call));
        self.runs = Arc::clone(&runs);
        let period = self.period;
        let vendor = std::thread::Builder::new().name("simulated-vendor".into());
        let vendor = vendor.spawn(move || {
            let mut next = realtime::now();
            while runs.load(Ordering::Acquire) {
                next = (next + period).max(realtime::now());
                realtime::sleep_until(next);
                let call = call.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let (Some(call), false) = (call, stalls.load(Ordering::Acquire)) {
                    call();
                }
            }
        });
        vendor.map(|_| ()).map_err(|_| DeviceError::Gone)
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        self.device.read()
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.device.write(wrench)
    }

    fn disarm(&mut self) {
        self.runs.store(false, Ordering::Release);
        self.device.disarm();
    }
}

impl<D> Drop for CallbackDevice<D> {
    fn drop(&mut self) {
        self.runs.store(false, Ordering::Release);
    }
}

/// A device that answers each written wrench with one measurement, for which its read waits, as the Inverse3 of Haply does.
#[derive(Clone, Debug)]
pub struct RequestReplyDevice<D> {
    /// The device that is wrapped.
    pub device: D,
    caps: Caps,
    /// How long an answer takes.
    pub takes: Duration,
    written: bool,
    last: Option<DeviceState>,
}

impl<D: Device> RequestReplyDevice<D> {
    /// A device whose answers take this long.
    pub fn new(device: D, takes: Duration) -> Self {
        let caps = Caps { drive: Drive::RequestReply, ..device.caps().clone() };
        RequestReplyDevice { device, caps, takes, written: false, last: None }
    }
}

impl<D: Device> Device for RequestReplyDevice<D> {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.device.arm()?;
        // The first answer is to the request that arms it.
        self.written = true;
        Ok(())
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        if std::mem::take(&mut self.written) {
            if !self.takes.is_zero() {
                std::thread::sleep(self.takes);
            }
            self.last = Some(self.device.read()?);
        }
        self.last.ok_or(DeviceError::NotArmed)
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        let applied = self.device.write(wrench)?;
        self.written = true;
        Ok(applied)
    }

    fn disarm(&mut self) {
        self.device.disarm();
        (self.written, self.last) = (false, None);
    }
}
