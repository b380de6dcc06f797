//! The command line of the services: what is done beside serving, with the files it is done to.
//!
//! It prints keys, writes and reads backups, makes a project and looks whether it could start, brings
//! one up from its folder and applies its migrations, adopts a dump of a hosted project, lists functions, and
//! upgrades what a data folder holds. Every binary over the stack shares it. It does not know how a request is answered.

mod adopt;
mod backup;
mod commands;
mod doctor;
mod init;
mod project;
mod upgrade_check;
mod upgrade_postgres;

pub use adopt::{AdoptError, adopt};
pub use backup::{BackupError, backup, restore};
pub use commands::{
    BackupArguments, DbCommand, FunctionsCommand, KeysAction, KeysArguments, LogsArguments,
    MigrationsCommand, Project, ProjectArguments, UpArguments, change_database, list_functions,
    open_settings, print_keys, print_migrations, print_start, print_status, start_project,
};
pub use doctor::{DoctorError, examine};
pub use init::{InitArguments, InitError, make_project};
pub use project::{MigrationWatcher, NewMigrationAction, ProjectError, ProjectFiles};
pub use upgrade_check::{UpgradePending, check_upgrade, exit_code};
pub use upgrade_postgres::{PostgresUpgradeError, PostgresUpgradeOptions, upgrade_postgres};
