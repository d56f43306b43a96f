//! Solids with known distances, and fields and shells made from them by the documented rules, for the tests of shapes.
#![allow(dead_code)]

use std::sync::OnceLock;
use stiction::shape::{
    Aabb, Allowance, Dense, DistanceField, EdgeAllowance, EdgeStretch, Lattice, MassProperties, PointShell, Shape,
    ShellNode, ShellPoint, Sparse,
};
use stiction::spatial::{Mat3, Vec3};

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        stiction_testing::splitmix64(&mut self.0)
    }

    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.norm() > 0.1 && v.norm() <= 1.0 {
                return v.normalize();
            }
        }
    }

    /// A point in a box, made larger by a factor.
    pub fn point(&mut self, bounds: &Aabb, factor: f64) -> Vec3 {
        let (centre, half) = ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
        centre + half.component_mul(&self.vector()) * factor
    }
}

/// A solid whose signed distance is known exactly, within the cube of ±1.
#[derive(Clone, Copy, Debug)]
pub enum Solid {
    Sphere,
    /// A box with sides that are not multiples of any spacing.
    Brick,
    /// Thinner than a voxel of the coarse lattice.
    Plate,
    /// A ball with a void: its surface has two parts.
    Hollow,
    Torus,
    /// Many small balls, far from convex.
    Cloud,
}

pub const SOLIDS: [Solid; 6] = [Solid::Sphere, Solid::Brick, Solid::Plate, Solid::Hollow, Solid::Torus, Solid::Cloud];

impl Solid {
    pub fn distance(self, p: Vec3) -> f64 {
        match self {
            Solid::Sphere => p.norm() - 0.77,
            Solid::Brick => brick(p, Vec3::new(0.61, 0.37, 0.23)),
            Solid::Plate => brick(p, Vec3::new(0.71, 0.53, 0.013)),
            Solid::Hollow => (p.norm() - 0.6).abs() - 0.17,
            Solid::Torus => Vec3::new((p.x * p.x + p.y * p.y).sqrt() - 0.55, p.z, 0.0).norm() - 0.19,
            Solid::Cloud => balls().iter().map(|b| (p - b).norm() - 0.03).fold(f64::MAX, f64::min),
        }
    }

    /// The tight box.
    pub fn part(self) -> Aabb {
        let half = match self {
            Solid::Sphere | Solid::Hollow => Vec3::repeat(0.77),
            Solid::Brick => Vec3::new(0.61, 0.37, 0.23),
            Solid::Plate => Vec3::new(0.71, 0.53, 0.013),
            Solid::Torus => Vec3::new(0.74, 0.74, 0.19),
            Solid::Cloud => {
                let first = (balls()[0], balls()[0]);
                let (min, max) = balls().iter().fold(first, |(a, b), p| (a.inf(p), b.sup(p)));
                return Aabb { min: min.add_scalar(-0.03), max: max.add_scalar(0.03) };
            }
        };
        Aabb { min: -half, max: half }
    }
}

fn brick(p: Vec3, half: Vec3) -> f64 {
    let q = p.abs() - half;
    q.sup(&Vec3::zeros()).norm() + q.max().min(0.0)
}

/// The centres of the cloud: at least 0.1 apart, so that the balls do not meet.
fn balls() -> &'static [Vec3] {
    static BALLS: OnceLock<Vec<Vec3>> = OnceLock::new();
    BALLS.get_or_init(|| {
        let mut random = Random(900);
        let mut all: Vec<Vec3> = Vec::new();
        while all.len() < 12 {
            let p = random.vector() * 0.7;
            if all.iter().all(|q| (p - q).norm() > 0.1) {
                all.push(p);
            }
        }
        all
    })
}

/// A lattice around a solid with different gaps on every side; cells are multiples of eight.
pub fn lattice(solid: Solid, spacing: f64) -> Lattice {
    let part = solid.part();
    let origin = part.min - Vec3::new(1.3, 2.1, 3.7) * spacing;
    let cells = std::array::from_fn(|a| {
        let needed = ((part.max[a] - origin[a]) / spacing + 1.2).ceil() as u32;
        needed.next_multiple_of(8)
    });
    Lattice { origin, spacing, cells }
}

pub fn dense(solid: Solid, spacing: f64) -> DistanceField {
    let lattice = lattice(solid, spacing);
    let [nx, ny, nz] = lattice.nodes();
    let mut values = Vec::new();
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                values.push(solid.distance(lattice.position([i, j, k])) as f32);
            }
        }
    }
    Dense::new(lattice, solid.part(), values).unwrap().into()
}

/// The parts of a sparse field.
#[derive(Clone)]
pub struct Parts {
    pub lattice: Lattice,
    pub part: Aabb,
    pub band: f64,
    pub coarse: Vec<f32>,
    pub slots: Vec<u32>,
    pub blocks: Vec<i16>,
}

impl Parts {
    pub fn build(self) -> Result<Sparse, stiction::shape::ShapeError> {
        Sparse::new(self.lattice, self.part, self.band, self.coarse, self.slots, self.blocks)
    }
}

/// Written from the documentation: rounding, the rule for empty slots, the slack of coarse values.
pub fn sparse_parts(solid: Solid, spacing: f64, voxels: f64) -> Parts {
    let lattice = lattice(solid, spacing);
    let band = voxels * spacing;
    let [mx, my, mz] = lattice.cells.map(|n| n as usize / 8);
    let (mut coarse, mut slots, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..=mz {
        for j in 0..=my {
            for i in 0..=mx {
                let d = solid.distance(lattice.position([8 * i, 8 * j, 8 * k]));
                coarse.push(coarse_value(d, spacing));
            }
        }
    }
    for k in 0..mz {
        for j in 0..my {
            for i in 0..mx {
                let mut block = Vec::new();
                for node in 0..729 {
                    let at = [8 * i + node % 9, 8 * j + node / 9 % 9, 8 * k + node / 81];
                    let d = solid.distance(lattice.position(at)).max(-band).min(band);
                    block.push((d / band * 32767.0).round() as i16);
                }
                if block.iter().all(|&v| v == 32767) || block.iter().all(|&v| v == -32767) {
                    slots.push(u32::MAX);
                } else {
                    slots.push((blocks.len() / 729) as u32);
                    blocks.extend(block);
                }
            }
        }
    }
    Parts { lattice, part: solid.part(), band, coarse, slots, blocks }
}

/// In units of the spacing: 4√3 + 7/4 off a distance, less from 8√3 + 4√3 + 7/4 on.
fn coarse_value(d: f64, spacing: f64) -> f32 {
    let (size, root) = (d.abs() / spacing, 3f64.sqrt());
    let off = if size >= 12.0 * root + 1.75 { 24.0 / (size - 8.0 * root) + 1.75 } else { 4.0 * root + 1.75 };
    ((size - off).max(0.0) * spacing).copysign(d) as f32
}

pub fn sparse(solid: Solid, spacing: f64, voxels: f64) -> DistanceField {
    sparse_parts(solid, spacing, voxels).build().unwrap().into()
}

/// Fields of both kinds of a solid.
pub fn fields(solid: Solid) -> Vec<DistanceField> {
    vec![dense(solid, 0.05), sparse(solid, 0.03, 4.0), sparse(solid, 0.02, 3.5), sparse(solid, 0.025, 9.7)]
}

/// A nested shell of points near a surface: every level has a random share of the next, every new point a random
/// parent among the three closest.
pub fn shell(random: &mut Random, count: usize, mut place: impl FnMut(&mut Random) -> Vec3) -> PointShell {
    let points: Vec<_> =
        (0..count).map(|_| ShellPoint { position: place(random), normal: random.direction() }).collect();
    let mut levels = vec![count as u32];
    while levels[0] > 1 && levels.len() < 9 && (levels.len() < 3 || random.unit() < 0.9) {
        let share = random.within(1.5, 6.0);
        levels.insert(0, (f64::from(levels[0]) / share).ceil() as u32);
    }
    // The points of each level in the order of its nodes, then their parents.
    let mut orders: Vec<Vec<u32>> = vec![(0..levels[0]).collect()];
    let mut families: Vec<Vec<Vec<u32>>> = Vec::new();
    for level in 1..levels.len() {
        let above = &orders[level - 1];
        let mut children: Vec<Vec<u32>> = above.iter().map(|&p| vec![p]).collect();
        for p in levels[level - 1]..levels[level] {
            let mut near: Vec<usize> = (0..above.len()).collect();
            let apart = |i: &usize| (points[above[*i] as usize].position - points[p as usize].position).norm();
            near.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
            children[near[random.below(near.len().min(3))]].push(p);
        }
        orders.push(children.concat());
        families.push(children);
    }
    let mut below: Vec<Vec<Vec<u32>>> = vec![orders.last().unwrap().iter().map(|&p| vec![p]).collect()];
    for children in families.iter().rev() {
        let deeper = below.last().unwrap();
        let mut next = 0;
        let mut gather = |family: &Vec<u32>| {
            next += family.len();
            deeper[next - family.len()..next].concat()
        };
        let level = children.iter().map(&mut gather).collect();
        below.push(level);
    }
    below.reverse();
    let mut nodes = Vec::new();
    for (level, order) in orders.iter().enumerate() {
        let mut first = (nodes.len() + order.len()) as u32;
        for (i, &point) in order.iter().enumerate() {
            let centre = points[point as usize].position;
            let far =
                below[level][i].iter().map(|&p| (points[p as usize].position - centre).norm()).fold(0.0, f64::max);
            let children = families.get(level).map_or(0, |f| f[i].len() as u32);
            nodes.push(ShellNode { point, first_child: first, children, radius: far as f32 });
            first += children;
        }
    }
    PointShell::new(points, nodes, levels).unwrap()
}

/// A whole shape with some shell on it.
pub fn shape(field: DistanceField, seed: u64, points: usize) -> Shape {
    let mut random = Random(seed);
    let shell = match points {
        0 => PointShell::new(vec![], vec![], vec![]).unwrap(),
        _ => shell(&mut random, points, |r| r.direction() * 0.7),
    };
    let inertia = Mat3::new(1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 3.0);
    let mass = MassProperties { volume: 0.5, centre: Vec3::new(0.1, -0.2, 0.3), inertia };
    Shape { field, shell, allowance: None, convex: None, mass, provenance: "source: größe.stl\nvoxel: 0.05\n".into() }
}

/// A small lattice with allowances inside and zeros on its boundary.
pub fn allowance(random: &mut Random, cells: [u32; 3]) -> Allowance {
    let lattice = Lattice { origin: Vec3::new(-0.8, -0.7, -0.6), spacing: 0.25, cells };
    let [nx, ny, nz] = lattice.nodes();
    let mut values = vec![0.0; nx * ny * nz];
    for k in 1..nz - 1 {
        for j in 1..ny - 1 {
            for i in 1..nx - 1 {
                values[lattice.index([i, j, k])] = random.within(0.0, 1e-3) as f32;
            }
        }
    }
    Allowance::new(lattice, values).unwrap()
}

/// Stretches of two edges and the corner where they meet.
pub fn stretches(random: &mut Random) -> Vec<EdgeStretch> {
    let mut place = || Vec3::new(random.within(-0.5, 0.5), random.within(-0.5, 0.5), random.within(-0.5, 0.5));
    let [a, b, c] = [place(), place(), place()];
    let stretch = |ends, error, reach| EdgeStretch { ends, error, reach };
    vec![stretch([a, b], 1e-3, 0.1), stretch([b, c], 2e-3, 0.15), stretch([b, b], 3e-3, 0.15)]
}

/// The same shape with an allowance at edges, beside the one that it has.
pub fn with_edges(shape: Shape, seed: u64) -> Shape {
    let edges = EdgeAllowance::new(&stretches(&mut Random(seed)), 0.05).unwrap();
    let allowance = match shape.allowance {
        Some(facets) => facets.with_edges(Some(edges)),
        None => Allowance::of_edges(edges),
    };
    Shape { allowance: Some(allowance), ..shape }
}

/// The same shape with allowances on a lattice and for the points of its shell.
pub fn with_allowance(shape: Shape, seed: u64) -> Shape {
    let mut random = Random(seed);
    let lattice = allowance(&mut random, [5, 4, 6]);
    let points = shape.shell.points().iter().map(|_| random.within(0.0, 1e-3) as f32).collect();
    Shape { allowance: Some(lattice), shell: shape.shell.with_allowances(points).unwrap(), ..shape }
}

pub fn encoded(shape: &Shape) -> Vec<u8> {
    let mut bytes = Vec::new();
    stiction::shape::file::encode(shape, &mut bytes).unwrap();
    bytes
}

pub fn decoded(bytes: &[u8]) -> Result<Shape, stiction::shape::file::DecodeError> {
    stiction::shape::file::decode(&mut &bytes[..], bytes.len() as u64)
}
