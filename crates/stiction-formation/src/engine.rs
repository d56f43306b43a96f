//! The engine: the hand's pose goes in, the haptic force and moment come out (sections 4 and 5 of the paper).

use crate::contact::{Formation, MOST_CONTACTS};
use crate::force::{HandPush, Pressure, shared_stiffness};
use crate::freedom::{RowSpace, has_pure_rotation};
use crate::friction::{Freedom, FrictionRule, Grips, Slip, along, rules};
use crate::identify::Identifier;
use crate::motion::{MotionType, by_rotation, one_at_a_time};
use crate::placed::{Solids, moved};
use crate::polyhedron::Polyhedron;
use crate::proxy::{Proxy, ProxyMetric};
use crate::settings::{FormationSettings, FormationSettingsError};
use crate::tick::{ContactForce, FormationTick};
use std::sync::Arc;
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, halves, join, log};
use stiction::trace::Flags;

/// Speed below which a contact that slid counts as at rest (m/s).
const AT_REST: f64 = 1e-4;
/// Share by which (3) may be exceeded: a contact that has slid rests exactly at its limit.
const ROUNDING: f64 = 1e-9;
/// Share of ε by which distances may change while the normal force is kept (section 4.5).
const KEPT: f64 = 0.005;

/// Two polyhedra, one of them in a hand.
#[derive(Clone, Debug)]
pub struct FormationEngine {
    solids: Solids,
    settings: FormationSettings,
    epsilon: f64,
    world_from_fixed: Pose,
    identifier: Identifier,
    proxy: Proxy,
    /// The hand's pose in the last tick (B from A).
    hand: Pose,
    formation: Formation,
    grips: Grips,
    /// What is left of the last change of the formation: the jump (B's frame, about the hand's centre), and the time since (s).
    jump: Vec6,
    since: f64,
    /// Contact wrench on the hand after interpolation (B's frame, about the hand's centre).
    shown: Vec6,
    tick: FormationTick,
}

impl FormationEngine {
    /// An engine with the held part at a pose (world from part).
    ///
    /// # Errors
    /// [`FormationSettingsError`] for settings that make no sense.
    pub fn new(
        settings: FormationSettings,
        held: Arc<Polyhedron>,
        fixed: Arc<Polyhedron>,
        world_from_fixed: Pose,
        start: Pose,
    ) -> Result<FormationEngine, FormationSettingsError> {
        settings.check()?;
        let solids = Solids::new(held, fixed);
        let hand = world_from_fixed.inv_mul(&start);
        let epsilon = settings.epsilon.unwrap_or(solids.held.radius / 400.0);
        Ok(FormationEngine {
            identifier: Identifier::new(&solids),
            proxy: Proxy::new(&solids, &hand),
            formation: Formation::default(),
            grips: Grips::default(),
            jump: Vec6::zeros(),
            since: settings.interpolation,
            shown: Vec6::zeros(),
            tick: FormationTick::blank(&start, &moved(&start, &solids.held.centre)),
            solids,
            settings,
            epsilon,
            world_from_fixed,
            hand,
        })
    }

    /// ε (m).
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The two polyhedra.
    pub fn solids(&self) -> &Solids {
        &self.solids
    }

    /// The settings.
    pub fn settings(&self) -> &FormationSettings {
        &self.settings
    }

    /// What identifies formations, with its table.
    pub fn identifier(&self) -> &Identifier {
        &self.identifier
    }

    /// Where the fixed part is (world from part).
    pub fn world_from_fixed(&self) -> &Pose {
        &self.world_from_fixed
    }

    /// What the last tick did.
    pub fn last(&self) -> &FormationTick {
        &self.tick
    }

    /// Puts the held part somewhere else and forgets what contacts remember. Returns false, and changes nothing, if the pose is not finite.
    pub fn place(&mut self, pose: &Pose) -> bool {
        if !is_finite(pose) {
            return false;
        }
        self.hand = self.world_from_fixed.inv_mul(pose);
        self.proxy.placed.put(&self.solids, &self.hand);
        (self.formation, self.grips) = (Formation::default(), Grips::default());
        (self.jump, self.since, self.shown) = (Vec6::zeros(), self.settings.interpolation, Vec6::zeros());
        let tick = self.tick.tick;
        self.tick = FormationTick { tick, ..FormationTick::blank(pose, &moved(pose, &self.solids.held.centre)) };
        true
    }

    /// Goes on from where another engine of the same polyhedra is, with what its contacts remember: for a change of settings. Engines of other polyhedra give their pose only. Allocates nothing.
    pub fn go_on_from(&mut self, other: &FormationEngine) {
        let same = *self.solids.held == *other.solids.held && *self.solids.fixed == *other.solids.fixed;
        if !same || self.world_from_fixed != other.world_from_fixed {
            self.place(&other.tick.body);
            return;
        }
        self.hand = other.hand;
        self.proxy.placed.put(&self.solids, &other.proxy.placed.pose);
        (self.formation, self.grips) = (other.formation, other.grips);
        (self.jump, self.since, self.shown) = (other.jump, other.since, other.shown);
        self.tick = other.tick;
    }

    /// One tick with the hand at a pose (world from part) and a load on the part besides its weight (world, about its centre). Allocates nothing.
    pub fn tick(&mut self, hand: &Pose, load: &Vec6, period: f64) -> &FormationTick {
        self.tick.tick = self.tick.tick.wrapping_add(1);
        let mut flags = Flags::default();
        let bad_load = !load.iter().all(|x| x.is_finite());
        flags.set(Flags::BAD_LOAD, bad_load);
        let weight = join(self.settings.gravity * self.settings.mass, Vec3::zeros());
        let load = if bad_load { weight } else { weight + load };
        if !is_finite(hand) || !(period > 0.0) {
            flags.set(Flags::BAD_HAND, true);
            self.tick.flags = flags;
            return &self.tick;
        }
        let before = Before { proxy: self.proxy.placed.pose, hand: self.hand, formation: self.formation };
        self.hand = self.world_from_fixed.inv_mul(hand);
        let metric = ProxyMetric { epsilon: self.epsilon, lever: self.lever() };
        let outcome = self.proxy.follow(&self.solids, &self.hand, &metric);
        flags.set(Flags::STEP_BOUNDED, outcome.behind);
        let found = {
            let pressing = self.proxy.pressing;
            let pressing = &pressing[..self.proxy.pressed];
            let Proxy { placed, near, .. } = &mut self.proxy;
            self.identifier.identify(&self.solids, placed, near, self.epsilon, &before.formation, pressing)
        };
        flags.set(Flags::COARSE, outcome.coarse || !found.whole);
        self.formation = one_at_a_time(&self.solids, &before.formation, &found.formation);
        let motion = MotionType::between(&before.formation, &self.formation);
        let mut forces = [ContactForce::default(); MOST_CONTACTS];
        let contact = self.forces(&before, motion, period, &mut forces);
        flags.set(Flags::DEEP, self.formation.touches().iter().any(|t| t.gap < -self.epsilon));
        let contact = self.limited(&contact, &mut flags);
        let same_rules = self.tick.forces.iter().zip(&forces).all(|(old, new)| old.rule == new.rule);
        let same =
            motion == MotionType::Kept && same_rules || motion == MotionType::Free && before.formation.is_empty();
        // So does friction that turns at once, as (5) does where a sliding contact turns a corner.
        let friction = |forces: &[ContactForce]| forces.iter().map(|f| f.friction).sum::<Vec3>();
        let turned = (friction(&forces) - friction(&self.tick.forces)).norm();
        let changed = !same || turned > 0.25 * self.settings.coupling.max_force * period / self.settings.interpolation;
        self.interpolate(&contact, changed, period);
        self.tell(hand, &load, motion, &forces, flags);
        &self.tick
    }

    /// √(k_t/k) (m).
    fn lever(&self) -> f64 {
        (self.settings.coupling.torsion / self.settings.coupling.stiffness).sqrt()
    }

    fn tangential(&self) -> f64 {
        self.settings.tangential.unwrap_or(self.settings.coupling.stiffness)
    }

    /// Forces of all contacts; returns their sum on the hand (B's frame, about the hand's centre), equations (7) and (8).
    fn forces(
        &mut self,
        before: &Before,
        motion: MotionType,
        period: f64,
        forces: &mut [ContactForce; MOST_CONTACTS],
    ) -> Vec6 {
        let placed = &self.proxy.placed;
        let touches = self.formation.touches();
        let beyond = self.hand * placed.inverse;
        let (solids, kp) = (&self.solids, self.tangential());
        let mut pressures = [Pressure::default(); MOST_CONTACTS];
        for (touch, to) in touches.iter().zip(&mut pressures) {
            let stiffness = shared_stiffness(self.settings.coupling.stiffness, touches, touch);
            let push = HandPush { beyond: &beyond, stiffness, epsilon: self.epsilon, moments: self.settings.moments };
            *to = push.pressure(solids, placed, touch);
        }
        let place = |i: usize| [moved(&placed.inverse, &pressures[i].point), pressures[i].point];
        let displaced = |grip: &crate::friction::Grip| moved(&before.proxy, &grip.on_held) - grip.on_fixed;
        self.grips =
            self.grips.next(&self.formation, placed.pose.rotation, place, |p, q| p.neighbours(q, solids), displaced);
        // Slips, by which the rules decide.
        let mut slips = [Slip::default(); MOST_CONTACTS];
        let mut moves = [[Vec3::zeros(); 3]; MOST_CONTACTS];
        for (i, touch) in touches.iter().enumerate() {
            let grip = &mut self.grips.all_mut()[i];
            if motion == MotionType::Kept
                && (pressures[i].force - grip.normal_force).abs()
                    <= KEPT * self.epsilon * self.settings.coupling.stiffness
            {
                pressures[i].force = grip.normal_force;
            }
            grip.normal_force = pressures[i].force;
            let s = along(&(moved(&placed.pose, &grip.on_held) - grip.on_fixed), &touch.normal);
            let on_held = moved(&placed.inverse, &pressures[i].point);
            let went = along(&(pressures[i].point - moved(&before.proxy, &on_held)), &touch.normal);
            let approach = moved(&self.hand, &on_held) - moved(&before.hand, &on_held);
            moves[i] = [s, went, approach];
            let goes_on = grip.sliding && went.dot(&grip.direction) > AT_REST * period;
            let limit = self.settings.mu_static * pressures[i].force / kp;
            let down = -approach.dot(&touch.normal);
            let in_cone = down > 0.0 && along(&approach, &touch.normal).norm() <= self.settings.mu_static * down;
            let new = !before.formation.has(&touch.contact);
            slips[i] = Slip {
                distance: s.norm(),
                small: s.norm() <= limit * (1.0 + ROUNDING) && !goes_on,
                in_cone: new && in_cone,
                new,
            };
        }
        let freedom = self.freedom(before, motion);
        let rules = rules(motion, freedom, &slips[..touches.len()]);
        let mut sum = Vec6::zeros();
        for (i, touch) in touches.iter().enumerate() {
            let (pressure, [s, went, approach]) = (&pressures[i], moves[i]);
            let grip = &mut self.grips.all_mut()[i];
            let rest = AT_REST * period;
            let (mu, mu_d) = (self.settings.mu_static, self.settings.mu_kinetic);
            let s = match rules[i] {
                FrictionRule::Static => s,
                FrictionRule::Limit => shortened(&s, mu * pressure.force / kp),
                FrictionRule::Impact => {
                    let down = -approach.dot(&touch.normal);
                    along(&approach, &touch.normal) * (pressure.force / (kp * down))
                }
                FrictionRule::Dynamic => match went.norm() > rest {
                    true => went.normalize() * (mu_d * pressure.force / kp),
                    false => shortened(&unopposed(&s, &went), mu_d * pressure.force / kp),
                },
            };
            let sliding = rules[i] == FrictionRule::Dynamic;
            if sliding {
                grip.on_held = moved(&placed.inverse, &pressure.point);
                grip.direction = went.try_normalize(rest).unwrap_or(grip.direction);
            }
            grip.sliding = sliding;
            grip.on_fixed = moved(&placed.pose, &grip.on_held) - s;
            let friction = s * -kp;
            let grasp = moved(&self.hand, &grip.on_held);
            let (torsion, turned) = torsion(
                grip.turned,
                &placed.pose.rotation,
                touch.normal,
                pressure,
                kp,
                if sliding { mu_d } else { mu },
            );
            grip.turned = turned;
            let centre = moved(&self.hand, &solids.held.centre);
            let pushed = moved(&beyond, &pressure.point);
            let normal = touch.normal * pressure.force;
            let moment = (pushed - centre).cross(&normal) + (grasp - centre).cross(&friction) + torsion;
            sum += join(normal + friction, moment);
            forces[i] = ContactForce {
                rule: rules[i],
                normal_force: pressure.force,
                friction,
                torsion: torsion.dot(&touch.normal),
                point: pressure.point,
                work: friction.dot(&went),
                displacement: s,
            };
        }
        sum
    }

    fn freedom(&self, before: &Before, motion: MotionType) -> Freedom {
        let radius = self.solids.held.radius;
        match motion {
            MotionType::Kept => {
                let centre = &self.solids.held.centre;
                let way = moved(&self.hand, centre) - moved(&before.hand, centre);
                let angle = log(&(self.hand.rotation * before.hand.rotation.inverse()));
                let rows = RowSpace::of(&self.formation, &self.proxy.placed.centre, radius);
                let possible = rows.allows(&join(way, angle), radius, 1e-9 * radius);
                Freedom { possible, pure_rotation: possible && has_pure_rotation(&self.formation, radius) }
            }
            MotionType::Changed => {
                Freedom { possible: true, pure_rotation: by_rotation(&self.solids, &before.formation, &self.formation) }
            }
            _ => Freedom::default(),
        }
    }

    /// The wrench, scaled down to the coupling's limits.
    fn limited(&self, wrench: &Vec6, flags: &mut Flags) -> Vec6 {
        let (force, torque) = halves(wrench);
        let c = &self.settings.coupling;
        let over = (force.norm() / c.max_force).max(torque.norm() / c.max_torque);
        flags.set(Flags::SATURATED, over > 1.0);
        if over > 1.0 { wrench / over } else { *wrench }
    }

    /// Shows a change of the formation, or of which contacts stick, over some time and not at once (section 4.5): what would have been a jump fades linearly, in the stated time, or in
    /// more if it is larger than half of the largest force.
    fn interpolate(&mut self, contact: &Vec6, changed: bool, period: f64) {
        if changed {
            (self.jump, self.since) = (self.shown - contact, 0.0);
        } else {
            self.since += period;
        }
        let share = 2.0 * halves(&self.jump).0.norm() / self.settings.coupling.max_force;
        let left = (1.0 - self.since / (self.settings.interpolation * share.max(1.0))).max(0.0);
        self.shown = contact + self.jump * left;
    }

    fn tell(
        &mut self,
        hand: &Pose,
        load: &Vec6,
        motion: MotionType,
        forces: &[ContactForce; MOST_CONTACTS],
        flags: Flags,
    ) {
        let touches = self.formation.touches();
        let all_stick = forces[..touches.len()].iter().all(|f| f.rule != FrictionRule::Dynamic);
        // A part that sticks is shown where it sticks: the proxy went on by the displacement of its contacts.
        let mut back = Vec3::zeros();
        if all_stick && !touches.is_empty() {
            back = forces[..touches.len()].iter().map(|f| f.displacement).sum::<Vec3>() / -(touches.len() as f64);
            for touch in touches {
                back -= touch.normal * back.dot(&touch.normal).min(0.0);
            }
        }
        let mut shown = self.proxy.placed.pose;
        shown.translation.vector += back;
        let body = self.world_from_fixed * shown;
        let turn = self.world_from_fixed.rotation;
        let (force, torque) = halves(&self.shown);
        let centre = moved(&body, &self.solids.held.centre);
        // About the body's centre instead of the hand's.
        let offset = moved(hand, &self.solids.held.centre) - centre;
        let force = turn * force;
        let contact = join(force, turn * torque + offset.cross(&force));
        self.tick = FormationTick {
            tick: self.tick.tick,
            hand: *hand,
            body,
            proxy: self.world_from_fixed * self.proxy.placed.pose,
            centre,
            wrench: contact + load,
            load: *load,
            motion,
            formation: self.formation,
            forces: *forces,
            flags,
        };
    }
}

/// The state before a tick.
struct Before {
    proxy: Pose,
    hand: Pose,
    formation: Formation,
}

/// A displacement without the part that a motion takes back: a contact that slides gives no energy, however slowly it moves.
fn unopposed(s: &Vec3, went: &Vec3) -> Vec3 {
    let back = s.dot(went).min(0.0);
    if back < 0.0 { s - went * (back / went.norm_squared()) } else { *s }
}

fn shortened(v: &Vec3, most: f64) -> Vec3 {
    let length = v.norm();
    if length > most { v * (most / length) } else { *v }
}

/// Torsional friction of a spread contact about its normal, and how A was turned where it began: a spring of stiffness K_p times the mean square lever, up to µ F_cy times the mean lever. None for a point.
fn torsion(anchor: Rotation, now: &Rotation, normal: Vec3, pressure: &Pressure, kp: f64, mu: f64) -> (Vec3, Rotation) {
    if !(pressure.spread > 0.0) {
        return (Vec3::zeros(), *now);
    }
    let angle = normal.dot(&log(&(now * anchor.inverse())));
    let stiffness = kp * pressure.spread;
    let most = mu * pressure.force * pressure.lever / stiffness;
    let kept = angle.clamp(-most, most);
    let anchor = if kept == angle { anchor } else { stiction::spatial::exp(&(normal * -kept)) * now };
    (normal * (-stiffness * kept), anchor)
}

fn is_finite(pose: &Pose) -> bool {
    let q = pose.rotation.coords;
    let finite = pose.translation.vector.iter().chain(q.iter()).all(|x| x.is_finite());
    finite && (q.norm() - 1.0).abs() < 1e-6
}
