//! Pictures of a sphere, read back.

use super::*;
use base64::Engine;
use stiction_bake::shell::{ShellOptions, build};
use stiction_bake::{Mesh, Silent};

/// A ball of radius 20 mm about (5, 0, −3) mm, and its mesh by longitude and latitude.
const CENTRE: Vec3 = Vec3::new(5e-3, 0.0, -3e-3);
const RADIUS: f64 = 0.02;

fn distance(p: Vec3) -> f64 {
    (p - CENTRE).norm() - RADIUS
}

fn ball() -> Mesh {
    let (turns, rows) = (48u32, 24u32);
    let mut mesh = Mesh::default();
    for j in 0..=rows {
        for i in 0..turns {
            let (a, b) = (f64::from(i) / f64::from(turns), f64::from(j) / f64::from(rows));
            let (a, b) = (a * std::f64::consts::TAU, b * std::f64::consts::PI);
            mesh.points.push(CENTRE + Vec3::new(b.sin() * a.cos(), b.sin() * a.sin(), b.cos()) * RADIUS);
        }
    }
    for (j, i) in (0..rows).flat_map(|j| (0..turns).map(move |i| (j, i))) {
        let at = |j: u32, i: u32| j * turns + i % turns;
        mesh.faces.extend([[at(j, i), at(j + 1, i), at(j + 1, i + 1)], [at(j, i), at(j + 1, i + 1), at(j, i + 1)]]);
    }
    mesh
}

fn with_subject<T>(mesh: bool, f: impl FnOnce(&PictureSubject) -> T) -> T {
    let ball = ball();
    let shell = build(&ball, &ShellOptions::new(500, 2e-4), &distance, &Silent).unwrap().0;
    let part = Aabb { min: CENTRE.add_scalar(-RADIUS), max: CENTRE.add_scalar(RADIUS) };
    f(&PictureSubject { distance: &distance, part, voxel: 4e-4, shell: &shell, mesh: mesh.then_some(&ball) })
}

/// Tags that were opened are closed, in order; attributes are quoted.
fn check_xml(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (inside, words) = tag.split_once('>').expect("every tag ends");
        assert!(!words.contains('>') && inside.matches('"').count() % 2 == 0, "{inside:.80}");
        let name = inside.split([' ', '/']).find(|s| !s.is_empty()).unwrap();
        match (inside.starts_with('/'), inside.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (false, false) => open.push(name),
            _ => {}
        }
    }
    assert!(open.is_empty() && svg.starts_with("<svg"));
    // The letters of an encoded image may spell anything.
    let drawn = svg.lines().filter(|line| !line.starts_with("<image"));
    assert!(drawn.into_iter().all(|line| !line.contains("NaN") && !line.contains("\"inf")));
}

/// Width and height of every raster in a picture, fully decoded.
fn rasters(svg: &str) -> Vec<(u32, u32)> {
    let decode = |text: &str| {
        let data = text.split_once('"').unwrap().0;
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info.width, info.height)
    };
    svg.split("data:image/png;base64,").skip(1).map(decode).collect()
}

#[test]
fn three_small_files_of_sound_svg_are_written_and_named() {
    let dir = std::env::temp_dir().join(format!("stiction-picture-{}", std::process::id()));
    for mesh in [true, false] {
        let files = with_subject(mesh, |subject| draw_subject(&dir, subject, &stiction_bake::Silent)).unwrap();
        let names: Vec<_> = files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["slices.svg", "shell.svg", "spacing.svg"]);
        for (file, images) in files.iter().zip([4, 1, 0]) {
            let svg = std::fs::read_to_string(file).unwrap();
            check_xml(&svg);
            assert_eq!(rasters(&svg).len(), images);
            assert!(svg.len() < 400_000, "{} is {} bytes", file.display(), svg.len());
        }
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// Every zero line is closed, and a circle of the right size within half a unit of the sheet.
#[test]
fn zero_lines_of_a_ball_are_circles() {
    let svg = with_subject(false, slices::draw);
    let paths: Vec<&str> = svg.split("<path d=\"").skip(1).map(|p| p.split_once('"').unwrap().0).collect();
    assert_eq!(paths.len(), 3);
    let mut sizes = Vec::new();
    for path in paths {
        assert!(path.starts_with('M') && path.ends_with('Z') && path.matches('M').count() == 1);
        let number = |s: &str| s.parse::<f64>().unwrap();
        let points: Vec<(f64, f64)> = path[1..path.len() - 1]
            .split('L')
            .map(|p| p.split_once(' ').map(|(x, y)| (number(x), number(y))).unwrap())
            .collect();
        let range = |v: Vec<f64>| {
            let (low, high) = v.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
            (0.5 * (low + high), 0.5 * (high - low))
        };
        let (x, radius) = range(points.iter().map(|p| p.0).collect());
        let (y, _) = range(points.iter().map(|p| p.1).collect());
        assert!(points.iter().all(|p| ((p.0 - x).hypot(p.1 - y) - radius).abs() < 0.5));
        sizes.push(radius);
    }
    assert!(sizes.iter().all(|r| (r - sizes[0]).abs() < 0.5 && *r > 80.0));
}

#[test]
fn both_views_see_the_same_ball() {
    let cover = |mesh: bool| {
        with_subject(mesh, |subject| {
            let camera = view::Camera::new(view::AHEAD, subject.part.min, subject.part.max, 300, 300);
            let buffer = view::look(subject, &camera);
            let seen = buffer.iter().filter(|s| s.depth.is_finite());
            let nearest = seen.clone().map(|s| s.depth).fold(f64::INFINITY, f64::min);
            let pixels = std::f64::consts::PI * (RADIUS * camera.scale).powi(2);
            (seen.count() as f64 / pixels, nearest)
        })
    };
    let (mesh, field) = (cover(true), cover(false));
    // The depth of the centre is CENTRE along the view, which is (−3, 4, −3) / √34.
    let nearest = (-3.0 * CENTRE.x - 3.0 * CENTRE.z) / 34f64.sqrt() - RADIUS;
    assert!((field.0 - 1.0).abs() < 0.01 && (mesh.0 - 1.0).abs() < 0.02, "{mesh:?} {field:?}");
    assert!((field.1 - nearest).abs() < 1e-4 && (mesh.1 - nearest).abs() < 1e-4);
}

#[test]
fn the_same_bytes_every_time() {
    let all = || with_subject(true, |s| [slices::draw(s), shell::draw(s), spacing::draw(s)]);
    assert!(all() == all());
}
