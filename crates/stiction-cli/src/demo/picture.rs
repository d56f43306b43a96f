//! The demo as a picture: the contacts with their friction below and above the limit, and friction against the pull.

use super::table::Row;
use std::fmt::Write;
use stiction::contact::ContactProblem;
use stiction::friction::{SlipState, Solution};
use stiction::spatial::Vec3;

/// Half the cube's edge as drawn, in metres of the scene.
const HALF: f64 = 0.05;
const STUCK: &str = "#2a8f5b";
const SLIDING: &str = "#d9622b";
const INK: &str = "#333";

/// An SVG picture under way.
pub struct Picture {
    svg: String,
}

impl Picture {
    /// An empty sheet.
    pub fn new() -> Self {
        let mut svg = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 330\" font-family=\"sans-serif\" font-size=\"13\">\n",
        );
        svg += "<rect width=\"960\" height=\"330\" fill=\"white\"/>\n";
        Self { svg }
    }

    /// The cube at `column` 0 or 1 with the contacts' friction, and a caption.
    pub fn scene(&mut self, column: usize, caption: &str, problem: &ContactProblem, answer: &Solution) {
        // Seen from above and in front: x to the lower left, y to the right, z up.
        let at =
            |p: Vec3| (150.0 + 290.0 * column as f64 + 1150.0 * p.y - 620.0 * p.x, 175.0 + 430.0 * p.x - 1150.0 * p.z);
        let corner = |x: f64, y: f64, z: f64| at(Vec3::new(x, y, z) * HALF);
        for (a, b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            for (p, q) in [
                (corner(a, b, 1.0), corner(a, b, -1.0)),
                (corner(a, 1.0, b), corner(a, -1.0, b)),
                (corner(1.0, a, b), corner(-1.0, a, b)),
            ] {
                self.line(p, q, "#bbb", 1.0);
            }
        }
        let most = answer.contacts().map(|c| c.limit).fold(f64::MIN_POSITIVE, f64::max);
        for (contact, found) in problem.contacts().iter().zip(answer.contacts()) {
            let colour = if found.state == SlipState::Sliding { SLIDING } else { STUCK };
            let force = contact.tangent * found.friction[0] + contact.tangent_v() * found.friction[1];
            let (foot, tip) = (at(contact.point), at(contact.point + force * (0.012 / most)));
            self.line(foot, tip, colour, 1.6);
            let _ = writeln!(self.svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\" fill=\"{colour}\"/>", foot.0, foot.1);
        }
        self.text(150.0 + 290.0 * column as f64, 310.0, "middle", caption);
    }

    /// Friction against the pull.
    pub fn curve(&mut self, rows: &[Row], limit: f64) {
        let right = rows.iter().map(|r| r.pull_n).fold(f64::MIN_POSITIVE, f64::max);
        let at = |pull: f64, friction: f64| (640.0 + 290.0 * pull / right, 270.0 - 220.0 * friction / right);
        self.line(at(0.0, 0.0), at(right, 0.0), INK, 1.0);
        self.line(at(0.0, 0.0), at(0.0, right), INK, 1.0);
        self.line(at(0.0, limit), at(right, limit), "#bbb", 1.0);
        for pair in rows.windows(2) {
            let colour = if pair[1].sliding > 0 { SLIDING } else { STUCK };
            self.line(at(pair[0].pull_n, pair[0].friction_n), at(pair[1].pull_n, pair[1].friction_n), colour, 2.4);
        }
        for row in rows {
            let ((x, y), colour) = (at(row.pull_n, row.friction_n), if row.sliding > 0 { SLIDING } else { STUCK });
            let _ = writeln!(self.svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let (x, y) = at(0.0, limit);
        self.text(x + 6.0, y - 6.0, "start", &format!("Coulomb's limit, {limit:.1} N"));
        self.text(785.0, 292.0, "middle", &format!("pull, 0 to {right:.1} N"));
        self.text(785.0, 310.0, "middle", "friction that answers it");
        self.text(645.0, 30.0, "start", "holds");
        self.text(692.0, 30.0, "start", "slides");
        self.line((645.0, 36.0), (680.0, 36.0), STUCK, 3.0);
        self.line((692.0, 36.0), (730.0, 36.0), SLIDING, 3.0);
    }

    /// The finished picture.
    pub fn finish(mut self) -> String {
        self.svg += "</svg>\n";
        self.svg
    }

    fn line(&mut self, a: (f64, f64), b: (f64, f64), colour: &str, width: f64) {
        let _ = writeln!(
            self.svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            a.0, a.1, b.0, b.1
        );
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, words: &str) {
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{INK}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    }
}
