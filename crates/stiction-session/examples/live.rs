//! A scene at 1 kHz with a simulated hand: what a host application does. `cargo run --release -p stiction-session --example live`
//!
//! Names of scenes are looked for in the source tree; give another as the first argument.

use std::error::Error;
use std::time::Duration;
use stiction::spatial::halves;
use stiction_bake::{Silent, cache::Cache};
use stiction_device::{Commands, servo_loop};
use stiction_scene::Scene;
use stiction_session::{Pace, Plan, Session};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "corner-cube".into());
    let plan = Plan::of(&Scene::find(&name)?, Vec::new())?;
    let session = Session::new(plan, Cache::default_folder().map(Cache::new).as_ref(), &Silent)?;
    session.notices.iter().for_each(|notice| println!("{notice}"));
    let (arms, mut reins) = session.arms(Pace::Real, |_| None)?;
    let running = servo_loop::start(arms, Some(80))?;
    running.granted().advice().iter().for_each(|advice| println!("{advice}"));
    for tenth in 1..=20 {
        std::thread::sleep(Duration::from_millis(100));
        // In the middle, the clutch for a moment: the handle moves, the part does not, and nothing is felt.
        reins[0].commands.publish(&Commands { clutch: (9..11).contains(&tenth), ..Commands::default() });
        let (snapshot, _) = reins[0].snapshots.take();
        let (force, _) = halves(snapshot.output.sent.wrench());
        println!(
            "{:.1} s  {:?}  {} contacts  {:.2} N  {:.0} µs",
            f64::from(tenth) / 10.0,
            snapshot.output.report.phase,
            snapshot.output.hand.contacts,
            force.norm(),
            snapshot.compute as f64 / 1e3
        );
    }
    println!(
        "{} cycles, {} deadlines skipped",
        running.stats().compute.count(),
        running.stats().skipped.load(std::sync::atomic::Ordering::Relaxed)
    );
    Ok(())
}
