//! The command `functions`: lists, serves and creates functions, and prints their output.

mod new;

use std::io::Write as _;
use std::path::Path;

use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use compat_stack::Settings;
use compat_stack::logs::{LogEntry, LogFilter, LogLevel};
use compat_stack::settings::DataArguments;

pub use new::{NewFunctionArguments, make_function};

use super::ProjectArguments;
use super::logs::print_entries;

type CommandResult = Result<(), Box<dyn std::error::Error>>;

/// The subcommands of `functions`.
#[derive(Debug, Subcommand)]
pub enum FunctionsCommand {
    /// List functions, with their entry points and whether they require a token
    List(ProjectArguments),
    /// Run the services over a project's folder, or what --config and --functions name; a changed
    /// function is restarted
    Serve {
        #[command(flatten)]
        project: ProjectArguments,
        /// Require no token for functions that do not check one themselves
        #[arg(long)]
        no_verify_jwt: bool,
    },
    /// Create a function with an example
    New(NewFunctionArguments),
    /// Print the output of functions
    Logs(FunctionLogsArguments),
}

/// The arguments of `functions logs`.
#[derive(Debug, Args)]
pub struct FunctionLogsArguments {
    /// The function; all without it
    pub name: Option<String>,
    #[command(flatten)]
    pub data: DataArguments,
    /// The number of the last lines
    #[arg(long, short = 'n', default_value_t = 100)]
    pub lines: usize,
    /// Also print new lines as they are written
    #[arg(long, short)]
    pub follow: bool,
}

/// Prints a line for each function of the folder.
///
/// # Errors
/// No folder of functions is configured.
pub fn list_functions(settings: &Settings) -> CommandResult {
    let Some(scripts) = &settings.scripts else {
        return Err("no functions: name their folder (--functions) or a config file".into());
    };
    let (own, all) = (&settings.functions.functions, settings.functions.verify_jwt);
    for (name, entry) in compat_functions::list(&scripts.folder, own) {
        let function = own.get(&name).cloned().unwrap_or_default();
        let asks = match function.verify_jwt.unwrap_or(all) {
            _ if !function.enabled => "disabled",
            true => "token",
            false => "open",
        };
        write_text(&format!("{name:<24} {asks:<9} {}\n", entry.main.display()))?;
    }
    Ok(())
}

impl FunctionLogsArguments {
    /// Prints the output of functions, from the log of this data folder.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn print(&self, data_dir: &Path) -> CommandResult {
        let filter = LogFilter {
            service: Some("functions".to_owned()),
            function: self.name.clone(),
            is_printed: true,
            ..LogFilter::default()
        };
        print_entries(data_dir, &filter, self.lines, self.follow, line_of).await
    }
}

/// `hello 2026-11-26T09:41:30.123Z log   the printed text`.
fn line_of(entry: &LogEntry) -> String {
    let name = entry.function.as_deref().unwrap_or_default();
    let stamp = entry.time.to_rfc3339_opts(SecondsFormat::Millis, true);
    let from = match entry.level {
        LogLevel::Error => "error",
        LogLevel::Warn => "host",
        LogLevel::Info | LogLevel::Debug => "log",
    };
    format!("{name} {stamp} {from:5} {}", entry.message.as_deref().unwrap_or_default())
}

fn write_text(text: &str) -> std::io::Result<()> {
    std::io::stdout().write_all(text.as_bytes())
}
