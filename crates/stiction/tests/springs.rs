//! Frictional springs after Yamane and Nakamura: how each form settles, against closed forms and eigenvalues that the test computes itself.

mod tick_support;

use stiction::contact::penalty::ShellOn;
use stiction::friction::{FrictionSettings, Method, SpringForm, Verdict};
use stiction::spatial::{Mat6, join};
use stiction::tick::{ContactModel, Damping, Engine, Settings};
use tick_support::Floor;

const ALPHAS: [f64; 3] = [0.0, 0.6, 0.9];

fn settings(form: SpringForm, springs: f64, alpha: f64) -> Settings {
    let mut s = Settings {
        model: Some(ContactModel::Penalty),
        shell_on: ShellOn::Held,
        mu_static: 100.0,
        mu_kinetic: 100.0,
        damping: alpha,
        damped: Damping::Colliding,
        ..Settings::default()
    };
    s.friction.method = Method::Yamane;
    (s.friction.spring_form, s.friction.spring_stiffness) = (form, springs);
    s
}

/// How the way to rest changes from tick to tick, in the end, after the hand has moved by a nanometre: by what factor.
fn growth(s: Settings) -> f64 {
    // Where it rests is found without springs, on which it would shake already.
    let mut floor =
        Floor::new(Settings { friction: FrictionSettings { method: Method::Frictionless, ..s.friction }, ..s });
    for _ in 0..400 {
        floor.tick(0.0, 0.0, -0.005);
    }
    let rest = floor.engine.trace().part;
    let mut floor = Floor::new(s);
    assert!(floor.engine.place(&rest));
    floor.tick(0.0, 0.0, -0.005);
    let mut steps = Vec::new();
    for _ in 0..60 {
        let t = floor.tick(1e-9, 0.0, -0.005);
        assert_ne!(t.verdict, Verdict::Slips, "within the limits");
        let size = t.step.norm();
        steps.push(size);
        // Before rounding is all that is left, or friction's limit is reached.
        if !(1e-16..1e-6).contains(&size) {
            break;
        }
    }
    let n = steps.len();
    assert!(n > 8, "{steps:?}");
    (steps[n - 2] / steps[n / 2]).powf(1.0 / (n - 2 - n / 2) as f64)
}

/// A part that only translates: Σ k_f may be k_vc (1 + α)/(1 - α).
#[test]
fn explicit_springs_are_stable_up_to_the_couplings_stiffness_times_a_factor_of_damping() {
    for alpha in ALPHAS {
        let limit = 2000.0 * (1.0 + alpha) / (1.0 - alpha);
        for (share, stable) in [(0.9, true), (0.98, true), (1.02, false), (1.5, false)] {
            let mut s = settings(SpringForm::Explicit, share * limit, alpha);
            (s.coupling.torsion, s.coupling.max_torque) = (1e6, 1e5);
            let found = growth(s);
            assert_eq!(found < 1.0, stable, "α = {alpha}, {share} of the limit: {found}");
            let expected = (alpha - (1.0 - alpha) * share * limit / 2000.0).abs();
            assert!((found / expected - 1.0).abs() < 1e-3, "α = {alpha}, {share}: {found}, expected {expected}");
        }
    }
}

/// The largest eigenvalue of A⁻¹ K_f at the contacts of a pressed cube.
fn largest(engine: &Engine, springs: f64) -> f64 {
    let contacts = engine.problem().contacts();
    let mut of_springs = Mat6::zeros();
    for c in contacts {
        for t in [c.tangent, c.normal.cross(&c.tangent)] {
            let g = join(t, c.point.cross(&t));
            of_springs += g * g.transpose() * (springs / contacts.len() as f64);
        }
    }
    let a = -engine.problem().load().stiffness;
    let product = a.try_inverse().unwrap() * of_springs;
    product.complex_eigenvalues().iter().map(|x| x.re).fold(0.0, f64::max)
}

/// A part that also tilts: the limit follows from the largest eigenvalue.
#[test]
fn explicit_springs_shake_by_the_eigenvalue_that_the_derivation_names() {
    for alpha in ALPHAS {
        let mut floor = Floor::new(settings(SpringForm::Implicit, 1.0, alpha));
        for _ in 0..400 {
            floor.tick(0.0, 0.0, -0.005);
        }
        let limit = (1.0 + alpha) / (1.0 - alpha) / largest(&floor.engine, 1.0);
        // Springs below the centre also tilt the part: the limit is lower than for one that only translates.
        println!(
            "α = {alpha}: {limit:.1} N/m, {:.3} of the closed form",
            limit * (1.0 - alpha) / (1.0 + alpha) / 2000.0
        );
        for share in [0.9, 1.1, 1.5] {
            let found = growth(settings(SpringForm::Explicit, share * limit, alpha));
            // Motions that no spring resists settle by α.
            let expected = (alpha - (1.0 + alpha) * share).abs().max(alpha);
            assert!((found / expected - 1.0).abs() < 0.01, "α = {alpha}, {share}: {found}, expected {expected}");
        }
    }
}

#[test]
fn implicit_springs_settle_by_alpha_whatever_their_stiffness() {
    for alpha in [0.3, 0.6, 0.9] {
        for springs in [1e2, 1e4, 1e6, 1e8] {
            let mut s = settings(SpringForm::Implicit, springs, alpha);
            (s.coupling.torsion, s.coupling.max_torque) = (1e6, 1e5);
            let mut floor = Floor::new(s);
            for _ in 0..1000 {
                floor.tick(0.0, 0.0, -0.005);
            }
            let steps: Vec<f64> = (0..8).map(|_| floor.tick(1e-4, 0.0, -0.005).step.norm()).collect();
            for w in steps.windows(2) {
                assert!((w[1] / w[0] - alpha).abs() < 1e-3, "α = {alpha}, {springs} N/m: {steps:?}");
            }
        }
    }
}

/// Both forms are in the same place in the end, where the explicit one gets there: k_vc/(k_vc + Σ k_f) of the hand's way.
#[test]
fn both_forms_creep_by_the_same_share() {
    let rest = |form| {
        let mut s = settings(form, 4000.0, 0.6);
        (s.coupling.torsion, s.coupling.max_torque) = (1e6, 1e5);
        let mut floor = Floor::new(s);
        let ticks = |floor: &mut Floor, x: f64| (0..300).map(|_| floor.tick(x, 0.0, -0.005).centre.x).last().unwrap();
        let before = ticks(&mut floor, 0.0);
        ticks(&mut floor, 1e-4) - before
    };
    let [implicit, explicit] = [SpringForm::Implicit, SpringForm::Explicit].map(rest);
    assert!((implicit / 1e-4 - 1.0 / 3.0).abs() < 1e-3 && (implicit - explicit).abs() < 1e-9, "{implicit} {explicit}");
}
