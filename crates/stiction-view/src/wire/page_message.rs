//! What a page may say, checked: nothing beyond this gets any further.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use stiction::spatial::Pose;
use stiction_scene::Control;

/// Controls of the keys that a page may set. None of them names a file. Those that take long, since engine or shapes are built anew, are for a second lane only.
pub static CONTROLS: LazyLock<Vec<Control>> = LazyLock::new(stiction_scene::controls);

/// Longest value of a key, and longest name of a scene: the command line may have given a path.
const LONGEST: usize = 64;
const LONGEST_SCENE: usize = 4096;

/// A message of a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the sentence of each variant names its fields")]
pub enum PageMessage {
    /// Moves the hand: number of the message, and pose (world from part).
    Hand {
        seq: f64,
        #[serde(deserialize_with = "pose")]
        pose: Pose,
    },
    /// Lets the hand take the body of that number, or let go of what it holds: for engines whose hands can. The hand is there from its next pose on.
    Grab { body: Option<u32> },
    /// Lets the hand follow the part, so that the coupling pulls at nothing.
    LetGo {},
    /// The scene's own hand takes over.
    Script {},
    /// The scene's demonstration moves the hand, forth and back, until somebody else does.
    Demonstrate {},
    /// Another scene by name, or other settings: overrides by key; and those of a second lane on top of them, or `None` for one lane.
    Configure { scene: String, set: BTreeMap<String, String>, compare: Option<BTreeMap<String, String>> },
    /// Sets pause and speed (ticks for each period of real time).
    Time { paused: bool, speed: f64 },
    /// Makes this many ticks in a pause.
    Step { ticks: u64 },
    /// Puts hand and part where the scene starts.
    Reset {},
    /// Starts a recording, or ends it.
    Record { on: bool },
    /// Shows a recording of that name.
    Play { name: String },
    /// Goes back from a recording to the loop.
    Live {},
    /// Goes to a moment of a recording (s).
    Seek { time: f64 },
    /// Asks for the part.
    Ask {},
    /// Gives the part to the page of that number.
    Give { to: u32 },
    /// Keeps the part: the page of that number is not to have it.
    Keep { from: u32 },
    /// Gives the part up.
    Drop {},
    /// Asks for an answer with the same number.
    Ping { sent: f64 },
}

fn pose<'de, D: Deserializer<'de>>(from: D) -> Result<Pose, D::Error> {
    let wrong = "a hand that is no pose: seven finite numbers with a unit quaternion are one";
    super::pose(&<[f64; 7]>::deserialize(from)?).ok_or_else(|| D::Error::custom(wrong))
}

/// Reads a message whose numbers, names and settings may be acted upon.
///
/// # Errors
/// A sentence for the page's user or its maker.
pub fn parse_message(text: &str) -> Result<PageMessage, String> {
    let heard = serde_json::from_str(text).map_err(|e| format!("the page sent what makes no sense: {e}"))?;
    match &heard {
        PageMessage::Hand { seq, .. } => within(*seq, "seq", 0.0, 9e15)?,
        PageMessage::Configure { scene, set, compare } => {
            short(scene, "scene", LONGEST_SCENE)?;
            checked(set, false)?;
            compare.as_ref().map_or(Ok(()), |compare| checked(compare, true))?;
        }
        PageMessage::Time { speed, .. } => within(*speed, "speed", 0.001, 1.0)?,
        PageMessage::Step { ticks } if !(1..=1000).contains(ticks) => {
            return Err(format!("{ticks} ticks: 1 to 1000 can be stepped at once"));
        }
        PageMessage::Play { name } => file_name(name)?,
        PageMessage::Seek { time } => within(*time, "time", 0.0, 1e9)?,
        PageMessage::Ping { sent } => within(*sent, "sent", -1e18, 1e18)?,
        _ => {}
    }
    Ok(heard)
}

fn within(x: f64, name: &str, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&x) { Ok(()) } else { Err(format!("{name} is {x}, but must be from {low} to {high}")) }
}

fn short(text: &str, name: &str, most: usize) -> Result<(), String> {
    let good = !text.is_empty() && text.len() <= most && !text.chars().any(char::is_control);
    if good { Ok(()) } else { Err(format!("{name} must have 1 to {most} characters")) }
}

/// A plain file name that ends in .mcap: no folders.
pub fn file_name(name: &str) -> Result<(), String> {
    short(name, "name", LONGEST)?;
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) && !name.starts_with('.');
    if plain && name.ends_with(".mcap") { Ok(()) } else { Err(format!("\"{name}\" is no name of a recording")) }
}

fn checked(set: &BTreeMap<String, String>, second_lane: bool) -> Result<(), String> {
    for (key, value) in set {
        if value.is_empty() || value.len() > LONGEST || value.chars().any(char::is_control) {
            return Err(format!("the value of `{key}` must have 1 to {LONGEST} characters"));
        }
        stiction_scene::check_control(&CONTROLS, key, value)?;
        if !second_lane && CONTROLS.iter().any(|c| c.key == *key && c.built) {
            return Err(format!("`{key}` can be compared, but not be set while the loop runs: give it by --set"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_the_protocol_is_heard() {
        let messages = [
            r#"{"type":"hand","seq":1,"pose":[0,0,0.1,1,0,0,0]}"#,
            r#"{"type":"grab","body":3}"#,
            r#"{"type":"grab","body":null}"#,
            r#"{"type":"let_go"}"#,
            r#"{"type":"script"}"#,
            r#"{"type":"demonstrate"}"#,
            r#"{"type":"configure","scene":"incline","set":{"friction.method":"lp"},"compare":null}"#,
            r#"{"type":"configure","scene":"incline","set":{},"compare":{"friction.method":"yamane"}}"#,
            r#"{"type":"time","paused":true,"speed":0.25}"#,
            r#"{"type":"configure","scene":"/home/somebody/projects/a-rather-long-name/of-a-folder/with/an-assembly/scene.toml","set":{},"compare":null}"#,
            r#"{"type":"step","ticks":10}"#,
            r#"{"type":"reset"}"#,
            r#"{"type":"record","on":true}"#,
            r#"{"type":"play","name":"a-1.mcap"}"#,
            r#"{"type":"live"}"#,
            r#"{"type":"seek","time":1.5}"#,
            r#"{"type":"ask"}"#,
            r#"{"type":"give","to":2}"#,
            r#"{"type":"keep","from":2}"#,
            r#"{"type":"configure","scene":"incline","set":{},"compare":{"fixed.points":"500","contact.model":"penalty"}}"#,
            r#"{"type":"drop"}"#,
            r#"{"type":"ping","sent":12.5}"#,
        ];
        for message in messages {
            assert!(parse_message(message).is_ok(), "{message}: {:?}", parse_message(message));
        }
    }

    #[test]
    fn malformed_messages_are_told_and_do_nothing() {
        let messages = [
            ("", "makes no sense"),
            ("null", "makes no sense"),
            ("[1,2,3]", "makes no sense"),
            (r#"{"type":"hand"}"#, "missing field"),
            (r#"{"type":"grab","body":-1}"#, "makes no sense"),
            (r#"{"type":"grab","body":"cube"}"#, "makes no sense"),
            (r#"{"type":"fly"}"#, "unknown variant"),
            (r#"{"type":"reset","extra":1}"#, "unknown field"),
            (r#"{"type":"hand","seq":1,"pose":[0,0,0,1,0,0]}"#, "makes no sense"),
            (r#"{"type":"hand","seq":1,"pose":[0,0,0,0,0,0,0]}"#, "no pose"),
            (r#"{"type":"hand","seq":1,"pose":[1e300,0,0,1,0,0,0]}"#, "no pose"),
            (r#"{"type":"hand","seq":1e999,"pose":[0,0,0,1,0,0,0]}"#, "makes no sense"),
            (r#"{"type":"hand","seq":-1,"pose":[0,0,0,1,0,0,0]}"#, "seq"),
            (r#"{"type":"time","paused":false,"speed":100}"#, "speed"),
            (r#"{"type":"step","ticks":1000000}"#, "1 to 1000"),
            (r#"{"type":"play","name":"../../etc/passwd.mcap"}"#, "no name"),
            (r#"{"type":"play","name":".mcap"}"#, "no name"),
            (r#"{"type":"play","name":"a/b.mcap"}"#, "no name"),
            (r#"{"type":"configure","scene":"x","set":{"held.mesh":"/etc/passwd"},"compare":null}"#, "cannot be set"),
            (r#"{"type":"configure","scene":"x","set":{"hand.csv":"/etc/passwd"},"compare":null}"#, "cannot be set"),
            (r#"{"type":"configure","scene":"x","set":{},"compare":{"run.rate":"1"}}"#, "cannot be set"),
            (
                r#"{"type":"configure","scene":"x","set":{"friction.statc":"1"},"compare":null}"#,
                "did you mean `friction.static`?",
            ),
            (r#"{"type":"configure","scene":"x","set":{"friction.static":"11"},"compare":null}"#, "from 0 to 10"),
            (r#"{"type":"configure","scene":"x","set":{"friction.static":"nan"},"compare":null}"#, "from 0 to 10"),
            (r#"{"type":"configure","scene":"x","set":{"fixed.points":"500"},"compare":null}"#, "can be compared"),
            (r#"{"type":"configure","scene":"x","set":{},"compare":{"fixed.points":"1e9"}}"#, "from 1 to 100000"),
            (r#"{"type":"configure","scene":"x","set":{},"compare":{"fixed.points":"10.5"}}"#, "whole number"),
            (r#"{"type":"configure","scene":"x","set":{"friction.method":"glue"},"compare":null}"#, "must be one of"),
            (r#"{"type":"configure","scene":"","set":{},"compare":null}"#, "scene"),
            (r#"{"type":"seek","time":-1}"#, "time"),
        ];
        for (message, why) in messages {
            let told = parse_message(message).unwrap_err();
            assert!(told.contains(why), "{message}: {told}");
        }
        let deep = "[".repeat(100_000);
        assert!(parse_message(&deep).is_err(), "nesting ends in an error, not in the stack");
    }
}
