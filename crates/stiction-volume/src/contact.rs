//! Contacts of pairs of convex parts: normal force, friction and its states. The paper's 4.5, 4.6 and figure 8.
//!
//! All forces are those on body b; n is from a to b, v = v_b - v_a. So the normal damper is -b_N v_N and friction is against v for both of its kinds: the printed (9) and (13) act on a, (18) and (25) on b.
//!
//! About the area's centre, with ρ² the square of its radius of gyration, the springs and dampers of static friction give f_S = -k_S r', m_S = -k_S ρ² θ' ((21) to (29)), with
//! r' = r + v b_S/k_S and θ' likewise. The largest static friction in the direction of that displacement is (f_M, m_M) ((13) with µ0).
//!
//! Deviation: figure 8 compares ‖f_S‖ with ‖f_M‖ and ‖m_S‖ with ‖m_M‖. The second comparison depends on the origin of moments, is 0 against 0 in pure translation, and lets go at half of the friction that
//! there is when an area that is pulled straight turns ever so little: m_S grows with θ, but only the part of θ × p across r turns the direction of f_M. Here the virtual works of both in the displacement are
//! compared, f_S·r' + m_S θ' with f_M·r' + m_M θ': one number, the same about every origin, and equal to figure 8's first comparison in pure translation.

use crate::geometry::GjkMemory;
use crate::patch::{Directed, Displacement, MOST_OUTLINE, Moments, PlaneAxes, Vec2};
use stiction::spatial::Vec3;

/// State of friction of a contact (figure 8; a pair that does not touch has none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionState {
    /// Springs hold.
    #[default]
    Static,
    /// It slides.
    Dynamic,
}

/// What a pair of convex parts that touch remembers from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMemory {
    /// Normal of the contact plane.
    pub normal: Vec3,
    /// Depth along the normal (m).
    pub depth: f64,
    /// Displacement r of the springs of static friction (m, world, in the plane).
    pub r: Vec3,
    /// Their rotation θ about the normal (rad).
    pub theta: f64,
    /// Centre of the contact area to which r belongs (m, world).
    pub centre: Vec3,
    /// State of friction.
    pub state: FrictionState,
    /// Area (m²) and ρ² (m²) in the last step.
    pub springs: [f64; 2],
    /// Stiffness by area of the last step (N/m³), and its share of what coefficients and area would give.
    pub modulus: [f64; 2],
    /// Normal stiffness that it had as a device's contact, or may have since then (N/m); zero for one that never was, or that is as stiff as others again.
    pub eased: f64,
    /// Memory of the search for nearest points of the parted parts.
    pub parted: GjkMemory,
}

/// Coefficients of a contact in force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coefficients {
    /// k_N and b_N (N/m, N s/m), before they are spread over the area.
    pub normal: [f64; 2],
    /// k_S and b_S (N/m, N s/m). The damper is in the displacement: see [`Contact::displacement`].
    pub tangential: [f64; 2],
    /// The most that the normal stiffness may be (N/m): what a device renders, infinite without one.
    pub most: f64,
    /// µ0 and µ.
    pub mu: [f64; 2],
}

/// A contact in a step.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The bodies a and b.
    pub bodies: [usize; 2],
    /// The convex parts, numbered through all bodies.
    pub pieces: [u32; 2],
    /// Axes of the contact plane; their origin is the area's centre.
    pub axes: PlaneAxes,
    /// Moments about the area's centre.
    pub moments: Moments,
    /// Depth along the normal (m).
    pub depth: f64,
    /// Relative velocity of b at the centre (m/s, world).
    pub velocity: Vec3,
    /// Relative angular velocity of b (rad/s, world).
    pub spin: Vec3,
    /// Displacement of the springs with what dampers add.
    pub displacement: Displacement,
    /// The integral of directed friction for that displacement.
    pub directed: Directed,
    /// Its coefficients, before they are shared with other contacts of the two bodies.
    pub coefficients: Coefficients,
    /// Share of those coefficients that is this contact's.
    pub share: f64,
    /// Normal force (N).
    pub normal_force: f64,
    /// Friction on b (N, world).
    pub friction: Vec3,
    /// Moment of friction on b about the normal at the centre (N m).
    pub torsion: f64,
    /// Energy in the springs (J).
    pub energy: f64,
    /// Corners of the area in the plane, from its centre.
    pub outline: [Vec2; MOST_OUTLINE],
    /// Number of those corners.
    pub corners: usize,
    /// State of friction.
    pub state: FrictionState,
    /// Where the contact is remembered.
    pub(crate) record: usize,
}

/// A wrench on body b about the centre of the contact area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactWrench {
    /// Force (N, world).
    pub force: Vec3,
    /// Moment (N m, world).
    pub moment: Vec3,
}

impl Contact {
    /// A contact without area and forces.
    pub(crate) fn new(bodies: [usize; 2], pieces: [u32; 2], axes: PlaneAxes) -> Contact {
        Contact {
            bodies,
            pieces,
            axes,
            moments: Moments::default(),
            depth: 0.0,
            velocity: Vec3::zeros(),
            spin: Vec3::zeros(),
            displacement: Displacement::default(),
            directed: Directed::default(),
            coefficients: Coefficients::default(),
            share: 1.0,
            normal_force: 0.0,
            friction: Vec3::zeros(),
            torsion: 0.0,
            energy: 0.0,
            outline: [Vec2::zeros(); MOST_OUTLINE],
            corners: 0,
            state: FrictionState::Static,
            record: 0,
        }
    }

    /// Where the normal force acts, from the area's centre in the plane (m).
    pub fn centre_of_pressure(&self) -> Vec2 {
        self.moments.pressed - self.moments.first
    }

    /// Forces of the contact on b about the area's centre; moves the memory on. (5) to (29)
    pub fn force(&mut self, memory: &mut ContactMemory) -> ContactWrench {
        let k = self.coefficients;
        let (axes, m) = (self.axes, self.moments);
        let [kn, bn] = k.normal.map(|x| x * self.share);
        let ks = k.tangential[0] * self.share;
        // (7), (11): depth and velocity at the centre. The first moments about it vanish.
        let mean_depth = m.volume / m.area;
        let spring = kn * mean_depth;
        let normal_force = (spring - bn * axes.n.dot(&self.velocity)).max(0.0);
        // (8), and (12) corrected: -b_N M (n × ω), with M the second moments by area.
        let turn = axes.flat(&axes.n.cross(&self.spin));
        let damped =
            Vec2::new(m.second[0] * turn.x + m.second[1] * turn.y, m.second[1] * turn.x + m.second[2] * turn.y);
        let mut lever = self.centre_of_pressure() * spring - damped * bn;
        // Pressure does not pull: its centre is within the area. Twice the radius of gyration is beyond any point of a rectangle.
        let most = 2.0 * (m.gyration().sqrt()) * normal_force;
        let length = lever.norm();
        if length > most {
            lever *= if length > 0.0 { most / length } else { 0.0 };
        }
        let normal_moment = axes.lift(&lever).cross(&axes.n);

        let gyration = m.gyration();
        let Displacement { r, theta } = self.displacement;
        // Work of the static springs in their displacement, and of friction of coefficient 1.
        let held = ks * (r.norm_squared() + gyration * theta * theta);
        let by_mu = normal_force / m.volume;
        let limit = by_mu * (self.directed.force.dot(&r) + self.directed.moment * theta);
        memory.state = match memory.state {
            FrictionState::Static if held > k.mu[0] * limit => FrictionState::Dynamic,
            FrictionState::Dynamic if held < k.mu[1] * limit => FrictionState::Static,
            state => state,
        };
        let (force, moment) = match memory.state {
            FrictionState::Static => (r * ks, ks * gyration * theta),
            FrictionState::Dynamic => {
                let size = k.mu[1] * by_mu;
                let (force, moment) = (self.directed.force * size, self.directed.moment * size);
                // Figure 8: r and θ such that f_S = f_D and m_S = m_D, without the dampers, which are zero where sliding ends.
                let stiff = ks * gyration;
                let limited = Displacement {
                    r: if ks > 0.0 { force / ks } else { Vec2::zeros() },
                    theta: if stiff > 0.0 { moment / stiff } else { 0.0 },
                };
                memory.r = axes.lift(&limited.r);
                memory.theta = limited.theta;
                (force, moment)
            }
        };
        self.state = memory.state;
        self.normal_force = normal_force;
        self.friction = -axes.lift(&force);
        self.torsion = -moment;
        self.energy = 0.5 * kn * mean_depth * mean_depth
            + 0.5 * ks * (memory.r.norm_squared() + gyration * memory.theta * memory.theta);
        ContactWrench { force: axes.n * normal_force + self.friction, moment: normal_moment + axes.n * self.torsion }
    }
}

impl Coefficients {
    /// b_S/k_S (s), with k_S times a share: how long a velocity lasts until it is a displacement of the static springs that does what the dampers do.
    pub(crate) fn lag(&self, share: f64) -> f64 {
        let stiffness = self.tangential[0] * share;
        if stiffness > 0.0 { self.tangential[1] / stiffness } else { 0.0 }
    }
}

impl Contact {
    /// Keeps the stiffness by area from rising while parts touch, and that of a device's contact below what the device renders.
    ///
    /// Deviation: (5) spreads k_N over the area of each step. So springs become stiffer by area, while they are pressed, where the area becomes smaller: energy of nothing, by which a cube on a slope that
    /// friction holds lifts its upper edge, comes down on it, and walks down the slope. Springs whose stiffness by area stays are those of an elastic bed, which keeps its energy. Parts that come from a face
    /// onto an edge without leaving each other stand softer by that than in the paper.
    ///
    /// Where a hand lets go, the stiffness rises slowly from the device's to what it would be: by its own size in [`EASE`] steps.
    pub(crate) fn limit_stiffness(&mut self, memory: &mut ContactMemory) {
        let (wanted, device) =
            (self.coefficients.normal[0] * self.share / self.moments.area, self.coefficients.most.is_finite());
        let before = memory.modulus[0];
        let modulus = if before > 0.0 && !device { wanted.min(before) } else { wanted };
        let mut share = modulus / wanted;
        if !share.is_finite() {
            return;
        }
        memory.modulus = [modulus, share];
        if device {
            memory.eased = self.coefficients.most;
        } else {
            memory.eased *= 1.0 + 1.0 / EASE;
        }
        let stiffness = self.coefficients.normal[0] * share;
        if memory.eased > 0.0 && memory.eased < stiffness {
            share *= memory.eased / stiffness;
        } else if !device {
            memory.eased = 0.0;
        }
        self.coefficients.normal[0] *= share;
        self.coefficients.tangential[0] *= share;
    }
}

/// Steps in which the stiffness of a contact rises by its own size after a hand has let go.
const EASE: f64 = 100.0;

impl ContactMemory {
    /// Takes the springs along to a new contact plane, centre and area: turned by the mean rotation of both bodies since the last step, moved by their relative motion. (20)
    ///
    /// Deviation: the paper's springs are spread anew over the area of each step, stretched as they are. Where the area grows or moves that makes energy of nothing, k_S/S_c times S_c (|r|² + ρ² θ²)/2, enough to
    /// keep a body rocking for ever. Area that is new is not stretched: r and θ are reduced until there is no more energy than before.
    pub(crate) fn follow(&mut self, axes: &PlaneAxes, springs: [f64; 2], moved: &RelativeMotion) {
        let carried = self.r + self.normal.cross(&(axes.origin - self.centre)) * self.theta;
        let carried = carried + moved.mean_turn.cross(&carried);
        let carried = carried - axes.n * axes.n.dot(&carried);
        let energy =
            |[area, gyration]: [f64; 2], r: &Vec3| area * (r.norm_squared() + gyration * self.theta * self.theta);
        let (before, after) = (energy(self.springs, &self.r), energy(springs, &carried));
        let kept = if after > before { (before / after).sqrt() } else { 1.0 };
        let shift = moved.shift - axes.n * axes.n.dot(&moved.shift);
        self.r = carried * kept + shift;
        self.theta = self.theta * kept + moved.turn.dot(&axes.n);
        (self.centre, self.normal, self.springs) = (axes.origin, axes.n, springs);
    }
}

/// How two bodies moved against each other in a step, at the centre of their contact area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeMotion {
    /// Motion of b (m).
    pub shift: Vec3,
    /// Rotation of b (rad).
    pub turn: Vec3,
    /// Mean of both bodies' rotations (rad).
    pub mean_turn: Vec3,
}
