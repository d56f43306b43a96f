//! A servo loop at 1 kHz around the engine, with a made-up hand. A program with a real device does not write this loop
//! itself: `stiction-session` has one with a safety envelope, see `docs/guide/device.md`.
//!
//! `cargo run --release -p stiction --example servo`

mod block;

use block::block;
use std::error::Error;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};
use stiction::spatial::{Pose, Vec3, Vec6, halves};
use stiction::tick::{Engine, Settings};

const PERIOD: Duration = Duration::from_millis(1);

/// The made-up hand: it rubs the cube on the plate, 6 mm to each side once a second, pressed down by 3 mm.
fn read_hand(seconds: f64) -> Pose {
    Pose::translation(0.006 * (std::f64::consts::TAU * seconds).sin(), 0.0, 0.02 - 0.003 * seconds.min(1.0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cube = Arc::new(block(Vec3::repeat(0.02))?);
    let plate = Arc::new(block(Vec3::new(0.08, 0.08, 0.01))?);
    let mut engine = Engine::new(Settings::default(), cube, plate, Pose::translation(0.0, 0.0, -0.01), read_hand(0.0))?;

    let begun = Instant::now();
    let (mut longest, mut late) = (Duration::ZERO, 0);
    for tick in 1..=3000 {
        // Deadlines are absolute: one late cycle does not make all later ones late.
        let deadline = begun + PERIOD * tick;
        sleep(deadline.saturating_duration_since(Instant::now()));
        late += u32::from(deadline.elapsed() > PERIOD);

        let hand = read_hand(begun.elapsed().as_secs_f64());
        let before = Instant::now();
        let trace = engine.tick(&hand, &Vec6::zeros());
        longest = longest.max(before.elapsed());

        // Here a device would render `trace.wrench`, limited by a safety envelope.
        if tick % 250 == 0 {
            let (force, _torque) = halves(&trace.wrench);
            println!(
                "{:.2} s  {:5.2} N sideways, {:5.2} N upwards: {:?}",
                tick as f64 * 1e-3,
                force.x,
                force.z,
                trace.verdict
            );
        }
    }
    println!("3000 ticks; the longest took {longest:?}; {late} began more than a period late");
    Ok(())
}
