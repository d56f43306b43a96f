//! Ticks made by hand, whose motion is known.

use super::*;
use stiction::contact::ContactId;
use stiction::spatial::{Rotation, Vec6, join};

/// A part with contacts on the plane z = 0, each with 1 N and µ 0.5, at these places of the part.
struct Made {
    tally: MotionTally,
    part: Vec3,
    places: [Vec3; 2],
}

impl Made {
    fn new() -> Made {
        Made {
            tally: MotionTally::new(1000.0, 2, true),
            part: Vec3::zeros(),
            places: [Vec3::zeros(), Vec3::new(0.01, 0.0, 0.0)],
        }
    }

    /// A tick in which the part moves along the plane, and these contacts touch.
    fn tick(&mut self, verdict: Verdict, moved: f64, touching: &[u64]) {
        let step = Vec3::new(moved, 0.0, 0.0);
        self.part += step;
        let pose = Pose::from_parts(self.part.into(), Rotation::identity());
        let trace = Trace {
            verdict,
            step: join(step, Vec3::zeros()),
            contacts: touching.len() as u32,
            ..Trace::blank(&pose, &self.part)
        };
        let contact = |id: &u64| ContactTrace {
            id: ContactId(*id),
            position: self.part + self.places[*id as usize],
            normal: Vec3::z(),
            depth: 1e-6,
            normal_force: 1.0,
            friction: Vec3::zeros(),
            limit: 0.5,
            slip: Vec3::zeros(),
            remembered: Vec3::zeros(),
            work: 0.0,
            state: SlipState::Stuck,
        };
        self.tally.add(&trace, || touching.iter().map(contact));
    }

    fn ticks(&mut self, count: usize, verdict: Verdict, moved: f64, touching: &[u64]) {
        (0..count).for_each(|_| self.tick(verdict, moved, touching));
    }
}

/// A slide over an edge was once told as one that friction caught.
#[test]
fn a_part_that_slides_off_is_not_caught() {
    let mut made = Made::new();
    made.ticks(5, Verdict::Holds, 0.0, &[0, 1]);
    made.ticks(10, Verdict::Slips, 1e-4, &[0, 1]);
    made.ticks(3, Verdict::Free, 1e-4, &[]);
    let told = made.tally.summary();
    assert!((told.slipped_m - 1e-3).abs() < 1e-15 && told.slide_count == 1, "{told:?}");
    assert_eq!((told.slides[0].caught_s, told.slides[0].lifted_s), (None, Some(0.015)), "{told:?}");
    assert_eq!((told.last_caught_s, told.last_lifted_s), (None, Some(0.015)), "{told:?}");
    made.ticks(2, Verdict::Slips, 1e-4, &[0]);
    let told = made.tally.summary();
    assert_eq!((told.last_caught_s, told.last_lifted_s), (None, None), "it slides: {told:?}");
    made.ticks(2, Verdict::Holds, 0.0, &[0]);
    let told = made.tally.summary();
    assert_eq!((told.last_caught_s, told.last_lifted_s), (Some(0.020), None), "{told:?}");
    assert_eq!(
        told.slides[1],
        Slide { from_s: 0.018, caught_s: Some(0.020), lifted_s: None, slipped_m: told.slides[1].slipped_m }
    );
}

/// A part that stands on its contacts in turn walks: no contact moves while it touches.
#[test]
fn what_a_part_moves_while_a_contact_is_open_is_not_creep() {
    let mut made = Made::new();
    made.ticks(3, Verdict::Holds, 0.0, &[0, 1]);
    for _ in 0..4 {
        made.tick(Verdict::Holds, 0.0, &[1]);
        // The place of contact 0 moves by a millimetre while it is open; contact 1 stands, so the part's points there do, too.
        made.tick(Verdict::Holds, 1e-3, &[]);
        made.ticks(2, Verdict::Holds, 0.0, &[0, 1]);
    }
    assert!(made.tally.summary().crept_m < 1e-15, "{:?}", made.tally.summary());
    // What it moves while it touches is creep.
    made.ticks(4, Verdict::Holds, 1e-6, &[0, 1]);
    assert!((made.tally.summary().crept_m - 4e-6).abs() < 1e-12, "{:?}", made.tally.summary());
}

/// A hold that an undecided tick interrupts was once followed through it, so that its motion counted as creep.
#[test]
fn undecided_ticks_count_in_no_kind_of_motion() {
    let mut made = Made::new();
    made.ticks(3, Verdict::Holds, 1e-6, &[0, 1]);
    made.ticks(2, Verdict::Undecided, 1e-3, &[0, 1]);
    made.ticks(3, Verdict::Holds, 1e-6, &[0, 1]);
    let told = made.tally.summary();
    // Two ticks after the first of each hold.
    assert!((told.crept_m - 4e-6).abs() < 1e-12, "{told:?}");
    assert!(told.slipped_m == 0.0 && told.rolled_m == 0.0, "{told:?}");
    assert!((told.displaced_m - (6e-6 + 2e-3)).abs() < 1e-12, "{told:?}");
}

/// One undecided tick in a slide neither ends it nor begins another.
#[test]
fn a_slide_goes_on_through_an_undecided_tick() {
    let mut made = Made::new();
    made.ticks(3, Verdict::Slips, 1e-4, &[0, 1]);
    made.tick(Verdict::Undecided, 0.0, &[0, 1]);
    made.ticks(3, Verdict::Slips, 1e-4, &[0, 1]);
    let told = made.tally.summary();
    assert_eq!((told.slide_count, told.slides[0].caught_s, told.slides[0].lifted_s), (1, None, None), "{told:?}");
    assert!((told.slipped_m - 6e-4).abs() < 1e-15, "{told:?}");
}

/// A part that turns about a contact without friction: the way of each contact counts by its normal force.
#[test]
fn ways_are_weighted() {
    let mut tally = MotionTally::new(1000.0, 2, true);
    let step = Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 1e-3);
    let pose = Pose::from_parts(Vec3::zeros().into(), stiction::spatial::exp(&Vec3::new(0.0, 0.0, 1e-3)));
    let trace = Trace { verdict: Verdict::Slips, step, contacts: 2, ..Trace::blank(&pose, &Vec3::zeros()) };
    let at = |id: u64, x: f64, limit: f64| ContactTrace {
        id: ContactId(id),
        position: Vec3::new(x, 0.0, 0.0),
        normal: Vec3::z(),
        depth: 0.0,
        normal_force: 1.0,
        friction: Vec3::zeros(),
        limit,
        slip: Vec3::zeros(),
        remembered: Vec3::zeros(),
        work: 0.0,
        state: SlipState::Sliding,
    };
    tally.add(&trace, || [at(0, 0.01, 3.0), at(1, 0.05, 1.0)].into_iter());
    // (3·0.01 + 1·0.05)/4 m times 1 mrad.
    assert!((tally.summary().slipped_m - 0.02e-3).abs() < 1e-15, "{:?}", tally.summary());
    assert!((tally.summary().turned_rad - 1e-3).abs() < 1e-9);
}
