//! Ctrl-C as a flag that long work looks at, so that nothing half-written is left.

use crate::output;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
/// Somebody has looked at the flag since, and will end by itself.
static SEEN: AtomicBool = AtomicBool::new(false);
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How long work that does not look at the flag may go on.
const PATIENCE: Duration = Duration::from_millis(400);

/// Makes Ctrl-C, and a polite request of the system to end, set the flag. Work that looks at it ends by itself, with what it has kept; where nobody does within 0.4 s, and
/// the second time, the program ends at once, and removes what is half written.
pub fn listen() {
    let handler = || {
        let again = ASKED.swap(true, Ordering::SeqCst);
        std::thread::sleep(PATIENCE);
        if again || !SEEN.load(Ordering::SeqCst) {
            for draft in DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                let _ = std::fs::remove_file(draft);
            }
            output::complain("stopped; nothing was written");
            std::process::exit(130);
        }
    };
    // Without a handler Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(handler);
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    let asked = ASKED.load(Ordering::Relaxed);
    if asked {
        SEEN.store(true, Ordering::SeqCst);
    }
    asked
}

/// A file that may be there, half written, when the program ends at once.
pub fn draft(path: PathBuf) {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).push(path);
}
