//! The command `gen`: generates types for clients, and signing keys.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use compat_http::Entropy;
use compat_pg::{ConnectConfig, Pools};
use compat_stack::settings::{self, ServeArguments};
use compat_stack::{ConnectedDatabase, Settings};
use compat_token::{SigningAlgorithm, new_private_jwk};
use compat_typegen::{AccessControl, Metadata, SchemaFilter, TypescriptOptions};
use serde_json::{Map, Value};

use super::ProjectArguments;
use crate::project::find_folder;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The schema that every project has.
const PUBLIC: &str = "public";

/// The subcommands of `gen`.
#[derive(Debug, Subcommand)]
pub enum GenCommand {
    /// Write types of the database for clients
    Types(Box<TypesArguments>),
    /// Make a private key that signs tokens, for `signing_keys_path` below `[auth]`
    SigningKey(SigningKeyArguments),
}

/// The arguments of `gen types`.
#[derive(Debug, Args)]
pub struct TypesArguments {
    /// The language [default: typescript]
    #[arg(value_enum)]
    pub language: Option<Language>,
    /// As the argument, in the form of the official CLI
    #[arg(long, value_enum, conflicts_with = "language")]
    pub lang: Option<Language>,
    /// Read the project in this folder [default]
    #[arg(long, conflicts_with_all = ["db_url", "remote"])]
    pub local: bool,
    /// Read the database at this URL
    #[arg(long, value_name = "URL")]
    pub db_url: Option<String>,
    /// As --db-url, in the form of the official CLI since version 3
    #[arg(long, value_name = "URL", require_equals = true, conflicts_with = "db_url")]
    pub remote: Option<String>,
    /// Schemas, separated by commas [default: public and those of `schemas` below `[api]`]
    #[arg(long, short, value_name = "SCHEMA", value_delimiter = ',')]
    pub schema: Vec<String>,
    /// Time limit of each query to the database; 0 for no limit
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = duration)]
    pub query_timeout: Duration,
    /// The access level of declarations in Swift
    #[arg(long, value_enum, default_value = "internal")]
    pub swift_access_control: SwiftAccess,
    /// Leave out which relationships are one to one, as with PostgREST 9
    #[arg(long)]
    pub postgrest_v9_compat: bool,
    /// The project's folder
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workdir: PathBuf,
    #[command(flatten)]
    pub serve: ServeArguments,
}

/// The language of the generated types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    Typescript,
    Go,
    Swift,
    Python,
}

/// The access level of declarations in Swift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SwiftAccess {
    Internal,
    Public,
    Private,
    Package,
}

/// The arguments of `gen signing-key`.
#[derive(Debug, Args)]
pub struct SigningKeyArguments {
    /// The algorithm of the key
    #[arg(long, value_name = "ALGORITHM", default_value = "ES256", value_parser = algorithm())]
    pub algorithm: SigningAlgorithm,
    /// Add the key to the project's keys instead of replacing them
    #[arg(long)]
    pub append: bool,
    /// Replace the keys without a question
    #[arg(long)]
    pub yes: bool,
    /// The project's folder
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workdir: PathBuf,
}

fn algorithm() -> impl clap::builder::TypedValueParser<Value = SigningAlgorithm> {
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(["ES256", "RS256"]).map(|name| match name.as_str() {
        "RS256" => SigningAlgorithm::Rs256,
        _ => SigningAlgorithm::Es256,
    })
}

/// Runs a subcommand.
///
/// # Errors
/// The database or a file cannot be used.
pub async fn generate(command: GenCommand) -> Outcome {
    match command {
        GenCommand::Types(arguments) => print_types(*arguments).await,
        GenCommand::SigningKey(arguments) => make_signing_key(&arguments),
    }
}

async fn print_types(arguments: TypesArguments) -> Outcome {
    let TypesArguments { language, lang, db_url, remote, schema, serve, workdir, .. } = arguments;
    let language = language.or(lang).unwrap_or(Language::Typescript);
    let address = db_url.or(remote);
    if arguments.postgrest_v9_compat && address.is_none() {
        return Err("--postgrest-v9-compat must be used together with --db-url".into());
    }
    let settings = ProjectArguments { serve, dir: workdir, workdir: None };
    let settings = match address {
        // With an address and schemas, the project's settings are not needed.
        Some(_) if !schema.is_empty() => None,
        _ => Some(settings.open_if_found()?.0),
    };
    let schemas = if schema.is_empty() { schemas_of(settings.as_ref()) } else { schema };
    let filter = SchemaFilter::new(schemas, Vec::new());
    let query_timeout = arguments.query_timeout;
    let metadata = match (address, &settings) {
        (Some(address), _) => {
            let pools = Pools::connect(&ConnectConfig::new(address)).await?;
            let read =
                compat_typegen::introspect_database(&pools.owner, &filter, query_timeout).await;
            pools.close().await;
            read
        }
        (None, Some(settings)) => {
            let connected = ConnectedDatabase::open(settings).await?;
            let owner = &connected.owner;
            let read = compat_typegen::introspect_database(owner, &filter, query_timeout).await;
            connected.leave().await;
            read
        }
        (None, None) => Ok(Metadata::default()),
    };
    let metadata = metadata.map_err(|error| format!("the catalogue cannot be read: {error}"))?;
    let text = match language {
        Language::Typescript => compat_typegen::typescript(
            &metadata,
            &TypescriptOptions {
                detects_one_to_one: !arguments.postgrest_v9_compat,
                postgrest_version: None,
            },
        ),
        Language::Go => compat_typegen::go(&metadata),
        Language::Swift => compat_typegen::swift(&metadata, arguments.swift_access_control.into()),
        Language::Python => compat_typegen::python(&metadata),
    };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    io::stdout().write_all(format!("{text}{end}").as_bytes())?;
    Ok(())
}

/// The exposed schemas, `public` first.
fn schemas_of(settings: Option<&Settings>) -> Vec<String> {
    let served = settings.map(|settings| settings.rest.schemas.as_slice()).unwrap_or_default();
    let others = served.iter().filter(|schema| *schema != PUBLIC);
    [PUBLIC.to_owned()].into_iter().chain(others.cloned()).collect()
}

impl From<SwiftAccess> for AccessControl {
    fn from(access: SwiftAccess) -> Self {
        match access {
            SwiftAccess::Internal => Self::Internal,
            SwiftAccess::Public => Self::Public,
            SwiftAccess::Private => Self::Private,
            SwiftAccess::Package => Self::Package,
        }
    }
}

/// Parses a duration in Go's syntax, such as `15s`, `1m30s` or `500ms`; 0 needs no unit.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a duration such as 15s or 1m30s, found {text:?}");
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
        let (number, unit) = rest.split_at(digits);
        let end = unit.find(|c: char| c.is_ascii_digit()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at(end);
        let scale = match unit {
            "ns" => 1e-9,
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        seconds += number.parse::<f64>().map_err(|_| wrong())? * scale;
        rest = after;
    }
    if text.is_empty() {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

fn make_signing_key(arguments: &SigningKeyArguments) -> Outcome {
    let kid = Entropy::system().uuid().to_string();
    let key = new_private_jwk(arguments.algorithm, &kid)?;
    let project = find_folder(&arguments.workdir).ok();
    let Some(file) = project.as_deref().map(keys_file).transpose()?.flatten() else {
        io::stdout().write_all(format!("{key}\n").as_bytes())?;
        say("\nTo enable JWT signing keys in your local project:\n\
             1. Save the generated key, in an array, to supabase/signing_keys.json\n\
             2. Update your supabase/config.toml with the new keys path\n\n\
             [auth]\nsigning_keys_path = \"./signing_keys.json\"\n");
        return Ok(());
    };
    let mut keys = if arguments.append { keys_in(&file)? } else { Vec::new() };
    if !arguments.append && !arguments.yes && file.exists() && !may_replace(&file)? {
        return Err("nothing was changed".into());
    }
    keys.push(key);
    let count = keys.len();
    let text = format!("{}\n", serde_json::to_string_pretty(&keys)?);
    write_privately(&file, text.as_bytes())
        .map_err(|error| format!("{}: {error}", file.display()))?;
    say(&format!("JWT signing key appended to: {} (now contains {count} keys)", file.display()));
    if count == 1 {
        say(
            "IMPORTANT: add the path of the signing keys to .gitignore, so that nobody commits them.",
        );
    }
    Ok(())
}

/// The file of signing keys that a project's configuration names.
fn keys_file(folder: &Path) -> Result<Option<PathBuf>, Box<dyn std::error::Error>> {
    let file = folder.join("config.toml");
    if !file.is_file() {
        return Ok(None);
    }
    let mut reader = settings::reader(Some(&file))?;
    let path = reader.text(&[], "auth.signing_keys_path").filter(|path| !path.is_empty());
    Ok(path.map(|path| folder.join(path.trim_start_matches("./"))))
}

fn keys_in(file: &Path) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| format!("{}: {error}", file.display()))?,
    };
    let keys: Vec<Map<String, Value>> = serde_json::from_str(&text)
        .map_err(|error| format!("{}: expected an array of keys: {error}", file.display()))?;
    Ok(keys.into_iter().map(Value::Object).collect())
}

/// Writes a file that only its owner can read; it replaces the old one once it is complete.
fn write_privately(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = file.with_extension("json.draft");
    let mut result =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    result.write_all(bytes)?;
    result.sync_all()?;
    fs::rename(&draft, file)
}

/// Asks in a terminal; without one, the keys are replaced, as by the official CLI.
fn may_replace(file: &Path) -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        return Ok(true);
    }
    say(&format!("Do you want to overwrite the existing {} file? [Y/n]", file.display()));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes"))
}

/// Prints a line on standard error, because standard output may carry the keys.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_writes_them() {
        assert_eq!(duration("15s"), Ok(Duration::from_secs(15)));
        assert_eq!(duration("1m30s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        for wrong in ["", "15", "s", "15 s", "-1s", "1d", "1e99h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
