//! The worlds of the contact volume paper's experiments, for figures and for the study of `stiction-volume`, which shares this file.

use stiction::coupling::Coupling;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, exp, join};
use stiction_volume::{
    Body, ContactCoefficients, ContactMethod, Convex, Grip, VolumeEngine, VolumeHand, VolumeSettings,
};

/// The paper's acceleration of gravity (m/s²).
pub const GRAVITY: f64 = 9.8;

/// Bodies, hands and settings, of which an engine is made.
#[derive(Clone, Debug)]
pub struct VolumeWorld {
    /// Settings of the engine.
    pub settings: VolumeSettings,
    /// The bodies; the floor is the first.
    pub bodies: Vec<Body>,
    /// The hands.
    pub hands: Vec<VolumeHand>,
}

impl VolumeWorld {
    /// A world with a floor whose upper side is z = 0.
    pub fn on_floor(half: f64, period: f64, method: ContactMethod) -> Result<VolumeWorld, String> {
        let coupling = Coupling { stiffness: 2000.0, torsion: 1e-3, max_force: 1000.0, max_torque: 10.0 };
        let contact = ContactCoefficients { mu_static: 0.5, mu_kinetic: 0.5, ..ContactCoefficients::default() };
        let gravity = -Vec3::z() * GRAVITY;
        let settings = VolumeSettings { period, gravity, contact, method, coupling, grip_damping: 0.0 };
        let floor = Body::fixed(vec![cuboid(half, half, 0.5 * half)?], Pose::translation(0.0, 0.0, -0.5 * half));
        Ok(VolumeWorld { settings, bodies: vec![floor], hands: Vec::new() })
    }

    /// The engine at its start.
    pub fn engine(&self) -> Result<VolumeEngine, String> {
        VolumeEngine::new(self.settings, self.bodies.clone(), Vec::new(), self.hands.clone()).map_err(|e| e.to_string())
    }

    /// Ticks of so many seconds.
    pub fn ticks(&self, seconds: f64) -> usize {
        (seconds / self.settings.period).round() as usize
    }

    /// One more body that a hand is.
    pub fn device(&mut self, body: Body) {
        self.hands.push(VolumeHand { holds: Some(self.bodies.len()), grip: Grip::Device });
        self.bodies.push(body);
    }
}

/// A box by its half edges.
pub fn cuboid(x: f64, y: f64, z: f64) -> Result<Convex, String> {
    let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
    let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new(sign(i & 1) * x, sign(i & 2) * y, sign(i & 4) * z)).collect();
    Convex::of_points(&corners).map_err(|e| e.to_string())
}

/// A block of 1 m × 1 m × 2 m and 1 kg that lies along x.
fn block(at: Vec3) -> Result<Body, String> {
    Ok(Body::new(vec![cuboid(1.0, 0.5, 0.5)?], 1.0, Pose::translation(at.x, at.y, at.z)))
}

/// Walls of blocks: 3, 6, 10 or 13, or walls of ten.
pub fn walls(count: usize, period: f64, method: ContactMethod) -> Result<VolumeWorld, String> {
    let (rows, number): (&[usize], usize) = match count {
        3 => (&[2, 1], 1),
        6 => (&[3, 2, 1], 1),
        13 => (&[5, 4, 3, 1], 1),
        _ => (&[4, 3, 2, 1], count / 10),
    };
    let mut world = VolumeWorld::on_floor(20.0, period, method)?;
    for wall in 0..number {
        let y = 2.0 * (wall as f64 - 0.5 * (number - 1) as f64);
        for (level, row) in rows.iter().enumerate() {
            for i in 0..*row {
                let x = 2.2 * (i as f64 - 0.5 * (*row - 1) as f64);
                world.bodies.push(block(Vec3::new(x, y, 0.5 + level as f64))?);
            }
        }
    }
    Ok(world)
}

/// A column of blocks that lie on each other, in equilibrium on contacts of a stiffness, with a disturbance sideways.
pub fn column(count: usize, stiffness: f64, disturbance: f64) -> Result<VolumeWorld, String> {
    let mut world = VolumeWorld::on_floor(20.0, 0.005, ContactMethod::Volume)?;
    world.settings.contact.normal_stiffness = Some(stiffness);
    let mut sunk = 0.0;
    for i in 0..count {
        sunk += (count - i) as f64 * GRAVITY / stiffness;
        let mut body = block(Vec3::new(0.0, 0.0, 0.5 + i as f64 - sunk))?;
        let share = (i + 1) as f64 / count as f64;
        body.twist = join(Vec3::y() * (disturbance * share * share), Vec3::zeros());
        world.bodies.push(body);
    }
    Ok(world)
}

/// The paper's cube of 2 m, its lowest edge 1 m above the floor, tilted about y.
pub fn dropped_cube(tilt: f64, method: ContactMethod) -> Result<VolumeWorld, String> {
    let mut world = VolumeWorld::on_floor(20.0, 0.01, method)?;
    world.settings.contact.normal_stiffness = Some(1500.0);
    world.settings.contact.normal_damping = Some(1.5);
    let height = 1.0 + tilt.cos() + tilt.sin();
    let pose = Pose::from_parts((Vec3::z() * height).into(), exp(&(Vec3::y() * tilt)));
    world.bodies.push(Body::new(vec![cuboid(1.0, 1.0, 1.0)?], 1.0, pose));
    Ok(world)
}

/// Stiffness of the spring that pulls the weight (N/m), its speed (m/s), and the mass (kg).
pub const PULL: [f64; 3] = [400.0, 0.0642, 2.0];

/// The paper's weight, which a hand's spring pulls, with a damper beside the spring (N s/m).
pub fn stick_slip(damping: f64, method: ContactMethod) -> Result<VolumeWorld, String> {
    let [stiffness, _, mass] = PULL;
    let mut world = VolumeWorld::on_floor(5.0, 0.001, method)?;
    world.settings.contact.mu_static = 0.265;
    world.settings.contact.mu_kinetic = 0.160;
    world.settings.coupling.stiffness = stiffness;
    world.settings.grip_damping = damping / (2.0 * (stiffness * mass).sqrt());
    world.hands.push(VolumeHand { holds: Some(world.bodies.len()), grip: Grip::Spring });
    let weight = cuboid(0.05, 0.05, 0.025)?;
    world.bodies.push(Body::new(vec![weight], mass, Pose::translation(0.0, 0.0, 0.025)));
    Ok(world)
}

/// The hand that pulls the weight at a time.
pub fn pulling(t: f64) -> HandInput {
    let [_, speed, _] = PULL;
    let twist = join(Vec3::x() * speed, Vec3::zeros());
    HandInput { twist, ..HandInput::at(Pose::translation(speed * t, 0.0, 0.025)) }
}

/// Farthest that a block is from where it began (m), and the speed of the fastest (m/s).
pub fn moved(world: &VolumeWorld, engine: &VolumeEngine) -> [f64; 2] {
    world.bodies.iter().zip(engine.bodies()).skip(1).fold([0.0, 0.0], |[far, fast], (start, now)| {
        let way = (now.pose.translation.vector - start.world_from_body.translation.vector).norm();
        [f64::max(far, way), f64::max(fast, now.velocity.norm())]
    })
}

/// Two shovels, which are devices, and six blocks of 4 cm in a row along y: which body is what, and when what happens.
pub struct Shovels;

/// The stroke with which the block is thrown: it begins slowly, and its speed at the end is what a parabola needs (m/s).
const THROW: f64 = 1.0;

impl Shovels {
    /// The left shovel's body.
    pub const LEFT: usize = 1;
    /// The right shovel's body.
    pub const RIGHT: usize = 2;
    /// The first of the blocks: the one that is lifted.
    pub const BLOCK: usize = 3;
    /// Length of the experiment (s).
    pub const SECONDS: f64 = 9.0;
    /// When the blades have closed (s).
    pub const CLOSED: f64 = 1.0;
    /// How far the block is lifted (m).
    pub const LIFT: f64 = 0.1;
    /// From when to when it is held still (s).
    pub const HELD: [f64; 2] = [2.0, 7.0];
    /// When the blades open (s).
    pub const OPENED: f64 = 7.2;
    /// Half the edge of a block (m), and how deep a blade presses into it (m).
    const HALF: f64 = 0.02;
    const PRESS: f64 = 1e-3;

    /// The devices at a time.
    pub fn hands(t: f64) -> [HandInput; 2] {
        let [h, v] = [Self::height(t), (Self::height(t + 1e-6) - Self::height(t - 1e-6)) / 2e-6];
        [-1.0, 1.0].map(|side| {
            let way = |t: f64| side * Self::gap(t);
            let across = (way(t + 1e-6) - way(t - 1e-6)) / 2e-6;
            HandInput {
                twist: join(Vec3::new(across, 0.0, v), Vec3::zeros()),
                ..HandInput::at(Pose::translation(way(t), 0.0, Self::HALF + h))
            }
        })
    }

    /// Distance of a blade's middle from that of the block: closes in the first second, and opens to throw.
    fn gap(t: f64) -> f64 {
        let closed = Self::HALF + 0.003 - Self::PRESS;
        let opened = 0.03 * ((t - Self::OPENED) / 0.05).max(0.0).powi(2).min(4.0);
        closed + 0.02 * (1.0 - smooth(t / Self::CLOSED)) + opened
    }

    /// Height of the blades over where they begin.
    fn height(t: f64) -> f64 {
        let lifted = Self::LIFT * smooth((t - Self::CLOSED) / (Self::HELD[0] - Self::CLOSED));
        // Speeds up evenly until the blades open, then slows down.
        let stroke = Self::OPENED - Self::HELD[1];
        let (up, down) = ((t - Self::HELD[1]).clamp(0.0, stroke), (t - Self::OPENED).clamp(0.0, stroke));
        lifted + 0.5 * THROW / stroke * up * up + THROW * (down - 0.5 * down * down / stroke)
    }
}

/// From 0 to 1 with a speed of zero at both ends.
fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Floor, shovels and blocks.
pub fn shovels() -> Result<VolumeWorld, String> {
    let mut world = VolumeWorld::on_floor(1.0, 0.001, ContactMethod::Volume)?;
    world.settings.contact.mu_kinetic = 0.4;
    let starts = Shovels::hands(0.0);
    for (start, side) in starts.iter().zip([-1.0, 1.0]) {
        let posed = |half: [f64; 3], at: [f64; 3]| -> Result<Convex, String> {
            let points: Vec<Vec3> =
                cuboid(half[0], half[1], half[2])?.points().iter().map(|p| p + Vec3::from(at)).collect();
            Convex::of_points(&points).map_err(|e| e.to_string())
        };
        // The blade, a back that stiffens it, and a handle.
        let blade = posed([0.003, 0.025, 0.015], [0.0, 0.0, 0.0])?;
        let back = posed([0.01, 0.025, 0.003], [side * 0.013, 0.0, 0.012])?;
        let handle = posed([0.03, 0.008, 0.008], [side * 0.053, 0.0, 0.007])?;
        world.device(Body::new(vec![blade, back, handle], 0.2, start.pose));
    }
    for i in 0..6 {
        let block = cuboid(Shovels::HALF, Shovels::HALF, Shovels::HALF)?;
        world.bodies.push(Body::new(vec![block], 0.05, Pose::translation(0.0, 0.08 * f64::from(i), Shovels::HALF)));
    }
    Ok(world)
}
