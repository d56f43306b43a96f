//! The starter motor and the window motor for figures: the scenes of those names, baked once for all figures, with the paper's way of contact and friction; and how to draw
//! them.

use crate::figure::{Context, FigureError, Picture};
use crate::lab::{self, FigureScene};
use crate::render::{Canvas, Colour, Eye, SmoothMesh, arrow, base64, png, soft};
use crate::table::FigureTable;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Cone, FrictionSettings, Method};
use stiction::spatial::{Pose, Vec3};
use stiction::tick::{Engine, Settings};
use stiction_scene::{Geometry, Scene, SceneSource, Setting, World};

/// Worlds built before, by their scene and what was set.
#[derive(Default)]
pub struct IndustrialWorlds(Mutex<HashMap<String, Arc<World>>>);

/// Radius of the starter motor's yoke (m).
pub const YOKE: f64 = 0.0375;
/// Where the lands of the passage are, up the z axis (m).
pub const PASSAGE: f64 = -0.085;
/// How far the motor is behind its seat when it goes through the passage (m).
pub const BEHIND: f64 = -0.090;
/// Distance from the middle of a guide plate's flanges to the plane of its land (m).
const HAT: f64 = 0.04908 - 0.0379;

/// An industrial scene for figures.
#[derive(Clone)]
pub struct IndustrialScene {
    /// The world as a user has it.
    pub world: Arc<World>,
    /// The same parts under the paper's settings.
    pub scene: FigureScene,
}

impl Context<'_> {
    /// The starter motor and the engine bay, with the room that the passage leaves on each side of the yoke (m); negative is an interference.
    pub fn starter_motor(&self, room: f64, mu: f64) -> Result<IndustrialScene, FigureError> {
        let y = YOKE + room + HAT;
        let mut set = vec![format!("fixed.solids.0.position.1={y}"), format!("fixed.solids.1.position.1={}", -y)];
        if self.quick {
            set.extend(["fixed.resolution=320".into(), "fixed.cube=false".into()]);
        }
        self.industrial("starter-motor", &set, ShellOn::Held, mu)
    }

    /// The window motor and the car door.
    pub fn window_motor(&self, mu: f64) -> Result<IndustrialScene, FigureError> {
        let quick = ["held.resolution=112", "held.cube=false", "fixed.resolution=448", "fixed.points=12000"];
        let set: Vec<String> = quick.iter().filter(|_| self.quick).map(|s| s.to_string()).collect();
        self.industrial("window-motor", &set, ShellOn::Fixed, mu)
    }

    fn industrial(
        &self,
        name: &str,
        set: &[String],
        shell_on: ShellOn,
        mu: f64,
    ) -> Result<IndustrialScene, FigureError> {
        let wrong = |reason: String| FigureError::Part { part: name.into(), reason };
        let key = format!("{name} {set:?}");
        let known = self.worlds.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).map(Arc::clone);
        let world = match known {
            Some(world) => world,
            None => {
                let settings: Result<Vec<Setting>, _> = set.iter().map(|s| s.parse()).collect();
                let settings = settings.map_err(|e| wrong(format!("{e:?}")))?;
                let source = SceneSource::bundled(name).ok_or_else(|| wrong("it is not bundled".into()))?;
                let scene = Scene::read(&source, &settings).map_err(|e| wrong(e.to_string()))?;
                let built = scene.build(None, self.progress);
                self.go_on()?;
                let world = Arc::new(built.map_err(|e| wrong(e.to_string()))?);
                self.worlds.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&world));
                world
            }
        };
        let parts = [Arc::clone(&world.held), Arc::clone(&world.fixed)];
        let settings = Settings { mass: world.scene.settings.mass, ..paper(mu, shell_on) };
        let scene = FigureScene { settings, parts, world_from_fixed: world.scene.world_from_fixed() };
        Ok(IndustrialScene { world, scene })
    }
}

/// The paper's settings in its industrial scenes: the linear program with an octagon, α = 0.6 in every colliding tick, a hand with up to 60 N.
pub fn paper(mu: f64, shell_on: ShellOn) -> Settings {
    let usual = lab::paper(mu, 0.6);
    let coupling = stiction::coupling::Coupling { torsion: 40.0, ..usual.coupling };
    let friction = FrictionSettings { cone: Cone::paper(8), ..usual.friction };
    // No step limit of the corner's: by default the thinnest wall decides.
    Settings { coupling, friction, shell_on, step_bound: None, ..usual }
}

/// The same settings with another friction method: the linear program on the octagon, the others on disks.
pub fn with_method(settings: &Settings, method: Method) -> Settings {
    let cone = if method == Method::Lp { Cone::paper(8) } else { Cone::Disk };
    Settings { friction: FrictionSettings { method, cone, ..settings.friction }, ..*settings }
}

/// The motor's pose with its origin at a place: as the scene turns it.
pub fn posed(scene: &IndustrialScene, at: Vec3) -> Pose {
    Pose::from_parts(at.into(), scene.world.scene.start().rotation)
}

/// Sums over the contacts of the last tick (N, N m).
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactSums {
    /// Normal forces.
    pub normal: Vec3,
    /// Friction.
    pub friction: Vec3,
    /// Torque of both about the part's centre.
    pub torque: Vec3,
    /// Lengths of the normal forces.
    pub pressed: f64,
}

impl ContactSums {
    /// The sums of an engine's last tick.
    pub fn of(engine: &Engine) -> ContactSums {
        let centre = engine.trace().centre;
        let mut sums = ContactSums::default();
        for contact in engine.contacts() {
            let normal = contact.normal * contact.normal_force;
            sums.normal += normal;
            sums.friction += contact.friction;
            sums.pressed += contact.normal_force;
            sums.torque += (contact.position - centre).cross(&(normal + contact.friction));
        }
        sums
    }

    /// The whole contact force.
    pub fn force(&self) -> Vec3 {
        self.normal + self.friction
    }

    /// The angle between the contact force and the sum of normal forces (rad).
    pub fn tilt(&self) -> f64 {
        let (a, b) = (self.force(), self.normal);
        a.cross(&b).norm().atan2(a.dot(&b))
    }
}

/// Colours of parts and forces, as light.
pub const STEEL: Colour = [0.44, 0.48, 0.52];
pub const MOTOR: Colour = [0.80, 0.42, 0.09];
pub const RED: Colour = [0.80, 0.03, 0.03];
pub const ORANGE: Colour = [1.0, 0.42, 0.0];
pub const BLACK: Colour = [0.02, 0.02, 0.02];
pub const BLUE: Colour = [0.05, 0.16, 0.75];

/// Surfaces of the held and the fixed part, for pictures.
pub struct IndustrialMeshes {
    /// The held part.
    pub held: SmoothMesh,
    /// The solids of the fixed one, with the middles of their boxes (m).
    solids: Vec<(SmoothMesh, Vec3)>,
}

impl IndustrialMeshes {
    /// Makes them.
    pub fn new(scene: &IndustrialScene) -> Result<IndustrialMeshes, FigureError> {
        let wrong = || FigureError::Setup("a part of the scene has no surface".into());
        let scene = &scene.world.scene;
        let held = scene.held().part.geometry.faces().ok().flatten().ok_or_else(wrong)?;
        let Geometry::Union(solids) = &scene.fixed().part.geometry else { return Err(wrong()) };
        let placed = solids.iter().map(|posed| {
            let mut mesh = posed.solid.mesh().ok()?;
            let pose = &posed.part_from_solid;
            mesh.points.iter_mut().for_each(|p| *p = pose.rotation * *p + pose.translation.vector);
            let bounds = mesh.bounds()?;
            Some((soft(&mesh), (bounds.min + bounds.max) * 0.5))
        });
        Ok(IndustrialMeshes { held: soft(&held), solids: placed.collect::<Option<_>>().ok_or_else(wrong)? })
    }

    /// Draws the solids of the fixed part whose middles are to be seen, and of them what is at places that are.
    pub fn draw_fixed(
        &self,
        canvas: &mut Canvas,
        opacity: f32,
        solids: &dyn Fn(Vec3) -> bool,
        places: &dyn Fn(Vec3) -> bool,
    ) {
        for (mesh, _) in self.solids.iter().filter(|(_, middle)| solids(*middle)) {
            mesh.draw_where(canvas, &Pose::identity(), STEEL, opacity, places);
        }
    }
}

/// Columns of [`contact_rows`].
pub const CONTACT_COLUMNS: [&str; 9] =
    ["case", "contact", "x_m", "y_m", "z_m", "normal_n", "friction_x_n", "friction_y_n", "friction_z_n"];

/// Adds the contacts of the last tick to a table.
pub fn contact_rows(table: &mut FigureTable, case: &str, engine: &Engine) {
    for (i, c) in engine.contacts().enumerate() {
        let (p, f) = (c.position, c.friction);
        table.row(&[&case, &i, &p.x, &p.y, &p.z, &c.normal_force, &f.x, &f.y, &f.z]);
    }
}

/// Draws the forces of single contacts as lines: normal forces red, from outside to where they push, and friction orange.
pub fn draw_contact_forces(canvas: &mut Canvas, engine: &Engine, metres_per_newton: f64, pixels: f64) {
    for contact in engine.contacts() {
        let p = contact.position;
        canvas.line_at(p - contact.normal * (contact.normal_force * metres_per_newton), p, RED, pixels, 0.97);
        canvas.line_at(p, p + contact.friction * metres_per_newton, ORANGE, pixels, 0.97);
    }
}

/// Draws an arrow for a force at a point, as wide as so many pixels.
pub fn draw_force(canvas: &mut Canvas, at: Vec3, force: Vec3, metres_per_newton: f64, pixels: f64, colour: Colour) {
    let width = pixels * canvas.pixel_length(at);
    arrow(canvas, at, force * metres_per_newton, width, colour);
}

/// A view of a scene with a caption below.
pub struct View<'a> {
    /// The picture.
    pub canvas: Canvas,
    /// What it shows.
    pub caption: &'a str,
    /// Words at pixels.
    pub labels: Vec<([f64; 2], String)>,
}

impl<'a> View<'a> {
    /// An empty view; a third as large in a quick run.
    pub fn new(ctx: &Context, size: [usize; 2], eye: Eye, caption: &'a str) -> View<'a> {
        let size = size.map(|n| ctx.pick(n, n / 3));
        View { canvas: Canvas::new(size, eye), caption, labels: Vec::new() }
    }
}

/// Views beside each other in rows, under a title.
pub fn sheet(name: &'static str, title: &str, rows: &[Vec<View>]) -> Picture {
    const WIDTH: f64 = 960.0;
    const GAP: f64 = 12.0;
    let escape = crate::plot::escape;
    let (mut body, mut y) = (String::new(), 46.0);
    for row in rows {
        let all: f64 = row.iter().map(|view| view.canvas.size()[0] as f64).sum();
        let scale = (WIDTH - 48.0 - GAP * (row.len() as f64 - 1.0)) / all.max(1.0);
        let (mut x, mut lowest) = (24.0, y);
        for View { canvas, caption, labels } in row {
            let [w, h] = canvas.size().map(|n| n as f64 * scale);
            let data = base64(&png(canvas));
            let _ = writeln!(
                body,
                "<image x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" href=\"data:image/png;base64,{data}\"/>\n\
                 <path d=\"M{x:.1} {y:.1}h{w:.1}v{h:.1}h-{w:.1}z\" fill=\"none\" stroke=\"#ddd\"/>\n\
                 <text x=\"{x:.1}\" y=\"{:.1}\" fill=\"#333\">{}</text>",
                y + h + 17.0,
                escape(caption)
            );
            for ([u, v], words) in labels {
                let _ = writeln!(
                    body,
                    "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#333\">{}</text>",
                    x + u * scale,
                    y + v * scale,
                    escape(words)
                );
            }
            (x, lowest) = (x + w + GAP, f64::max(lowest, y + h + 34.0));
        }
        y = lowest;
    }
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"24\" y=\"28\" fill=\"#333\" font-size=\"16\" font-weight=\"bold\">{}</text>\n{body}</svg>\n",
        y + 8.0,
        escape(title)
    );
    Picture { name, svg }
}
