//! One page with every figure: picture, claim, experiment, numbers, verdict.

use crate::check::FigureVerdict;
use crate::figure::{Figure, FigureReport};
use crate::machine::machine;
use crate::plot::escape;
use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #222; --soft: #666; --paper: #f6f6f4; --card: #fff; --rule: #ddd; --yes: #2d7a3a; --no: #b3401f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e4e4; --soft: #a0a0a0; --paper: #1b1c1e; --card: #26282b; --rule: #3c3f43; --yes: #58b368; --no: #e07a4f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1020px; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 .3rem; font-size: 1.7rem; } h2 { margin: 0; font-size: 1.2rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); font-size: .9rem; }
section { margin: 1.6rem 0; padding: 1.2rem 1.4rem; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; flex-wrap: wrap; }
.badge { padding: .15rem .7rem; border-radius: 1rem; color: #fff; font-size: .9rem; font-weight: 600; white-space: nowrap; }
.yes { background: var(--yes); } .no { background: var(--no); } td.yes, td.no, li.no { background: none; } td.yes { color: var(--yes); } td.no, li.no { color: var(--no); }
figure { margin: 1rem 0; background: #fff; border-radius: 6px; padding: .4rem; } svg { display: block; width: 100%; height: auto; }
dl { display: grid; grid-template-columns: 7.5rem 1fr; gap: .5rem 1rem; margin: 0; } dt { color: var(--soft); } dd { margin: 0; }
ul { margin: 0; padding-left: 1.1rem; } code { font: .9em ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--rule); vertical-align: top; } th { border: 0; color: var(--soft); font-weight: normal; }
a { color: inherit; }
@media (max-width: 640px) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
";

/// A figure's part of the page, made by this run or by an earlier one.
pub struct PageEntry {
    /// Which figure.
    pub figure: Figure,
    /// Its report, as [`FigureReport::row`] made it.
    pub report: Value,
    /// Its section, as [`section`] made it.
    pub section: String,
}

impl PageEntry {
    fn verdict(&self) -> FigureVerdict {
        self.report["verdict"].as_str().and_then(|name| name.parse().ok()).unwrap_or(FigureVerdict::NotReproduced)
    }
}

/// The whole page.
pub fn page(entries: &[PageEntry]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Stiction: figures</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    );
    let met = entries.iter().filter(|e| e.verdict() == FigureVerdict::Reproduced).count();
    let _ = writeln!(out, "<h1>Figures, run again</h1>\n<p>{met} of {} claims reproduced.</p>", entries.len());
    let _ = writeln!(
        out,
        "<p class=\"soft\">Names that start with lp- are figures of D. Zhao, Y. Li, J. Barbič, <i>6-DoF Haptic Rendering of \
         Static Coulomb Friction Using Linear Programming</i>, by number; the others are ours.</p>"
    );
    summary(&mut out, entries);
    entries.iter().for_each(|entry| out += &entry.section);
    out + "</body>\n</html>\n"
}

fn class(verdict: FigureVerdict) -> &'static str {
    if verdict == FigureVerdict::Reproduced { "yes" } else { "no" }
}

fn summary(out: &mut String, entries: &[PageEntry]) {
    let _ = writeln!(out, "<section><table>\n<tr><th>figure</th><th>shows</th><th>verdict</th><th>measured</th></tr>");
    for entry in entries {
        let (name, verdict) = (entry.figure.name, entry.verdict());
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{name}\"><code>{name}</code></a></td><td>{}</td><td class=\"{}\">{}</td><td>{}</td></tr>",
            escape(entry.figure.title),
            class(verdict),
            verdict.name(),
            escape(entry.report["measured"].as_str().unwrap_or_default())
        );
    }
    let _ = writeln!(out, "</table></section>");
}

/// A figure's section of the page.
pub fn section(report: &FigureReport) -> String {
    let mut out = String::new();
    let (figure, verdict) = (&report.figure, report.verdict());
    let name = figure.name;
    let _ = writeln!(
        out,
        "<section id=\"{name}\">\n<header><h2><code>{name}</code> {}</h2><span class=\"badge {}\">{}</span></header>",
        escape(figure.title),
        class(verdict),
        verdict.name()
    );
    if report.quick {
        let _ = writeln!(out, "<p><b>A quick run: coarse shapes, few ticks. Not to be quoted.</b></p>");
    }
    let mut rows = vec![
        ("claim", paragraphs(&figure.claim())),
        ("experiment", paragraphs(&figure.experiment())),
        ("tolerance", paragraphs(&figure.tolerance())),
        ("measured", paragraphs(&report.measured())),
        ("expected", paragraphs(&figure.expected())),
    ];
    if let Ok(outcome) = &report.outcome {
        for picture in &outcome.pictures {
            // Each picture's clip paths keep their own names.
            let svg = picture.svg.replace("id=\"c", &format!("id=\"{name}{}c", picture.name));
            let svg = svg.replace("url(#c", &format!("url(#{name}{}c", picture.name));
            let _ = writeln!(out, "<figure>{svg}</figure>");
        }
        let checks = outcome.checks.iter().map(|c| {
            let (class, sign) = if c.passes() { ("", "✓") } else { (" class=\"no\"", "✗") };
            format!("<li{class}>{sign} {}</li>", escape(&c.words()))
        });
        rows.push(("checks", format!("<ul>{}</ul>", checks.collect::<String>())));
        rows.push(("why", paragraphs(&outcome.why)));
        let files = outcome.tables.iter().map(|t| format!("<a href=\"{name}/{0}\">{0}</a>", t.file()));
        rows.push(("data", files.collect::<Vec<_>>().join(", ")));
    }
    rows.push(("command", format!("<code>stiction-lab figures {name}</code>")));
    rows.push(("took", escape(&format!("{:.1} s on {}", report.seconds, machine()))));
    let _ = writeln!(out, "<dl>");
    for (term, words) in rows.iter().filter(|r| !r.1.is_empty()) {
        let _ = writeln!(out, "<dt>{term}</dt><dd>{words}</dd>");
    }
    let _ = writeln!(out, "</dl>\n</section>");
    out
}

fn paragraphs(text: &str) -> String {
    text.lines().map(|l| format!("<p>{}</p>", escape(l))).collect()
}
