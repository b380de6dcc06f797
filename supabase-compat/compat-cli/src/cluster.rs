//! The command `prepare-cluster`: makes the database that a package contains. It is for packagers and
//! hidden from the help.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use compat_stack::pg::SchemaSource;
use compat_stack::settings::ServeArguments;
use compat_stack::{Settings, write_cluster_archive};

/// The arguments of `prepare-cluster`.
#[derive(Debug, Clone, Args)]
pub struct ClusterArguments {
    #[command(flatten)]
    pub serve: ServeArguments,
    /// The file to write, such as share/supabase-compat/cluster.tar.gz
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// The command `prepare-cluster`: initialises a database in a folder beside the file, creates roles
/// and schemas, and writes the database into the file.
///
/// # Errors
/// The folder or the file cannot be written, or as for a first start.
pub async fn prepare_cluster(
    mut settings: Settings,
    file: PathBuf,
    schemas: &[SchemaSource],
) -> Result<(), Box<dyn std::error::Error>> {
    let folder = file.with_extension("data");
    if folder.exists() {
        return Err(format!("{} exists already; remove it first", folder.display()).into());
    }
    settings.data_dir.clone_from(&folder);
    let written = write_cluster_archive(&settings, schemas, file).await;
    // A start that failed early has removed the folder.
    let removed = if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
    written?;
    Ok(removed?)
}
