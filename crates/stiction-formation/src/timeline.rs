//! A timeline of formations: which contacts a part had, from when to when.

use crate::contact::PrincipalContact;
use crate::friction::FrictionRule;
use crate::words::{contact_words, formation_type};

/// A time in which a formation lasted.
#[derive(Clone, Debug, PartialEq)]
pub struct FormationSpan {
    /// When it began (s).
    pub from: f64,
    /// When it ended (s).
    pub to: f64,
    /// Its contacts, in order; none where nothing touched.
    pub contacts: Vec<PrincipalContact>,
    /// Ticks in which a contact slid.
    pub sliding: u64,
    /// Its ticks.
    pub ticks: u64,
    /// How many times it was taken up: others that passed in between are not told.
    pub spans: u64,
    /// Whether there was no friction: its contacts then neither stuck nor slid.
    pub frictionless: bool,
}

impl FormationSpan {
    /// When and what, in words: "0.120-0.800 s {e-f} edge 3 of the part on face 12, sliding".
    pub fn told(&self) -> String {
        format!("{:.3}-{:.3} s {}", self.from, self.to, self.words())
    }

    /// What touched, in words: "edge 3 of the part on face 12; vertex 7 of the part on face 2, sliding 40 % of the time".
    pub fn words(&self) -> String {
        if self.contacts.is_empty() {
            return "nothing touches".into();
        }
        let each: Vec<String> = self.contacts.iter().map(contact_words).collect();
        // Neither 0 % nor 100 %.
        let share = (100.0 * self.sliding as f64 / self.ticks.max(1) as f64).clamp(1.0, 99.0);
        let how = match self.sliding {
            _ if self.frictionless => String::new(),
            0 => ", sticking".into(),
            n if n == self.ticks => ", sliding".into(),
            _ => format!(", sliding {share:.0} % of the time"),
        };
        format!("{} {}{how}", formation_type(&self.contacts), each.join("; "))
    }
}

/// Most formations that a timeline keeps: a run of an hour may have more, and nobody reads them.
pub const MOST_SPANS: usize = 10_000;

/// Formations in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormationTimeline {
    spans: Vec<FormationSpan>,
    beyond: usize,
    /// The contacts of the last tick, kept for their memory.
    now: Vec<PrincipalContact>,
    frictionless: bool,
}

/// What a reader is shown of a timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineExcerpt {
    /// The formations that lasted longest, in the order in which they came.
    pub spans: Vec<FormationSpan>,
    /// The number of others.
    pub left_out: usize,
}

impl FormationTimeline {
    /// A timeline of a part without friction: it does not say whether contacts stick or slide.
    pub fn without_friction() -> FormationTimeline {
        FormationTimeline { frictionless: true, ..FormationTimeline::default() }
    }

    /// Takes in the contacts of a tick that began at a time (s) and lasted for a period (s).
    pub fn add(&mut self, time: f64, period: f64, contacts: &[(PrincipalContact, FrictionRule)]) {
        self.now.clear();
        self.now.extend(contacts.iter().map(|(c, _)| *c));
        self.now.sort_unstable();
        let now = &self.now;
        let sliding = u64::from(contacts.iter().any(|(_, rule)| *rule == FrictionRule::Dynamic));
        let full = self.spans.len() == MOST_SPANS;
        match self.spans.last_mut().filter(|last| last.contacts == *now && self.beyond == 0) {
            Some(last) => {
                (last.to, last.ticks) = (time + period, last.ticks + 1);
                last.sliding += sliding;
            }
            None if full => self.beyond += 1,
            None => {
                let (contacts, frictionless) = (now.clone(), self.frictionless);
                let span = FormationSpan {
                    from: time,
                    to: time + period,
                    contacts,
                    sliding,
                    ticks: 1,
                    spans: 1,
                    frictionless,
                };
                self.spans.push(span);
            }
        }
    }

    /// All formations.
    pub fn spans(&self) -> &[FormationSpan] {
        &self.spans
    }

    /// The formations of which there are at most so many: those that lasted longest, in the order in which they came. Passing ones that a reader of so many lines would not miss are left out,
    /// and the same formation before and after one of those is one.
    pub fn excerpt(&self, most: usize) -> TimelineExcerpt {
        let mut least = 0.0;
        loop {
            let spans = self.lasting(least);
            if spans.len() <= most {
                let shown: u64 = spans.iter().map(|s| s.spans).sum();
                return TimelineExcerpt { left_out: self.spans.len() - shown as usize + self.beyond, spans };
            }
            let shortest = spans.iter().map(|s| s.to - s.from).fold(f64::INFINITY, f64::min);
            least = (2.0 * least).max(1.01 * shortest);
        }
    }

    /// The formations that lasted at least so long (s); the same one before and after a shorter one is one.
    pub fn lasting(&self, least: f64) -> Vec<FormationSpan> {
        let mut out: Vec<FormationSpan> = Vec::new();
        for span in self.spans.iter().filter(|s| s.to - s.from >= least - 1e-9) {
            match out.last_mut().filter(|last| last.contacts == span.contacts) {
                Some(last) => {
                    last.to = span.to;
                    (last.sliding, last.ticks) = (last.sliding + span.sliding, last.ticks + span.ticks);
                    last.spans += span.spans;
                }
                None => out.push(span.clone()),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactKind;

    #[test]
    fn short_formations_are_left_out_and_what_is_around_them_joined() {
        let face = PrincipalContact { kind: ContactKind::FaceFace, a: 1, b: 2 };
        let edge = PrincipalContact { kind: ContactKind::EdgeFace, a: 3, b: 2 };
        let mut line = FormationTimeline::default();
        for i in 0..100 {
            let contact = if i == 50 { edge } else { face };
            let rule = if i < 25 { FrictionRule::Dynamic } else { FrictionRule::Static };
            line.add(0.001 * f64::from(i), 0.001, &[(contact, rule)]);
        }
        line.add(0.1, 0.001, &[]);
        assert_eq!(line.spans().len(), 4);
        let long = line.lasting(0.01);
        assert_eq!(long.len(), 1);
        assert!((long[0].to - 0.1).abs() < 1e-12 && long[0].ticks == 99);
        assert_eq!(long[0].words(), "{f-f} face 1 of the part on face 2, sliding 25 % of the time");
        assert_eq!(line.lasting(0.0).last().map(FormationSpan::words), Some("nothing touches".into()));
        let short = line.excerpt(1);
        assert_eq!((short.spans, short.left_out), (long, 2));
        assert_eq!((line.excerpt(9).spans.len(), line.excerpt(9).left_out), (4, 0));
        assert_eq!(
            line.excerpt(9).spans[0].told(),
            "0.000-0.050 s {f-f} face 1 of the part on face 2, sliding 50 % of the time"
        );
    }
}
