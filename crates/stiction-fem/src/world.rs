//! Bodies that move, deform and touch: a step of the simulation.
//!
//! | stage | what |
//! |---|---|
//! | loads | weight, and the coupling of each hand with stiffness and damping, implicitly: m v' = m v + Δt (F + k (x_h - x - Δt v') + b (v_h - v')), and the same for rotation |
//! | free motion | what all bodies would do without contacts; deformation relaxes: u' = u (β/Δt)/(1 + β/Δt) |
//! | detection | at the positions that the last step ended with, within reach |
//! | W, q | (30); q is the gap, or zero slip, plus what the free motion adds (13) |
//! | solution | forces f of all contacts together: [`ConeNewton`] |
//! | correction | v' += A⁻¹ Jᵀ f Δt, u' += C Hᵀ f/(1 + β/Δt) |
//!
//! The coupling adds k Δt² + b Δt to the mass and likewise to the inertia, in the free motion and in W alike, so that it is stable for any stiffness.
//!
//! Deviation from 3.4 of the paper: detection looks at the start of the step and not at the free motion. Surfaces do not overlap there (but for what the solver left), so that normals are right; and what the free
//! motion does is in q.

use crate::condensed::{BodyResponse, Compliance, DelassusAssembly, RigidState};
use crate::contact::{CollisionSurface, ExactDetection, MovingSurface, Proximity, ProximityList};
use crate::elastic::RigidMass;
use std::sync::Arc;
use stiction::delassus::{
    ConeError, ConeNewton, ConeNewtonSettings, ConeProblem, ConeVerdict, DenseOperator, UnilateralContact,
};
use stiction::spatial::{Mat3, Pose, Vec3, Vec6, halves, join, log};

/// How a body moves.
#[derive(Clone, Debug)]
pub enum BodyKind {
    /// It stands still.
    Fixed,
    /// It moves and does not deform.
    Rigid(RigidMass),
    /// It moves and deforms: its mass is the compliance's.
    Deformable(Arc<Compliance>),
}

/// A body of a [`DeformableWorld`].
#[derive(Clone, Debug)]
pub struct WorldBody {
    /// Its surface; of a deformable body, with places in its compliance.
    pub surface: CollisionSurface,
    /// How it moves.
    pub kind: BodyKind,
    /// Where it begins (world from body).
    pub pose: Pose,
}

/// What holds a body to a hand: stiffness and damping between two poses, about the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripCoupling {
    /// The body.
    pub body: usize,
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
    /// N m/rad.
    pub angular_stiffness: f64,
    /// N m s/rad.
    pub angular_damping: f64,
}

/// How a [`DeformableWorld`] steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldSettings {
    /// The time of a step (s).
    pub period: f64,
    /// Acceleration of all free bodies (m/s²).
    pub gravity: Vec3,
    /// Contacts within this distance take part in a step (m).
    pub reach: f64,
    /// The most contacts of a step: the ones with the smallest gaps.
    pub capacity: usize,
    /// µ of all contacts.
    pub friction: f64,
    /// β: damping of deformation by stiffness, the time in which it relaxes (s).
    pub relaxation: f64,
    /// How fast overlaps that a missed detection left are taken back (m/s): faster, and bodies are thrown.
    pub recovery: f64,
    /// How contacts are solved.
    pub solver: ConeNewtonSettings,
}

/// Errors from making a world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A number is out of its range.
    #[error("{what} is {value}: it must be {range}")]
    BadNumber {
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What is possible.
        range: &'static str,
    },
    /// There are too many bodies.
    #[error("there are {0} bodies, and at most {MOST_BODIES} are possible")]
    TooManyBodies(usize),
    /// A deformable body's surface names places that its compliance does not have.
    #[error("the surface of body {body} has vertices without compliance: make it of all vertices that can touch")]
    NoCompliance {
        /// The body, from 0.
        body: usize,
    },
    /// A hand names a body that is not there or stands still.
    #[error("hand {hand} holds body {body}, which is not there or stands still")]
    BadGrip {
        /// The hand, from 0.
        hand: usize,
        /// The body that it names.
        body: usize,
    },
    /// The solver refuses its settings.
    #[error(transparent)]
    Solver(#[from] ConeError),
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Contacts in the step.
    pub contacts: usize,
    /// Contacts that carry force.
    pub active: usize,
    /// Contacts that found no room.
    pub dropped: usize,
    /// The residual of the answer.
    pub residual: f64,
    /// Whether the residual is what was asked.
    pub solved: bool,
    /// Sweeps and Newton steps.
    pub iterations: u32,
    /// The largest overlap at the start of the step (m).
    pub depth: f64,
    /// The largest angle by which a face of a deformed surface has turned against its body's frame (rad): beyond [`LINEAR_RANGE`] linear strain is not right any more.
    pub turned: f64,
}

/// The rotation within a body up to which linear strain is right to 2 % (rad): a rotation by θ looks like a strain of θ²/2.
pub const LINEAR_RANGE: f64 = 0.2;

#[derive(Clone, Debug)]
struct Member {
    kind: BodyKind,
    state: RigidState,
    surface: MovingSurface,
    /// Deformation of the vertices (m, in the body's axes).
    bent: Vec<Vec3>,
    /// Normals of the faces at rest (in the body's axes), none for bodies that do not deform.
    normals: Vec<Vec3>,
    /// Forces on the places of the compliance in this step, and which are not zero.
    pushed: Vec<Vec3>,
    touched: Vec<u32>,
    velocity: Vec6,
    wrench: Vec6,
}

#[derive(Clone, Debug)]
struct Grip {
    coupling: GripCoupling,
    wrench: Vec6,
}

/// Bodies, hands, and all memory of a step.
#[derive(Clone, Debug)]
pub struct DeformableWorld {
    settings: WorldSettings,
    members: Vec<Member>,
    grips: Vec<Grip>,
    pairs: Vec<([usize; 2], ExactDetection)>,
    list: ProximityList,
    assembly: DelassusAssembly,
    contacts: Vec<crate::condensed::ContactPoint>,
    free: Vec<UnilateralContact>,
    problem: ConeProblem<DenseOperator>,
    solver: ConeNewton,
    report: StepReport,
}

/// Where a hand is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandMotion {
    /// World from the body that it holds.
    pub pose: Pose,
    /// Velocity of the body's centre of mass as the hand would have it, and angular velocity.
    pub twist: Vec6,
    /// Load on the body about its centre of mass, besides its weight (N, N m).
    pub load: Vec6,
}

impl HandMotion {
    /// A hand that stands still and has no load on its body.
    pub fn at(pose: Pose) -> Self {
        HandMotion { pose, twist: Vec6::zeros(), load: Vec6::zeros() }
    }
}

impl DeformableWorld {
    /// Bodies at rest, and hands.
    ///
    /// # Errors
    /// Numbers out of range, surfaces without compliance, hands that hold nothing.
    pub fn new(
        settings: WorldSettings,
        bodies: Vec<WorldBody>,
        grips: &[GripCoupling],
    ) -> Result<DeformableWorld, WorldError> {
        let WorldSettings { period, reach, friction, relaxation, capacity, recovery, .. } = settings;
        if bodies.len() > MOST_BODIES {
            return Err(WorldError::TooManyBodies(bodies.len()));
        }
        for (what, value) in [("the period", period), ("the reach", reach), ("the speed of recovery", recovery)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(WorldError::BadNumber { what, value, range: "above zero and finite" });
            }
        }
        for (what, value) in [("the friction coefficient", friction), ("the relaxation time", relaxation)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(WorldError::BadNumber { what, value, range: "zero or more, and finite" });
            }
        }
        for (hand, grip) in grips.iter().enumerate() {
            if bodies.get(grip.body).is_none_or(|b| matches!(b.kind, BodyKind::Fixed)) {
                return Err(WorldError::BadGrip { hand, body: grip.body });
            }
            let GripCoupling { stiffness, damping, angular_stiffness, angular_damping, .. } = *grip;
            for value in [stiffness, damping, angular_stiffness, angular_damping] {
                if !(value >= 0.0 && value.is_finite()) {
                    let what = "a number of a hand's coupling";
                    return Err(WorldError::BadNumber { what, value, range: "zero or more, and finite" });
                }
            }
        }
        let still = RigidMass { mass: 1.0, centre: Vec3::zeros(), inertia: Mat3::identity() };
        let mut members = Vec::with_capacity(bodies.len());
        for (number, body) in bodies.into_iter().enumerate() {
            let (mass, places) = match &body.kind {
                BodyKind::Fixed => (still, 0),
                BodyKind::Rigid(mass) => (*mass, 0),
                BodyKind::Deformable(compliance) => (*compliance.rigid(), compliance.nodes().len()),
            };
            let deforms = matches!(body.kind, BodyKind::Deformable(_));
            if deforms && body.surface.places.iter().any(|&p| p as usize >= places) {
                return Err(WorldError::NoCompliance { body: number });
            }
            let vertices = body.surface.vertex_count();
            let faces = if deforms { body.surface.triangles().len() } else { 0 };
            let normals = (0..faces).map(|t| body.surface.face_normal(t, body.surface.rest())).collect();
            members.push(Member {
                normals,
                state: RigidState::at_rest(mass, &body.pose),
                surface: MovingSurface::new(body.surface),
                kind: body.kind,
                bent: vec![Vec3::zeros(); vertices],
                pushed: vec![Vec3::zeros(); places],
                touched: Vec::with_capacity(places),
                velocity: Vec6::zeros(),
                wrench: Vec6::zeros(),
            });
        }
        members.iter_mut().for_each(Member::place_surface);
        let mut pairs = Vec::new();
        for i in 0..members.len() {
            for j in i + 1..members.len() {
                let still = |k: usize| matches!(members[k].kind, BodyKind::Fixed);
                if !(still(i) && still(j)) {
                    pairs.push(([i, j], ExactDetection::new(&members[i].surface, &members[j].surface)));
                }
            }
        }
        let problem = ConeProblem::new(DenseOperator::with_capacity(capacity));
        let solver = ConeNewton::new(settings.solver, problem.operator())?;
        Ok(DeformableWorld {
            members,
            grips: grips.iter().map(|coupling| Grip { coupling: *coupling, wrench: Vec6::zeros() }).collect(),
            pairs,
            list: ProximityList::with_capacity(capacity),
            assembly: DelassusAssembly::with_capacity(capacity),
            contacts: Vec::with_capacity(capacity),
            free: Vec::with_capacity(capacity),
            problem,
            solver,
            settings,
            report: StepReport::default(),
        })
    }

    /// The time of the steps to come (s); what is not positive and finite changes nothing.
    pub fn set_period(&mut self, period: f64) {
        if period > 0.0 && period.is_finite() {
            self.settings.period = period;
        }
    }

    /// How it steps.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// The hands' couplings.
    pub fn grips(&self) -> impl ExactSizeIterator<Item = &GripCoupling> {
        self.grips.iter().map(|grip| &grip.coupling)
    }

    /// Whether a body deforms.
    pub fn deforms(&self, body: usize) -> bool {
        matches!(self.members[body].kind, BodyKind::Deformable(_))
    }

    /// The velocity of a body's centre of mass in the last step, and its angular velocity.
    pub fn velocity(&self, body: usize) -> &Vec6 {
        &self.members[body].velocity
    }

    /// Puts a body at rest, undeformed, at a pose, and forgets its contacts' forces. False, and nothing changes, where the pose is not finite.
    pub fn place(&mut self, body: usize, pose: &Pose) -> bool {
        let numbers = pose.translation.vector.iter().chain(pose.rotation.coords.iter());
        let Some(member) = self.members.get_mut(body).filter(|_| numbers.into_iter().all(|x| x.is_finite())) else {
            return false;
        };
        member.state = RigidState::at_rest(member.state.mass, pose);
        member.bent.iter_mut().for_each(|u| *u = Vec3::zeros());
        member.velocity = Vec6::zeros();
        member.place_surface();
        self.solver.forget();
        true
    }

    /// Makes room again in all memory of a step, which a copy has not.
    pub(crate) fn reserve(&mut self) {
        let most = self.settings.capacity;
        self.list.reserve();
        self.assembly.reserve();
        self.contacts.clear();
        self.contacts.reserve(most);
        self.free.clear();
        self.free.reserve(most);
        self.pairs.iter_mut().for_each(|pair| pair.1.reserve());
        self.members.iter_mut().for_each(|m| m.touched.reserve(m.pushed.len()));
    }

    /// The number of bodies.
    pub fn body_count(&self) -> usize {
        self.members.len()
    }

    /// The rigid motion of a body.
    pub fn state(&self, body: usize) -> &RigidState {
        &self.members[body].state
    }

    /// The rigid motion of a body, to be set between steps.
    pub fn state_mut(&mut self, body: usize) -> &mut RigidState {
        &mut self.members[body].state
    }

    /// Where the vertices of a body are (m, world).
    pub fn vertices(&self, body: usize) -> &[Vec3] {
        self.members[body].surface.positions()
    }

    /// How far the vertices of a body are from where the rigid motion has them (m, in the body's axes).
    pub fn deformation(&self, body: usize) -> &[Vec3] {
        &self.members[body].bent
    }

    /// The wrench of a hand's coupling on its body about the centre of mass (N, N m); the hand feels its opposite.
    pub fn grip_wrench(&self, hand: usize) -> Vec6 {
        self.grips[hand].wrench
    }

    /// The contacts of the last step, with the forces on their first bodies in their own frames (N).
    pub fn contacts(&self) -> impl Iterator<Item = (&Proximity, &Vec3)> {
        self.list.all().iter().zip(&self.solver.answer().forces)
    }

    /// W, q and µ of the last step.
    pub fn problem(&self) -> &ConeProblem<DenseOperator> {
        &self.problem
    }

    /// What the last step did.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// One step. Hands beyond those of the world count for nothing, missing ones let go; a hand that is not finite pulls at nothing. Does not allocate.
    pub fn step(&mut self, hands: &[HandMotion]) {
        self.step_with(hands, true);
    }

    /// A step in which detection may fail, as in 3.2: for tests of recovery.
    pub fn step_with(&mut self, hands: &[HandMotion], detects: bool) {
        let period = self.settings.period;
        let relaxed = self.settings.relaxation / period;
        let share = 1.0 / (1.0 + relaxed);
        let mut inverse = [(0.0, Mat3::zeros()); MOST_BODIES];
        for (number, member) in self.members.iter_mut().enumerate().take(MOST_BODIES) {
            inverse[number] = member.free_motion(number, &self.settings, &self.grips, hands);
        }
        self.detect(detects);
        // q: what the free motion adds to gaps and slips.
        self.contacts.clear();
        self.free.clear();
        let mut depth = 0.0f64;
        for found in self.list.all() {
            depth = depth.max(-found.gap);
            let mut moved = Vec3::zeros();
            for (side, sign) in found.contact.sides.iter().zip([1.0, -1.0]) {
                moved += sign * self.members[side.body].free_displacement(side, period, share * relaxed - 1.0);
            }
            let told = found.contact.frame * moved;
            self.contacts.push(found.contact);
            self.free.push(UnilateralContact {
                id: found.id,
                mu: self.settings.friction,
                free: told + Vec3::new(found.gap.max(-self.settings.recovery * period), 0.0, 0.0),
            });
        }
        let bodies: [BodyResponse; MOST_BODIES] = std::array::from_fn(|k| match self.members.get(k) {
            Some(member) => member.response(inverse[k], share),
            None => BodyResponse::fixed(),
        });
        let (assembly, contacts) = (&mut self.assembly, &self.contacts);
        let filled = self.problem.rebuild(
            |operator| {
                operator.begin(contacts.len())?;
                assembly.assemble(&bodies, contacts, period, |i, j, block| operator.add(i, j, block));
                Ok(())
            },
            self.free.iter().copied(),
        );
        // What cannot be posed (numbers that overflow) has no forces, and says so.
        let answer = if filled.is_ok() { self.solver.solve(&self.problem).ok() } else { None };
        let solved = answer.is_some_and(|a| a.verdict == ConeVerdict::Solved);
        let residual = answer.map_or(f64::INFINITY, |a| a.residual);
        let iterations = answer.map_or(0, |a| a.iterations);
        let forces = answer.map_or(&[][..], |a| &a.forces[..]);
        let active = forces.iter().filter(|f| f.x > 0.0).count();
        for (contact, force) in self.contacts.iter().zip(forces) {
            let force = contact.frame.transpose() * force;
            for (side, sign) in contact.sides.iter().zip([1.0, -1.0]) {
                self.members[side.body].push(side, &(sign * force));
            }
        }
        for (number, member) in self.members.iter_mut().enumerate().take(MOST_BODIES) {
            member.correct(inverse[number], period, share, relaxed);
        }
        for (hand, grip) in self.grips.iter_mut().enumerate() {
            let member = &self.members[grip.coupling.body];
            grip.wrench = hands.get(hand).map_or(Vec6::zeros(), |hand| member.pull(&grip.coupling, hand));
        }
        self.report = StepReport {
            contacts: self.contacts.len(),
            active,
            dropped: self.list.dropped(),
            turned: self.members.iter().map(Member::turned).fold(0.0, f64::max),
            residual,
            solved,
            iterations,
            depth,
        };
    }

    fn detect(&mut self, detects: bool) {
        self.list.clear();
        if !detects {
            return;
        }
        for (bodies, detection) in &mut self.pairs {
            let surfaces = [&self.members[bodies[0]].surface, &self.members[bodies[1]].surface];
            detection.detect(*bodies, surfaces, self.settings.reach, &mut self.list);
        }
        self.list.sort();
    }

    /// Kinetic energy of all bodies that move (J): deformation has no inertia.
    pub fn kinetic_energy(&self) -> f64 {
        self.members.iter().filter(|m| !matches!(m.kind, BodyKind::Fixed)).map(|m| m.state.kinetic_energy()).sum()
    }
}

/// The most bodies of a world.
pub const MOST_BODIES: usize = 16;

impl Member {
    /// Loads and hands: the velocity without contacts, and the inverse of what it is divided by.
    fn free_motion(
        &mut self,
        number: usize,
        settings: &WorldSettings,
        grips: &[Grip],
        hands: &[HandMotion],
    ) -> (f64, Mat3) {
        self.wrench = Vec6::zeros();
        self.velocity = Vec6::zeros();
        if matches!(self.kind, BodyKind::Fixed) {
            return (0.0, Mat3::zeros());
        }
        let period = settings.period;
        let mass = self.state.mass;
        let turn = self.state.frame.rotation.to_rotation_matrix().into_inner();
        let (mut heavy, mut inertia) = (mass.mass, turn * mass.inertia * turn.transpose());
        let mut momentum = self.state.momentum + period * mass.mass * settings.gravity;
        let mut turning = self.state.angular_momentum;
        for (grip, hand) in grips.iter().zip(hands).filter(|(grip, _)| grip.coupling.body == number) {
            if hand.load.iter().all(|x| x.is_finite()) {
                let (force, moment) = halves(&hand.load);
                momentum += period * force;
                turning += period * moment;
            }
            let Some((away, twist)) = self.away(hand) else { continue };
            let GripCoupling { stiffness, damping, angular_stiffness, angular_damping, .. } = grip.coupling;
            let ((offset, angle), (velocity, spin)) = (halves(&away), halves(&twist));
            momentum += period * (stiffness * offset + damping * velocity);
            turning += period * (angular_stiffness * angle + angular_damping * spin);
            heavy += period * (damping + period * stiffness);
            inertia += Mat3::from_diagonal_element(period * (angular_damping + period * angular_stiffness));
        }
        let inverse_inertia = inertia.try_inverse().unwrap_or_else(Mat3::zeros);
        self.velocity = join(momentum / heavy, inverse_inertia * turning);
        (1.0 / heavy, inverse_inertia)
    }

    /// How far a hand is from the body, and its velocity; `None` where it is not finite.
    fn away(&self, hand: &HandMotion) -> Option<(Vec6, Vec6)> {
        let goal = hand.pose * nalgebra::Point3::from(self.state.mass.centre);
        let turn = log(&(hand.pose.rotation * self.state.frame.rotation.inverse()));
        let away = join(goal.coords - self.state.frame.centre, turn);
        let finite = away.iter().chain(hand.twist.iter()).all(|x| x.is_finite());
        finite.then_some((away, hand.twist))
    }

    /// The wrench of a coupling at the end of a step.
    fn pull(&self, coupling: &GripCoupling, hand: &HandMotion) -> Vec6 {
        let Some((away, twist)) = self.away(hand) else { return Vec6::zeros() };
        let ((offset, angle), (velocity, spin)) = (halves(&away), halves(&(twist - self.velocity)));
        join(
            coupling.stiffness * offset + coupling.damping * velocity,
            coupling.angular_stiffness * angle + coupling.angular_damping * spin,
        )
    }

    fn response(&self, (inverse_mass, inverse_inertia): (f64, Mat3), share: f64) -> BodyResponse<'_> {
        let compliance = if let BodyKind::Deformable(compliance) = &self.kind { Some(&**compliance) } else { None };
        BodyResponse {
            rotation: self.state.frame.rotation,
            centre: self.state.frame.centre,
            inverse_mass,
            inverse_inertia,
            compliance,
            share,
        }
    }

    /// Where the free motion takes a point of the surface; `lost` is what relaxing takes of the deformation, as a share below zero.
    fn free_displacement(&self, side: &crate::condensed::Side, period: f64, lost: f64) -> Vec3 {
        let (velocity, spin) = halves(&self.velocity);
        let rigid = period * (velocity + spin.cross(&(side.point - self.state.frame.centre)));
        let mut bent = Vec3::zeros();
        if matches!(self.kind, BodyKind::Deformable(_)) {
            for (node, weight) in side.nodes.iter().zip(side.weights).filter(|(_, weight)| *weight != 0.0) {
                bent += weight * self.bent_at(*node);
            }
        }
        rigid + self.state.frame.rotation * (lost * bent)
    }

    /// The deformation at a place of the compliance.
    fn bent_at(&self, place: u32) -> Vec3 {
        let vertex = self.surface.surface().vertex_of_place(place);
        vertex.map_or(Vec3::zeros(), |v| self.bent[v as usize])
    }

    /// Adds a force at a point of the surface.
    fn push(&mut self, side: &crate::condensed::Side, force: &Vec3) {
        let arm = side.point - self.state.frame.centre;
        self.wrench += join(*force, arm.cross(force));
        if matches!(self.kind, BodyKind::Deformable(_)) {
            let own = self.state.frame.rotation.inverse() * force;
            for (node, weight) in side.nodes.iter().zip(side.weights).filter(|(_, weight)| *weight != 0.0) {
                if self.pushed[*node as usize] == Vec3::zeros() && !self.touched.contains(node) {
                    self.touched.push(*node);
                }
                self.pushed[*node as usize] += weight * own;
            }
        }
    }

    /// What contacts add to the free motion.
    fn correct(&mut self, (inverse_mass, inverse_inertia): (f64, Mat3), period: f64, share: f64, relaxed: f64) {
        if matches!(self.kind, BodyKind::Fixed) {
            return;
        }
        let (force, moment) = halves(&self.wrench);
        let velocity = self.velocity + period * join(inverse_mass * force, inverse_inertia * moment);
        if velocity.iter().all(|x| x.is_finite()) {
            self.velocity = velocity;
            self.state.set_twist(&velocity);
            self.state.advance(period);
        }
        if let BodyKind::Deformable(compliance) = &self.kind {
            let places = self.surface.surface();
            // In the order of memory.
            self.touched.sort_unstable();
            for (vertex, bent) in self.bent.iter_mut().enumerate() {
                let place = places.places[vertex] as usize;
                let next = share * (relaxed * *bent + compliance.displacement(place, &self.touched, &self.pushed));
                if next.iter().all(|x| x.is_finite()) {
                    *bent = next;
                }
            }
            self.touched.iter().for_each(|&node| self.pushed[node as usize] = Vec3::zeros());
            self.touched.clear();
        }
        self.place_surface();
    }

    /// The largest angle by which a face has turned against the body's frame.
    fn turned(&self) -> f64 {
        let back = self.state.frame.rotation.inverse();
        let angle = |(t, rest): (usize, &Vec3)| (back * self.surface.normal(t) - rest).norm();
        let chord = self.normals.iter().enumerate().map(angle).fold(0.0, f64::max);
        2.0 * libm::asin((0.5 * chord).min(1.0))
    }

    /// Moves the surface to where the body is.
    fn place_surface(&mut self) {
        let pose = self.state.pose();
        let rest = self.surface.surface().rest().len();
        for vertex in 0..rest {
            let local = self.surface.surface().rest()[vertex] + self.bent[vertex];
            self.surface.positions_mut()[vertex] = pose.rotation * local + pose.translation.vector;
        }
    }
}
