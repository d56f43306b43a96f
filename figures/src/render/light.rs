//! From samples to pixels: lamps, sky, shadows, outlines.

use super::canvas::{Canvas, OVER, Sample};
use rayon::prelude::*;
use stiction::spatial::Vec3;

/// Samples along a side of the lamp's picture.
const LAMP: usize = 2048;
/// Places around a sample whose depths tell how much of the sky it sees: directions, and steps in each.
const SKY: [usize; 2] = [8, 4];
/// How far the sky is hidden by what is near, as a share of the distance from the eye.
const REACH: f64 = 0.035;

/// Depths as the lamp sees them: along its direction, over a square.
struct Shadows {
    axes: [Vec3; 3],
    low: [f64; 2],
    step: f64,
    depths: Vec<f32>,
}

impl Shadows {
    fn new(solid: &[[Vec3; 3]], towards: Vec3) -> Shadows {
        let side = towards.cross(&Vec3::z()).normalize();
        let axes = [side, towards.cross(&side), -towards];
        let seen = |p: Vec3| axes.map(|axis| axis.dot(&p));
        let all = || solid.iter().flatten().map(|p| seen(*p));
        let reach = |k: usize| all().fold([f64::MAX, f64::MIN], |[low, high], p| [low.min(p[k]), high.max(p[k])]);
        let (x, y) = (reach(0), reach(1));
        let step = ((x[1] - x[0]).max(y[1] - y[0]) / (LAMP - 4) as f64).max(1e-12);
        let low = [x[0] - 2.0 * step, y[0] - 2.0 * step];
        let mut depths = vec![f32::INFINITY; LAMP * LAMP];
        for triangle in solid {
            let [a, b, c] = triangle.map(|p| {
                let [x, y, z] = seen(p);
                [(x - low[0]) / step, (y - low[1]) / step, z]
            });
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            if area.abs() < 1e-9 {
                continue;
            }
            let range = |k: usize| {
                let (low, high) = (a[k].min(b[k]).min(c[k]).max(0.0), a[k].max(b[k]).max(c[k]) + 1.0);
                low as usize..(high as usize).min(LAMP)
            };
            for y in range(1) {
                for x in range(0) {
                    let p = [x as f64 + 0.5, y as f64 + 0.5];
                    let part = |q: [f64; 3], r: [f64; 3]| {
                        ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / area
                    };
                    let w = [part(b, c), part(c, a), part(a, b)];
                    if w.iter().all(|w| *w >= 0.0) {
                        let depth = (w[0] * a[2] + w[1] * b[2] + w[2] * c[2]) as f32;
                        let place = &mut depths[y * LAMP + x];
                        *place = place.min(depth);
                    }
                }
            }
        }
        Shadows { axes, low, step, depths }
    }

    /// The share of the lamp that a point of a surface sees.
    fn light(&self, p: Vec3, normal: Vec3) -> f64 {
        let p = p + normal * (2.5 * self.step);
        let [x, y, depth] = self.axes.map(|axis| axis.dot(&p));
        let at = [(x - self.low[0]) / self.step, (y - self.low[1]) / self.step];
        let mut lit = 0.0;
        for dy in -2..=2 {
            for dx in -2..=2 {
                let (i, j) = ((at[0] + f64::from(dx)) as usize, (at[1] + f64::from(dy)) as usize);
                let nearest = self.depths.get(j * LAMP + i).copied().unwrap_or(f32::INFINITY);
                lit += f64::from(u8::from(depth - self.step <= f64::from(nearest)));
            }
        }
        lit / 25.0
    }
}

impl Canvas {
    /// The finished picture: red, green and blue of each pixel, row by row from above.
    pub fn pixels(&self) -> Vec<u8> {
        let [right, up, forward] = self.axes;
        let key = (right * 0.45 + up * 0.75 - forward * 0.55 + Vec3::z() * 0.3).normalize();
        let fill = (-right * 0.7 + up * 0.1 - forward * 0.6).normalize();
        let shadows = Shadows::new(&self.solid, key);
        let [width, height] = self.size();
        let columns = OVER * width;
        let mut out = vec![0; 3 * width * height];
        out.par_chunks_mut(3 * width).enumerate().for_each(|(row, line)| {
            for column in 0..width {
                let mut sum = [0.0_f32; 3];
                for k in 0..OVER * OVER {
                    let (x, y) = (OVER * column + k % OVER, OVER * row + k / OVER);
                    let sample = &self.samples[y * columns + x];
                    let light = self.lit(sample, [x, y], &shadows, [key, fill]);
                    let ink = 1.0 - 0.75 * self.outline(sample, [x, y]);
                    (0..3).for_each(|i| sum[i] += light[i] * ink);
                }
                for i in 0..3 {
                    let mean = (sum[i] / (OVER * OVER) as f32).clamp(0.0, 1.0);
                    let coded = if mean <= 0.003_130_8 { 12.92 * mean } else { 1.055 * mean.powf(1.0 / 2.4) - 0.055 };
                    line[3 * column + i] = (255.0 * coded + 0.5) as u8;
                }
            }
        });
        out
    }

    fn lit(&self, sample: &Sample, at: [usize; 2], shadows: &Shadows, [key, fill]: [Vec3; 2]) -> [f32; 3] {
        if sample.depth == f32::INFINITY || sample.normal == [0.0; 3] {
            return sample.colour;
        }
        let normal = Vec3::from(sample.normal.map(f64::from));
        let point = self.point(at, f64::from(sample.depth));
        let view = (self.eye.from - point).normalize();
        let facing = normal.dot(&key).max(0.0);
        let lamp = if facing > 0.0 { shadows.light(point, normal) } else { 0.0 };
        let sky = 0.30 + 0.14 * normal.z;
        let open = self.open(at, f64::from(sample.depth));
        let half = (key + view).normalize();
        let gloss = 0.16 * normal.dot(&half).max(0.0).powi(36) * lamp;
        let diffuse = open * sky + 0.62 * facing * lamp * (0.4 + 0.6 * open) + 0.16 * normal.dot(&fill).max(0.0) * open;
        sample.colour.map(|c| (f64::from(c) * diffuse * 1.25 + gloss) as f32)
    }

    /// The point that a sample shows.
    fn point(&self, [x, y]: [usize; 2], depth: f64) -> Vec3 {
        let [width, height] = self.size().map(|n| (OVER * n) as f64);
        let across = (x as f64 + 0.5 - 0.5 * width) / self.scale * depth;
        let above = (0.5 * height - y as f64 - 0.5) / self.scale * depth;
        self.eye.from + self.axes[0] * across + self.axes[1] * above + self.axes[2] * depth
    }

    /// How much of the sky a sample sees, as depths around it tell.
    fn open(&self, [x, y]: [usize; 2], depth: f64) -> f64 {
        let [width, height] = self.size().map(|n| OVER * n);
        let radius = REACH * self.scale;
        let mut hidden = 0.0;
        for i in 0..SKY[0] {
            let turn = (i as f64 + 0.37 * ((x * 7 + y * 13) % 5) as f64 / 5.0) / SKY[0] as f64 * std::f64::consts::TAU;
            for j in 1..=SKY[1] {
                let r = radius * j as f64 / SKY[1] as f64;
                let (u, v) = (x as f64 + r * turn.cos(), y as f64 + r * turn.sin());
                if u < 0.0 || v < 0.0 || u >= width as f64 || v >= height as f64 {
                    continue;
                }
                let other = f64::from(self.samples[v as usize * width + u as usize].depth);
                // What is much nearer is another body, and hides little.
                let nearer = (depth - other) / (REACH * depth);
                if nearer > 0.02 {
                    hidden += (nearer * 1.6).min(1.0) / (1.0 + (nearer - 1.2).max(0.0) * 3.0);
                }
            }
        }
        1.0 - 0.75 * hidden / (SKY[0] * SKY[1]) as f64
    }

    /// How much of an outline a sample is: where depth or normal jumps beside it.
    fn outline(&self, sample: &Sample, [x, y]: [usize; 2]) -> f32 {
        let [width, height] = self.size().map(|n| OVER * n);
        if x < 2 || y < 2 || x + 2 >= width || y + 2 >= height || sample.normal == [0.0; 3] {
            return 0.0;
        }
        let at = |dx: isize, dy: isize| {
            let (i, j) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            &self.samples[j * width + i]
        };
        let mut most = 0.0_f32;
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let (one, other) = (at(dx, dy), at(-dx, -dy));
            if one.normal == [0.0; 3] && one.depth < sample.depth {
                continue;
            }
            // On a plane the depth of the middle is that between its neighbours.
            let bent = (one.depth.recip() + other.depth.recip() - 2.0 * sample.depth.recip()) * sample.depth;
            if one.depth > sample.depth * 1.004 && bent.abs() > 2e-3 {
                most = most.max(1.0);
            }
            let turn: f32 = (0..3).map(|k| one.normal[k] * sample.normal[k]).sum();
            if turn < 0.85 && one.normal != [0.0; 3] && (one.depth - sample.depth).abs() < 0.004 * sample.depth {
                most = most.max(0.45);
            }
        }
        most
    }
}
