//! Capabilities of devices as text, so that a recording carries them: numbers are written so that they are read back to the bit.

use crate::SessionError;
use std::collections::BTreeMap;
use stiction::spatial::Vec3;
use stiction_device::{Caps, Dofs, Drive};

/// One parameter for each capability of the device of an arm.
pub(crate) fn write(arm: usize, caps: &Caps, to: &mut BTreeMap<String, String>) {
    let (at, radius) = &caps.workspace;
    let [a, b] = [caps.sensed, caps.actuated].map(|d| d.0.map(|on| f64::from(u8::from(on))));
    let rows: [(&str, &[f64]); 11] = [
        ("sensed", &a),
        ("actuated", &b),
        ("workspace", &[at.x, at.y, at.z, *radius]),
        ("force", &caps.force),
        ("torque", &caps.torque),
        ("peak_seconds", &[caps.peak_seconds]),
        ("stiffness", &caps.stiffness),
        ("damping", &caps.damping),
        ("resolution", &caps.resolution),
        ("rate", &caps.rate),
        // None is written as nothing.
        ("watchdog", caps.watchdog.as_slice()),
    ];
    to.insert(key(arm, "name"), caps.name.clone());
    to.insert(key(arm, "drive"), caps.drive.name().into());
    for (name, numbers) in rows {
        let words: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
        to.insert(key(arm, name), words.join(" "));
    }
}

/// What [`write`] wrote; `None` if nothing is written of this arm's device.
pub(crate) fn read(arm: usize, from: &BTreeMap<String, String>) -> Result<Option<Caps>, SessionError> {
    let Some(name) = from.get(&key(arm, "name")) else { return Ok(None) };
    let all = |name: &str| -> Result<Vec<f64>, SessionError> {
        let name = key(arm, name);
        let wrong = |why: &str| SessionError::Plan { name: name.clone(), why: why.into() };
        let text = from.get(&name).ok_or_else(|| wrong("it is missing"))?;
        text.split_whitespace().map(|word| word.parse().map_err(|_| wrong("numbers were expected"))).collect()
    };
    fn some<const N: usize>(arm: usize, name: &str, numbers: Vec<f64>) -> Result<[f64; N], SessionError> {
        let why = format!("{N} numbers were expected");
        numbers.try_into().map_err(|_| SessionError::Plan { name: key(arm, name), why })
    }
    let drive = from.get(&key(arm, "drive")).and_then(|word| word.parse::<Drive>().ok());
    let dofs = |name: &str| Ok::<_, SessionError>(Dofs(some(arm, name, all(name)?)?.map(|x: f64| x != 0.0)));
    let pair = |name: &str| some::<2>(arm, name, all(name)?);
    let [x, y, z, radius] = some(arm, "workspace", all("workspace")?)?;
    let [peak_seconds] = some(arm, "peak_seconds", all("peak_seconds")?)?;
    Ok(Some(Caps {
        name: name.clone(),
        sensed: dofs("sensed")?,
        actuated: dofs("actuated")?,
        workspace: (Vec3::new(x, y, z), radius),
        force: pair("force")?,
        torque: pair("torque")?,
        peak_seconds,
        stiffness: pair("stiffness")?,
        damping: pair("damping")?,
        resolution: pair("resolution")?,
        rate: pair("rate")?,
        watchdog: all("watchdog")?.first().copied(),
        drive: drive.ok_or_else(|| SessionError::Plan { name: key(arm, "drive"), why: "it is not known".into() })?,
    }))
}

fn key(arm: usize, name: &str) -> String {
    format!("device.{arm}.{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimWord;

    #[test]
    fn capabilities_survive_to_the_bit() {
        for word in SimWord::ALL {
            let mut caps = word.params().caps();
            caps.force[0] = 0.1 + 0.2;
            caps.name = "an arm = 3; with \"signs\"".into();
            let mut text = BTreeMap::new();
            write(1, &caps, &mut text);
            assert_eq!(read(1, &text).unwrap(), Some(caps));
            assert_eq!(read(0, &text).unwrap(), None);
            text.insert("device.1.force".into(), "3".into());
            assert_eq!(read(1, &text).unwrap_err().to_string(), "parameter device.1.force: 2 numbers were expected");
            text.remove("device.1.rate");
            text.insert("device.1.force".into(), "1 3".into());
            assert_eq!(read(1, &text).unwrap_err().to_string(), "parameter device.1.rate: it is missing");
        }
    }
}
