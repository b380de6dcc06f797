//! `supabase-compat`: the services on one origin, over any database, with no site.

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use compat_stack::cli::{self, BackupArguments, FunctionsCommand, KeysArguments};
use compat_stack::settings::{self, ServeArguments, SettingsError};
use compat_stack::{Application, Settings, Stack, address_for_people, listen};

/// Supabase-compatible services in one program.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the services
    Serve(ServeArguments),
    /// Print the project's keys as an environment file
    Keys(KeysArguments),
    /// Make roles and schemas, then stop
    Migrate(ServeArguments),
    /// List functions in TypeScript, serve them while they are written, read what they print
    #[command(subcommand)]
    Functions(FunctionsCommand),
    /// Write database and keys into one file
    Backup(BackupArguments),
    /// Bring them back into an empty data folder or database
    Restore(BackupArguments),
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse().command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "the program's last words")]
            {
                eprintln!("{error}");
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> Result<(), Box<dyn std::error::Error>> {
    match command {
        Command::Serve(arguments) => serve(read_settings(&arguments)?).await,
        Command::Functions(FunctionsCommand::Serve { serve: arguments, no_verify_jwt }) => {
            let mut settings = read_settings(&arguments)?;
            settings.functions.verify_jwt &= !no_verify_jwt;
            serve(settings).await
        }
        Command::Functions(FunctionsCommand::List(arguments)) => {
            cli::list_functions(&read_settings(&arguments)?)
        }
        Command::Functions(FunctionsCommand::Logs(arguments)) => arguments.print().await,
        Command::Keys(arguments) => cli::print_keys(&arguments),
        Command::Migrate(arguments) => {
            let settings = read_settings(&arguments)?;
            Stack::start(settings, "http://localhost", &[]).await?.stop().await;
            Ok(())
        }
        Command::Backup(arguments) => {
            let settings = read_settings(&arguments.serve)?;
            Ok(compat_stack::backup(&settings, &arguments.file).await?)
        }
        Command::Restore(arguments) => {
            let settings = read_settings(&arguments.serve)?;
            Ok(compat_stack::restore(&settings, &arguments.file).await?)
        }
    }
}

async fn serve(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let listener = listen(SocketAddr::new(settings.host, settings.port)).await?;
    let public_url = settings.public_url.clone().unwrap_or_else(|| address_for_people(&listener));
    let stack = Stack::start(settings, &public_url, &[]).await?;
    let router = stack.router(Application::default())?;
    Ok(stack.run(listener, router).await?)
}

fn read_settings(arguments: &ServeArguments) -> Result<Settings, SettingsError> {
    let mut reader = cli::open(&arguments.data)?;
    let read = Settings::read(&mut reader, arguments);
    settings::finish(reader)?;
    Ok(read)
}
