//! `stiction query`: distances and gradients of a baked shape at points from a table.

mod points;
mod samples;

use crate::bars::Bars;
use crate::places::{self, Replace};
use crate::{Failure, output, record};
use clap::Args;
use points::Points;
use samples::{Form, Samples};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use stiction::shape::{DistanceField, Sample};
use stiction::spatial::Vec3;
use stiction_bake::{Progress, file};

/// Points that are sampled in one call.
const BATCH: usize = 1 << 14;

const EXAMPLES: &str = "\
Examples:
  stiction query gear.shape --points points.csv -o distances.csv
  echo 0,0,0.01 | stiction query gear.shape --points -";

/// Sample a baked shape: distance and gradient at points
///
/// Reads a table with the columns x, y, z, in metres, and writes x, y, z, distance, gx, gy, gz. Distances are in metres,
/// negative inside. A first row with names is optional; with names, x, y and z may be in any column. Columns are
/// separated by commas, semicolons, tabs or spaces. Any number of rows: they are not kept in memory.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Query {
    /// The baked shape
    #[arg(value_name = "OUT")]
    shape: PathBuf,
    /// The points; `-` reads standard input
    #[arg(long, value_name = "FILE.csv")]
    points: PathBuf,
    /// Where the answers go [default: standard output]
    #[arg(short, long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Gradients that do not jump at the faces of voxels
    #[arg(long)]
    smooth: bool,
    /// One JSON object: the rows, or with -o a summary
    #[arg(long)]
    json: bool,
}

impl Query {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if let Some(output) = &self.output {
            places::check(output, Replace::Other, &[&self.points, &self.shape])?;
        }
        let (shape, _) = record::load(&self.shape)?;
        let mut points = Points::new(self.name(), self.open()?);
        let Some(output) = &self.output else { return self.to_stdout(&shape.field, &mut points) };
        let bars = Bars::new(false);
        bars.stage("sampling", 0);
        let (mut counts, mut failure) = (Counts::default(), None);
        let written = file::write_whole(output, &bars, |writer| {
            let mut samples = Samples::new(writer, Form::Table)?;
            match self.sample(&shape.field, &mut points, &mut samples) {
                Ok(found) => counts = found,
                Err(error) => {
                    failure = Some(error);
                    return Err(io::Error::other("no answers"));
                }
            }
            samples.end(String::new())
        });
        drop(bars);
        let stopped = |e: Failure| e.or_stopped("stopped; nothing was written");
        failure.map_or(Ok(()), |e| Err(stopped(e)))?;
        written.map_err(|e| stopped(e.into()))?;
        if self.json {
            let mut object = counts.json();
            object["output"] = json!(output.display().to_string());
            return Ok(output::json(&object)?);
        }
        Ok(output::line(&format!("{} rows written to {}", crate::facts::grouped(counts.points), output.display()))?)
    }

    fn to_stdout(&self, field: &DistanceField, points: &mut Points<impl BufRead>) -> Result<(), Failure> {
        let form = if self.json { Form::Json } else { Form::Table };
        let mut writer = BufWriter::with_capacity(1 << 16, Pipe(io::stdout().lock()));
        let mut samples = Samples::new(&mut writer, form)?;
        let counts = self.sample(field, points, &mut samples)?;
        samples.end(counts.json().to_string())?;
        Ok(writer.flush()?)
    }

    /// Everything from one to the other.
    fn sample(
        &self,
        field: &DistanceField,
        points: &mut Points<impl BufRead>,
        samples: &mut Samples<impl Write>,
    ) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let (mut at, mut found) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        loop {
            at.clear();
            while at.len() < BATCH {
                let Some(point) = points.next()? else { break };
                at.push(point);
            }
            if at.is_empty() {
                return Ok(counts);
            }
            found.resize(at.len(), Sample { distance: 0.0, gradient: Vec3::zeros() });
            match self.smooth {
                true => field.sample_smooth_batch(&at, &mut found),
                false => field.sample_batch(&at, &mut found),
            }
            samples.write(&at, &found)?;
            counts.add(&found);
        }
    }

    fn name(&self) -> String {
        if self.points == Path::new("-") { "standard input".into() } else { self.points.display().to_string() }
    }

    fn open(&self) -> Result<Box<dyn BufRead>, Failure> {
        if self.points == Path::new("-") {
            return Ok(Box::new(BufReader::with_capacity(1 << 16, io::stdin())));
        }
        let cannot = |e: String| Failure::Other(format!("{}: cannot be read: {e}", self.points.display()));
        let file = File::open(&self.points).map_err(|e| cannot(e.to_string()))?;
        if file.metadata()?.is_dir() {
            return Err(cannot("it is a folder".into()));
        }
        Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
    }
}

/// Standard output that may be closed early (`stiction query … | head`): then the program just ends.
struct Pipe<W>(W);

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What the answers were, all together.
#[derive(Default)]
struct Counts {
    points: usize,
    inside: usize,
    least: Option<f64>,
    most: Option<f64>,
}

impl Counts {
    fn add(&mut self, samples: &[Sample]) {
        self.points += samples.len();
        for d in samples.iter().map(|s| s.distance) {
            self.inside += usize::from(d < 0.0);
            self.least = Some(self.least.map_or(d, |least| least.min(d)));
            self.most = Some(self.most.map_or(d, |most| most.max(d)));
        }
    }

    fn json(&self) -> serde_json::Value {
        json!({ "points": self.points, "inside": self.inside, "least_m": self.least, "most_m": self.most })
    }
}
