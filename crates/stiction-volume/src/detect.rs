//! From poses to contacts: which convex parts overlap, in which plane they touch, and over which area. The paper's 4.1 to 4.4.
//!
//! # Seams
//!
//! A body of several convex parts has faces inside, where its parts touch each other. Nothing touches these from outside, but the parts do not know that: a block that slides over the seam of two flush
//! plates meets the second plate's side, deeper along its own normal than across it. So a contact normal that leads from one part into another one of the same body is refused ([`Model::covered`],
//! [`Model::leads_inside`]), and the normals of the contacts of neighbouring parts are tried instead. This has no counterpart in the paper.

use crate::body::BodyState;
use crate::broad::{BroadPhase, PieceKey};
use crate::buffer::Buffer;
use crate::contact::{Coefficients, Contact, ContactMemory, RelativeMotion};
use crate::geometry::{
    ContactPlane, GjkMemory, IntersectionFace, IntersectionWorkspace, Owner, Proximity, contact_plane, first_normal,
    proximity,
};
use crate::model::Model;
use crate::patch::{Directed, Displacement, FlatIntersection, Moments, PlaneAxes};
use crate::settings::ContactMethod;
use nalgebra::Point3;
use stiction::spatial::{Vec3, Vec6, halves};

/// Cosine of the angle between the contact normal and the normal of a covered face from which the contact counts as being with that face.
const SAME_WAY: f64 = 0.95;

/// What is remembered of a pair of parts whose boxes overlap.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairRecord {
    pub key: PieceKey,
    /// Memory of the search for a common point.
    near: GjkMemory,
    /// Whether they touched in the last step.
    pub touching: bool,
    /// What their contact remembers.
    pub memory: ContactMemory,
}

/// How contacts are looked for.
pub(crate) struct Detection<'a> {
    pub method: ContactMethod,
    /// Coefficients of a contact whose centre and moments about it are known.
    pub coefficients: &'a dyn Fn(&Contact, &Vec3, &Moments) -> Coefficients,
}

/// Finds contacts, and remembers pairs from step to step.
#[derive(Clone, Debug)]
pub(crate) struct Detector {
    broad: BroadPhase,
    records: Buffer<PairRecord>,
    before: Buffer<PairRecord>,
    common: IntersectionWorkspace,
    flat: FlatIntersection,
}

impl Detector {
    pub fn new(model: &Model, most_pairs: usize) -> Self {
        Detector {
            broad: BroadPhase::new(model, most_pairs),
            records: Buffer::with_capacity(most_pairs),
            before: Buffer::with_capacity(most_pairs),
            common: IntersectionWorkspace::new(2 * model.most_faces),
            flat: FlatIntersection::default(),
        }
    }

    /// The memory of a contact.
    pub fn memory(&mut self, record: usize) -> &mut ContactMemory {
        &mut self.records[record].memory
    }

    /// The records of the pairs whose boxes overlap, in order.
    pub fn records(&self) -> &[PairRecord] {
        &self.records
    }

    /// Forgets what contacts of a body remember.
    pub fn forget(&mut self, model: &Model, body: usize) {
        let of_body = |piece: u32| model.pieces[piece as usize].body == body;
        for record in self.records.iter_mut().filter(|r| r.key.iter().any(|p| of_body(*p))) {
            record.touching = false;
            record.memory = ContactMemory::default();
        }
    }

    /// Lists the contacts of a step. `steps` are the displacements of the bodies in the last step, about their centres. Returns false if there were more pairs than there is memory for.
    pub fn find(
        &mut self,
        model: &Model,
        states: &[BodyState],
        steps: &[Vec6],
        how: &Detection,
        contacts: &mut Vec<Contact>,
    ) -> bool {
        std::mem::swap(&mut self.records, &mut self.before);
        self.records.clear();
        contacts.clear();
        let (keys, full) = self.broad.find(model, states);
        let mut old = 0;
        for key in keys {
            while self.before.get(old).is_some_and(|r| r.key < *key) {
                old += 1;
            }
            let known = self.before.get(old).filter(|r| r.key == *key).copied();
            let mut record = known.unwrap_or(PairRecord { key: *key, ..PairRecord::default() });
            let pair = Pair::new(model, states, *key);
            let contact = match proximity(pair.a, &pair.poses[0], pair.b, &pair.poses[1], &mut record.near) {
                Proximity::Apart { .. } => None,
                Proximity::Together { .. } => {
                    let mut finding = Finding { common: &mut self.common, flat: &mut self.flat, before: &self.before };
                    finding.contact(&pair, steps, how, &mut record)
                }
            };
            record.touching = contact.is_some();
            if let Some(mut contact) = contact {
                contact.record = self.records.len();
                contacts.push(contact);
            } else {
                record.memory = ContactMemory::default();
            }
            self.records.push(record);
        }
        !full
    }
}

/// Two convex parts and their bodies.
struct Pair<'a> {
    model: &'a Model,
    key: PieceKey,
    bodies: [usize; 2],
    a: &'a crate::geometry::Convex,
    b: &'a crate::geometry::Convex,
    poses: [stiction::spatial::Pose; 2],
    states: [&'a BodyState; 2],
}

impl<'a> Pair<'a> {
    fn new(model: &'a Model, states: &'a [BodyState], key: PieceKey) -> Self {
        let [p, q] = key.map(|piece| &model.pieces[piece as usize]);
        let states = [&states[p.body], &states[q.body]];
        let poses = states.map(|s| s.pose);
        Pair { model, key, bodies: [p.body, q.body], a: &p.convex, b: &q.convex, poses, states }
    }

    fn plane(&self, normal: &Vec3, depth: f64, parted: &mut GjkMemory) -> ContactPlane {
        contact_plane(self.a, &self.poses[0], self.b, &self.poses[1], normal, depth, parted)
    }
}

/// The search for one contact.
struct Finding<'a> {
    common: &'a mut IntersectionWorkspace,
    flat: &'a mut FlatIntersection,
    before: &'a [PairRecord],
}

impl Finding<'_> {
    fn contact(&mut self, pair: &Pair, steps: &[Vec6], how: &Detection, record: &mut PairRecord) -> Option<Contact> {
        if !self.common.intersect(pair.a, &pair.poses[0], pair.b, &pair.poses[1]) {
            return None;
        }
        let plane = self.plane(pair, record)?;
        let axes = PlaneAxes::new(plane.point, plane.normal);
        let mut moments = match how.method {
            ContactMethod::Volume => {
                self.flat.project(self.common, &axes);
                self.flat.moments(self.common)?
            }
            // All of the depth at one point.
            ContactMethod::Point => Moments { area: 1.0, volume: plane.depth.max(0.0), ..Moments::default() },
        };
        let centre = axes.origin + axes.lift(&moments.first);
        let moved = |of: usize| {
            let (shift, turn) = halves(&steps[pair.bodies[of]]);
            (shift + turn.cross(&(centre - pair.states[of].centre)), turn)
        };
        let velocity =
            |of: usize| pair.states[of].velocity + pair.states[of].spin.cross(&(centre - pair.states[of].centre));
        let at_centre = PlaneAxes { origin: centre, ..axes };
        let memory = &mut record.memory;
        memory.depth = plane.depth;
        let velocity = velocity(1) - velocity(0);
        let spin = pair.states[1].spin - pair.states[0].spin;
        let mut contact = Contact::new(pair.bodies, pair.key, at_centre);
        contact.coefficients = (how.coefficients)(&contact, &centre, &moments);
        let springs = [moments.area, moments.gyration()];
        if record.touching {
            let [(shift_a, turn_a), (shift_b, turn_b)] = [moved(0), moved(1)];
            let (turn, mean_turn) = (turn_b - turn_a, 0.5 * (turn_a + turn_b));
            memory.follow(&at_centre, springs, &RelativeMotion { shift: shift_b - shift_a, turn, mean_turn });
        } else {
            (memory.normal, memory.centre, memory.springs) = (axes.n, centre, springs);
        }
        // Springs and dampers of static friction together: k_S (l + v b_S/k_S).
        let lag = contact.coefficients.lag(if record.touching { memory.modulus[1] } else { 1.0 });
        let displacement =
            Displacement { r: axes.flat(&(memory.r + velocity * lag)), theta: memory.theta + spin.dot(&axes.n) * lag };
        let directed = match how.method {
            ContactMethod::Volume => self.flat.directed(self.common, &moments, &displacement),
            ContactMethod::Point => {
                let length = displacement.r.norm();
                let force =
                    if length > 0.0 { displacement.r * (moments.volume / length) } else { displacement.r * 0.0 };
                Directed { force, moment: 0.0 }
            }
        };
        if how.method == ContactMethod::Volume {
            contact.corners = self.flat.outline(&mut contact.outline);
            contact.outline.iter_mut().take(contact.corners).for_each(|p| *p -= moments.first);
        }
        moments.pressed -= moments.first;
        moments.first *= 0.0;
        (contact.moments, contact.depth, contact.velocity, contact.spin) = (moments, plane.depth, velocity, spin);
        (contact.displacement, contact.directed) = (displacement, directed);
        Some(contact)
    }

    /// The contact plane: from the last step's normal, or for a new contact from the common part; from those of neighbouring parts where that one lies in a covered face. `None` if all do: the parts
    /// are inside of each other's bodies there, and their neighbours have the contact.
    fn plane(&self, pair: &Pair, record: &mut PairRecord) -> Option<ContactPlane> {
        let memory = &mut record.memory;
        let (normal, depth) = if record.touching {
            (memory.normal, memory.depth)
        } else {
            (first_normal(self.common, pair.a, &pair.poses[0], pair.b, &pair.poses[1]), 0.0)
        };
        let plane = pair.plane(&normal, depth, &mut memory.parted);
        let [p, q] = pair.key.map(|piece| &pair.model.pieces[piece as usize]);
        if p.beside.is_empty() && q.beside.is_empty() {
            return Some(plane);
        }
        let mut best = self.allowed(pair, &plane).then_some(plane);
        if best.is_some() && record.touching {
            return best;
        }
        for a in p.beside.iter().chain(&pair.key[..1]) {
            for b in q.beside.iter().chain(&pair.key[1..]) {
                let neighbour = self.before.binary_search_by_key(&[*a, *b], |r| r.key).ok().map(|i| &self.before[i]);
                let Some(neighbour) = neighbour.filter(|n| n.touching && n.key != pair.key) else { continue };
                let mut parted = GjkMemory::default();
                let plane = pair.plane(&neighbour.memory.normal, neighbour.memory.depth, &mut parted);
                if self.allowed(pair, &plane) && best.is_none_or(|b| plane.depth < b.depth) {
                    best = Some(plane);
                    record.memory.parted = parted;
                    record.memory.r = neighbour.memory.r;
                    record.memory.state = neighbour.memory.state;
                }
            }
        }
        best
    }

    /// Whether parts leave each other's bodies along a contact normal: it is that of a face which is not covered there, or else the way out from the deepest point does not lead into another part.
    fn allowed(&self, pair: &Pair, plane: &ContactPlane) -> bool {
        [(Owner::A, 1.0), (Owner::B, -1.0)].into_iter().enumerate().all(|(of, (owner, sign))| {
            let piece = pair.key[of] as usize;
            if pair.model.pieces[piece].beside.is_empty() {
                return true;
            }
            let outwards = plane.normal * sign;
            let local = |point: &Vec3| pair.poses[of].inverse_transform_point(&Point3::from(*point)).coords;
            let along = |f: &IntersectionFace| f.owner == owner && f.normal.dot(&outwards) >= SAME_WAY;
            match self.common.faces().find(along) {
                Some(face) => {
                    let corners = face.corners.iter().map(|c| self.common.vertices()[*c as usize]);
                    let middle = corners.sum::<Vec3>() / face.corners.len() as f64;
                    !pair.model.covered(piece, face.face as usize, &local(&middle))
                }
                None => {
                    let direction = pair.poses[of].rotation.inverse() * outwards;
                    !pair.model.leads_inside(piece, &local(&plane.deepest[of]), &direction)
                }
            }
        })
    }
}
