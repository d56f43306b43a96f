//! Three slices through the distance field, with bands of equal distance and the zero line.

use super::contour::{simplify, zero_lines};
use super::sheet::{INK, Raster, Sheet, blend};
use super::units::{LengthUnit, length, step, ticks};
use super::{PictureSubject, in_rows};
use stiction::spatial::Vec3;

/// Samples a unit of the sheet.
const FINE: f64 = 2.0;
/// Shades on each side of zero.
const SHADES: usize = 48;
/// Colours at the zero line and furthest from it.
const INSIDE: [[u8; 3]; 2] = [[253, 232, 217], [201, 84, 30]];
const OUTSIDE: [[u8; 3]; 2] = [[236, 243, 249], [74, 130, 176]];
/// Left of the panels, between them, and all three with their gaps.
const LEFT: f64 = 66.0;
const GAP: f64 = 66.0;
const ALL: f64 = 870.0;

/// A slice: the axis it is square to, and those to the right and up.
const AXES: [[usize; 3]; 3] = [[0, 1, 2], [1, 0, 2], [2, 0, 1]];
const NAMES: [&str; 3] = ["x", "y", "z"];

/// Samples of a slice on nodes, rows from the lowest.
struct Slice {
    at: f64,
    width: usize,
    height: usize,
    values: Vec<f64>,
}

/// The sheet.
pub fn draw(subject: &PictureSubject) -> String {
    let size = subject.part.max - subject.part.min;
    let margin = (0.06 * size.max()).max(3.0 * subject.voxel);
    let (low, high) = (subject.part.min.add_scalar(-margin), subject.part.max.add_scalar(margin));
    let span = high - low;
    // One scale for all three: widths side by side, and not too high.
    let widths: f64 = AXES.iter().map(|a| span[a[1]]).sum();
    let highest = span.y.max(span.z);
    let scale = ((ALL - 2.0 * GAP) / widths).min(420.0 / highest);
    let slices = AXES.map(|axes| slice(subject, axes, low, span, scale));

    let values = || slices.iter().flat_map(|s| &s.values).copied();
    let range = [values().fold(0.0, f64::min), values().fold(0.0, f64::max)];
    let tint = Tint::new(range, subject.voxel);
    let top = 74.0;
    let mut sheet = Sheet::new(top + highest * scale + 118.0, "Signed distance, sliced through the part");
    let unit = LengthUnit::of(size.max());
    let mut left = LEFT + 0.5 * (ALL - 2.0 * GAP - widths * scale);
    for (axes, slice) in AXES.iter().zip(&slices) {
        let (wide, tall) = (span[axes[1]] * scale, span[axes[2]] * scale);
        let base = top + highest * scale;
        let corner = (left, base - tall);
        sheet.image(corner, (wide, tall), &raster(slice, &tint).png());
        let place = |&(x, y): &(f64, f64)| {
            (left + x / (slice.width - 1) as f64 * wide, base - y / (slice.height - 1) as f64 * tall)
        };
        let mut data = String::new();
        for line in zero_lines(&slice.values, slice.width) {
            let line = simplify(&line.iter().map(place).collect::<Vec<_>>(), 0.06);
            let closed = line.first() == line.last();
            let corners = line.len() - usize::from(closed);
            for (k, (x, y)) in line[..corners].iter().enumerate() {
                data += &format!("{}{x:.2} {y:.2}", if k == 0 { "M" } else { "L" });
            }
            data += if closed { "Z" } else { "" };
        }
        sheet.path(&data, INK, 1.4);
        axis_marks(&mut sheet, [axes[1], axes[2]], [low, high], corner, (wide, tall), unit);
        let words = format!("{} = {}", NAMES[axes[0]], unit.write(slice.at));
        sheet.text(left + 0.5 * wide, corner.1 - 10.0, "middle", &words);
        left += wide + GAP;
    }
    legend(&mut sheet, range, &tint, subject.voxel);
    sheet.finish()
}

/// The slice through the middle; or, if that shows much less of the inside than another, the one that shows most.
fn slice(subject: &PictureSubject, axes: [usize; 3], low: Vec3, span: Vec3, scale: f64) -> Slice {
    let sampled = |at: f64, fine: f64| {
        let [width, height] = [1, 2].map(|k| ((span[axes[k]] * scale * fine).ceil() as usize).max(2) + 1);
        let values = in_rows(height, |j| {
            let place = |i: usize| {
                let mut p = low;
                p[axes[0]] = at;
                p[axes[1]] += span[axes[1]] * i as f64 / (width - 1) as f64;
                p[axes[2]] += span[axes[2]] * j as f64 / (height - 1) as f64;
                (subject.distance)(p)
            };
            (0..width).map(place).collect()
        });
        Slice { at, width, height, values }
    };
    let (min, max) = (subject.part.min[axes[0]], subject.part.max[axes[0]]);
    let inside = |fraction: f64| {
        let slice = sampled(min + (max - min) * fraction, 0.15);
        slice.values.iter().filter(|v| **v < 0.0).count()
    };
    let middle = inside(0.5);
    let best = [0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9].into_iter().map(|f| (inside(f), f));
    let best = best.fold((middle, 0.5), |a, b| if b.0 > a.0 { b } else { a });
    let fraction = if 2 * middle < best.0 { best.1 } else { 0.5 };
    sampled(min + (max - min) * fraction, FINE)
}

/// How distances become colours.
struct Tint {
    /// Distances of the strongest shades outside and inside.
    most: [f64; 2],
    /// Width of a band.
    band: f64,
}

impl Tint {
    /// Bands of whole voxels, about ten at most on the deeper side. The inside of a thin part gets strong shades too, but
    /// not so strong that it seems thick.
    fn new([low, high]: [f64; 2], voxel: f64) -> Self {
        let most = high.max(-low);
        let shades = [high, -low].map(|m| m.max(0.35 * most).max(f64::MIN_POSITIVE));
        Tint { most: shades, band: voxel * step(most / voxel, 10).max(1.0) }
    }
}

fn raster(slice: &Slice, tint: &Tint) -> Raster {
    // Four blocks of shades: outside and inside, each in plain and darker bands.
    let mut palette = Vec::with_capacity(4 * SHADES);
    for [near, far] in [OUTSIDE, INSIDE] {
        for darker in [0.0, 0.07] {
            palette.extend((0..SHADES).map(|k| {
                let shade = blend(near, far, k as f64 / (SHADES - 1) as f64);
                blend(shade, [0, 0, 0], darker)
            }));
        }
    }
    let colour = |v: f64| {
        let side = usize::from(v < 0.0);
        let shade = ((v.abs() / tint.most[side] * SHADES as f64) as usize).min(SHADES - 1);
        let block = 2 * side + (v.abs() / tint.band) as usize % 2;
        (block * SHADES + shade) as u8
    };
    // A pixel is the middle of a cell of nodes.
    let (width, height) = (slice.width - 1, slice.height - 1);
    let at = |i: usize, j: usize| slice.values[j * slice.width + i];
    let mut pixels = Vec::with_capacity(width * height);
    for j in (0..height).rev() {
        pixels.extend((0..width).map(|i| colour(0.25 * (at(i, j) + at(i + 1, j) + at(i, j + 1) + at(i + 1, j + 1)))));
    }
    Raster { width, height, pixels, palette }
}

fn axis_marks(
    sheet: &mut Sheet,
    axes: [usize; 2],
    [low, high]: [Vec3; 2],
    corner: (f64, f64),
    size: (f64, f64),
    unit: LengthUnit,
) {
    let (right, bottom) = (corner.0 + size.0, corner.1 + size.1);
    let range = axes.map(|a| [low[a] * unit.per_metre, high[a] * unit.per_metre]);
    for (value, label) in ticks(range[0][0], range[0][1], (size.0 / 45.0).clamp(1.0, 6.0) as usize) {
        let x = corner.0 + size.0 * (value - range[0][0]) / (range[0][1] - range[0][0]);
        sheet.line((x, bottom), (x, bottom + 4.0), INK, 1.0);
        sheet.text(x, bottom + 18.0, "middle", &label);
    }
    for (value, label) in ticks(range[1][0], range[1][1], (size.1 / 24.0).clamp(1.0, 8.0) as usize) {
        let y = bottom - size.1 * (value - range[1][0]) / (range[1][1] - range[1][0]);
        sheet.line((corner.0 - 4.0, y), (corner.0, y), INK, 1.0);
        sheet.text(corner.0 - 7.0, y + 4.5, "end", &label);
    }
    for (a, b) in [(corner, (right, corner.1)), ((right, corner.1), (right, bottom))] {
        sheet.line(a, b, INK, 0.8);
    }
    sheet.line((corner.0, bottom), (right, bottom), INK, 0.8);
    sheet.line(corner, (corner.0, bottom), INK, 0.8);
    sheet.text(corner.0 + 0.5 * size.0, bottom + 36.0, "middle", &format!("{}, {}", NAMES[axes[0]], unit.name));
    sheet.upright(corner.0 - 42.0, corner.1 + 0.5 * size.1, &format!("{}, {}", NAMES[axes[1]], unit.name));
}

fn legend(sheet: &mut Sheet, [low, high]: [f64; 2], tint: &Tint, voxel: f64) {
    let (left, wide, tall) = (250.0, 460.0, 12.0);
    let top = sheet.height() - 52.0;
    let width = 2 * wide as usize + 1;
    let row = (0..width).map(|i| low + (high - low) * i as f64 / (width - 1) as f64);
    let bar = Slice { at: 0.0, width, height: 2, values: row.clone().chain(row).collect() };
    sheet.image((left, top), (wide, tall), &raster(&bar, tint).png());
    let zero = left - wide * low / (high - low);
    sheet.line((zero, top - 3.0), (zero, top + tall + 3.0), INK, 1.4);
    sheet.text(left - 8.0, top + 11.0, "end", &format!("inside, {}", length(low)));
    sheet.text(left + wide + 8.0, top + 11.0, "start", &format!("{}, outside", length(high)));
    let count = (tint.band / voxel).round();
    let voxels = if count == 1.0 { "one voxel".to_string() } else { format!("{count:.0} voxels of {}", length(voxel)) };
    let words = format!("the line is distance zero; each band is {voxels} ({}) wide", length(tint.band));
    sheet.text(left + 0.5 * wide, top + 33.0, "middle", &words);
}
