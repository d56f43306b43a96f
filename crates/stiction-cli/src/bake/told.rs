//! What a bake tells in the end.

use super::Done;
use crate::facts::{Facts, number, quoted};
use crate::shape_facts::{self, warnings};
use crate::{Failure, output};
use serde_json::json;

impl Done {
    /// The table or the JSON object.
    pub fn tell(&self, as_json: bool) -> Result<(), Failure> {
        let bytes = std::fs::metadata(&self.output)?.len();
        if as_json {
            return Ok(output::json(&json!({
                "output": self.output.display().to_string(),
                "bytes": bytes,
                "from_cache": self.from_cache,
                "seconds": self.seconds,
                "source": self.record.get("source"),
                "hash": self.record.get("hash"),
                "import": self.record.get("import"),
                "settings": self.record.get("settings"),
                "shape": shape_facts::json(&self.shape),
                "report": self.record.report(),
                "unit_hint": self.unit_hint,
                "pictures": self.pictures.iter().map(|p| p.display().to_string()).collect::<Vec<_>>(),
            }))?);
        }
        let report = self.record.report();
        let mut facts = Facts::default();
        shape_facts::say(&mut facts, &self.shape, &report);
        for warning in warnings(&report) {
            facts.say("Warning", warning);
        }
        let time = match self.seconds {
            s if s < 0.01 => "less than 0.01 s".into(),
            s => format!("{} s", number(s)),
        };
        let from = if self.from_cache { "from the cache, in " } else { "in " };
        facts.say("Written", format!("{} ({}), {from}{time}", self.output.display(), stiction_bake::bytes(bytes)));
        for picture in &self.pictures {
            facts.say("Picture", picture.display().to_string());
        }
        let text = facts.text().to_string();
        output::line(&text)?;
        let next = if self.pictures.is_empty() { " --picture pictures" } else { "" };
        output::line(&format!("\nNext: stiction inspect {}{next}", quoted(&self.output)))?;
        Ok(())
    }
}
