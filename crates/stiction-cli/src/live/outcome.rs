//! What a run with a device tells: on one line while it runs, on a page or as JSON in the end.

use crate::facts::{Facts, number, quoted};
use crate::run::{flags, motion, timeline_lines, timeline_object};
use crate::{Failure, output, terminal};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use stiction::columns::Column;
use stiction::friction::Method;
use stiction::spatial::halves;
use stiction::tick::ContactModel;
use stiction::trace::Trace;
use stiction_device::histogram::Histogram;
use stiction_device::realtime::RealtimeGrant;
use stiction_device::{Arm, Arms, EnvelopeReport, Fault, Intervention, Snapshot, Stats};
use stiction_formation::tick::formation_of;
use stiction_formation::timeline::FormationTimeline;
use stiction_formation::words::formation_words;
use stiction_record::RecorderCounts;
use stiction_scene::{EngineKind, Summary};
use stiction_session::{Session, SummedEngine};
use stiction_volume::VolumeTick;

/// Result of a run with a device: its arms, timing statistics and recording.
pub struct LiveOutcome {
    arms: Arms,
    stats: Arc<Stats>,
    granted: Option<RealtimeGrant>,
    pub stopped: bool,
    pub wall_seconds: f64,
    pub recorded: Option<RecordedFile>,
    /// What touched, from when to when, where every cycle was looked at and the engine names it.
    pub formations: FormationTimeline,
    /// What happened at each hand over the whole run; empty for an engine whose ticks are not summed up.
    pub summaries: Vec<Summary>,
}

/// A recording that was made, and why it ended early if it did.
pub struct RecordedFile {
    pub path: PathBuf,
    pub counts: RecorderCounts,
    pub failure: Option<String>,
}

fn micro(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

/// The state of the loop on one line that fits into `width` characters: what matters less is left out.
pub fn line(seconds: f64, columns: &[Column], snapshots: &[Snapshot], stats: &Stats, width: Option<usize>) -> String {
    let mut out = format!("{seconds:6.1} s");
    for s in snapshots {
        let (force, torque) = halves(s.output.sent.wrench());
        let verdict =
            Trace::from_row(columns, &s.output.row).map_or(String::new(), |t| format!(" {}", t.verdict.name()));
        out += &format!(
            " │ {:?}{}{verdict} {} contacts, {:.2} N {:.3} N m",
            s.output.report.phase,
            s.output.report.fault.map_or(String::new(), |f| format!(" ({})", f.name())),
            s.output.hand.contacts,
            force.norm(),
            torque.norm()
        );
    }
    let [half, most] = [0.5, 0.99].map(|share| micro(stats.compute.percentile(share)));
    let (late, skipped) = (micro(stats.late.percentile(0.99)), stats.skipped.load(Relaxed));
    let cycle = format!(" │ cycle {half:.0} µs (p99 {most:.0})");
    terminal::one_line(&out, &[&cycle, &format!(" │ late p99 {late:.0} µs, {skipped} skipped")], width)
}

/// Percentiles of durations in µs.
pub fn spread(histogram: &Histogram) -> Value {
    let p = |share: f64| micro(histogram.percentile(share));
    json!({
        "p50": p(0.5), "p99": p(0.99), "p9999": p(0.9999), "max": micro(histogram.longest()), "mean": histogram.mean() / 1e3,
    })
}

/// What the envelope did.
pub fn report(report: &EnvelopeReport) -> Value {
    let faults = Fault::ALL.iter().zip(report.faults).filter(|f| f.1 > 0).map(|(f, n)| (f.name().to_owned(), json!(n)));
    let done = Intervention::ALL
        .iter()
        .zip(report.interventions)
        .filter(|i| i.1 > 0)
        .map(|(i, n)| (i.name().to_owned(), json!(n)));
    json!({
        "phase": report.phase.name(),
        "fault": report.fault.map(Fault::name),
        "faults": Value::Object(faults.collect()),
        "interventions": Value::Object(done.collect()),
        "energy_delivered_j": report.energy.delivered,
        "energy_debt_max_j": report.energy.most_debt,
    })
}

impl LiveOutcome {
    pub fn new(arms: Arms, stats: Arc<Stats>, granted: Option<RealtimeGrant>) -> Self {
        let summaries = SummedEngine::summaries(arms.servo().simulation());
        LiveOutcome {
            arms,
            stats,
            granted,
            stopped: false,
            wall_seconds: 0.0,
            recorded: None,
            formations: FormationTimeline::default(),
            summaries,
        }
    }

    /// The page or the JSON object.
    pub fn tell(&self, session: &Session, as_json: bool) -> Result<(), Failure> {
        if as_json { Ok(output::json(&self.object(session))?) } else { Ok(output::line(self.page(session).text())?) }
    }

    fn budget(&self, session: &Session) -> (u64, f64) {
        let period = (1e9 * session.period()) as u64;
        let all = self.stats.compute.count().max(1);
        (period, 1.0 - self.stats.compute.above(period) as f64 / all as f64)
    }

    /// The last tick of an arm, if the engine is the quasi-static one.
    fn trace(&self, arm: &Arm) -> Option<Trace> {
        Trace::from_row(self.arms.servo().simulation().columns(), &arm.snapshot().output.row)
    }

    /// What touches at an arm, in words, if the engine names it.
    fn words(&self, arm: &Arm) -> Option<String> {
        let columns = self.arms.servo().simulation().columns();
        formation_of(columns, &arm.snapshot().output.row).map(|contacts| formation_words(&contacts))
    }

    /// What the part of an arm does in the end, in words.
    fn verdict_words(&self, arm: &Arm, summary: Option<&Summary>, session: &Session) -> Option<String> {
        let rate = session.world.scene.rate;
        match (self.trace(arm), summary) {
            (Some(t), Some(sum)) => {
                Some(format!("{}{}", motion::end(&t, rate, &sum.motion), motion::before(&sum.motion)))
            }
            (Some(t), None) => Some(t.verdict_words(rate)),
            (None, _) => held_words(arm, session).or_else(|| self.words(arm)),
        }
    }

    fn coarse_ticks(&self) -> u64 {
        self.arms.servo().simulation().coarse_ticks()
    }

    fn object(&self, session: &Session) -> Map<String, Value> {
        let scene = &session.world.scene;
        let (_, within) = self.budget(session);
        let arms: Vec<Value> = self.arms.iter().map(|arm| self.arm_object(arm, session)).collect();
        let granted = self.granted.as_ref();
        let value = json!({
            "scene": scene.name,
            "device": session.device_names(),
            "hand": session.plan.hand.name(),
            "clock": if granted.is_some() { "real" } else { "virtual" },
            "rate_hz": scene.rate,
            "rate": scene.rate, // Deprecated: use rate_hz.
            "ticks": self.stats.compute.count(),
            "stopped": self.stopped,
            "wall_seconds": self.wall_seconds,
            "compute_us": spread(&self.stats.compute),
            "within_budget_share": within,
            "work": work_limit(session),
            "coarse_ticks": self.coarse_ticks(),
            "late_us": spread(&self.stats.late),
            "period_us": spread(&self.stats.period),
            "skipped_deadlines": self.stats.skipped.load(Relaxed),
            "priority": granted.and_then(|g| g.priority.as_ref().ok()),
            "memory_locked": granted.is_some_and(|g| g.locked.is_ok()),
            "arms": arms,
            "formations": timeline_object(&self.formations),
            "notices": session.notices,
            "recorded": self.recorded.as_ref().map(|RecordedFile { path, counts, failure }| json!({
                "file": path.display().to_string(), "ticks": counts.written, "dropped": counts.dropped, "bytes": counts.bytes,
                "error": failure,
            })),
        });
        let mut out = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        // The held part's motion has the keys that it has in a run without a device.
        put_summary(&mut out, self.summaries.first());
        out.insert("advice".into(), json!(self.advice(session)));
        out
    }

    /// What was wrong in the run, at each hand.
    fn advice(&self, session: &Session) -> Vec<String> {
        if self.summaries.is_empty() {
            return Vec::new();
        }
        let Ok(engine) = session.world.engine() else { return Vec::new() };
        let arms = self.arms.iter().zip(&self.summaries);
        arms.flat_map(|(arm, summary)| flags::advice(&engine, arm.snapshot().output.hand.flags, summary)).collect()
    }

    fn arm_object(&self, arm: &Arm, session: &Session) -> Value {
        let (s, trace) = (arm.snapshot(), self.trace(arm));
        let (force, torque) = halves(s.output.sent.wrench());
        let mut out = report(&s.output.report);
        if let Value::Object(map) = &mut out {
            map.insert("force_n".into(), json!(force.as_slice()));
            map.insert("torque_nm".into(), json!(torque.as_slice()));
            map.insert("device_error".into(), json!(s.input.read.err().map(|e| e.to_string())));
            map.insert("contacts".into(), json!(s.output.hand.contacts));
            map.insert("verdict".into(), json!(trace.map(|t| t.verdict.name())));
            map.insert("formation".into(), json!(self.words(arm)));
            map.insert("holds".into(), json!(held_words(arm, session)));
            map.insert("energy_bound_j".into(), json!(session.limits(s.arm).energy_bound(session.period())));
            put_summary(map, self.summaries.get(usize::from(s.arm)));
        }
        out
    }

    fn page(&self, session: &Session) -> Facts {
        let scene = &session.world.scene;
        let (stats, mut facts) = (&self.stats, Facts::default());
        let p = |h: &Histogram, share: f64| number(micro(h.percentile(share)));
        facts.say(
            "Ran",
            format!(
                "{} with {}, {} hand: {} cycles at {} Hz in {} s{}",
                scene.name,
                session.device_names(),
                session.plan.hand.name(),
                stats.compute.count(),
                scene.rate,
                number(self.wall_seconds),
                if self.granted.is_some() { "" } else { ", on a virtual clock" }
            ),
        );
        let (period, within) = self.budget(session);
        facts.say(
            "Compute",
            format!(
                "{} µs median, p99 {}, p99.99 {}, longest {} µs of CPU time; {:.4} % within the period of {} µs",
                p(&stats.compute, 0.5),
                p(&stats.compute, 0.99),
                p(&stats.compute, 0.9999),
                number(micro(stats.compute.longest())),
                100.0 * within,
                number(micro(period))
            ),
        );
        if let Some(work) = work_limit(session) {
            let (coarse, all) = (self.coarse_ticks(), stats.compute.count());
            let of =
                if session.plan.work.is_some() { "what this machine does in half a period" } else { "by the scene" };
            facts.say("Work", format!("at most {work} field samples or their like in a tick, {of}; that left points out in {coarse} of {all}"));
        }
        if self.granted.is_some() {
            facts.say(
                "Wake-up",
                format!(
                    "late by {} µs median, p99 {}, longest {} µs; {} deadlines skipped (the machine's doing: see `stiction run --help`)",
                    p(&stats.late, 0.5),
                    p(&stats.late, 0.99),
                    number(micro(stats.late.longest())),
                    stats.skipped.load(Relaxed)
                ),
            );
        }
        for arm in self.arms.iter() {
            let summary = self.summaries.get(usize::from(arm.snapshot().arm));
            let verdict = self.verdict_words(arm, summary, session);
            say_arm(&mut facts, arm.snapshot(), verdict, summary, session);
        }
        for advice in self.advice(session) {
            facts.say("Attention", advice);
        }
        timeline_lines(&self.formations).iter().for_each(|line| facts.say("touched", line));
        if let Some(RecordedFile { path, counts, failure }) = &self.recorded {
            let kept = if failure.is_some() { ", ended early" } else { "" };
            let lost = (counts.accepted + counts.dropped).saturating_sub(counts.written);
            facts.say(
                "Recorded",
                format!(
                    "{}{kept}: {} ticks, {} lost, {} kB; check it with `stiction replay {}`",
                    path.display(),
                    counts.written,
                    lost,
                    counts.bytes / 1000,
                    quoted(path)
                ),
            );
        }
        facts
    }
}

/// What the hand of an arm holds in a world of many bodies, and what that does; `None` with other engines.
fn held_words(arm: &Arm, session: &Session) -> Option<String> {
    session.world.volume.as_ref()?;
    let tick = VolumeTick::take(&arm.snapshot().output.row)?;
    let held = tick.holds.checked_sub(1).and_then(|body| session.world.scene.bodies().get(body as usize));
    let Some(body) = held else { return Some(format!("holds nothing; {} pairs of parts touch", tick.pairs)) };
    let [stuck, sliding] = tick.held_states;
    Some(format!("holds {}: {stuck} stuck, {sliding} sliding, over {} cm²", body.name, number(1e4 * tick.area)))
}

/// The limit of a tick's work (units), where ticks have one.
fn work_limit(session: &Session) -> Option<u64> {
    let settings = &session.world.scene.settings;
    let counts = session.world.scene.engine == EngineKind::QuasiStatic
        && matches!(settings.contact_model(), ContactModel::Hard | ContactModel::Unilateral);
    counts.then_some(settings.work)
}

/// Adds the keys of a run's summary that are not there yet.
fn put_summary(out: &mut Map<String, Value>, summary: Option<&Summary>) {
    if let Some(Value::Object(keys)) = summary.and_then(|s| serde_json::to_value(s).ok()) {
        keys.into_iter().for_each(|(key, value)| _ = out.entry(key).or_insert(value));
    }
}

fn say_arm(facts: &mut Facts, s: &Snapshot, verdict: Option<String>, summary: Option<&Summary>, session: &Session) {
    let (force, torque) = halves(s.output.sent.wrench());
    let r = &s.output.report;
    let verdict = verdict.map_or(String::new(), |words| format!(", {words}"));
    let title = if session.plan.arms == 1 { "In the end".to_owned() } else { format!("Hand {}", s.arm + 1) };
    facts.say(
        &title,
        format!(
            "{} contacts{verdict}; {} N and {} N m on the hand",
            s.output.hand.contacts,
            number(force.norm()),
            number(torque.norm())
        ),
    );
    if let Some(summary) = summary {
        let method = session.world.scene.settings.friction.method;
        if method != Method::Frictionless {
            facts.say("Ticks", motion::shares(summary));
        }
        motion::say(facts, &summary.motion, Some(method));
        flags::say_noticed(facts, summary);
    }
    if let Err(error) = s.input.read {
        facts.say("Device", error.to_string());
    }
    let counted = |names: Vec<(&str, u64)>| {
        let some: Vec<String> = names.iter().filter(|n| n.1 > 0).map(|(name, n)| format!("{name} in {n}")).collect();
        if some.is_empty() { "none".into() } else { some.join(", ") }
    };
    let faults = counted(Fault::ALL.iter().map(|f| f.name()).zip(r.faults).collect());
    let done = counted(Intervention::ALL.iter().map(|i| i.name()).zip(r.interventions).collect());
    facts.say(
        "Envelope",
        format!(
            "{}{}; faults: {faults}; interventions, in cycles: {done}",
            r.phase.name(),
            r.fault.map_or(String::new(), |f| format!(" ({})", f.name()))
        ),
    );
    facts.say(
        "Energy",
        format!(
            "{} mJ given to the hand beyond what it gave, at most ({} mJ allowed; controller {})",
            number(1e3 * r.energy.most_debt),
            number(1e3 * session.limits(s.arm).energy_bound(session.period())),
            if session.plan.passivity { "on" } else { "off" }
        ),
    );
}
