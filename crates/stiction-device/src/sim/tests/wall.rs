//! The wall against theory.

use super::super::wall::*;
use super::*;

#[test]
fn tick_of_the_simulated_wall_has_the_matrix_of_the_derivation() {
    for (m, b, t) in [(0.1, 0.5, 1e-3), (0.02, 3.0, 1e-3), (0.001, 5.0, 1e-3), (0.5, 0.1, 2.5e-4)] {
        let k = 1.1 * passivity_bound(b, t);
        let handle = Handle { mass: [m, 1e-4], damping: [b, 1e-4], ..PLAIN };
        let column = |x: f64, v: f64| {
            let mut device = armed(with(handle, SimHand::Released));
            device.place(&at(0.0, 0.0, x));
            device.kick(&along(2, v));
            device.render(&along(2, -k * x));
            device.step(t);
            [1e3 * device.pose().translation.vector.z, 1e3 * device.twist()[2]]
        };
        let ([a, c], [b_, d]) = (column(1e-3, 0.0), column(0.0, 1e-3));
        let (q, p) = (b * t / m, (-b * t / m).exp());
        let r = -(-q).exp_m1() / q;
        close(a + d, 1.0 + p - k * t / b * (1.0 - r), 1e-12);
        close(a * d - b_ * c, p + k * t / b * (r - p), 1e-12);
    }
}

#[test]
fn exact_edge_is_where_eigenvalues_leave_the_unit_circle() {
    for q in [1e-5, 1e-3, 0.0099, 0.0101, 0.1, 0.28, 1.0, 3.0, 3.7, 4.0, 8.0, 30.0] {
        let (b, t) = (0.5, 1e-3);
        let m = b * t / q;
        let edge = exact_edge(m, b, t);
        let radius = |k: f64| {
            let (p, r) = (libm::exp(-q), -libm::expm1(-q) / q);
            let trace = 1.0 + p - k * t / b * (1.0 - r);
            let det = p + k * t / b * (r - p);
            let root = trace * trace / 4.0 - det;
            if root < 0.0 { det.sqrt() } else { trace.abs() / 2.0 + root.sqrt() }
        };
        assert!(radius(0.999 * edge) < 1.0 && radius(1.001 * edge) > 1.0, "q = {q}");
        let ratio = edge / passivity_bound(b, t);
        assert!((1.0..2.1).contains(&ratio), "{ratio}");
        assert_eq!(ratio < 1.05, q <= 0.28, "q = {q}: {ratio}");
        if q < 0.2 {
            close(ratio, 1.0 + q / 6.0 + q * q / 36.0, q * q * q / 10.0 + 1e-9);
        }
    }
}

#[test]
fn wall_goes_unstable_at_the_passivity_bound() {
    for (m, b, t) in
        [(0.1, 0.5, 1e-3), (0.1, 0.1, 1e-3), (0.1, 5.0, 1e-3), (0.3, 2.0, 2.5e-4), (0.05, 1.0, 4e-3), (0.1, 0.5, 1e-4)]
    {
        let report = wall_edge(&WallParams { mass: m, damping: b, period: t, ..WallParams::default() }).unwrap();
        println!("m {m} b {b} T {t}: {report:?}");
        close(report.ratio, 1.0, 0.05);
        close(report.edge / report.exact, 1.0, 2e-3);
    }
}

#[test]
fn light_handles_are_stable_beyond_the_bound_as_derived() {
    for q in [1.0, 3.0, 3.7, 6.0, 20.0] {
        let report = wall_edge(&WallParams { mass: 0.5e-3 / q, ..WallParams::default() }).unwrap();
        println!("q {q}: {report:?}");
        assert!(report.ratio > 1.09);
        close(report.edge / report.exact, 1.0, 2e-3);
    }
}

#[test]
fn wall_through_safe_wrenches_has_the_same_edge() {
    let params = WallParams { settle: 0.05, ..WallParams::default() };
    let bare = wall_edge(&params).unwrap();
    let through = wall_edge_through(&params, |k| move |state: &DeviceState| safe(wall_wrench(k, state))).unwrap();
    assert_eq!(bare, through);
}

#[test]
fn wall_without_sense_is_an_error() {
    for params in [
        WallParams { mass: 0.0, ..WallParams::default() },
        WallParams { damping: -1.0, ..WallParams::default() },
        WallParams { period: f64::NAN, ..WallParams::default() },
        WallParams { load: 0.0, ..WallParams::default() },
    ] {
        assert!(wall_edge(&params).is_err(), "{params:?}");
    }
}

/// How much larger the oscillation of a released handle on a wall is in the second half of two seconds, with a delay of so many periods.
fn growth(stiffness: f64, delay: u8) -> f64 {
    let (load, t) = (1.0, 1e-3);
    let mut params = with(Handle { mass: [0.1, 1e-4], damping: [0.5, 1e-4], ..PLAIN }, SimHand::Released);
    params.chain.delay = delay;
    let mut device = armed(params);
    device.push(&along(2, -load));
    device.place(&at(0.0, 0.0, -load / stiffness));
    (0..4).for_each(|_| _ = device.render(&along(2, load)));
    device.kick(&along(2, 1e-4));
    let mut largest = [0.0_f64; 2];
    for i in 0..2000 {
        let x = device.pose().translation.vector.z;
        device.render(&along(2, -stiffness * x));
        device.step(t);
        largest[i / 1000] = largest[i / 1000].max((x + load / stiffness).abs());
    }
    largest[1] / largest[0]
}

#[test]
fn a_delay_lowers_the_edge_as_the_bound_of_couplings_says() {
    for delay in 0..3 {
        let bound = 0.5 / (0.5e-3 + 1e-3 * f64::from(delay));
        let growths = [0.9, 1.1].map(|share| growth(share * bound, delay));
        println!("{delay} periods: {growths:?} around {bound} N/m");
        assert!(growths[0] < 1.0 && growths[1] > 1.0, "{delay} periods: {growths:?}");
    }
}
