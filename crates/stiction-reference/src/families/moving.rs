//! A scene that moves: contacts enter and leave, the pull turns slowly, and the load stays in its class.
//!
//! The shell points are fixed on the faces of the cube. A depth field drifts over them: point i is at the place
//! θ_i = φ_i + drift (mod 1) of a period of which the first 80 % is below the surface, deepest in its middle, so
//! that contacts enter and leave at depth zero. The drift is drawn each tick so that 1 to 5 % of the contacts change.

use super::layout::{self, on_face};
use super::{Family, Loading, Pull, Random, SampleProblem};
use stiction::contact::{Contact, ContactId};
use stiction::friction::Cone;
use stiction::spatial::{Mat6, Vec6};

/// Part of a period that a shell point spends in contact.
const TOUCHING: f64 = 0.8;
/// Depth in the middle of it (m).
const DEEPEST: f64 = 1e-4;

/// A cube sliding along walls, tick by tick. Endless; also an [`Iterator`].
#[derive(Clone, Debug)]
pub struct MovingScene {
    family: Family,
    cone: Cone,
    loading: Loading,
    random: Random,
    /// Each shell point with its phase φ.
    shell: Vec<(Contact, f64)>,
    mass: Mat6,
    budget: f64,
    geometric: bool,
    drift: f64,
    direction: Vec6,
    rocking: Vec6,
    /// Phase of the slow change of the load.
    sway: f64,
}

impl MovingScene {
    /// A scene with about `contacts` contacts per tick; the seed also chooses among plane, corner, three walls and peg.
    pub fn new(contacts: usize, cone: Cone, loading: Loading, seed: u64) -> Self {
        let families = [Family::Planar, Family::Corner, Family::ThreeWalls, Family::Peg];
        Self::in_family(families[(seed % 4) as usize], contacts, cone, loading, seed)
    }

    /// A scene with the walls of a family. Families that differ in numbers or in points only are taken for their walls.
    pub fn in_family(family: Family, contacts: usize, cone: Cone, loading: Loading, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let walls = layout::walls(family);
        let points = ((contacts.max(1) as f64 / TOUCHING) as usize).max(walls.len() + 1);
        let mu: [f64; 3] = std::array::from_fn(|_| random.uniform(0.2, 0.9));
        // Evenly spread phases in random order: the number of contacts stays the same to within one or two.
        let mut phases: Vec<f64> = (0..points).map(|i| (i as f64 + random.uniform(0.0, 1.0)) / points as f64).collect();
        for i in (1..points).rev() {
            phases.swap(i, random.below(i + 1));
        }
        let shell = phases
            .into_iter()
            .enumerate()
            .map(|(i, phase)| {
                let wall = i % walls.len();
                let (point, normal) = on_face(walls[wall], &mut random);
                let tangent = random.tangent(&normal);
                let id = ContactId(i as u64);
                let (mu_static, mu_kinetic) = (mu[wall], 0.8 * mu[wall]);
                (Contact { id, point, normal, tangent, gap: 0.0, normal_force: 0.0, mu_static, mu_kinetic }, phase)
            })
            .collect();
        Self {
            family,
            cone,
            loading,
            shell,
            mass: super::mass(&mut random),
            budget: random.decades(4.0, 5.0),
            geometric: random.below(2) == 1,
            drift: 0.0,
            direction: random.direction6(),
            rocking: random.direction6(),
            sway: random.uniform(0.0, 1.0),
            random,
        }
    }

    /// The problem of the next tick, with its answer.
    pub fn next_tick(&mut self) -> SampleProblem {
        let mut contacts = Vec::with_capacity(self.shell.len());
        for (contact, phase) in &self.shell {
            let place = (phase + self.drift).fract() / TOUCHING;
            let depth = 4.0 * DEEPEST * place * (1.0 - place);
            if depth > 0.0 {
                contacts.push(Contact { gap: -depth, ..*contact });
            }
        }
        let springs = layout::shared_springs(&contacts, self.budget);
        for (c, spring) in contacts.iter_mut().zip(&springs) {
            c.normal_force = -c.gap * spring;
        }
        let stiffness = super::stiffness(&contacts, &springs, self.geometric);
        // A triangle wave, up and down through the whole class.
        let fraction = self.loading.fraction(1.0 - (2.0 * self.sway - 1.0).abs());
        let pull = Pull { direction: self.direction, rocking: self.rocking, fraction };
        let (load, truth) = pull.on(&contacts, stiffness, self.mass, self.cone);
        self.advance();
        SampleProblem { load, contacts, family: self.family, loading: self.loading, cone: self.cone, truth }
    }

    fn advance(&mut self) {
        // Of the points in contact, drift / TOUCHING leave and as many enter.
        self.drift = (self.drift + 0.5 * TOUCHING * self.random.uniform(0.01, 0.05)).fract();
        self.sway = (self.sway + self.random.uniform(0.0, 0.004)).fract();
        let turned = self.direction + self.random.direction6() * 0.01;
        self.direction = turned / turned.norm();
        let size = self.rocking.norm();
        let rocked = self.rocking + self.random.direction6() * (0.01 * size);
        self.rocking = rocked * (size / rocked.norm());
    }
}

impl Iterator for MovingScene {
    type Item = SampleProblem;

    fn next(&mut self) -> Option<SampleProblem> {
        Some(self.next_tick())
    }
}
