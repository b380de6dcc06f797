//! The command line that every binary of the stack shares.

mod completion;
mod console;
mod db;
mod diff;
mod dump;
mod error;
mod functions;
mod generate;
mod help;
mod inspect;
mod lint;
mod logs;
mod mcp;
mod migration;
mod project;
mod schema_comparison;
mod secrets;
mod seed;
mod shadow;
mod squash;
mod status;
mod stop;
mod table;
mod target;
mod test_db;

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use compat_http::{Clock, Entropy};
use compat_stack::settings::{self, DataArguments, Reader, ServeArguments, SettingsError};
use compat_stack::{ProjectKeys, SigningKeysLocation, start_logging, with_signing_keys};
use compat_token::{RotationError, SigningKeys};

pub use completion::{CompletionCommand, print_completion};
pub use console::{ConsoleCommand, change_console, print_owner_link};
pub use db::{DbCommand, change_database};
pub use error::CommandError;
pub use functions::{
    FunctionLogsArguments, FunctionsCommand, NewFunctionArguments, list_functions, make_function,
};
pub use generate::{GenCommand, generate};
pub use help::with_groups;
pub use inspect::{InspectCommand, inspect};
pub use logs::{LogOutput, LogStart, LogsArguments};
pub use mcp::{McpArguments, serve_mcp};
pub use migration::{MigrationCommand, change_migrations};
pub use project::{
    Project, ProjectArguments, UpArguments, print_start, project_data_dir, start_project,
};
pub(crate) use schema_comparison::{SchemaComparison, SchemaDifference};
pub use secrets::{SecretsCommand, change_secrets};
pub use seed::{SeedCommand, seed};
pub use status::{StatusArguments, print_status};
pub use stop::{StopArguments, stop};
pub use target::{FolderArguments, TargetArguments};
pub use test_db::{TestCommand, test_project};

/// The arguments of `keys`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = ROTATION)]
pub struct KeysArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub act: KeysAction,
}

/// The action; at most one.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
pub struct KeysAction {
    /// Also print what other processes need to share the keys; keep it secret
    #[arg(long)]
    pub private: bool,
    /// List the signing keys with their algorithm and status
    #[arg(long)]
    pub list: bool,
    /// Make a new ES256 standby key: published and verifying, not signing yet
    #[arg(long)]
    pub standby: bool,
    /// Sign with the standby key, or with a new one; the key used so far keeps verifying
    #[arg(long)]
    pub rotate: bool,
    /// Refuse everything that a key has signed; it must not be the one in use
    #[arg(long, value_name = "KID")]
    pub revoke: Option<String>,
}

/// The arguments of `backup` and `restore`.
#[derive(Debug, Clone, Args)]
pub struct BackupArguments {
    #[command(flatten)]
    pub serve: ServeArguments,
    /// The file; it holds keys, so keep it as secret as them
    pub file: PathBuf,
}

/// The help text about changing signing keys without signing anybody out.
const ROTATION: &str = "\
Signing keys have a status: a key stands by, is in use (exactly one), was previously used, and is \
at last revoked. To change the key without signing anybody out:

  1. keys --standby        and restart every server: all of them now know the new key
  2. keys --rotate         and restart them again: new tokens are signed with it, old ones hold
  3. keys --revoke <KID>   once the old tokens have run out (JWT_EXPIRY, an hour if nothing is \
set), and restart

A single server needs no step 1. Revoking ends the access tokens that the key has signed, which \
clients replace with their refresh tokens, and its ANON_KEY and SERVICE_ROLE_KEY, in whose place \
`keys` prints new ones. SUPABASE_PUBLISHABLE_KEY and SUPABASE_SECRET_KEY are not signed and stay.

Where GOTRUE_JWT_KEYS is set, nothing is kept: its new value is printed.";

/// Reads the settings and starts logging.
///
/// # Errors
/// The file named on the command line cannot be read.
pub fn open_settings(data: &DataArguments) -> Result<Reader, SettingsError> {
    let mut reader = settings::reader(data.config.as_deref())?;
    let (level, format) = settings::log_settings(&mut reader);
    start_logging(&level, format);
    Ok(reader)
}

/// The command `keys`: prints the project's keys as an environment file, and creates them first if
/// the folder has none; or lists and changes the signing keys.
///
/// # Errors
/// The settings or the data folder cannot be used.
pub fn print_keys(arguments: &KeysArguments) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = open_settings(&arguments.data)?;
    let key_settings = settings::keys(&mut reader);
    let folder = arguments.data.resolve();
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let act = &arguments.act;
    let text = match act.on_signing_keys() {
        Some(change) => {
            let world = (&clock, &entropy);
            let (report, keys, place) = with_signing_keys(&folder, &key_settings, world, change)?;
            match place {
                SigningKeysLocation::Setting if !act.list => {
                    format!("{report}\nGOTRUE_JWT_KEYS={}\n", keys.to_gotrue_json())
                }
                _ => report,
            }
        }
        None => {
            let keys = ProjectKeys::load_or_create(&folder, &key_settings, &clock, &entropy)?;
            if act.private { keys.private_environment_file() } else { keys.environment_file() }
        }
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

impl KeysAction {
    /// The change of the signing keys, which returns its report; none if the keys are only printed.
    fn on_signing_keys(
        &self,
    ) -> Option<impl FnOnce(&mut SigningKeys) -> Result<String, RotationError>> {
        let Self { private: _, list, standby, rotate, revoke } = self.clone();
        (list || standby || rotate || revoke.is_some()).then_some(move |keys: &mut SigningKeys| {
            Ok(match revoke {
                _ if standby => format!("{} stands by\n", keys.add_standby()?),
                _ if rotate => {
                    let (new, old) = keys.rotate()?;
                    format!("{new} is in use\n{old} was previously used\n")
                }
                Some(kid) => {
                    keys.revoke(&kid)?;
                    format!("{kid} is revoked\n")
                }
                None => list_of(keys),
            })
        })
    }
}

fn list_of(keys: &SigningKeys) -> String {
    let lines = keys.list();
    let line = |key: &compat_token::KeyLine| {
        format!("{}  {}  {}\n", key.kid, key.algorithm, key.status.name())
    };
    lines.iter().map(line).collect()
}
