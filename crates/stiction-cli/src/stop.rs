//! Ctrl-C as a flag that long work looks at, so that nothing half-written is left.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes Ctrl-C, and a polite request of the system to end, set the flag. The second time the program ends at once, and
/// removes what is half written.
pub fn listen() {
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(300));
            for draft in DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                let _ = std::fs::remove_file(draft);
            }
            std::process::exit(130);
        }
    };
    // Without a handler Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(handler);
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// A file that may be there, half written, when the program ends at once.
pub fn draft(path: PathBuf) {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).push(path);
}
