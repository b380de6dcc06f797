//! The command `stop`: stops the server of a project, wherever it was started.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use compat_pg::embedded::holder;
use compat_stack::print_line;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::{Instant, sleep};

use super::{CommandError, Project, ProjectArguments, db};

type Failure = Box<dyn std::error::Error>;

/// How long a server may take to finish its requests and to stop its database.
const TIMEOUT: Duration = Duration::from_secs(60);
/// How often the process is checked.
const LOOK: Duration = Duration::from_millis(50);

/// The arguments of `stop`.
#[derive(Debug, Clone, Args)]
pub struct StopArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    /// Stop the project of this id instead of the folder's
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    pub project_id: Option<String>,
    /// Stop every project of this account
    #[arg(long)]
    pub all: bool,
    /// Then remove its database and its objects
    #[arg(long)]
    pub no_backup: bool,
}

/// Stops the server and waits until its process has ended.
///
/// # Errors
/// [`CommandError::NotServed`], or the process cannot be signalled or does not end.
pub async fn stop(arguments: StopArguments) -> Result<(), Failure> {
    let StopArguments { project, project_id, all, no_backup } = arguments;
    if project_id.is_some() || all {
        if no_backup {
            let message = "--no-backup removes the data of one project: stand in its folder, \
                           without --project-id and --all";
            return Err(CommandError::Usage(message.to_owned()).into());
        }
        let root = project.serve.data.resolve();
        let folders = match project_id {
            Some(id) => vec![root.join(id)],
            None => folders_of(&root),
        };
        let mut stopped = 0;
        for folder in &folders {
            if let Some(process) = holder(folder) {
                end(process, folder).await?;
                stopped += 1;
            }
        }
        return match stopped {
            0 => Err(CommandError::NotServed(folders.first().unwrap_or(&root).clone()).into()),
            _ => Ok(()),
        };
    }
    let Project { settings, files: _ } = project.open()?;
    match holder(&settings.data_dir) {
        Some(process) => end(process, &settings.data_dir).await?,
        None if no_backup => {}
        None => return Err(CommandError::NotServed(settings.data_dir).into()),
    }
    if no_backup {
        db::clear(&settings).await?;
        print_line("Removed its database and its objects.");
    }
    Ok(())
}

fn folders_of(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.join("lock").is_file()).collect()
}

async fn end(process: i32, folder: &Path) -> Result<(), CommandError> {
    let pid = Pid::from_raw(process);
    let failed = |error: Errno| {
        CommandError::Failed(format!(
            "process {process}, which serves {}, cannot be stopped: {error}",
            folder.display()
        ))
    };
    kill(pid, Signal::SIGTERM).map_err(failed)?;
    let began = Instant::now();
    while holder(folder) == Some(process) {
        if began.elapsed() > TIMEOUT {
            let message = format!(
                "process {process} was told to stop and still runs after {} s",
                TIMEOUT.as_secs()
            );
            return Err(CommandError::Failed(message));
        }
        sleep(LOOK).await;
    }
    print_line(&format!("Stopped the server of {}.", folder.display()));
    Ok(())
}
