//! Unions computed apart from the library: of axis-aligned boxes in closed form, of anything by dense samples.

use stiction::spatial::{Mat3, Vec3};
use stiction_bake::Mesh;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug)]
pub struct Brick {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

pub fn brick(min: [f64; 3], max: [f64; 3]) -> Brick {
    Brick { min, max }
}

impl Brick {
    /// Twelve triangles, counter-clockwise from outside.
    pub fn mesh(&self) -> Mesh {
        let corner = |i: usize| {
            let pick = |k: usize| if i >> k & 1 == 1 { self.max[k] } else { self.min[k] };
            Vec3::new(pick(0), pick(1), pick(2))
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Mesh { points: (0..8).map(corner).collect(), faces }
    }

    fn has(&self, p: [f64; 3]) -> bool {
        (0..3).all(|k| self.min[k] < p[k] && p[k] < self.max[k])
    }

    fn and(&self, other: &Brick) -> Option<Brick> {
        let min = [0, 1, 2].map(|k| self.min[k].max(other.min[k]));
        let max = [0, 1, 2].map(|k| self.max[k].min(other.max[k]));
        (0..3).all(|k| min[k] < max[k]).then_some(Brick { min, max })
    }

    /// Volume, ∫ x, ∫ x xᵀ.
    fn moments(&self) -> (f64, Vec3, Mat3) {
        let size = Vec3::from_fn(|k, _| self.max[k] - self.min[k]);
        let middle = Vec3::from_fn(|k, _| 0.5 * (self.max[k] + self.min[k]));
        let v = size.x * size.y * size.z;
        let own = Mat3::from_diagonal(&size.component_mul(&size)) / 12.0;
        (v, middle * v, (own + middle * middle.transpose()) * v)
    }
}

/// The rectangles that bound a union of boxes, by the cells between all their planes; and the cells themselves.
pub struct Union {
    bricks: Vec<Brick>,
    rectangles: Vec<Brick>,
}

impl Union {
    pub fn new(bricks: &[Brick]) -> Union {
        let planes = [0, 1, 2].map(|k| {
            let mut all: Vec<f64> = bricks.iter().flat_map(|b| [b.min[k], b.max[k]]).collect();
            all.sort_by(f64::total_cmp);
            all.dedup();
            all.insert(0, all[0] - 1.0);
            all.push(all[all.len() - 1] + 1.0);
            all
        });
        let cell = |at: [usize; 3]| Brick {
            min: [0, 1, 2].map(|k| planes[k][at[k]]),
            max: [0, 1, 2].map(|k| planes[k][at[k] + 1]),
        };
        let full = |at: [usize; 3]| {
            let c = cell(at);
            bricks.iter().any(|b| b.has([0, 1, 2].map(|k| 0.5 * (c.min[k] + c.max[k]))))
        };
        let counts = [0, 1, 2].map(|k| planes[k].len() - 1);
        let mut rectangles = Vec::new();
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    for axis in 0..3 {
                        let at = [x, y, z];
                        let mut next = at;
                        next[axis] += 1;
                        if next[axis] < counts[axis] && full(at) != full(next) {
                            let mut wall = cell(at);
                            wall.min[axis] = wall.max[axis];
                            rectangles.push(wall);
                        }
                    }
                }
            }
        }
        Union { bricks: bricks.to_vec(), rectangles }
    }

    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        self.bricks.iter().for_each(|b| mesh.append(&b.mesh()));
        mesh
    }

    /// Exact signed distance to the union.
    pub fn distance(&self, p: Vec3) -> f64 {
        let to = |b: &Brick| Vec3::from_fn(|k, _| p[k] - p[k].clamp(b.min[k], b.max[k])).norm();
        let d = self.rectangles.iter().map(to).fold(f64::INFINITY, f64::min);
        // A point on a wall between two boxes is in neither, but its distance to both is zero.
        if self.bricks.iter().any(|b| to(b) == 0.0) { -d } else { d }
    }

    pub fn area(&self) -> f64 {
        let area = |b: &Brick| {
            let [x, y, z] = [0, 1, 2].map(|k| b.max[k] - b.min[k]);
            x * y + y * z + z * x
        };
        self.rectangles.iter().map(area).sum()
    }

    /// Volume, centre and inertia by inclusion and exclusion.
    pub fn mass(&self) -> (f64, Vec3, Mat3) {
        let (mut v, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for subset in 1u32..1 << self.bricks.len() {
            let members = self.bricks.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, b)| *b);
            let common = members.map(Some).reduce(|a, b| a?.and(&b?)).flatten();
            if let Some(common) = common {
                let sign = if subset.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
                let m = common.moments();
                (v, first, second) = (v + sign * m.0, first + m.1 * sign, second + m.2 * sign);
            }
        }
        let centre = first / v;
        let covariance = second - centre * centre.transpose() * v;
        (v, centre, Mat3::from_diagonal_element(covariance.trace()) - covariance)
    }
}

/// A mesh, and whether a point is inside it, known without it.
pub struct Part {
    pub mesh: Mesh,
    pub has: Box<dyn Fn(Vec3) -> bool>,
}

/// Points of the faces of each mesh no further than about `spacing` apart, without those inside another.
pub fn boundary(parts: &[Part], spacing: f64) -> Vec<Vec3> {
    let mut out = Vec::new();
    for (own, part) in parts.iter().enumerate() {
        for [a, b, c] in part.mesh.triangles() {
            let [m, n] = [b - a, c - b].map(|side| ((side.norm() / spacing).ceil() as usize).max(1));
            for (i, j) in (0..=m).flat_map(|i| (0..=n).map(move |j| (i, j))) {
                let p = a + (b - a + (c - b) * (j as f64 / n as f64)) * (i as f64 / m as f64);
                if (0..parts.len()).all(|other| other == own || !(parts[other].has)(p)) {
                    out.push(p);
                }
            }
        }
    }
    out
}
