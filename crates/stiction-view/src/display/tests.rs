use super::*;
use std::path::Path;
use stiction::spatial::Vec3;
use stiction_bake::Silent;
use stiction_bake::export;
use stiction_bake::solids::Solid;
use stiction_scene::Scene;

fn world(text: &str, origin: &Path) -> World {
    Scene::parse(text, origin, &[]).and_then(|s| s.build(None, &Silent)).unwrap_or_else(|e| panic!("{e}"))
}

fn solids(shell_on: &str) -> World {
    let text = format!(
        r#"
        held = {{ solid = "gear", module = 0.001, teeth = 20, width = 0.008, bore = 0.003, resolution = 96, points = 700, levels = 4 }}
        fixed = {{ solid = "box", size = [0.1, 0.06, 0.02], resolution = 48, points = 300, storage = "dense" }}
        contact.shell_on = "{shell_on}"
        start.position = [0, 0, 0.1]
        hand.keyframes = [{{ t = 0, position = [0, 0, 0.1] }}]
        "#
    );
    world(&text, Path::new("scene.toml"))
}

/// Reads bytes from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn four(&mut self) -> [u8; 4] {
        let (four, rest) = self.0.split_first_chunk::<4>().unwrap();
        self.0 = rest;
        *four
    }

    fn count(&mut self) -> usize {
        u32::from_le_bytes(self.four()) as usize
    }

    fn float(&mut self) -> f64 {
        f32::from_le_bytes(self.four()).into()
    }

    fn point(&mut self) -> Vec3 {
        let [x, y, z] = [self.float(), self.float(), self.float()];
        Vec3::new(x, y, z)
    }
}

/// Vertices, triangles, and triangles before.
fn read_mesh(bytes: &[u8]) -> (Vec<Vec3>, Vec<[usize; 3]>, usize) {
    let mut bytes = Bytes(bytes);
    let [vertices, triangles, before] = [bytes.count(), bytes.count(), bytes.count()];
    let points = (0..vertices).map(|_| bytes.point()).collect();
    let faces: Vec<_> = (0..triangles).map(|_| [bytes.count(), bytes.count(), bytes.count()]).collect();
    assert!(bytes.0.is_empty());
    assert!(faces.iter().flatten().all(|&i| i < vertices));
    (points, faces, before)
}

/// How far vertices and middles of triangles are from the surface, by the field, in voxels.
fn off(bytes: &[u8], shape: &stiction::shape::Shape) -> f64 {
    let (points, faces, _) = read_mesh(bytes);
    let middles = faces.iter().map(|f| f.iter().map(|&i| points[i]).sum::<Vec3>() / 3.0);
    let all = points.iter().copied().chain(middles);
    all.map(|p| shape.field.distance(p).abs()).fold(0.0, f64::max) / shape.field.lattice().spacing
}

#[test]
fn triangles_lie_where_the_field_has_its_surface() {
    let world = solids("held");
    let display = Display::of(&world, BUDGET, &Silent).unwrap();
    let (whole, fixed) = (off(&display.held, &world.held), off(&display.fixed, &world.fixed));
    assert!(whole < 0.9 && fixed < 0.9, "{whole} and {fixed} voxels");
    let (_, faces, before) = read_mesh(&display.held);
    assert_eq!(faces.len(), before);
    assert_eq!(display.fixed_bounds, [[-0.05, -0.03, -0.01], [0.05, 0.03, 0.01]]);
    assert_eq!(display.held_bounds[0][2], -0.004);

    let display = Display::of(&world, 2500, &Silent).unwrap();
    let (_, fewer, of) = read_mesh(&display.held);
    assert!(fewer.len() <= 2500 && fewer.len() > 1000 && of == before, "{} of {of}", fewer.len());
    let vertices = read_mesh(&display.held).0;
    let far = vertices.iter().map(|p| world.held.field.distance(*p).abs()).fold(0.0, f64::max);
    assert!(far < 2.0 * world.held.field.lattice().spacing, "{far} m");
}

#[test]
fn a_mesh_in_other_units_axes_and_places_lies_where_its_field_does() {
    let folder = std::env::temp_dir().join(format!("stiction-display-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mesh = Solid::LBar { legs: [30.0, 20.0], thickness: 5.0, length: 40.0 }.mesh().unwrap();
    export::write_stl(&mesh, std::fs::File::create(folder.join("part.stl")).unwrap()).unwrap();
    // Scaled, with another axis up, mirrored and moved.
    let text = r#"
        held.mesh = "part.stl"
        held.unit = "mm"
        held.up = "y"
        held.scale = 0.5
        held.transform = [-1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 1, -0.2]
        held.resolution = 64
        held.points = 200
        fixed = { solid = "torus", major = 0.02, minor = 0.005, resolution = 64, points = 200 }
        start.position = [0, 0, 1]
        hand.keyframes = [{ t = 0, position = [0, 0, 1] }]
    "#;
    let world = world(text, &folder.join("scene.toml"));
    let display = Display::of(&world, BUDGET, &Silent).unwrap();
    let far = off(&display.held, &world.held);
    assert!(far < 0.9, "{far} voxels");
    // Wound outwards, though mirrored: the volume is positive.
    let (points, faces, _) = read_mesh(&display.held);
    let volume: f64 = faces.iter().map(|f| points[f[0]].dot(&points[f[1]].cross(&points[f[2]])) / 6.0).sum();
    assert!((volume / world.held.mass.volume - 1.0).abs() < 1e-3, "{volume}");
    // A file that is gone is an error that names it.
    std::fs::remove_dir_all(&folder).unwrap();
    let error = Display::of(&world, BUDGET, &Silent).unwrap_err().to_string();
    assert!(error.starts_with("the held part: ") && error.contains("part.stl"), "{error}");
}

#[test]
fn the_shell_is_that_of_the_part_that_collides_with_its_levels() {
    for (shell_on, levels) in [("held", 4), ("fixed", 0)] {
        let world = solids(shell_on);
        let shape = if shell_on == "held" { &world.held } else { &world.fixed };
        let display = Display::of(&world, BUDGET, &Silent).unwrap();
        let mut bytes = Bytes(&display.shell);
        let count = bytes.count();
        assert_eq!(count, shape.shell.points().len());
        for point in shape.shell.points() {
            assert!((bytes.point() - point.position).norm() < 1e-8);
        }
        assert_eq!(bytes.0.len(), count);
        for (level, &points) in shape.shell.levels().iter().enumerate() {
            let upto = bytes.0.iter().filter(|&&l| usize::from(l) <= level).count();
            assert_eq!(upto, points as usize, "level {level}");
        }
        assert!(levels == 0 || shape.shell.levels().len() == levels);
    }
}

/// Columns, rows, origin, u, v and distances.
fn read_slice(bytes: &[u8]) -> (usize, usize, [Vec3; 3], Vec<f64>) {
    let mut bytes = Bytes(bytes);
    let (columns, rows) = (bytes.count(), bytes.count());
    let frame = [bytes.point(), bytes.point(), bytes.point()];
    let distances = (0..columns * rows).map(|_| bytes.float()).collect();
    assert!(bytes.0.is_empty());
    (columns, rows, frame, distances)
}

#[test]
fn slices_hold_the_distances_of_a_box() {
    let world = solids("held");
    let shape = &world.fixed;
    let (h, bounds) = (shape.field.lattice().spacing, shape.field.lattice().bounds());
    for (axis, a) in [(SliceAxis::X, 0), (SliceAxis::Y, 1), (SliceAxis::Z, 2)] {
        for at in [0.0, 0.3, 0.5, 1.0] {
            let (columns, rows, [origin, u, v], distances) = read_slice(&slice(shape, axis, at, 100));
            assert!(columns.max(rows) == 101 && columns.min(rows) >= 2);
            let side = (bounds.max - bounds.min)[(a + 1) % 3].max((bounds.max - bounds.min)[(a + 2) % 3]);
            assert!((u.norm() - v.norm()).abs() < 1e-9 && (u.norm() - side / 100.0).abs() < 1e-8);
            let normal = u.cross(&v) / (u.norm() * v.norm());
            assert!((normal[a] - 1.0).abs() < 1e-6);
            let level = bounds.min[a] + at * (bounds.max - bounds.min)[a];
            assert!((origin[a] - level).abs() < 1e-7);
            for (i, d) in distances.iter().enumerate() {
                let p = origin + u * (i % columns) as f64 + v * (i / columns) as f64;
                let q = p.abs() - Vec3::new(0.05, 0.03, 0.01);
                let exact = q.sup(&Vec3::zeros()).norm() + q.max().min(0.0);
                assert!((d - exact).abs() < h, "{axis:?} {at}: {d} at {p:?}, not {exact}");
            }
            // All of the box is covered, and by no more than a cell too much.
            let last = origin + u * (columns - 1) as f64 + v * (rows - 1) as f64;
            for s in [(a + 1) % 3, (a + 2) % 3] {
                let over = [bounds.min[s] - origin[s], last[s] - bounds.max[s]];
                assert!(over.iter().all(|o| *o > -1e-7 && *o < 0.5 * u.norm() + 1e-7), "{over:?}");
            }
        }
    }
}

#[test]
fn slices_of_odd_numbers_are_slices() {
    let world = solids("held");
    let middle = slice(&world.held, SliceAxis::Z, 0.5, 50);
    assert_eq!(slice(&world.held, SliceAxis::Z, f64::NAN, 50), middle);
    assert_eq!(slice(&world.held, SliceAxis::Z, f64::INFINITY, 50), middle);
    assert_eq!(slice(&world.held, SliceAxis::Z, -3.0, 50), slice(&world.held, SliceAxis::Z, 0.0, 50));
    assert_eq!(slice(&world.held, SliceAxis::Z, 7.0, 50), slice(&world.held, SliceAxis::Z, 1.0, 50));
    for (cells, side) in [(0, 2), (1, 2), (159, MAX_POINTS), (160, MAX_POINTS), (usize::MAX, MAX_POINTS)] {
        let (columns, rows, ..) = read_slice(&slice(&world.held, SliceAxis::X, 0.5, cells));
        assert_eq!(columns.max(rows), side);
    }
    let axis = |word: &str| serde_json::from_value::<SliceAxis>(word.into()).ok();
    assert_eq!(["x", "y", "z", "w"].map(axis), [Some(SliceAxis::X), Some(SliceAxis::Y), Some(SliceAxis::Z), None]);
}

/// Work that the user has stopped.
pub(super) struct Stop;

impl Progress for Stop {
    fn stage(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn stopping_is_told_as_stopping() {
    assert!(Display::of(&solids("held"), 100, &Stop).unwrap_err().cancelled());
}
