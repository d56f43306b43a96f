//! Pictures of parts in space: triangles, lines and points into pixels with depth, then light.
//!
//! 1. Everything is drawn into samples, several to a pixel, which keep what is nearest: its colour, its normal and its depth.
//! 2. Light comes from the sky and from two lamps; the first one casts shadows (L. Williams, *Casting curved shadows on curved surfaces*, 1978: depths as seen from the
//!    lamp), and places that see little of the sky are darker, as depths around them tell.
//! 3. Outlines are drawn where depth or normal jumps, and samples become pixels.
//!
//! Deviation: what is transparent leaves some samples out instead of blending, so that order plays no part.

mod canvas;
mod light;
mod shapes;

pub use canvas::{Canvas, Colour, Eye, Vertex};
pub use shapes::{SmoothMesh, arrow, soft, surface};

use png::{BitDepth, ColorType, Encoder};

/// A picture as a PNG file.
pub fn png(canvas: &Canvas) -> Vec<u8> {
    let mut out = Vec::new();
    let [width, height] = canvas.size();
    let mut encoder = Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let pixels = canvas.pixels();
    // Memory is the only place that is written to.
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
    if written.is_err() {
        out.clear();
    }
    out
}

/// Bytes in base 64, as web pages take them.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= three.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::spatial::Vec3;
    use stiction_bake::solids::Solid;

    #[test]
    fn bytes_in_base_64_are_those_of_the_standard() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn what_is_nearer_hides_what_is_behind_it_and_the_right_pixels_are_covered() {
        let eye = Eye { from: Vec3::new(0.0, -10.0, 0.0), to: Vec3::zeros(), angle: 0.2 };
        let mut canvas = Canvas::new([200, 100], eye);
        let cube = Solid::Box { size: [1.0; 3] }.mesh().unwrap();
        let red = [0.8, 0.1, 0.1];
        surface(&mut canvas, &cube, red, 0.5);
        // Behind it, and as large in the picture or smaller.
        let small = Solid::Box { size: [0.5; 3] }.mesh().unwrap();
        let mut behind = small.clone();
        behind.points.iter_mut().for_each(|p| p.y += 3.0);
        surface(&mut canvas, &behind, [0.1, 0.1, 0.8], 0.5);
        let pixels: Vec<u32> = canvas.pixels().into_iter().map(u32::from).collect();
        let at = |x: usize, y: usize| &pixels[3 * (200 * y + x)..][..3];
        assert!(at(100, 50)[0] > 2 * at(100, 50)[2], "{:?}", at(100, 50));
        assert!(pixels.chunks(3).all(|p| p[2] < 2 * p[0].max(1)), "something blue is seen");
        // The front face is 9.5 m off: half of it, 0.5 m, is 0.5/9.5/tan(0.1) of half the height.
        let half = 0.5 / 9.5 / (0.1_f64).tan() * 50.0;
        let red = |x: usize| at(x, 50)[0] > at(x, 50)[1] + 40;
        let covered = (0..200).filter(|x| red(*x)).count() as f64;
        assert!((covered - 2.0 * half).abs() <= 2.0, "{covered} pixels, not {}", 2.0 * half);
        let file = png(&canvas);
        assert!(file.starts_with(b"\x89PNG"));
    }
}
