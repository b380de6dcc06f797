//! The command `console`: changes operators of the console from the machine itself.

use clap::Subcommand;
use compat_stack::{ConnectedDatabase, Settings, console_owner_link, print_line};

use super::{CommandError, ProjectArguments};

type Failure = Box<dyn std::error::Error>;

/// The subcommands of `console`.
#[derive(Debug, Subcommand)]
pub enum ConsoleCommand {
    /// Print a link that creates another owner, for when no owner can sign in; it works once within
    /// 24 hours
    OwnerLink(ProjectArguments),
}

/// Runs a subcommand.
///
/// # Errors
/// The settings are invalid, or the database cannot be opened.
pub async fn change_console(command: ConsoleCommand) -> Result<(), Failure> {
    match command {
        ConsoleCommand::OwnerLink(project) => {
            let (mut settings, files) = project.open_if_found()?;
            if files.is_some() {
                // A project is served by `up`, which serves the console.
                settings.serve_as_cli();
            }
            Ok(print_owner_link(&settings).await?)
        }
    }
}

/// Prints a link that creates another owner of the console, whether the program runs or not.
///
/// # Errors
/// There is no database, it has no console, or it cannot be opened.
pub async fn print_owner_link(settings: &Settings) -> Result<(), CommandError> {
    let data = settings.data_dir.join("data");
    if settings.database.url.is_none() && !data.is_dir() {
        let message = format!(
            "no database at {}: the program was never started there; its first start prints a link",
            settings.data_dir.display()
        );
        return Err(CommandError::Failed(message));
    }
    let connected = ConnectedDatabase::open(settings).await?;
    let link = console_owner_link(&connected, settings).await;
    connected.leave().await;
    let Some(address) = link? else {
        let message =
            "the database has no console: start the program with CONSOLE=loopback or CONSOLE=on";
        return Err(CommandError::Failed(message.to_owned()));
    };
    print_line(&format!("Console: make an owner within 24 hours at {address}"));
    if settings.console.access.is_none() {
        print_line("The link works where the program runs with CONSOLE=loopback or CONSOLE=on.");
    }
    Ok(())
}
