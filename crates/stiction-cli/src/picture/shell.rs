//! The points of the shell over the surface, coloured by level.

use super::PictureSubject;
use super::sheet::{Raster, Sheet, blend, hex};
use super::units::length;
use super::view::{AHEAD, Camera, VisiblePoint, look};
use std::fmt::Write;
use stiction::shape::PointShell;

/// Pixels of the raster a unit of the sheet, and pixels of the buffer a pixel of the raster, along each axis.
const FINE: f64 = 1.5;
const FOLD: usize = 2;
/// Room for the view.
const WIDE: f64 = 700.0;
const HIGH: f64 = 560.0;
const TOP: f64 = 48.0;
/// Points drawn at most; finer levels are thinned out.
const MOST: usize = 20_000;

/// Shades of the surface: 0 is paper, 255 the darkest line.
const SURFACE: [[u8; 3]; 2] = [[238, 241, 244], [128, 139, 150]];
const OUTLINE: [u8; 3] = [70, 76, 82];
const GREYS: usize = 60;
/// Colours of levels from coarse to fine.
const LEVELS: [[u8; 3]; 5] = [[84, 22, 92], [190, 44, 82], [226, 106, 44], [214, 166, 30], [42, 143, 91]];

/// The sheet.
pub fn draw(subject: &PictureSubject) -> String {
    let pixels = |units: f64| (units * FINE) as usize * FOLD;
    let camera = Camera::new(AHEAD, subject.part.min, subject.part.max, pixels(WIDE), pixels(HIGH));
    let buffer = look(subject, &camera);
    let unit = FINE * FOLD as f64;
    let raster = shade(&buffer, &camera);
    let size = (raster.width as f64 / FINE, raster.height as f64 / FINE);
    let left = 24.0 + 0.5 * (WIDE - size.0);
    let count = subject.shell.points().len();
    let high = size.1.max(30.0 * subject.shell.levels().len() as f64).max(160.0);
    let mut sheet = Sheet::new(TOP + high + 40.0, &format!("The shell of {count} points, coloured by level"));
    sheet.image((left, TOP + 0.5 * (high - size.1)), size, &raster.png());
    let visible = visible(subject, &camera, &buffer);
    let spacing = stiction_bake::shell::spacing(subject.shell.points()).median;
    let dot = (0.42 * spacing * camera.scale / unit).clamp(1.1, 5.0);
    let levels = subject.shell.levels().len();
    let step = visible.iter().map(Vec::len).sum::<usize>().div_ceil(MOST).max(1);
    // Coarse levels last, on top.
    for (level, points) in visible.iter().enumerate().rev() {
        let thin = if level + 1 == levels { step } else { 1 };
        let mut data = String::new();
        for [x, y] in points.iter().step_by(thin) {
            let _ = write!(data, "M{:.1} {:.1}h0", left + x / unit, TOP + 0.5 * (high - size.1) + y / unit);
        }
        let width = width_of(dot, level, levels);
        if level + 2 < levels && width > 2.5 {
            sheet.path(&data, "white", width + 1.4);
        }
        sheet.path(&data, &hex(colour(level, levels)), width);
    }
    legend(&mut sheet, subject.shell, dot);
    let what = if subject.mesh.is_some() { "the mesh" } else { "the field's zero surface" };
    let thinned = if step > 1 { format!("; one in {step} of the finest level drawn") } else { String::new() };
    let bounds = (subject.part.max - subject.part.min).map(|s| s.max(0.0));
    let words = format!(
        "points seen from this side, over {what}: {} × {} × {}{thinned}",
        length(bounds.x),
        length(bounds.y),
        length(bounds.z)
    );
    sheet.text(24.0, TOP + high + 26.0, "start", &words);
    sheet.finish()
}

/// Width of a level's dots: coarser ones are larger.
fn width_of(dot: f64, level: usize, levels: usize) -> f64 {
    dot + (0.28 * dot).max(0.6) * (levels - 1 - level) as f64
}

fn colour(level: usize, levels: usize) -> [u8; 3] {
    let t = (LEVELS.len() - 1) as f64 * level as f64 / (levels - 1).max(1) as f64;
    let k = (t as usize).min(LEVELS.len() - 2);
    blend(LEVELS[k], LEVELS[k + 1], t - k as f64)
}

/// Light from the upper left of the eye, outlines where depth or normal jump; folded down to the raster.
fn shade(buffer: &[VisiblePoint], camera: &Camera) -> Raster {
    let (width, height) = (camera.width, camera.height);
    let light = stiction::spatial::Vec3::new(0.35, -0.55, 0.76).normalize();
    let reach = 6.0 / camera.scale;
    let breaks = |a: &VisiblePoint, b: &VisiblePoint| match (a.depth.is_finite(), b.depth.is_finite()) {
        (false, false) => false,
        (true, true) => {
            // A plane seen at a flat angle changes its depth quickly too.
            let steep = camera.towards(a.normal).min(camera.towards(b.normal)).max(0.05);
            (a.depth - b.depth).abs() > reach / steep || a.normal.dot(&b.normal) < 0.85
        }
        _ => true,
    };
    // Brightness from 0 to 1, or less than 0 for paper, of one pixel of the buffer; whether it is on a line.
    let one = |x: usize, y: usize| {
        let seen = &buffer[y * width + x];
        let line = (x + 1 < width && breaks(seen, &buffer[y * width + x + 1]))
            || (y + 1 < height && breaks(seen, &buffer[(y + 1) * width + x]));
        (seen.depth.is_finite().then(|| (0.25 + 0.75 * seen.normal.dot(&light).max(0.0)).min(1.0)), line)
    };
    let (columns, rows) = (width.div_ceil(FOLD), height.div_ceil(FOLD));
    let mut pixels = Vec::with_capacity(columns * rows);
    // The palette is shades of the surface, each in four mixtures with paper and four with lines.
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let (mut bright, mut hits, mut lines, mut all) = (0.0, 0, 0, 0);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (column * FOLD + dx, row * FOLD + dy);
            if x < width && y < height {
                let (light, line) = one(x, y);
                all += 1;
                lines += usize::from(line);
                if let Some(light) = light {
                    bright += light;
                    hits += 1;
                }
            }
        }
        pixels.push(match (lines, hits) {
            (0, 0) => 0,
            (0, _) => 1 + grey(bright / f64::from(hits)),
            _ => {
                let under = if hits == 0 { 0 } else { 1 + grey(bright / f64::from(hits)) / 15 };
                GREYS + under * 4 + (lines * 4 / all).clamp(1, 4)
            }
        } as u8);
    }
    let surface = |t: f64| blend(SURFACE[1], SURFACE[0], t);
    let mut palette = vec![[255; 3]];
    palette.extend((0..GREYS).map(|k| surface(k as f64 / (GREYS - 1) as f64)));
    for under in 0..=GREYS.div_ceil(15) {
        let base = if under == 0 { [255; 3] } else { surface((under as f64 - 0.5) / 4.0) };
        palette.extend((1..=4).map(|k| blend(base, OUTLINE, f64::from(k) / 4.0)));
    }
    Raster { width: columns, height: rows, pixels, palette }
}

fn grey(bright: f64) -> usize {
    ((bright * GREYS as f64) as usize).min(GREYS - 1)
}

/// Columns and rows of the points that nothing hides, by the level on which they are new.
fn visible(subject: &PictureSubject, camera: &Camera, buffer: &[VisiblePoint]) -> Vec<Vec<[f64; 2]>> {
    let levels = subject.shell.levels();
    let mut visible = vec![Vec::new(); levels.len()];
    let size = (subject.part.max - subject.part.min).norm();
    let slack = (1.5 * subject.voxel).clamp(1e-3 * size, 0.02 * size);
    for (i, point) in subject.shell.points().iter().enumerate() {
        let [x, y, depth] = camera.project(point.position);
        let level = levels.iter().position(|&size| i < size as usize).unwrap_or(0);
        if camera.towards(point.normal) < -0.2 || !(x >= 0.0 && y >= 0.0) {
            continue;
        }
        // On an outline the pixel itself may look past the part.
        let near = [(0.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (0.0, -2.0), (0.0, 2.0)].into_iter().filter_map(|(dx, dy)| {
            let (column, row) = ((x + dx).max(0.0) as usize, (y + dy).max(0.0) as usize);
            (column < camera.width && row < camera.height).then(|| buffer[row * camera.width + column].depth)
        });
        if near.fold(f64::NEG_INFINITY, f64::max) > depth - slack {
            visible[level].push([x, y]);
        }
    }
    visible
}

fn legend(sheet: &mut Sheet, shell: &PointShell, dot: f64) {
    let levels = shell.levels();
    let left = 760.0;
    sheet.text(left, TOP + 16.0, "start", "level");
    sheet.text(left + 150.0, TOP + 16.0, "end", "points so far");
    for (level, count) in levels.iter().enumerate() {
        let y = TOP + 42.0 + 24.0 * level as f64;
        let radius = 0.5 * width_of(dot.max(3.0), level, levels.len()).min(15.0);
        sheet.dot((left + 8.0, y - 4.5), (radius * 10.0).round() / 10.0, &hex(colour(level, levels.len())));
        sheet.text(left + 28.0, y, "start", &level.to_string());
        sheet.text(left + 150.0, y, "end", &count.to_string());
    }
}
