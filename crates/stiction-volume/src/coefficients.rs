//! Coefficients of contacts, and what they may be.
//!
//! Bodies move by semi-implicit Euler: v' = v + h a(x, v), x' = x + h v'. A spring k and a damper b on an inverse mass Λ give λ² - (2 - h b Λ - h² k Λ) λ + (1 - h b Λ) = 0, whose roots are in the unit circle where
//!
//! ```text
//! h² k Λ + 2 h b Λ ≤ 4
//! ```
//!
//! Λ of a contact is at most the sum over both bodies of 1/m + λ(I⁻¹ G), where G is the mean of |p|² 1 - p pᵀ over the contact area, p from the centre of mass
//! ([`turning_inverse_mass`] bounds that eigenvalue). It holds for springs in all three directions, so normal forces and static friction are bounded by the same number.
//! A body between two others of its kind has twice that, so a factor of two is kept for coefficients that are given.
//!
//! Default coefficients are k = 0.4/(h² Λ), b = 0.3/(h Λ): the bound has room for four such contacts in one direction. The stiffness of several contacts of two bodies is that of one:
//! each has the share a/Σ a' |n·n'| of its area a, which keeps the largest eigenvalue of all together at k (Gershgorin), and makes parts that touch side by side as stiff as one part would be.

use crate::contact::{Coefficients, Contact};
use crate::error::VolumeError;
use crate::model::{Model, squares, turning_inverse_mass};
use crate::patch::Moments;
use crate::settings::VolumeSettings;
use stiction::spatial::{Mat3, Vec3};

/// h² k Λ and h b Λ of coefficients by default.
const STIFFNESS: f64 = 0.4;
const DAMPING: f64 = 0.3;

/// What coefficients follow from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded<'a> {
    /// Inverse mass (1/kg), zero for a body that no force moves.
    pub inverse_mass: f64,
    /// Inverse of the moments of inertia in the world's axes.
    pub inverse_inertia: &'a Mat3,
    /// Centre of mass (m, world).
    pub centre: &'a Vec3,
    /// Whether a device is the body.
    pub device: bool,
}

/// Coefficients of a contact.
pub(crate) fn coefficients(
    settings: &VolumeSettings,
    mu: [f64; 2],
    contact: &Contact,
    centre: &Vec3,
    moments: &Moments,
    bodies: [Loaded; 2],
) -> Coefficients {
    let (given, h) = (&settings.contact, settings.period);
    let device = bodies.iter().any(|b| b.device);
    let inverse: f64 = bodies.iter().map(|b| inverse_mass(b, contact, centre, moments)).sum();
    let most = if device { settings.coupling.stiffness } else { f64::INFINITY };
    let (stiffness, damping) = if inverse > 0.0 {
        (STIFFNESS / (h * h * inverse), DAMPING / (h * inverse))
    } else {
        // A device against what does not move: as stiff as the device renders.
        (settings.coupling.stiffness, 0.0)
    };
    Coefficients {
        normal: [given.normal_stiffness.unwrap_or(stiffness), given.normal_damping.unwrap_or(damping)],
        tangential: [given.tangential_stiffness.unwrap_or(stiffness), given.tangential_damping.unwrap_or(damping)],
        most,
        mu,
    }
}

/// Λ of one body for forces in a contact area.
fn inverse_mass(body: &Loaded, contact: &Contact, centre: &Vec3, moments: &Moments) -> f64 {
    if !(body.inverse_mass > 0.0) {
        return 0.0;
    }
    let (u, v, [xx, xy, yy]) = (&contact.axes.u, &contact.axes.v, moments.second);
    let spread = u * u.transpose() * xx + (u * v.transpose() + v * u.transpose()) * xy + v * v.transpose() * yy;
    let g = squares(&(centre - body.centre)) + Mat3::identity() * (xx + yy) - spread;
    body.inverse_mass + turning_inverse_mass(body.inverse_inertia, &g)
}

/// Refuses given coefficients that the period cannot take.
pub(crate) fn check(settings: &VolumeSettings, model: &Model) -> Result<(), VolumeError> {
    let (c, h) = (&settings.contact, settings.period);
    let positive = |what: &str, value: f64| {
        if value > 0.0 && value.is_finite() {
            Ok(())
        } else {
            Err(VolumeError::NotPositive { what: what.into(), value })
        }
    };
    positive("the period", h)?;
    for (what, value) in
        [("the normal stiffness", c.normal_stiffness), ("the tangential stiffness", c.tangential_stiffness)]
    {
        value.map_or(Ok(()), |value| positive(what, value))?;
    }
    for (what, value) in [("the normal damping", c.normal_damping), ("the tangential damping", c.tangential_damping)] {
        // Zero is fine.
        value.map_or(Ok(()), |value| positive(what, value + f64::MIN_POSITIVE))?;
    }
    if !settings.gravity.iter().all(|x| x.is_finite()) {
        return Err(VolumeError::NotFinite { what: "gravity".into() });
    }
    check_friction(c.mu_static, c.mu_kinetic)?;
    let mut worst = (0.0, [0, 0]);
    for a in 0..model.bodies.len() {
        for b in a + 1..model.bodies.len() {
            let inverse = model.bodies[a].worst_inverse_mass + model.bodies[b].worst_inverse_mass;
            if inverse > worst.0 && model.touch(a, b) {
                worst = (inverse, [a, b]);
            }
        }
    }
    let (inverse, bodies) = (2.0 * worst.0, worst.1);
    for (what, stiffness, damping) in
        [["normal", "normal stiffness", "normal damping"], ["tangential", "tangential stiffness", "tangential damping"]]
            .map(|[which, stiffness, damping]| (which == "normal", stiffness, damping))
            .map(|(normal, stiffness, damping)| {
                let given = if normal {
                    (c.normal_stiffness, c.normal_damping)
                } else {
                    (c.tangential_stiffness, c.tangential_damping)
                };
                ((stiffness, damping), given.0, given.1)
            })
    {
        let (k, b) = (stiffness.unwrap_or(0.0), damping.unwrap_or(0.0));
        if h * inverse * (h * k + 2.0 * b) <= 4.0 {
            continue;
        }
        // The damper alone, then the spring with that damper.
        let alone = 2.0 / (h * inverse);
        let root = |k: f64| if k > 0.0 { ((b * b + 4.0 * k / inverse).sqrt() - b) / k } else { alone * h / b };
        return Err(if b > alone {
            let (value, most, shorter) = (b, alone, 2.0 / (b * inverse));
            VolumeError::Unstable { what: what.1, value, unit: "N s/m", period: h, bodies, most, shorter }
        } else {
            let (value, most, shorter) = (k, (4.0 / (h * inverse) - 2.0 * b) / h, root(k));
            VolumeError::Unstable { what: what.0, value, unit: "N/m", period: h, bodies, most, shorter }
        });
    }
    Ok(())
}

/// Refuses coefficients of friction that are none.
pub(crate) fn check_friction(mu_static: f64, mu_kinetic: f64) -> Result<(), VolumeError> {
    if mu_static.is_finite() && mu_kinetic >= 0.0 && mu_kinetic <= mu_static {
        Ok(())
    } else {
        Err(VolumeError::Friction { mu_static, mu_kinetic })
    }
}

/// Gives each contact its share of stiffness. `order` is memory for the numbers of contacts; `group` says which contacts share.
pub(crate) fn share(contacts: &mut [Contact], order: &mut Vec<u32>, group: impl Fn(&Contact) -> [usize; 2]) {
    order.clear();
    order.extend(0..contacts.len() as u32);
    order.sort_unstable_by_key(|i| (group(&contacts[*i as usize]), *i));
    let mut from = 0;
    while from < order.len() {
        let of = group(&contacts[order[from] as usize]);
        let to = from + order[from..].iter().take_while(|i| group(&contacts[**i as usize]) == of).count();
        for i in &order[from..to] {
            let one = &contacts[*i as usize];
            let (n, area) = (one.axes.n, one.moments.area);
            let beside = |j: &u32| contacts[*j as usize].moments.area * contacts[*j as usize].axes.n.dot(&n).abs();
            let sum: f64 = if to - from == 1 { area } else { order[from..to].iter().map(beside).sum() };
            contacts[*i as usize].share = if sum > 0.0 { (area / sum).min(1.0) } else { 1.0 };
        }
        from = to;
    }
}
