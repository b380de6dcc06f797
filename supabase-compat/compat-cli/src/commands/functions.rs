//! The command `functions`: what there is to call, and what it printed.

mod new;

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Duration;

use clap::{Args, Subcommand};
use compat_stack::Settings;
use compat_stack::settings::DataArguments;

pub use new::{NewFunctionArguments, make_function};

use super::ProjectArguments;

type CommandResult = Result<(), Box<dyn std::error::Error>>;

/// How often a log is looked at by somebody who follows it.
const LOOK: Duration = Duration::from_millis(250);

/// What is to be done about functions in TypeScript.
#[derive(Debug, Subcommand)]
pub enum FunctionsCommand {
    /// List them, with what is run and whether a token is asked for
    List(ProjectArguments),
    /// Run the services over a project's folder, or what --config and --functions name; a changed
    /// function is started anew
    Serve {
        #[command(flatten)]
        project: ProjectArguments,
        /// Let everybody call functions that do not ask for a token by themselves
        #[arg(long)]
        no_verify_jwt: bool,
    },
    /// Create one that answers, to begin with
    New(NewFunctionArguments),
    /// Print what they printed
    Logs(LogsArguments),
}

/// What `functions logs` can be told.
#[derive(Debug, Args)]
pub struct LogsArguments {
    /// One function; all without it
    pub name: Option<String>,
    #[command(flatten)]
    pub data: DataArguments,
    /// The last lines of each
    #[arg(long, short = 'n', default_value_t = 100)]
    pub lines: usize,
    /// Go on with what comes
    #[arg(long, short)]
    pub follow: bool,
}

/// Prints a line for each function of the folder.
///
/// # Errors
/// Where there is no folder of functions.
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

impl LogsArguments {
    /// Prints the logs.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub async fn print(&self) -> CommandResult {
        let home = self.data.resolve().join("functions");
        let names = match &self.name {
            Some(name) => vec![name.clone()],
            None => names(&home.join("logs")),
        };
        let mut places = Vec::new();
        for name in &names {
            let file = compat_functions::log_file(&home, name);
            let text =
                std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            print_new_lines(name, &last(&String::from_utf8_lossy(&text), self.lines))?;
            places.push((name, file, text.len() as u64));
        }
        if !self.follow {
            return Ok(());
        }
        loop {
            tokio::time::sleep(LOOK).await;
            for (name, file, read) in &mut places {
                print_new_lines(name, &further(file, read)?)?;
            }
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".log").map(str::to_owned))
        .collect();
    names.sort_unstable();
    names
}

fn last(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    let from = all.len().saturating_sub(lines);
    all.get(from..).unwrap_or_default().iter().map(|line| format!("{line}\n")).collect()
}

/// What was written since; a file that became shorter is a new one.
fn further(file: &Path, read: &mut u64) -> std::io::Result<String> {
    let mut file = std::fs::File::open(file)?;
    let length = file.metadata()?.len();
    let from = if length < *read { 0 } else { *read };
    file.seek(SeekFrom::Start(from))?;
    let mut text = Vec::new();
    file.take(length - from).read_to_end(&mut text)?;
    *read = length;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn print_new_lines(name: &str, text: &str) -> std::io::Result<()> {
    text.lines().try_for_each(|line| write_text(&format!("{name} {line}\n")))
}

fn write_text(text: &str) -> std::io::Result<()> {
    std::io::stdout().write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_tail_ends_with_the_last_line() {
        assert_eq!(last("a\nb\nc\n", 2), "b\nc\n");
        assert_eq!(last("a\n", 5), "a\n");
        assert_eq!(last("", 5), "");
    }

    #[test]
    fn truncated_logs_are_read_from_their_beginning() {
        let file = std::env::temp_dir().join(format!("functions-log-{}", std::process::id()));
        let mut read = 0;
        for (text, expected) in [("one\n", "one\n"), ("one\ntwo\n", "two\n"), ("new\n", "new\n")] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(further(&file, &mut read).unwrap(), expected);
        }
        std::fs::remove_file(&file).unwrap();
    }
}
