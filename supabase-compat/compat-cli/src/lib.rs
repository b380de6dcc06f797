//! The command line of the services: what is done beside serving, with the files it is done to.
//!
//! It prints keys, writes and reads backups, brings up a project from its folder and applies its
//! migrations, adopts a dump of a hosted project, and lists functions. Every binary over the stack
//! shares it. It does not know how a request is answered.

mod adopt;
mod backup;
mod commands;
mod project;

pub use adopt::{AdoptError, adopt};
pub use backup::{BackupError, backup, restore};
pub use commands::{
    BackupArguments, DbCommand, FunctionsCommand, KeysAction, KeysArguments, LogsArguments,
    MigrationsCommand, Project, ProjectArguments, UpArguments, change_database, list_functions,
    open_settings, print_addresses, print_keys, print_migrations, print_status, start_project,
};
pub use project::{MigrationWatcher, NewMigrationAction, ProjectError, ProjectFiles};
