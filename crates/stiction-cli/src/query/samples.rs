//! Answers written as a table or as one JSON object, as they come.

use std::io::{self, Write};
use stiction::shape::Sample;
use stiction::spatial::Vec3;

/// How answers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Comma-separated values.
    Table,
    /// `{"columns":[…],"rows":[[…],…],"summary":{…}}`.
    Json,
}

/// Writes answers.
pub struct Samples<W> {
    writer: W,
    form: Form,
    first: bool,
}

impl<W: Write> Samples<W> {
    /// Begins.
    pub fn new(mut writer: W, form: Form) -> io::Result<Self> {
        match form {
            Form::Table => writeln!(writer, "x,y,z,distance,gx,gy,gz")?,
            Form::Json => {
                write!(writer, "{{\"columns\":[\"x\",\"y\",\"z\",\"distance\",\"gx\",\"gy\",\"gz\"],\"rows\":[")?
            }
        }
        Ok(Samples { writer, form, first: true })
    }

    /// Adds rows. Numbers are written so that reading them gives the same bits.
    pub fn write(&mut self, points: &[Vec3], samples: &[Sample]) -> io::Result<()> {
        for (p, Sample { distance, gradient: g }) in points.iter().zip(samples) {
            let row = format_args!("{:?},{:?},{:?},{distance:?},{:?},{:?},{:?}", p.x, p.y, p.z, g.x, g.y, g.z);
            match self.form {
                Form::Table => writeln!(self.writer, "{row}")?,
                Form::Json if self.first => write!(self.writer, "[{row}]")?,
                Form::Json => write!(self.writer, ",[{row}]")?,
            }
            self.first = false;
        }
        Ok(())
    }

    /// Ends; JSON with a summary, which is JSON itself.
    pub fn end(mut self, summary: String) -> io::Result<()> {
        if self.form == Form::Json {
            writeln!(self.writer, "],\"summary\":{summary}}}")?;
        }
        self.writer.flush()
    }
}
