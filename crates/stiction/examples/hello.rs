//! The smallest complete use of the engine: a cube is pressed on a plate and pulled sideways until it slips.
//!
//! `cargo run -p stiction --example hello`

mod block;

use block::block;
use std::error::Error;
use std::sync::Arc;
use stiction::spatial::{Pose, Vec3, Vec6, halves};
use stiction::tick::{Engine, Settings};

fn main() -> Result<(), Box<dyn Error>> {
    // A cube of 4 cm on a plate whose upper face is the plane z = 0. Friction is 0.5 by default.
    let cube = Arc::new(block(Vec3::repeat(0.02))?);
    let plate = Arc::new(block(Vec3::new(0.08, 0.08, 0.01))?);
    let world_from_plate = Pose::translation(0.0, 0.0, -0.01);
    let world_from_cube = Pose::translation(0.0, 0.0, 0.02);
    let mut engine = Engine::new(Settings::default(), cube, plate, world_from_plate, world_from_cube)?;

    for tick in 0..=2000 {
        // In the first second the hand goes down by 5 mm, in the next one sideways by 4 mm.
        let seconds = f64::from(tick) * 1e-3;
        let (down, sideways) = (0.005 * seconds.min(1.0), 0.004 * (seconds - 1.0).max(0.0));
        let hand = Pose::translation(sideways, 0.0, 0.02 - down);

        let trace = engine.tick(&hand, &Vec6::zeros());

        if tick % 200 == 0 {
            let (force, _torque) = halves(&trace.wrench);
            println!(
                "{seconds:.1} s  the hand feels {:5.2} N sideways and {:5.2} N upwards: {:?}, {} contacts",
                force.x, force.z, trace.verdict, trace.contacts
            );
        }
    }
    Ok(())
}
