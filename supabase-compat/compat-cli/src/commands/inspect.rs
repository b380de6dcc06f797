//! The command `inspect db`: PostgreSQL's statistics on tables, indexes, sessions and statements.

mod reports;

use clap::{Args, Subcommand};

use self::reports::Report;
use super::table::print_table;
use super::{CommandError, Project, ProjectArguments, TargetArguments};

type Failure = Box<dyn std::error::Error>;

/// The subcommands of `inspect`.
#[derive(Debug, Subcommand)]
pub enum InspectCommand {
    /// A database
    #[command(subcommand)]
    Db(DatabaseReport),
}

/// The project and the database to inspect.
#[derive(Debug, Clone, Args)]
pub struct InspectArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    #[command(flatten)]
    pub target: TargetArguments,
}

/// The reports on a database.
#[derive(Debug, Subcommand)]
pub enum DatabaseReport {
    /// Its size, and its cache hit rates
    DbStats(InspectArguments),
    /// Sizes of tables, their rows and their sequential scans
    TableStats(InspectArguments),
    /// Sizes of indexes and how often they are used
    IndexStats(InspectArguments),
    /// Cache hit rates of tables and indexes
    CacheHit(InspectArguments),
    /// Statements that have run for more than five minutes
    LongRunningQueries(InspectArguments),
    /// Statements that took the most time
    Outliers(InspectArguments),
    /// Statements that ran most often
    Calls(InspectArguments),
    /// Statements that hold an exclusive lock
    Locks(InspectArguments),
    /// Statements that wait for another one's lock
    Blocking(InspectArguments),
    /// Unused space in tables and indexes
    Bloat(InspectArguments),
    /// When tables were vacuumed, and whether they will be
    VacuumStats(InspectArguments),
    /// Roles, their sessions and their settings
    RoleStats(InspectArguments),
    /// Replication slots and how far they lag
    ReplicationSlots(InspectArguments),
    /// Reads and writes of tables
    TrafficProfile(InspectArguments),
    /// Transactions until tables must be frozen
    XidAge(InspectArguments),
    /// Sizes of TOAST tables
    ToastSizes(InspectArguments),
}

impl DatabaseReport {
    fn parts(self) -> (Report, InspectArguments) {
        match self {
            Self::DbStats(arguments) => (reports::DB_STATS, arguments),
            Self::TableStats(arguments) => (reports::TABLE_STATS, arguments),
            Self::IndexStats(arguments) => (reports::INDEX_STATS, arguments),
            Self::CacheHit(arguments) => (reports::CACHE_HIT, arguments),
            Self::LongRunningQueries(arguments) => (reports::LONG_RUNNING_QUERIES, arguments),
            Self::Outliers(arguments) => (reports::OUTLIERS, arguments),
            Self::Calls(arguments) => (reports::CALLS, arguments),
            Self::Locks(arguments) => (reports::LOCKS, arguments),
            Self::Blocking(arguments) => (reports::BLOCKING, arguments),
            Self::Bloat(arguments) => (reports::BLOAT, arguments),
            Self::VacuumStats(arguments) => (reports::VACUUM_STATS, arguments),
            Self::RoleStats(arguments) => (reports::ROLE_STATS, arguments),
            Self::ReplicationSlots(arguments) => (reports::REPLICATION_SLOTS, arguments),
            Self::TrafficProfile(arguments) => (reports::TRAFFIC_PROFILE, arguments),
            Self::XidAge(arguments) => (reports::XID_AGE, arguments),
            Self::ToastSizes(arguments) => (reports::TOAST_SIZES, arguments),
        }
    }
}

/// Prints a report.
///
/// # Errors
/// The database cannot be opened, or the server lacks what the report needs.
pub async fn inspect(InspectCommand::Db(report): InspectCommand) -> Result<(), Failure> {
    let (report, InspectArguments { project, target }) = report.parts();
    let Project { settings, files: _ } = project.open()?;
    let connected = target.open(&settings).await?;
    let answered = connected.owner.read_text(report.statement).await;
    connected.leave().await;
    match answered {
        Ok(table) => print_table(report.headings, &table),
        // The server's own message, "relation … does not exist" or "must be loaded", does not say
        // what to do.
        Err(error) if report.needs_statements && is_missing(&error) => {
            return Err(CommandError::NoExtension {
                command: "this report",
                extension: "pg_stat_statements",
                remedy: "load it (shared_preload_libraries = 'pg_stat_statements' in the server's \
                         settings), restart, and create it"
                    .to_owned(),
            }
            .into());
        }
        Err(error) => return Err(CommandError::from(error).into()),
    }
    Ok(())
}

/// Whether the error is an undefined table, or a library that is not loaded.
fn is_missing(error: &compat_pg::PgError) -> bool {
    matches!(error.code(), Some("42P01" | "55000"))
}
