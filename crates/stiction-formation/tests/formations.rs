//! Known poses of every class of formation, and the ambiguity of figure 3.

mod support;

use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;
use stiction::spatial::{Pose, Vec3};
use stiction_formation::contact::{ContactKind, Formation, PrincipalContact};
use stiction_formation::identify::Identifier;
use stiction_formation::placed::{Placed, Solids};
use stiction_formation::polyhedron::Polyhedron;
use stiction_formation::proximity::NearFeatures;
use support::{EDGE, block, cube, ell, on_floor, pose};

const EPSILON: f64 = 1e-4;
const H: f64 = 0.5 * EDGE;

fn identified(held: &Arc<Polyhedron>, fixed: &Arc<Polyhedron>, at: &Pose) -> Formation {
    let solids = Solids::new(held.clone(), fixed.clone());
    let placed = Placed::new(&solids, at);
    Identifier::new(&solids)
        .identify(&solids, &placed, &mut NearFeatures::default(), EPSILON, &Formation::default(), &[])
        .formation
}

fn names(formation: &Formation) -> Vec<&'static str> {
    let mut names: Vec<_> = formation.touches().iter().map(|t| t.contact.kind.name()).collect();
    names.sort_unstable();
    names
}

fn case(at: Pose, expected: &[&str]) -> Formation {
    let found = identified(&cube(), &ell(), &at);
    assert_eq!(names(&found), expected, "{at}");
    found
}

/// The cube turned by 45° about z stands on an edge, of which the middle is √2 H below its centre.
fn on_edge(x: f64, y: f64, z: f64) -> Pose {
    pose(x, y + 2f64.sqrt() * H, z, Vec3::z() * FRAC_PI_4)
}

#[test]
fn one_contact_of_each_kind() {
    let floor = case(on_floor(0.08, 0.0), &["face-face"]);
    let touch = floor.touches()[0];
    assert!((touch.normal - Vec3::y()).norm() < 1e-12 && (touch.point - Vec3::new(0.08, 0.0, 0.0)).norm() < 1e-12);
    assert!((touch.measure - EDGE * EDGE).abs() < 1e-12);
    let line = case(on_edge(0.08, 0.0, 0.0), &["edge-face"]);
    assert!((line.touches()[0].measure - EDGE).abs() < 1e-12);
    assert!((line.touches()[0].point - Vec3::new(0.08, 0.0, 0.0)).norm() < 1e-12);
    // On a vertex: along the diagonal of the cube.
    let diagonal = Vec3::new(1.0, 1.0, 1.0).normalize();
    let axis = diagonal.cross(&Vec3::y());
    let upright = axis.normalize() * axis.norm().atan2(diagonal.y);
    case(pose(0.08, 3f64.sqrt() * H, 0.0, upright), &["vertex-face"]);
    // The end of the floor is an edge of the L along z at x = 0.15, y = 0: a face over it, turned by 45° about z, or an edge across it.
    case(pose(0.15 + H * FRAC_PI_4.cos(), H * FRAC_PI_4.sin(), 0.0, Vec3::z() * FRAC_PI_4), &["face-edge"]);
    // An edge of the cube along x (its lowest, turned by 45° about x) across the edge of the floor along z; the cube reaches from 0.01 inside to 0.04 outside.
    let tilt = stiction::spatial::exp(&(Vec3::z() * -0.3)) * stiction::spatial::exp(&(Vec3::x() * FRAC_PI_4));
    let mut across = Pose::from_parts(Vec3::zeros().into(), tilt);
    let low = across * nalgebra::Point3::new(0.0, -H, H);
    across.translation.vector = Vec3::new(0.15, 0.0, 0.0) - low.coords;
    let found = identified(&cube(), &ell(), &across);
    assert_eq!(names(&found), ["edge-edge"]);
    // A face of the cube on a corner of the L.
    let corner = Vec3::new(0.15, 0.0, 0.1);
    let out = Vec3::new(1.0, 1.0, 1.0).normalize();
    let turn = Vec3::y().cross(&out);
    let turned = turn.normalize() * turn.norm().atan2(out.y);
    let at = corner + out * H;
    let found = identified(&cube(), &ell(), &pose(at.x, at.y, at.z, turned));
    assert_eq!(names(&found), ["face-vertex"]);
}

/// Figure 12a: {e-f, v-f}, {e-f, e-f}, {f-f, f-f}; and a third plane.
#[test]
fn the_formations_of_figure_12a() {
    case(pose(H, H, 0.0, Vec3::zeros()), &["face-face", "face-face"]);
    // Leaning: turned about z by 30°, the lowest edge on the floor, another on the wall.
    let angle = 30f64.to_radians();
    let reach = |a: f64| H * (a.cos() + a.sin());
    case(pose(reach(angle), reach(angle), 0.0, Vec3::z() * angle), &["edge-face", "edge-face"]);
    // The same on the wall, but turned about the floor's edge line: an edge on the floor, one of its ends on the wall.
    let turn = stiction::spatial::exp(&(Vec3::y() * 0.3)) * stiction::spatial::exp(&(Vec3::x() * 0.6));
    let mut leaning = Pose::from_parts(Vec3::zeros().into(), turn);
    let solid = cube();
    let corners: Vec<Vec3> = solid.vertices.iter().map(|v| turn * v.position).collect();
    let least = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min);
    leaning.translation.vector = Vec3::new(-least(0), -least(1), 0.0);
    let found = identified(&solid, &ell(), &leaning);
    assert_eq!(names(&found), ["edge-face", "vertex-face"]);
}

/// With the bottom flush, an edge that is parallel to the wall cannot touch it alone; an upright one can (figure 3, section 8.3 of the notes).
#[test]
fn the_ambiguity_of_figure_3_is_resolved() {
    let (held, fixed) = (cube(), ell());
    let solids = Solids::new(held.clone(), fixed.clone());
    let identifier = Identifier::new(&solids);
    let table = identifier.table();
    assert!(table.entries() > 0);
    let face = |solid: &Polyhedron, n: Vec3, at: f64| {
        solid.faces.iter().position(|f| f.normal.dot(&n) > 0.99 && (f.offset - at).abs() < 1e-9).unwrap() as u32
    };
    let (bottom, floor, wall) =
        (face(&held, -Vec3::y(), H), face(&fixed, Vec3::y(), 0.0), face(&fixed, Vec3::x(), 0.0));
    let flush = PrincipalContact { kind: ContactKind::FaceFace, a: bottom, b: floor };
    let edge =
        |direction: Vec3| held.edges.iter().position(|e| e.direction.dot(&direction).abs() > 0.99).unwrap() as u32;
    let on_wall = |e: u32| PrincipalContact { kind: ContactKind::EdgeFace, a: e, b: wall };
    assert!(!table.possible(&solids, &flush, &on_wall(edge(Vec3::z()))), "an edge along the wall");
    assert!(!table.possible(&solids, &flush, &on_wall(edge(Vec3::x()))), "an edge of the bottom, wherever it points");
    assert!(table.possible(&solids, &flush, &on_wall(edge(Vec3::y()))), "an upright edge");
    let side = PrincipalContact { kind: ContactKind::FaceFace, a: face(&held, -Vec3::x(), H), b: wall };
    assert!(table.possible(&solids, &flush, &side), "two faces at a right angle in a right angle");
    let top = PrincipalContact { kind: ContactKind::FaceFace, a: face(&held, Vec3::y(), H), b: wall };
    assert!(!table.possible(&solids, &flush, &top), "opposite faces on floor and wall");
    // At a pose: tilted about z so little that the bottom is flush within ε/2 over its length, the lower edge on the wall, while the upper is just too far.
    let tilt = 0.9 * EPSILON / EDGE;
    let at = pose(H * (1.0 + tilt), H, 0.0, Vec3::z() * -tilt);
    let found = identified(&held, &fixed, &at);
    let kinds = names(&found);
    assert!(kinds != ["edge-face", "face-face"] && !found.is_empty(), "{kinds:?}");
}

/// A bar that fits a slot with more room than nothing cannot touch both walls with its faces; touching them askew it can.
#[test]
fn opposite_walls_are_touched_one_at_a_time_unless_the_fit_is_exact() {
    // A slot of 0.05 + 0.00008: both walls are within ε of a centred bar.
    let wide = EDGE + 0.8e-4;
    let slot = support::solid(
        &[
            [0.0, 0.0],
            [wide, 0.0],
            [wide, 0.1],
            [wide + 0.02, 0.1],
            [wide + 0.02, -0.02],
            [-0.02, -0.02],
            [-0.02, 0.1],
            [0.0, 0.1],
        ],
        0.2,
    );
    let at = pose(0.5 * wide, H + 0.02, 0.0, Vec3::zeros());
    assert_eq!(names(&identified(&cube(), &slot, &at)), ["face-face"]);
    let at = pose(0.5 * wide, H, 0.0, Vec3::zeros());
    assert_eq!(names(&identified(&cube(), &slot, &at)), ["face-face", "face-face"], "a wall and the bottom");
}

/// More contacts than three are allowed, more planes are not.
#[test]
fn two_feet_on_one_plane_are_two_contacts() {
    // An upside-down U, feet 0.02 wide.
    let bridge = support::solid(
        &[
            [-0.02, 0.02],
            [-0.02, 0.0],
            [-0.04, 0.0],
            [-0.04, 0.04],
            [0.04, 0.04],
            [0.04, 0.0],
            [0.02, 0.0],
            [0.02, 0.02],
        ],
        0.05,
    );
    let found = identified(&bridge, &block([1.0, 0.1, 1.0]), &pose(0.0, 0.05, 0.0, Vec3::zeros()));
    assert_eq!(names(&found), ["face-face", "face-face"]);
    assert_eq!(found.planes(EPSILON), 1);
}

#[test]
fn nothing_touches_beyond_epsilon() {
    case(on_floor(0.08, 0.0) * Pose::translation(0.0, 1.1 * EPSILON, 0.0), &[]);
    case(on_floor(0.08, 0.0) * Pose::translation(0.0, 0.4 * EPSILON, 0.0), &["face-face"]);
}
