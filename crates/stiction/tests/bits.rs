//! Same inputs, same bits: run to run, in debug and in release, on every processor.
//!
//! A few hundred problems of all kinds are solved with every method and cone, through short scenes with memory; every
//! bit of every answer goes into one hash. The Makefile runs this test in the dev and the release profile.

use stiction::contact::{Contact, ContactId, ContactProblem, Load};
use stiction::friction::{Certificate, Cone, Fit, FrictionSettings, FrictionSolver, Method, Metric};
use stiction::spatial::{Mat6, Vec3, Vec6, join};

/// The hash of all answers. A change here is a change of what the engine computes: say why in the commit.
const GOLDEN: u64 = 0x7ef0b20e5fa5b278;

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn numbers<'a>(&mut self, numbers: impl IntoIterator<Item = &'a f64>) {
        numbers.into_iter().for_each(|x| self.add(x.to_bits()));
    }
}

/// splitmix64: no function of a platform's library is in the numbers it makes.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// A cube against one to three walls, normals noisy in one problem of three.
fn contacts(random: &mut Random, walls: usize, count: usize, noise: f64) -> Vec<Contact> {
    let axes = [Vec3::z(), Vec3::x(), Vec3::y()];
    let contact = |i: usize| {
        let normal = axes[i % walls];
        let point = -0.05 * normal + (random.vector() * 0.05).cross(&normal);
        let normal = (normal + random.vector() * noise).normalize();
        let across = axes[(i + 1) % 3].cross(&normal);
        let across = if across.norm() > 0.1 { across } else { axes[(i + 2) % 3].cross(&normal) };
        let mu = 0.2 + 0.6 * random.unit();
        Contact {
            id: ContactId(i as u64),
            point,
            normal,
            tangent: across.normalize(),
            gap: if random.unit() < 0.1 { 1e-5 } else { -1e-4 * random.unit() },
            normal_force: 2.0 * random.unit(),
            mu_static: mu,
            mu_kinetic: 0.8 * mu,
        }
    };
    (0..count).map(contact).collect()
}

fn load(random: &mut Random, contacts: &[Contact], pull: f64) -> Load {
    let mut stiffness = -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 1e3, 10.0, 10.0, 10.0));
    let mut limits = 0.0;
    for c in contacts.iter().filter(|c| !c.is_separated()) {
        let j = join(c.normal, c.point.cross(&c.normal));
        stiffness -= j * j.transpose() * (2e4 / contacts.len() as f64);
        limits += c.mu_static * c.normal_force;
    }
    let wrench = join(random.vector(), random.vector() * 0.03) * (pull * limits);
    Load { wrench, stiffness, mass: Mat6::from_diagonal(&Vec6::new(1.0, 1.0, 1.0, 2e-3, 2e-3, 2e-3)) }
}

fn hash_answer(hash: &mut Fnv, solver: &FrictionSolver) {
    let answer = solver.solution();
    for flag in [answer.verdict as u64, u64::from(answer.iterations), u64::from(answer.passes), answer.rank.into()] {
        hash.add(flag);
    }
    hash.add(u64::from(answer.stalled) + 2 * u64::from(answer.metric_shifted));
    hash.numbers(&answer.step);
    hash.numbers(&answer.friction);
    match answer.certificate {
        Certificate::Balanced { lambda } => hash.numbers(&lambda),
        Certificate::Unstoppable { direction, held_step, lambda } => {
            [direction, held_step, lambda].iter().for_each(|v| hash.numbers(v));
        }
        Certificate::Optimal { gap } => hash.numbers(&[gap]),
        Certificate::None => hash.add(0),
    }
    for c in answer.contacts() {
        hash.numbers(&[c.friction[0], c.friction[1], c.slip[0], c.slip[1], c.anchor[0], c.anchor[1], c.limit, c.power]);
        hash.add(c.state as u64);
    }
}

/// Solves everything; returns the hash and the number of solves.
fn all_bits() -> (u64, u32) {
    let methods = [Method::Lp, Method::Qp(Metric::Mass), Method::Qp(Metric::Stiffness), Method::Hold];
    let inscribed = Cone::Polygon { sides: 5, fit: Fit::Inscribed };
    let cones = [Cone::paper(4), Cone::paper(8), inscribed, Cone::Disk];
    let (mut hash, mut solves) = (Fnv(0xcbf2_9ce4_8422_2325), 0);
    let mut problem = ContactProblem::with_capacity(64);
    for method in methods {
        for cone in cones.into_iter().filter(|&cone| method != Method::Lp || cone != Cone::Disk) {
            let mut random = Random(7);
            for scene in 0..12 {
                let settings =
                    FrictionSettings { method, cone, warm_start: scene % 2 == 0, ..FrictionSettings::default() };
                let mut solver = FrictionSolver::new(settings, 64).unwrap();
                let count = [1, 2, 3, 7, 24, 61][scene % 6];
                let noise = if scene % 3 == 0 { 1e-3 } else { 0.0 };
                let all = contacts(&mut random, 1 + scene % 3, count, noise);
                for tick in 0..4 {
                    // A contact leaves in the third tick and is back in the fourth.
                    let here: Vec<_> = all.iter().copied().skip(usize::from(tick == 2)).collect();
                    let pull = [0.1, 0.4, 0.8, 1.5][(tick + scene) % 4];
                    problem.rebuild(&load(&mut random, &here, pull), here).unwrap();
                    let step = solver.solve(&problem).unwrap().step;
                    hash_answer(&mut hash, &solver);
                    solver.commit(&problem, &step).unwrap();
                    solves += 1;
                }
                hash.numbers(&[solver.ray_margin(&problem).unwrap(), solver.robust_margin(&problem).unwrap()]);
            }
        }
    }
    (hash.0, solves)
}

#[test]
fn bits_are_the_same_everywhere() {
    let (first, solves) = all_bits();
    let (second, _) = all_bits();
    assert!(solves >= 700, "only {solves} problems");
    assert_eq!(first, second, "two runs in one process differ");
    assert_eq!(
        first, GOLDEN,
        "the engine's answers have changed: {first:#018x}. If that is meant, it is the new GOLDEN"
    );
}
