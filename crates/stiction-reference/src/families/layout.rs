//! Where the contacts of each family are, and how hard they press.

use super::{Family, Random};
use stiction::contact::{Contact, ContactId};
use stiction::spatial::Vec3;

/// Half the edge of the cube (m).
pub(super) const HALF: f64 = 0.05;

/// A face of the cube that touches something: the outward axis and the normal force's direction.
pub(super) fn walls(family: Family) -> &'static [(usize, f64)] {
    match family {
        Family::Corner | Family::FrictionlessWall => &[(2, -1.0), (0, -1.0)],
        Family::ThreeWalls | Family::WideFriction | Family::WideStiffness | Family::WideLimits => {
            &[(2, -1.0), (0, -1.0), (1, -1.0)]
        }
        Family::Peg => &[(0, -1.0), (0, 1.0)],
        _ => &[(2, -1.0)],
    }
}

/// A point at random on the face (axis, side), and the normal there.
pub(super) fn on_face((axis, side): (usize, f64), random: &mut Random) -> (Vec3, Vec3) {
    let mut point = Vec3::from_fn(|_, _| random.uniform(-0.95 * HALF, 0.95 * HALF));
    point[axis] = side * HALF;
    let mut normal = Vec3::zeros();
    normal[axis] = -side;
    (point, normal)
}

/// k_i = k0 / max(1, Σ_j |N_i·N_j|): one stiffness budget per direction (physics notes 1.1, all weights 1).
pub(super) fn shared_springs(contacts: &[Contact], budget: f64) -> Vec<f64> {
    let touching = || contacts.iter().filter(|c| c.gap <= 0.0);
    let share = |c: &Contact| touching().map(|d| c.normal.dot(&d.normal).abs()).sum::<f64>();
    contacts.iter().map(|c| budget / share(c).max(1.0)).collect()
}

/// The contacts of a sample and the stiffness of each (N/m).
pub(super) fn contacts(family: Family, count: usize, random: &mut Random) -> (Vec<Contact>, Vec<f64>) {
    let count = match family {
        Family::OneContact => 1,
        Family::TwoContacts => 2,
        _ => count,
    };
    let walls = walls(family);
    let (line, spots): (_, [_; 3]) = (random.direction(), std::array::from_fn(|_| on_face(walls[0], random).0));
    let mu: [f64; 3] = std::array::from_fn(|_| random.uniform(0.1, 1.2));
    let mut out = Vec::with_capacity(count);
    for i in 0..count {
        let wall = i % walls.len();
        let (mut point, mut normal) = on_face(walls[wall], random);
        match family {
            Family::RandomNormals | Family::OneContact | Family::TwoContacts => {
                normal = random.direction();
                point = random.direction() * random.uniform(0.3 * HALF, 1.7 * HALF);
            }
            Family::Collinear => {
                let along = random.uniform(-0.9 * HALF, 0.9 * HALF);
                point = Vec3::new(line.x * along, line.y * along, point.z);
            }
            Family::Coincident => point = spots[random.below(3)],
            Family::NearlyParallel { exponent } => {
                let tilt = random.tangent(&normal) * libm::exp10(-f64::from(exponent));
                normal = (normal + tilt * random.uniform(-1.0, 1.0)).normalize();
            }
            _ => {}
        }
        let mut mu_static = mu[wall];
        if family == Family::WideFriction && i > 0 {
            mu_static = if random.below(10) == 0 { 0.0 } else { random.decades(-3.0, 3.0) };
        }
        if family == Family::FrictionlessWall && wall == 1 {
            mu_static = 0.0;
        }
        // The first contact always touches, so that there is friction to speak of.
        let separated = i > 0 && count >= 10 && random.below(10) == 0;
        let depth = random.decades(-5.0, -4.0);
        out.push(Contact {
            id: ContactId(i as u64),
            point,
            normal,
            tangent: random.tangent(&normal),
            gap: if separated { depth } else { -depth },
            normal_force: 0.0,
            mu_static,
            mu_kinetic: mu_static * random.uniform(0.5, 1.0),
        });
    }
    let budget = match family {
        Family::WideStiffness => random.decades(3.0, 11.0),
        _ => random.decades(4.0, 5.0),
    };
    let mut springs = shared_springs(&out, budget);
    for (c, spring) in out.iter_mut().zip(&mut springs).filter(|(c, _)| c.gap <= 0.0) {
        match family {
            // The same forces whatever the stiffness.
            Family::WideStiffness => c.gap = -random.decades(-1.0, 0.7) / *spring,
            Family::WideLimits => c.gap = -random.decades(-9.0, 3.0) / c.mu_static / *spring,
            _ => {}
        }
        c.normal_force = -c.gap * *spring;
    }
    (out, springs)
}
