//! Margins, worked out away from the loop, as fast as one thread can and no faster than they are asked for.

use crate::live::MarginQuestion;
use rtrb::{Consumer, Producer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use stiction::probe::Margins;

/// Number of a world, and the margins of one of its lanes.
type Of = Option<(u64, Margins)>;

/// The newest margins of each lane, and the world they are of.
#[derive(Clone, Default)]
pub struct KnownMargins(Arc<Mutex<[Of; 2]>>);

impl KnownMargins {
    /// Margins of a lane; `None` unless they are of that world.
    pub fn of(&self, world: u64, lane: usize) -> Option<Margins> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(lane).copied().flatten().filter(|(of, _)| *of == world).map(|(_, margins)| margins)
    }

    fn set(&self, world: u64, lane: usize, margins: Margins) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = known.get_mut(lane) {
            *place = Some((world, margins));
        }
    }
}

/// Time between two looks for questions.
const NAP: Duration = Duration::from_millis(4);

/// Answers until the loop is gone.
pub fn answer(
    mut asked: Consumer<Box<MarginQuestion>>,
    mut answered: Producer<Box<MarginQuestion>>,
    known: &KnownMargins,
    stop: &AtomicBool,
) {
    while !stop.load(Relaxed) && !asked.is_abandoned() {
        let Ok(mut question) = asked.pop() else {
            std::thread::sleep(NAP);
            continue;
        };
        let margins = question.probe.margins();
        known.set(question.world, question.lane, margins);
        // A full ring would mean that the loop has stopped taking them back: then this one is dropped, here.
        let _ = answered.push(question);
    }
}
