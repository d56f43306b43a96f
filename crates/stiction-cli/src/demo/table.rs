//! What `stiction demo` prints.

use super::story::{Creep, Moment, Slip, Story};
use crate::output::line;
use crate::run::friction_words;
use crate::terminal::page_width;
use std::io;
use stiction::friction::Method;
use stiction_bake::diagnose::length;
use stiction_scene::Scene;

/// What is simulated, the table, and how it ended.
pub fn print(scene: &Scene, story: &Story) -> io::Result<()> {
    line(&format!(
        "A hand holds a 10 cm cube by a spring of {} N/m, presses it into a corner and pulls it along the edge.\n\
         Scene {}, {} ticks a second. Friction: {}.\n",
        scene.settings.coupling.stiffness,
        scene.name,
        scene.rate,
        friction_words(scene)
    ))?;
    line(&row_of(["time", "", "pull", "", "", "force", "moved", "margin"]))?;
    line(&row_of(["s", "the hand", "N", "stuck", "slide", "N", "", ""]))?;
    line(&"─".repeat(page_width().min(80)))?;
    story.moments.iter().try_for_each(row)?;
    line("Force: on the hand. Moved: since the cube was held. Margin: it slips at 1.\n")?;
    match &story.slip {
        Some(_) if scene.settings.friction.method == Method::Frictionless => {
            line("Nothing held it: it went along with the hand.")
        }
        Some(slip) => print_slip(slip),
        None => line("It did not slip, however hard the hand pulled."),
    }?;
    line("\nUnder the scene's own pull, before the hand pulls harder:")
}

fn row(m: &Moment) -> io::Result<()> {
    let moved = m.moved_m.map_or("–".into(), length);
    let margin = m.margin.map_or("–".into(), |x| format!("{x:.2}"));
    // Adding zero makes -0 a plain 0.
    let pull = (m.pull_n * 100.0).round() / 100.0 + 0.0;
    let [time, pull, force] = [m.t, pull, m.device_n].map(|x| format!("{x:.2}"));
    let [stuck, slide] = [m.stuck, m.sliding].map(|n| n.to_string());
    line(&row_of([&time, m.hand, &pull, &stuck, &slide, &force, &moved, &margin]))
}

/// A row of the table, which fits into 80 characters.
fn row_of([time, hand, pull, stuck, slide, force, moved, margin]: [&str; 8]) -> String {
    format!("{time:>4} {hand:<32}{pull:>6}{stuck:>6}{slide:>6}{force:>7}{moved:>11}{margin:>7}")
}

fn print_slip(s: &Slip) -> io::Result<()> {
    line(&format!(
        "It slipped at {:.2} N. Coulomb's law, Σ µ F_n over all contacts, says {:.2} N ({:.3} × {:.2} N).\n\
         Slipping along with the hand, it takes {:.2} N; Coulomb's law says {:.2} N.",
        s.pull_n,
        s.coulomb_n,
        if s.pressure_n > 0.0 { s.coulomb_n / s.pressure_n } else { 0.0 },
        s.pressure_n,
        s.slipping_pull_n,
        s.slipping_coulomb_n
    ))
}

/// How one method holds.
pub fn print_creep(c: &Creep) -> io::Result<()> {
    // Less than a picometre is rounding, not motion.
    let crept = match c.crept_m {
        0.0 => format!("stands still to the last bit for {:.1} s", c.waited_s),
        x if x < 1e-12 => format!("stands still, within {x:.0e} m for {:.1} s", c.waited_s),
        x if x < 1e-9 => format!("creeps by {:.1e} nm in {:.1} s", 1e9 * x, c.waited_s),
        x => format!("creeps by {} in {:.1} s", length(x), c.waited_s),
    };
    line(&format!(
        "  {:<7} the hand goes {}, the cube {:>8}, and then {crept}",
        c.friction,
        length(c.hand_m),
        length(c.gave_way_m)
    ))
}
