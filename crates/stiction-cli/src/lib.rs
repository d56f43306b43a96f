//! The `stiction` program as a library: [`main`] is all of it.
//!
//! `stiction inspect` says what is wrong with a mesh and `stiction bake` turns it into contact shapes, which `query`
//! samples; `stiction new` makes a scene of two meshes and `stiction run` runs one, with or without a device; `stiction view` shows one live in a browser; `stiction record`, `replay`, `export`
//! and `info` deal with recordings; `stiction demo` shows the haptic cycle on one scene. Tables go to
//! standard output, progress and complaints to standard error. Exit codes: 0 done, 1 the program failed, 2 the command line was wrong, 130 the user stopped it.
//!
//! What the laboratory's program `stiction-lab` does in the same way is public here: progress ([`bars`]), Ctrl-C ([`stop`]), output ([`output`], [`terminal`]), times of
//! ticks ([`clock`]), words of the command line ([`words`], [`live`]), failures and exit codes ([`Failure`], [`run_program`]).
#![forbid(unsafe_code)]

mod bake;
pub mod bars;
mod browser;
mod build_facts;
mod cache;
pub mod clock;
mod demo;
mod devices;
mod facts;
mod failure;
mod inspect;
pub mod live;
mod mesh_args;
mod new;
pub mod output;
mod picture;
mod places;
mod processor;
mod query;
mod record;
mod run;
mod shape_facts;
mod sizes;
mod solid;
pub mod stop;
pub mod terminal;
mod view;
pub mod words;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
pub use failure::Failure;
use std::process::ExitCode;
use stiction_bake::cache::Cache;
use stiction_bake::file;

/// 6-DoF haptic rendering: contact shapes from any mesh, certified Coulomb friction.
#[derive(Parser)]
#[command(name = "stiction", version, long_version = build_facts::text(), arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Inspect(inspect::Inspect),
    Bake(bake::Bake),
    Query(query::Query),
    Solid(solid::Solid),
    Cache(cache::CacheArgs),
    New(new::New),
    Run(run::RunScene),
    View(view::View),
    Devices(devices::Devices),
    Record(live::record::Record),
    Replay(live::replay::Replay),
    Export(live::export::Export),
    Info(live::info::Info),
    Demo(demo::Demo),
}

/// Commands of the laboratory's program, which a user may look for here.
const IN_THE_LAB: [&str; 3] = ["bench", "figures", "soak"];

/// Runs the program with the command line of this process.
pub fn main() -> ExitCode {
    run_program(|cli: Cli| {
        // What a killed program left half written where all of them write.
        if let Some(folder) = Cache::default_folder() {
            file::remove_stale_drafts(&folder);
        }
        cli.command.run()
    })
}

impl Command {
    fn run(self) -> Result<(), Failure> {
        match self {
            Command::Inspect(inspect) => inspect.run(),
            Command::Bake(bake) => bake.run(),
            Command::Query(query) => query.run(),
            Command::Solid(solid) => solid.run(),
            Command::Cache(cache) => cache.run(),
            Command::New(new) => new.run(),
            Command::Run(run) => run.run(),
            Command::View(view) => view.run(),
            Command::Devices(devices) => devices.run(),
            Command::Record(record) => record.run(),
            Command::Replay(replay) => replay.run(),
            Command::Export(export) => export.run(),
            Command::Info(info) => info.run(),
            Command::Demo(demo) => demo.run(),
        }
    }
}

/// Checks the processor, reads the command line, runs a command, reports how it failed, and gives the exit code.
pub fn run_program<P: Parser>(command: impl FnOnce(P) -> Result<(), Failure>) -> ExitCode {
    if let Err(message) = processor::check() {
        output::complain(&format!("error: {message}"));
        return ExitCode::FAILURE;
    }
    let parsed = P::try_parse().unwrap_or_else(|error| told(&hinted(error)));
    match command(parsed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => told(&P::command().error(ErrorKind::ArgumentConflict, message)),
        Err(Failure::Missed) => ExitCode::FAILURE,
        Err(Failure::Stopped(message)) => {
            output::complain(&message);
            ExitCode::from(130)
        }
        Err(Failure::Other(message)) => {
            output::complain(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// Shows what the parser says and ends the program. Words of the command line are in it as they were given: what would command a terminal is shown by number.
fn told(error: &clap::Error) -> ! {
    // Escape sequences are not in the plain text, but would be in the coloured one.
    if std::env::args_os().any(|word| word.to_string_lossy().contains(terminal::commands)) {
        output::complain(error.render().to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// The parser's error, with a hint where the command is one of the laboratory's.
fn hinted(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && IN_THE_LAB.contains(&word.as_str())
    {
        let hint = format!(
            "measurements are in the laboratory's program: `stiction-lab {word}`, in the source tree \
             `cargo run --release -p stiction-lab -- {word}`"
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}
