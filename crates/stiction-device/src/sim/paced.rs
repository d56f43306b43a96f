//! A simulated device for code that knows only [`Device`].

use super::SimDevice;
use crate::device::{Applied, Caps, Device, DeviceError, DeviceState};
use crate::envelope::SafeWrench;

/// A simulated device whose time passes by itself: one period with each read after a write. It is for code that knows only [`Device`].
#[derive(Clone, Debug)]
pub struct PacedDevice {
    /// The device that is wrapped.
    pub device: SimDevice,
    /// A period (s).
    pub period: f64,
    written: bool,
}

impl PacedDevice {
    /// Paces a device.
    pub fn new(device: SimDevice, period: f64) -> Self {
        PacedDevice { device, period, written: false }
    }
}

impl Device for PacedDevice {
    fn caps(&self) -> &Caps {
        self.device.caps()
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.written = false;
        self.device.arm()
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        if std::mem::take(&mut self.written) {
            self.device.step(self.period);
        }
        self.device.read()
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.written = true;
        self.device.write(wrench)
    }

    fn disarm(&mut self) {
        self.device.disarm();
    }
}
