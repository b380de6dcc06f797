//! The command `status`: the addresses and keys of a served project, and the state of its
//! migrations.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use compat_http::{Clock, Entropy};
use compat_pg::EmbeddedPostgres;
use compat_stack::{ConnectedDatabase, ProjectKeys, Settings, database, print_line};
use secrecy::ExposeSecret as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{CommandError, Project, ProjectArguments};
use crate::project::ProjectFiles;

type Failure = Box<dyn std::error::Error>;

/// Time limit for a connection to the project's server, which is on this machine.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The arguments of `status`.
#[derive(Debug, Clone, Args)]
pub struct StatusArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    /// The format: for people, as an environment file, or as JSON
    #[arg(long, short, value_enum, default_value_t)]
    pub output: StatusFormat,
    /// Rename a variable, for instance api.url=NEXT_PUBLIC_SUPABASE_URL
    #[arg(long, value_name = "KEY=NAME", value_delimiter = ',')]
    pub override_name: Vec<String>,
}

/// The format of the status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum StatusFormat {
    /// For people.
    #[default]
    Pretty,
    /// An environment file.
    Env,
    /// A JSON object.
    Json,
}

/// The official CLI's names of each value: the key of `--override-name` and the variable.
const NAMES: [(&str, &str); 14] = [
    ("api.url", "API_URL"),
    ("api.rest_url", "REST_URL"),
    ("api.functions_url", "FUNCTIONS_URL"),
    ("api.storage_s3_url", "STORAGE_S3_URL"),
    ("db.url", "DB_URL"),
    ("mailpit.url", "MAILPIT_URL"),
    ("inbucket.url", "INBUCKET_URL"),
    ("auth.publishable_key", "PUBLISHABLE_KEY"),
    ("auth.secret_key", "SECRET_KEY"),
    ("auth.jwt_secret", "JWT_SECRET"),
    ("auth.anon_key", "ANON_KEY"),
    ("auth.service_role_key", "SERVICE_ROLE_KEY"),
    ("storage.s3_access_key_id", "S3_PROTOCOL_ACCESS_KEY_ID"),
    ("storage.s3_secret_access_key", "S3_PROTOCOL_ACCESS_KEY_SECRET"),
];

/// The address at which the project is served.
pub(super) async fn project_address(settings: &Settings) -> Result<SocketAddr, CommandError> {
    let address = SocketAddr::new(settings.host, settings.port);
    let reached = timeout(TIMEOUT, TcpStream::connect(address)).await;
    if !matches!(reached, Ok(Ok(_))) {
        let message = format!("nobody serves the project at {address}; supabase-compat up does");
        return Err(CommandError::Failed(message));
    }
    Ok(address)
}

/// Prints whether and where a project is served, its keys, and which migrations its database lacks.
///
/// # Errors
/// The project is not served, or its database cannot be opened.
pub async fn print_status(arguments: StatusArguments) -> Result<(), Failure> {
    let StatusArguments { project, output, override_name } = arguments;
    let names = names(&override_name)?;
    let Project { settings, files } = project.open()?;
    let address = project_address(&settings).await?;
    let keys = ProjectKeys::load_if_kept(
        &settings.data_dir,
        &settings.keys,
        &Clock::system(),
        &Entropy::system(),
    )?;
    let connected = ConnectedDatabase::open(&settings).await?;
    let done = async {
        let service = ServiceStatus::read(&connected, &settings, keys, address).await?;
        match output {
            StatusFormat::Pretty => {
                service.print();
                print_project(&connected, &files).await?;
            }
            StatusFormat::Env => service.named(&names).iter().for_each(|(name, value)| {
                print_line(&format!("{name}={}", serde_json::json!(value)));
            }),
            StatusFormat::Json => {
                print_line(&serde_json::to_string_pretty(&service.named(&names))?);
            }
        }
        Ok::<(), Failure>(())
    }
    .await;
    connected.leave().await;
    done
}

/// The variable of each key.
fn names(others: &[String]) -> Result<BTreeMap<&'static str, String>, CommandError> {
    let mut names: BTreeMap<&str, String> =
        NAMES.iter().map(|(key, name)| (*key, (*name).to_owned())).collect();
    for pair in others {
        let (key, name) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(known) = names.get_mut(key).filter(|_| !name.is_empty()) else {
            let keys: Vec<&str> = NAMES.iter().map(|(key, _)| *key).collect();
            let message = format!(
                "--override-name {pair}: KEY=NAME, where KEY is one of {}",
                keys.join(", ")
            );
            return Err(CommandError::Usage(message));
        };
        name.clone_into(known);
    }
    Ok(names)
}

/// Addresses and keys of a served project.
pub(super) struct ServiceStatus {
    pub url: String,
    pub database: String,
    pub mailbox: Option<String>,
    pub keys: ProjectKeys,
    pub s3: Option<(String, String)>,
    pub jwt_secret: Option<String>,
}

impl ServiceStatus {
    async fn read(
        connected: &ConnectedDatabase,
        settings: &Settings,
        keys: ProjectKeys,
        address: SocketAddr,
    ) -> Result<Self, Failure> {
        let url = settings.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let exposed = |secret: &secrecy::SecretString| secret.expose_secret().to_owned();
        let database = match settings.database.url {
            Some(_) => "as given".to_owned(),
            None => {
                let port = compat_pg::embedded::port_for_programs(&connected.owner).await?;
                match port.and_then(|port| settings.database.address_at(port)) {
                    Some(address) => exposed(&address),
                    None => {
                        EmbeddedPostgres::programs_url_of_running(&database::embedded(settings))?
                    }
                }
            }
        };
        Ok(Self {
            database,
            mailbox: settings.mailbox_address(&url),
            keys,
            s3: settings.storage.s3_key.as_ref().map(|(id, secret)| (id.clone(), exposed(secret))),
            jwt_secret: settings.keys.jwt_secret.as_ref().map(exposed),
            url,
        })
    }

    /// Prints addresses and keys, under the CLI's names.
    pub fn print(&self) {
        let api = &self.keys.api;
        let lines: [(&str, &str); 7] = [
            ("API URL", &self.url),
            ("Database URL", &self.database),
            ("Mailbox URL", self.mailbox.as_deref().unwrap_or_default()),
            ("Publishable key", &api.publishable),
            ("Secret key", &api.secret),
            ("anon key", &api.anon),
            ("service_role key", &api.service_role),
        ];
        for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
            print_line(&format!("{name:>16}: {value}"));
        }
    }

    /// Every value by its variable, without missing ones.
    fn named(&self, names: &BTreeMap<&'static str, String>) -> BTreeMap<String, String> {
        let api = &self.keys.api;
        let below = |path: &str| Some(format!("{}{path}", self.url));
        let (s3_id, s3_secret) = self.s3.clone().unzip();
        let values = [
            ("api.url", Some(self.url.clone())),
            ("api.rest_url", below("/rest/v1")),
            ("api.functions_url", below("/functions/v1")),
            ("api.storage_s3_url", below("/storage/v1/s3").filter(|_| s3_id.is_some())),
            ("db.url", Some(self.database.clone()).filter(|url| url.contains("://"))),
            ("mailpit.url", self.mailbox.clone()),
            ("inbucket.url", self.mailbox.clone()),
            ("auth.publishable_key", Some(api.publishable.clone())),
            ("auth.secret_key", Some(api.secret.clone())),
            ("auth.jwt_secret", self.jwt_secret.clone()),
            ("auth.anon_key", Some(api.anon.clone())),
            ("auth.service_role_key", Some(api.service_role.clone())),
            ("storage.s3_access_key_id", s3_id),
            ("storage.s3_secret_access_key", s3_secret),
        ];
        let named = values.into_iter().filter_map(|(key, value)| {
            let value = value.filter(|value| !value.is_empty())?;
            Some((names.get(key)?.clone(), value))
        });
        named.collect()
    }
}

async fn print_project(connected: &ConnectedDatabase, files: &ProjectFiles) -> Result<(), Failure> {
    let lines = files.list(&connected.owner).await?;
    let applied = lines.iter().filter(|line| line.is_applied).count();
    let pending: Vec<&str> =
        lines.iter().filter(|line| !line.is_applied).map(|line| &*line.version).collect();
    print_line(&format!(
        "{:>16}: {applied} applied, {} pending {}",
        "Migrations",
        pending.len(),
        pending.join(" ")
    ));
    let replaced: Vec<&str> =
        compat_extensions::missing(&connected.owner).await?.iter().map(|one| one.name).collect();
    print_line(&format!(
        "{:>16}: {} (this program does their work)",
        "Extensions",
        replaced.join(", ")
    ));
    let lacking = files.lacking(&connected.owner).await?;
    if !lacking.is_empty() {
        let names = lacking.join(", ");
        print_line(&format!(
            "{:>16}: {names} (migrations ask for them, nobody offers them)",
            "Missing"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_take_the_names_that_are_given() {
        let names = names(&["api.url=NEXT_PUBLIC_SUPABASE_URL".to_owned()]).unwrap();
        assert_eq!(names["api.url"], "NEXT_PUBLIC_SUPABASE_URL");
        assert_eq!(names["auth.anon_key"], "ANON_KEY");
    }

    #[test]
    fn unknown_variables_are_refused_with_those_there_are() {
        for wrong in ["api.urls=X", "api.url", "api.url="] {
            let refusal = names(&[wrong.to_owned()]).unwrap_err().to_string();
            assert!(refusal.contains(wrong) && refusal.contains("db.url"), "{refusal}");
        }
    }
}
