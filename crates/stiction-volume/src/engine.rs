//! The engine: many bodies, joints and hands, one step at a time.
//!
//! # A step
//!
//! 1. Hands: a device is its body, which goes where the device is; others pull their body by a spring.
//! 2. Contacts of all pairs of convex parts at these poses (`detect.rs`), and their forces at these velocities ([`crate::contact`]).
//! 3. Newton and Euler, (1) and (2) with the gyroscopic torque ω × I ω that (2) omits, by semi-implicit Euler: velocities by forces, then poses by the new velocities. Joints and stiff grips
//!    take part implicitly (`system.rs`).
//!
//! # Rotation
//!
//! The angular momentum L = I ω is stepped by the torque, L' = L + h τ. The rotation goes on by ω at the middle of the step, R' = exp(h ω_m) R with ω_m = I(R_m)⁻¹ L' and R_m = exp(h/2 I(R)⁻¹ L') R, and ω' = I(R')⁻¹ L'.
//! So a body without torque keeps its angular momentum to rounding, and its energy to second order in h.

use crate::body::{Body, BodyMotion, BodyState};
use crate::buffer::Buffer;
use crate::coefficients::{Loaded, check, check_friction, coefficients, share};
use crate::contact::Contact;
use crate::detect::{Detection, Detector};
use crate::error::VolumeError;
use crate::hand::{HandState, Seen, part_of_way};
use crate::joint::Joint;
use crate::model::{Model, Piece};
use crate::rows::{JointModel, JointRow, MOST_ROWS, blocks};
use crate::settings::{ContactMethod, Grip, VolumeHand, VolumeSettings};
use crate::system::System;
use crate::tick::VolumeTick;
use nalgebra::Point3;
use std::sync::Arc;
use stiction::simulation::{HandInput, KnownLoad};
use stiction::spatial::{Frame, Mat3, Mat6, Pose, Rotation, Vec3, Vec6, exp, halves, join, log};
use stiction::trace::Flags;

/// Most hands of an engine.
pub const MOST_HANDS: usize = 2;

/// Depth in units of the smaller part's radius from which bodies may not begin in each other.
const BEGIN_DEPTH: f64 = 0.1;
/// Share of the thinnest part's thickness by which a device may move its body in a tick, and of a part's width along the contact normal that its contacts may be deep.
const THIN: f64 = 0.25;
/// Share of its radius by which a free body may move in a tick, and angle by which it may turn (rad).
const FAST: f64 = 0.5;
/// h² k/m up to which a grip's spring is explicit, and exact in its energy.
const SOFT: f64 = 0.25;

/// An engine of rigid bodies that touch over areas.
#[derive(Clone, Debug)]
pub struct VolumeEngine {
    settings: VolumeSettings,
    model: Arc<Model>,
    /// Friction of pairs of bodies that have their own; sorted.
    friction: Arc<Vec<([usize; 2], [f64; 2])>>,
    joints: Arc<Vec<JointModel>>,
    states: Vec<BodyState>,
    /// How each body moved and turned in the last step, about its centre.
    steps: Vec<Vec6>,
    /// By body: the inverse of its moments of inertia in the world's axes, zero where no force moves it.
    inverse_inertia: Vec<Mat3>,
    /// By body: the hand whose device it is.
    devices: Vec<Option<usize>>,
    hands: Vec<HandState>,
    detector: Detector,
    contacts: Buffer<Contact>,
    order: Buffer<u32>,
    system: System,
    ticks: u64,
    flags: Flags,
    potential: f64,
}

impl VolumeEngine {
    /// An engine at its start.
    ///
    /// # Errors
    /// [`VolumeError`] says which body, joint, hand or coefficient it refuses, and what would do.
    pub fn new(
        settings: VolumeSettings,
        bodies: Vec<Body>,
        joints: Vec<Joint>,
        hands: Vec<VolumeHand>,
    ) -> Result<VolumeEngine, VolumeError> {
        let mut model = Model::new(&bodies)?;
        check(&settings, &model)?;
        let states: Vec<BodyState> = bodies.iter().zip(&model.bodies).map(|(b, m)| state(b, &m.centre)).collect();
        for (number, joint) in joints.iter().enumerate() {
            joint.check(number, &model)?;
            if !joint.collide {
                let [a, b] = joint.bodies;
                model.apart.push([a.min(b), a.max(b)]);
            }
        }
        model.apart.sort_unstable();
        check_hands(&hands, &model)?;
        let joints: Vec<JointModel> =
            joints.into_iter().map(|j| JointModel::new(j, &model, &states, settings.period)).collect();
        let pairs: Vec<[usize; 2]> = joints.iter().map(|j| j.joint.bodies).collect();
        let free = |b: &usize| model.bodies[*b].motion == BodyMotion::Free;
        let members: Vec<usize> = pairs.iter().flatten().copied().filter(free).collect();
        let pieces = model.pieces.len();
        let most_pairs = (pieces * pieces.saturating_sub(1) / 2).min(24 * pieces + 64).max(1);
        let held = |hand: &VolumeHand| hand.holds.map_or_else(Pose::identity, |b| states[b].pose);
        let mut engine = VolumeEngine {
            settings,
            friction: Arc::default(),
            system: System::new(bodies.len(), &members, &pairs),
            joints: Arc::new(joints),
            steps: vec![Vec6::zeros(); bodies.len()],
            inverse_inertia: vec![Mat3::zeros(); bodies.len()],
            devices: vec![None; bodies.len()],
            hands: hands.iter().map(|hand| HandState::new(hand, &held(hand))).collect(),
            detector: Detector::new(&model, most_pairs),
            contacts: Buffer::with_capacity(most_pairs),
            order: Buffer::with_capacity(most_pairs),
            ticks: 0,
            flags: Flags::default(),
            potential: 0.0,
            model: Arc::new(model),
            states,
        };
        engine.mark_devices();
        for hand in 0..engine.hands.len() {
            if let Some(body) = engine.hands[hand].holds {
                engine.hands[hand].tick.hand.centre = engine.states[body].centre;
            }
        }
        engine.begin_apart()?;
        Ok(engine)
    }

    /// Refuses bodies that begin in each other.
    fn begin_apart(&self) -> Result<(), VolumeError> {
        let mut trial = self.clone();
        trial.detect();
        let radius = |piece: u32| self.model.pieces[piece as usize].convex.radius();
        let deep = |c: &&Contact| c.depth > BEGIN_DEPTH * radius(c.pieces[0]).min(radius(c.pieces[1]));
        match trial.contacts.iter().find(deep) {
            Some(c) => Err(VolumeError::BeginTogether(c.bodies[0], c.bodies[1], c.depth)),
            None => Ok(()),
        }
    }

    /// Gives the contacts of two bodies their own coefficients of static and kinetic friction.
    ///
    /// # Errors
    /// [`VolumeError`] if there are no such bodies or coefficients.
    pub fn set_friction(&mut self, bodies: [usize; 2], mu_static: f64, mu_kinetic: f64) -> Result<(), VolumeError> {
        check_friction(mu_static, mu_kinetic)?;
        if let Some(body) = bodies.into_iter().find(|b| *b >= self.states.len()) {
            return Err(VolumeError::BadBody {
                what: "a pair with its own friction".into(),
                body,
                why: "there is no such body",
            });
        }
        let key = [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])];
        let table = Arc::make_mut(&mut self.friction);
        match table.binary_search_by_key(&key, |entry| entry.0) {
            Ok(at) => table[at].1 = [mu_static, mu_kinetic],
            Err(at) => table.insert(at, (key, [mu_static, mu_kinetic])),
        }
        Ok(())
    }

    /// The settings.
    pub fn settings(&self) -> &VolumeSettings {
        &self.settings
    }

    /// The bodies after the last step.
    pub fn bodies(&self) -> &[BodyState] {
        &self.states
    }

    /// Mass (kg) and moments of inertia about the centre of mass, in the body's axes (kg m²).
    pub fn mass_of(&self, body: usize) -> (f64, Mat3) {
        let body = &self.model.bodies[body];
        (body.mass, body.inertia)
    }

    /// The contacts of the last step.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Pairs of convex parts whose bounding boxes overlapped in the last step.
    pub fn near_pairs(&self) -> usize {
        self.detector.records().len()
    }

    /// What was noticed in the last step, in the whole world.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Steps so far.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Number of hands.
    pub fn hand_count(&self) -> usize {
        self.hands.len()
    }

    /// The body that a hand holds.
    pub fn held(&self, hand: usize) -> Option<usize> {
        let hand = self.hands.get(hand)?;
        hand.wanted.unwrap_or(hand.holds)
    }

    /// What the last tick did at a hand.
    ///
    /// # Panics
    /// If there is no such hand.
    pub fn last(&self, hand: usize) -> &VolumeTick {
        &self.hands[hand].tick
    }

    /// Makes a hand hold another body, or none, from its next pose on. Returns false, and changes nothing, for a body that is not there, never moves, or is in another hand.
    pub fn grab(&mut self, hand: usize, body: Option<usize>) -> bool {
        let taken =
            |b: usize| self.hands.iter().enumerate().any(|(i, h)| i != hand && h.wanted.unwrap_or(h.holds) == Some(b));
        let allowed = |b: usize| self.model.bodies.get(b).is_some_and(|m| m.motion == BodyMotion::Free) && !taken(b);
        if hand >= self.hands.len() || !body.is_none_or(allowed) {
            return false;
        }
        self.hands[hand].wanted = Some(body);
        true
    }

    /// Puts the body that a hand holds somewhere else, at rest, with contacts that remember nothing. Returns false if it holds none or the pose is not one.
    pub fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        let Some(body) = self.hands.get(hand).and_then(|h| h.holds) else { return false };
        if !crate::hand::is_pose(pose) {
            return false;
        }
        let state = &mut self.states[body];
        state.pose = *pose;
        state.centre = (pose * Point3::from(self.model.bodies[body].centre)).coords;
        (state.velocity, state.spin) = (Vec3::zeros(), Vec3::zeros());
        self.steps[body] = Vec6::zeros();
        self.detector.forget(&self.model, body);
        let hand = &mut self.hands[hand];
        (hand.pose, hand.hand_from_body, hand.begun) = (*pose, Pose::identity(), false);
        (hand.tick.hand.body, hand.tick.hand.centre) = (*pose, state.centre);
        true
    }

    /// Goes on from where another engine of as many bodies is. Returns false if it has other bodies.
    pub fn go_on_from(&mut self, other: &VolumeEngine) -> bool {
        if other.states.len() != self.states.len() || other.hands.len() != self.hands.len() {
            return false;
        }
        self.states.clone_from(&other.states);
        self.steps.clone_from(&other.steps);
        if other.model.pieces.len() == self.model.pieces.len() {
            self.detector = other.detector.clone();
        }
        for (mine, theirs) in self.hands.iter_mut().zip(&other.hands) {
            let grip = mine.grip;
            mine.clone_from(theirs);
            mine.grip = grip;
        }
        self.ticks = other.ticks;
        self.mark_devices();
        true
    }

    /// Energy (J): kinetic, and of weight, springs of contacts, friction and joints.
    pub fn energy(&self) -> [f64; 2] {
        let kinetic = |(state, model): (&BodyState, &crate::model::ModelBody)| match model.motion {
            BodyMotion::Fixed => 0.0,
            BodyMotion::Free => {
                let spin = state.pose.rotation.inverse() * state.spin;
                0.5 * (model.mass * state.velocity.norm_squared() + spin.dot(&(model.inertia * spin)))
            }
        };
        [self.states.iter().zip(&self.model.bodies).map(kinetic).sum(), self.potential]
    }

    /// One step with these hands; hands that are missing count as unknown. Allocates nothing.
    pub fn tick(&mut self, hands: &[HandInput]) {
        self.flags = Flags::default();
        for hand in 0..self.hands.len() {
            let input = hands.get(hand).copied().unwrap_or(HandInput::unknown());
            self.move_hand(hand, &input);
        }
        self.detect();
        self.contact_forces();
        self.move_bodies();
        self.tell(hands);
        self.ticks = self.ticks.wrapping_add(1);
    }

    /// The time since the start (s).
    fn time(&self) -> f64 {
        self.ticks as f64 * self.settings.period
    }

    fn mark_devices(&mut self) {
        self.devices.fill(None);
        for (number, hand) in self.hands.iter().enumerate() {
            if let (Some(body), Grip::Device) = (hand.holds, hand.grip) {
                self.devices[body] = Some(number);
            }
        }
    }

    /// Whether forces move a body.
    fn is_free(&self, body: usize) -> bool {
        self.model.bodies[body].motion == BodyMotion::Free && self.devices[body].is_none()
    }

    /// Takes a hand's input; a body that a device is goes where it is.
    fn move_hand(&mut self, number: usize, input: &HandInput) {
        let period = self.settings.period;
        let hand = &mut self.hands[number];
        let mut flags = Flags::default();
        match hand.see(input) {
            Seen::Nothing => flags.set(Flags::BAD_HAND, true),
            Seen::Pose { jumped } => {
                flags.set(Flags::TELEPORT, jumped);
                if let Some(body) = hand.wanted.take()
                    && body != hand.holds
                {
                    hand.holds = body;
                    hand.hand_from_body =
                        body.map_or_else(Pose::identity, |b| hand.pose.inverse() * self.states[b].pose);
                    self.mark_devices();
                }
            }
        }
        let hand = &self.hands[number];
        if let (Some(body), Grip::Device) = (hand.holds, hand.grip) {
            let (model, state) = (&self.model.bodies[body], &mut self.states[body]);
            let target = if flags.has(Flags::BAD_HAND) { state.pose } else { hand.target() };
            let to = (target * Point3::from(model.centre)).coords;
            let turn = log(&(target.rotation * state.pose.rotation.inverse()));
            let far = (to - state.centre).norm() + turn.norm() * model.radius;
            // A jump must not carry the body through a wall.
            let most = THIN * self.model.bodies.iter().map(|b| b.thinnest).fold(f64::INFINITY, f64::min);
            let pose = if far > most {
                flags.set(Flags::STEP_BOUNDED, true);
                part_of_way(&state.pose, &target, most / far)
            } else {
                target
            };
            let centre = (pose * Point3::from(model.centre)).coords;
            let turn = log(&(pose.rotation * state.pose.rotation.inverse()));
            let step = join(centre - state.centre, turn);
            let (velocity, spin) = halves(&hand.twist);
            let measured = join(velocity + spin.cross(&(centre - hand.pose.translation.vector)), spin);
            let twist = if flags.has(Flags::STEP_BOUNDED) { step / period } else { measured };
            (state.pose, state.centre) = (pose, centre);
            (state.velocity, state.spin) = halves(&twist);
            self.steps[body] = step;
        }
        self.hands[number].tick.hand.flags = flags;
    }

    /// Lists the contacts at the bodies' poses.
    fn detect(&mut self) {
        for body in 0..self.states.len() {
            self.inverse_inertia[body] = if self.is_free(body) {
                let turn = self.states[body].pose.rotation.to_rotation_matrix().into_inner();
                turn * self.model.bodies[body].inverse_inertia * turn.transpose()
            } else {
                Mat3::zeros()
            };
        }
        let (settings, model, states, devices) = (&self.settings, &self.model, &self.states, &self.devices);
        let (inverse_inertia, friction) = (&self.inverse_inertia, &self.friction);
        let loaded = |body: usize| Loaded {
            inverse_mass: if devices[body].is_some() { 0.0 } else { model.bodies[body].inverse_mass() },
            inverse_inertia: &inverse_inertia[body],
            centre: &states[body].centre,
            device: devices[body].is_some(),
        };
        let of_contact = |contact: &Contact, centre: &Vec3, moments: &crate::patch::Moments| {
            let mu = match friction.binary_search_by_key(&contact.bodies, |entry| entry.0) {
                Ok(at) => friction[at].1,
                Err(_) => [settings.contact.mu_static, settings.contact.mu_kinetic],
            };
            coefficients(settings, mu, contact, centre, moments, contact.bodies.map(loaded))
        };
        let how = Detection { method: settings.method, coefficients: &of_contact };
        let all = self.detector.find(model, states, &self.steps, &how, &mut self.contacts);
        self.flags.set(Flags::COARSE, !all);
        share(&mut self.contacts, &mut self.order, |c| match c.bodies.map(|b| devices[b].is_some()) {
            [true, _] => [c.bodies[0], usize::MAX],
            [_, true] => [c.bodies[1], usize::MAX],
            _ => c.bodies,
        });
        if settings.method == ContactMethod::Volume {
            for contact in self.contacts.iter_mut() {
                contact.limit_stiffness(self.detector.memory(contact.record));
            }
        }
    }

    /// Forces of contacts on all bodies, and the energy of their springs.
    fn contact_forces(&mut self) {
        for state in &mut self.states {
            (state.force, state.torque) = (Vec3::zeros(), Vec3::zeros());
        }
        self.potential = 0.0;
        for contact in self.contacts.iter_mut() {
            let wrench = contact.force(self.detector.memory(contact.record));
            let [a, b] = contact.bodies;
            let at = contact.axes.origin;
            let (force, moment) = (wrench.force, wrench.moment);
            let state = &mut self.states[b];
            state.force += force;
            state.torque += moment + (at - state.centre).cross(&force);
            let state = &mut self.states[a];
            state.force -= force;
            state.torque -= moment + (at - state.centre).cross(&force);
            self.potential += contact.energy;
            let deep = contact.pieces.into_iter().any(|piece| {
                let Piece { body, convex, thickness, .. } = &self.model.pieces[piece as usize];
                let along = self.states[*body].pose.rotation.inverse() * contact.axes.n;
                // No width of a convex part is below its thickness 2V/A: its volume is at most the width times its shadow, which is at most A/2.
                contact.depth > THIN * thickness && contact.depth > THIN * convex.width(&along)
            });
            self.flags.set(Flags::DEEP, self.flags.has(Flags::DEEP) || deep);
        }
    }

    /// The wrench of a hand's spring on its body about the body's centre, with what is left for the end of the step: K h² + D h, which an explicit spring has none of. The flag says whether it is saturated.
    fn grip(&self, number: usize) -> Option<(usize, Vec6, Mat6, bool)> {
        let hand = &self.hands[number];
        let (Some(body), Grip::Spring) = (hand.holds, hand.grip) else { return None };
        if !hand.begun {
            return None;
        }
        let (model, state, settings) = (&self.model.bodies[body], &self.states[body], &self.settings);
        let target = Frame::of(&hand.target(), &model.centre);
        let here = Frame { centre: state.centre, rotation: state.pose.rotation };
        let pull = settings.coupling.pull(&target, &here);
        let inertia = model.inertia.trace() / 3.0;
        let damp = |stiffness: f64, mass: f64| 2.0 * settings.grip_damping * (stiffness * mass).sqrt();
        let (along, about) = (damp(settings.coupling.stiffness, model.mass), damp(settings.coupling.torsion, inertia));
        let (velocity, spin) = halves(&hand.twist);
        let velocity = velocity + spin.cross(&(target.centre - hand.pose.translation.vector));
        let slower = join((velocity - state.velocity) * along, (spin - state.spin) * about);
        let h = settings.period;
        let soft = |k: f64, d: f64, inverse: f64| h * h * k * inverse <= SOFT && h * d * inverse <= SOFT;
        let turning = model.inverse_inertia.diagonal().max();
        let is_soft = soft(settings.coupling.stiffness, along, 1.0 / model.mass)
            && soft(settings.coupling.torsion, about, turning);
        let later = if is_soft {
            Mat6::zeros()
        } else {
            let k = -pull.stiffness;
            let rotation = k.fixed_view::<3, 3>(3, 3).into_owned();
            let rotation = 0.5 * (rotation + rotation.transpose());
            blocks(h * h * k[(0, 0)] + h * along, &(rotation * (h * h) + Mat3::identity() * (h * about)))
        };
        Some((body, pull.wrench + slower, later, pull.saturated))
    }

    /// Newton and Euler for all bodies that forces move.
    fn move_bodies(&mut self) {
        let (h, gravity) = (self.settings.period, self.settings.gravity);
        let grips: [_; MOST_HANDS] = std::array::from_fn(|i| if i < self.hands.len() { self.grip(i) } else { None });
        for (body, wrench, _, _) in grips.iter().flatten() {
            let (force, torque) = halves(wrench);
            self.states[*body].force += force;
            self.states[*body].torque += torque;
        }
        let stiff = grips.iter().flatten().any(|(_, _, later, _)| later[(0, 0)] > 0.0 || later[(3, 3)] > 0.0);
        let joined = !self.joints.is_empty();
        if joined {
            self.solve_joints(&grips);
        }
        for body in 0..self.states.len() {
            if !self.is_free(body) {
                if self.devices[body].is_none() {
                    self.steps[body] = Vec6::zeros();
                }
                continue;
            }
            let model = &self.model.bodies[body];
            let state = &self.states[body];
            let later = grips.iter().flatten().find(|(b, ..)| *b == body && stiff).map(|(_, _, later, _)| later);
            let (dv, dw) = if joined && self.system.has(body) {
                self.system.change(body)
            } else if let Some(later) = later {
                let mass = mass_matrix(model, &state.pose.rotation);
                let right = self.pushed(body) * h - later * self.relative(body, &grips);
                (mass + later).cholesky().map_or((Vec3::zeros(), Vec3::zeros()), |f| halves(&f.solve(&right)))
            } else {
                (state.force * (h / model.mass) + gravity * h, self.inverse_inertia[body] * state.torque * h)
            };
            let state = &mut self.states[body];
            let bounded = step(state, model, &mut self.steps[body], h, &dv, &dw);
            self.flags.set(Flags::STEP_BOUNDED, self.flags.has(Flags::STEP_BOUNDED) || bounded == Moved::Bounded);
            self.flags.set(Flags::UNSOLVABLE, self.flags.has(Flags::UNSOLVABLE) || bounded == Moved::Not);
            let height = state.centre.dot(&gravity);
            self.potential -= model.mass * height;
        }
    }

    /// Force and torque on a body, with its weight.
    fn pushed(&self, body: usize) -> Vec6 {
        let (state, model) = (&self.states[body], &self.model.bodies[body]);
        join(state.force + self.settings.gravity * model.mass, state.torque)
    }

    /// The velocity of a body relative to the hand that pulls it.
    fn relative(&self, body: usize, grips: &[Option<(usize, Vec6, Mat6, bool)>; MOST_HANDS]) -> Vec6 {
        let state = &self.states[body];
        let pulls = |i: &usize| grips[*i].as_ref().is_some_and(|(b, ..)| *b == body);
        let hand = (0..MOST_HANDS).find(pulls).map_or_else(Vec6::zeros, |i| self.hands[i].twist);
        join(state.velocity, state.spin) - hand
    }

    /// Solves for the velocities of bodies that joints hold.
    fn solve_joints(&mut self, grips: &[Option<(usize, Vec6, Mat6, bool)>; MOST_HANDS]) {
        let (h, time) = (self.settings.period, self.time());
        self.system.clear();
        for at in 0..self.system.bodies().len() {
            let body = self.system.bodies()[at];
            if self.is_free(body) {
                let mass = mass_matrix(&self.model.bodies[body], &self.states[body].pose.rotation);
                let right = self.pushed(body) * h;
                self.system.add(body, &mass, &right);
            } else {
                // A device: it moves as it does.
                self.system.add(body, &(Mat6::identity() * HEAVY), &Vec6::zeros());
            }
        }
        for (body, _, later, _) in grips.iter().flatten() {
            let right = -(later * self.relative(*body, grips));
            self.system.add(*body, later, &right);
        }
        let mut rows = [JointRow::default(); MOST_ROWS];
        for joint in self.joints.iter() {
            let count = joint.rows(&self.states, time, &mut rows);
            let [a, b] = joint.joint.bodies;
            let pull = Vec3::from_fn(|i, _| -rows[i].stiffness * rows[i].error);
            for (body, force, lever) in
                [(a, -pull, joint.lever(0, &self.states)), (b, pull, joint.lever(1, &self.states))]
            {
                let stretched = force.dot(&lever);
                if stretched > 0.0 {
                    // A link under tension turns back into its line: torque -(r·f) (1 - r̂ r̂ᵀ) θ. Taken as it is at the end of the step, as it is stiff for a light link.
                    let turning = (Mat3::identity() - lever * lever.transpose() / lever.norm_squared()) * stretched;
                    let block = blocks(0.0, &(turning * (h * h)));
                    let right = -(block * join(Vec3::zeros(), self.states[body].spin));
                    self.system.add(body, &block, &right);
                }
            }
            for row in &rows[..count] {
                let velocity = row.velocity(&self.states[a], &self.states[b]);
                let gain = h * (h * row.stiffness + row.damping);
                let impulse = h * (-row.stiffness * (row.error + h * velocity) - row.damping * (velocity - row.wanted));
                self.potential += 0.5 * row.stiffness * row.error * row.error;
                if impulse.abs() > h * row.most {
                    self.system.add_row([a, b], row, 0.0, impulse.clamp(-h * row.most, h * row.most));
                } else {
                    self.system.add_row([a, b], row, gain, impulse);
                }
            }
        }
        if !self.system.solve() {
            self.flags.set(Flags::UNSOLVABLE, true);
            self.system.clear();
        }
    }

    /// Tells each hand what it feels, and what the tick did.
    fn tell(&mut self, inputs: &[HandInput]) {
        let [kinetic, potential] = self.energy();
        let world = self.hash();
        for number in 0..self.hands.len() {
            let grip = self.grip(number);
            let input = inputs.get(number).copied().unwrap_or(HandInput::unknown());
            let own = self.hands[number].tick.hand.flags;
            let known = !own.has(Flags::BAD_HAND);
            let hand = &self.hands[number];
            let mut tick = VolumeTick { kinetic, potential, world, pairs: self.contacts.len() as u32, ..hand.tick };
            (tick.held_states, tick.normal_force, tick.friction, tick.area, tick.depth) = ([0; 2], 0.0, 0.0, 0.0, 0.0);
            let mut flags = Flags(own.0 | self.flags.0);
            let (mut contacts, mut load) = (0, Vec6::zeros());
            tick.holds = hand.holds.map_or(0, |body| body as u64 + 1);
            tick.hand.tick = self.ticks;
            tick.hand.hand = hand.pose;
            (tick.hand.body, tick.hand.centre) = (hand.pose, hand.pose.translation.vector);
            let mut wrench = Vec6::zeros();
            if let Some(body) = hand.holds {
                let (state, model) = (&self.states[body], &self.model.bodies[body]);
                (tick.hand.body, tick.hand.centre) = (state.pose, state.centre);
                for c in self.contacts.iter().filter(|c| c.bodies.contains(&body)) {
                    contacts += 1;
                    tick.held_states[usize::from(c.state == crate::contact::FrictionState::Dynamic)] += 1;
                    tick.normal_force += c.normal_force;
                    tick.friction += c.friction.norm();
                    tick.area += c.moments.area;
                    tick.depth = tick.depth.max(c.depth);
                }
                let finite = input.load.iter().all(|x| x.is_finite());
                flags.set(Flags::BAD_LOAD, !finite);
                load = if finite { input.load } else { load };
                wrench = match grip {
                    None => join(state.force, state.torque) + load,
                    Some((_, pull, _, saturated)) => {
                        load += join(self.settings.gravity * model.mass, Vec3::zeros());
                        flags.set(Flags::SATURATED, saturated);
                        -pull
                    }
                };
            }
            let (wrench, cut) = self.bounded(&wrench);
            flags.set(Flags::SATURATED, flags.has(Flags::SATURATED) || cut);
            // A hand that is not known leaves its wrench as it was.
            if known {
                tick.hand.wrench = wrench;
            }
            (tick.hand.load, tick.hand.contacts, tick.hand.flags) = (load, contacts, flags);
            let loaded = KnownLoad { wrench: load, mover: tick.hand.body, held_in_mover: Pose::identity() };
            tick.hand.known_loads = [loaded, KnownLoad::default()];
            self.hands[number].tick = tick;
        }
    }

    /// A wrench no larger than what the coupling may give, and whether it was cut.
    fn bounded(&self, wrench: &Vec6) -> (Vec6, bool) {
        if !wrench.iter().all(|x| x.is_finite()) {
            return (Vec6::zeros(), true);
        }
        let (force, torque) = halves(wrench);
        let cut = |v: Vec3, most: f64| if v.norm() > most { (v * (most / v.norm()), true) } else { (v, false) };
        let (force, torque) =
            (cut(force, self.settings.coupling.max_force), cut(torque, self.settings.coupling.max_torque));
        (join(force.0, torque.0), force.1 || torque.1)
    }

    /// A hash of the state of all bodies (FNV-1a over words).
    fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for s in &self.states {
            let q = s.pose.rotation.quaternion();
            let words = s.centre.iter().chain(s.velocity.iter()).chain(s.spin.iter()).chain(q.coords.iter());
            for x in words {
                hash = (hash ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        hash
    }
}

/// Mass of a body that a device moves, beside joints (kg, kg m²).
const HEAVY: f64 = 1e9;

/// How a body took a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    Freely,
    /// It was too fast, and was slowed down.
    Bounded,
    /// The step was not a number: it stays, at rest.
    Not,
}

/// A step of a free body by changes of its velocity and spin.
fn step(
    state: &mut BodyState,
    model: &crate::model::ModelBody,
    moved: &mut Vec6,
    h: f64,
    dv: &Vec3,
    dw: &Vec3,
) -> Moved {
    let finite = dv.iter().chain(dw.iter()).all(|x| x.is_finite());
    if !finite {
        (state.velocity, state.spin, *moved) = (Vec3::zeros(), Vec3::zeros(), Vec6::zeros());
        return Moved::Not;
    }
    let (mut velocity, mut spin) = (state.velocity + dv, state.spin + dw);
    let mut out = Moved::Freely;
    let (fast, turning) = (velocity.norm() * h, spin.norm() * h);
    if fast > FAST * model.radius {
        velocity *= FAST * model.radius / fast;
        out = Moved::Bounded;
    }
    if turning > FAST {
        spin *= FAST / turning;
        out = Moved::Bounded;
    }
    let rotation = state.pose.rotation;
    let inertia = |r: &Rotation, v: &Vec3| r * (model.inertia * (r.inverse() * v));
    let inverse = |r: &Rotation, v: &Vec3| r * (model.inverse_inertia * (r.inverse() * v));
    // I(R) (ω + Δω), with Δω = I(R)⁻¹ h τ, is L + h τ.
    let momentum = inertia(&rotation, &spin);
    let middle = exp(&(spin * (0.5 * h))) * rotation;
    let turn = inverse(&middle, &momentum) * h;
    let turned = Frame { centre: state.centre, rotation }.moved(&join(velocity * h, turn));
    state.velocity = velocity;
    state.spin = if turn == Vec3::zeros() { spin } else { inverse(&turned.rotation, &momentum) };
    state.pose = turned.pose(&model.centre);
    state.centre = turned.centre;
    *moved = join(velocity * h, turn);
    out
}

fn mass_matrix(model: &crate::model::ModelBody, rotation: &Rotation) -> Mat6 {
    let turn = rotation.to_rotation_matrix().into_inner();
    blocks(model.mass, &(turn * model.inertia * turn.transpose()))
}

fn state(body: &Body, centre: &Vec3) -> BodyState {
    let (velocity, spin) = match body.motion {
        BodyMotion::Free => halves(&body.twist),
        BodyMotion::Fixed => (Vec3::zeros(), Vec3::zeros()),
    };
    let centre = (body.world_from_body * Point3::from(*centre)).coords;
    BodyState { pose: body.world_from_body, centre, velocity, spin, force: Vec3::zeros(), torque: Vec3::zeros() }
}

fn check_hands(hands: &[VolumeHand], model: &Model) -> Result<(), VolumeError> {
    for (number, hand) in hands.iter().enumerate() {
        let what = format!("hand {number}");
        let Some(body) = hand.holds else { continue };
        let why = match model.bodies.get(body) {
            None => "there is no such body",
            Some(b) if b.motion == BodyMotion::Fixed => "that body never moves: make it free",
            _ if hands[..number].iter().any(|h| h.holds == hand.holds) => "another hand holds it",
            _ if number >= MOST_HANDS => "there are two hands at most",
            _ => continue,
        };
        return Err(VolumeError::BadBody { what, body, why });
    }
    Ok(())
}
