//! `stiction demo`: the haptic cycle on the scene `corner-cube`. A hand presses a cube into a corner and pulls it along the edge; friction
//! holds it. Then the hand pulls harder, until it slips.
//!
//! [`story`] drives the engine and picks the moments, [`table`] prints them, [`picture`] draws two of them.

mod picture;
mod story;
mod table;

use crate::bars::Bars;
use crate::output;
use crate::places::{self, Replace};
use crate::run::{friction_methods, friction_setting, parse_mu, set_mu};
use crate::{Failure, stop};
use clap::Args;
use std::path::PathBuf;
use stiction::friction::Method;
use stiction_bake::cache::Cache;
use stiction_bake::{Progress, Silent, file};
use stiction_scene::{Scene, World};
use story::{Creep, Story};

/// The scene shown.
const SCENE: &str = "corner-cube";
/// What is compared in the end.
const COMPARED: [Method; 3] = [Method::Hold, Method::Yamane, Method::Frictionless];

/// Pull a cube out of a corner until friction lets go
///
/// Runs the scene corner-cube, the whole haptic cycle at 1 kHz: a hand presses a 10 cm cube into the corner of a floor and a wall, pulls it
/// along the edge where they meet, and waits: friction holds the cube. Then it pulls harder, until the cube goes along with the
/// hand, and the force is compared with Coulomb's law, Σ µ F_n. In the end, how far the cube gives way under the scene's pull
/// with slip memory (hold), with frictional springs (yamane) and without friction (none).
#[derive(Args)]
pub struct Demo {
    /// How friction is decided [default: the scene's, hold]
    #[arg(long, value_parser = friction_methods())]
    friction: Option<String>,
    /// Friction coefficient, static and kinetic [default: the scene's, 0.8 and 0.7]
    #[arg(long, value_name = "X", value_parser = parse_mu, allow_negative_numbers = true)]
    mu: Option<f64>,
    /// One JSON object per row instead of the table
    #[arg(long)]
    json: bool,
    /// Also draw the cube, held and slipping, with all forces into an SVG file
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
}

impl Demo {
    /// Tells the story.
    pub fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.picture {
            places::check(path, Replace::Other, &[])?;
        }
        let bars = Bars::new(false);
        let world = self.world(&bars)?;
        bars.stage("running", 0);
        let story = Story::tell(&world)?.ok_or(STOPPED)?;
        let creep = COMPARED.map(|method| Creep::measure(&world, method));
        drop(bars);
        if self.json {
            story.moments.iter().try_for_each(output::json)?;
            story.slip.iter().try_for_each(output::json)?;
        } else {
            table::print(&world.scene, &story)?;
        }
        for creep in creep {
            let creep = creep?.ok_or(STOPPED)?;
            if self.json { output::json(&creep)? } else { table::print_creep(&creep)? }
        }
        if let Some(path) = &self.picture {
            let svg = picture::draw(&world, &story);
            file::write_whole(path, &Silent, |out| out.write_all(svg.as_bytes()))?;
            if !self.json {
                output::line(&format!("\nPicture: {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// The scene with its shapes, from the cache or baked.
    fn world(&self, bars: &Bars) -> Result<World, Failure> {
        let set: Vec<_> = self.friction.as_deref().map(friction_setting).into_iter().collect();
        let mut scene = Scene::read(&Scene::find(SCENE)?, &set)?;
        set_mu(&mut scene, self.mu);
        let cache = Cache::default_folder().map(Cache::new);
        scene.build(cache.as_ref(), bars).map_err(|e| Failure::from(e).or_stopped("stopped"))
    }
}

const STOPPED: Failure = Failure::stopped("stopped");

/// Ticks between two looks at whether the user wants to stop.
const LOOK: u64 = 64;

/// Whether to go on after so many ticks.
fn goes_on(tick: u64) -> bool {
    !(tick.is_multiple_of(LOOK) && stop::asked())
}
