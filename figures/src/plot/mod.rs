//! Plots as SVG: lines, steps and dots over linear or logarithmic axes, labelled where they end, in stacked panels.

mod axis;
mod draw;

pub use axis::Axis;
pub(crate) use draw::escape;
pub use draw::svg;

/// Colours that differ in hue and in lightness.
pub const COLOURS: [&str; 7] = ["#2f6f9f", "#d9622b", "#4b8b3b", "#7d5ba6", "#a8841a", "#b23a6b", "#777777"];

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Points joined.
    Line,
    /// Joined, with dashes: what was expected.
    Dashed,
    /// A value holds until the next.
    Step,
    /// Dots alone.
    Dots,
    /// Dots joined.
    Marked,
}

/// Points with a name.
#[derive(Clone, Debug)]
pub struct Series {
    /// Written beside its end; empty for none.
    pub label: String,
    /// x and y; a point that is not finite is a gap.
    pub points: Vec<[f64; 2]>,
    /// How.
    pub style: Style,
    /// Which of [`COLOURS`].
    pub colour: usize,
}

impl Series {
    /// A series in a colour.
    pub fn new(label: impl Into<String>, style: Style, colour: usize, points: Vec<[f64; 2]>) -> Self {
        Series { label: label.into(), points, style, colour }
    }
}

/// A line across a panel with a name: a bound.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where on the y axis.
    pub y: f64,
    /// What it is.
    pub label: String,
}

/// One set of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// Along.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Bounds.
    pub marks: Vec<Mark>,
    /// Height in pixels, without title and labels.
    pub height: f64,
}

impl Panel {
    /// A panel without series.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Panel { title: title.into(), x, y, series: Vec::new(), marks: Vec::new(), height: 200.0 }
    }

    /// With one more series.
    pub fn with(mut self, label: impl Into<String>, style: Style, colour: usize, points: Vec<[f64; 2]>) -> Self {
        self.series.push(Series::new(label, style, colour, points));
        self
    }

    /// With a bound.
    pub fn mark(mut self, y: f64, label: impl Into<String>) -> Self {
        self.marks.push(Mark { y, label: label.into() });
        self
    }

    /// As high as wanted.
    pub fn high(mut self, height: f64) -> Self {
        self.height = height;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_is_drawn_whatever_the_numbers() {
        let odd = vec![[0.0, f64::NAN], [1.0, 0.0], [2.0, 1e-30], [3.0, f64::INFINITY], [4.0, -1.0]];
        for axis in [Axis::linear("y & <y>"), Axis::log("y")] {
            for points in [odd.clone(), vec![], vec![[1.0, 1.0]], vec![[1.0, 0.0]; 3]] {
                let panel = Panel::new("t", Axis::linear("x"), axis.clone()).with("a < b", Style::Line, 0, points);
                let svg = svg("title", &[panel.mark(1.0, "bound")]);
                assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
                assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("a < b"), "{svg}");
            }
        }
    }
}
