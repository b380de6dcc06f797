//! `palmares`: the site's binary. The compatible services, the ranking, payments and the pages.
//!
//! This crate only composes: what a vote is stands in `ranking`, what a session is in
//! `compat-auth`. It alone decides which accounts and servers a demonstration has.

mod command;
mod copier;
mod demo;
mod pool_budgets;
mod settings;

use std::process::ExitCode;

use clap::Parser as _;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match command::Arguments::parse().run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "the program's last words")]
            {
                eprintln!("{error}");
            }
            compat_cli::exit_code(error.as_ref())
        }
    }
}
