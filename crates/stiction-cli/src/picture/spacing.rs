//! How far the points of the shell are apart: a histogram.

use super::PictureSubject;
use super::sheet::{COOL, FAINT, INK, Sheet, WARM};
use super::units::{LengthUnit, ticks};

const LEFT: f64 = 84.0;
const WIDE: f64 = 840.0;
const TOP: f64 = 96.0;
const HIGH: f64 = 240.0;
const BASE: f64 = TOP + HIGH;

/// The sheet.
pub fn draw(subject: &PictureSubject) -> String {
    let spread = stiction_bake::shell::spacing(subject.shell.points());
    let mut sheet =
        Sheet::new(BASE + 66.0, "Spacing: distance of each point to its nearest neighbour on the same side");
    let most = f64::from(spread.counts.iter().copied().max().unwrap_or(0)).max(1.0);
    let right = (1.04 * spread.max.max(subject.voxel)).max(f64::MIN_POSITIVE);
    let across = |d: f64| LEFT + WIDE * d / right;
    for (value, label) in ticks(0.0, most, 5) {
        let y = BASE - HIGH * value / most;
        sheet.line((LEFT, y), (LEFT + WIDE, y), if value == 0.0 { INK } else { FAINT }, 1.0);
        sheet.text(LEFT - 8.0, y + 4.5, "end", &label);
    }
    for (k, &count) in spread.counts.iter().enumerate().filter(|bar| *bar.1 > 0) {
        let (from, to) = (across(k as f64 * spread.bin), across((k + 1) as f64 * spread.bin));
        let tall = HIGH * f64::from(count) / most;
        sheet.bar((from + 0.5, BASE - tall), ((to - from - 1.0).max(0.5), tall), COOL);
    }
    let unit = LengthUnit::of(right);
    for (value, label) in ticks(0.0, right * unit.per_metre, 10) {
        let x = across(value / unit.per_metre);
        sheet.line((x, BASE), (x, BASE + 4.0), INK, 1.0);
        sheet.text(x, BASE + 19.0, "middle", &label);
    }
    sheet.text(LEFT + 0.5 * WIDE, BASE + 42.0, "middle", &format!("distance, {}", unit.name));
    sheet.upright(30.0, TOP + 0.5 * HIGH, "points");
    if spread.counts.is_empty() {
        sheet.text(LEFT + 0.5 * WIDE, TOP + 0.5 * HIGH, "middle", "no two points on the same side");
        return sheet.finish();
    }
    let marks = [
        ("voxel", subject.voxel, WARM),
        ("least", spread.min, INK),
        ("median", spread.median, INK),
        ("most", spread.max, INK),
    ];
    marked(&mut sheet, &marks, unit, across);
    sheet.finish()
}

/// Upright lines with words above, in as many rows as keep the words apart.
fn marked(sheet: &mut Sheet, marks: &[(&str, f64, &str)], unit: LengthUnit, across: impl Fn(f64) -> f64) {
    let mut order: Vec<_> = marks.to_vec();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut ends = [f64::NEG_INFINITY; 3];
    let mut labels = Vec::new();
    for (name, value, colour) in order {
        let x = across(value);
        let words = format!("{name} {}", unit.write(value));
        let half = 3.6 * words.chars().count() as f64;
        let middle = x.clamp(24.0 + half, 936.0 - half);
        let row = (0..3).find(|&r| ends[r] < middle - half - 6.0).unwrap_or(2);
        ends[row] = middle + half;
        let y = TOP - 12.0 - 18.0 * row as f64;
        sheet.line((x, y + 5.0), (x, BASE), colour, 1.2);
        labels.push((middle, y, half, words));
    }
    // Words last, on white, so that no line runs through them.
    for (middle, y, half, words) in labels {
        sheet.bar((middle - half, y - 12.0), (2.0 * half, 16.0), "#fff");
        sheet.text(middle, y, "middle", &words);
    }
}
