//! A part that is a union of posed solids, against closed forms.

#[path = "../../stiction-bake/tests/common/analytic.rs"]
mod analytic;

use analytic::Analytic;
use std::path::Path;
use stiction::shape::Shape;
use stiction_bake::Silent;
use stiction_bake::solids::Solid;
use stiction_scene::{Geometry, Scene};

const PLATE: &str = "fixed = { solid = \"plate\", size = [0.1, 0.1], thickness = 0.01, resolution = 16, points = 50, position = [0, 0, -0.1] }\n";

/// An L profile: legs of 50 and 40 mm from the inner edge, 10 mm thick, 30 mm long.
const BAR: Solid = Solid::LBar { legs: [0.05, 0.04], thickness: 0.01, length: 0.03 };
/// Its volume (m³): (60 · 10 + 40 · 10) · 30 mm³.
const VOLUME: f64 = 1000e-6 * 0.03;

fn union(solids: &str) -> Shape {
    let text = format!("held = {{ solids = [{solids}], resolution = 24, points = 400 }}\n{PLATE}");
    let scene = Scene::parse(&text, Path::new("scene.toml"), &[]).unwrap();
    assert!(matches!(scene.held().part.geometry, Geometry::Union(_)));
    let world = scene.build(None, &Silent).unwrap();
    Shape::clone(&world.held)
}

/// Distances at every node of the lattice, volume and shell are those of the L.
fn is_the_bar(shape: &Shape, what: &str) {
    let closed = |p: &_| BAR.signed_distance(p).unwrap();
    let lattice = shape.field.lattice();
    let [nx, ny, nz] = lattice.nodes();
    let mut inside = 0;
    for i in 0..nx * ny * nz {
        let p = lattice.position([i % nx, i / nx % ny, i / (nx * ny)]);
        let (got, wanted) = (shape.field.distance(p), closed(&p));
        // The baker promises distances to 1e-4 voxels.
        assert!((got - wanted).abs() < 1e-4 * lattice.spacing, "{what} at {p:?}: {got} instead of {wanted}");
        inside += u32::from(wanted < -0.003);
    }
    assert!(inside > 10, "{what}: {inside} nodes well inside");
    assert!((shape.mass.volume / VOLUME - 1.0).abs() < 1e-9, "{what}: {} m³", shape.mass.volume);
    // Points have single precision too.
    let off = shape.shell.points().iter().map(|p| closed(&p.position).abs()).fold(0.0, f64::max);
    assert!(off < 1e-7, "{what}: a point {off} m from the surface");
}

#[test]
fn overlapping_boxes_with_coplanar_faces_are_an_l() {
    // They share the corner [-10, 0]² mm; four of its six sides lie in faces of both.
    let flat = "{ solid = \"box\", size = [0.06, 0.01, 0.03], position = [0.02, -0.005, 0] }";
    let upright = "{ solid = \"box\", size = [0.01, 0.05, 0.03], position = [-0.005, 0.015, 0] }";
    is_the_bar(&union(&format!("{flat}, {upright}")), "overlapping");
    // The same by turning a box that lies flat, and with a box that is inside the others.
    let turned = "{ solid = \"box\", size = [0.05, 0.01, 0.03], position = [-0.005, 0.015, 0], rotation = { axis = [0, 0, 1], angle_deg = 90 } }";
    let buried = "{ solid = \"box\", size = [0.01, 0.004, 0.01], position = [0.02, -0.005, 0] }";
    is_the_bar(&union(&format!("{turned}, {flat}, {buried}")), "turned");
}

#[test]
fn boxes_that_only_touch_are_an_l() {
    let flat = "{ solid = \"box\", size = [0.06, 0.01, 0.03], position = [0.02, -0.005, 0] }";
    let above = "{ solid = \"box\", size = [0.01, 0.04, 0.03], position = [-0.005, 0.02, 0] }";
    is_the_bar(&union(&format!("{flat}, {above}")), "touching");
}

#[test]
fn solid_mesh_and_solids_exclude_each_other() {
    for (held, wanted) in [
        ("solid = \"box\", size = [1, 1, 1], solids = []", "`solid` and `solids` say the same twice"),
        ("mesh = \"a.stl\", solids = []", "`mesh` and `solids` say the same twice"),
        ("solids = []", "`solids` is empty"),
        ("solids = [{ solid = \"box\" }]", "a solid of `solids` has no `size`"),
        ("solids = [{ size = [1, 1, 1] }]", "unknown key `size`"),
        ("solids = [{ position = [1, 1, 1] }]", "a solid of `solids` has no `solid`"),
        ("solids = [{ solid = \"bxo\" }]", "did you mean `box`?"),
        ("solids = [{ solid = \"box\", size = [1, 1, 1], mass = 1 }]", "unknown key `mass` in a solid of `solids`"),
        ("solids = [{ solid = \"torus\", major = 0.1, minor = 0.2 }]", "thicker than the ring"),
        ("mass = 1", "or a list of solids"),
    ] {
        let text = format!("held = {{ {held} }}\n{PLATE}");
        let got = Scene::parse(&text, Path::new("scene.toml"), &[]).expect_err(held).to_string();
        assert!(got.contains(wanted) && got.contains("line 1"), "wanted: {wanted}\n   got: {got}");
    }
}
