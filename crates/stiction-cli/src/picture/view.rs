//! The part seen from above at an angle: an orthographic view into a buffer of depths and normals.
//!
//! With a mesh, its triangles are rasterised; without, rays are traced through the distance field by steps of the distance
//! itself (J. C. Hart, "Sphere tracing", 1996), and the sign change is bisected.

use super::{PictureSubject, in_rows};
use stiction::spatial::Vec3;
use stiction_bake::Mesh;

/// The way in which parts are looked at: x to the right, z up.
pub const AHEAD: Vec3 = Vec3::new(-3.0, 4.0, -3.0);

/// How the part is looked at. Depth grows away from the eye.
pub struct Camera {
    right: Vec3,
    up: Vec3,
    ahead: Vec3,
    low: (f64, f64),
    /// Pixels a metre.
    pub scale: f64,
    /// Width of the buffer (pixels).
    pub width: usize,
    /// Height of the buffer (pixels).
    pub height: usize,
}

impl Camera {
    /// Looks ahead at a box, with z up, filling at most so many pixels.
    pub fn new(ahead: Vec3, min: Vec3, max: Vec3, width: usize, height: usize) -> Self {
        let ahead = ahead.normalize();
        let right = ahead.cross(&Vec3::z()).normalize();
        let mut camera = Camera { right, up: right.cross(&ahead), ahead, low: (0.0, 0.0), scale: 1.0, width, height };
        let corners = (0..8).map(|i| {
            let pick = |k: usize| if i >> k & 1 == 1 { max[k] } else { min[k] };
            camera.project(Vec3::new(pick(0), pick(1), pick(2)))
        });
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for [x, y, _] in corners {
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        // Some pixels of room for outlines.
        let room = 8.0;
        let size = [high[0] - low[0], high[1] - low[1]].map(|s| s.max(f64::MIN_POSITIVE));
        camera.scale = ((width as f64 - room) / size[0]).min((height as f64 - room) / size[1]);
        camera.low = (low[0] - 0.5 * room / camera.scale, low[1] - 0.5 * room / camera.scale);
        camera.width = (size[0] * camera.scale + room).ceil() as usize;
        camera.height = (size[1] * camera.scale + room).ceil() as usize;
        // From here on rows are counted downwards.
        camera.low.1 += camera.height as f64 / camera.scale;
        camera.up = -camera.up;
        camera.low.1 = -camera.low.1;
        camera
    }

    /// Column, row and depth of a point; the first two in pixels.
    pub fn project(&self, p: Vec3) -> [f64; 3] {
        [
            (p.dot(&self.right) - self.low.0) * self.scale,
            (p.dot(&self.up) - self.low.1) * self.scale,
            p.dot(&self.ahead),
        ]
    }

    /// How much a direction points at the eye.
    pub fn towards(&self, direction: Vec3) -> f64 {
        -direction.dot(&self.ahead)
    }

    fn point(&self, column: f64, row: f64, depth: f64) -> Vec3 {
        self.right * (column / self.scale + self.low.0) + self.up * (row / self.scale + self.low.1) + self.ahead * depth
    }
}

/// The surface point behind a pixel; its depth is infinite where there is none.
#[derive(Clone, Copy)]
pub struct VisiblePoint {
    /// Distance along the view (m).
    pub depth: f64,
    /// Unit normal, turned to the eye.
    pub normal: Vec3,
}

const NOTHING: VisiblePoint = VisiblePoint { depth: f64::INFINITY, normal: Vec3::new(0.0, 0.0, 0.0) };

/// The mesh, or the zero surface of the field.
pub fn look(subject: &PictureSubject, camera: &Camera) -> Vec<VisiblePoint> {
    match subject.mesh {
        Some(mesh) => rasterise(mesh, camera),
        None => trace(subject, camera),
    }
}

fn rasterise(mesh: &Mesh, camera: &Camera) -> Vec<VisiblePoint> {
    let mut buffer = vec![NOTHING; camera.width * camera.height];
    for corners in mesh.triangles() {
        let [a, b, c] = corners.map(|p| camera.project(p));
        let Some(normal) = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).try_normalize(0.0) else {
            continue;
        };
        let normal = if camera.towards(normal) < 0.0 { -normal } else { normal };
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area == 0.0 {
            continue;
        }
        let bounds = |k: usize, most: usize| {
            let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
            ((low - 0.5).ceil().max(0.0) as usize, ((high - 0.5).floor().max(-1.0) + 1.0).min(most as f64) as usize)
        };
        let ((left, right), (top, bottom)) = (bounds(0, camera.width), bounds(1, camera.height));
        for row in top..bottom {
            for column in left..right {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let u = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area;
                let v = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area;
                let w = 1.0 - u - v;
                let depth = u * a[2] + v * b[2] + w * c[2];
                let seen = &mut buffer[row * camera.width + column];
                if u >= 0.0 && v >= 0.0 && w >= 0.0 && depth < seen.depth {
                    *seen = VisiblePoint { depth, normal };
                }
            }
        }
    }
    buffer
}

fn trace(subject: &PictureSubject, camera: &Camera) -> Vec<VisiblePoint> {
    let (min, max) = (subject.part.min.add_scalar(-subject.voxel), subject.part.max.add_scalar(subject.voxel));
    let one = |row: usize, column: usize| {
        let from = |depth: f64| camera.point(column as f64 + 0.5, row as f64 + 0.5, depth);
        let (mut near, mut far) = (f64::NEG_INFINITY, f64::INFINITY);
        for k in 0..3 {
            let (slope, start) = (camera.ahead[k], from(0.0)[k]);
            let (a, b) = ((min[k] - start) / slope, (max[k] - start) / slope);
            (near, far) = (near.max(a.min(b)), far.min(a.max(b)));
        }
        let (mut depth, mut before) = (near, near);
        while depth < far {
            let distance = (subject.distance)(from(depth));
            if distance <= 0.0 {
                return hit(subject, camera, &from, [before, depth]);
            }
            before = depth;
            depth += distance.max(0.3 * subject.voxel);
        }
        NOTHING
    };
    in_rows(camera.height, |row| (0..camera.width).map(|column| one(row, column)).collect())
}

/// The zero surface between a depth outside and one inside.
fn hit(
    subject: &PictureSubject,
    camera: &Camera,
    from: &impl Fn(f64) -> Vec3,
    [mut low, mut high]: [f64; 2],
) -> VisiblePoint {
    for _ in 0..8 {
        let middle = 0.5 * (low + high);
        if (subject.distance)(from(middle)) <= 0.0 { high = middle } else { low = middle }
    }
    let (point, h) = (from(high), 0.5 * subject.voxel);
    let slope = |axis: Vec3| (subject.distance)(point + axis * h) - (subject.distance)(point - axis * h);
    let gradient = Vec3::new(slope(Vec3::x()), slope(Vec3::y()), slope(Vec3::z()));
    let normal = gradient.try_normalize(0.0).unwrap_or(-camera.ahead);
    VisiblePoint { depth: high, normal: if camera.towards(normal) < 0.0 { -normal } else { normal } }
}
