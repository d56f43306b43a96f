//! Whether exact depths agree with what others measured on the same meshes: the tool of this test is tested.

use crate::fit::Fit;
use crate::report::{Outcome, um};

const CHECK: &str = "exact depth";
/// Largest difference from the list (m), which has sampled distances.
const ERROR: f64 = 1e-5;

/// Depth at the seated pose, no engine involved.
pub fn check(fit: &Fit, out: &mut Vec<Outcome>) {
    let Some(listed) = fit.source.interference else { return };
    let found = fit.gauge.depth(&fit.source.seated).most();
    let words = format!("{} when seated, listed {} (may differ by {})", um(found), um(listed), um(ERROR));
    out.push(Outcome { check: CHECK, case: "seated".into(), share: (found - listed).abs() / ERROR, words });
}
