//! The mapping between handle and hand: work by finite differences, the clutch, the way back, and the coupling made of a device.

use stiction::coupling::Coupling;
use stiction::spatial::{Pose, Vec3, Vec6, exp, halves, join, log};
use stiction_device::device::Dofs;
use stiction_device::mapping::MappingError;
use stiction_device::sim::SimParams;
use stiction_device::{Caps, Drive, Mapping};

/// xorshift64*.
struct Random(u64);

impl Random {
    /// -1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    fn pose(&mut self, size: f64) -> Pose {
        Pose::from_parts((self.vec3() * size).into(), exp(&(self.vec3() * 2.0)))
    }

    /// Between 1/4 and 4.
    fn scale(&mut self) -> f64 {
        4.0_f64.powf(self.signed())
    }

    /// Any mapping, tied somewhere.
    fn mapping(&mut self) -> Mapping {
        let mut m = Mapping::new(Dofs::ALL);
        m.turn = exp(&(self.vec3() * 2.0));
        (m.motion_scale, m.force_scale) = (self.scale(), self.scale());
        m.part_in_handle = self.pose(0.1);
        m.tie(&self.pose(0.2), &self.pose(0.3));
        m
    }
}

/// How far apart two poses are (m, rad).
fn apart(a: &Pose, b: &Pose) -> f64 {
    (a.translation.vector - b.translation.vector).norm() + log(&(a.rotation * b.rotation.inverse())).norm()
}

fn moved(pose: &Pose, step: &Vec6) -> Pose {
    let (shift, turn) = halves(step);
    Pose::from_parts((pose.translation.vector + shift).into(), exp(&turn) * pose.rotation)
}

#[test]
fn work_at_the_handle_is_that_in_the_scene_times_one_factor() {
    let mut random = Random(7);
    for case in 0..2000 {
        let m = random.mapping();
        let e = m.force_scale / m.motion_scale;
        let handle = random.pose(0.2);
        // The centre of the part's mass, in its own axes.
        let centre_in_part = random.vec3() * 0.05;
        let centre = |hand: &Pose| hand * nalgebra::Point3::from(centre_in_part);
        let wrench = join(random.vec3() * 10.0, random.vec3());
        let way = join(random.vec3(), random.vec3() * 5.0);
        let hand = m.hand(&handle).unwrap();
        let felt = m.wrench(&wrench, &centre(&hand).coords, &handle);
        // Central difference: the work of a small step there and back, per its length.
        let h = 1e-5;
        let [there, back] = [h, -h].map(|h| m.hand(&moved(&handle, &(way * h))).unwrap());
        let shift = centre(&there).coords - centre(&back).coords;
        let turn = log(&(there.rotation * back.rotation.inverse()));
        let in_scene = wrench.dot(&join(shift, turn)) / (2.0 * h);
        let at_handle = felt.dot(&way);
        let size = felt.norm() * way.norm() + 1.0;
        assert!((at_handle - e * in_scene).abs() < 1e-7 * size, "{case}: {at_handle} is not {e} times {in_scene}");
    }
}

#[test]
fn forces_are_felt_by_the_force_scale_and_what_is_not_actuated_is_left_out() {
    let mut random = Random(3);
    for _ in 0..100 {
        let mut m = random.mapping();
        let (handle, wrench, centre) = (random.pose(0.2), join(random.vec3(), random.vec3()), random.vec3());
        let (force, torque) = halves(&m.wrench(&wrench, &centre, &handle));
        assert!((force.norm() / halves(&wrench).0.norm() - m.force_scale).abs() < 1e-12);
        m.actuated = Dofs::TRANSLATION;
        assert_eq!(m.wrench(&wrench, &centre, &handle), join(force, Vec3::zeros()));
        assert!(torque.norm() > 0.0);
        m.untie();
        assert_eq!(m.wrench(&wrench, &centre, &handle), Vec6::zeros());
    }
}

#[test]
fn handle_for_is_the_inverse_of_hand() {
    let mut random = Random(11);
    for _ in 0..1000 {
        let m = random.mapping();
        let (handle, hand) = (random.pose(0.2), random.pose(0.2));
        assert!(apart(&m.handle_for(&m.hand(&handle).unwrap()).unwrap(), &handle) < 1e-12);
        assert!(apart(&m.hand(&m.handle_for(&hand).unwrap()).unwrap(), &hand) < 1e-12);
    }
}

#[test]
fn a_tie_continues_where_the_hand_was_whatever_the_handle_did_meanwhile() {
    let mut random = Random(5);
    for _ in 0..1000 {
        let mut m = random.mapping();
        let hand = m.hand(&random.pose(0.2)).unwrap();
        m.untie();
        let elsewhere = random.pose(0.2);
        assert_eq!((m.hand(&elsewhere), m.handle_for(&hand)), (None, None));
        m.tie(&elsewhere, &hand);
        assert!(apart(&m.hand(&elsewhere).unwrap(), &hand) < 1e-12);
        // And goes on from there by the scale of motion, in the turned axes.
        let way = random.vec3() * 0.01;
        let next = m.hand(&moved(&elsewhere, &join(way, Vec3::zeros()))).unwrap();
        let went = next.translation.vector - hand.translation.vector;
        assert!((went - m.turn * way * m.motion_scale).norm() < 1e-12);
        // A turn of the handle is the same turn of the hand, about the handle.
        let turn = random.vec3();
        let next = m.hand(&moved(&elsewhere, &join(Vec3::zeros(), turn))).unwrap();
        assert!((log(&(next.rotation * hand.rotation.inverse())) - m.turn * turn).norm() < 1e-9);
    }
}

#[test]
fn a_derived_coupling_is_no_stiffer_or_stronger_than_the_device_feels_it() {
    let mut random = Random(13);
    let wanted = Coupling { stiffness: 5000.0, torsion: 20.0, max_force: 40.0, max_torque: 4.0 };
    let devices = [SimParams::default(), SimParams::ideal(), SimParams::falcon_like(), SimParams::touch_like()];
    for caps in devices.iter().map(SimParams::caps).cycle().take(400) {
        let mut m = Mapping::new(caps.actuated);
        (m.motion_scale, m.force_scale) = (random.scale(), random.scale());
        let period = 1e-3 * random.scale();
        let made = m.coupling(&wanted, &caps, period).unwrap();
        let Caps { stiffness, damping, force, torque, .. } = caps;
        let (g, s) = (m.force_scale, m.motion_scale);
        // One newton a metre of the hand is g s at the handle; torque g/s a radian.
        let felt = made.stiffness * g * s;
        assert!(felt <= stiffness[0] * (1.0 + 1e-12) && felt < 2.0 * damping[0] / period, "{felt} N/m");
        assert!(made.stiffness <= wanted.stiffness && made.max_force * g <= force[1] * (1.0 + 1e-12));
        if caps.actuated == Dofs::ALL {
            let felt = made.torsion * g / s;
            assert!(felt <= stiffness[1] * (1.0 + 1e-12) && felt < 2.0 * damping[1] / period, "{felt} N m/rad");
            assert!(made.max_torque * g / s <= torque[1] * (1.0 + 1e-12));
        } else {
            assert_eq!((made.torsion, made.max_torque), (wanted.torsion, wanted.max_torque));
        }
        // As stiff as that, where the scene wants it.
        let bound = stiffness[0].min(1.6 * damping[0] / period) / (g * s);
        assert!((made.stiffness - bound.min(wanted.stiffness)).abs() < 1e-9 * bound);
    }
}

#[test]
fn a_device_that_answers_requests_gets_a_softer_coupling() {
    let wanted = Coupling { stiffness: 5000.0, torsion: 20.0, max_force: 40.0, max_torque: 4.0 };
    let polled = SimParams::default().caps();
    let asked = Caps { drive: Drive::RequestReply, ..polled.clone() };
    let stiffness =
        |caps: &Caps| Mapping::new(caps.actuated).coupling(&wanted, caps, 1e-3).map(|c| [c.stiffness, c.torsion]);
    // 0.5 N s/m: 0.8 of 1000 N/m, and of a third of that. Its maker allows less torsion.
    let ([k, _], [k_asked, t_asked]) = (stiffness(&polled).unwrap(), stiffness(&asked).unwrap());
    assert!((k - 800.0).abs() < 1e-9 && (k_asked - 800.0 / 3.0).abs() < 1e-9, "{k} and {k_asked} N/m");
    assert!((t_asked - 0.8 / 3.0).abs() < 1e-9, "{t_asked} N m/rad");
}

#[test]
fn nonsense_is_refused() {
    let mut m = Mapping::new(Dofs::ALL);
    assert_eq!(m.check(), Ok(()));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        m.motion_scale = bad;
        assert!(matches!(m.check(), Err(MappingError::BadScale { what: "motion scale", .. })), "{bad}");
    }
    m.motion_scale = 1.0;
    m.force_scale = 0.0;
    assert!(m.check().unwrap_err().to_string().contains("force scale is 0"));
    let caps = Caps { stiffness: [0.0; 2], ..SimParams::default().caps() };
    let wanted = Coupling { stiffness: 1.0, torsion: 1.0, max_force: 1.0, max_torque: 1.0 };
    let told = Mapping::new(Dofs::ALL).coupling(&wanted, &caps, 1e-3).unwrap_err();
    assert!(told.to_string().contains("input only"));
}
