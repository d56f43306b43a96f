//! From what a page asks for to sessions, and what it is told of them.

use crate::live::{MOST_HANDS, Motions};
use crate::many_bodies::{self, ManyBodies};
use crate::sentence::LaneInfo;
use crate::wire::{CONTROLS, LaneFacts, Playback, WorldFacts, numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Cone, Method};
use stiction::spatial::{Pose, Vec3};
use stiction::tick::ContactModel;
use stiction_bake::Progress;
use stiction_bake::cache::Cache;
use stiction_scene::{
    Demonstration, EngineKind, Hand, Place, Problem, Scene, SceneError, SceneSource, Setting, method_word,
};
use stiction_session::{HandWord, Plan, Session, SessionError, SimWord};

/// Overrides by key.
pub type Overrides = BTreeMap<String, String>;

/// Scene, overrides and device from which a world is built.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewSetup {
    /// Name of the scene.
    pub scene: String,
    /// Where the scene's text is.
    pub source: SceneSource,
    /// Overrides of the command line, which stay.
    pub given: Vec<Setting>,
    /// Overrides of the page.
    pub set: Overrides,
    /// Overrides of the second lane.
    pub compare: Option<Overrides>,
    /// Keys of `set` that the page has just set: one of them that has no effect is an error, others that have none any more are left out.
    pub asked: BTreeSet<String>,
    /// A simulated device that moves the hand instead of a page, and the hand that holds it.
    pub device: Option<(SimWord, HandWord)>,
}

/// Poses from which part and hand go on in a new world.
#[derive(Clone, Copy, Debug)]
pub struct StartPoses {
    /// Pose of the part (world from part).
    pub part: Pose,
    /// Pose of the hand (world from part).
    pub hand: Pose,
}

impl ViewSetup {
    /// The sessions of its lanes, one or two; the shapes of `old` are used where they are the same.
    ///
    /// # Errors
    /// [`SessionError`] where the scene or the settings make no sense.
    pub fn sessions(
        &self,
        from: Option<&StartPoses>,
        old: Option<&Session>,
        cache: Option<&Cache>,
        progress: &dyn Progress,
    ) -> Result<Vec<Session>, SessionError> {
        let plan = self.plan(&self.set, from, &|key| self.asked.contains(key))?;
        let first = match old {
            Some(old) => old.changed(plan, cache, progress)?,
            None => Session::new(plan, cache, progress)?,
        };
        let Some(compare) = &self.compare else { return Ok(vec![first]) };
        let mut set = self.set.clone();
        // What follows the compared key, as a pyramid does the method, is not what the other lane is compared by, unless it asks for it.
        for control in CONTROLS.iter().filter(|c| c.follows.is_some_and(|key| compare.contains_key(key))) {
            set.remove(&control.key);
        }
        set.extend(compare.clone());
        let plan = self.plan(&set, from, &|key| compare.contains_key(key))?;
        let second = first.changed(plan, cache, progress)?;
        Ok(vec![first, second])
    }

    /// The scene's own motion.
    ///
    /// # Errors
    /// [`SessionError`] where the scene makes no sense.
    pub fn script(&self) -> Result<Hand, SessionError> {
        Ok(self.own_scene()?.hand().clone())
    }

    /// What the viewer shows of the scene until somebody drags the part.
    ///
    /// # Errors
    /// [`SessionError`] where the scene makes no sense.
    pub fn demonstration(&self) -> Result<Demonstration, SessionError> {
        Ok(self.own_scene()?.demonstration)
    }

    /// How all hands move by themselves.
    ///
    /// # Errors
    /// [`SessionError`] where the scene makes no sense.
    pub fn motions(&self) -> Result<Motions, SessionError> {
        let scene = self.own_scene()?;
        let scripts =
            (0..scene.hands().len().clamp(1, MOST_HANDS)).map(|hand| hand_motion(&scene, hand as u8)).collect();
        Ok(Motions { scripts, demonstration: scene.demonstration.motion })
    }

    /// The scene without what a page set.
    fn own_scene(&self) -> Result<Scene, SessionError> {
        self.plan(&Overrides::new(), None, &|_| true)?.scene()
    }

    /// The plan with overrides of a page, without those that have no effect in it, unless they are asked for.
    fn plan(
        &self,
        set: &Overrides,
        from: Option<&StartPoses>,
        asked: &dyn Fn(&str) -> bool,
    ) -> Result<Plan, SessionError> {
        let mut plan = Plan::of(&self.source, self.given.clone())?;
        (plan.device, plan.hand) = self.device.unwrap_or((SimWord::Page, HandWord::Free));
        self.suit_to_bodies(&mut plan)?;
        let friction = self.friction(&plan, set)?;
        let poses = from.map(poses).unwrap_or_default();
        let own = set.iter().filter(|(key, _)| !FRICTION.contains(&key.as_str()));
        plan.set.extend(own.map(|(key, value)| setting(key, value.clone())));
        plan.set.extend(friction.into_iter().chain(poses));
        // What the command line gave counts until a page sets something else.
        let must_count = |setting: &Setting| match set.contains_key(&setting.key) {
            true => asked(&setting.key),
            false => set.is_empty(),
        };
        loop {
            let idle = match plan.scene() {
                Err(SessionError::Scene(SceneError::Wrong { place: Place::Set { text }, problem }))
                    if matches!(*problem, Problem::NoEffect { .. }) =>
                {
                    plan.set.iter().position(|setting| setting.to_string() == text && !must_count(setting))
                }
                _ => None,
            };
            match idle {
                Some(number) => plan.set.remove(number),
                None => return Ok(plan),
            };
        }
    }

    /// In a world of many bodies every hand of the scene is the page's, and goes as far as its bodies are large.
    fn suit_to_bodies(&self, plan: &mut Plan) -> Result<(), SessionError> {
        let scene = plan.scene()?;
        if scene.engine == EngineKind::Volume {
            plan.arms = scene.hands().len().clamp(1, MOST_HANDS) as u8;
            if plan.device == SimWord::Page {
                plan.motion_scale = many_bodies::stretch(&scene);
            }
        }
        Ok(())
    }

    /// Coefficients whatever the materials; the kinetic one at most the static one, unless both were asked for.
    fn friction(&self, plan: &Plan, set: &Overrides) -> Result<Vec<Setting>, SessionError> {
        if !FRICTION.iter().any(|key| set.contains_key(*key)) {
            return Ok(Vec::new());
        }
        // Before the page's method is known: only its coefficients are wanted.
        let scene = plan.scene()?.settings;
        let fixed = set.get("friction.static").cloned().unwrap_or_else(|| format!("{:?}", scene.mu_static));
        let least =
            fixed.parse::<f64>().ok().filter(|s| *s >= 0.0).map_or(scene.mu_kinetic, |s| scene.mu_kinetic.min(s));
        let kinetic = set.get("friction.kinetic").cloned().unwrap_or_else(|| format!("{least:?}"));
        Ok(vec![setting("friction.pair", "[]".into()), setting(FRICTION[0], fixed), setting(FRICTION[1], kinetic)])
    }
}

const FRICTION: [&str; 2] = ["friction.static", "friction.kinetic"];

fn setting(key: &str, value: String) -> Setting {
    Setting { key: key.into(), value }
}

/// Overrides that put part and hand there.
fn poses(from: &StartPoses) -> Vec<Setting> {
    let texts = |pose: &Pose| {
        let [x, y, z, w, i, j, k] = numbers(pose);
        (format!("[{x:?}, {y:?}, {z:?}]"), format!("{{ qw = {w:?}, qx = {i:?}, qy = {j:?}, qz = {k:?} }}"))
    };
    let ((at, turn), (hand_at, hand_turn)) = (texts(&from.part), texts(&from.hand));
    vec![
        setting("start.relative_to", "world".into()),
        setting("start.position", at),
        setting("start.rotation", turn),
        setting("hand.relative_to", "world".into()),
        setting("hand.script", "[{ wait = 0.001 }]".into()),
        setting("hand.from", format!("{{ position = {hand_at}, rotation = {hand_turn} }}")),
    ]
}

/// How a hand of a scene moves. A scene of one hand keeps the fixed part where it is with the second.
pub fn hand_motion(scene: &Scene, number: u8) -> Hand {
    match scene.hands().get(usize::from(number)) {
        Some(hand) => hand.motion.clone(),
        None => Hand::resting(scene.world_from_fixed()),
    }
}

/// What a sentence needs to know of a session's lane.
pub fn lane_info(session: &Session) -> LaneInfo {
    // The table of columns is made when it is first asked for: here, and not in a tick.
    let _ = stiction::trace::Trace::columns();
    let settings = &session.world.scene.settings;
    let _ = stiction_formation::FormationTick::columns();
    LaneInfo {
        engine: session.world.scene.engine,
        namer: None,
        bodies: session.world.volume.as_ref().map_or_else(Arc::default, |bodies| many_bodies::names(bodies)),
        method: settings.friction.method,
        mu: [settings.mu_static, settings.mu_kinetic],
        radius: radius(session),
        rate: session.world.scene.rate,
    }
}

/// The same with names for contacts, for what is told of the lane. It takes some time, and is not for the loop.
pub fn named_lane_info(session: &Session) -> LaneInfo {
    let points = session.world.scene.engine == EngineKind::QuasiStatic;
    let namer = if points { session.world.contact_namer().map(Arc::new) } else { None };
    LaneInfo { namer, ..lane_info(session) }
}

fn radius(session: &Session) -> f64 {
    if let Some(bodies) = ManyBodies::of(&session.world) {
        return many_bodies::radius(&bodies.facts[bodies.main(&session.world.scene)].bounds);
    }
    let (held, centre) = (&session.world.held, session.world.held.mass.centre);
    let points = held.shell.points().iter().map(|p| (p.position - centre).norm());
    let part = held.field.part();
    points.fold(0.0, f64::max).max(0.25 * (part.max - part.min).norm())
}

/// The world for pages.
pub fn facts(
    setup: &ViewSetup,
    sessions: &[Session],
    generation: u32,
    playback: Option<Playback>,
) -> Option<WorldFacts> {
    let first = sessions.first()?;
    let scene = &first.world.scene;
    let settings = &scene.settings;
    let (shell_on, carrier) = match settings.shell_on {
        ShellOn::Held | ShellOn::Both => ("held", &first.world.held),
        ShellOn::Fixed => ("fixed", &first.world.fixed),
    };
    let many = ManyBodies::of(&first.world);
    let main = many.as_ref().map(|bodies| &bodies.facts[bodies.main(scene)]);
    let corners = |v: &Vec3| [v.x, v.y, v.z];
    let boxed = |shape: &stiction::shape::Shape| [corners(&shape.field.part().min), corners(&shape.field.part().max)];
    Some(WorldFacts {
        generation,
        scene: setup.scene.clone(),
        description: scene.description.clone(),
        invitation: setup.demonstration().map_or_else(|_| String::new(), |shown| shown.text),
        set: setup.set.clone(),
        compare: setup.compare.clone(),
        engine: scene.engine.word(),
        values: values(scene),
        lanes: sessions.iter().enumerate().map(|(i, s)| lane(&s.world.scene, &compared(setup, i, s))).collect(),
        columns: first.columns().iter().map(Into::into).collect(),
        margins: first.has_margins(),
        rate: scene.rate,
        radius: radius(first),
        world_from_fixed: numbers(&if many.is_some() { Pose::identity() } else { scene.world_from_fixed() }),
        start: main.map_or_else(|| numbers(&scene.start()), |body| body.start),
        end: numbers(&setup.script().map_or(scene.start(), |script| script.pose(f64::MAX))),
        held_box: main.map_or_else(|| boxed(&first.world.held), |body| body.bounds),
        fixed_box: many.as_ref().map_or_else(|| boxed(&first.world.fixed), |bodies| bodies.ground(scene)),
        shell_on: shell_on.into(),
        shell_points: if many.is_some() { 0 } else { carrier.shell.points().len() },
        shell_levels: if many.is_some() { 0 } else { carrier.shell.levels().len() },
        hands: scene.hands().len().max(first.plan.arms.into()),
        room: many.as_ref().map(|bodies| bodies.room(scene)),
        bodies: many.map_or_else(Vec::new, |bodies| bodies.facts),
        seconds: scene.seconds,
        coupling: (&settings.coupling).into(),
        work: (scene.engine == EngineKind::QuasiStatic
            && matches!(settings.contact_model(), ContactModel::Hard | ContactModel::Unilateral))
        .then_some(settings.work),
        notes: first.notices.iter().chain(&first.world.warnings).cloned().collect(),
        device: setup.device.map(|(device, hand)| format!("{}, {} hand", device.name(), hand.name())),
        playback,
    })
}

/// The values in force of all keys that reach the engine.
fn values(scene: &Scene) -> BTreeMap<String, String> {
    let own = match scene.engine {
        EngineKind::QuasiStatic => Vec::new(),
        EngineKind::Formation => stiction_scene::formation_values_in_force(&scene.formation),
        EngineKind::Volume => stiction_scene::volume_values_in_force(&scene.volume),
    };
    stiction_scene::values_in_force(&scene.settings).into_iter().chain(own).collect()
}

/// What a lane's label says beyond method, cone and µ: the values of the other keys that lanes are compared by.
fn compared(setup: &ViewSetup, lane: usize, session: &Session) -> Vec<String> {
    let told = |key: &String, second: &String| {
        let control = CONTROLS.iter().find(|c| c.key == *key)?;
        let in_force = values(&session.world.scene).remove(key);
        let own = in_force.or((lane > 0).then(|| second.clone())).unwrap_or_else(|| "as in the scene".into());
        Some([control.label.as_str(), own.trim_matches('"'), control.unit].join(" ").trim_end().to_owned())
    };
    let others = setup.compare.iter().flatten().filter(|(key, _)| !LABELLED.contains(&key.as_str()));
    others.filter_map(|(key, second)| told(key, second)).collect()
}

/// Keys that every lane's label tells.
const LABELLED: [&str; 3] = ["friction.method", "friction.cone", "friction.static"];

fn lane(scene: &Scene, more: &[String]) -> LaneFacts {
    let settings = &scene.settings;
    let method = match scene.engine {
        EngineKind::QuasiStatic => method_word(settings.friction.method),
        EngineKind::Formation | EngineKind::Volume => scene.engine.word(),
    };
    let cone = match settings.friction.cone {
        Cone::Disk => "disk".to_owned(),
        Cone::Polygon { sides, .. } => format!("{sides} sides"),
    };
    let label = match settings.friction.method {
        _ if scene.engine == EngineKind::Volume => format!("contact volumes, µ {}", settings.mu_static),
        _ if scene.engine == EngineKind::Formation => format!("contact formations, µ {}", settings.mu_static),
        Method::Frictionless => "no friction".to_owned(),
        Method::Yamane => format!("friction springs (yamane), µ {}", settings.mu_static),
        _ => format!("{method}, {cone}, µ {}", settings.mu_static),
    };
    let label = [&[label], more].concat().join(", ");
    LaneFacts { method: method.into(), label, mu_static: settings.mu_static, mu_kinetic: settings.mu_kinetic }
}

/// The scene by its name, with what the command line overrides.
///
/// # Errors
/// [`SessionError`] if there is no such scene.
pub fn find(
    scene: &str,
    given: Vec<Setting>,
    set: Overrides,
    compare: Option<Overrides>,
    device: Option<(SimWord, HandWord)>,
) -> Result<ViewSetup, SessionError> {
    let source = Scene::find(scene)?;
    let asked = set.keys().cloned().collect();
    Ok(ViewSetup { scene: scene.into(), source, given, set, compare, asked, device })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use stiction_bake::Silent;

    fn small() -> ViewSetup {
        // Tests run at the same time: each has a folder of its own.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("stiction-view-setup-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("scene.toml");
        let text = r#"
            held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 16, points = 100, material = "a" }
            fixed = { solid = "plate", size = [0.1, 0.1], thickness = 0.01, resolution = 32, points = 100, material = "b" }
            hand.script = [{ move = [0, 0, -0.002], seconds = 0.2 }]
            hand.from = { position = [0, 0, 0.016] }
            [friction]
            pair = [{ between = ["a", "b"], static = 0.6, kinetic = 0.5 }]
        "#;
        std::fs::write(&path, text).unwrap();
        let (set, asked) = (Overrides::new(), BTreeSet::new());
        let source = path.into();
        ViewSetup { scene: "small".into(), source, given: Vec::new(), set, compare: None, asked, device: None }
    }

    #[test]
    fn coefficients_count_whatever_the_materials_and_kinetic_follows_static() {
        let mut setup = small();
        let plain = setup.sessions(None, None, None, &Silent).unwrap().remove(0);
        assert_eq!(plain.world.scene.settings.mu_static, 0.6);
        for (s, k, wanted) in
            [(Some("0.3"), None, (0.3, 0.3)), (None, Some("0.2"), (0.6, 0.2)), (Some("0.9"), None, (0.9, 0.5))]
        {
            setup.set = [("friction.static", s), ("friction.kinetic", k)]
                .into_iter()
                .filter_map(|(key, v)| Some((key.to_owned(), v?.to_owned())))
                .collect();
            let session = setup.sessions(None, Some(&plain), None, &Silent).unwrap().remove(0);
            let settings = session.world.scene.settings;
            assert_eq!((settings.mu_static, settings.mu_kinetic), wanted);
            assert!(std::sync::Arc::ptr_eq(&session.world.held, &plain.world.held), "the shapes are the same");
        }
        setup.set = Overrides::from([("friction.static".into(), "nonsense".into())]);
        assert!(setup.sessions(None, Some(&plain), None, &Silent).is_err());
    }

    #[test]
    fn a_key_without_effect_is_refused_when_it_is_set_and_left_out_when_it_became_so() {
        let mut setup = small();
        let set = |pairs: &[(&str, &str)]| -> Overrides {
            pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
        };
        let asked = |keys: &[&str]| keys.iter().map(|key| key.to_string()).collect();
        setup.set = set(&[("friction.method", "yamane"), ("friction.spring_stiffness", "5000")]);
        setup.asked = asked(&["friction.method", "friction.spring_stiffness"]);
        assert!(setup.sessions(None, None, None, &Silent).is_ok());
        // Another method: the springs are left out, and come back with their method.
        setup.set.insert("friction.method".into(), "hold".into());
        setup.asked = asked(&["friction.method"]);
        let session = setup.sessions(None, None, None, &Silent).unwrap().remove(0);
        assert_eq!(session.world.scene.settings.friction.method, Method::Hold);
        setup.asked = asked(&["friction.spring_stiffness"]);
        let told = setup.sessions(None, None, None, &Silent).unwrap_err().to_string();
        assert!(told.contains("friction.spring_stiffness has no effect"), "{told}");
        setup.set = set(&[("friction.method", "none"), ("friction.static", "0.3")]);
        setup.asked = asked(&["friction.static"]);
        let told = setup.sessions(None, None, None, &Silent).unwrap_err().to_string();
        assert!(told.contains("friction.static has no effect: the friction method is \"none\""), "{told}");
        setup.asked = asked(&["friction.method"]);
        assert!(setup.sessions(None, None, None, &Silent).is_ok());
        setup.given = vec!["friction.static=0.2".parse().unwrap()];
        setup.set = Overrides::new();
        let told = setup.sessions(None, None, None, &Silent).unwrap_err().to_string();
        assert!(told.contains("friction.pair.0.static"), "of the command line: {told}");
    }

    #[test]
    fn a_world_goes_on_from_where_part_and_hand_are() {
        let setup = small();
        let part =
            Pose::from_parts(Vec3::new(0.01, 0.002, 0.0151).into(), stiction::spatial::exp(&Vec3::new(0.0, 0.1, 0.2)));
        let hand = Pose::translation(0.011, 0.0, 0.014);
        let session = setup.sessions(Some(&StartPoses { part, hand }), None, None, &Silent).unwrap().remove(0);
        let scene = &session.world.scene;
        assert!((scene.start().translation.vector - part.translation.vector).norm() == 0.0);
        assert!((scene.start().rotation * part.rotation.inverse()).angle() < 1e-7);
        assert!((scene.hand().pose(0.0).translation.vector - hand.translation.vector).norm() == 0.0);
        assert_eq!(setup.script().unwrap().seconds(), 0.2, "the script is the scene's own");
    }

    #[test]
    fn a_scene_with_lists_goes_on_from_there_too() {
        let mut setup = small();
        let path = setup.source.origin().with_file_name("lists.toml");
        let text = r#"
            [[body]]
            name = "cube"
            solid = "box"
            size = [0.02, 0.02, 0.02]
            resolution = 16
            points = 100
            [[body]]
            name = "plate"
            fixed = true
            solid = "plate"
            size = [0.1, 0.1]
            thickness = 0.01
            resolution = 32
            points = 100
            [[hand]]
            holds = "cube"
            relative_to = "plate"
            keyframes = [{ t = 0, position = [0, 0, 0.016] }, { t = 0.2, position = [0, 0, 0.014] }]
        "#;
        std::fs::write(&path, text).unwrap();
        setup.source = path.into();
        let from =
            StartPoses { part: Pose::translation(0.01, 0.002, 0.0151), hand: Pose::translation(0.011, 0.0, 0.014) };
        let session = setup.sessions(Some(&from), None, None, &Silent).unwrap().remove(0);
        let scene = &session.world.scene;
        assert_eq!((scene.start(), scene.hand().pose(0.0)), (from.part, from.hand));
        assert_eq!(setup.script().unwrap().seconds(), 0.2);
    }

    #[test]
    fn two_lanes_differ_in_what_is_compared_and_share_their_shapes() {
        let mut setup = small();
        setup.set = Overrides::from([
            ("friction.method".into(), "lp".into()),
            ("friction.cone".into(), "{ sides = 4 }".into()),
        ]);
        setup.compare = Some(Overrides::from([("friction.method".into(), "yamane".into())]));
        let sessions = setup.sessions(None, None, None, &Silent).unwrap();
        let facts = facts(&setup, &sessions, 1, None).unwrap();
        assert_eq!(facts.lanes.iter().map(|l| l.method.as_str()).collect::<Vec<_>>(), ["lp", "yamane"]);
        assert!(std::sync::Arc::ptr_eq(&sessions[0].world.fixed, &sessions[1].world.fixed));
        assert_eq!(facts.values["friction.cone"], "{ sides = 4 }");
    }

    #[test]
    fn two_lanes_are_compared_by_any_key_and_their_labels_say_so() {
        let mut setup = small();
        let labels = |setup: &ViewSetup| {
            let sessions = setup.sessions(None, None, None, &Silent).unwrap();
            let lanes = facts(setup, &sessions, 1, None).unwrap().lanes;
            (lanes.into_iter().map(|l| l.label).collect::<Vec<_>>(), sessions)
        };
        setup.set = Overrides::from([("friction.static".into(), "0.6".into())]);
        setup.compare = Some(Overrides::from([("friction.static".into(), "0.3".into())]));
        let (told, sessions) = labels(&setup);
        assert!(told[0].ends_with("µ 0.6") && told[1].ends_with("µ 0.3"), "{told:?}");
        assert_eq!(sessions[1].world.scene.settings.mu_kinetic, 0.3, "kinetic friction follows");
        setup.compare = Some(Overrides::from([("coupling.stiffness".into(), "500".into())]));
        let (told, sessions) = labels(&setup);
        assert!(
            told[0].contains("Coupling stiffness 2000") && told[1].ends_with("Coupling stiffness 500 N/m"),
            "{told:?}"
        );
        assert_eq!(sessions[1].world.scene.settings.coupling.stiffness, 500.0);
        // Keys for which a shape is built anew: the other lane has shapes of its own.
        setup.compare = Some(Overrides::from([("held.points".into(), "40".into())]));
        let (told, sessions) = labels(&setup);
        assert!(told[1].ends_with("Shell points of the held part 40"), "{told:?}");
        assert!(told[0].ends_with("Shell points of the held part as in the scene"), "{told:?}");
        let points = sessions.iter().map(|s| s.world.held.shell.points().len()).collect::<Vec<_>>();
        assert!(points[1] <= 40 && points[0] > 60, "{points:?}");
    }
}
