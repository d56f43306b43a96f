//! Exact depths of two meshes in each other, in double precision and without the engine's fields: the distance to the nearest triangle, inside or
//! outside by the generalised winding number.

use stiction::shape::{Allowance, Shape};
use stiction::spatial::{Pose, Vec3};
use stiction_bake::Mesh;
use stiction_bake::diagnose::mend;
use stiction_bake::faceting;

/// Cosine of the largest angle between normals that still count as one face.
const ONE_FACE: f64 = 0.866;
/// Cosine of the largest angle between a push and the normals of the faces that bear it.
const FACES_PUSH: f64 = 0.5;
/// Triangles of a leaf of the tree.
const LEAF: usize = 8;
/// A group of triangles counts as one dipole from this many of its radii on.
const FAR: f64 = 2.5;

/// A node of a tree over triangles.
struct TreeNode {
    min: Vec3,
    max: Vec3,
    /// Range of its triangles.
    range: [usize; 2],
    /// Numbers of its children, or none for a leaf.
    children: Option<[usize; 2]>,
    /// Centre, radius and sum of area normals of its triangles: their dipole.
    centre: Vec3,
    radius: f64,
    area: Vec3,
}

/// A point of a surface, its normal where it lies on one face, and the allowance of the faces that it lies on (m).
struct SurfacePoint {
    position: Vec3,
    normal: Option<Vec3>,
    allowed: f64,
}

/// A mesh with a tree over its triangles, and the points of it that are looked at.
struct Surface {
    triangles: Vec<[Vec3; 3]>,
    nodes: Vec<TreeNode>,
    points: Vec<SurfacePoint>,
    /// What other parts are allowed near this surface, because it is faceted.
    allowance: Option<Allowance>,
}

impl Surface {
    fn new(mesh: &Mesh, shape: &Shape) -> Surface {
        let mended = mend(mesh);
        let solid = mended.mesh.triangles().zip(&mended.sheet).filter(|(_, sheet)| !**sheet);
        let mut triangles: Vec<[Vec3; 3]> = solid.map(|(t, _)| t).collect();
        let mut nodes = Vec::new();
        let count = triangles.len();
        split(&mut triangles, 0, count, &mut nodes);
        let edges = shape.edges();
        let shell = shape.shell.points().iter().enumerate().map(|(i, p)| SurfacePoint {
            position: p.position,
            normal: edges.at(i as u32).is_none().then_some(p.normal),
            allowed: shape.shell.allowance(i as u32),
        });
        let (voxel, faceting) = (shape.field.lattice().spacing, faceting::measure(&mended));
        let mut allowed = vec![0.0f64; mended.mesh.points.len()];
        for (face, most) in mended.mesh.faces.iter().zip(faceting.face_allowances(voxel)) {
            face.iter().for_each(|&i| allowed[i as usize] = allowed[i as usize].max(most));
        }
        let points = vertices(&mended.mesh, &allowed).into_iter().chain(shell).collect();
        Surface { triangles, nodes, points, allowance: shape.allowance.clone() }
    }

    /// Signed distance, negative inside.
    fn signed(&self, point: &Vec3) -> f64 {
        let (distance, _) = self.nearest_face(point);
        if self.contains(point) { -distance } else { distance }
    }

    /// The same, and infinity for points that are further out than `range`.
    fn signed_within(&self, point: &Vec3, range: f64) -> f64 {
        let mut best = (range * range, usize::MAX);
        self.nearest(0, point, &mut best);
        match (best.1 < usize::MAX, self.contains(point)) {
            (true, inside) => best.0.sqrt() * if inside { -1.0 } else { 1.0 },
            (false, true) => -self.nearest_face(point).0,
            (false, false) => f64::INFINITY,
        }
    }

    /// Whether a point is inside, by the winding number.
    fn contains(&self, point: &Vec3) -> bool {
        outside(&self.nodes[0], point) == 0.0 && self.winding(0, point) > 0.5
    }

    /// Signed distance and its gradient, which points away from the nearest point of the surface, out of the part.
    fn slope(&self, point: &Vec3) -> (f64, Vec3) {
        let mut best = (f64::INFINITY, 0);
        self.nearest(0, point, &mut best);
        let sign = if self.contains(point) { -1.0 } else { 1.0 };
        let (distance, from) = (best.0.sqrt(), point - closest(&self.triangles[best.1], point));
        // On the surface itself the way out is the face's normal.
        let out = if distance > 1e-9 { from * (sign / distance) } else { self.nearest_face(point).1 };
        (sign * distance, out)
    }

    /// Distance to the nearest triangle and its normal.
    fn nearest_face(&self, point: &Vec3) -> (f64, Vec3) {
        let mut best = (f64::INFINITY, 0);
        self.nearest(0, point, &mut best);
        let [a, b, c] = self.triangles[best.1];
        let normal = (b - a).cross(&(c - a));
        (best.0.sqrt(), normal / normal.norm().max(f64::MIN_POSITIVE))
    }

    fn nearest(&self, node: usize, point: &Vec3, best: &mut (f64, usize)) {
        let node = &self.nodes[node];
        if outside(node, point) >= best.0 {
            return;
        }
        let Some([a, b]) = node.children else {
            for i in node.range[0]..node.range[1] {
                let square = (closest(&self.triangles[i], point) - point).norm_squared();
                if square < best.0 {
                    *best = (square, i);
                }
            }
            return;
        };
        let near_first = outside(&self.nodes[a], point) <= outside(&self.nodes[b], point);
        for child in if near_first { [a, b] } else { [b, a] } {
            self.nearest(child, point, best);
        }
    }

    fn winding(&self, node: usize, point: &Vec3) -> f64 {
        let node = &self.nodes[node];
        let to = node.centre - point;
        let distance = to.norm();
        if distance > FAR * node.radius {
            return node.area.dot(&to) / (4.0 * std::f64::consts::PI * distance.powi(3));
        }
        match node.children {
            Some([a, b]) => self.winding(a, point) + self.winding(b, point),
            None => (node.range[0]..node.range[1]).map(|i| solid_angle(&self.triangles[i], point)).sum(),
        }
    }
}

/// Every vertex of a welded mesh with its allowance, and its normal where its faces are nearly in one plane.
fn vertices(mesh: &Mesh, allowed: &[f64]) -> Vec<SurfacePoint> {
    let mut normals = vec![Vec::new(); mesh.points.len()];
    for (face, [a, b, c]) in mesh.faces.iter().zip(mesh.triangles()) {
        if let Some(normal) = (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE) {
            face.iter().for_each(|&i| normals[i as usize].push(normal));
        }
    }
    let used = mesh.points.iter().zip(allowed).zip(&normals).filter(|(_, normals)| !normals.is_empty());
    used.map(|((position, &allowed), normals)| {
        let mean = normals.iter().sum::<Vec3>().try_normalize(1e-9);
        let flat = mean.filter(|mean| normals.iter().all(|n| n.dot(mean) > ONE_FACE));
        SurfacePoint { position: *position, normal: flat, allowed }
    })
    .collect()
}

fn split(triangles: &mut [[Vec3; 3]], from: usize, to: usize, nodes: &mut Vec<TreeNode>) -> usize {
    let corners = || triangles[from..to].iter().flatten();
    let min = corners().fold(Vec3::repeat(f64::INFINITY), |m, p| m.inf(p));
    let max = corners().fold(Vec3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
    let centre = (min + max) * 0.5;
    let radius = corners().map(|p| (p - centre).norm()).fold(0.0, f64::max);
    let area = triangles[from..to].iter().map(|[a, b, c]| (b - a).cross(&(c - a)) * 0.5).sum();
    let at = nodes.len();
    nodes.push(TreeNode { min, max, range: [from, to], children: None, centre, radius, area });
    if to - from > LEAF {
        let axis = (max - min).imax();
        let middle = (from + to) / 2;
        let key = |t: &[Vec3; 3]| t[0][axis] + t[1][axis] + t[2][axis];
        triangles[from..to].select_nth_unstable_by(middle - from, |a, b| key(a).total_cmp(&key(b)));
        nodes[at].children = Some([split(triangles, from, middle, nodes), split(triangles, middle, to, nodes)]);
    }
    at
}

/// Squared distance from a box.
fn outside(node: &TreeNode, point: &Vec3) -> f64 {
    (point - point.sup(&node.min).inf(&node.max)).norm_squared()
}

/// The point of a triangle that is nearest to another: in its plane where the foot lies within, else on one of its sides.
fn closest([a, b, c]: &[Vec3; 3], p: &Vec3) -> Vec3 {
    let normal = (b - a).cross(&(c - a));
    let square = normal.norm_squared();
    let inside = |from: &Vec3, to: &Vec3| (to - from).cross(&(p - from)).dot(&normal) >= 0.0;
    if square > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        return p - normal * (normal.dot(&(p - a)) / square);
    }
    let side = |from: &Vec3, to: &Vec3| {
        let along = to - from;
        let t = (p - from).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
        from + along * t.clamp(0.0, 1.0)
    };
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.into_iter().min_by(|x, y| (x - p).norm_squared().total_cmp(&(y - p).norm_squared())).unwrap()
}

/// Share of the full sphere that a triangle covers, seen from a point: van Oosterom and Strackee.
fn solid_angle(corners: &[Vec3; 3], point: &Vec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (x, y, z) = (a.norm(), b.norm(), c.norm());
    let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
    a.dot(&b.cross(&c)).atan2(below) / (2.0 * std::f64::consts::PI)
}

/// The largest depths (m), zero where nothing touches.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactDepth {
    /// Of points on a face against a face.
    pub face: f64,
    /// Of all other points: edges and corners.
    pub edge: f64,
}

impl ExactDepth {
    /// The larger of both.
    pub fn most(&self) -> f64 {
        self.face.max(self.edge)
    }

    /// The larger of each kind.
    pub fn max(&self, other: &ExactDepth) -> ExactDepth {
        ExactDepth { face: self.face.max(other.face), edge: self.edge.max(other.edge) }
    }
}

/// Measures how deep two parts are in each other. Distances at the seated pose are kept, so that only points that moved far enough to touch are
/// looked at again.
pub struct Gauge {
    held: Surface,
    fixed: Surface,
    seated: Pose,
    /// Distances at the seated pose of the held and the fixed part's points.
    held_at: Vec<f64>,
    fixed_at: Vec<f64>,
}

impl Gauge {
    /// A gauge for two meshes and their shapes, whose shell points are looked at too. The world is the fixed part's frame.
    pub fn new([held, fixed]: [&Mesh; 2], shapes: [&Shape; 2], seated: Pose) -> Gauge {
        let (held, fixed) = (Surface::new(held, shapes[0]), Surface::new(fixed, shapes[1]));
        let back = seated.inverse();
        let held_at = held.points.iter().map(|p| fixed.signed(&moved(&seated, &p.position))).collect();
        let fixed_at = fixed.points.iter().map(|p| held.signed(&moved(&back, &p.position))).collect();
        Gauge { held, fixed, seated, held_at, fixed_at }
    }

    /// How deep the parts are in each other with the held one at `part`.
    pub fn depth(&self, part: &Pose) -> ExactDepth {
        let mut out = ExactDepth::default();
        deepest(&self.held.points, &self.held_at, &self.fixed, &self.seated, part, &mut out);
        deepest(&self.fixed.points, &self.fixed_at, &self.held, &self.seated.inverse(), &part.inverse(), &mut out);
        out
    }

    /// How deep the parts are in each other beyond what is allowed for facets and hollow edges at that very place (m), with the held one at `part`; zero where they are not.
    pub fn sunk(&self, part: &Pose) -> f64 {
        self.near(part, 0.0).overlaps(part, 0.0).iter().map(|p| p.depth).fold(0.0, f64::max)
    }

    /// The box, in the world, of the faces that a push along a direction presses on each other: of all points of the held part's faces that look that way, and of the fixed part's that
    /// look against it, which are no further from the other part than `range` (m) in the seat. None where there are none.
    pub fn pressed_faces(&self, direction: &Vec3, range: f64) -> Option<[Vec3; 2]> {
        let sides =
            [(&self.held, &self.held_at, self.seated, 1.0), (&self.fixed, &self.fixed_at, Pose::identity(), -1.0)];
        let mut faces: Option<[Vec3; 2]> = None;
        for (surface, at, pose, sign) in sides {
            let against = pose.rotation.inverse() * direction * sign;
            for (point, distance) in surface.points.iter().zip(at) {
                if distance.abs() <= range && point.normal.is_some_and(|n| n.dot(&against) > FACES_PUSH) {
                    let p = moved(&pose, &point.position);
                    faces = Some(faces.map_or([p, p], |[min, max]| [min.inf(&p), max.sup(&p)]));
                }
            }
        }
        faces
    }

    /// All points that are nearer to the other part than `range` (m) with the held part at `part`.
    pub fn near(&self, part: &Pose, range: f64) -> Near<'_> {
        let (back, seat) = (part.inverse(), self.seated.inverse());
        let near = |points: &[SurfacePoint], at: &[f64], other: &Surface, seated: &Pose, pose: &Pose| {
            let mut out = Vec::new();
            for (i, (point, distance)) in points.iter().zip(at).enumerate() {
                let now = moved(pose, &point.position);
                if *distance - (now - moved(seated, &point.position)).norm() > range {
                    continue;
                }
                let distance = other.signed_within(&now, range);
                if distance <= range {
                    out.push((i, distance));
                }
            }
            out
        };
        let held = near(&self.held.points, &self.held_at, &self.fixed, &self.seated, part);
        let fixed = near(&self.fixed.points, &self.fixed_at, &self.held, &seat, &back);
        Near { gauge: self, part: *part, held, fixed }
    }
}

/// The points of both parts that are in or near the other one, and their distances from it, for one pose of the held part.
pub struct Near<'a> {
    gauge: &'a Gauge,
    part: Pose,
    held: Vec<(usize, f64)>,
    fixed: Vec<(usize, f64)>,
}

impl Near<'_> {
    /// Every point that is deeper in the other part than `least` (m), which may be negative, with the held part at `part`. Depths are those of the
    /// meshes, less the allowances for faceting at that place.
    pub fn overlaps(&self, part: &Pose, least: f64) -> Vec<Overlap> {
        let Gauge { held, fixed, .. } = self.gauge;
        let mut out = Vec::new();
        let sides = [
            (held, &self.held, fixed, self.part, *part, Pose::identity(), 1.0),
            (fixed, &self.fixed, held, self.part.inverse(), part.inverse(), *part, -1.0),
        ];
        for (surface, near, other, before, pose, world, sign) in sides {
            for &(i, distance) in near {
                let point = &surface.points[i];
                let now = moved(&pose, &point.position);
                if distance - (now - moved(&before, &point.position)).norm() > -least {
                    continue;
                }
                let (distance, slope) = other.slope(&now);
                let faceted = other.allowance.as_ref().map_or(0.0, |a| a.sample(now).0);
                let depth = -distance - faceted - point.allowed;
                if depth > least {
                    out.push(Overlap { depth, at: moved(&world, &now), way_out: world.rotation * slope * sign });
                }
            }
        }
        out
    }
}

/// A point of one part that is in the other, or near it.
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    /// How deep it is, beyond what is allowed for faceting there (m); negative outside.
    pub depth: f64,
    /// Where it is in the world (m).
    pub at: Vec3,
    /// The direction of unit length in which the held part gets out.
    pub way_out: Vec3,
}

fn deepest(points: &[SurfacePoint], at: &[f64], other: &Surface, seated: &Pose, pose: &Pose, out: &mut ExactDepth) {
    let turn = pose.rotation.to_rotation_matrix();
    for (point, distance) in points.iter().zip(at) {
        let now = moved(pose, &point.position);
        if *distance > (now - moved(seated, &point.position)).norm() {
            continue;
        }
        if !other.contains(&now) {
            continue;
        }
        let (distance, normal) = other.nearest_face(&now);
        let on_face = point.normal.is_some_and(|n| (turn * n).dot(&normal) < -ONE_FACE);
        let kind = if on_face { &mut out.face } else { &mut out.edge };
        *kind = kind.max(distance);
    }
}

fn moved(pose: &Pose, point: &Vec3) -> Vec3 {
    pose.rotation * point + pose.translation.vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_bake::solids::Solid;

    #[test]
    fn distances_to_a_box_are_those_of_its_closed_form() {
        let solid = Solid::Box { size: [0.02, 0.03, 0.04] };
        let mesh = solid.mesh().unwrap();
        let mut triangles: Vec<[Vec3; 3]> = mesh.triangles().collect();
        let mut nodes = Vec::new();
        let count = triangles.len();
        split(&mut triangles, 0, count, &mut nodes);
        let surface = Surface { triangles, nodes, points: Vec::new(), allowance: None };
        for i in 0..1000 {
            let part = |step: f64| 0.05 * ((f64::from(i) * step).fract() - 0.5);
            let p = Vec3::new(part(0.618), part(0.7548), part(0.5698));
            let q = p.abs() - Vec3::new(0.01, 0.015, 0.02);
            let truth = q.sup(&Vec3::zeros()).norm() + q.max().min(0.0);
            assert!((surface.signed(&p) - truth).abs() < 1e-12, "{p:?}");
        }
    }
}
