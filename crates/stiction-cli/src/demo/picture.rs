//! The cube in the corner with its forces, held and slipping: walls and cube in an orthographic view, forces in the colours of the friction
//! paper's figure 4.

use super::story::{EDGE, Shot, Story, pull};
use crate::picture::sheet::{FAINT, INK, Sheet};
use crate::picture::units::step;
use crate::picture::view::Camera;
use stiction::friction::SlipState;
use stiction::spatial::{Pose, Vec3, halves};
use stiction_bake::diagnose::length;
use stiction_scene::World;

const STUCK: &str = "#1f8a4c";
const SLIDING: &str = "#8e35b5";
const NORMAL: &str = "#d62728";
const FRICTION: &str = "#ff8c00";
const TOTAL: &str = "#b30000";
const HAND: &str = "black";

/// What is drawn of the walls: they reach so far (m) from the corner in front of the cube, and to both sides of it along the edge.
const REACH: f64 = 0.128;
const SIDES: [f64; 2] = [-0.078, 0.086];
const THICK: f64 = 0.009;
/// Where the eye is.
const EYE: Vec3 = Vec3::new(1.0, 1.9, 1.25);
/// Room for a view, and where it begins.
const WIDE: f64 = 440.0;
const HIGH: f64 = 400.0;
const TOP: f64 = 92.0;
const LEFT: [f64; 2] = [24.0, 496.0];
/// Lengths of the largest force of a contact and of the largest of all contacts together (m).
const CONTACT: f64 = 0.038;
const WHOLE: f64 = 0.085;

/// Draws the end of the scene's time beside the end of the story.
pub fn draw(world: &World, story: &Story) -> String {
    let title = "A cube pressed into a corner and pulled along its edge: friction holds it, until it cannot";
    let mut sheet = Sheet::new(TOP + HIGH + 132.0, title);
    let shots = [&story.held, &story.last];
    let contacts = || shots.iter().flat_map(|s| &s.contacts);
    let most = contacts().map(|c| c.normal_force.max(c.friction.norm())).fold(1e-9, f64::max);
    let whole = shots.iter().map(|s| halves(&s.trace.wrench).0.norm()).fold(1e-9, f64::max);
    let (low, high) = (Vec3::new(SIDES[0], -THICK, -THICK), Vec3::new(SIDES[1], REACH, REACH));
    let mut view = View {
        camera: Camera::new(-EYE, low, high, WIDE as usize, HIGH as usize),
        left: 0.0,
        part: [world.held.field.part().min, world.held.field.part().max],
        contact: CONTACT / most,
        whole: WHOLE / whole,
    };
    for ((shot, left), slips) in shots.into_iter().zip(LEFT).zip([false, true]) {
        view.left = left + 0.5 * (WIDE - view.camera.width as f64);
        view.scene(&mut sheet, shot);
        let state = match (slips, story.slip.is_some()) {
            (true, true) => "Slipping",
            (false, _) if shot.trace.sliding == 0 => "Held",
            _ => "Pulled",
        };
        sheet.heading(left, 60.0, &format!("{state}: pulled along the edge with {:.1} N", pull(&shot.trace)));
        let moved = shot.moved_m.map_or(String::new(), |m| format!("; moved {} since held", length(m)));
        let counts = format!("{} contacts stuck, {} sliding{moved}", shot.trace.stuck, shot.trace.sliding);
        sheet.text(left, 80.0, "start", &format!("{counts}; Σ µ F_n = {:.1} N", shot.trace.limit));
    }
    view.legend(&mut sheet);
    sheet.finish()
}

/// How the scene is looked at, and how long forces are (m/N).
struct View {
    camera: Camera,
    left: f64,
    part: [Vec3; 2],
    contact: f64,
    whole: f64,
}

impl View {
    fn at(&self, p: Vec3) -> (f64, f64) {
        let [x, y, _] = self.camera.project(p);
        (self.left + x, TOP + y)
    }

    fn scene(&self, sheet: &mut Sheet, shot: &Shot) {
        self.walls(sheet);
        let trace = &shot.trace;
        let forces = |sheet: &mut Sheet, colour: &str, of: &dyn Fn(usize) -> Vec3| {
            for (i, c) in shot.contacts.iter().enumerate() {
                sheet.arrow(self.at(c.position), self.at(c.position + of(i) * self.contact), colour, 1.1);
            }
        };
        forces(sheet, NORMAL, &|i| shot.contacts[i].normal * shot.contacts[i].normal_force);
        forces(sheet, FRICTION, &|i| shot.contacts[i].friction);
        for c in &shot.contacts {
            let colour = if c.state == SlipState::Sliding { SLIDING } else { STUCK };
            sheet.dot(self.at(c.position), 2.3, colour);
        }
        self.cube(sheet, &trace.part);
        self.wires(sheet, &trace.hand);
        let total = halves(&(trace.normal + trace.friction)).0;
        let coupling = -halves(&trace.wrench).0;
        let centre = trace.centre;
        sheet.arrow(self.at(centre), self.at(centre + coupling * self.whole), HAND, 3.2);
        sheet.arrow(self.at(centre), self.at(centre + total * self.whole), TOTAL, 5.0);
        sheet.dot(self.at(centre), 3.4, HAND);
        for (force, [dx, dy], anchor) in [(coupling, [-8.0, 5.0], "end"), (total, [6.0, -8.0], "start")] {
            let (x, y) = self.at(centre + force * self.whole);
            sheet.label(x + dx, y + dy, anchor, &format!("{:.1} N", force.norm()));
        }
    }

    /// Floor and wall, cut off around the cube.
    fn walls(&self, sheet: &mut Sheet) {
        let [back, front] = SIDES;
        let mut face = |corners: &[[f64; 3]], fill: &str| {
            let points: Vec<_> = corners.iter().map(|&[x, y, z]| self.at(Vec3::new(x, y, z))).collect();
            sheet.polygon(&points, fill, 1.0, "#8a939c", 0.9);
        };
        let (r, t) = (REACH, -THICK);
        face(&[[back, 0.0, 0.0], [front, 0.0, 0.0], [front, r, 0.0], [back, r, 0.0]], "#eef1f4");
        face(&[[back, 0.0, 0.0], [front, 0.0, 0.0], [front, 0.0, r], [back, 0.0, r]], "#e0e5ea");
        face(&[[back, 0.0, r], [front, 0.0, r], [front, t, r], [back, t, r]], "#f6f8fa");
        face(&[[back, r, 0.0], [front, r, 0.0], [front, r, t], [back, r, t]], "#cfd6dc");
        let end = [[front, 0.0, 0.0], [front, 0.0, r], [front, t, r], [front, t, t], [front, r, t], [front, r, 0.0]];
        face(&end, "#c3cbd3");
    }

    /// The corners of the part: bit k of a number says which end of axis k.
    fn corners(&self, pose: &Pose) -> [(f64, f64); 8] {
        std::array::from_fn(|i| {
            let corner = Vec3::from_fn(|k, _| self.part[i >> k & 1][k]);
            self.at(pose.rotation * corner + pose.translation.vector)
        })
    }

    /// The faces that the eye sees, translucent.
    fn cube(&self, sheet: &mut Sheet, pose: &Pose) {
        let p = self.corners(pose);
        for face in [[1, 3, 7, 5], [2, 3, 7, 6], [4, 5, 7, 6]] {
            sheet.polygon(&face.map(|i| p[i]), "#4a90d9", 0.13, "#2f6f9f", 1.3);
        }
    }

    /// All twelve edges of the hand's cube.
    fn wires(&self, sheet: &mut Sheet, pose: &Pose) {
        let p = self.corners(pose);
        for (i, axis) in (0..8_usize).flat_map(|i| [1, 2, 4].map(|axis| (i, axis))).filter(|(i, axis)| i & axis == 0) {
            sheet.line(p[i], p[i | axis], HAND, 0.9);
        }
    }

    fn legend(&self, sheet: &mut Sheet) {
        let top = TOP + HIGH + 18.0;
        sheet.line((24.0, top - 8.0), (936.0, top - 8.0), FAINT, 1.0);
        let rows = [top + 14.0, top + 38.0, top + 62.0];
        let mut arrow = |x: f64, y: f64, colour: &str, width: f64, words: &str| {
            sheet.arrow((x, y - 4.0), (x + 30.0, y - 4.0), colour, width);
            sheet.text(x + 38.0, y, "start", words);
        };
        arrow(24.0, rows[0], NORMAL, 1.4, "normal forces on the cube");
        arrow(24.0, rows[1], FRICTION, 1.4, "friction forces on the cube");
        arrow(270.0, rows[0], TOTAL, 5.0, "all contact forces together");
        arrow(270.0, rows[1], HAND, 3.2, "pull of the hand's spring");
        for (y, colour, words) in [(rows[0], STUCK, "contact that sticks"), (rows[1], SLIDING, "contact that slides")] {
            sheet.dot((520.0, y - 4.0), 3.5, colour);
            sheet.text(532.0, y, "start", words);
        }
        for (k, (y, words)) in [(rows[0], "the cube"), (rows[1], "where the hand is")].into_iter().enumerate() {
            let square = [(690.0, y - 10.0), (702.0, y - 10.0), (702.0, y + 1.0), (690.0, y + 1.0)];
            let (fill, stroke) = if k == 0 { ("#4a90d9", "#2f6f9f") } else { ("none", HAND) };
            sheet.polygon(&square, fill, 0.25, stroke, 1.0);
            sheet.text(712.0, y, "start", words);
        }
        let mut scale = |x: f64, metres_a_newton: f64, words: &str| {
            let newtons = step(45.0 / (metres_a_newton * self.camera.scale), 1);
            let (end, y) = (x + newtons * metres_a_newton * self.camera.scale, rows[2] - 4.0);
            sheet.line((x, y), (end, y), INK, 1.4);
            [x, end].into_iter().for_each(|x| sheet.line((x, y - 4.0), (x, y + 4.0), INK, 1.4));
            sheet.text(end + 10.0, rows[2], "start", &format!("{newtons} N {words}"));
        };
        scale(24.0, self.contact, "at a contact");
        scale(270.0, self.whole, "for thick arrows");
        let [from, to] = [-0.5, 0.5].map(|s| self.camera.project(EDGE * 0.035 * s));
        let at = |p: [f64; 3]| (720.0 + p[0], rows[2] - 4.0 + p[1]);
        let middle = self.camera.project(Vec3::zeros());
        let shift = |p: [f64; 3]| at([p[0] - middle[0], p[1] - middle[1], 0.0]);
        sheet.arrow(shift(from), shift(to), "#8a939c", 2.0);
        sheet.text(770.0, rows[2], "start", "the edge, and the pull");
    }
}
