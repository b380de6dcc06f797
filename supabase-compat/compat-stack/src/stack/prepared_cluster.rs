//! A cluster with roles and schemas that a program's package contains, so that a first start need
//! not make them.

use std::path::PathBuf;

use compat_pg::embedded::{ClusterArchive, SchemaVersion};
use compat_pg::{EmbeddedPostgres, Pools, SchemaSource};

use super::{StackError, database};
use crate::Settings;

/// The archive of this program's package, or the one of the settings; none if there is no such
/// file.
pub(super) fn for_start(settings: &Settings, schemas: &[SchemaSource]) -> Option<ClusterArchive> {
    let path = match &settings.database.cluster_archive {
        Some(path) => path.clone(),
        None => path_in_package()?,
    };
    // The hashes of the schemas take a few milliseconds.
    path.exists().then(|| archive(settings, schemas, path))
}

/// `share/<program>/cluster.tar.gz`, beside the folder of this program.
fn path_in_package() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let package = program.parent()?.parent()?;
    Some(package.join("share").join(program.file_name()?).join("cluster.tar.gz"))
}

fn archive(settings: &Settings, schemas: &[SchemaSource], path: PathBuf) -> ClusterArchive {
    let mut sources = database::own_schemas(settings, schemas);
    if database::is_project(schemas) {
        sources.extend(compat_extensions::ALL.iter().map(|one| one.source));
    }
    ClusterArchive {
        path,
        schemas: sources.iter().map(SchemaVersion::of).collect(),
        optional: vec![SchemaVersion::of(&compat_console::SCHEMA)],
    }
}

/// Initialises and migrates a database in the data folder, which must be new, and writes it into
/// the file. No keys or passwords are in it. The schema of the console is, which some starts need.
///
/// # Errors
/// As for a first start, or the file cannot be written.
pub async fn write_cluster_archive(
    settings: &Settings,
    schemas: &[SchemaSource],
    path: PathBuf,
) -> Result<(), StackError> {
    let mut settings = settings.clone();
    // The archive is a database of our own, whatever the settings say.
    (settings.database.url, settings.database.acting_url) = (None, None);
    settings.console.serve_at_this_machine();
    let config = database::embedded(&settings);
    let server = EmbeddedPostgres::start(config.clone()).await?;
    let prepare = async {
        let pools = Pools::connect(&server.connect_config()).await?;
        let prepared = database::prepare(&settings, &pools.owner, schemas).await;
        pools.close().await;
        prepared
    };
    if let Err(error) = prepare.await {
        server.stop().await;
        return Err(error);
    }
    let archive = ClusterArchive { optional: Vec::new(), ..archive(&settings, schemas, path) };
    Ok(server.pack(config, archive).await?)
}
