//! Builds worlds, records and loads recordings: all that takes longer than a message. One request at a time. Every request changes the same state, so they are in one file.

use crate::display::{BUDGET, Display};
use crate::hub::HubChannels;
use crate::live::{self, LiveWorld, Loop, LoopChannels, LoopView, Source};
use crate::many_bodies::ManyBodies;
use crate::margins;
use crate::page_progress::PageProgress;
use crate::playback::{self, Player};
use crate::recording_name::free_name;
use crate::setup::{self, Overrides, StartPoses, ViewSetup, facts, named_lane_info};
use crate::state::{PageFacts, Shapes, SharedState, locked};
use crate::survey::Survey;
use crate::wire::{PageMessage, Playback, RecordingFile, ServerMessage};
use rtrb::Producer;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stiction_bake::cache::Cache;
use stiction_device::{CycleSink, PeriodicThread};
use stiction_record::{Feed, Recorder, RecorderState, WriteOptions};
use stiction_scene::{Scene, SceneSource, Setting};
use stiction_session::{Calibration, Carry, HandWord, Plan, RecordSink, Session, SessionError, SimWord};

/// The scene or recording that the viewer shows first.
#[derive(Clone, Debug)]
pub enum FirstShown {
    /// A scene, by name or path.
    Scene(String),
    /// A recording.
    Recording(PathBuf),
}

/// Settings of the director, which come from the command line.
pub struct DirectorSettings {
    /// Cache of baked shapes; `None` bakes them anew.
    pub cache: Option<Cache>,
    /// Overrides of the command line, for the scene that was given there.
    pub given: Vec<Setting>,
    /// A simulated device that moves the hand instead of a page, and the hand that holds it.
    pub device: Option<(SimWord, HandWord)>,
    /// Real-time priority of the loop's thread; `None` for the system's normal one.
    pub priority: Option<i32>,
    /// What recordings carry besides their ticks.
    pub carry: Carry,
    /// Folders in which files of recordings are looked for.
    pub meshes: Vec<PathBuf>,
    /// Prints a line to the terminal.
    pub tell: Box<dyn Fn(&str) + Send>,
}

/// How many generations and worlds are remembered: pages may still ask for the last.
const REMEMBERED: usize = 3;
/// How long a new world may take to arrive in the loop.
const ARRIVAL: Duration = Duration::from_secs(2);
/// A change that takes longer than this looks again where the part is.
const SLOW: Duration = Duration::from_millis(100);
/// Time between two looks at the recording, while nobody asks for anything.
const LOOK: Duration = Duration::from_millis(200);

struct Director {
    shared: Arc<SharedState>,
    settings: DirectorSettings,
    first: FirstShown,
    hubs: mpsc::Sender<HubChannels>,
    progress: PageProgress,
    /// The world of the loop.
    current: Option<Current>,
    live: Option<(PeriodicThread<Loop>, Producer<Box<LiveWorld>>)>,
    recorder: Option<(Recorder, String)>,
    worlds: u64,
    generations: u32,
    /// Whether the loop was paused before a recording was shown.
    was_paused: Option<bool>,
}

/// Makes a recording's feeds of the session that is recorded, one for each hand.
type MakeFeeds<'a> = &'a mut dyn FnMut(&Session) -> Result<Vec<Feed>, String>;

struct Current {
    setup: ViewSetup,
    sessions: Vec<Session>,
    generation: u32,
    /// How much work fits into half a period, measured once for these shapes.
    calibration: Option<Calibration>,
}

impl Current {
    /// Whether it is a world of many bodies.
    fn many(&self) -> bool {
        self.sessions.first().is_some_and(|session| session.world.volume.is_some())
    }
}

/// Serves requests until it is told to stop.
pub fn run(
    shared: Arc<SharedState>,
    requests: &mpsc::Receiver<Option<PageMessage>>,
    hubs: mpsc::Sender<HubChannels>,
    first: FirstShown,
    settings: DirectorSettings,
) {
    let progress = PageProgress::new(Arc::clone(&shared));
    let mut director = Director {
        shared,
        settings,
        first: first.clone(),
        hubs,
        progress,
        current: None,
        live: None,
        recorder: None,
        worlds: 0,
        generations: 0,
        was_paused: None,
    };
    director.list(None);
    let begun = match &first {
        FirstShown::Scene(scene) => director.configure(scene, Overrides::new(), None),
        FirstShown::Recording(path) => director.play(&path.clone()),
    };
    director.told(begun);
    loop {
        let request = match requests.recv_timeout(LOOK) {
            Ok(Some(request)) => request,
            Err(RecvTimeoutError::Timeout) => {
                let looked = director.look_at_recording();
                director.told_if_wrong(looked);
                continue;
            }
            Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
        };
        // Meshes and recordings are anybody's: a panic over one of them must not end the session.
        let done = catch_unwind(AssertUnwindSafe(|| director.serve(request)));
        director.told(done.unwrap_or_else(|_| Err("something went wrong inside the viewer: this is a bug".into())));
    }
    let ended = director.record(false);
    director.told(ended);
}

impl Director {
    fn serve(&mut self, request: PageMessage) -> Result<(), String> {
        match request {
            PageMessage::Configure { scene, set, compare } => self.configure(&scene, set, compare),
            PageMessage::Reset {} => self.reset(),
            PageMessage::Record { on } => self.record(on),
            PageMessage::Play { name } => self.play(&self.recording_path(&name)),
            PageMessage::Live {} => self.back_to_live(),
            _ => Ok(()),
        }
    }

    /// Reports an error to all pages and to the terminal, and that the work under way is done.
    fn told(&self, done: Result<(), String>) {
        self.progress.done();
        self.told_if_wrong(done);
    }

    /// Reports an error to all pages and to the terminal.
    fn told_if_wrong(&self, done: Result<(), String>) {
        let Err(message) = done else { return };
        (self.settings.tell)(&format!("error: {message}"));
        let fatal = self.current.is_none() && locked(&self.shared.control).player.is_none();
        self.shared.tell(&ServerMessage::Problem { message, fatal }, |facts, text| facts.fatal = fatal.then_some(text));
    }

    fn setup(&self, scene: &str, set: Overrides, compare: Option<Overrides>) -> Result<ViewSetup, String> {
        let given = matches!(&self.first, FirstShown::Scene(first) if first == scene);
        if !given && !Scene::names().iter().any(|name| name == scene) {
            return Err(format!("there is no scene \"{scene}\": there are {}", Scene::names().join(", ")));
        }
        let overrides = if given { self.settings.given.clone() } else { Vec::new() };
        setup::find(scene, overrides, set, compare, self.settings.device).map_err(|e| e.to_string())
    }

    fn configure(&mut self, scene: &str, set: Overrides, compare: Option<Overrides>) -> Result<(), String> {
        let mut setup = self.setup(scene, set, compare)?;
        if let Some(current) = self.current.as_ref().filter(|c| c.setup.scene == scene) {
            setup.asked = setup
                .set
                .iter()
                .filter(|(key, value)| current.setup.set.get(*key) != Some(value))
                .map(|(key, _)| key.clone())
                .collect();
        }
        let goes_on = self.current.as_ref().is_some_and(|c| c.setup.scene == scene);
        self.stage(setup, goes_on, None)?;
        self.finish_recording()
    }

    fn reset(&mut self) -> Result<(), String> {
        if let Some(player) = &mut locked(&self.shared.control).player {
            player.seek(0.0);
            return Ok(());
        }
        let Some(current) = &self.current else { return Ok(()) };
        let setup = current.setup.clone();
        self.stage(setup, false, None)?;
        self.finish_recording()
    }

    /// A new world for the loop. One that goes on begins where part and hand are; another begins as the scene does.
    fn stage(&mut self, setup: ViewSetup, goes_on: bool, feeds: Option<MakeFeeds>) -> Result<(), String> {
        // A simulated device begins its motion anew.
        let goes_on = goes_on && setup.device.is_none() && locked(&self.shared.seen).world == self.worlds;
        // Many bodies go on in the engine itself, and a recording of them begins where a replay can: with the scene.
        let many = self.current.as_ref().is_some_and(Current::many);
        let goes_on = goes_on && !(many && feeds.is_some());
        let mut seen = *locked(&self.shared.seen);
        let from = StartPoses { part: seen.part, hand: seen.hand };
        let moved = goes_on && !many;
        let old = self.current.as_ref().filter(|c| c.setup.source == setup.source).and_then(|c| c.sessions.first());
        let cache = self.settings.cache.as_ref();
        let words = |e: SessionError| e.to_string();
        let begun = Instant::now();
        let sessions = setup.sessions(moved.then_some(&from), old, cache, &self.progress).map_err(words)?;
        let taken = begun.elapsed();
        let sessions = if moved && taken > SLOW {
            // Part and hand have gone on while shapes were made.
            seen = *locked(&self.shared.seen);
            let from = StartPoses { part: seen.part, hand: seen.hand };
            setup.sessions(Some(&from), sessions.first(), cache, &self.progress).map_err(words)?
        } else {
            sessions
        };
        let mut sessions = sessions;
        let same = old.zip(sessions.first()).is_some_and(|(a, b)| same_shapes(a, b));
        let generation = match (same, &self.current) {
            (true, Some(current)) => current.generation,
            _ => self.show_shapes(&sessions[0])?,
        };
        let known = self.current.as_ref().filter(|_| same).and_then(|c| c.calibration);
        let calibration = match known {
            Some(known) => Some(known),
            None => calibrated(&sessions).map_err(words)?,
        };
        let engines = sessions.len();
        sessions.iter_mut().for_each(|s| s.limit_work(calibration.map(|c| c.work_of_one(engines))));
        let feeds = match feeds {
            Some(make) => make(&sessions[0])?,
            None => Vec::new(),
        };
        let sink = |feed| Box::new(RecordSink::new(feed, false)) as Box<dyn CycleSink>;
        let sinks: Vec<_> = feeds.into_iter().map(sink).collect();
        self.worlds += 1;
        let both: Vec<&Session> = sessions.iter().collect();
        let motions = setup.motions().map_err(words)?;
        // A recording has to begin with what a replay can begin with: contacts that remember nothing.
        let keeps_slip = goes_on && sinks.is_empty();
        let elapsed = goes_on.then_some(seen.time);
        let mut world = LiveWorld::new(self.worlds, generation, motions, &both, sinks, elapsed).map_err(words)?;
        world.keeps_slip = keeps_slip;
        {
            let mut lanes = locked(&self.shared.lanes);
            lanes.push_front((self.worlds, sessions.iter().map(named_lane_info).collect()));
            lanes.truncate(REMEMBERED + 1);
        }
        if !goes_on {
            let first = world.first.first().copied().unwrap_or_default();
            let other_scene = self.current.as_ref().is_none_or(|c| c.setup.scene != setup.scene);
            locked(&self.shared.control).command(|w| match w.source {
                // Another scene shows itself, once somebody has asked for anything.
                Source::Waits => {}
                _ if other_scene => w.source = Source::Demonstration,
                Source::Page | Source::Part => (w.source, w.hand) = (Source::Page, first),
                Source::Script | Source::Demonstration => {}
            });
        }
        let can_grab = ManyBodies::of(&sessions[0].world).map(|many| many.facts.iter().map(|body| body.grab).collect());
        locked(&self.shared.control).can_grab = can_grab.unwrap_or_default();
        self.current = Some(Current { setup, sessions, generation, calibration });
        self.give(Box::new(world))?;
        self.stop_playing();
        self.tell_world(None);
        Ok(())
    }

    fn give(&mut self, world: Box<LiveWorld>) -> Result<(), String> {
        let number = world.number;
        if let Some((_, worlds)) = &mut self.live {
            worlds.push(world).map_err(|_| "the loop takes no new world: it has stopped")?;
            self.arrival(number);
            return Ok(());
        }
        let view = LoopView::new(world.first.first().copied().unwrap_or_default());
        let (live, ends) =
            live::start(world, view, self.settings.priority).map_err(|e| format!("no thread for the loop: {e}"))?;
        if self.settings.priority.is_some() {
            live.granted().advice().iter().for_each(|advice| (self.settings.tell)(&format!("note: {advice}")));
        }
        let LoopChannels { commands, views, worlds, retired, asked, answered } = ends;
        let _ = self.hubs.send(HubChannels { views, retired });
        *locked(&self.shared.stats) = Some(Arc::clone(live.stats()));
        let mut control = locked(&self.shared.control);
        control.publisher = Some(commands);
        control.command(|_| {});
        drop(control);
        let shared = Arc::clone(&self.shared);
        let answer = move || margins::answer(asked, answered, &shared.margins, &shared.stop);
        let named = std::thread::Builder::new().name("stiction-margins".into());
        named.spawn(answer).map_err(|e| format!("no thread for margins: {e}"))?;
        self.live = Some((live, worlds));
        self.arrival(number);
        Ok(())
    }

    /// Waits until the loop has shown a world: what comes next may go on from there.
    fn arrival(&self, number: u64) {
        let begun = Instant::now();
        while locked(&self.shared.seen).world != number && begun.elapsed() < ARRIVAL {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Makes what pages draw of a session's shapes: the new generation.
    fn show_shapes(&mut self, session: &Session) -> Result<u32, String> {
        let display = Display::of(&session.world, BUDGET, &self.progress).map_err(|e| e.to_string())?;
        self.generations += 1;
        let parts = [Arc::clone(&session.world.held), Arc::clone(&session.world.fixed)];
        let shapes = Shapes {
            generation: self.generations,
            held: display.held.into(),
            fixed: display.fixed.into(),
            bodies: display.bodies.into_iter().map(Into::into).collect(),
            shell: display.shell.into(),
            parts,
        };
        let mut all = locked(&self.shared.shapes);
        all.push_front(Arc::new(shapes));
        // The loop's own are kept however many recordings are shown meanwhile.
        let live = self.current.as_ref().map(|c| c.generation);
        let oldest = self.generations.saturating_sub(REMEMBERED as u32);
        all.retain(|s| s.generation > oldest || Some(s.generation) == live);
        Ok(self.generations)
    }

    fn tell_world(&self, playback: Option<(&ViewSetup, &Session, u32, Playback)>) {
        let said = match playback {
            Some((setup, session, generation, playback)) => {
                facts(setup, std::slice::from_ref(session), generation, Some(playback))
            }
            None => self.current.as_ref().and_then(|c| facts(&c.setup, &c.sessions, c.generation, None)),
        };
        if let Some(said) = said {
            let keep = |facts: &mut PageFacts, text| (facts.world, facts.fatal) = (Some(text), None);
            self.shared.tell(&ServerMessage::World(Box::new(said)), keep);
        }
    }

    fn record(&mut self, on: bool) -> Result<(), String> {
        let Some(setup) = self.current.as_ref().map(|c| c.setup.clone()) else { return Ok(()) };
        if locked(&self.shared.control).player.is_some() && on {
            return Err("a recording is shown: go back to live before recording".into());
        }
        if on == self.recorder.is_some() {
            return Ok(());
        }
        if !on {
            self.stage(setup, true, None)?;
            return self.finish_recording();
        }
        let folder = self.shared.folder.clone();
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
        let name = free_name(&folder, &setup.scene, started / 1_000_000_000);
        let (mut made, mut noted, carry) = (None, Vec::new(), self.settings.carry);
        let mut make = |session: &Session| {
            let build = format!("{} {}, viewer", std::env::consts::ARCH, std::env::consts::OS);
            let (header, notes) = session.carrying_header(&build, started, carry).map_err(|e| e.to_string())?;
            noted = notes;
            let (path, options) = (folder.join(&name), WriteOptions::default());
            let (recorder, feeds) =
                match session.plan.arms {
                    1 => Recorder::create::<1>(&path, &header, options)
                        .map(|(recorder, feeds)| (recorder, Vec::from(feeds))),
                    _ => Recorder::create::<2>(&path, &header, options)
                        .map(|(recorder, feeds)| (recorder, Vec::from(feeds))),
                }
                .map_err(|e| e.to_string())?;
            made = Some(recorder);
            Ok(feeds)
        };
        self.stage(setup, true, Some(&mut make))?;
        noted.iter().for_each(|note| (self.settings.tell)(&format!("note: {note}")));
        self.recorder = made.map(|recorder| (recorder, name.clone()));
        self.shared.recording.store(true, Relaxed);
        self.list(Some(name));
        Ok(())
    }

    /// Ends a recording that has failed, so that a full disk is told of when it happens and not when somebody stops the recording.
    fn look_at_recording(&mut self) -> Result<(), String> {
        let state = self.recorder.as_ref().map(|(recorder, _)| recorder.status().state);
        if matches!(state, Some(RecorderState::Failed(_))) { self.record(false) } else { Ok(()) }
    }

    /// Ends the file, once the loop has let go of it.
    fn finish_recording(&mut self) -> Result<(), String> {
        let Some((recorder, name)) = self.recorder.take() else { return Ok(()) };
        self.shared.recording.store(false, Relaxed);
        let finished = recorder.finish();
        self.list(None);
        let counts = finished.map_err(|e| format!("{name}: {e}"))?;
        let path = self.shared.folder.join(&name);
        (self.settings.tell)(&format!("recorded {} ticks into {}", counts.written, path.display()));
        if counts.dropped > 0 {
            return Err(format!("{name}: {} ticks are missing, since the disk was too slow", counts.dropped));
        }
        Ok(())
    }

    /// Sends all pages the list of recordings.
    fn list(&self, recording: Option<String>) {
        let mut files: Vec<(SystemTime, RecordingFile)> = Vec::new();
        for item in std::fs::read_dir(&self.shared.folder).into_iter().flatten().flatten() {
            let name = item.file_name().to_string_lossy().into_owned();
            let Ok(meta) = item.metadata() else { continue };
            if crate::wire::file_name(&name).is_ok() && meta.is_file() && Some(&name) != recording.as_ref() {
                files.push((meta.modified().unwrap_or(UNIX_EPOCH), RecordingFile { name, bytes: meta.len() }));
            }
        }
        files.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.name.cmp(&a.1.name)));
        files.truncate(100);
        let say = ServerMessage::Recordings {
            folder: self.shared.folder.display().to_string(),
            files: files.into_iter().map(|f| f.1).collect(),
            recording,
        };
        self.shared.tell(&say, |facts, text| facts.recordings = Some(text));
    }

    /// Where the recording of that name is: the one of the command line is also known by its name.
    fn recording_path(&self, name: &str) -> PathBuf {
        match &self.first {
            FirstShown::Recording(path) if path.file_name().is_some_and(|own| own == name) => path.clone(),
            _ => self.shared.folder.join(name),
        }
    }

    fn play(&mut self, path: &Path) -> Result<(), String> {
        self.record(false)?;
        let generation = self.generations + 1;
        let loaded =
            playback::load(path, &self.settings.meshes, generation, self.settings.cache.as_ref(), &self.progress);
        let mut loaded = loaded.map_err(|e| format!("{}: {e}", path.display()))?;
        self.show_shapes(&loaded.session)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let told = Playback { name, seconds: loaded.seconds, verdict: loaded.verdict.clone() };
        let scene = loaded.session.world.scene.name.clone();
        let Plan { scene_path, scene_text, .. } = &loaded.session.plan;
        let source = SceneSource::Text { origin: scene_path.clone(), text: scene_text.clone().into() };
        let setup = ViewSetup {
            scene,
            source,
            given: Vec::new(),
            set: Overrides::new(),
            compare: None,
            asked: BTreeSet::new(),
            device: None,
        };
        let survey = std::mem::replace(&mut loaded.survey, Survey::new(1.0));
        *locked(&self.shared.survey) = Some((generation, Arc::new(survey)));
        {
            let mut control = locked(&self.shared.control);
            if control.player.is_none() {
                self.was_paused = Some(control.command.tempo.paused);
            }
            control.command(|w| w.tempo.paused = true);
            control.player = Some(Player::new(&mut loaded));
        }
        self.tell_world(Some((&setup, &loaded.session, generation, told)));
        Ok(())
    }

    fn stop_playing(&mut self) {
        let mut control = locked(&self.shared.control);
        if control.player.take().is_some() {
            *locked(&self.shared.survey) = None;
            let paused = self.was_paused.take().unwrap_or(false);
            control.command(|w| w.tempo.paused = paused);
        }
    }

    fn back_to_live(&mut self) -> Result<(), String> {
        self.stop_playing();
        if self.current.is_some() {
            self.tell_world(None);
            return Ok(());
        }
        let names = Scene::names();
        let scene = names.iter().find(|n| *n == "corner-cube").or(names.first()).cloned();
        let scene = scene.ok_or("there is no scene to go back to")?;
        self.configure(&scene, Overrides::new(), None)
    }
}

/// How much work fits into half a period, by the first session whose ticks count theirs.
fn calibrated(sessions: &[Session]) -> Result<Option<Calibration>, SessionError> {
    for session in sessions {
        if let Some(found) = session.calibrate()? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn same_shapes(a: &Session, b: &Session) -> bool {
    a.world.volume == b.world.volume
        && Arc::ptr_eq(&a.world.held, &b.world.held)
        && Arc::ptr_eq(&a.world.fixed, &b.world.fixed)
}
