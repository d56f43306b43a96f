mod tick_support;
use stiction::contact::penalty::ShellOn;
use stiction::friction;
use stiction::spatial::*;
use stiction::tick::*;
use tick_support::*;

#[test]
fn explore() {
    for shell_on in [ShellOn::Held, ShellOn::Fixed] {
        for method in [friction::Method::Hold, friction::Method::Frictionless, friction::Method::Yamane] {
            let mut s = Settings { shell_on, damping: 0.0, ..Settings::default() };
            s.friction.method = method;
            let mut f = Floor::new(s);
            println!("{shell_on:?} {method:?} bound {} radius {}", f.engine.step_bound(), f.engine.radius());
            for i in 0..12 {
                let t = f.tick(0.0, 0.0, -0.005);
                println!(
                    "{i} z {:.3e} n {} F {:.4} depth {:.3e} v {:?} res {:.1e} sub {} flags {:?}",
                    t.centre.z - HALF,
                    t.contacts,
                    t.device[2],
                    t.depth,
                    t.verdict,
                    t.residual,
                    t.substeps,
                    t.flags.names().collect::<Vec<_>>()
                );
            }
            let mut slid = None;
            for i in 0..2000 {
                let x = i as f64 * 2e-6;
                let t = f.tick(x, 0.0, -0.005);
                if t.verdict == friction::Verdict::Slips && slid.is_none() {
                    slid = Some((t.device[0] / t.device[2], t.pressure));
                    println!(
                        "slip at {i} x {x:.2e} force {} Fz {} ratio {} stuck {} sliding {}",
                        t.device[0],
                        t.device[2],
                        t.device[0] / t.device[2],
                        t.stuck,
                        t.sliding
                    );
                }
                if i % 400 == 399 {
                    println!(
                        "{i} x {:.3e} dev {:.4?} n {} stuck {} sliding {} {:?}",
                        t.centre.x,
                        t.device.as_slice(),
                        t.contacts,
                        t.stuck,
                        t.sliding,
                        t.flags.names().collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    // jump
    let mut f = Floor::new(Settings::default());
    for i in 0..40 {
        let t = f.tick(0.0, 0.0, -0.3);
        if i % 5 == 0 {
            println!(
                "{i} z {:.3e} F {:.3} depth {:.2e} sub {} {:?}",
                t.centre.z - HALF,
                t.device[2],
                t.depth,
                t.substeps,
                t.flags.names().collect::<Vec<_>>()
            );
        }
    }
    let t0 = std::time::Instant::now();
    for _ in 0..10000 {
        f.tick(0.0, 0.0, -0.003);
    }
    println!("{:?}/tick n {}", t0.elapsed() / 10000, f.engine.trace().contacts);
    let _ = Vec6::zeros();
}
