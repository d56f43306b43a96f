//! Formations at random poses near contact, against an exhaustive search that does not use the table.

mod support;

use std::sync::Arc;
use stiction_formation::identify::{GAINED, Identifier, MOST_PLANES};
use stiction_formation::placed::Solids;
use stiction_formation::polyhedron::Polyhedron;
use stiction_formation::verify::check;
use support::{cube, ell, identified_near_contact, notched};

/// Named in advance: ε, and by how much of it the contact points may move to be exact.
const EPSILON: f64 = 1e-4;
const MOVED: f64 = 4.0;

fn run(held: Arc<Polyhedron>, fixed: Arc<Polyhedron>, seed: u64, poses: usize) {
    let solids = Solids::new(held, fixed);
    let mut identifier = Identifier::new(&solids);
    let mut seed = seed;
    let (mut touching, mut several) = (0, 0);
    for number in 0..poses {
        let (pose, found) = identified_near_contact(&solids, &mut identifier, EPSILON, number, &mut seed);
        let report = check(&solids, &pose, &found);
        let contacts = || found.touches().iter().map(|t| (t.contact, t.gaps)).collect::<Vec<_>>();
        let what = || format!("pose {number} {pose}: {:?}\n{report:?}", contacts());
        assert_eq!(found.is_empty(), report.parts > GAINED * EPSILON, "{}", what());
        if found.is_empty() {
            continue;
        }
        touching += 1;
        several += usize::from(found.touches().len() > 1);
        assert!(report.contacts <= EPSILON, "{}", what());
        assert!(found.planes(4.0 * EPSILON) <= MOST_PLANES, "{}", what());
        assert!(report.residual < 1e-9, "no pose fulfils it: {}", what());
        assert!(report.moved <= MOVED * EPSILON, "{}", what());
        assert!(report.distinct > 1e-7, "a larger contact is meant: {}", what());
    }
    assert!(touching > poses / 2 && several > poses / 10, "{touching} {several} of {poses}");
}

#[test]
fn a_cube_at_an_l_is_always_identified_within_epsilon() {
    run(cube(), ell(), 1, 1500);
}

#[test]
fn a_non_convex_part_at_an_l_is_always_identified_within_epsilon() {
    run(notched(), ell(), 2, 500);
}
