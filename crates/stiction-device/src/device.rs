//! What a haptic device is to the servo loop: poses out, wrenches in.
//!
//! All in SI units. A device's own axes: +X to the user, +Y to the right, +Z up. A wrench acts on the hand at the handle's origin, force
//! first.

use crate::envelope::SafeWrench;
use stiction::named;
use stiction::spatial::{Pose, Vec3, Vec6};

named! {
    /// How [`servo_loop::start`](crate::servo_loop::start) drives a device: which side calls the other.
    pub enum Drive {
        /// The loop reads and writes at its own deadlines.
        Poll = "poll",
        /// The vendor's thread calls the loop's cycle once a period: see [`Device::on_call`]. The loop's own thread stands by and goes on if no call comes.
        VendorCallback = "vendor-callback",
        /// Each written wrench is answered by one state, and reading waits for it: no write, no new state. It is read on a thread of its own: see [`exchange`](crate::exchange).
        RequestReply = "request-reply",
        /// Poses only: no force can be rendered.
        InputOnly = "input-only",
    }
}

impl Drive {
    /// How old a measurement is when the loop uses it, in periods: the answer to a request was measured when the last wrench was written.
    pub fn delay(self) -> f64 {
        if self == Drive::RequestReply { 1.0 } else { 0.0 }
    }
}

/// What a vendor's thread calls once a period. Never waits.
pub type Call = std::sync::Arc<dyn Fn() + Send + Sync>;

/// Which of the six degrees a device senses, or actuates: x, y, z, then rotations about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dofs(pub [bool; 6]);

impl Dofs {
    /// All six.
    pub const ALL: Dofs = Dofs([true; 6]);
    /// Translation only: most devices return force but no torque.
    pub const TRANSLATION: Dofs = Dofs([true, true, true, false, false, false]);
    /// No degree of freedom.
    pub const NONE: Dofs = Dofs([false; 6]);

    /// The vector with all that is not among these set to zero.
    pub fn of(&self, v: &Vec6) -> Vec6 {
        Vec6::from_fn(|i, _| if self.0[i] { v[i] } else { 0.0 })
    }
}

/// Capabilities of a device. They are read once, before the loop starts, and never change.
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Maker and model, for display.
    pub name: String,
    /// Degrees of freedom that it measures.
    pub sensed: Dofs,
    /// Degrees of freedom in which it renders force.
    pub actuated: Dofs,
    /// Centre (m) and radius (m) of the sphere in which the handle can be.
    pub workspace: (Vec3, f64),
    /// Force that it can hold for ever (N), and for `peak_seconds`.
    pub force: [f64; 2],
    /// Torque likewise (N m).
    pub torque: [f64; 2],
    /// How long the peak may last (s).
    pub peak_seconds: f64,
    /// Largest stiffness that it renders without buzzing (N/m, N m/rad).
    pub stiffness: [f64; 2],
    /// Physical damping of the handle (N s/m, N m s/rad): what makes a sampled wall passive.
    pub damping: [f64; 2],
    /// Steps of its encoders at the handle (m, rad).
    pub resolution: [f64; 2],
    /// Rates at which it can be driven (Hz), lowest and highest.
    pub rate: [f64; 2],
    /// After this long without a write it cuts its own force (s).
    pub watchdog: Option<f64>,
    /// How the loop drives it.
    pub drive: Drive,
}

/// Whether force may be rendered, as the device sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enable {
    /// The dead-man switch says that a hand is there; true for devices without one.
    pub hand: bool,
    /// The emergency stop is not pressed.
    pub estop_ok: bool,
    /// The motors have power.
    pub powered: bool,
    /// Whether its own clutch is held: the handle moves and the part does not.
    pub clutched: bool,
}

impl Enable {
    /// Everything allows force.
    pub const YES: Enable = Enable { hand: true, estop_ok: true, powered: true, clutched: false };
}

/// What a device complains of, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alarms(pub u32);

impl Alarms {
    /// Motors are hot: it reduces its force by itself.
    pub const HOT: Alarms = Alarms(1);
    /// It was asked for more than it can.
    pub const SATURATED: Alarms = Alarms(1 << 1);
    /// It moved faster than it allows.
    pub const OVERSPEED: Alarms = Alarms(1 << 2);
    /// Something within it is broken.
    pub const FAILURE: Alarms = Alarms(1 << 3);

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Alarms) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What a device reports. Plain data: it is recorded, and a replay feeds it in again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceState {
    /// When it was measured (ns), by the device's or the host's clock: an input like the rest.
    pub time: u64,
    /// Counts measurements: the same number again is the same measurement again.
    pub sequence: u64,
    /// Handle in the device's axes.
    pub pose: Pose,
    /// Its velocity (m/s, rad/s), if the device measures it; zero otherwise, and the loop differentiates.
    pub twist: Vec6,
    /// One bit a button.
    pub buttons: u32,
    /// Whether force may be rendered.
    pub enable: Enable,
    /// What it complains of.
    pub alarms: Alarms,
}

impl DeviceState {
    /// At the origin, enabled, never measured.
    pub fn still() -> Self {
        DeviceState {
            time: 0,
            sequence: 0,
            pose: Pose::identity(),
            twist: Vec6::zeros(),
            buttons: 0,
            enable: Enable::YES,
            alarms: Alarms::default(),
        }
    }
}

/// What a device did with a wrench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Applied {
    /// Rendered as sent.
    Full,
    /// Rendered less of it.
    Saturated(Vec6),
    /// Rendered nothing: not powered, no hand, stopped.
    Inhibited,
}

/// Errors from using a device. They hold no text, because they are made in the loop, where nothing may be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// It is not there any more.
    #[error("the device is not connected: check its cable and power, then arm it again")]
    Gone,
    /// It did not answer in time.
    #[error("the device did not answer in time")]
    Timeout,
    /// What came was no valid message.
    #[error("the device sent something that is no valid message")]
    Garbled,
    /// It was not armed.
    #[error("the device is not armed")]
    NotArmed,
    /// It is being armed, away from the loop.
    #[error("the device is being armed: this may take some seconds")]
    Arming,
    /// Its emergency stop is pressed.
    #[error("the emergency stop is pressed: release it, then arm the device again")]
    Stopped,
    /// Another program has it.
    #[error("the device is in use by another program")]
    Busy,
    /// The vendor's own number.
    #[error("the device reports error {0}: see its manual")]
    Vendor(i64),
}

/// A haptic device. `read` and `write` are called in the loop: no allocation, lock or print in them.
///
/// The order is `arm`, then `read` and `write` in turn, then `disarm`; after an error `arm` may be tried again.
pub trait Device: Send {
    /// What it can do. Never changes.
    fn caps(&self) -> &Caps;
    /// Makes it ready, at zero force. May take seconds: it is called before the loop starts, and later on a thread of its own while the loop does without the device.
    ///
    /// # Errors
    /// [`DeviceError`] if it cannot be used now.
    fn arm(&mut self) -> Result<(), DeviceError>;
    /// Sets the function that the vendor's thread calls once a period, from now on and whenever the device is armed. Only for [`Drive::VendorCallback`]. The call reads and writes this device
    /// on the vendor's thread; `disarm` may come from within it, and so must not wait for that thread.
    fn on_call(&mut self, call: Call) {
        drop(call);
    }
    /// The newest measurement; the last one again where there is no newer. Must not wait, unless the device is one of [`Drive::RequestReply`].
    ///
    /// # Errors
    /// [`DeviceError`] if no measurement can be read.
    fn read(&mut self) -> Result<DeviceState, DeviceError>;
    /// Renders a wrench until the next one. Called in every cycle, also with zero.
    ///
    /// # Errors
    /// [`DeviceError`] if the wrench did not reach the device.
    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError>;
    /// Takes all force away. May be called at any time, also twice and from another thread than before; every device also does so when dropped. Where a panic ends an arm this is
    /// called in a cycle, so it should not wait.
    fn disarm(&mut self);
}
