//! What `bench/peers/run-volume` left of other engines, for figures that show them beside ours.

use serde_json::Value;

/// Results of other engines by experiment and name; empty where the bench was not run here.
pub struct PeerResults(Value);

impl PeerResults {
    /// What was left in `target/peers`.
    pub fn read() -> PeerResults {
        let text = stiction_results::folder()
            .and_then(|folder| std::fs::read_to_string(folder.parent()?.join("peers/volume.json")).ok());
        PeerResults(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null))
    }

    /// The rows of an experiment of the first engine whose name contains both words.
    pub fn rows(&self, experiment: &str, engine: &str, setting: &str) -> Option<Vec<Vec<f64>>> {
        let found =
            self.0.get(experiment)?.as_object()?.iter().find(|(n, _)| n.contains(engine) && n.contains(setting))?;
        let numbers = |row: &Value| Some(row.as_array()?.iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect());
        found.1.as_array()?.iter().map(numbers).collect()
    }

    /// Says where the numbers of other engines come from, or that there are none.
    pub fn origin(&self) -> String {
        match (self.0.get("command").and_then(Value::as_str), self.0.get("commit").and_then(Value::as_str)) {
            (Some(command), Some(commit)) => format!("Other engines: `{command}` at commit {commit}."),
            _ => "Other engines were not measured on this machine (bench/peers/run-volume does that), so nothing is said of them.".into(),
        }
    }
}
