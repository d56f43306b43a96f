//! Runs a scene and prints what happened: `cargo run --release -p stiction-scene --example run-scene -- plate-cube friction.method=lp`.
//! With `every=100` among the overrides, every hundredth tick is printed as well.

use std::time::Instant;
use stiction::spatial::Vec3;
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_scene::{DrivenEngine, EngineKind, Run, Scene, SceneError, Setting, VolumeDriver, World};

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let every = args.iter().position(|a| a.starts_with("every=")).map(|i| args.remove(i));
    let every = every.and_then(|a| a.trim_start_matches("every=").parse().ok()).unwrap_or(0);
    let name = if args.is_empty() { "plate-cube".into() } else { args.remove(0) };
    if let Err(error) = run(&name, &args, every) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run(name: &str, set: &[String], every: u64) -> Result<(), SceneError> {
    let set = set.iter().map(|s| s.parse()).collect::<Result<Vec<Setting>, _>>()?;
    let scene = Scene::read(&Scene::find(name)?, &set)?;
    let began = Instant::now();
    let cache = Cache::default_folder().map(Cache::new);
    let world = scene.build(cache.as_ref(), &Silent)?;
    println!("{}: {}\nbuilt in {:.2} s", world.scene.name, world.scene.description, began.elapsed().as_secs_f64());
    for warning in &world.warnings {
        println!("warning: {warning}");
    }
    match world.scene.engine {
        EngineKind::QuasiStatic => {
            let run = world.run()?;
            println!("step bound {:.3e} m, mass {:.4} kg", run.engine().step_bound(), world.scene.settings.mass);
            _ = follow(run, every, |_| ());
        }
        EngineKind::Formation => _ = follow(world.formation_run()?, every, |_| ()),
        EngineKind::Volume => {
            let run = follow(world.volume_run()?, every, |run| each_body(&world, run.engine()));
            println!("{}", serde_json::to_string_pretty(run.engine().sums()).unwrap_or_default());
        }
    }
    Ok(())
}

/// All bodies that move, a line each.
fn each_body(world: &World, driver: &VolumeDriver) {
    for (body, state) in world.scene.bodies().iter().zip(driver.engine().bodies()).filter(|(body, _)| !body.fixed) {
        let (c, v, w) = (state.centre, state.velocity, state.spin);
        let up = state.pose.rotation * Vec3::z();
        println!(
            "    {:12} [{:9.5} {:9.5} {:9.5}] m  [{:8.4} {:8.4} {:8.4}] m/s  [{:7.3} {:7.3} {:7.3}] rad/s  z [{:5.2} {:5.2} {:5.2}]",
            body.name, c.x, c.y, c.z, v.x, v.y, v.z, w.x, w.y, w.z, up.x, up.y, up.z
        );
    }
}

/// Runs to the end, and prints every so many ticks.
fn follow<E: DrivenEngine>(mut run: Run<E>, every: u64, more: impl Fn(&Run<E>)) -> Run<E> {
    let began = Instant::now();
    while !run.finished() {
        let t = run.time();
        let ticks = run.ticks();
        let trace = *run.step();
        if every > 0 && ticks.is_multiple_of(every) {
            let (p, f) = (trace.part.translation.vector * 1e3, trace.wrench);
            println!(
                "{t:.3} s  [{:8.4} {:8.4} {:8.4}] mm  device [{:7.3} {:7.3} {:7.3}] N [{:6.3} {:6.3} {:6.3}] Nm  {:?} \
                 {} contacts, {} stuck, {} sliding, {} separating, depth {:.1} µm, {} iterations, {}",
                p.x,
                p.y,
                p.z,
                f[0],
                f[1],
                f[2],
                f[3],
                f[4],
                f[5],
                trace.verdict,
                trace.contacts,
                trace.stuck,
                trace.sliding,
                trace.separating,
                trace.depth * 1e6,
                trace.iterations,
                trace.flags.names().collect::<Vec<_>>().join(" ")
            );
            more(&run);
        }
    }
    let each = began.elapsed().as_secs_f64() / run.ticks() as f64;
    println!("{:.1} µs a tick\n{}", each * 1e6, serde_json::to_string_pretty(&run.summary()).unwrap_or_default());
    run
}
