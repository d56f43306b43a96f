//! Samples with depth: what is drawn, and where an eye sees it.

use stiction::spatial::Vec3;

/// Red, green and blue from 0 to 1, as light (not as screens code it).
pub type Colour = [f32; 3];

/// Samples along each side of a pixel.
pub(super) const OVER: usize = 3;
/// Nothing nearer to the eye than this part of its distance from what it looks at is seen.
const NEAR: f64 = 0.02;

/// From where to where one looks, upright along z.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Where it is (m).
    pub from: Vec3,
    /// What is in the middle of the picture (m).
    pub to: Vec3,
    /// The angle that the picture's height takes (rad).
    pub angle: f64,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Where it is (m).
    pub at: Vec3,
    /// The direction of the surface there; zero for what has no shade.
    pub normal: Vec3,
    /// Its colour.
    pub colour: Colour,
}

/// What is nearest in a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub depth: f32,
    pub normal: [f32; 3],
    pub colour: Colour,
}

/// A picture in the making.
pub struct Canvas {
    size: [usize; 2],
    pub(super) eye: Eye,
    /// Directions to the right, upwards and forward of the eye.
    pub(super) axes: [Vec3; 3],
    /// Samples by length of a side at a distance of 1.
    pub(super) scale: f64,
    pub(super) samples: Vec<Sample>,
    /// What casts shadows.
    pub(super) solid: Vec<[Vec3; 3]>,
}

impl Canvas {
    /// An empty picture of so many pixels.
    pub fn new(size: [usize; 2], eye: Eye) -> Canvas {
        let forward = (eye.to - eye.from).normalize();
        let right = forward.cross(&Vec3::z()).normalize();
        let up = right.cross(&forward);
        let nothing = Sample { depth: f32::INFINITY, normal: [0.0; 3], colour: [1.0; 3] };
        let scale = 0.5 * (OVER * size[1]) as f64 / (0.5 * eye.angle).tan();
        let samples = vec![nothing; OVER * OVER * size[0] * size[1]];
        Canvas { size, eye, axes: [right, up, forward], scale, samples, solid: Vec::new() }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Where a point is seen: samples from the left and from above, and its depth; `None` behind the eye.
    pub fn seen(&self, p: Vec3) -> Option<[f64; 3]> {
        let off = p - self.eye.from;
        let [x, y, depth] = self.axes.map(|axis| axis.dot(&off));
        let [width, height] = self.size.map(|n| (OVER * n) as f64);
        let near = NEAR * (self.eye.to - self.eye.from).norm();
        (depth > near).then(|| [0.5 * width + self.scale * x / depth, 0.5 * height - self.scale * y / depth, depth])
    }

    /// Where a point is seen in pixels from the left and from above.
    pub fn pixel(&self, p: Vec3) -> Option<[f64; 2]> {
        self.seen(p).map(|[x, y, _]| [x / OVER as f64, y / OVER as f64])
    }

    /// The length that a pixel has at a point (m).
    pub fn pixel_length(&self, p: Vec3) -> f64 {
        OVER as f64 * self.axes[2].dot(&(p - self.eye.from)) / self.scale
    }

    /// Draws a triangle; of what is not opaque, that share of the samples. What has shade casts a shadow if it is opaque.
    pub fn triangle(&mut self, corners: [Vertex; 3], opacity: f32) {
        self.triangle_where(corners, opacity, &|_| true);
    }

    /// Draws what of a triangle is at places that are to be seen.
    pub fn triangle_where(&mut self, corners: [Vertex; 3], opacity: f32, seen: &dyn Fn(Vec3) -> bool) {
        let middle = (corners[0].at + corners[1].at + corners[2].at) / 3.0;
        if opacity >= 1.0 && corners[0].normal != Vec3::zeros() && seen(middle) {
            self.solid.push(corners.map(|c| c.at));
        }
        let [Some(a), Some(b), Some(c)] = corners.map(|v| self.seen(v.at)) else { return };
        let [width, height] = self.size.map(|n| OVER * n);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area.abs() < 1e-12 {
            return;
        }
        let range = |axis: usize, most: usize| {
            let low = a[axis].min(b[axis]).min(c[axis]).floor().max(0.0);
            let high = (a[axis].max(b[axis]).max(c[axis]).ceil() + 1.0).clamp(0.0, most as f64);
            low as usize..high as usize
        };
        for y in range(1, height) {
            for x in range(0, width) {
                let p = [x as f64 + 0.5, y as f64 + 0.5];
                let part =
                    |q: [f64; 3], r: [f64; 3]| ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / area;
                let weights = [part(b, c), part(c, a), part(a, b)];
                if weights.iter().any(|w| *w < 0.0) || (opacity < 1.0 && threshold(x, y) >= opacity) {
                    continue;
                }
                // Along a facet 1/depth is linear in the picture.
                let inverse = weights[0] / a[2] + weights[1] / b[2] + weights[2] / c[2];
                let depth = 1.0 / inverse;
                let sample = &mut self.samples[y * width + x];
                if depth as f32 >= sample.depth {
                    continue;
                }
                let share = [weights[0] / a[2], weights[1] / b[2], weights[2] / c[2]].map(|w| w * depth);
                if !seen((0..3).map(|k| corners[k].at * share[k]).sum()) {
                    continue;
                }
                let normal: Vec3 = (0..3).map(|k| corners[k].normal * share[k]).sum();
                let colour = [0, 1, 2].map(|i| (0..3).map(|k| share[k] as f32 * corners[k].colour[i]).sum());
                let towards = if normal.dot(&self.axes[2]) > 0.0 { -normal } else { normal };
                let unit = towards / towards.norm().max(1e-30);
                *sample = Sample { depth: depth as f32, normal: [unit.x, unit.y, unit.z].map(|x| x as f32), colour };
            }
        }
    }

    /// Draws a line of a width in pixels, a hair nearer than it is, so that edges show on their faces.
    pub fn line(&mut self, a: Vec3, b: Vec3, colour: Colour, pixels: f64) {
        self.line_at(a, b, colour, pixels, 0.998);
    }

    /// Draws a line as if it were at a share of its distance: in front of what is between.
    pub fn line_at(&mut self, a: Vec3, b: Vec3, colour: Colour, pixels: f64, share: f64) {
        let (Some(from), Some(to)) = (self.seen(a), self.seen(b)) else { return };
        let steps = ((to[0] - from[0]).abs().max((to[1] - from[1]).abs()) / 0.7).ceil().clamp(1.0, 1e5);
        for i in 0..=steps as usize {
            let t = i as f64 / steps;
            let inverse = (1.0 - t) / from[2] + t / to[2];
            let at = [0, 1].map(|k| from[k] + t * (to[k] - from[k]));
            self.disk(at, share / inverse, colour, pixels);
        }
    }

    /// Draws a dot of a width in pixels.
    pub fn dot(&mut self, p: Vec3, colour: Colour, pixels: f64) {
        if let Some([x, y, depth]) = self.seen(p) {
            self.disk([x, y], 0.998 * depth, colour, pixels);
        }
    }

    fn disk(&mut self, at: [f64; 2], depth: f64, colour: Colour, pixels: f64) {
        let [width, height] = self.size.map(|n| OVER * n);
        let r = 0.5 * pixels * OVER as f64;
        let range = |x: f64, most: usize| (x - r).max(0.0) as usize..((x + r + 1.0).clamp(0.0, most as f64)) as usize;
        for y in range(at[1], height) {
            for x in range(at[0], width) {
                let (dx, dy) = (x as f64 + 0.5 - at[0], y as f64 + 0.5 - at[1]);
                let sample = &mut self.samples[y * width + x];
                if dx * dx + dy * dy <= r * r && (depth as f32) < sample.depth {
                    *sample = Sample { depth: depth as f32, normal: [0.0; 3], colour };
                }
            }
        }
    }
}

/// A share from 0 to 1 for each sample of a pixel, spread evenly.
fn threshold(x: usize, y: usize) -> f32 {
    const ORDER: [u8; 9] = [0, 5, 2, 7, 4, 8, 3, 6, 1];
    (f32::from(ORDER[y % OVER * OVER + x % OVER]) + 0.5) / 9.0
}
