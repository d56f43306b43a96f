//! The `stiction` program.
//!
//! `stiction demo` shows the friction core at work on one scene; `stiction bench friction` times it beside general
//! solvers. Tables go to standard output, progress and complaints to standard error. Exit codes: 0 done, 1 a
//! benchmark figure was missed or the program failed, 2 the command line was wrong.
#![forbid(unsafe_code)]

mod bench;
mod demo;
mod output;
// Its commands come with `inspect`.
#[allow(dead_code)]
mod picture;
mod words;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use std::process::ExitCode;

/// Certified Coulomb friction for 6-DoF haptic rendering.
#[derive(Parser)]
#[command(name = "stiction", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
    /// Measure how fast and how right the engine is
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Subcommand)]
enum Bench {
    Friction(bench::Friction),
    Sample(bench::SampleRate),
    Bake(bench::BakeTime),
}

/// Why a command did not end well.
enum Failure {
    /// The flags contradict each other: shown as the parser shows its own errors.
    Usage(String),
    /// A figure was missed; already reported.
    Missed,
    /// Anything else.
    Other(String),
}

/// Any other error is told by its own message.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Other(error.to_string())
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo(demo) => demo.run(),
        Command::Bench(Bench::Friction(friction)) => friction.run(),
        Command::Bench(Bench::Sample(sample)) => sample.run(),
        Command::Bench(Bench::Bake(bake)) => bake.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => Cli::command().error(ErrorKind::ArgumentConflict, message).exit(),
        Err(Failure::Missed) => ExitCode::FAILURE,
        Err(Failure::Other(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
