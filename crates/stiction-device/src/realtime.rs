//! Clocks, sleeping to a deadline, and what the system grants a real-time thread. Linux and other Unix; elsewhere, sleeping by `std`.
#![allow(unsafe_code)]

/// What the system granted a real-time thread: priority and locked memory, or the reasons for refusing them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealtimeGrant {
    /// The real-time priority, or the reason for which it was refused.
    pub priority: Result<i32, String>,
    /// Whether memory is locked, or the reason for which it is not.
    pub locked: Result<(), String>,
}

impl RealtimeGrant {
    /// What was refused and what to do about it, a line each; nothing where all was granted.
    pub fn advice(&self) -> Vec<String> {
        let mut out = Vec::new();
        if let Err(why) = &self.priority {
            out.push(format!(
                "no real-time priority ({why}): ticks will be late when the machine is busy. Allow it by \
                 `sudo setcap cap_sys_nice,cap_ipc_lock+ep $(command -v stiction)`, or with a line `@realtime - rtprio 80` in \
                 /etc/security/limits.conf and your user in that group"
            ));
        }
        if let Err(why) = &self.locked {
            out.push(format!(
                "memory is not locked ({why}): a tick may wait for the disk. Allow it by the same setcap, or with a line \
                 `@realtime - memlock unlimited` in /etc/security/limits.conf"
            ));
        }
        out
    }
}

#[cfg(unix)]
mod system {
    use super::RealtimeGrant;
    use rustix::time::{ClockId, Timespec, clock_gettime};

    fn nanoseconds(t: Timespec) -> u64 {
        t.tv_sec.unsigned_abs().wrapping_mul(1_000_000_000).wrapping_add(t.tv_nsec as u64)
    }

    /// The monotonic clock (ns).
    pub fn now() -> u64 {
        nanoseconds(clock_gettime(ClockId::Monotonic))
    }

    /// CPU time that this thread has used (ns).
    pub fn thread_time() -> u64 {
        nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
    }

    /// Sleeps until the monotonic clock reads `deadline` (ns).
    pub fn sleep_until(deadline: u64) {
        #[cfg(target_os = "linux")]
        {
            let at = Timespec { tv_sec: (deadline / 1_000_000_000) as i64, tv_nsec: (deadline % 1_000_000_000) as _ };
            // Again where a signal came between.
            while rustix::thread::clock_nanosleep_absolute(ClockId::Monotonic, &at) == Err(rustix::io::Errno::INTR) {}
        }
        #[cfg(not(target_os = "linux"))]
        std::thread::sleep(std::time::Duration::from_nanos(deadline.saturating_sub(now())));
    }

    /// Asks for first-in-first-out scheduling of this thread and for locked memory of this process.
    pub fn acquire(priority: i32) -> RealtimeGrant {
        #[cfg(target_os = "linux")]
        let granted = {
            let parameter = libc::sched_param { sched_priority: priority };
            // SAFETY: plain system call on this thread (0) with a parameter that outlives it.
            let answer = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &parameter) };
            if answer == 0 { Ok(priority) } else { Err(std::io::Error::last_os_error().to_string()) }
        };
        #[cfg(not(target_os = "linux"))]
        let granted = Err(format!("priority {priority} cannot be asked for on this system"));
        let flags = rustix::mm::MlockAllFlags::CURRENT | rustix::mm::MlockAllFlags::FUTURE;
        let locked = rustix::mm::mlockall(flags).map_err(|e| e.to_string());
        RealtimeGrant { priority: granted, locked }
    }
}

#[cfg(not(unix))]
mod system {
    use super::RealtimeGrant;
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    /// The monotonic clock (ns).
    pub fn now() -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }

    /// Time that has passed: this system has no clock of a thread.
    pub fn thread_time() -> u64 {
        now()
    }

    /// Sleeps until the monotonic clock reads `deadline` (ns).
    pub fn sleep_until(deadline: u64) {
        std::thread::sleep(Duration::from_nanos(deadline.saturating_sub(now())));
    }

    /// Asks for nothing: there is no way on this system.
    pub fn acquire(_priority: i32) -> RealtimeGrant {
        let why = || "not possible on this system".to_owned();
        RealtimeGrant { priority: Err(why()), locked: Err(why()) }
    }
}

pub use system::{acquire, now, sleep_until, thread_time};
