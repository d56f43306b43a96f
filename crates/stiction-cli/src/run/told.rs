//! What a run tells in the end.

use super::reported::ReportedEngine;
use super::{Done, cone_words, flags, motion};
use crate::facts::{Facts, grouped, number, quoted};
use crate::{Failure, output};
use serde_json::{Map, Value, json};
use stiction::columns::ColumnValue;
use stiction::friction::Method;
use stiction::spatial::halves;
use stiction::tick::ContactModel;
use stiction_bake::diagnose::length;
use stiction_scene::{EngineKind, Scene, method_word, value_in_force};

/// What a recording should know about where it comes from.
pub fn facts(scene: &Scene) -> Vec<(&'static str, String)> {
    let s = &scene.settings;
    vec![
        ("scene", scene.name.clone()),
        ("description", scene.description.clone()),
        ("engine", scene.engine.word().into()),
        ("friction", friction_words(scene)),
        ("mu_static", s.mu_static.to_string()),
        ("mu_kinetic", s.mu_kinetic.to_string()),
        ("rate", scene.rate.to_string()),
        ("stiction", env!("CARGO_PKG_VERSION").into()),
    ]
}

impl<E: ReportedEngine> Done<E> {
    /// The summary or the JSON object.
    pub fn tell(&self, as_json: bool) -> Result<(), Failure> {
        if as_json { Ok(output::json(&self.object()?)?) } else { Ok(output::line(self.page().text())?) }
    }

    fn object(&self) -> Result<Map<String, Value>, Failure> {
        let (scene, trace, times) = (&self.world.scene, self.run.trace(), &self.times);
        let s = &scene.settings;
        let mut out = Map::new();
        let mut put = |key: &str, value: Value| {
            out.insert(key.into(), value);
        };
        put("scene", json!(scene.name));
        put("engine", json!(scene.engine.word()));
        if scene.engine == EngineKind::QuasiStatic {
            put("friction", json!(method_word(s.friction.method)));
            put("metric", json!(value_in_force(s, "friction.metric")));
            put("cone", json!(cone_words(s.friction.cone)));
        }
        put("mu_static", json!(s.mu_static));
        put("mu_kinetic", json!(s.mu_kinetic));
        put("rate_hz", json!(scene.rate));
        put("rate", json!(scene.rate)); // Deprecated: use rate_hz.
        put("seconds", json!(self.run.time()));
        put("stopped", json!(self.stopped));
        if let Value::Object(summary) = serde_json::to_value(self.run.summary())? {
            summary.into_iter().for_each(|(key, value)| put(&key, value));
        }
        let counts = scene.engine == EngineKind::QuasiStatic
            && matches!(s.contact_model(), ContactModel::Hard | ContactModel::Unilateral);
        put("work", json!(counts.then_some(s.work)));
        put("coarse_ticks", json!(self.run.engine().coarse_tick_count(&self.run.summary())));
        put("tick_us_p50", json!(times.percentile(0.5)));
        put("tick_us_p90", json!(times.percentile(0.9)));
        put("tick_us_p99", json!(times.percentile(0.99)));
        put("tick_us_max", json!(times.longest()));
        put("tick_us_mean", json!(times.mean()));
        put("build_seconds", json!(self.build_seconds));
        put("run_seconds", json!(self.run_seconds));
        // The last tick by the names of its columns. Flags are counted over the whole run, in the summary.
        let (columns, row) = (self.run.engine().row_columns(), self.run.row());
        for (column, word) in columns.iter().zip(row.words()).filter(|(c, _)| c.name != "flags") {
            let value = match column.value(*word) {
                ColumnValue::Real(x) => json!(x),
                ColumnValue::Count(n) => json!(n),
                words => json!(words.to_string()),
            };
            put(&column.name, value);
        }
        put("slip_speed_m_s", json!(trace.slip * self.world.scene.rate));
        put("verdict_words", json!(trace.verdict_words(scene.rate)));
        put("warnings", json!(self.world.warnings));
        self.run.engine().object_of_world(&self.world).into_iter().for_each(|(key, value)| put(&key, value));
        put("formations", self.formations.object());
        put("advice", json!(self.run.engine().advice(trace.flags, &self.run.summary())));
        put("written", json!(self.written.iter().map(|p| p.display().to_string()).collect::<Vec<_>>()));
        Ok(out)
    }

    fn page(&self) -> Facts {
        let (scene, trace, summary) = (&self.world.scene, self.run.trace(), self.run.summary());
        let mut facts = Facts::default();
        let about = if scene.description.is_empty() { String::new() } else { format!(": {}", scene.description) };
        facts.say("Scene", format!("{}{about}", scene.name));
        facts.say("Friction", friction_words(scene));
        let cut = if self.stopped { ", stopped" } else { "" };
        facts.say(
            "Ran",
            format!(
                "{} ticks at {} Hz, {} s of the scene{cut}, in {} s; shapes made ready in {} s",
                grouped(summary.ticks as usize),
                number(scene.rate),
                number(self.run.time()),
                number(self.run_seconds),
                number(self.build_seconds)
            ),
        );
        if summary.ticks == 0 {
            return facts;
        }
        self.run.engine().facts_of_world(&self.world).into_iter().for_each(|(title, line)| facts.say(title, line));
        facts.say(
            "Contacts",
            format!(
                "{} on average, {} at most; in the end {}: {} stuck, {} sliding, {} separating, {} at their limit",
                number(summary.contacts_mean),
                grouped(summary.contacts_max as usize),
                trace.contacts,
                trace.stuck,
                trace.sliding,
                trace.separating,
                trace.limited
            ),
        );
        self.formations.lines().iter().for_each(|line| facts.say("Touched", line));
        facts.say(
            "In the end",
            format!("{}{}", motion::end(trace, scene.rate, &summary.motion), motion::before(&summary.motion)),
        );
        if scene.settings.friction.method != Method::Frictionless {
            facts.say("Ticks", motion::shares(&summary));
        }
        let (force, torque) = halves(&trace.wrench);
        let of = |v: &[f64]| v.iter().map(|x| number(rounded(*x))).collect::<Vec<_>>().join(", ");
        facts.say(
            "Force",
            format!(
                "on the hand in the end {} N ({}), {} N at most",
                number(rounded(force.norm())),
                of(force.as_slice()),
                number(summary.device_force_max_n)
            ),
        );
        facts.say(
            "Torque",
            format!(
                "in the end {} N m ({}), {} N m at most",
                number(rounded(torque.norm())),
                of(torque.as_slice()),
                number(summary.device_torque_max_nm)
            ),
        );
        let roughness = match scene.rate > 40.0 {
            true => format!("{} N RMS between 20 and 500 Hz; ", number(summary.force_rms_20_500_n)),
            false => String::new(),
        };
        let step = number(summary.force_step_max_n);
        facts.say("Roughness", format!("{roughness}the force changed by {step} N at most from one tick to the next"));
        if let Some(safe) = self.run.engine().depth_that_is_safe() {
            facts.say("Depth", format!("{} at most; {} is safe", length(summary.depth_max_m), length(safe)));
        }
        let quasi_static = scene.engine == EngineKind::QuasiStatic;
        motion::say(&mut facts, &summary.motion, quasi_static.then_some(scene.settings.friction.method));
        if quasi_static {
            let within = number(summary.residual_max);
            facts.say("Balance", format!("forces add up to zero within {within} of the largest"));
        }
        flags::say_noticed(&mut facts, &summary);
        let us = |share: f64| number(self.times.percentile(share));
        facts.say(
            "Tick",
            format!(
                "{} µs median, p90 {}, p99 {}, at most {} (CPU time; a tick of {} Hz has {} µs)",
                us(0.5),
                us(0.9),
                us(0.99),
                number(self.times.longest()),
                number(scene.rate),
                number(1e6 / scene.rate)
            ),
        );
        facts.say("Hash", &summary.trace_hash);
        for warning in &self.world.warnings {
            facts.say("Warning", warning);
        }
        for advice in self.run.engine().advice(trace.flags, &summary) {
            facts.say("Attention", advice);
        }
        for path in &self.written {
            let bytes = std::fs::metadata(path).map_or(0, |m| m.len());
            facts.say("Written", format!("{} ({})", quoted(path), stiction_bake::bytes(bytes)));
        }
        facts
    }
}

/// What is left of cancelling is zero.
fn rounded(x: f64) -> f64 {
    if x.abs() < 1e-9 { 0.0 } else { x }
}

/// Method, cone and coefficients of a scene.
pub fn friction_words(scene: &Scene) -> String {
    let s = &scene.settings;
    let mu = if s.mu_static == s.mu_kinetic {
        format!("µ {}", s.mu_static)
    } else {
        format!("µ {} static, {} kinetic", s.mu_static, s.mu_kinetic)
    };
    match scene.engine {
        EngineKind::QuasiStatic => {}
        EngineKind::Formation => return format!("by the rules of contact formations, {mu}"),
        EngineKind::Volume => return format!("over contact areas, {mu}"),
    }
    let cone = cone_words(s.friction.cone);
    match s.friction.method {
        Method::Frictionless => "none".into(),
        Method::Qp(_) => {
            let metric = value_in_force(s, "friction.metric").unwrap_or_default();
            format!("qp, measured by {metric}, cone {cone}, {mu}")
        }
        Method::Yamane => format!("yamane, springs of {} N/m, {mu}", number(s.friction.spring_stiffness)),
        method => format!("{}, cone {cone}, {mu}", method_word(method)),
    }
}
