//! A rectangular block as a contact shape, built in code. Real parts are baked from meshes: `docs/guide/bake.md`.

use stiction::shape::{Aabb, Dense, Lattice, MassProperties, PointShell, Shape, ShapeError, ShellNode, ShellPoint};
use stiction::spatial::{Mat3, Vec3};

/// Makes a block around its origin. `half` has half its edge lengths (m).
pub fn block(half: Vec3) -> Result<Shape, ShapeError> {
    let size = 2.0 * half;
    let volume = size.product();
    let moment = |a: f64, b: f64| volume / 12.0 * (a * a + b * b);
    let inertia = Vec3::new(moment(size.y, size.z), moment(size.z, size.x), moment(size.x, size.y));
    Ok(Shape {
        field: field(half)?.into(),
        shell: shell(half)?,
        allowance: None,
        convex: None,
        mass: MassProperties { volume, centre: Vec3::zeros(), inertia: Mat3::from_diagonal(&inertia) },
        provenance: "a block, made in code".into(),
    })
}

/// The signed distance to the block, at nodes that are 2 mm apart. It is negative inside.
fn field(half: Vec3) -> Result<Dense, ShapeError> {
    let (spacing, margin) = (0.002, 0.0065);
    let cells = std::array::from_fn(|axis| (2.0 * (half[axis] + margin) / spacing).ceil() as u32);
    let lattice = Lattice { origin: -half.add_scalar(margin), spacing, cells };
    let [nx, ny, nz] = lattice.nodes();
    let nodes = (0..nx * ny * nz).map(|n| [n % nx, n / nx % ny, n / nx / ny]);
    let distance = |node| {
        let q: Vec3 = lattice.position(node).abs() - half;
        (q.sup(&Vec3::zeros()).norm() + q.max().min(0.0)) as f32
    };
    let values = nodes.map(distance).collect();
    Dense::new(lattice, Aabb { min: -half, max: half }, values)
}

/// Points on the faces, 12 by 12 on each, with the normals of the faces.
fn shell(half: Vec3) -> Result<PointShell, ShapeError> {
    let along = |n: usize| (n as f64 + 0.5) / 6.0 - 1.0;
    let mut points = Vec::new();
    for n in 0..6 * 144 {
        let (axis, side) = (n / 288, if n / 144 % 2 == 0 { 1.0 } else { -1.0 });
        let mut at = Vec3::zeros();
        (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (side, along(n % 12), along(n / 12 % 12));
        points.push(ShellPoint { position: at.component_mul(&half), normal: Vec3::ith(axis, side) });
    }
    // One level without a tree: every point is looked at in every tick.
    let count = points.len() as u32;
    let nodes = (0..count).map(|point| ShellNode { point, first_child: 0, children: 0, radius: 0.0 }).collect();
    PointShell::new(points, nodes, vec![count])
}
