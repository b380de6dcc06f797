//! `palmares`, the site's binary: the compatible services, the ranking, payments and the pages.
//!
//! This crate only composes the others: `ranking` defines votes, `compat-auth` sessions. Only the
//! accounts of the demonstration are defined here.

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
            #[expect(clippy::print_stderr, reason = "the final error goes to the terminal")]
            {
                eprintln!("{error}");
            }
            compat_cli::exit_code(error.as_ref())
        }
    }
}
