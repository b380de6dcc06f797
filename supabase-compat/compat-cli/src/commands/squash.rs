//! The command `migration squash`: replaces several migrations by one file with the schema that
//! they create.

use std::fs;

use compat_stack::print_line;

use super::Project;
use super::dump::schema_of;
use super::error::at;
use super::shadow::ShadowDatabase;
use crate::project::ProjectFiles;

type Failure = Box<dyn std::error::Error>;

/// Replaces the migrations up to a version, or all of them. The existing database keeps its
/// history, which `migration repair` can correct.
///
/// # Errors
/// A migration fails on a new database, or PostgreSQL's programs are missing; the files then stay
/// as they are.
/// as they are.
pub(super) async fn squash(
    Project { settings, files }: Project,
    version: Option<String>,
) -> Result<(), Failure> {
    let files = match &version {
        Some(version) => files.up_to(version)?,
        None => files,
    };
    let versions: Vec<String> = files.versions().into_iter().map(str::to_owned).collect();
    let paths = files.paths();
    let (Some(last), [_, _, ..]) = (versions.last(), versions.as_slice()) else {
        print_line("There are not two migrations to squash.");
        return Ok(());
    };
    let folder = files.folder().to_owned();
    let shadow = ShadowDatabase::start(&settings, ProjectFiles::clone(&files)).await?;
    let bin_dir = settings.database.bin_dir.clone();
    let text = schema_of(bin_dir, &shadow.connected).await;
    shadow.remove().await;
    let path = folder.join("migrations").join(format!("{last}_squashed.sql"));
    let draft = path.with_extension("sql.partial");
    fs::write(&draft, text?).map_err(at(&draft))?;
    for old in &paths {
        fs::remove_file(old).map_err(at(old))?;
    }
    fs::rename(&draft, &path).map_err(at(&path))?;
    print_line(&format!("Squashed {} migrations to {}", versions.len(), path.display()));
    let others = &versions[..versions.len() - 1];
    print_line(&format!(
        "A database that had them: supabase-compat migration repair --status reverted {}",
        others.join(" ")
    ));
    print_line("Statements on rows, cron jobs, buckets and vault secrets are not in it.");
    Ok(())
}
