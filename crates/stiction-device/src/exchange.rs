//! Devices that answer each request, on a thread of their own.
//!
//! Such a device ([`Drive::RequestReply`](crate::Drive)) has a new measurement only after a wrench was written, and its read waits for it: usually for a part of a period, but for
//! seconds if the cable is out. So no cycle reads it. The loop leaves the newest wrench in a triple buffer and takes the newest reply from another; the thread does the
//! exchange, one for each wrench. Where no new wrench comes, because the loop has ended or died, it sends zero.

use crate::device::{Applied, Caps, Device, DeviceError, DeviceState};
use crate::envelope::SafeWrench;
use crate::handover::{Latest, Publisher, latest};
use crate::realtime;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often the thread looks for a new wrench.
const LOOK: Duration = Duration::from_micros(50);
/// After this long without a new wrench zero is sent (ns).
const SILENCE: u64 = 20_000_000;

/// What the device answered last.
#[derive(Clone, Copy)]
struct Reply {
    read: Result<DeviceState, DeviceError>,
    applied: Result<Applied, DeviceError>,
}

/// A device that answers each request, seen from the loop: neither its reads nor its writes wait.
pub struct Exchange {
    caps: Caps,
    /// The device while it is not armed; `None` if its backend panicked.
    device: Option<Box<dyn Device>>,
    line: Option<Line>,
    thread: Option<JoinHandle<Box<dyn Device>>>,
    last: Reply,
}

/// The loop's ends of the thread.
struct Line {
    runs: Arc<AtomicBool>,
    wrenches: Publisher<SafeWrench>,
    replies: Latest<Reply>,
}

impl Exchange {
    /// Puts a device on a thread of its own, from when this is armed on.
    pub fn new(device: Box<dyn Device>) -> Self {
        let last = Reply { read: Err(DeviceError::NotArmed), applied: Err(DeviceError::NotArmed) };
        Exchange { caps: device.caps().clone(), device: Some(device), line: None, thread: None, last }
    }

    /// Tells the thread to end. It disarms the device as soon as the exchange at work is over.
    fn hang_up(&mut self) {
        if let Some(line) = self.line.take() {
            line.runs.store(false, Ordering::Release);
        }
    }
}

impl Device for Exchange {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            self.device = thread.join().ok();
        }
        let mut device = self.device.take().ok_or(DeviceError::Gone)?;
        // A first exchange, with zero, so that there is something to read.
        let armed = device.arm().and_then(|()| device.write(&SafeWrench::ZERO)).and_then(|_| device.read());
        let state = match armed {
            Ok(state) => state,
            Err(error) => {
                device.disarm();
                self.device = Some(device);
                return Err(error);
            }
        };
        self.last = Reply { read: Ok(state), applied: Ok(Applied::Full) };
        let (publisher, replies) = latest(self.last);
        let (wrenches, asked) = latest(SafeWrench::ZERO);
        let runs = Arc::new(AtomicBool::new(true));
        let running = Arc::clone(&runs);
        let thread = std::thread::Builder::new().name("stiction-exchange".into());
        let thread = thread.spawn(move || exchanges(device, asked, publisher, &running));
        // The system makes no thread, and the device was dropped, which disarms it.
        self.thread = Some(thread.map_err(|_| DeviceError::Gone)?);
        self.line = Some(Line { runs, wrenches, replies });
        Ok(())
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        let line = self.line.as_mut().ok_or(DeviceError::NotArmed)?;
        self.last = line.replies.take().0;
        self.last.read
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        let line = self.line.as_mut().ok_or(DeviceError::NotArmed)?;
        line.wrenches.publish(wrench);
        self.last.applied
    }

    fn disarm(&mut self) {
        self.hang_up();
    }
}

impl Drop for Exchange {
    /// Waits for the exchange at work, so that there is no force afterwards, also if the program ends at once. No cycle drops a device.
    fn drop(&mut self) {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn exchanges(
    mut device: Box<dyn Device>,
    mut asked: Latest<SafeWrench>,
    mut replies: Publisher<Reply>,
    runs: &AtomicBool,
) -> Box<dyn Device> {
    let mut last = realtime::now();
    while runs.load(Ordering::Acquire) {
        let (wrench, fresh) = asked.take();
        let now = realtime::now();
        if !fresh && now.saturating_sub(last) < SILENCE {
            std::thread::sleep(LOOK);
            continue;
        }
        last = now;
        let applied = device.write(if fresh { &wrench } else { &SafeWrench::ZERO });
        let read = device.read();
        replies.publish(&Reply { read, applied });
    }
    device.disarm();
    device
}
