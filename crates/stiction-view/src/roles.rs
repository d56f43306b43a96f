//! Decides which page holds the part; the others watch.

use crate::wire::ServerMessage;

/// Pages that are connected, in the order in which they came, and the one that holds the part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    next: u32,
    pages: Vec<u32>,
    asking: Vec<u32>,
    holder: Option<u32>,
}

impl Roles {
    /// A page came: its number. The first one holds the part.
    pub fn enter(&mut self) -> u32 {
        self.next += 1;
        self.pages.push(self.next);
        self.holder.get_or_insert(self.next);
        self.next
    }

    /// A page left: who asked first holds, or the oldest.
    pub fn leave(&mut self, page: u32) {
        self.pages.retain(|p| *p != page);
        self.asking.retain(|p| *p != page);
        if self.holder == Some(page) {
            self.hand_to(self.asking.first().or(self.pages.first()).copied());
        }
    }

    /// A page wants the part: it gets it if nobody has it.
    pub fn ask(&mut self, page: u32) {
        if self.holder.is_none() {
            self.hand_to(Some(page));
        } else if self.holder != Some(page) && self.pages.contains(&page) && !self.asking.contains(&page) {
            self.asking.push(page);
        }
    }

    /// The holder gives it to another; false where that one is not there.
    pub fn give(&mut self, to: u32) -> bool {
        let there = self.pages.contains(&to);
        if there {
            self.hand_to(Some(to));
        }
        there
    }

    /// The holder lets it go: who asked first gets it.
    pub fn let_go(&mut self) {
        self.hand_to(self.asking.first().copied());
    }

    fn hand_to(&mut self, page: Option<u32>) {
        self.holder = page;
        self.asking.retain(|p| Some(*p) != page);
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
    pub fn say(&self) -> ServerMessage {
        ServerMessage::Roles { holder: self.holder, pages: self.pages.clone(), asking: self.asking.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_page_holds_and_it_can_hand_over() {
        let mut roles = Roles::default();
        let [a, b, c] = [roles.enter(), roles.enter(), roles.enter()];
        assert!(roles.holds(a) && !roles.holds(b) && !roles.holds(c));
        roles.ask(c);
        roles.ask(c);
        assert!(roles.holds(a), "asking is not taking");
        assert!(roles.give(c));
        assert!(roles.holds(c) && !roles.holds(a));
        assert!(!roles.give(99) && roles.holds(c), "nobody is there to take it");
        roles.ask(b);
        roles.let_go();
        assert!(roles.holds(b));
        roles.let_go();
        assert!(![a, b, c].iter().any(|p| roles.holds(*p)));
        roles.ask(a);
        assert!(roles.holds(a), "nobody had it");
    }

    #[test]
    fn a_holder_that_leaves_is_followed_by_who_asked_or_the_oldest() {
        let mut roles = Roles::default();
        let [a, b, c] = [roles.enter(), roles.enter(), roles.enter()];
        roles.ask(c);
        roles.leave(a);
        assert!(roles.holds(c));
        roles.leave(c);
        assert!(roles.holds(b));
        roles.leave(b);
        let d = roles.enter();
        assert!(roles.holds(d));
        assert_eq!(roles.count(), 1);
    }
}
