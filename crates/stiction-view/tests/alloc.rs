//! A cycle of the loop allocates nothing and frees nothing: ticks, views, probes, new worlds, single steps, with one lane and with two.

use std::path::Path;
use stiction_bake::Silent;
use stiction_session::{HandWord, Plan, Session, SimWord};
use stiction_testing::alloc::{Counting, counts};
use stiction_view::live::{GrabCommand, LiveWorld, LoopView, Motions, Source, make};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SCENE: &str = r#"
held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 24, points = 150 }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01, resolution = 64, points = 200 }
hand = { script = [{ move = [0.004, 0, -0.003], seconds = 0.3 }, { wait = 1 }], from = { position = [0, 0, 0.0155] } }
"#;

/// The same with contact formations, which have no margins.
const FORMATION: &str = r#"
engine = "formation"
held = { solid = "box", size = [0.02, 0.02, 0.02] }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01 }
hand = { script = [{ move = [0.004, 0, -0.003], seconds = 0.3 }, { wait = 1 }], from = { position = [0, 0, 0.0155] } }
"#;

/// Many bodies, one of which is taken, thrown and taken again.
const VOLUME: &str = r#"
engine = "volume"
[[body]]
name = "floor"
fixed = true
solid = "box"
size = [0.4, 0.4, 0.02]
position = [0, 0, -0.01]
[[body]]
name = "block"
solid = "box"
size = [0.03, 0.03, 0.03]
mass = 0.05
position = [-0.03, 0, 0.015]
copies = { count = [2, 1, 2], step = [0.05, 0, 0.03] }
[load]
gravity = [0, 0, -9.81]
"#;

#[test]
fn a_cycle_allocates_and_frees_nothing() {
    let [asked, touched, thrown] = cycles(SCENE);
    assert!(asked > 20 && touched > 1000 && thrown >= 2, "{asked} probes, {touched} contacts, {thrown} thrown away");
    let [asked, touched, thrown] = cycles(FORMATION);
    assert!(asked == 0 && touched > 50 && thrown >= 2, "{asked} probes, {touched} contacts, {thrown} thrown away");
    let [asked, touched, thrown] = cycles(VOLUME);
    assert!(asked == 0 && touched > 500 && thrown >= 2, "{asked} probes, {touched} areas, {thrown} thrown away");
}

/// Probes that were asked for, contacts that were shown and worlds that were thrown away in some thousand cycles.
fn cycles(scene: &str) -> [u32; 3] {
    let mut plan = Plan::of_text(Path::new("scene.toml"), scene.into(), Vec::new());
    (plan.device, plan.hand) = (SimWord::Page, HandWord::Free);
    let session = Session::new(plan, None, &Silent).unwrap();
    let many = session.world.volume.is_some();
    let scripts = session.world.scene.hands().iter().map(|hand| hand.motion.clone()).collect();
    let motions = Motions { scripts, demonstration: session.world.scene.demonstration.motion.clone() };
    let world = |number: u64, lanes: usize, elapsed| {
        let mut world =
            LiveWorld::new(number, 1, motions.clone(), &vec![&session; lanes], Vec::new(), elapsed).unwrap();
        // Many bodies are copied whole into a new world, which takes memory once; no tick does.
        world.keeps_slip = elapsed.is_some() && !many;
        Box::new(world)
    };
    let (mut looping, mut ends) = make(world(1, 1, None), LoopView::new(session.world.scene.start()));
    let mut command = stiction_view::live::LoopCommands::new();
    let (mut asked, mut touched, mut thrown) = (0, 0, 0);
    for cycle in 0..3000_u64 {
        // Everything that others do happens outside of the count.
        match cycle {
            50 => command.source = Source::Script,
            150 | 450 | 1000 | 2100 if many => {
                let body = (cycle != 450).then_some(1 + cycle as usize % 3);
                command.grab = GrabCommand { count: command.grab.count + 1, body };
            }
            400 => command.source = Source::Demonstration,
            500 => (command.source, command.hand) = (Source::Page, session.world.scene.hand().pose(0.2)),
            900 => ends.worlds.push(world(2, 2, Some(0.9))).map_err(drop).unwrap(),
            1300 => command.tempo.paused = true,
            1320 => command.tempo.steps += 50,
            1400 => (command.tempo.paused, command.tempo.speed) = (false, 0.25),
            2000 => command.tempo.speed = 1.0,
            2300 => command.source = Source::Part,
            2600 => ends.worlds.push(world(3, 1, None)).map_err(drop).unwrap(),
            _ => {}
        }
        ends.commands.publish(&command);
        let before = counts();
        looping.once();
        assert_eq!(counts(), before, "cycle {cycle}");
        if cycle % 10 == 0 {
            touched += ends.views.with(|view, _| view.lane[0].shown + view.lane[0].areas.total);
            while let Ok(mut question) = ends.asked.pop() {
                question.probe.margins();
                asked += 1;
                ends.answered.push(question).map_err(drop).unwrap();
            }
            while ends.retired.pop().is_ok() {
                thrown += 1;
            }
        }
    }
    [asked, touched, thrown]
}
