//! The `stiction` program.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    stiction_cli::main()
}
