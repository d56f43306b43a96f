//! The `stiction-lab` program: what is measured about the engine, and what it is measured against. The product, `stiction`, has none of it.
//!
//! `stiction-lab bench` times and judges the engine, beside general solvers where there are any; `stiction-lab soak` runs scenes in the servo loop for a
//! long time; `stiction-lab contact-problem` solves contact problems from files; `stiction-lab figures` runs the friction paper's experiments and ours again; each leaves its numbers in `target/results`, of which
//! `stiction-lab results` makes `docs/results.md`. Exit codes: 0 done, 1 a target was missed or the program failed, 2 the command line was wrong, 130 the user
//! stopped it.
#![forbid(unsafe_code)]

mod bench;
mod contact_problem;
#[cfg(test)]
mod document_tests;
mod figures;
mod results;
mod soak;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The laboratory of Stiction: benches, soaks, figures and their results.
#[derive(Parser)]
#[command(name = "stiction-lab", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure how fast and how right the engine is
    #[command(subcommand)]
    Bench(Bench),
    ContactProblem(contact_problem::ContactProblem),
    Soak(soak::Soak),
    Figures(figures::Figures),
    Results(results::Results),
}

#[derive(Subcommand)]
enum Bench {
    Friction(bench::Friction),
    Sample(bench::SampleRate),
    Bake(bench::BakeTime),
    Tick(bench::TickTime),
    Budget(bench::BudgetTime),
    Holding(bench::Holding),
    Rivals(bench::Rivals),
    Roughness(bench::Roughness),
    Wall(bench::Wall),
}

fn main() -> ExitCode {
    stiction_cli::run_program(|cli: Cli| match cli.command {
        Command::ContactProblem(problem) => problem.run(),
        Command::Soak(soak) => soak.run(),
        Command::Figures(figures) => figures.run(),
        Command::Results(results) => results.run(),
        Command::Bench(Bench::Friction(friction)) => friction.run(),
        Command::Bench(Bench::Sample(sample)) => sample.run(),
        Command::Bench(Bench::Bake(bake)) => bake.run(),
        Command::Bench(Bench::Tick(tick)) => tick.run(),
        Command::Bench(Bench::Budget(budget)) => budget.run(),
        Command::Bench(Bench::Holding(holding)) => holding.run(),
        Command::Bench(Bench::Rivals(rivals)) => rivals.run(),
        Command::Bench(Bench::Roughness(roughness)) => roughness.run(),
        Command::Bench(Bench::Wall(wall)) => wall.run(),
    })
}
