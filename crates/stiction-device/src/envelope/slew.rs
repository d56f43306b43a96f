//! Clamp and slew of one three-vector, both with direction kept as far as can be.
//!
//! The slew rule: after w', w may be sent iff it is no further than d = s·T from the segment {c·w' : 0 ≤ c ≤ 1}. So a vector may shrink
//! along its own direction at once, and every other change takes its time; turning at equal length too. What the rule allows, it also allows
//! scaled down: c·w is no further from the segment than w is. So any other shrinking may follow. And the way to the
//! target starts at its projection, which is no longer than the target: a clamped target stays within its limit, also one that has just fallen.

use stiction::spatial::Vec3;

/// The vector, shortened to `limit`; and whether it was. Lengths that overflow are no problem.
pub(super) fn clamp(v: &Vec3, limit: f64) -> (Vec3, bool) {
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs());
    if !(largest > 0.0) {
        return (Vec3::zeros(), false);
    }
    let scaled = v / largest;
    let length = scaled.norm();
    if length * largest <= limit { (*v, false) } else { (scaled * (limit / length), true) }
}

/// The allowed vector on the way to `target`; and whether it falls short.
pub(super) fn slew(sent: &Vec3, target: &Vec3, distance: f64) -> (Vec3, bool) {
    let square = sent.norm_squared();
    let along = if square > 0.0 { (target.dot(sent) / square).clamp(0.0, 1.0) } else { 0.0 };
    let start = sent * along;
    let way = target - start;
    let length = way.norm();
    if length <= distance { (*target, false) } else { (start + way * (distance / length), true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vec3, b: Vec3) {
        assert!((a - b).norm() < 1e-12, "{a:?} is not {b:?}");
    }

    #[test]
    fn shrinking_along_its_own_direction_is_free() {
        let w = Vec3::new(3.0, -4.0, 12.0);
        for c in [0.0, 1e-9, 0.3, 1.0] {
            let (sent, short) = slew(&w, &(w * c), 1e-3);
            near(sent, w * c);
            assert!(!short);
        }
    }

    #[test]
    fn growing_turning_and_reversing_take_their_time() {
        let w = Vec3::new(10.0, 0.0, 0.0);
        near(slew(&w, &(w * 2.0), 0.5).0, Vec3::new(10.5, 0.0, 0.0));
        // A quarter turn: the nearest point of the segment is its zero.
        near(slew(&w, &Vec3::new(0.0, 10.0, 0.0), 0.5).0, Vec3::new(0.0, 0.5, 0.0));
        near(slew(&w, &Vec3::new(-10.0, 0.0, 0.0), 0.5).0, Vec3::new(-0.5, 0.0, 0.0));
        // An eighth of a turn: shrinks to its projection, then sideways.
        near(slew(&w, &Vec3::new(7.0, 7.0, 0.0), 0.5).0, Vec3::new(7.0, 0.5, 0.0));
        near(slew(&Vec3::zeros(), &Vec3::new(0.0, 0.0, 3.0), 0.5).0, Vec3::new(0.0, 0.0, 0.5));
    }

    #[test]
    fn a_clamp_keeps_the_direction_of_any_finite_vector() {
        near(clamp(&Vec3::new(3.0, 4.0, 0.0), 1.0).0, Vec3::new(0.6, 0.8, 0.0));
        near(clamp(&Vec3::new(1e308, -1e308, 0.0), 2.0).0, Vec3::new(1.0, -1.0, 0.0) * 2.0_f64.sqrt());
        assert_eq!(clamp(&Vec3::new(0.3, 0.4, 0.0), 1.0), (Vec3::new(0.3, 0.4, 0.0), false));
        assert_eq!(clamp(&Vec3::new(5e-324, 0.0, 0.0), 1.0).0.x, 5e-324);
        assert_eq!(clamp(&Vec3::new(1.0, 0.0, 0.0), 0.0).0, Vec3::zeros());
    }
}
