//! The device of a lane: a handle that is wherever the loop says, and pushes nobody.

use stiction_device::handover::Latest;
use stiction_device::{Applied, Caps, Device, DeviceError, DeviceState, SafeWrench};

/// A handle whose measurements come from the loop itself.
pub struct PageDevice {
    caps: Caps,
    states: Latest<DeviceState>,
    armed: bool,
}

impl PageDevice {
    /// A handle with these capabilities, measured by `states`.
    pub fn new(caps: Caps, states: Latest<DeviceState>) -> Self {
        PageDevice { caps, states, armed: false }
    }
}

impl Device for PageDevice {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.armed = true;
        Ok(())
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        if self.armed { Ok(self.states.take().0) } else { Err(DeviceError::NotArmed) }
    }

    fn write(&mut self, _wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        if self.armed { Ok(Applied::Full) } else { Err(DeviceError::NotArmed) }
    }

    fn disarm(&mut self) {
        self.armed = false;
    }
}
