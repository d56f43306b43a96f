//! A plan with its shapes baked, and the servos, arms and headers made of it.

use crate::carry;
use crate::device::{Pace, SceneDevice};
use crate::error::SessionError;
use crate::plan::Plan;
use std::path::PathBuf;
use std::sync::Arc;
use stiction::coupling::Coupling;
use stiction::shape::Shape;
use stiction::simulation::Simulation;
use stiction::spatial::{Pose, Vec3, join};
use stiction_bake::Progress;
use stiction_bake::cache::Cache;
use stiction_device::servo_loop::Loads;
use stiction_device::sim::SimHand;
use stiction_device::{Arm, ArmHandle, Arms, Caps, CycleSink, Envelope, Limits, Mapping, Port, Servo};
use stiction_record::{BodyFacts, Header};
use stiction_scene::{EngineKind, Hand, SceneError, VolumeBody, World, method_word};
use xxhash_rust::xxh3::Xxh3;

/// A plan with its shapes.
#[derive(Clone, Debug)]
pub struct Session {
    /// What it was made of.
    pub plan: Plan,
    /// The scene with its shapes; the coupling is what the device can render.
    pub world: World,
    /// What was changed to suit the device and what about this build makes it slow, in words.
    pub notices: Vec<String>,
    wanted: Coupling,
}

impl Session {
    /// Bakes the shapes, or takes them from the cache, and suits the scene to the device.
    ///
    /// # Errors
    /// [`SessionError`] where the scene cannot be built or the device cannot render it.
    pub fn new(plan: Plan, cache: Option<&Cache>, progress: &dyn Progress) -> Result<Session, SessionError> {
        let world = plan.scene()?.build(cache, progress)?;
        Session::of(plan, world)
    }

    /// The session of a recording: with the shapes that it carries, or with shapes of the meshes that it carries. Files that it does not carry are looked for by
    /// name and content in `folders`, such as that of the recording, then where they were.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`SessionError::NoFile`] and [`SessionError::OtherFile`] where files are missing or have other contents.
    pub fn recorded(
        header: &Header,
        folders: &[PathBuf],
        cache: Option<&Cache>,
        progress: &dyn Progress,
    ) -> Result<Session, SessionError> {
        let mut plan = Plan::recorded(header)?;
        carry::find_others(header, folders, Arc::make_mut(&mut plan.files))?;
        match carry::shapes(header)? {
            Some(shapes) => Session::of(plan.clone(), plan.scene()?.with_shapes(shapes)?),
            None => Session::new(plan, cache, progress),
        }
    }

    /// A session by another plan, with the same shapes where they are the same: a change of friction takes no time then.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn changed(&self, plan: Plan, cache: Option<&Cache>, progress: &dyn Progress) -> Result<Session, SessionError> {
        match self.world.with_scene(&plan.scene()?)? {
            Some(world) => Session::of(plan, world),
            None => Session::new(plan, cache, progress),
        }
    }

    fn of(plan: Plan, mut world: World) -> Result<Session, SessionError> {
        if !(1..=2).contains(&plan.arms) {
            return Err(SessionError::Plan { name: "arms".into(), why: "one or two devices".into() });
        }
        if plan.arms == 2 && world.scene.engine == EngineKind::Formation {
            let why = "engine = \"formation\" takes one hand: use one device, or engine = \"quasi-static\"";
            return Err(SessionError::Plan { name: "arms".into(), why: why.into() });
        }
        if world.scene.engine == EngineKind::Volume && usize::from(plan.arms) > world.scene.hands().len() {
            let why = format!("the scene `{}` has one hand: give it a second [[hand]], or use one device", world.scene.name);
            return Err(SessionError::Plan { name: "arms".into(), why });
        }
        if world.scene.hands().len() > usize::from(plan.arms) {
            return Err(SceneError::TwoHands.into());
        }
        if !plan.attached.is_empty() && plan.attached.len() != usize::from(plan.arms) {
            return Err(SessionError::Plan { name: "attached".into(), why: "one device for each arm".into() });
        }
        let wanted = world.scene.settings.coupling;
        let rate = world.scene.rate;
        let mut couplings = Vec::new();
        for arm in 0..plan.arms {
            let caps = plan.caps(arm);
            let [low, high] = caps.rate;
            if !(low..=high).contains(&rate) {
                return Err(SessionError::Rate { device: caps.name, rate, low, high });
            }
            let mapping = mapping(&plan, &caps);
            mapping.check()?;
            couplings.push(mapping.coupling(&wanted, &caps, 1.0 / rate)?);
            Envelope::new(Limits::of(&caps), 1.0 / rate)?;
        }
        world.scene.settings.coupling = match (world.scene.engine, &couplings[..]) {
            // All its hands have the same spring, which each of their devices must render.
            (EngineKind::Volume, [first, second]) => weaker(first, second),
            _ => couplings[0],
        };
        let mut session = Session { plan, world, notices: Vec::new(), wanted };
        let told = couplings.iter().zip(0..).flat_map(|(coupling, arm)| session.told(&session.caps(arm), coupling));
        let mut notices: Vec<String> = told.collect();
        // Two equal devices say the same.
        notices.dedup();
        notices.extend(stiction::build_notice().map(String::from));
        session.notices = notices;
        Ok(session)
    }

    /// The session with other devices than the simulated ones, one for each arm, by their capabilities: envelope, mapping, coupling and the recording's header follow from
    /// these. To be called before [`header`](Self::header) and [`arms_with`](Self::arms_with).
    ///
    /// # Errors
    /// [`SessionError`] if a device cannot render the scene at its rate, or there are more or fewer devices than arms.
    pub fn attached(self, devices: Vec<Caps>) -> Result<Session, SessionError> {
        let Session { mut plan, mut world, wanted, .. } = self;
        plan.attached = devices;
        world.scene.settings.coupling = wanted;
        Session::of(plan, world)
    }

    fn told(&self, caps: &Caps, now: &Coupling) -> Vec<String> {
        let then = &self.wanted;
        let mut out = Vec::new();
        let mut lowered = |what: &str, now: f64, then: f64, unit: &str| {
            if now < then {
                out.push(format!("{what} is {now:.3} {unit}, all that {} renders (scene: {then} {unit})", caps.name));
            }
        };
        lowered("coupling stiffness", now.stiffness, then.stiffness, "N/m");
        lowered("coupling torsion", now.torsion, then.torsion, "N m/rad");
        lowered("largest force", now.max_force, then.max_force, "N");
        lowered("largest torque", now.max_torque, then.max_torque, "N m");
        let (reach, radius) = (self.reach(), caps.workspace.1);
        if reach > radius {
            out.push(format!(
                "the scene's hand goes {reach:.3} m from its start, and the workspace ends at {radius:.3} m: a real device would need a \
                 motion scale of {:.2} or the clutch",
                self.plan.motion_scale * reach / radius
            ));
        }
        if caps.actuated.0[3..] == [false; 3] {
            out.push(format!("{} renders no torque: rotations are not felt", caps.name));
        }
        out
    }

    /// How far the handle goes from where it starts (m).
    fn reach(&self) -> f64 {
        let scene = &self.world.scene;
        let start = scene.hand().pose(0.0).translation.vector;
        let steps = 200;
        let at = |i: u32| scene.hand().pose(scene.seconds * f64::from(i) / f64::from(steps)).translation.vector;
        let furthest = (0..=steps).map(|i| (at(i) - start).norm()).fold(0.0, f64::max);
        furthest / self.plan.motion_scale
    }

    /// The period of a cycle (s).
    pub fn period(&self) -> f64 {
        1.0 / self.world.scene.rate
    }

    /// What the device of an arm tells of itself.
    pub fn caps(&self, arm: u8) -> Caps {
        self.plan.caps(arm)
    }

    /// The limits of an arm's envelope, which follow from its device.
    pub fn limits(&self, arm: u8) -> Limits {
        let limits = Limits::of(&self.caps(arm));
        let loads = if self.plan.known_loads { limits.loads } else { 0.0 };
        Limits { passivity: self.plan.passivity, loads, ..limits }
    }

    /// The servo with a port for each arm: the same for the same plan and shapes, to the bit.
    ///
    /// # Errors
    /// [`SessionError`] where engine or envelope refuse their settings.
    pub fn servo(&self) -> Result<Servo, SessionError> {
        self.servo_with(self.simulation(false)?)
    }

    /// The same for a loop in real time: an engine that is slower than the loop is on a thread of its own.
    ///
    /// # Errors
    /// As [`servo`](Self::servo); and if the system makes no thread.
    pub fn live_servo(&self) -> Result<Servo, SessionError> {
        self.servo_with(self.simulation(true)?)
    }

    fn servo_with(&self, simulation: Box<dyn Simulation>) -> Result<Servo, SessionError> {
        let scene = &self.world.scene;
        let hands = [scene.hand().pose(0.0), self.second_hand().pose(0.0)];
        let port = |(arm, hand): (u8, Pose)| -> Result<Port, SessionError> {
            let envelope = Envelope::new(self.limits(arm), self.period())?;
            Ok(Port::new(mapping(&self.plan, &self.caps(arm)), envelope, hand))
        };
        let ports: Result<Vec<Port>, _> = (0..self.plan.arms).zip(hands).map(port).collect();
        Ok(Servo::new(simulation, ports?, self.period()))
    }

    /// The coupling of an arm: what its device can render.
    pub(crate) fn coupling(&self, arm: u8) -> Result<Coupling, SessionError> {
        match self.plan.attached.get(usize::from(arm)) {
            Some(caps) if arm > 0 => Ok(mapping(&self.plan, caps).coupling(&self.wanted, caps, self.period())?),
            _ => Ok(self.world.scene.settings.coupling),
        }
    }

    /// Loads of an arm's part by time.
    pub fn loads(&self, arm: u8) -> Loads {
        let scene = &self.world.scene;
        if scene.engine == EngineKind::Volume {
            let script = scene.load_of(arm.into());
            return Box::new(move |t| script.at(t));
        }
        let (script, settings) = (scene.load(), scene.settings);
        let weight = join(settings.gravity * settings.mass, Vec3::zeros());
        match (self.plan.arms, arm) {
            (1, _) => Box::new(move |t| script.at(t)),
            (_, 0) => Box::new(move |t| script.at(t) + weight),
            // The second hand carries the weight of its part by itself.
            _ => Box::new(|_| stiction::spatial::Vec6::zeros()),
        }
    }

    /// Arms with simulated devices, armed, and the handle of each. `sinks` takes the cycles of each arm.
    ///
    /// # Errors
    /// [`SessionError`] where a device, the engine or the envelope refuse their settings.
    pub fn arms(
        &self,
        pace: Pace,
        sinks: impl FnMut(u8) -> Option<Box<dyn CycleSink>>,
    ) -> Result<(Arms, Vec<ArmHandle>), SessionError> {
        let servo = if pace == Pace::Real { self.live_servo()? } else { self.servo()? };
        self.arms_of(servo, sinks, |number| Ok(Box::new(self.device(number, pace)?)))
    }

    /// The same, with an engine that sums up its ticks: [`SummedEngine::summaries`](crate::SummedEngine::summaries) tells.
    ///
    /// # Errors
    /// As [`arms`](Self::arms).
    pub fn summed_arms(
        &self,
        pace: Pace,
        sinks: impl FnMut(u8) -> Option<Box<dyn CycleSink>>,
    ) -> Result<(Arms, Vec<ArmHandle>), SessionError> {
        let servo = self.servo_with(self.summed_simulation(pace == Pace::Real)?)?;
        self.arms_of(servo, sinks, |number| Ok(Box::new(self.device(number, pace)?)))
    }

    /// The same with other devices: with those that the session is [attached](Self::attached) to.
    ///
    /// # Errors
    /// As [`arms`](Self::arms); [`SessionError::OtherDevice`] if a device is not the one that the limits follow from.
    pub fn arms_with(
        &self,
        sinks: impl FnMut(u8) -> Option<Box<dyn CycleSink>>,
        devices: impl FnMut(u8) -> Result<Box<dyn stiction_device::Device>, SessionError>,
    ) -> Result<(Arms, Vec<ArmHandle>), SessionError> {
        self.arms_of(self.live_servo()?, sinks, devices)
    }

    fn arms_of(
        &self,
        servo: Servo,
        mut sinks: impl FnMut(u8) -> Option<Box<dyn CycleSink>>,
        mut devices: impl FnMut(u8) -> Result<Box<dyn stiction_device::Device>, SessionError>,
    ) -> Result<(Arms, Vec<ArmHandle>), SessionError> {
        let (mut arms, mut handles) = (Vec::new(), Vec::new());
        for number in 0..self.plan.arms {
            let mut device = devices(number)?;
            let expected = self.caps(number);
            if *device.caps() != expected {
                let (expected, found) = (expected.name, device.caps().name.clone());
                return Err(SessionError::OtherDevice { arm: number, expected, found });
            }
            device.arm().map_err(|e| SessionError::Plan { name: "device".into(), why: e.to_string() })?;
            let (arm, handle) = Arm::new(number, &servo, device, sinks(number));
            arms.push(arm.with_loads(self.loads(number)));
            handles.push(handle);
        }
        Ok((Arms::new(servo, arms), handles))
    }

    /// How the second hand moves; where the scene has one hand, it keeps the fixed part where it is.
    fn second_hand(&self) -> Hand {
        let scene = &self.world.scene;
        scene.hands().get(1).map_or_else(|| Hand::resting(scene.world_from_fixed()), |hand| hand.motion.clone())
    }

    /// The simulated device of an arm.
    ///
    /// # Errors
    /// [`SessionError::Sim`] where a parameter is out of its range.
    pub fn device(&self, arm: u8, pace: Pace) -> Result<SceneDevice, SessionError> {
        let scene = &self.world.scene;
        let mut params = self.plan.device.params();
        params.hand = self.plan.hand.hand();
        let hand = match arm {
            0 => scene.hand().clone(),
            // Nobody lets both go.
            _ => {
                params.hand = if params.hand == SimHand::Released { SimHand::Firm } else { params.hand };
                self.second_hand()
            }
        };
        Ok(SceneDevice::new(params, hand, mapping(&self.plan, &self.caps(arm)), pace)?)
    }

    /// The device's name, or the names of both where they differ.
    pub fn device_names(&self) -> String {
        let mut names: Vec<String> = (0..self.plan.arms).map(|arm| self.caps(arm).name).collect();
        names.dedup();
        names.join(" and ")
    }

    /// The header of a recording that carries nothing; `started` in ns since 1970, `build` as the program tells it.
    pub fn header(&self, build: &str, started: u64) -> Header {
        let plan = &self.plan;
        let hashes = [hash(&self.world.held), hash(&self.world.fixed)];
        let [held, fixed] = hashes;
        let shapes = [[held, fixed], [fixed, held]];
        Header {
            stiction: env!("CARGO_PKG_VERSION").into(),
            build: build.into(),
            scene: self.world.scene.name.clone(),
            scene_path: plan.scene_path.display().to_string(),
            scene_text: plan.scene_text.clone(),
            overrides: plan.set.iter().map(ToString::to_string).collect(),
            parameters: plan.parameters(),
            shapes: shapes[..usize::from(plan.arms)].to_vec(),
            bodies: self.world.volume.as_ref().map_or_else(Vec::new, |world| world.bodies.iter().map(facts).collect()),
            rate_hz: self.world.scene.rate,
            device: self.device_names(),
            method: match self.world.scene.engine {
                EngineKind::QuasiStatic => method_word(self.world.scene.settings.friction.method).into(),
                EngineKind::Formation | EngineKind::Volume => self.world.scene.engine.word().into(),
            },
            hands: plan.arms,
            columns: self.columns(),
            started_unix_ns: started,
            ..Header::default()
        }
    }
}

/// A body in the header of a recording.
fn facts(body: &VolumeBody) -> BodyFacts {
    BodyFacts { name: body.name.clone(), hash: format!("{:016x}", body.hash()) }
}

/// A coupling that is in no respect stronger than one of these.
fn weaker(a: &Coupling, b: &Coupling) -> Coupling {
    Coupling {
        stiffness: a.stiffness.min(b.stiffness),
        torsion: a.torsion.min(b.torsion),
        max_force: a.max_force.min(b.max_force),
        max_torque: a.max_torque.min(b.max_torque),
    }
}

fn mapping(plan: &Plan, caps: &Caps) -> Mapping {
    let [x, y, z] = plan.handle_offset;
    let mut mapping = Mapping::new(caps.actuated);
    (mapping.motion_scale, mapping.force_scale) = (plan.motion_scale, plan.force_scale);
    mapping.part_in_handle = Pose::translation(-x, -y, -z);
    mapping
}

/// XXH3 of a shape's file.
pub(crate) fn hash(shape: &Shape) -> u64 {
    struct Digest(Xxh3);
    impl std::io::Write for Digest {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut digest = Digest(Xxh3::new());
    // Writing into a digest cannot fail; a shape that could not be encoded would have no hash but that of nothing.
    let _ = stiction::shape::file::encode(shape, &mut digest);
    digest.0.digest()
}
