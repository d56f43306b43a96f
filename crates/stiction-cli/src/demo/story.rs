//! What happens in the demo: the scene's own time, then a hand that pulls harder and harder along the edge.
//!
//! The cube is said to slip once it goes along with the hand: at least [`FOLLOWS`] of the hand's way in the last [`WINDOW`] ticks. The force at
//! which it slips is the largest pull until then. Coulomb's law is not used to find it.

use super::goes_on;
use serde::Serialize;
use stiction::friction::{Method, Verdict};
use stiction::spatial::{Pose, Vec3, halves};
use stiction::tick::Engine;
use stiction::trace::{ContactTrace, Flags, Trace};
use stiction_scene::{Scene, SceneError, World};

/// Where floor and wall meet, and the way that the hand pulls.
pub const EDGE: Vec3 = Vec3::new(1.0, 0.0, 0.0);
/// Moments of the table in the scene's time (s), and how far apart they are after it.
const MOMENTS: [f64; 7] = [0.15, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5];
const APART: f64 = 0.2;
/// Speed of the hand that pulls harder (m/s).
const HARDER: f64 = 0.004;
/// See above.
const WINDOW: usize = 50;
const FOLLOWS: f64 = 0.9;
/// The slowest hand of which that is asked (m/s).
const SLOWEST: f64 = 0.0005;
/// How long the cube is watched while it slips (s).
const WATCHED: f64 = 0.05;

/// A moment of the run: a line of the table, or of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    row: &'static str,
    /// Time (s).
    pub t: f64,
    /// What the hand does.
    pub hand: &'static str,
    /// Pull of the hand along the edge (N).
    pub pull_n: f64,
    /// Contacts that stick.
    pub stuck: u32,
    /// Contacts that slide.
    pub sliding: u32,
    /// Force on the hand (N).
    pub device_n: f64,
    /// How far the cube's centre has moved since it was pressed in and held (m); null before.
    pub moved_m: Option<f64>,
    /// The robust margin: friction could fall to this part of µ before the cube slips; null while it slides.
    pub margin: Option<f64>,
    /// Σ µ F_n with the coefficients in force (N).
    pub limit_n: f64,
}

/// The cube slips; also a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Slip {
    row: &'static str,
    /// When the pull was largest (s).
    pub t: f64,
    /// That pull (N).
    pub pull_n: f64,
    /// Σ µ F_n then, with the coefficients in force: Coulomb's prediction (N).
    pub coulomb_n: f64,
    /// Σ F_n then (N).
    pub pressure_n: f64,
    /// The pull while the cube slips along (N).
    pub slipping_pull_n: f64,
    /// Σ µ F_n while the cube slips along (N).
    pub slipping_coulomb_n: f64,
}

/// A tick to be drawn.
pub struct Shot {
    /// The tick.
    pub trace: Trace,
    /// Its contacts.
    pub contacts: Vec<ContactTrace>,
    /// See [`Moment::moved_m`].
    pub moved_m: Option<f64>,
}

/// All that the demo tells.
pub struct Story {
    /// The table.
    pub moments: Vec<Moment>,
    /// Whether and how the cube slipped.
    pub slip: Option<Slip>,
    /// The last tick of the scene's own time in which friction held the cube.
    pub held: Shot,
    /// At the end.
    pub last: Shot,
}

/// How far the cube gives way under the scene's pull; also a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Creep {
    row: &'static str,
    /// The word of the method.
    pub friction: &'static str,
    /// How far the hand moved along the edge (m).
    pub hand_m: f64,
    /// How far the cube followed it until the hand came to rest (m).
    pub gave_way_m: f64,
    /// And how far it went in the time from a tenth of a second later to the end (m).
    pub crept_m: f64,
    /// That time (s).
    pub waited_s: f64,
}

/// The pull of the hand along the edge (N).
pub fn pull(trace: &Trace) -> f64 {
    -halves(&trace.wrench).0.dot(&EDGE)
}

/// An engine on its way through the scene and beyond.
struct Drive<'a> {
    scene: &'a Scene,
    engine: Engine,
    tick: u64,
    /// Movement of the hand in the last tick.
    moved: Vec3,
    hand: Vec3,
    /// Where the cube and the hand were before the hand began to pull.
    held: Option<[Vec3; 2]>,
}

impl<'a> Drive<'a> {
    fn new(world: &'a World) -> Result<Self, SceneError> {
        let hand = world.scene.hand().pose(0.0).translation.vector;
        Ok(Drive { scene: &world.scene, engine: world.engine()?, tick: 0, moved: Vec3::zeros(), hand, held: None })
    }

    /// Time of the last tick (s).
    fn time(&self) -> f64 {
        self.tick.saturating_sub(1) as f64 / self.scene.rate
    }

    fn in_scene(&self) -> bool {
        (self.tick as f64) < self.scene.seconds * self.scene.rate
    }

    fn step(&mut self) {
        let t = self.tick as f64 / self.scene.rate;
        let beyond = (t - self.scene.seconds).max(0.0) * HARDER;
        let pose = self.scene.hand().pose(t);
        let hand = Pose::from_parts((pose.translation.vector + EDGE * beyond).into(), pose.rotation);
        self.moved = hand.translation.vector - self.hand;
        if self.held.is_none() && self.moved.dot(&EDGE) > 0.0 {
            self.held = Some([self.engine.trace().centre, self.hand]);
        }
        self.hand = hand.translation.vector;
        self.engine.tick(&hand, &self.scene.load().at(t));
        self.tick += 1;
    }

    fn moment(&mut self, slipped: bool) -> Moment {
        // Of a cube that slides it says no more than that.
        let rests = self.engine.trace().verdict == Verdict::Holds && self.engine.trace().sliding == 0;
        let margin = rests.then(|| self.engine.margins()[1]).filter(|m| m.is_finite());
        let trace = self.engine.trace();
        Moment {
            row: "moment",
            t: self.time(),
            hand: self.words(slipped),
            pull_n: pull(trace),
            stuck: trace.stuck,
            sliding: trace.sliding,
            device_n: halves(&trace.wrench).0.norm(),
            moved_m: self.moved_since_held(),
            margin,
            limit_n: trace.limit,
        }
    }

    fn moved_since_held(&self) -> Option<f64> {
        self.held.map(|[centre, _]| (self.engine.trace().centre - centre).norm())
    }

    /// What the hand does.
    fn words(&self, slipped: bool) -> &'static str {
        let along = self.moved.dot(&EDGE);
        match (along > 0.0, self.moved == Vec3::zeros()) {
            (true, _) if slipped => "pulls, and the cube slips along",
            (true, _) if self.tick as f64 > self.scene.seconds * self.scene.rate => "pulls harder",
            (true, _) => "pulls along the edge",
            (false, true) if self.held.is_some() => "keeps pulling, at rest",
            (false, true) => "waits",
            _ if self.engine.trace().contacts == 0 => "comes to the corner",
            _ => "presses the cube into the corner",
        }
    }

    fn shot(&self) -> Shot {
        Shot {
            trace: *self.engine.trace(),
            contacts: self.engine.contacts().collect(),
            moved_m: self.moved_since_held(),
        }
    }
}

/// Looks whether the cube goes along with the hand.
struct Watch {
    /// Places of cube and hand along the edge, a ring.
    places: [[f64; 2]; WINDOW],
    largest: Option<Slip>,
    /// Tick in which it was seen to go along.
    slipped: Option<u64>,
}

impl Watch {
    fn new() -> Self {
        Watch { places: [[f64::NAN; 2]; WINDOW], largest: None, slipped: None }
    }

    fn look(&mut self, drive: &Drive) {
        let trace = drive.engine.trace();
        let here = [trace.centre.dot(&EDGE), drive.hand.dot(&EDGE)];
        let before = std::mem::replace(&mut self.places[drive.tick as usize % WINDOW], here);
        if drive.held.is_none() || self.slipped.is_some() {
            return;
        }
        if self.largest.as_ref().is_none_or(|s| pull(trace) > s.pull_n) {
            self.largest = Some(Slip {
                row: "slip",
                t: drive.time(),
                pull_n: pull(trace),
                coulomb_n: trace.limit,
                pressure_n: trace.pressure,
                slipping_pull_n: f64::NAN,
                slipping_coulomb_n: f64::NAN,
            });
        }
        // Comparisons with places not yet known are false.
        let [cube, hand] = [here[0] - before[0], here[1] - before[1]];
        if hand > SLOWEST * WINDOW as f64 / drive.scene.rate && cube >= FOLLOWS * hand {
            self.slipped = Some(drive.tick);
        }
    }
}

impl Story {
    /// Runs it; `None` where the user stopped it.
    pub fn tell(world: &World) -> Result<Option<Story>, SceneError> {
        let mut drive = Drive::new(world)?;
        let mut watch = Watch::new();
        let mut moments = Vec::new();
        let rate = world.scene.rate;
        let after = (0..).map(|i| world.scene.seconds + f64::from(i) * APART);
        let mut times = MOMENTS.into_iter().filter(|t| *t < world.scene.seconds).chain(after).peekable();
        let mut held = None;
        loop {
            drive.step();
            if !goes_on(drive.tick) {
                return Ok(None);
            }
            watch.look(&drive);
            if times.peek().is_some_and(|t| drive.tick as f64 > t * rate) {
                times.next();
                moments.push(drive.moment(watch.slipped.is_some()));
            }
            let scene_over = drive.tick as f64 > world.scene.seconds * rate;
            if drive.engine.trace().verdict == Verdict::Holds && watch.slipped.is_none() && !scene_over {
                held = Some(drive.shot());
            }
            let watched = watch.slipped.is_some_and(|tick| (drive.tick - tick) as f64 >= WATCHED * rate);
            if watched || drive.engine.trace().flags.has(Flags::SATURATED) {
                break;
            }
        }
        moments.push(drive.moment(watch.slipped.is_some()));
        let last = drive.shot();
        let slip = watch.slipped.and(watch.largest).map(|s| Slip {
            slipping_pull_n: pull(&last.trace),
            slipping_coulomb_n: last.trace.limit,
            ..s
        });
        Ok(Some(Story { moments, slip, held: held.unwrap_or_else(|| drive.shot()), last }))
    }
}

impl Creep {
    /// Runs the scene with another method; `None` where the user stopped it.
    pub fn measure(world: &World, method: Method) -> Result<Option<Creep>, SceneError> {
        let mut world = world.clone();
        world.scene.settings.friction.method = method;
        let mut drive = Drive::new(&world)?;
        let (mut rested, mut settled) = ([Vec3::zeros(); 2], (Vec3::zeros(), 0.0));
        while drive.in_scene() {
            drive.step();
            if !goes_on(drive.tick) {
                return Ok(None);
            }
            let centre = drive.engine.trace().centre;
            if drive.moved != Vec3::zeros() {
                rested = [centre, drive.hand];
                settled.1 = drive.time() + 0.1;
            }
            if drive.time() <= settled.1 {
                settled.0 = centre;
            }
        }
        let [centre, hand] = drive.held.unwrap_or(rested);
        Ok(Some(Creep {
            row: "creep",
            friction: stiction_scene::method_word(method),
            hand_m: (rested[1] - hand).dot(&EDGE),
            gave_way_m: (rested[0] - centre).dot(&EDGE),
            crept_m: (drive.engine.trace().centre - settled.0).norm(),
            waited_s: drive.time() - settled.1,
        }))
    }
}
