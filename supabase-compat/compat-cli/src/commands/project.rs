//! The commands of a project's folder: `up`, `db` and `migrations`.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use compat_http::{Clock, Entropy};
use compat_pg::{EmbeddedError, EmbeddedPostgres};
use compat_stack::settings::{self, DataArguments, ServeArguments};
use compat_stack::{
    ConnectedDatabase, ObjectSettings, ProjectKeys, Settings, Stack, database, print_line,
};
use secrecy::ExposeSecret as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::project::{
    NewMigrationAction, ProjectError, ProjectFiles, PushOptions, find_folder, offer_lacking,
};

/// How long somebody on this machine takes to be there.
const PATIENCE: Duration = Duration::from_secs(2);

/// A project and how it is served.
#[derive(Debug, Clone, Args)]
pub struct ProjectArguments {
    #[command(flatten)]
    pub serve: ServeArguments,
    /// The project's folder, which has a folder `supabase` [default: this one, or the nearest above]
    #[arg(default_value = ".", value_name = "DIR")]
    pub dir: PathBuf,
}

/// What `up` can be told.
#[derive(Debug, Clone, Args)]
pub struct UpArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    /// Look for new migrations meanwhile and offer them [default: in a terminal]
    #[arg(long)]
    pub watch: bool,
    /// Apply what is offered without asking
    #[arg(long, requires = "watch")]
    pub yes: bool,
}

impl UpArguments {
    /// How a migration that appears meanwhile is offered, if at all.
    pub fn offer(&self) -> Option<NewMigrationAction> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match (self.yes, is_terminal) {
            (true, _) => Some(NewMigrationAction::Apply),
            (false, true) => Some(NewMigrationAction::Ask),
            (false, false) => self.watch.then_some(NewMigrationAction::Tell),
        }
    }
}

/// What is done to the database of a project.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// Apply the migrations that are new, also while it is served
    Push {
        #[command(flatten)]
        project: ProjectArguments,
        /// Also those older than the last one applied
        #[arg(long)]
        include_all: bool,
        /// Then sow the seeds
        #[arg(long)]
        include_seed: bool,
    },
    /// Take over a project that was hosted elsewhere: its dump, as `pg_dump --format=custom` writes it,
    /// into a database that nobody has used yet
    TakeOver {
        /// The dump
        dump: PathBuf,
        #[command(flatten)]
        project: ProjectArguments,
    },
    /// Begin anew: remove every row and object, apply all migrations, sow the seeds
    Reset(ProjectArguments),
}

/// What is told of migrations.
#[derive(Debug, Subcommand)]
pub enum MigrationsCommand {
    /// List those of the folder beside those of the database
    List(ProjectArguments),
}

type Failure = Box<dyn std::error::Error>;

/// A project found, its settings and files read.
pub struct Project {
    /// How it is served.
    pub settings: Settings,
    /// Its migrations and seeds.
    pub files: ProjectFiles,
}

impl ProjectArguments {
    /// The same where there is such a folder; the settings alone where there is none, or where a file
    /// of settings or a folder of functions is named.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_if_found(self) -> Result<(Settings, Option<ProjectFiles>), Failure> {
        let is_named = self.serve.data.config.is_some() || self.serve.functions.is_some();
        if !is_named && find_folder(&self.dir).is_ok() {
            let Project { settings, files } = self.open()?;
            return Ok((settings, Some(files)));
        }
        let mut reader = super::open_settings(&self.serve.data)?;
        let mut settings = Settings::read(&mut reader, &self.serve);
        settings::finish(reader)?;
        settings.database.serves_projects = true;
        Ok((settings, None))
    }

    /// Finds the folder and reads what is in it. Its data lies below the program's own folder under
    /// the project's name, unless another is given.
    ///
    /// # Errors
    /// There is no such folder, or something in it cannot be used.
    pub fn open(mut self) -> Result<Project, Failure> {
        let folder = find_folder(&self.dir)?;
        let data = &mut self.serve.data;
        let file = folder.join("config.toml");
        if data.config.is_none() && file.is_file() {
            data.config = Some(file);
        }
        if self.serve.functions.is_none() {
            self.serve.functions = Some(folder.join("functions")).filter(|lying| lying.is_dir());
        }
        let mut reader = super::open_settings(data)?;
        if data.data_dir.is_none() {
            let id = settings::project(&mut reader).id;
            data.data_dir = Some(data.resolve().join(id.unwrap_or_else(|| named_after(&folder))));
        }
        settings::preset_as_cli(&mut reader);
        let mut settings = Settings::read(&mut reader, &self.serve);
        settings::finish(reader)?;
        settings.database.serves_projects = true;
        let files = ProjectFiles::read(&folder, &settings.project)?;
        Ok(Project { settings, files })
    }
}

/// The data folder that is named, or the one of the project in or above this folder, or the program's
/// own.
///
/// # Errors
/// When the project's file cannot be read.
pub fn project_data_dir(data: &DataArguments) -> Result<PathBuf, Failure> {
    let folder = find_folder(Path::new(".")).ok();
    let Some(folder) = folder.filter(|_| data.data_dir.is_none() && data.config.is_none()) else {
        return Ok(data.resolve());
    };
    let file = Some(folder.join("config.toml")).filter(|file| file.is_file());
    let mut reader = settings::reader(file.as_deref())?;
    let id = settings::project(&mut reader).id;
    Ok(data.resolve().join(id.unwrap_or_else(|| named_after(&folder))))
}

/// The name of the folder that `supabase` lies in, as the CLI takes it.
fn named_after(folder: &Path) -> String {
    let parent = folder.parent().and_then(Path::file_name);
    parent.map_or_else(|| "project".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Starts a project: before any service runs, its migrations and seeds are applied to a database
/// that has not been set up by it ([`ProjectFiles::bring_up`]).
///
/// # Errors
/// What could not be started, and what is wrong with a file.
pub async fn start_project(
    settings: Settings,
    public_url: &str,
    files: &ProjectFiles,
) -> Result<Stack, Failure> {
    let prepared = Stack::prepare(settings, public_url, &[]).await?;
    offer_lacking(prepared.settings(), prepared.owner(), files).await?;
    files.bring_up(prepared.owner()).await?;
    Ok(prepared.start().await?)
}

/// Says where a stack that was started is reached, with which keys.
pub fn print_start(stack: &Stack, began: Instant) {
    let url = &stack.environment.public_url;
    let database = stack.own_database().unwrap_or_else(|| "as given".to_owned());
    let mailbox = stack.settings().mailbox_address(url);
    print_line(&format!("Started in {:.1} s.\n", began.elapsed().as_secs_f64()));
    print_addresses(url, &stack.keys, &database, mailbox.as_deref());
    print_line("");
}

/// Runs one of the commands on a database.
///
/// # Errors
/// What [`ProjectError`] says, or what stands in the way of the database.
pub async fn change_database(command: DbCommand) -> Result<(), Failure> {
    match command {
        DbCommand::Push { project, include_all, include_seed } => {
            let Project { settings, files } = project.open()?;
            let connected = ConnectedDatabase::prepared(&settings).await?;
            offer_lacking(&settings, &connected.owner, &files).await?;
            let done =
                files.push(&connected.owner, PushOptions { include_all, include_seed }).await;
            // Left before the outcome is returned: a failure must not skip stopping a server that
            // was started for this command.
            connected.leave().await;
            Ok(done?)
        }
        DbCommand::TakeOver { dump, project } => {
            let Project { settings, files } = project.open()?;
            Ok(crate::adopt(&settings, &files, &dump).await?)
        }
        DbCommand::Reset(project) => {
            let Project { settings, files } = project.open()?;
            clear(&settings).await?;
            let connected = ConnectedDatabase::prepared(&settings).await?;
            offer_lacking(&settings, &connected.owner, &files).await?;
            let done = files.bring_up(&connected.owner).await;
            connected.leave().await;
            Ok(done?)
        }
    }
}

/// Tells what folder and database have.
///
/// # Errors
/// As [`change_database`].
pub async fn print_migrations(command: MigrationsCommand) -> Result<(), Failure> {
    let MigrationsCommand::List(project) = command;
    let Project { settings, files } = project.open()?;
    let connected = ConnectedDatabase::prepared(&settings).await?;
    let listed = files.list(&connected.owner).await;
    connected.leave().await;
    print_line("local           database        name");
    for line in listed? {
        let local = line.local.as_ref().map_or("", |_| &line.version);
        let applied = if line.is_applied { &*line.version } else { "" };
        print_line(&format!("{local:<16}{applied:<16}{}", line.local.unwrap_or_default()));
    }
    Ok(())
}

/// Tells whether a project is served, where, with which keys, and what of it its database lacks.
///
/// # Errors
/// As [`change_database`]; nobody serves it.
pub async fn print_status(project: ProjectArguments) -> Result<(), Failure> {
    let Project { settings, files } = project.open()?;
    let address = SocketAddr::new(settings.host, settings.port);
    let found = timeout(PATIENCE, TcpStream::connect(address)).await;
    if !matches!(found, Ok(Ok(_))) {
        let message = format!("nobody serves the project at {address}; supabase-compat up does");
        return Err(message.into());
    }
    let keys = ProjectKeys::load_if_kept(
        &settings.data_dir,
        &settings.keys,
        &Clock::system(),
        &Entropy::system(),
    )?;
    let connected = ConnectedDatabase::open(&settings).await?;
    let told = status_of(&connected, &settings, &files, &keys, address).await;
    connected.leave().await;
    told
}

async fn status_of(
    connected: &ConnectedDatabase,
    settings: &Settings,
    files: &ProjectFiles,
    keys: &ProjectKeys,
    address: SocketAddr,
) -> Result<(), Failure> {
    let url = settings.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let door = match settings.database.url {
        Some(_) => None,
        None => compat_pg::embedded::port_for_programs(&connected.owner).await?,
    };
    let address = door.and_then(|port| settings.database.address_at(port));
    let programs = match settings.database.url {
        Some(_) => String::new(),
        None => EmbeddedPostgres::programs_url_of_running(&database::embedded(settings))?,
    };
    let database = match (&settings.database.url, &address) {
        (Some(_), _) => "as given",
        (None, Some(address)) => address.expose_secret(),
        (None, None) => programs.as_str(),
    };
    print_addresses(&url, keys, database, settings.mailbox_address(&url).as_deref());
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
    let done: Vec<&str> =
        compat_extensions::missing(&connected.owner).await?.iter().map(|one| one.name).collect();
    print_line(&format!(
        "{:>16}: {} (this program does their work)",
        "Extensions",
        done.join(", ")
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

/// Removes the database and the objects of a project that nobody serves; its keys stay.
async fn clear(settings: &Settings) -> Result<(), Failure> {
    if settings.database.url.is_some() || settings.database.acting_url.is_some() {
        return Err(ProjectError::NotOurs.into());
    }
    // Started once more, which only one process can.
    match EmbeddedPostgres::start(database::embedded(settings)).await {
        Ok(server) => server.stop().await,
        Err(EmbeddedError::InUse { .. }) => return Err(ProjectError::InUse.into()),
        Err(error) => return Err(error.into()),
    }
    let objects = match &settings.objects {
        ObjectSettings::Files(config) => Some(config.folder.clone()),
        ObjectSettings::Remote(_) => None,
    };
    for folder in objects.into_iter().chain([settings.data_dir.join("data")]) {
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(ProjectError::File { path: folder, source: error }.into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Addresses and keys, in the CLI's words.
fn print_addresses(url: &str, keys: &ProjectKeys, database: &str, mailbox: Option<&str>) {
    let lines = [
        ("API URL", url.to_owned()),
        ("Database URL", database.to_owned()),
        ("Mailbox URL", mailbox.unwrap_or_default().to_owned()),
        ("Publishable key", keys.api.publishable.clone()),
        ("Secret key", keys.api.secret.clone()),
        ("anon key", keys.api.anon.clone()),
        ("service_role key", keys.api.service_role.clone()),
    ];
    for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
        print_line(&format!("{name:>16}: {value}"));
    }
}
