//! Names of contacts that are known as points.

mod support;

use nalgebra::Point3;
use stiction::spatial::{Pose, Vec3};
use stiction_formation::naming::{ContactNamer, PointContact};
use stiction_formation::words::formation_type;
use support::{EDGE, cube, ell, pose};

/// Points of a grid over the cube's surface that are within a small depth of the floor or the wall of the L, as an engine of points would find them; `step` apart.
fn points(at: &Pose, step: f64) -> Vec<PointContact> {
    let n = (EDGE / step).round() as i32;
    let on = |i: i32| -0.5 * EDGE + f64::from(i) * step;
    let mut out = Vec::new();
    for (i, j) in (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))) {
        for axis in 0..3 {
            for side in [-0.5 * EDGE, 0.5 * EDGE] {
                let mut p = Vec3::zeros();
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, on(i), on(j));
                let position = (at * Point3::from(p)).coords;
                // The floor is y = 0, the wall x = 0.
                for (depth, normal) in [(-position.y, Vec3::y()), (-position.x, Vec3::x())] {
                    if (-1e-5..2e-4).contains(&depth) && position.x > -0.001 && position.y > -0.001 {
                        out.push(PointContact { position, normal, sliding: normal.x > 0.0 });
                    }
                }
            }
        }
    }
    out
}

#[test]
fn points_are_named_by_the_elements_that_they_are_on() {
    let step = 0.0025;
    let namer = ContactNamer::new([cube(), ell()], Pose::identity(), step).unwrap();
    let h = 0.5 * EDGE;
    let (s, c) = (0.2f64.sin(), 0.2f64.cos());
    let tilted = h * (c + s);
    let cases = [
        (pose(0.08, h - 1e-4, 0.0, Vec3::zeros()), "{f-f}"),
        (pose(h - 1e-4, h - 1e-4, 0.0, Vec3::zeros()), "{f-f, f-f}"),
        (pose(0.08, tilted - 1e-4, 0.0, Vec3::z() * 0.2), "{e-f}"),
        (pose(tilted - 1e-4, tilted - 1e-4, 0.0, Vec3::z() * 0.2), "{e-f, e-f}"),
        (pose(0.2, 0.2, 0.0, Vec3::zeros()), "{}"),
    ];
    for (at, expected) in cases {
        let found = namer.names(&at, points(&at, step).into_iter());
        let contacts: Vec<_> = found.iter().map(|n| n.contact).collect();
        assert_eq!(formation_type(&contacts), expected, "{found:?}");
    }
    // A vertex down.
    let turn = Vec3::new(1.0, -1.0, 0.0).normalize() * 0.5;
    let low =
        cube().vertices.iter().map(|v| (pose(0.0, 0.0, 0.0, turn) * Point3::from(v.position)).y).fold(0.0, f64::min);
    let at = pose(0.08, -low - 1e-4, 0.0, turn);
    let found = namer.names(&at, points(&at, step).into_iter());
    assert_eq!(formation_type(&found.iter().map(|n| n.contact).collect::<Vec<_>>()), "{v-f}", "{found:?}");
}

#[test]
fn a_named_contact_reads_as_a_sentence() {
    let step = 0.0025;
    let namer = ContactNamer::new([cube(), ell()], Pose::identity(), step).unwrap();
    let h = 0.5 * EDGE;
    let at = pose(h - 1e-4, h - 1e-4, 0.0, Vec3::zeros());
    let found = namer.names(&at, points(&at, step).into_iter());
    let words: Vec<String> = found.iter().map(|n| n.words(false)).collect();
    assert!(
        words.iter().any(|w| w.ends_with("points, sticking")) && words.iter().any(|w| w.ends_with("points, sliding")),
        "{words:?}"
    );
    assert!(words.iter().all(|w| w.starts_with("face ") && w.contains(" of the part on face ")), "{words:?}");
}
