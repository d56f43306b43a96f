//! `stiction-lab bench bake`: how long fields take to make, and what they weigh.

use super::{RowPrinter, check};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;
use stiction::shape::{DistanceField, MassProperties, PointShell, Shape};
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::field::{self, FieldOptions, FieldReport, Fineness, Storage};
use stiction_bake::import::{self, ImportOptions};
use stiction_bake::solids::{Solid, SpurGear};
use stiction_bake::{Mesh, Silent, diagnose, export, file};
use stiction_cli::Failure;
use stiction_results::Measurement;

/// Time the making of distance fields, on all threads
///
/// "dense" is every node of 256³, exact, for a gear of some 50,000 triangles; "sparse" is 1024³ for a gearbox of some
/// 200,000 triangles, written to disk and read again. Times are from the mesh in memory to the field in memory:
/// mending, distances, signs. Memory is the peak of the whole process, so run each part alone to compare it.
/// `bench/peers/run-sdf` runs the same gear through other programs.
#[derive(Args)]
pub struct BakeTime {
    /// Which part to run [default: both]
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// How often; the median is shown
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// A mesh file, in metres, instead of the gear of the dense part
    #[arg(long, value_name = "FILE")]
    mesh: Option<PathBuf>,
    /// Write the gear, or the mesh given, as a binary STL file, in metres, and stop
    #[arg(long, value_name = "FILE.stl")]
    gear: Option<PathBuf>,
    /// One JSON object per line instead of the table
    #[arg(long)]
    json: bool,
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// 256³, every node
    Dense,
    /// 1024³, blocks around the surface
    Sparse,
}

/// What was measured.
#[derive(Serialize)]
struct Row {
    part: &'static str,
    triangles: usize,
    cells: [u32; 3],
    threads: usize,
    seconds: f64,
    seconds_all: Vec<f64>,
    field_bytes: u64,
    blocks: Option<usize>,
    /// Size on disk, and the time to read and check it again.
    file_bytes: Option<u64>,
    load_seconds: Option<f64>,
    peak_bytes: Option<u64>,
}

impl Row {
    /// What it tells, as rows of a file of results.
    fn measurements(&self) -> Vec<Measurement> {
        let [x, y, z] = self.cells;
        let what =
            |what: &str| format!("{} field of {x} × {y} × {z} voxels, {} triangles: {what}", self.part, self.triangles);
        let mut out = vec![
            Measurement::new(what("time"), self.seconds, "s"),
            Measurement::new(what("size"), self.field_bytes as f64, "bytes"),
        ];
        out.extend(self.file_bytes.map(|n| Measurement::new(what("size on disk"), n as f64, "bytes")));
        out.extend(self.load_seconds.map(|s| Measurement::new(what("time to read"), s, "s")));
        out.extend(self.peak_bytes.map(|n| Measurement::new(what("most memory"), n as f64, "bytes")));
        out
    }
}

impl BakeTime {
    /// Measures and prints.
    pub fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.gear {
            let mesh = self.dense_mesh()?;
            return Ok(file::write_whole(path, &Silent, |writer| export::write_stl(&mesh, writer))?);
        }
        let columns = "part triangles cells seconds field_bytes file_bytes load_seconds peak_bytes";
        let mut printer = RowPrinter::new(self.json, columns);
        for part in [Part::Dense, Part::Sparse] {
            if self.part.is_none_or(|wanted| wanted == part) {
                let row = self.measure(part)?;
                printer.put(&row)?;
                check::keep(&format!("bench-bake-{}", row.part), &[], row.measurements())?;
            }
        }
        Ok(())
    }

    fn dense_mesh(&self) -> Result<Mesh, Failure> {
        match &self.mesh {
            Some(path) => Ok(import::read(path, &ImportOptions::default())?.mesh),
            None => Ok(gear()?),
        }
    }

    fn measure(&self, part: Part) -> Result<Row, Failure> {
        let (mesh, cells, storage, name) = match part {
            Part::Dense => (self.dense_mesh()?, 256, Storage::Dense, "dense"),
            Part::Sparse => (gearbox()?, 1024, Storage::Sparse, "sparse"),
        };
        let options =
            FieldOptions { fineness: Fineness::Resolution(cells), storage, cube: true, ..FieldOptions::default() };
        let mut seconds_all = Vec::new();
        let mut made: Option<(DistanceField, FieldReport)> = None;
        for _ in 0..self.runs {
            // The last one is given back before the next is made, so that the peak is that of one.
            drop(made.take());
            let start = Instant::now();
            let mended = diagnose::mend(&mesh);
            made = Some(field::build(&mended, &options, &Silent)?);
            seconds_all.push(start.elapsed().as_secs_f64());
        }
        let (field, report) = made.expect("there is at least one run");
        let mut sorted = seconds_all.clone();
        sorted.sort_by(f64::total_cmp);
        let disk = if part == Part::Sparse { Some(through_a_file(field)?) } else { None };
        Ok(Row {
            part: name,
            triangles: mesh.faces.len(),
            cells: report.cells,
            threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
            seconds: sorted[sorted.len() / 2],
            seconds_all,
            field_bytes: report.bytes,
            blocks: report.blocks,
            file_bytes: disk.map(|d| d.0),
            load_seconds: disk.map(|d| d.1),
            peak_bytes: peak_bytes(),
        })
    }
}

/// A gear of some 50,000 triangles.
fn gear() -> std::io::Result<Mesh> {
    let gear =
        SpurGear { flank_pieces: 11, arc_pieces: 4, layers: 22, rings: 11, ..SpurGear::standard(0.002, 30, 0.02) };
    Solid::Gear(gear).mesh().map_err(std::io::Error::other)
}

/// Four gears between two plates, side by side: some 200,000 triangles, nothing overlaps.
fn gearbox() -> std::io::Result<Mesh> {
    let gear = gear()?;
    let plate = Solid::PlateRoundHole { size: [0.14, 0.14], thickness: 0.006, radius: 0.03, segments: 256 };
    let plate = plate.mesh().map_err(std::io::Error::other)?;
    let mut all = Mesh::default();
    for (x, y) in [(-0.034, -0.034), (0.034, -0.034), (-0.034, 0.034), (0.034, 0.034)] {
        all.append(&moved(&gear, Vec3::new(x, y, 0.0)));
    }
    for z in [-0.02, 0.02] {
        all.append(&moved(&plate, Vec3::new(0.0, 0.0, z)));
    }
    Ok(all)
}

fn moved(mesh: &Mesh, by: Vec3) -> Mesh {
    Mesh { points: mesh.points.iter().map(|p| p + by).collect(), faces: mesh.faces.clone() }
}

/// Writes a field as a shape without a shell, reads it again; bytes and seconds.
fn through_a_file(field: DistanceField) -> Result<(u64, f64), Failure> {
    let shell = PointShell::new(Vec::new(), Vec::new(), Vec::new())?;
    let mass = MassProperties { volume: 1.0, centre: Vec3::zeros(), inertia: Mat3::identity() };
    let shape = Shape { field, shell, allowance: None, convex: None, mass, provenance: String::new() };
    let path = std::env::temp_dir().join(format!("stiction-bench-{}.shape", std::process::id()));
    file::save(&path, &shape, &Silent)?;
    drop(shape);
    let start = Instant::now();
    let loaded = file::load(&path);
    let seconds = start.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(&path)?.len();
    std::fs::remove_file(&path)?;
    loaded?;
    Ok((bytes, seconds))
}

/// The most memory the process has used, where the system tells (Linux).
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
