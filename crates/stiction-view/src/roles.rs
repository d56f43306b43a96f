//! Decides which page holds the part; the others watch.

use crate::wire::{ServerMessage, TakeOver};
use std::time::{Duration, Instant};

/// Shortest time that a holder has to answer a page that asks.
const ANSWER: Duration = Duration::from_secs(5);

/// Pages that are connected, in the order in which they came, and the one that holds the part.
#[derive(Clone, Debug)]
pub struct Roles {
    next: u32,
    pages: Vec<u32>,
    /// Pages that ask, with the time at which they asked.
    asking: Vec<(u32, Instant)>,
    holder: Option<u32>,
    /// When the holder last did something.
    active: Instant,
    /// A holder that has done nothing for so long loses the part to a page that asks.
    patience: Duration,
    taken_over: Option<TakeOver>,
}

impl Roles {
    /// Nobody is there. A holder that has done nothing for `patience` loses the part to a page that asks.
    pub fn new(patience: Duration) -> Self {
        let (pages, asking) = (Vec::new(), Vec::new());
        Roles { next: 0, pages, asking, holder: None, active: Instant::now(), patience, taken_over: None }
    }

    /// A page came: its number. The first one holds the part.
    pub fn enter(&mut self, now: Instant) -> u32 {
        self.next += 1;
        self.pages.push(self.next);
        if self.holder.is_none() {
            self.hand_to(Some(self.next), now);
        }
        self.next
    }

    /// A page left: who asked first holds, or the oldest.
    pub fn leave(&mut self, page: u32, now: Instant) {
        self.pages.retain(|p| *p != page);
        self.asking.retain(|(p, _)| *p != page);
        if self.holder == Some(page) {
            self.hand_to(self.first_asking().or(self.pages.first().copied()), now);
        }
    }

    /// A page wants the part: it gets it if nobody has it.
    pub fn ask(&mut self, page: u32, now: Instant) {
        if self.holder.is_none() {
            self.hand_to(Some(page), now);
        } else if self.holder != Some(page) && self.pages.contains(&page) && !self.asks(page) {
            self.asking.push((page, now));
        }
    }

    /// The holder gives it to another; false where that one is not there.
    pub fn give(&mut self, to: u32, now: Instant) -> bool {
        let there = self.pages.contains(&to);
        if there {
            self.hand_to(Some(to), now);
        }
        there
    }

    /// The holder keeps it: that page no longer asks.
    pub fn keep(&mut self, from: u32) {
        self.asking.retain(|(p, _)| *p != from);
    }

    /// The holder lets it go: who asked first gets it.
    pub fn let_go(&mut self, now: Instant) {
        self.hand_to(self.first_asking(), now);
    }

    /// A page did something that only the holder may; true where that puts off a page that asks, of which pages are told.
    pub fn act(&mut self, page: u32, now: Instant) -> bool {
        if self.holder != Some(page) {
            return false;
        }
        // Hands come many times a second: pages hear of it once a second.
        let told = !self.asking.is_empty() && now.saturating_duration_since(self.active) > Duration::from_secs(1);
        self.active = now;
        told
    }

    /// Hands the part to the page that asked first, if the holder has done nothing for too long; whether it did.
    pub fn take_over(&mut self, now: Instant) -> bool {
        let (Some(from), Some((by, _)), Some(due)) = (self.holder, self.asking.first().copied(), self.due()) else {
            return false;
        };
        if now < due {
            return false;
        }
        let idle = now.saturating_duration_since(self.active).as_secs_f64();
        self.hand_to(Some(by), now);
        self.taken_over = Some(TakeOver { from, by, idle });
        true
    }

    /// When the page that asked first takes over.
    fn due(&self) -> Option<Instant> {
        let (_, asked) = self.asking.first()?;
        Some((self.active + self.patience).max(*asked + self.patience.min(ANSWER)))
    }

    fn first_asking(&self) -> Option<u32> {
        self.asking.first().map(|(page, _)| *page)
    }

    fn asks(&self, page: u32) -> bool {
        self.asking.iter().any(|(p, _)| *p == page)
    }

    fn hand_to(&mut self, page: Option<u32>, now: Instant) {
        (self.holder, self.active, self.taken_over) = (page, now, None);
        self.asking.retain(|(p, _)| Some(*p) != page);
    }

    /// Whether a page may change anything.
    pub fn holds(&self, page: u32) -> bool {
        self.holder == Some(page)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pages.len()
    }

    /// For the pages.
    pub fn say(&self, now: Instant) -> ServerMessage {
        ServerMessage::Roles {
            holder: self.holder,
            pages: self.pages.clone(),
            asking: self.asking.iter().map(|(page, _)| *page).collect(),
            takes_over_in: self.due().map(|due| due.saturating_duration_since(now).as_secs_f64()),
            taken_over: self.taken_over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(15);

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn only_one_page_holds_and_it_can_hand_over() {
        let (mut roles, t) = (Roles::new(PATIENCE), Instant::now());
        let [a, b, c] = [roles.enter(t), roles.enter(t), roles.enter(t)];
        assert!(roles.holds(a) && !roles.holds(b) && !roles.holds(c));
        roles.ask(c, t);
        roles.ask(c, t);
        assert!(roles.holds(a), "asking is not taking");
        assert!(roles.give(c, t));
        assert!(roles.holds(c) && !roles.holds(a));
        assert!(!roles.give(99, t) && roles.holds(c), "nobody is there to take it");
        roles.ask(b, t);
        roles.let_go(t);
        assert!(roles.holds(b));
        roles.let_go(t);
        assert!(![a, b, c].iter().any(|p| roles.holds(*p)));
        roles.ask(a, t);
        assert!(roles.holds(a), "nobody had it");
    }

    #[test]
    fn a_holder_that_leaves_is_followed_by_who_asked_or_the_oldest() {
        let (mut roles, t) = (Roles::new(PATIENCE), Instant::now());
        let [a, b, c] = [roles.enter(t), roles.enter(t), roles.enter(t)];
        roles.ask(c, t);
        roles.leave(a, t);
        assert!(roles.holds(c));
        roles.leave(c, t);
        assert!(roles.holds(b));
        roles.leave(b, t);
        let d = roles.enter(t);
        assert!(roles.holds(d));
        assert_eq!(roles.count(), 1);
    }

    #[test]
    fn a_holder_that_does_nothing_loses_the_part_to_who_asks_and_only_then() {
        let (mut roles, t) = (Roles::new(PATIENCE), Instant::now());
        let [a, b] = [roles.enter(t), roles.enter(t)];
        assert!(!roles.take_over(t + seconds(3600)), "nobody asks");
        roles.ask(b, t + seconds(1));
        assert!(!roles.take_over(t + seconds(14)) && roles.holds(a));
        assert!(roles.act(a, t + seconds(14)), "pages are told that it goes on");
        assert!(!roles.take_over(t + seconds(28)) && roles.holds(a), "it has moved the part");
        assert!(roles.take_over(t + seconds(29)) && roles.holds(b));
        let ServerMessage::Roles { taken_over, takes_over_in, .. } = roles.say(t + seconds(30)) else { unreachable!() };
        assert_eq!(taken_over, Some(TakeOver { from: a, by: b, idle: 15.0 }));
        assert_eq!(takes_over_in, None);
        // One that has been idle for an hour still has time to answer.
        roles.ask(a, t + seconds(3600));
        assert!(!roles.take_over(t + seconds(3604)));
        roles.keep(a);
        assert!(!roles.take_over(t + seconds(7200)) && roles.holds(b), "it was kept");
        roles.ask(a, t + seconds(7200));
        assert!(roles.take_over(t + seconds(7205)) && roles.holds(a));
    }
}
