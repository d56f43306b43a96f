//! Identification: of all candidate contacts, a set that can exist (section 4.1 of the paper).
//!
//! Candidates are taken one after the other, plane contacts before line contacts before point contacts, those of the last tick before new ones, near ones before far ones. One is taken in if it
//! can exist together with those before: it is not on the border of one of them, the table allows it, it adds no fourth contact plane, two points on one line or three in one plane do not say that
//! really an edge or a face touches, and there is a pose nearby at which all of them are exact and none is a larger one (`closing`). A candidate that cannot exist beside the others is
//! replaced by a larger one that it is part of, if that can. The first candidate can always exist, so that some set always matches. Where the candidates contradict each
//! other (figure 3: the bottom is flush within the tolerance, and so is an edge on the wall) the larger contact wins and the other is taken as the smaller one that goes with it: a vertex on the wall.

use crate::candidates::{Candidates, MOST_CANDIDATES};
use crate::closing::Closed;
use crate::contact::{Formation, PrincipalContact, Touch, same_plane, share};
use crate::placed::{Placed, Solids};
use crate::proximity::{MOST_PAIRS, NearFeatures, NearPair};
use crate::table::FormationTable;
use stiction::spatial::Vec3;

/// Most contact planes of a formation (section 3.1).
pub const MOST_PLANES: usize = 3;
/// Contacts are gained within this share of ε, and kept within ε.
pub const GAINED: f64 = 0.5;

/// Cosine of the angle up to which a contact counts as one that presses along a normal.
const SAME_PRESS: f64 = 0.9;
/// Most other formations that are tried where a contact that presses is missing.
const MOST_TRIES: usize = 4;

/// Finds formations of a pair of polyhedra.
#[derive(Clone, Debug)]
pub struct Identifier {
    table: FormationTable,
    pairs: Vec<NearPair>,
    candidates: Candidates,
    order: Vec<(Place, u16)>,
}

/// What decides which candidate is taken first: the larger, then those of the last tick, then the nearer in hundredths of ε (so that rounding does not choose), then the numbers of the elements.
type Place = (std::cmp::Reverse<u8>, bool, i64, PrincipalContact);

/// A formation that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identified {
    /// The formation.
    pub formation: Formation,
    /// Whether all features that are near each other were looked at.
    pub whole: bool,
}

impl Identifier {
    /// An identifier for a pair of polyhedra: it builds the table.
    pub fn new(solids: &Solids) -> Identifier {
        let (pairs, order) = (Vec::with_capacity(MOST_PAIRS), Vec::with_capacity(MOST_CANDIDATES));
        Identifier { table: FormationTable::new(solids), pairs, candidates: Candidates::default(), order }
    }

    /// The table.
    pub fn table(&self) -> &FormationTable {
        &self.table
    }

    /// The formation at a pose, within ε (m); `near` knows features near each other about there, `last` is the formation of the last tick, and `pressing` are normals of contacts that keep the part from
    /// the hand, which shall be felt. Allocates nothing.
    pub fn identify(
        &mut self,
        solids: &Solids,
        placed: &Placed,
        near: &mut NearFeatures,
        epsilon: f64,
        last: &Formation,
        pressing: &[Vec3],
    ) -> Identified {
        let whole = near.find(solids, placed, epsilon, epsilon, &mut self.pairs)
            & self.candidates.find(solids, placed, &self.pairs, epsilon);
        let touches = self.candidates.touches();
        let place = |t: &Touch| -> Place {
            let dimension = std::cmp::Reverse(t.contact.kind.dimension());
            (dimension, !last.has(&t.contact), (100.0 * t.gap / epsilon).round() as i64, t.contact)
        };
        let is_near = |t: &Touch| {
            let widest = t.spanned().map(|(_, gap)| gap.abs()).fold(0.0, f64::max);
            widest <= GAINED * epsilon || last.has(&t.contact)
        };
        self.order.clear();
        self.order.extend(touches.iter().zip(0..).filter(|(t, _)| is_near(t)).map(|(t, i)| (place(t), i)));
        self.order.sort_unstable();
        let near = || self.order.iter().map(|(_, i)| usize::from(*i));
        let empty = Growing { formation: Formation::default(), closed: Closed::empty(solids, placed) };
        let grown = |first: Option<usize>| {
            let mut growing = empty;
            // What cannot join some contacts cannot join more of them.
            let mut refused = [false; MOST_CANDIDATES];
            for touch in first.into_iter().chain(near()).map(|i| &touches[i]) {
                if growing.formation.touches().iter().any(|t| touch.contact.within(&t.contact, solids)) {
                    continue;
                }
                if !self.extend(solids, placed, &mut growing, touch, epsilon) {
                    // It cannot exist beside the others, but a larger contact that is less near, and of which it is part, may.
                    self.candidates.any_larger(solids, &touch.contact, |i| {
                        let joins = !refused[i]
                            && !is_near(&touches[i])
                            && self.extend(solids, placed, &mut growing, &touches[i], epsilon);
                        refused[i] = !joins;
                        joins
                    });
                }
            }
            growing.formation
        };
        let mut formation = grown(None);
        // A contact that presses and that the larger ones leave no room for comes first: a flat part that leans on a wall within ε of flush would otherwise feel the floor alone.
        let along = |normal: &Vec3, t: &Touch| normal.dot(&t.normal) > SAME_PRESS;
        let felt = |formation: &Formation, n: &Vec3| formation.touches().iter().any(|t| along(n, t));
        let unfelt = |formation: &Formation| pressing.iter().filter(|n| !felt(formation, n)).count();
        let mut left = MOST_TRIES;
        for normal in pressing {
            for i in near().filter(|i| along(normal, &touches[*i])) {
                if left == 0 || felt(&formation, normal) || formation.planes(4.0 * epsilon) == MOST_PLANES {
                    break;
                }
                left -= 1;
                let other = grown(Some(i));
                if unfelt(&other) < unfelt(&formation) {
                    formation = other;
                }
            }
        }
        // Something touches: by itself, the first candidate always can.
        if formation.is_empty() {
            near().next().into_iter().for_each(|i| _ = formation.push(touches[i]));
        }
        Identified { formation, whole }
    }

    /// Adds a contact to a formation, in place of those that are part of it. Returns false, and changes nothing, if they cannot exist together.
    fn extend(&self, solids: &Solids, placed: &Placed, growing: &mut Growing, touch: &Touch, epsilon: f64) -> bool {
        let Growing { formation, closed } = growing;
        let is_kept = |t: &&Touch| !t.contact.covered_by(&touch.contact, solids);
        let count = formation.touches().len();
        let all_kept = formation.touches().iter().all(|t| is_kept(&t));
        if all_kept && closed.excludes(solids, placed, touch, epsilon) {
            return false;
        }
        if !fits(solids, || formation.touches().iter().filter(is_kept), touch, epsilon) {
            return false;
        }
        if all_kept {
            if !formation.push(*touch) {
                return false;
            }
            let with = closed.with(solids, placed, formation.touches(), count, epsilon);
            match with.filter(|_| self.in_table(solids, &formation.touches()[..count], touch)) {
                Some(with) => *closed = with,
                None => formation.pop(),
            }
            return formation.touches().len() > count;
        }
        let mut other = Formation::default();
        formation.touches().iter().filter(is_kept).for_each(|t| _ = other.push(*t));
        if !self.in_table(solids, other.touches(), touch) || !other.push(*touch) {
            return false;
        }
        let with = Closed::empty(solids, placed).with(solids, placed, other.touches(), 0, epsilon);
        let Some(with) = with else { return false };
        *growing = Growing { formation: other, closed: with };
        true
    }

    /// Whether the table allows a contact beside others.
    fn in_table(&self, solids: &Solids, others: &[Touch], touch: &Touch) -> bool {
        others.iter().all(|t| self.table.possible(solids, &t.contact, &touch.contact))
    }
}

/// A formation to which contacts are added.
#[derive(Clone, Copy, Debug)]
struct Growing {
    formation: Formation,
    closed: Closed,
}

/// Whether a contact can exist together with others, distances and rotations aside.
fn fits<'a, I: Iterator<Item = &'a Touch> + Clone>(
    solids: &Solids,
    others: impl Fn() -> I,
    touch: &Touch,
    epsilon: f64,
) -> bool {
    let apart = 4.0 * epsilon;
    let first_of_its_plane = |(i, t): &(usize, &Touch)| !others().take(*i).any(|before| same_plane(before, t, apart));
    let planes = others().enumerate().filter(first_of_its_plane).count();
    let own_plane = !others().any(|t| same_plane(t, touch, apart));
    planes + usize::from(own_plane) <= MOST_PLANES
        && others().all(|t| !touch.contact.covered_by(&t.contact, solids) && !on_one_line(solids, t, touch, apart))
        && !in_one_plane(solids, others, touch, apart)
}

/// Whether two point contacts say that an edge lies on a face: they share an edge of one part and a face of the other, and are apart.
fn on_one_line(solids: &Solids, one: &Touch, two: &Touch, apart: f64) -> bool {
    if one.contact.kind.dimension() > 0 || two.contact.kind.dimension() > 0 || (one.point - two.point).norm() <= apart {
        return false;
    }
    let ([a, b], [c, d]) = (one.contact.elements(), two.contact.elements());
    let edge_of_a =
        share(a.edges(&solids.held), c.edges(&solids.held)) && share(b.faces(&solids.fixed), d.faces(&solids.fixed));
    let edge_of_b =
        share(a.faces(&solids.held), c.faces(&solids.held)) && share(b.edges(&solids.fixed), d.edges(&solids.fixed));
    edge_of_a || edge_of_b
}

/// Whether a contact, with others that touch the same two faces, says that these faces lie on each other: their points are not on one line.
fn in_one_plane<'a, I: Iterator<Item = &'a Touch> + Clone>(
    solids: &Solids,
    others: impl Fn() -> I,
    touch: &Touch,
    apart: f64,
) -> bool {
    if touch.contact.kind.dimension() == 2 {
        return false;
    }
    let [a, b] = touch.contact.elements();
    let at = |contact: &PrincipalContact, f: u32, g: u32| {
        let [c, d] = contact.elements();
        c.faces(&solids.held).contains(&f) && d.faces(&solids.fixed).contains(&g)
    };
    a.faces(&solids.held).iter().any(|f| {
        b.faces(&solids.fixed).iter().any(|g| {
            let there = others().filter(|t| t.contact.kind.dimension() < 2 && at(&t.contact, *f, *g));
            !collinear(there.flat_map(Touch::spanned).chain(touch.spanned()).map(|(point, _)| point), apart)
        })
    })
}

/// Whether points lie on one line, to within a distance (m).
fn collinear(points: impl Iterator<Item = Vec3> + Clone, apart: f64) -> bool {
    let Some(first) = points.clone().next() else { return true };
    let far = points.clone().fold(first, |far, p| if (p - first).norm() > (far - first).norm() { p } else { far });
    let Some(along) = (far - first).try_normalize(apart) else { return true };
    points.into_iter().all(|p| (p - first).cross(&along).norm() <= apart)
}
