//! What `stiction demo` prints.

use super::scene::Corner;
use crate::output::{line, short};
use crate::words::cone_word;
use serde::Serialize;
use std::io;
use stiction::friction::{Cone, Method, Metric, Settings, Verdict};

/// A line of the table; also a line of JSON.
#[derive(Serialize)]
pub struct Row {
    /// Pull along the edge (N).
    pub pull_n: f64,
    /// The answer in a word.
    pub verdict: VerdictWord,
    /// Ray margin: friction could fall to this part of µ; above 1 it would have to be that much more.
    pub margin: f64,
    /// Contacts that slide.
    pub sliding: usize,
    /// All contacts.
    pub contacts: usize,
    /// Total friction force (N).
    pub friction_n: f64,
    /// Step of the centre (µm).
    pub step_um: f64,
    /// Median time of a solve (µs).
    pub time_us: f64,
}

/// [`Verdict`] in words.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum VerdictWord {
    Free,
    Holds,
    Slips,
    Undecided,
}

impl From<Verdict> for VerdictWord {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Free => Self::Free,
            Verdict::Holds => Self::Holds,
            Verdict::Slips => Self::Slips,
            Verdict::Undecided => Self::Undecided,
        }
    }
}

/// What is simulated, and the heads of the columns.
pub fn print_header(settings: &Settings, mu: f64, contacts: usize) -> io::Result<()> {
    let method = match settings.method {
        Method::Lp => "lp",
        Method::Qp(Metric::Mass) => "qp in the mass metric",
        Method::Qp(Metric::Stiffness) => "qp in the stiffness metric",
        Method::Hold => "hold",
        Method::Yamane => "yamane",
        Method::Frictionless => "no friction",
    };
    let cone = match settings.cone {
        Cone::Disk => "a disk".into(),
        polygon => format!("a polygon with {} sides", cone_word(polygon)),
    };
    line(&format!(
        "A 10 cm cube, pressed with 10 N onto the floor and 10 N against a wall (µ = {mu}, {contacts} contacts),\n\
         is pulled along the edge where the two meet. Method: {method}; friction limit: {cone}.\n"
    ))?;
    line("     pull   verdict      margin      sliding   friction        step       time")?;
    line("        N             slips at 1    contacts          N          µm         µs")?;
    line(&"─".repeat(79))
}

impl Row {
    /// A line of the table.
    pub fn print(&self) -> io::Result<()> {
        let margin = if self.margin.is_finite() { format!("{:.3}", self.margin) } else { "∞".into() };
        let sliding = format!("{} of {}", self.sliding, self.contacts);
        // Less than a picometre is rounding, not motion.
        let step = if self.step_um < 1e-6 { "0".into() } else { format!("{:.3}", self.step_um) };
        let (verdict, time) = (format!("{:?}", self.verdict), short(self.time_us));
        line(&format!(
            "{:>9.3}   {verdict:<9}{margin:>10}{sliding:>13}{:>11.3}{step:>12}{time:>11}",
            self.pull_n, self.friction_n
        ))
    }
}

/// What was found beside what Coulomb's law predicts.
pub fn print_conclusion(settings: &Settings, held: f64, mu: f64, corner: &Corner) -> io::Result<()> {
    let limit = corner.coulomb_limit(settings.cone);
    let law = format!("µ ΣF_n = {mu} × {} N", corner.pressed());
    let law = match settings.cone {
        Cone::Disk => law,
        Cone::Polygon { sides, .. } => format!("{law}, over cos(π/{sides}) at the polygon's vertex"),
    };
    line(&format!("\nIt held up to {held:.3} N; Coulomb's law predicts {limit:.3} N ({law})."))?;
    if settings.method != Method::Lp {
        let (micro, worth) = (settings.micro_slip * 1e6, corner.coupling() * settings.micro_slip);
        line(&format!("It is said to slip once a contact has moved by {micro} µm, which takes {worth:.3} N more."))?;
    }
    line("A margin of 0.4 means that it would hold down to 40 % of µ.")
}
