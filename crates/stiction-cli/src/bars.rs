//! Progress on the terminal: a bar with the time left for stages that count their steps, a spinner for the others.

use crate::{output, stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
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
        self.hidden(|| output::complain(line));
    }

    /// Calls what prints without the bar in the way.
    pub fn hidden<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.read().unwrap_or_else(PoisonError::into_inner).suspend(print)
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
            _ => "{spinner} {msg:33} {wide_bar} {percent:>3} %{left:>15}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&left(state.elapsed(), state.pos(), state.len().unwrap_or(0)));
            };
            bar.set_style(style.with_key("left", left));
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

/// The time left at the mean speed so far; nothing is said before the first step is done.
fn left(elapsed: Duration, done: u64, all: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * all.saturating_sub(done) as f64 / done as f64;
    match seconds.ceil() as u64 {
        s @ 0..100 => format!("{s} s left"),
        s @ 100..6000 => format!("{} min left", s.div_ceil(60)),
        s => format!("{} h left", s.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_mean_speed() {
        let after = |seconds, done| left(Duration::from_secs(seconds), done, 100);
        assert_eq!(after(9, 0), "");
        assert_eq!(after(10, 50), "10 s left");
        assert_eq!(after(60, 10), "9 min left");
        assert_eq!(after(3600, 10), "9 h left");
        assert_eq!((after(60, 100), after(60, 120)), ("0 s left".into(), "0 s left".into()));
    }
}
