//! Progress on the terminal: a bar with the time left for stages that count their steps, a spinner for the others.

use crate::stop;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use stiction_bake::Progress;

/// Shows stages on standard error; silent without a terminal. Tells the work to stop after Ctrl-C.
pub struct Bars {
    bar: RwLock<ProgressBar>,
    shown: bool,
}

impl Bars {
    /// Nothing shown yet; from now on Ctrl-C stops the work. `quiet` shows nothing at all.
    pub fn new(quiet: bool) -> Self {
        stop::listen();
        Bars { bar: RwLock::new(ProgressBar::hidden()), shown: !quiet && io::stderr().is_terminal() }
    }

    /// Prints a line to standard error without the bar in the way.
    pub fn say(&self, line: &str) {
        self.bar.read().unwrap_or_else(PoisonError::into_inner).suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.bar.get_mut().unwrap_or_else(PoisonError::into_inner).finish_and_clear();
    }
}

impl Progress for Bars {
    fn stage(&self, name: &'static str, steps: u64) {
        if !self.shown {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(steps.max(1)), ProgressDrawTarget::stderr());
        let template = match steps {
            0 | 1 => "{spinner} {msg} {elapsed}",
            _ => "{spinner} {msg:33} {wide_bar} {percent:>3} %  {eta} left",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(name);
        let mut now = self.bar.write().unwrap_or_else(PoisonError::into_inner);
        now.finish_and_clear();
        *now = bar;
        now.enable_steady_tick(Duration::from_millis(100));
    }

    fn advance(&self, steps: u64) {
        if self.shown {
            self.bar.read().unwrap_or_else(PoisonError::into_inner).inc(steps);
        }
    }

    fn cancelled(&self) -> bool {
        stop::asked()
    }
}
