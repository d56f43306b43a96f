//! Identification: of all candidate contacts, a set that can exist (section 4.1 of the paper).
//!
//! Candidates are taken one after the other, plane contacts before line contacts before point contacts, those of the last tick before new ones, near ones before far ones. One is taken in if it
//! can exist together with those before: it is not on the border of one of them, the table allows it, it adds no fourth contact plane, two points on one line or three in one plane do not say that
//! really an edge or a face touches, its distances do not contradict the others', and none of the contacts becomes a larger one when all distances close. A candidate that cannot exist beside the others is
//! replaced by a larger one that it is part of, if that can. The first candidate can always exist, so that some set always matches. Where the candidates contradict each
//! other (figure 3: the bottom is flush within the tolerance, and so is an edge on the wall) the larger contact wins and the other is taken as the smaller one that goes with it: a vertex on the wall.

use crate::candidates::{self, MOST_CANDIDATES};
use crate::closing;
use crate::contact::{Formation, PrincipalContact, Touch, same_plane, share};
use crate::placed::{Placed, Solids};
use crate::proximity::{self, MOST_PAIRS, NearPair};
use crate::table::FormationTable;
use stiction::spatial::Vec3;

/// Most contact planes of a formation (section 3.1).
pub const MOST_PLANES: usize = 3;
/// Contacts are gained within this share of ε, and kept within ε.
pub const GAINED: f64 = 0.5;

/// Finds formations of a pair of polyhedra.
#[derive(Clone, Debug)]
pub struct Identifier {
    table: FormationTable,
    pairs: Vec<NearPair>,
    candidates: Vec<Touch>,
}

impl Identifier {
    /// An identifier for a pair of polyhedra: it builds the table.
    pub fn new(solids: &Solids) -> Identifier {
        let (pairs, candidates) = (Vec::with_capacity(MOST_PAIRS), Vec::with_capacity(MOST_CANDIDATES));
        Identifier { table: FormationTable::new(solids), pairs, candidates }
    }

    /// The table.
    pub fn table(&self) -> &FormationTable {
        &self.table
    }

    /// The formation at a pose, within ε (m); `last` is that of the last tick. Allocates nothing.
    pub fn identify(&mut self, solids: &Solids, placed: &Placed, epsilon: f64, last: &Formation) -> Formation {
        proximity::find(solids, placed, epsilon, epsilon, &mut self.pairs);
        candidates::find(solids, placed, &self.pairs, epsilon, &mut self.candidates);
        let gained = GAINED * epsilon;
        let widest = |t: &Touch| t.spanned().map(|(_, gap)| gap.abs()).fold(0.0, f64::max);
        // Unstable sorting needs no memory; the contact itself breaks ties, so that the order is always the same.
        self.candidates.sort_unstable_by(|s, t| {
            let new = |t: &Touch| !last.has(&t.contact);
            let rank = |t: &Touch| std::cmp::Reverse(t.contact.kind.dimension());
            // In hundredths of ε, so that rounding does not choose.
            let coarse = |t: &Touch| (100.0 * t.gap / epsilon).round() as i64;
            rank(s)
                .cmp(&rank(t))
                .then(new(s).cmp(&new(t)))
                .then(coarse(s).cmp(&coarse(t)))
                .then(s.contact.cmp(&t.contact))
        });
        let mut formation = Formation::default();
        for touch in &self.candidates {
            let near = widest(touch) <= gained || last.has(&touch.contact);
            if !near || formation.touches().iter().any(|t| touch.contact.covered_by(&t.contact, solids)) {
                continue;
            }
            if let Some(with) = self.extended(solids, placed, &formation, touch, epsilon) {
                formation = with;
                continue;
            }
            // It cannot exist beside the others, but a larger contact that is less near, and of which it is part, may.
            let larger = self.candidates.iter().filter(|c| touch.contact.covered_by(&c.contact, solids));
            let better = larger.filter_map(|c| self.extended(solids, placed, &formation, c, epsilon)).next();
            formation = better.unwrap_or(formation);
        }
        // Something touches: by itself, the first candidate always can.
        if formation.is_empty() {
            self.candidates
                .iter()
                .find(|t| widest(t) <= gained || last.has(&t.contact))
                .into_iter()
                .for_each(|t| _ = formation.push(*t));
        }
        formation
    }

    /// A formation with one contact more, in place of those that are part of it; `None` if they cannot exist together.
    fn extended(
        &self,
        solids: &Solids,
        placed: &Placed,
        formation: &Formation,
        touch: &Touch,
        epsilon: f64,
    ) -> Option<Formation> {
        let mut out = Formation::default();
        for t in formation.touches().iter().filter(|t| !t.contact.covered_by(&touch.contact, solids)) {
            out.push(*t);
        }
        let possible = fits(solids, &self.table, &out, touch, epsilon) && out.push(*touch);
        (possible && closing::exists(solids, placed, out.touches(), epsilon)).then_some(out)
    }
}

/// Whether a contact can exist together with those of a formation, distances aside.
fn fits(solids: &Solids, table: &FormationTable, formation: &Formation, touch: &Touch, epsilon: f64) -> bool {
    let apart = 4.0 * epsilon;
    let own_plane = !formation.touches().iter().any(|t| same_plane(t, touch, apart));
    let planes = formation.planes(apart) + usize::from(own_plane);
    planes <= MOST_PLANES
        && formation.touches().iter().all(|t| {
            !touch.contact.covered_by(&t.contact, solids)
                && table.possible(solids, &t.contact, &touch.contact)
                && !on_one_line(solids, t, touch, apart)
        })
        && !in_one_plane(solids, formation, touch, apart)
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
fn in_one_plane(solids: &Solids, formation: &Formation, touch: &Touch, apart: f64) -> bool {
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
            let others =
                formation.touches().iter().filter(|t| t.contact.kind.dimension() < 2 && at(&t.contact, *f, *g));
            !collinear(others.flat_map(Touch::spanned).chain(touch.spanned()).map(|(point, _)| point), apart)
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
