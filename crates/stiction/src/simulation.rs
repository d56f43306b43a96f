//! The seam: what an engine is to the rest of the house.
//!
//! Servo loop, recording, replay, viewer and reports know engines by this trait alone. An engine knows no file, clock, thread, device or page. Several hands go in with their poses,
//! velocities and loads; each gets the wrench that it shall feel; several bodies come out, rigid or with a surface that moves. What an engine lacks (margins, contacts, a moving
//! surface) it leaves at the trait's default, and the rest does without.
//!
//! A tick is a row of [`columns`](mod@crate::columns) for each hand: those of [`HandTick`] first, then the engine's own.

use crate::columns::{Column, ColumnKind, Row, Words, columns};
use crate::friction::SlipState;
use crate::probe::Probe;
use crate::spatial::{Mat6, Pose, Rotation, Vec3, Vec6};
use crate::trace::{ContactTrace, Flags};

/// What one hand does in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandInput {
    /// Pose of the hand (world from the body that it holds). Where it is not known, it is not finite, and the engine keeps its last wrench.
    pub pose: Pose,
    /// Velocity of the hand (m/s, rad/s, in the world's axes); zero where it is not known.
    pub twist: Vec6,
    /// Load on the body that the hand holds, about the body's centre of mass, besides its weight (N, N m).
    pub load: Vec6,
}

impl HandInput {
    /// A hand that stands still and has no load on its body.
    pub fn at(pose: Pose) -> Self {
        HandInput { pose, twist: Vec6::zeros(), load: Vec6::zeros() }
    }

    /// A hand whose pose is not known.
    pub fn unknown() -> Self {
        let nowhere = nalgebra::Translation3::new(f64::NAN, f64::NAN, f64::NAN);
        HandInput::at(Pose::from_parts(nowhere, Rotation::identity()))
    }
}

/// A load of which the passivity controller knows that its work is not the engine's doing: a weight, or the push of another hand's body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KnownLoad {
    /// The load on the held body about its centre of mass (N, N m, world).
    pub wrench: Vec6,
    /// The body by whose motion the load does work (world from that body).
    pub mover: Pose,
    /// The held body in the axes of that one.
    pub held_in_mover: Pose,
}

/// What every engine tells of one hand in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandTick {
    /// Number of the tick, from 0; `u64::MAX` before the first.
    pub tick: u64,
    /// Pose of the hand that went in (world from the held body).
    pub hand: Pose,
    /// Pose of the held body after the tick (world from body).
    pub body: Pose,
    /// Centre of mass of the held body after the tick (m, world).
    pub centre: Vec3,
    /// Wrench that the hand shall feel (N, N m about the centre, world).
    pub wrench: Vec6,
    /// Loads that acted on the held body: its weight and what was given to the tick (N, N m).
    pub load: Vec6,
    /// Number of contacts of the held body.
    pub contacts: u32,
    /// What was noticed in the tick.
    pub flags: Flags,
    /// Loads whose work the passivity controller credits.
    pub known_loads: [KnownLoad; 2],
}

/// The columns of a [`HandTick`], with which every engine's table begins. (The known loads follow from the others and are not stored.)
pub const HAND_COLUMNS: [Column; 32] = {
    use ColumnKind::{Count, Real};
    columns! {
        Count => "tick";
        Real => "hand_x_m", "hand_y_m", "hand_z_m", "hand_qw", "hand_qx", "hand_qy", "hand_qz",
            "part_x_m", "part_y_m", "part_z_m", "part_qw", "part_qx", "part_qy", "part_qz",
            "centre_x_m", "centre_y_m", "centre_z_m",
            "wrench_fx_n", "wrench_fy_n", "wrench_fz_n", "wrench_tx_nm", "wrench_ty_nm", "wrench_tz_nm",
            "load_fx_n", "load_fy_n", "load_fz_n", "load_tx_nm", "load_ty_nm", "load_tz_nm";
        Count => "contacts";
        ColumnKind::Flags(Words::Known(Flags::NAMES)) => "flags"
    }
};

impl HandTick {
    /// Before the first tick: hand and body at a pose, and nothing touches.
    pub fn blank(pose: Pose) -> Self {
        HandTick { tick: u64::MAX, hand: pose, body: pose, centre: pose.translation.vector, ..HandTick::default() }
    }

    /// Adds the words of [`HAND_COLUMNS`] to a row.
    pub fn put(&self, row: &mut Row) {
        row.put(self.tick);
        for pose in [&self.hand, &self.body] {
            let q = pose.rotation.quaternion();
            pose.translation.vector.iter().chain([&q.w, &q.i, &q.j, &q.k]).for_each(|x| row.put_real(*x));
        }
        let rest = self.centre.iter().chain(self.wrench.iter()).chain(self.load.iter());
        rest.for_each(|x| row.put_real(*x));
        row.put(u64::from(self.contacts));
        row.put(u64::from(self.flags.0));
    }

    /// Reads the words of [`HAND_COLUMNS`], with no known loads; `None` if they are too few.
    pub fn take(words: &mut impl Iterator<Item = u64>) -> Option<HandTick> {
        let tick = words.next()?;
        let poses = [take_pose(words)?, take_pose(words)?];
        Some(HandTick {
            tick,
            hand: poses[0],
            body: poses[1],
            centre: take_reals::<3>(words)?.into(),
            wrench: take_reals::<6>(words)?.into(),
            load: take_reals::<6>(words)?.into(),
            contacts: words.next()? as u32,
            flags: Flags(words.next()? as u32),
            known_loads: [KnownLoad::default(); 2],
        })
    }
}

/// Reads so many real numbers.
pub(crate) fn take_reals<const N: usize>(words: &mut impl Iterator<Item = u64>) -> Option<[f64; N]> {
    let mut out = [0.0; N];
    for x in &mut out {
        *x = f64::from_bits(words.next()?);
    }
    Some(out)
}

fn take_pose(words: &mut impl Iterator<Item = u64>) -> Option<Pose> {
    let [x, y, z, w, i, j, k] = take_reals::<7>(words)?;
    let rotation = Rotation::new_unchecked(nalgebra::Quaternion::new(w, i, j, k));
    Some(Pose::from_parts(nalgebra::Translation3::new(x, y, z), rotation))
}

/// An area over which two bodies touch, as engines that integrate over areas show it.
#[derive(Clone, Copy, Debug)]
pub struct ContactArea<'a> {
    /// The numbers of the two bodies.
    pub bodies: [usize; 2],
    /// The number of the contact: the same while the same two convex parts touch.
    pub id: u64,
    /// The corners of the area in the contact plane, in order (m, world).
    pub outline: &'a [Vec3],
    /// Unit direction of the normal force on the second body.
    pub normal: Vec3,
    /// Where the normal force acts (m, world).
    pub centre: Vec3,
    /// Normal force (N).
    pub normal_force: f64,
    /// Friction on the second body (N, world).
    pub friction: Vec3,
    /// Torque of friction about the normal on the second body, about the centre (N m).
    pub torsion: f64,
    /// Largest depth (m).
    pub depth: f64,
    /// Whether it sticks or slides.
    pub state: SlipState,
}

/// An engine, as the rest of the house sees it.
pub trait Simulation: Send + std::fmt::Debug {
    /// Number of hands, from 0 on.
    fn hand_count(&self) -> usize;

    /// One tick of `period` seconds with these hands, one for each of [`hand_count`](Self::hand_count); hands that are missing count as unknown. Must not allocate, wait or
    /// print, and should not panic; a hand that is not known leaves its wrench as it was.
    fn tick(&mut self, hands: &[HandInput], period: f64);

    /// What the last tick did at a hand.
    fn hand(&self, hand: usize) -> HandTick;

    /// The columns of a tick's row: [`HAND_COLUMNS`], then the engine's own. The same for every hand and for the life of the engine.
    fn columns(&self) -> &[Column];

    /// Writes the row of a hand in the last tick: a word for each of [`columns`](Self::columns).
    fn record(&self, hand: usize, row: &mut Row);

    /// Number of bodies that are drawn, those that no hand holds among them.
    fn body_count(&self) -> usize;

    /// Where a body is after the last tick (world from body).
    fn body(&self, body: usize) -> Pose;

    /// Puts the body that a hand holds somewhere else and forgets what its contacts remember. Returns false, and changes nothing, if the pose is not finite.
    fn place(&mut self, hand: usize, pose: &Pose) -> bool;

    /// A copy that goes on from here by itself.
    fn fork(&self) -> Box<dyn Simulation>;

    /// Shows the contacts of a hand's body in the last tick, if the engine has contacts at points.
    fn contacts(&self, _hand: usize, _each: &mut dyn FnMut(&ContactTrace)) {}

    /// Shows the areas over which bodies touched in the last tick, if the engine knows areas. Must not allocate.
    fn areas(&self, _each: &mut dyn FnMut(&ContactArea)) {}

    /// The number of the body that a hand holds, where hands can let go of bodies and take others; `None` while it holds none.
    fn held_body(&self, hand: usize) -> Option<usize> {
        Some(hand)
    }

    /// Makes a hand let go of its body and take another one, or none, at the hand's next pose. Returns false, and changes nothing, if the engine's hands cannot do that or the body
    /// cannot be held.
    fn grab(&mut self, _hand: usize, _body: Option<usize>) -> bool {
        false
    }

    /// A probe that answers how far the body of a hand is from slipping, made once outside of the loop; `None` if the engine has no such margins.
    fn probe(&self, _hand: usize) -> Option<Probe> {
        None
    }

    /// Copies the last tick into a probe of this engine. Must not allocate.
    fn copy_to(&self, _hand: usize, _probe: &mut Probe) {}

    /// The vertices of a body whose surface moves (m, world), in the order of its mesh; `None` for rigid bodies.
    fn surface(&self, _body: usize) -> Option<&[Vec3]> {
        None
    }

    /// How the wrench that a hand feels changes with the hand's motion, by the last tick (N/m, N m/rad: the derivative with respect to a step of the hand, translation first). It serves the
    /// hand between the ticks of an engine that is slower than the loop; `None` lets the wrench stand.
    fn felt_stiffness(&self, _hand: usize) -> Option<Mat6> {
        None
    }

    /// Tells the engine, before a tick that is replayed, the row of that tick in the recording: for engines in which the time when something is ready matters.
    fn expect(&mut self, _hand: usize, _recorded: &Row) {}

    /// Number of ticks so far whose result is coarser because the limit of work ended them early.
    fn coarse_ticks(&self) -> u64 {
        0
    }

    /// Goes on from where another engine of the same bodies is: poses, and what contacts remember as far as both remember alike. For a change of settings in a live session.
    fn go_on_from(&mut self, other: &dyn Simulation) {
        for hand in 0..self.hand_count().min(other.hand_count()) {
            self.place(hand, &other.hand(hand).body);
        }
    }

    /// The engine itself, for engines that know how to go on from their own kind.
    fn as_any(&self) -> &dyn std::any::Any;
}

impl Clone for Box<dyn Simulation> {
    fn clone(&self) -> Self {
        self.fork()
    }
}
