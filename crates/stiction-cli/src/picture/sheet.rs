//! An SVG sheet under way, in the fonts and colours of all our pictures.

use base64::Engine;
use std::fmt::Write;

/// Lines and words.
pub const INK: &str = "#333";
/// Lines that should not catch the eye.
pub const FAINT: &str = "#ddd";
/// What is inside, or wants attention.
pub const WARM: &str = "#d9622b";
/// What is outside.
pub const COOL: &str = "#2f6f9f";

/// An SVG picture 960 wide.
pub struct Sheet {
    svg: String,
    height: f64,
}

impl Sheet {
    /// A white sheet with a title.
    pub fn new(height: f64, title: &str) -> Self {
        let mut sheet = Sheet { svg: String::new(), height };
        let _ = writeln!(
            sheet.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 {height:.0}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"960\" height=\"{height:.0}\" fill=\"white\"/>"
        );
        sheet.bold(24.0, 28.0, 16.0, title);
        sheet
    }

    /// Words over a part of the sheet.
    pub fn heading(&mut self, x: f64, y: f64, words: &str) {
        self.bold(x, y, 14.0, words);
    }

    fn bold(&mut self, x: f64, y: f64, size: f64, words: &str) {
        let words = escape(words);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{INK}\" font-size=\"{size}\" font-weight=\"bold\">{words}</text>"
        );
    }

    /// Height of the sheet.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// A line.
    pub fn line(&mut self, a: (f64, f64), b: (f64, f64), colour: &str, width: f64) {
        let _ = writeln!(
            self.svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            a.0, a.1, b.0, b.1
        );
    }

    /// A filled rectangle.
    pub fn bar(&mut self, corner: (f64, f64), size: (f64, f64), colour: &str) {
        let _ = writeln!(
            self.svg,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{colour}\"/>",
            corner.0, corner.1, size.0, size.1
        );
    }

    /// A dot.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, colour: &str) {
        let _ = writeln!(self.svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{colour}\"/>", at.0, at.1);
    }

    /// A closed outline, filled.
    pub fn polygon(&mut self, corners: &[(f64, f64)], fill: &str, opacity: f64, stroke: &str, width: f64) {
        let mut points = String::new();
        for (x, y) in corners {
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(
            self.svg,
            "<polygon points=\"{}\" fill=\"{fill}\" fill-opacity=\"{opacity}\" stroke=\"{stroke}\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\"/>",
            points.trim_end()
        );
    }

    /// An arrow. One that is too short for a whole head has a smaller one.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if !(length > 0.3) {
            return;
        }
        let head = (2.6 * width + 2.4).min(0.7 * length);
        let (ux, uy) = (dx / length * head, dy / length * head);
        let neck = (to.0 - ux, to.1 - uy);
        let shaft = (to.0 - 0.8 * ux, to.1 - 0.8 * uy);
        self.line(from, shaft, colour, width);
        let side = |s: f64| (neck.0 - s * uy, neck.1 + s * ux);
        self.polygon(&[to, side(0.42), side(-0.42)], colour, 1.0, "none", 0.0);
    }

    /// A path from its data.
    pub fn path(&mut self, data: &str, stroke: &str, width: f64) {
        if !data.is_empty() {
            let _ = writeln!(
                self.svg,
                "<path d=\"{data}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width:.2}\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
            );
        }
    }

    /// Words; `anchor` is start, middle or end.
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, words: &str) {
        let words = escape(words);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{INK}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    }

    /// Words over other things, kept readable by a white rim.
    pub fn label(&mut self, x: f64, y: f64, anchor: &str, words: &str) {
        let words = escape(words);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{INK}\" text-anchor=\"{anchor}\" font-weight=\"bold\" stroke=\"white\" \
             stroke-width=\"3.5\" stroke-linejoin=\"round\" paint-order=\"stroke\">{words}</text>"
        );
    }

    /// Words that run upwards.
    pub fn upright(&mut self, x: f64, y: f64, words: &str) {
        let words = escape(words);
        let _ = writeln!(
            self.svg,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" fill=\"{INK}\" text-anchor=\"middle\">{words}</text>"
        );
    }

    /// A raster image, drawn over this rectangle.
    pub fn image(&mut self, corner: (f64, f64), size: (f64, f64), png: &[u8]) {
        let data = base64::engine::general_purpose::STANDARD.encode(png);
        let _ = writeln!(
            self.svg,
            "<image x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" preserveAspectRatio=\"none\" \
             href=\"data:image/png;base64,{data}\"/>",
            corner.0, corner.1, size.0, size.1
        );
    }

    /// The finished picture.
    pub fn finish(mut self) -> String {
        self.svg += "</svg>\n";
        self.svg
    }
}

fn escape(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Pixels by number, and the colours the numbers mean.
pub struct Raster {
    /// Pixels in a row.
    pub width: usize,
    /// Rows, the highest first.
    pub height: usize,
    /// Row after row.
    pub pixels: Vec<u8>,
    /// At most 256 colours.
    pub palette: Vec<[u8; 3]>,
}

impl Raster {
    /// The image as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.palette.concat());
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        // Into memory, with sizes that fit: neither call can fail.
        if let Ok(mut writer) = encoder.write_header() {
            let _ = writer.write_image_data(&self.pixels);
        }
        bytes
    }
}

/// A colour between two.
pub fn blend(a: [u8; 3], b: [u8; 3], t: f64) -> [u8; 3] {
    [0, 1, 2].map(|k| (f64::from(a[k]) + (f64::from(b[k]) - f64::from(a[k])) * t).round() as u8)
}

/// A colour as SVG writes it.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
