//! The command line of the services: all commands besides serving.
//!
//! Its commands print keys, write and restore backups, create a project and check whether it could
//! start or is ready, start a project from its folder and apply its migrations, compare, dump and
//! inspect its database, generate types for clients, take over a dump of a hosted project, list
//! functions, and upgrade the data folder. Every binary of the stack shares it. It does not know
//! how requests are answered.

mod adopt;
mod cluster;
mod commands;
mod doctor;
mod health;
mod init;
mod manual;
mod project;
mod upgrade_check;
mod upgrade_postgres;

pub use adopt::{AdoptError, adopt};
pub use cluster::{ClusterArguments, prepare_cluster};
pub use commands::{
    BackupArguments, CommandError, CompletionCommand, ConsoleCommand, DbCommand, FolderArguments,
    FunctionLogsArguments, FunctionsCommand, GenCommand, InspectCommand, KeysAction, KeysArguments,
    LogOutput, LogStart, LogsArguments, McpArguments, MigrationCommand, NewFunctionArguments,
    Project, ProjectArguments, SecretsCommand, SeedCommand, StatusArguments, StopArguments,
    TargetArguments, TestCommand, UpArguments, change_console, change_database, change_migrations,
    change_secrets, generate, inspect, list_functions, make_function, open_settings,
    print_completion, print_keys, print_owner_link, print_start, print_status, project_data_dir,
    seed, serve_mcp, start_project, stop, test_project, with_groups,
};
pub use compat_stack::backup::{BackupError, backup, restore};
pub use doctor::{DoctorError, examine};
pub use health::{HealthError, check_health};
pub use init::{InitArguments, InitError, make_project};
pub use manual::{ManualArguments, write_manual};
pub use project::{ChangeAction, ProjectError, ProjectFiles, ProjectWatcher, WatchOptions};
pub use upgrade_check::{UpgradePending, check_upgrade, exit_code};
pub use upgrade_postgres::{PostgresUpgradeError, PostgresUpgradeOptions, upgrade_postgres};
