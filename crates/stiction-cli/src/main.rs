//! The `stiction` program.
//!
//! `stiction inspect` says what is wrong with a mesh and `stiction bake` turns it into contact shapes, which `query`
//! samples; `stiction new` makes a scene of two meshes and `stiction run` runs one, with or without a device; `stiction view` shows one live in a browser; `stiction record`, `replay`, `export`
//! and `info` deal with recordings; `stiction demo` shows the haptic cycle on one scene, `stiction soak` and `stiction bench` measure. Tables go to
//! standard output, progress and complaints to standard error. Exit codes: 0 done, 1 a benchmark figure was missed or
//! the program failed, 2 the command line was wrong, 130 the user stopped it.
#![forbid(unsafe_code)]

mod bake;
mod bars;
mod bench;
mod cache;
mod demo;
mod devices;
#[cfg(test)]
mod documents;
mod facts;
mod failure;
mod figures;
mod inspect;
mod live;
mod mesh_args;
mod new;
mod output;
mod picture;
mod places;
mod processor;
mod query;
mod record;
mod run;
mod shape_facts;
mod sizes;
mod soak;
mod solid;
mod stop;
mod view;
mod words;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use failure::Failure;
use std::process::ExitCode;

/// 6-DoF haptic rendering: contact shapes from any mesh, certified Coulomb friction.
#[derive(Parser)]
#[command(name = "stiction", version, arg_required_else_help = true)]
struct Cli {
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
    Soak(soak::Soak),
    Demo(demo::Demo),
    Figures(figures::Figures),
    /// Measure how fast and how right the engine is
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Subcommand)]
enum Bench {
    Friction(bench::Friction),
    Sample(bench::SampleRate),
    Bake(bench::BakeTime),
    Tick(bench::TickTime),
    Budget(bench::BudgetTime),
    Holding(bench::Holding),
    Roughness(bench::Roughness),
    Wall(bench::Wall),
}

fn main() -> ExitCode {
    if let Err(message) = processor::check() {
        eprintln!("error: {message}");
        return ExitCode::FAILURE;
    }
    let result = match Cli::parse().command {
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
        Command::Soak(soak) => soak.run(),
        Command::Demo(demo) => demo.run(),
        Command::Figures(figures) => figures.run(),
        Command::Bench(Bench::Friction(friction)) => friction.run(),
        Command::Bench(Bench::Sample(sample)) => sample.run(),
        Command::Bench(Bench::Bake(bake)) => bake.run(),
        Command::Bench(Bench::Tick(tick)) => tick.run(),
        Command::Bench(Bench::Budget(budget)) => budget.run(),
        Command::Bench(Bench::Holding(holding)) => holding.run(),
        Command::Bench(Bench::Roughness(roughness)) => roughness.run(),
        Command::Bench(Bench::Wall(wall)) => wall.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => Cli::command().error(ErrorKind::ArgumentConflict, message).exit(),
        Err(Failure::Missed) => ExitCode::FAILURE,
        Err(Failure::Stopped(message)) => {
            eprintln!("{message}");
            ExitCode::from(130)
        }
        Err(Failure::Other(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
