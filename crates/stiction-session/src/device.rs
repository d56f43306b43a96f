//! The simulated device of a scene: its hand moves as the scene says.

use stiction_device::sim::{SimDevice, SimParams};
use stiction_device::{Applied, Caps, Device, DeviceError, DeviceState, Mapping, SafeWrench, realtime};
use stiction_scene::Hand;

/// Clock of a simulated device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Time passes as on the system's clock.
    Real,
    /// Time passes by this much with each read (s), so that a run goes as fast as the machine can.
    Virtual(f64),
}

/// A simulated device whose hand intends what a scene's hand does.
#[derive(Clone, Debug)]
pub struct SceneDevice {
    /// The device, for faults and for the truth about it.
    pub sim: SimDevice,
    hand: Hand,
    /// Ties the handle's home to the hand's first pose; the loop's own mapping starts the same.
    mapping: Mapping,
    pace: Pace,
    /// Time since the first read (s), and the clock of the last one (ns).
    time: f64,
    last: Option<u64>,
}

impl SceneDevice {
    /// A device in the hand of a scene.
    ///
    /// # Errors
    /// Where a parameter is out of its range.
    pub fn new(
        params: SimParams,
        hand: Hand,
        mut mapping: Mapping,
        pace: Pace,
    ) -> Result<Self, stiction_device::sim::SimError> {
        mapping.tie(&params.home, &hand.pose(0.0));
        Ok(SceneDevice { sim: SimDevice::new(params)?, hand, mapping, pace, time: 0.0, last: None })
    }

    /// Time since the first read (s).
    pub fn time(&self) -> f64 {
        self.time
    }
}

impl Device for SceneDevice {
    fn caps(&self) -> &Caps {
        self.sim.caps()
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.sim.arm()
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        let passed = match self.pace {
            Pace::Real => {
                let now = realtime::now();
                let passed = self.last.map_or(0.0, |last| now.saturating_sub(last) as f64 * 1e-9);
                self.last = Some(now);
                passed
            }
            Pace::Virtual(period) => period,
        };
        self.time += passed;
        if let Some(handle) = self.mapping.handle_for(&self.hand.pose(self.time)) {
            self.sim.intend(&handle);
        }
        if passed > 0.0 {
            self.sim.step(passed);
        }
        self.sim.read()
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.sim.write(wrench)
    }

    fn disarm(&mut self) {
        self.sim.disarm();
    }
}
