//! `stiction view`: the live viewer.

use crate::build_facts::NO_PAGE;
use crate::{Failure, browser, output, stop, words};
use clap::Args;
use std::fs::File;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use stiction_bake::cache::Cache;
use stiction_scene::{Scene, Setting};
use stiction_session::{Carry, HandWord, SimWord};
use stiction_view::port::{WantedPort, bind};
use stiction_view::{FirstShown, ViewOptions, guard, is_built, serve};

/// Where the page is, unless that port is taken.
const PORT: u16 = 7780;
/// The priority that is asked for: as in `stiction run --device`.
const PRIORITY: i32 = 80;

const EXAMPLES: &str = "\
Examples:
  stiction view                                  # the cube in the corner
  stiction view peg-in-hole-round --set friction.static=0.3
  stiction view peg-in-hole-round --device sim --hand light   # what a simulated device does, live
  stiction view run.mcap                         # a recording, to scrub through
  stiction view --listen 0.0.0.0                 # for other machines too: prints an address with a token
  stiction view --no-open --port 9000            # prints the address only

The loop runs at the scene's rate here, whether a page looks or not. The first page holds the part, others watch.
Ctrl-C ends it.";

/// Move a scene's part by hand in a browser, and see why it holds
///
/// Starts the loop, serves one page on 127.0.0.1 and opens it. SCENE is the name of a bundled scene or of one in a folder
/// `scenes` here or above, a folder with a scene.toml, a .toml file, or a recording (.mcap).
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct View {
    /// The scene, or a recording
    #[arg(default_value = "corner-cube")]
    scene: String,
    /// Any key of the scene, as in friction.static=0.3; may be given many times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Setting>,
    /// Show what a device does, whose hand moves as the scene says, instead of a hand on the page
    #[arg(long, value_parser = words::device())]
    device: Option<SimWord>,
    /// How the simulated hand holds that device's handle [default: firm]
    #[arg(long, value_parser = words::hand(), requires = "device")]
    hand: Option<HandWord>,
    /// The address to listen on; beyond this machine pages must know a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The port [default: 7780, or the next that is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The token that pages must know [default: none on this machine, a random one beyond it]
    #[arg(long, value_name = "TEXT", value_parser = parse_token)]
    token: Option<String>,
    /// Print the address, open no browser
    #[arg(long)]
    no_open: bool,
    /// Where recordings are kept
    #[arg(long, value_name = "FOLDER", default_value = "recordings")]
    recordings: PathBuf,
    /// What recordings carry, so that they replay on another machine
    #[arg(long, value_parser = words::carry(), default_value = "auto")]
    carry: Carry,
    /// A folder with the meshes of recordings that do not carry them; may be given many times
    #[arg(long, value_name = "DIR")]
    meshes: Vec<PathBuf>,
    /// Neither look for baked shapes in the cache nor keep them there
    #[arg(long)]
    no_cache: bool,
    /// Stay an ordinary thread: ask for no real-time priority
    #[arg(long)]
    no_priority: bool,
}

impl View {
    /// Serves until the user stops it.
    pub fn run(&self) -> Result<(), Failure> {
        stop::listen();
        let first = self.first()?;
        let address = SocketAddr::new(self.listen, self.port.unwrap_or(PORT));
        let wanted = if self.port.is_some() { WantedPort::Exactly(address) } else { WantedPort::From(address) };
        let (listener, note) = bind(wanted)?;
        let address = listener.local_addr()?;
        let token = match (&self.token, address.ip().is_loopback()) {
            (Some(token), _) => Some(token.clone()),
            (None, true) => None,
            (None, false) => Some(guard::random_token().map_err(Failure::Other)?),
        };
        let url = url(&address, token.as_deref());
        if let Some(note) = note {
            output::complain(&format!("note: {note}"));
        }
        if !is_built() {
            output::complain(&format!("note: {NO_PAGE}"));
        }
        output::line(&format!("Stiction is at {url}   (Ctrl-C ends it)"))?;
        if !self.no_open {
            browser::open(url, |why| {
                output::complain(&format!("note: no browser was opened ({why}): open the address yourself"));
            });
        }
        let folder = if self.no_cache { None } else { Cache::default_folder() };
        let options = ViewOptions {
            first,
            given: self.set.clone(),
            device: self.device.map(|device| (device, self.hand.unwrap_or(HandWord::Firm))),
            cache: folder.map(Cache::new),
            priority: (!self.no_priority).then_some(PRIORITY),
            recordings: self.recordings.clone(),
            carry: self.carry,
            meshes: self.meshes.clone(),
            token,
            tell: Box::new(output::complain),
            stopped: Box::new(stop::asked),
        };
        Ok(serve(listener, options)?)
    }

    fn first(&self) -> Result<FirstShown, Failure> {
        if !self.scene.ends_with(".mcap") {
            // What cannot be read is told now; a page could only say the same. Shapes are made later, while the page looks on.
            Scene::read(&Scene::find(&self.scene)?, &self.set)?;
            return Ok(FirstShown::Scene(self.scene.clone()));
        }
        if self.device.is_some() {
            return Err(Failure::Usage("--device is for scenes: a recording has its own device".into()));
        }
        if !self.set.is_empty() {
            return Err(Failure::Usage("--set is for scenes: a recording has its own settings".into()));
        }
        let path = PathBuf::from(&self.scene);
        File::open(&path).map_err(|e| Failure::Other(format!("{}: cannot be read: {e}", path.display())))?;
        Ok(FirstShown::Recording(path))
    }
}

/// The address for people: a wildcard is reached by this machine's own name for itself.
fn url(address: &SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => std::fs::read_to_string("/proc/sys/kernel/hostname")
            .ok()
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| Ipv4Addr::LOCALHOST.to_string()),
        IpAddr::V6(ip) => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    let query = token.map_or(String::new(), |token| format!("?token={token}"));
    format!("http://{host}:{}/{query}", address.port())
}

/// A token goes into an address: letters, digits and a few signs.
fn parse_token(text: &str) -> Result<String, String> {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c));
    if plain && (8..=128).contains(&text.len()) {
        return Ok(text.into());
    }
    Err("expected 8 to 128 letters, digits or any of - _ . ~".into())
}
