//! All that a session depends on, as text: a recording carries it, and a replay makes the same session of it.

use crate::{SessionError, capabilities, carry};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use stiction::named;
use stiction_device::Caps;
use stiction_device::sim::{SimHand, SimParams};
use stiction_scene::{FileContents, Scene, SceneSource, Setting};

/// A session before anything is baked.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The scene's file; other files are looked for beside it.
    pub scene_path: PathBuf,
    /// Text of the scene's file.
    pub scene_text: String,
    /// Contents of files that the scene names, where a recording carries them: these are not read from the disk.
    pub files: Arc<FileContents>,
    /// Overrides of its keys.
    pub set: Vec<Setting>,
    /// Friction coefficient whatever the materials.
    pub mu: Option<f64>,
    /// Most work of a tick (units), where a live session has measured what the machine can do; never more than the scene allows.
    pub work: Option<u64>,
    /// The simulated device.
    pub device: SimWord,
    /// Capabilities of the devices that are attached instead of it, one for each arm; empty for simulated ones.
    pub attached: Vec<Caps>,
    /// What holds it.
    pub hand: HandWord,
    /// 1, or 2 where a second hand holds the scene's fixed part.
    pub arms: u8,
    /// Whether the passivity controller acts.
    pub passivity: bool,
    /// Whether it counts the work of known loads, such as a part's weight. False for recordings that were made before it did.
    pub known_loads: bool,
    /// How far the hand goes for 1 m of the handle.
    pub motion_scale: f64,
    /// How many times larger forces are felt.
    pub force_scale: f64,
    /// Where the handle is, in the part's axes from its origin (m).
    pub handle_offset: [f64; 3],
    /// Whether it is the plan of a recording: keys of its scene that have no effect were allowed once.
    pub recorded: bool,
}

named! {
    /// A simulated device by name.
    pub enum SimWord {
        /// A desktop device with six degrees of freedom.
        Sim = "sim",
        /// No friction, encoder steps, lag or delay.
        Ideal = "sim-ideal",
        /// Force but no torque, position but no rotation.
        Falcon = "sim-falcon",
        /// Senses six degrees, pushes three.
        Touch = "sim-touch",
        /// No device: a hand on the viewer's page, which goes wherever it is put.
        Page = "page",
    }
}

named! {
    /// How a simulated hand holds the handle.
    pub enum HandWord {
        /// Moves as intended, whatever pushes.
        Free = "free",
        /// Two fingers.
        Light = "light",
        /// The whole hand.
        Firm = "firm",
        /// Nobody.
        Released = "released",
    }
}

impl SimWord {
    /// What it is made of.
    pub fn params(self) -> SimParams {
        match self {
            SimWord::Sim => SimParams::default(),
            SimWord::Ideal => SimParams::ideal(),
            SimWord::Falcon => SimParams::falcon_like(),
            SimWord::Touch => SimParams::touch_like(),
            SimWord::Page => SimParams::page(),
        }
    }
}

impl HandWord {
    /// The hand.
    pub fn hand(self) -> SimHand {
        match self {
            HandWord::Free => SimHand::Free,
            HandWord::Light => SimHand::Light,
            HandWord::Firm => SimHand::Firm,
            HandWord::Released => SimHand::Released,
        }
    }
}

impl Plan {
    /// The plan of a scene, with the default device held firmly.
    ///
    /// # Errors
    /// [`SessionError::Scene`] where its file cannot be read.
    pub fn of(source: &SceneSource, set: Vec<Setting>) -> Result<Plan, SessionError> {
        Ok(Plan::of_text(source.origin(), source.text()?.into_owned(), set))
    }

    /// The plan of a scene's text; `origin` is the file it would be in.
    pub fn of_text(origin: &Path, scene_text: String, set: Vec<Setting>) -> Plan {
        Plan {
            scene_path: origin.into(),
            scene_text,
            files: Arc::default(),
            set,
            mu: None,
            work: None,
            device: SimWord::Sim,
            attached: Vec::new(),
            hand: HandWord::Firm,
            arms: 1,
            passivity: true,
            known_loads: true,
            motion_scale: 1.0,
            force_scale: 1.0,
            handle_offset: [0.0; 3],
            recorded: false,
        }
    }

    /// Capabilities of the device of an arm: of the attached one, or else of the simulated one.
    pub fn caps(&self, arm: u8) -> Caps {
        self.attached.get(usize::from(arm)).cloned().unwrap_or_else(|| self.device.params().caps())
    }

    /// The scene, checked.
    ///
    /// # Errors
    /// [`SessionError::Scene`] where the text says what makes no sense.
    pub fn scene(&self) -> Result<Scene, SessionError> {
        let parse = if self.recorded { Scene::parse_recorded } else { Scene::parse_with };
        let mut scene = parse(&self.scene_text, &self.scene_path, &self.set, &self.files)?;
        if let Some(mu) = self.mu {
            scene.set_mu(mu);
        }
        scene.settings.work = scene.settings.work.min(self.work.unwrap_or(u64::MAX));
        Ok(scene)
    }

    /// What is not in the scene, by name: numbers are written so that they are read back to the bit.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        let [x, y, z] = self.handle_offset;
        let mut out = BTreeMap::from([
            ("device".to_owned(), self.device.name().to_owned()),
            ("hand".into(), self.hand.name().into()),
            ("arms".into(), self.arms.to_string()),
            ("passivity".into(), self.passivity.to_string()),
            ("motion_scale".into(), format!("{:?}", self.motion_scale)),
            ("force_scale".into(), format!("{:?}", self.force_scale)),
            ("handle_offset".into(), format!("{x:?} {y:?} {z:?}")),
        ]);
        for (arm, caps) in self.attached.iter().enumerate() {
            capabilities::write(arm, caps, &mut out);
        }
        if self.known_loads {
            out.insert("known_loads".into(), "true".into());
        }
        if let Some(mu) = self.mu {
            out.insert("mu".into(), format!("{mu:?}"));
        }
        if let Some(work) = self.work {
            out.insert("work".into(), work.to_string());
        }
        out
    }

    /// The plan of a recording, with the files that it carries.
    ///
    /// # Errors
    /// [`SessionError::Plan`] where a parameter is missing or makes no sense; [`SessionError::OtherFile`] where a carried file is not what the header says.
    pub fn recorded(header: &stiction_record::Header) -> Result<Plan, SessionError> {
        let p = &header.parameters;
        let wrong = |name: &str, why: String| SessionError::Plan { name: name.into(), why };
        let set: Result<Vec<Setting>, _> = header.overrides.iter().map(|s| s.parse()).collect();
        let [x, y, z] = match word::<String>(p, "handle_offset")?.split(' ').map(str::parse).collect::<Vec<_>>()[..] {
            [Ok(x), Ok(y), Ok(z)] => [x, y, z],
            _ => return Err(wrong("handle_offset", "three numbers were expected".into())),
        };
        Ok(Plan {
            scene_path: PathBuf::from(&header.scene_path),
            scene_text: header.scene_text.clone(),
            files: Arc::new(carry::carried(header)?),
            set: set?,
            mu: p.contains_key("mu").then(|| word(p, "mu")).transpose()?,
            work: p.contains_key("work").then(|| word(p, "work")).transpose()?,
            device: word(p, "device")?,
            attached: (0..2)
                .map(|arm| capabilities::read(arm, p))
                .filter_map(Result::transpose)
                .collect::<Result<_, _>>()?,
            hand: word(p, "hand")?,
            arms: word(p, "arms")?,
            passivity: word(p, "passivity")?,
            known_loads: p.contains_key("known_loads") && word(p, "known_loads")?,
            motion_scale: word(p, "motion_scale")?,
            force_scale: word(p, "force_scale")?,
            handle_offset: [x, y, z],
            recorded: true,
        })
    }
}

fn word<T: FromStr>(parameters: &BTreeMap<String, String>, name: &str) -> Result<T, SessionError>
where
    T::Err: std::fmt::Display,
{
    let wrong = |why: String| SessionError::Plan { name: name.into(), why };
    let text = parameters.get(name).ok_or_else(|| wrong("it is missing".into()))?;
    text.parse().map_err(|e: T::Err| wrong(e.to_string()))
}
