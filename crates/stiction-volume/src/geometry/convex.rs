//! Convex polyhedra: corners, faces and moments, made once from points.
//!
//! The hull is found in dual space (section 4.3 of the paper) by the [`Cell`] that also intersects polyhedra: the points are mapped so that four of them, far apart, are a regular tetrahedron
//! about the origin; each point w is then a half-space w·y ≤ 1 that cuts the tetrahedron's dual. A vertex of what remains is the pole of a face of the hull; vertices that coincide are
//! coplanar triangles, and become one face. A face's plane is fitted to its corners by Newell's area vector, so that an axis-parallel box has exact normals.
//!
//! Moments are sums over tetrahedra (v₁, v₂, v₃, and a point inside as the origin): V = det/6, ∫x dV = det/24 Σvᵢ, ∫x xᵀ dV = det/120 (Σvᵢvᵢᵀ + (Σvᵢ)(Σvᵢ)ᵀ).

use super::cell::{Cell, Cut, CutResult, Graph, NONE};
use stiction::spatial::{Mat3, Vec3};
use thiserror::Error;

/// Height of the points above a plane, relative to their extent, below which they are flat.
const FLAT: f64 = 1e-9;
/// Distance of a point from the hull, relative to the hull's size, that is rounding.
const ROUNDING: f64 = 1e-13;
/// Distances of poles, relative to the size of the dual hull, up to which faces are coplanar. The next one is tried where the one before leads to faces that do not fit together.
const COPLANAR: [f64; 3] = [1e-10, 1e-8, 1e-6];
/// Up to so many corners, looking at all of them is faster than walking from one to the next.
const FEW: usize = 24;

/// Errors from building a convex polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ConvexError {
    /// A solid needs four corners.
    #[error("{count} points do not span a solid: give at least 4 points that are not in one plane")]
    TooFewPoints {
        /// Points that were given.
        count: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("point {index} is not finite: check the file or the computation that the points come from")]
    NotFinite {
        /// The first such point.
        index: usize,
    },
    /// All points are in a plane, on a line or at one place.
    #[error("the points are {height:.1e} m high and {extent:.1e} m wide, which is flat: give the part a thickness")]
    Flat {
        /// Largest distance from the plane of the others (m).
        height: f64,
        /// Largest distance of two points (m).
        extent: f64,
    },
    /// Rounding errors exceed the size of features.
    #[error(
        "the faces of the hull of {count} points do not fit together: merge points that are nearer than 1e-6 of the part's size"
    )]
    Unresolved {
        /// Points that were given.
        count: usize,
    },
}

/// A plane n·x = offset that bounds a solid; points inside have n·x ≤ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit vector out of the solid.
    pub normal: Vec3,
    /// Distance of the plane from the origin along the normal (m).
    pub offset: f64,
}

/// A convex polyhedron in the axes of its part (m). Never changes.
#[derive(Clone, Debug)]
pub struct Convex {
    points: Vec<Vec3>,
    planes: Vec<Plane>,
    graph: Graph,
    corners: Lists,
    neighbours: Lists,
    lower: Vec3,
    upper: Vec3,
    radius: f64,
    volume: f64,
    centroid: Vec3,
    second_moment: Mat3,
}

impl Convex {
    /// The convex hull of points (m). Points that are not corners are left out, and coplanar triangles are one face.
    ///
    /// # Errors
    /// If the points are fewer than four, flat or not finite.
    pub fn of_points(points: &[Vec3]) -> Result<Convex, ConvexError> {
        if let Some(index) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(ConvexError::NotFinite { index });
        }
        if points.len() < 4 {
            return Err(ConvexError::TooFewPoints { count: points.len() });
        }
        let dual = DualHull::of_points(points)?;
        let (kept, faces, graph) = COPLANAR
            .iter()
            .find_map(|tolerance| dual.faces(points, *tolerance))
            .ok_or(ConvexError::Unresolved { count: points.len() })?;
        Ok(Convex::new(kept, &faces, graph))
    }

    fn new(points: Vec<Vec3>, faces: &[Vec<u32>], graph: Graph) -> Convex {
        let lower = points.iter().fold(points[0], |a, b| a.inf(b));
        let upper = points.iter().fold(points[0], |a, b| a.sup(b));
        let middle = 0.5 * (lower + upper);
        let radius = points.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
        let planes = faces
            .iter()
            .map(|face| {
                let normal = area_vector(&points, face).normalize();
                let offset = face.iter().map(|i| normal.dot(&points[*i as usize])).fold(f64::NEG_INFINITY, f64::max);
                Plane { normal, offset }
            })
            .collect();
        let mut neighbours = vec![Vec::new(); points.len()];
        for face in faces {
            for (j, from) in face.iter().enumerate() {
                neighbours[*from as usize].push(face[(j + 1) % face.len()]);
            }
        }
        let (volume, centroid, second_moment) = moments(&points, faces, &middle);
        Convex {
            points,
            planes,
            graph,
            corners: Lists::new(faces),
            neighbours: Lists::new(&neighbours),
            lower,
            upper,
            radius,
            volume,
            centroid,
            second_moment,
        }
    }

    /// The corners (m).
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The planes of the faces.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Numbers of the corners of a face, counter-clockwise from outside; none if there is no such face.
    pub fn face(&self, face: usize) -> &[u32] {
        self.corners.get(face)
    }

    /// Numbers of the corners that an edge connects with a corner; none if there is no such corner.
    pub fn neighbours(&self, corner: u32) -> &[u32] {
        self.neighbours.get(corner as usize)
    }

    /// The number of a corner that is furthest in a direction, which need not be a unit vector. `start` is a corner that may be near; any number is allowed.
    pub fn support(&self, direction: &Vec3, start: u32) -> u32 {
        let reach = |i: u32| self.points.get(i as usize).map_or(f64::NEG_INFINITY, |p| direction.dot(p));
        if self.points.len() <= FEW {
            let mut best = (f64::NEG_INFINITY, 0);
            for (i, p) in self.points.iter().enumerate() {
                let r = direction.dot(p);
                if r > best.0 {
                    best = (r, i as u32);
                }
            }
            return best.1;
        }
        let start = if (start as usize) < self.points.len() { start } else { 0 };
        let mut best = (reach(start), start);
        loop {
            let before = best;
            for i in self.neighbours(before.1) {
                let r = reach(*i);
                if r > best.0 {
                    best = (r, *i);
                }
            }
            if best.1 == before.1 {
                return best.1;
            }
        }
    }

    /// How far it reaches along a unit direction (m): the distance of the two planes across that direction that hold it between them.
    pub fn width(&self, direction: &Vec3) -> f64 {
        let [least, most] = self
            .points
            .iter()
            .map(|p| p.dot(direction))
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], along| [least.min(along), most.max(along)]);
        most - least
    }

    /// The volume (m³).
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The centre of the volume (m).
    pub fn centroid(&self) -> Vec3 {
        self.centroid
    }

    /// ∫ x xᵀ dV about the origin of the part's axes (m⁵), from which the tensor of inertia follows.
    pub fn second_moment(&self) -> Mat3 {
        self.second_moment
    }

    /// The least coordinates of the corners: one corner of the bounding box in the part's axes (m).
    pub fn lower(&self) -> Vec3 {
        self.lower
    }

    /// The largest coordinates of the corners (m).
    pub fn upper(&self) -> Vec3 {
        self.upper
    }

    /// The centre of the bounding box (m).
    pub fn centre(&self) -> Vec3 {
        0.5 * (self.lower + self.upper)
    }

    /// The radius of the sphere about [`Convex::centre`] that includes all corners (m).
    pub fn radius(&self) -> f64 {
        self.radius
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// Lists of numbers, one behind the other.
#[derive(Clone, Debug)]
struct Lists {
    numbers: Vec<u32>,
    /// Where each list starts, and the end of the last one.
    starts: Vec<u32>,
}

impl Lists {
    fn new(lists: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut numbers = Vec::new();
        for list in lists {
            numbers.extend(list);
            starts.push(numbers.len() as u32);
        }
        Lists { numbers, starts }
    }

    fn get(&self, i: usize) -> &[u32] {
        let [Some(from), Some(to)] = [self.starts.get(i), self.starts.get(i + 1)] else { return &[] };
        &self.numbers[*from as usize..*to as usize]
    }
}

/// Newell's area vector: the area of a polygon times its normal.
fn area_vector(points: &[Vec3], face: &[u32]) -> Vec3 {
    let at = |j: usize| points[face[j % face.len()] as usize] - points[face[0] as usize];
    (1..face.len() - 1).fold(Vec3::zeros(), |sum, j| sum + 0.5 * at(j).cross(&at(j + 1)))
}

/// Volume, centroid and ∫ x xᵀ dV, by tetrahedra with a point inside.
fn moments(points: &[Vec3], faces: &[Vec<u32>], inside: &Vec3) -> (f64, Vec3, Mat3) {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for face in faces {
        let at = |j: usize| points[face[j] as usize] - inside;
        for j in 1..face.len() - 1 {
            let v = [at(0), at(j), at(j + 1)];
            let det = v[0].dot(&v[1].cross(&v[2]));
            let sum = v[0] + v[1] + v[2];
            let squares = v.iter().fold(sum * sum.transpose(), |s, x| s + x * x.transpose());
            volume += det / 6.0;
            first += sum * (det / 24.0);
            second += squares * (det / 120.0);
        }
    }
    let mean = first / volume;
    let shift = inside * mean.transpose() + mean * inside.transpose() + inside * inside.transpose();
    (volume, inside + mean, second + shift * volume)
}

/// Corners of a regular tetrahedron; the corners of its dual are the opposite ones.
const TETRAHEDRON: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];

/// The dual of the hull of points: a vertex is the pole of a plane, a face is a point.
struct DualHull {
    cell: Cell,
    /// The number of the point that each face of the cell is.
    points: Vec<usize>,
    /// From points, relative to the origin, to the space whose dual this is.
    map: Mat3,
}

impl DualHull {
    fn of_points(points: &[Vec3]) -> Result<DualHull, ConvexError> {
        let four = far_apart(points)?;
        let origin = four.iter().fold(Vec3::zeros(), |sum, i| sum + 0.25 * points[*i]);
        let corners = TETRAHEDRON.map(Vec3::from);
        // Maps the regular tetrahedron to the four points, as Σ qᵢ qᵢᵀ = 4 I.
        let back =
            (0..4).fold(Mat3::zeros(), |sum, i| sum + (points[four[i]] - origin) * corners[i].transpose() * 0.25);
        let Some(map) = back.try_inverse() else { return Err(ConvexError::Flat { height: 0.0, extent: 0.0 }) };
        let poles = corners.map(|c| -c);
        let faces: Vec<Vec<u32>> = (0..4)
            .map(|i| {
                let [a, b, c] = [(i + 1) % 4, (i + 2) % 4, (i + 3) % 4];
                let turn = (poles[b] - poles[a]).cross(&(poles[c] - poles[a])).dot(&corners[i]);
                if turn > 0.0 { vec![a as u32, b as u32, c as u32] } else { vec![a as u32, c as u32, b as u32] }
            })
            .collect();
        let graph = Graph::of_faces(4, &faces).ok_or(ConvexError::Unresolved { count: points.len() })?;
        let mut cell = Cell::new(points.len() + 4);
        cell.start(&graph, &poles);
        // The furthest first: most of those are corners, so that few points are added which are none in the end.
        let mut order: Vec<(f64, usize)> =
            (0..points.len()).map(|i| ((map * (points[i] - origin)).norm(), i)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut found = four.to_vec();
        for (far, i) in order {
            // The sphere in the tetrahedron has a radius of 3^-½.
            if far <= 0.5 || four.contains(&i) {
                continue;
            }
            let normal = map * (points[i] - origin) / far;
            if cell.cut(&Cut { normal, offset: 1.0 / far, tolerance: ROUNDING }) == CutResult::Smaller {
                found.push(i);
            }
        }
        Ok(DualHull { cell, points: found, map })
    }

    /// The corners, the faces and their graph, where vertices of the dual nearer than a tolerance are the same; or `None` if these faces do not fit together.
    fn faces(&self, points: &[Vec3], tolerance: f64) -> Option<(Vec<Vec3>, Vec<Vec<u32>>, Graph)> {
        let (graph, poles) = (self.cell.graph(), self.cell.points());
        let mut group: Vec<usize> = (0..poles.len()).collect();
        fn root(group: &mut [usize], mut i: usize) -> usize {
            while group[i] != i {
                group[i] = group[group[i]];
                i = group[i];
            }
            i
        }
        for f in 0..graph.first.len() as u32 {
            let around: Vec<u32> = graph.corners(f).collect();
            for (j, a) in around.iter().enumerate() {
                let (a, b) = (*a as usize, around[(j + 1) % around.len()] as usize);
                if (poles[a] - poles[b]).norm() <= tolerance {
                    let (a, b) = (root(&mut group, a), root(&mut group, b));
                    group[a.max(b)] = a.min(b);
                }
            }
        }
        // A corner is where three faces or more meet.
        let mut corners: Vec<(usize, Vec<usize>)> = Vec::new();
        for f in 0..graph.first.len() {
            let mut meets: Vec<usize> = graph.corners(f as u32).map(|v| root(&mut group, v as usize)).collect();
            meets.sort_unstable();
            meets.dedup();
            if meets.len() >= 3 {
                corners.push((self.points[f], meets));
            }
        }
        corners.sort_unstable();
        let kept: Vec<Vec3> = corners.iter().map(|c| points[c.0]).collect();
        let mut by_group = vec![Vec::new(); poles.len()];
        for (i, corner) in corners.iter().enumerate() {
            corner.1.iter().for_each(|g| by_group[*g].push(i as u32));
        }
        let faces: Vec<Vec<u32>> = by_group
            .iter()
            .enumerate()
            .filter(|(_, corners)| corners.len() >= 3)
            .map(|(g, corners)| in_order(&kept, corners, &(self.map.transpose() * poles[g])))
            .collect();
        let graph = Graph::of_faces(kept.len(), &faces)?;
        debug_assert!(graph.first.iter().all(|h| *h != NONE));
        Some((kept, faces, graph))
    }
}

/// The corners of a convex polygon, counter-clockwise as seen against its normal.
fn in_order(points: &[Vec3], corners: &[u32], normal: &Vec3) -> Vec<u32> {
    let at = |i: u32| points[i as usize];
    let mean = corners.iter().fold(Vec3::zeros(), |sum, i| sum + at(*i)) / corners.len() as f64;
    let normal = normal.normalize();
    let mut x = at(corners[0]) - mean;
    x -= normal * normal.dot(&x);
    let y = normal.cross(&x);
    let mut order: Vec<(f64, u32)> =
        corners.iter().map(|i| (libm::atan2(y.dot(&(at(*i) - mean)), x.dot(&(at(*i) - mean))), *i)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|o| o.1).collect()
}

/// Numbers of four points that are far apart: two far from each other, one far from their line, and one far from their plane.
fn far_apart(points: &[Vec3]) -> Result<[usize; 4], ConvexError> {
    let furthest = |far: &dyn Fn(&Vec3) -> f64| {
        points.iter().enumerate().fold((f64::NEG_INFINITY, 0), |best, (i, p)| {
            let f = far(p);
            if f > best.0 { (f, i) } else { best }
        })
    };
    let (_, a) = furthest(&|p| (p - points[0]).norm());
    let (extent, b) = furthest(&|p| (p - points[a]).norm());
    let flat = |height: f64| ConvexError::Flat { height, extent };
    if !(extent > 0.0) {
        return Err(flat(0.0));
    }
    let line = (points[b] - points[a]) / extent;
    let (width, c) = furthest(&|p| line.cross(&(p - points[a])).norm());
    if !(width > FLAT * extent) {
        return Err(flat(width));
    }
    let normal = line.cross(&(points[c] - points[a])).normalize();
    let (height, d) = furthest(&|p| normal.dot(&(p - points[a])).abs());
    if !(height > FLAT * extent) {
        return Err(flat(height));
    }
    Ok([a, b, c, d])
}
