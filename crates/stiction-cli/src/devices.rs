//! `stiction devices`: what is there, what is missing and why.

use crate::facts::Facts;
use crate::{Failure, output};
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;
use stiction_device::realtime;
use stiction_session::SimWord;

/// List the devices that are found, and what is missing and why
#[derive(Args)]
pub struct Devices {
    /// One JSON object instead of the list
    #[arg(long)]
    json: bool,
}

/// A maker's library and where it is looked for.
struct Vendor {
    name: &'static str,
    devices: &'static str,
    libraries: &'static [&'static str],
}

/// Device families that backends will come for; their libraries are their makers' and are loaded at run time, never shipped.
const VENDORS: [Vendor; 4] = [
    Vendor { name: "Haption", devices: "Virtuose", libraries: &["libVirtuoseAPI.so", "libvirtuose.so"] },
    Vendor { name: "Force Dimension", devices: "omega, sigma, lambda", libraries: &["libdrd.so", "libdhd.so"] },
    Vendor { name: "3D Systems", devices: "Touch, Touch X", libraries: &["libHD.so"] },
    Vendor { name: "Novint", devices: "Falcon", libraries: &["libnifalcon.so"] },
];

/// Where libraries are looked for.
const FOLDERS: [&str; 5] =
    ["/usr/lib", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib"];

impl Vendor {
    /// The first library that is there.
    fn found(&self) -> Option<String> {
        let path = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
        let folders = path.split(':').filter(|f| !f.is_empty()).chain(FOLDERS);
        folders
            .flat_map(|folder| self.libraries.iter().map(move |library| Path::new(folder).join(library)))
            .find(|file| file.exists())
            .map(|file| file.display().to_string())
    }

    fn why(&self) -> String {
        match self.found() {
            Some(file) => {
                format!("{file} is there, but this version has no backend for it yet: simulated devices only")
            }
            None => format!("no {} found, and this version has no backend for it yet", self.libraries.join(" or ")),
        }
    }
}

impl Devices {
    /// Lists.
    pub fn run(&self) -> Result<(), Failure> {
        let granted = std::thread::spawn(|| realtime::acquire(80))
            .join()
            .map_err(|_| Failure::Other("asking for real-time priority failed".into()))?;
        if self.json {
            let found: Vec<Value> = simulated()
                .map(|word| {
                    let caps = word.params().caps();
                    json!({
                        "device": word.name(), "name": caps.name, "simulated": true, "force_n": caps.force,
                        "torque_nm": caps.torque, "stiffness": caps.stiffness, "resolution": caps.resolution, "rate_hz": caps.rate,
                        "actuated": caps.actuated.0, "sensed": caps.sensed.0,
                    })
                })
                .collect();
            let missing: Vec<Value> =
                VENDORS.iter().map(|v| json!({ "maker": v.name, "devices": v.devices, "why": v.why() })).collect();
            return Ok(output::json(&json!({
                "found": found,
                "missing": missing,
                "real_time_priority": granted.priority.is_ok(),
                "memory_locked": granted.locked.is_ok(),
                "advice": granted.advice(),
            }))?);
        }
        let mut facts = Facts::default();
        for word in simulated() {
            let caps = word.params().caps();
            let torque = if caps.torque[1] > 0.0 { format!("{} N m", caps.torque[1]) } else { "no torque".into() };
            facts.say(
                word.name(),
                format!(
                    "{}: {} N, {torque} at the peak; {} N/m; {} to {} Hz",
                    caps.name, caps.force[1], caps.stiffness[0], caps.rate[0], caps.rate[1]
                ),
            );
        }
        facts.say("", "");
        for vendor in &VENDORS {
            facts.say("missing", format!("{} ({}): {}", vendor.name, vendor.devices, vendor.why()));
        }
        facts.say("", "");
        match granted.advice().as_slice() {
            [] => facts.say("real time", "priority and locked memory are granted"),
            advice => advice.iter().for_each(|a| facts.say("real time", a)),
        }
        Ok(output::line(facts.text())?)
    }
}

/// Those that can be asked for by name: the page's hand is the viewer's alone.
fn simulated() -> impl Iterator<Item = SimWord> {
    SimWord::ALL.into_iter().filter(|word| *word != SimWord::Page)
}
