//! Convex parts: their hulls, distances, contact planes, intersections, and the integrals over contact areas, each against a method that shares no code with them.
//!
//! `STICTION_STUDY` runs 10⁵ pairs of each kind instead of some hundreds, and leaves rows of results.

mod allocations;
mod clipping;
mod distance;
mod hull;
mod integrals;
mod intersection;
mod plane;
mod quadrature;
mod random;
mod shapes;

#[global_allocator]
static ALLOCATOR: stiction_testing::alloc::Counting = stiction_testing::alloc::Counting;

/// How many cases a test looks at: few, or many in a study.
fn cases(few: usize, many: usize) -> usize {
    if std::env::var_os("STICTION_STUDY").is_some() { many } else { few }
}

/// Checks a number, and leaves it in the results of a study.
fn tell(what: &str, value: f64, unit: &str, most: f64) {
    use stiction_results::{Measurement, ResultLog, Target};
    if std::env::var_os("STICTION_STUDY").is_some() {
        let row = Measurement::new(what, value, unit).held_to(Target::AtMost(most));
        ResultLog::of_study("study-volume-geometry").add(&row).unwrap();
    }
    assert!(value <= most, "{what}: {value} {unit}, at most {most}");
}
