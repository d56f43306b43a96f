//! Panels as an SVG file, in the fonts and colours of our other pictures.

use super::axis::Scale;
use super::{COLOURS, Panel, Series, Style};
use std::fmt::Write;

const INK: &str = "#333";
const FAINT: &str = "#e4e4e4";
const WIDTH: f64 = 960.0;
/// Left of the axes, and right of them, where series are named.
const SIDES: [f64; 2] = [92.0, 190.0];
/// Above the first panel, between panels, below the last.
const GAPS: [f64; 3] = [70.0, 74.0, 56.0];
/// Least distance of two labels.
const LEADING: f64 = 16.0;

/// The panels below each other under a title.
pub fn svg(title: &str, panels: &[Panel]) -> String {
    let between = GAPS[1] * panels.len().saturating_sub(1) as f64;
    let height = GAPS[0] + panels.iter().map(|p| p.height).sum::<f64>() + between + GAPS[2];
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH:.0}\" height=\"{height:.0}\" fill=\"white\"/>\n\
         <text x=\"24\" y=\"28\" fill=\"{INK}\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
        escape(title)
    );
    let mut top = GAPS[0];
    for panel in panels {
        draw(&mut out, panel, top);
        top += panel.height + GAPS[1];
    }
    out + "</svg>\n"
}

/// Pixels of a panel.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn at(&self, [x, y]: [f64; 2]) -> Option<(f64, f64)> {
        let (x, y) = (self.x.place(x)?, self.y.place(y)?);
        Some((self.left + x * (self.right - self.left), self.bottom - y * (self.bottom - self.top)))
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        x >= self.left - 0.5 && x <= self.right + 0.5 && y >= self.top - 0.5 && y <= self.bottom + 0.5
    }
}

fn draw(out: &mut String, panel: &Panel, top: f64) {
    let values = |i: usize| panel.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[i]));
    let frame = Frame {
        left: SIDES[0],
        right: WIDTH - SIDES[1],
        top,
        bottom: top + panel.height,
        x: panel.x.scale(values(0)),
        y: panel.y.scale(values(1).chain(panel.marks.iter().map(|m| m.y))),
    };
    axes(out, panel, &frame);
    let mut labels: Vec<(f64, String, &str)> = Vec::new();
    for mark in &panel.marks {
        if let Some(t) = frame.y.place(mark.y).filter(|t| (-0.001..=1.001).contains(t)) {
            let y = frame.bottom - t * panel.height;
            line(out, (frame.left, y), (frame.right, y), INK, "1", " stroke-dasharray=\"2 3\"");
            labels.push((y, mark.label.clone(), INK));
        }
    }
    let clip = format!("c{top:.0}");
    let _ = writeln!(
        out,
        "<clipPath id=\"{clip}\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>\n\
         <g clip-path=\"url(#{clip})\">",
        frame.left - 4.0,
        frame.top - 4.0,
        frame.right - frame.left + 8.0,
        panel.height + 8.0
    );
    panel.series.iter().for_each(|s| series(out, s, &frame));
    let _ = writeln!(out, "</g>");
    for s in panel.series.iter().filter(|s| !s.label.is_empty()) {
        let places = s.points.iter().filter_map(|p| frame.at(*p)).filter(|p| frame.holds(*p));
        if let Some(last) = places.fold(None, |best: Option<(f64, f64)>, p| match best {
            Some(b) if b.0 > p.0 => Some(b),
            _ => Some(p),
        }) {
            labels.push((last.1, s.label.clone(), COLOURS[s.colour % COLOURS.len()]));
        }
    }
    write_labels(out, labels, &frame);
}

fn axes(out: &mut String, panel: &Panel, frame: &Frame) {
    let middle = 0.5 * (frame.left + frame.right);
    let title = escape(&panel.title);
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{INK}\" font-weight=\"bold\">{title}</text>",
        frame.left,
        frame.top - 12.0
    );
    for (value, words) in &frame.x.ticks {
        let Some(t) = frame.x.place(*value) else { continue };
        let x = frame.left + t * (frame.right - frame.left);
        line(out, (x, frame.top), (x, frame.bottom), FAINT, "1", "");
        text(out, x, frame.bottom + 18.0, "middle", INK, words);
    }
    for (value, words) in &frame.y.ticks {
        let Some(t) = frame.y.place(*value) else { continue };
        let y = frame.bottom - t * panel.height;
        line(out, (frame.left, y), (frame.right, y), FAINT, "1", "");
        text(out, frame.left - 8.0, y + 4.5, "end", INK, words);
    }
    line(out, (frame.left, frame.bottom), (frame.right, frame.bottom), INK, "1", "");
    line(out, (frame.left, frame.top), (frame.left, frame.bottom), INK, "1", "");
    text(out, middle, frame.bottom + 38.0, "middle", INK, &panel.x.label);
    let _ = writeln!(
        out,
        "<text transform=\"translate({:.1} {:.1}) rotate(-90)\" fill=\"{INK}\" text-anchor=\"middle\">{}</text>",
        24.0,
        0.5 * (frame.top + frame.bottom),
        escape(&panel.y.label)
    );
}

fn series(out: &mut String, series: &Series, frame: &Frame) {
    let colour = COLOURS[series.colour % COLOURS.len()];
    if matches!(series.style, Style::Dots | Style::Marked) {
        let radius = if series.points.len() > 400 { 1.6 } else { 3.2 };
        let _ = writeln!(out, "<g fill=\"{colour}\" fill-opacity=\"0.75\">");
        for (x, y) in series.points.iter().filter_map(|p| frame.at(*p)).filter(|p| frame.holds(*p)) {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
        }
        let _ = writeln!(out, "</g>");
    }
    if series.style == Style::Dots {
        return;
    }
    let mut data = String::new();
    let mut last: Option<(f64, f64)> = None;
    for point in &series.points {
        let Some((x, y)) = frame.at(*point) else {
            last = None;
            continue;
        };
        // Far outside is outside: no huge coordinates in the file.
        let y = y.clamp(frame.top - 1e4, frame.bottom + 1e4);
        let _ = match (last, series.style) {
            (None, _) => write!(data, "M{x:.2} {y:.2}"),
            (Some(_), Style::Step) => write!(data, "H{x:.2}V{y:.2}"),
            (Some((a, b)), _) if (x - a).abs() < 0.05 && (y - b).abs() < 0.05 => Ok(()),
            _ => write!(data, "L{x:.2} {y:.2}"),
        };
        last = Some((x, y));
    }
    let dashes = if series.style == Style::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    if !data.is_empty() {
        let _ = writeln!(
            out,
            "<path d=\"{data}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{dashes}/>"
        );
    }
}

/// Labels right of the axes, each as near to its place as the others allow, with a thread to it.
fn write_labels(out: &mut String, mut labels: Vec<(f64, String, &str)>, frame: &Frame) {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places: Vec<f64> = labels.iter().map(|l| l.0).collect();
    // Push apart downwards, then back up from the bottom.
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + LEADING);
    }
    let mut limit = frame.bottom + 6.0;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - LEADING;
    }
    for ((at, words, colour), y) in labels.iter().zip(places) {
        line(out, (frame.right + 2.0, *at), (frame.right + 12.0, y), colour, "1", "");
        text(out, frame.right + 16.0, y + 4.5, "start", colour, words);
    }
}

fn line(out: &mut String, a: (f64, f64), b: (f64, f64), colour: &str, width: &str, more: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{more}/>",
        a.0, a.1, b.0, b.1
    );
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, colour: &str, words: &str) {
    let words = escape(words);
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{words}</text>");
}

/// Words inside XML.
pub(crate) fn escape(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
