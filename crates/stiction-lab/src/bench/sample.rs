//! `stiction-lab bench sample`: how long a distance with its gradient takes, on one thread.

use super::{RowPrinter, check, spin};
use clap::Args;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};
use stiction::shape::{Aabb, Dense, DistanceField, Lattice, Sample, Sparse};
use stiction::spatial::Vec3;
use stiction_cli::Failure;
use stiction_reference::families::Random;
use stiction_results::Measurement;

/// Time distance and gradient of a distance field, on one thread
///
/// A torus on lattices of 64³ (in cache) and 256³ (dense: 68 MB, not in cache). "scattered" points lie anywhere within
/// two voxels of the surface, "coherent" ones follow each other along it; "anywhere" is all of the box. "smooth" has
/// the gradient that does not jump at cell faces.
#[derive(Args)]
pub struct SampleRate {
    /// One JSON object per line instead of the table
    #[arg(long)]
    json: bool,
    /// About how long to measure (s)
    #[arg(long, default_value_t = 10.0, value_parser = stiction_cli::words::parse_positive, value_name = "N")]
    seconds: f64,
}

/// A median over passes.
#[derive(Serialize)]
struct Row {
    field: &'static str,
    points: &'static str,
    call: &'static str,
    nanoseconds: f64,
    million_per_second: f64,
}

const MAJOR: f64 = 0.3;
const MINOR: f64 = 0.12;
/// Points in one call of a batch.
const BATCH: usize = 2048;

impl SampleRate {
    /// Measures and prints.
    pub fn run(&self) -> Result<(), Failure> {
        let mut printer = RowPrinter::new(self.json, "field points call nanoseconds million_per_second");
        let fields: [(&str, DistanceField, usize); 4] = [
            ("dense 64³", dense(64)?.into(), BATCH),
            ("dense 256³", dense(256)?.into(), 1 << 18),
            ("sparse 64³", sparse(64)?.into(), BATCH),
            ("sparse 256³", sparse(256)?.into(), 1 << 18),
        ];
        spin(Duration::from_millis(300));
        let mut kept = Vec::new();
        let budget = Duration::from_secs_f64(self.seconds / (4 * 3 * 5) as f64);
        for (name, field, count) in &fields {
            let h = field.lattice().spacing;
            let sets = [
                ("scattered", near(*count, h, false)),
                ("coherent", near(*count, h, true)),
                ("anywhere", anywhere(*count)),
            ];
            for (points_name, points) in &sets {
                for (call, nanoseconds) in measure(field, points, budget) {
                    let million_per_second = 1e3 / nanoseconds;
                    let row = Row { field: name, points: points_name, call, nanoseconds, million_per_second };
                    printer.put(&row)?;
                    let what = format!("{name}, {points_name} points, {call}: samples of a distance");
                    kept.push(Measurement::new(what, million_per_second, "million/s"));
                }
            }
        }
        Ok(check::keep("bench-sample", &[], kept)?)
    }
}

/// Nanoseconds a sample, for every way to call.
fn measure(field: &DistanceField, points: &[Vec3], budget: Duration) -> Vec<(&'static str, f64)> {
    let mut samples = vec![Sample { distance: 0.0, gradient: Vec3::zeros() }; BATCH];
    let mut found = Vec::new();
    let mut time = |name, call: &mut dyn FnMut(&[Vec3], &mut [Sample])| {
        let mut pass = || points.chunks(BATCH).for_each(|some| call(some, &mut samples[..some.len()]));
        pass();
        let (start, mut passes) = (Instant::now(), Vec::new());
        while start.elapsed() < budget || passes.len() < 3 {
            let begun = Instant::now();
            pass();
            passes.push(begun.elapsed().as_secs_f64());
        }
        passes.sort_by(f64::total_cmp);
        found.push((name, passes[passes.len() / 2] / points.len() as f64 * 1e9));
    };
    time("batch", &mut |p, s| field.sample_batch(p, s));
    time("single", &mut |p, s| p.iter().zip(s).for_each(|(p, s)| *s = field.sample(*black_box(p))));
    time("distance", &mut |p, s| p.iter().zip(s).for_each(|(p, s)| s.distance = field.distance(*black_box(p))));
    time("smooth batch", &mut |p, s| field.sample_smooth_batch(p, s));
    time("smooth single", &mut |p, s| p.iter().zip(s).for_each(|(p, s)| *s = field.sample_smooth(*black_box(p))));
    found
}

/// Points within two voxels of the torus: anywhere on it, or in rings about its axis.
fn near(count: usize, h: f64, coherent: bool) -> Vec<Vec3> {
    let (mut random, rings) = (Random::new(1), (count as f64).sqrt());
    let turn = std::f64::consts::TAU;
    let point = |i: usize| {
        let along = i as f64 / rings;
        let (u, v) = if coherent {
            (along, along.floor() / rings)
        } else {
            (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0))
        };
        let off = MINOR + 4.0 * h * random.uniform(-0.5, 0.5);
        let out = MAJOR + off * (turn * v).cos();
        Vec3::new(out * (turn * u).cos(), out * (turn * u).sin(), off * (turn * v).sin())
    };
    (0..count).map(point).collect()
}

fn anywhere(count: usize) -> Vec<Vec3> {
    let mut random = Random::new(2);
    (0..count).map(|_| Vec3::from_fn(|_, _| random.uniform(-0.5, 0.5))).collect()
}

fn distance(p: Vec3) -> f64 {
    let out = (p.x * p.x + p.y * p.y).sqrt() - MAJOR;
    (out * out + p.z * p.z).sqrt() - MINOR
}

fn lattice(cells: u32) -> (Lattice, Aabb) {
    let lattice = Lattice { origin: Vec3::repeat(-0.5), spacing: 1.0 / f64::from(cells), cells: [cells; 3] };
    let half = Vec3::new(MAJOR + MINOR, MAJOR + MINOR, MINOR);
    (lattice, Aabb { min: -half, max: half })
}

fn dense(cells: u32) -> Result<Dense, Failure> {
    let (lattice, part) = lattice(cells);
    let n = cells as usize + 1;
    let node = |i: usize| distance(lattice.position([i % n, i / n % n, i / n / n])) as f32;
    Ok(Dense::new(lattice, part, (0..n * n * n).map(node).collect())?)
}

fn sparse(cells: u32) -> Result<Sparse, Failure> {
    let (lattice, part) = lattice(cells);
    let (n, band) = (cells as usize / Sparse::CELLS, 4.0 * lattice.spacing);
    let place = |i: usize, n: usize| [i % n, i / n % n, i / n / n].map(|i| i * Sparse::CELLS);
    let bound = |i: usize| Sparse::coarse_value(distance(lattice.position(place(i, n + 1))), lattice.spacing);
    let coarse = (0..(n + 1).pow(3)).map(bound).collect();
    let (mut slots, mut blocks) = (Vec::new(), Vec::new());
    for slot in 0..n * n * n {
        let [x, y, z] = place(slot, n);
        let node = |i: usize| {
            let [a, b, c] = [i % Sparse::NODES, i / Sparse::NODES % Sparse::NODES, i / Sparse::NODES / Sparse::NODES];
            Sparse::quantise(distance(lattice.position([x + a, y + b, z + c])), band)
        };
        let block: Vec<i16> = (0..Sparse::BLOCK).map(node).collect();
        if block.iter().all(|v| v.abs() == Sparse::FULL) {
            slots.push(Sparse::EMPTY);
        } else {
            slots.push((blocks.len() / Sparse::BLOCK) as u32);
            blocks.extend(block);
        }
    }
    Ok(Sparse::new(lattice, part, band, coarse, slots, blocks)?)
}
