//! Runs figures by name and says what came out: `figure FOLDER [quick] NAME...`.
use stiction_bake::Silent;
use stiction_figures::{Context, find, write};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let quick = args.iter().any(|a| a == "quick");
    let context = Context::new(quick, &Silent);
    for name in args[1..].iter().filter(|a| *a != "quick") {
        let report = write::run(find(name).unwrap(), &context).unwrap();
        write::write(std::path::Path::new(&args[0]), &report).unwrap();
        println!("{name} {} {:.1} s: {}", report.verdict().name(), report.seconds, report.measured());
        if let Ok(o) = &report.outcome {
            o.checks.iter().for_each(|c| println!("   {} {}", if c.passes() { "ok  " } else { "FAIL" }, c.words()));
        }
    }
}
