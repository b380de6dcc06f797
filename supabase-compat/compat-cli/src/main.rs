//! `supabase-compat`: the services on one origin, over any database, with no site.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use compat_cli::{
    BackupArguments, DbCommand, FunctionsCommand, InitArguments, KeysArguments, MigrationWatcher,
    MigrationsCommand, NewMigrationAction, PostgresUpgradeOptions, Project, ProjectArguments,
    UpArguments,
};
use compat_stack::settings::{self, ServeArguments, SettingsError};
use compat_stack::{
    Application, Settings, Stack, VERSION_AND_COMMIT, address_for_people, address_of_project,
    listen, print_line,
};

/// Supabase-compatible services in one program.
#[derive(Debug, Parser)]
#[command(version = VERSION_AND_COMMIT, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make an empty project in a folder
    Init(InitArguments),
    /// Look whether a project, or `serve`, could start here, and say what to do where it could not
    Doctor(ProjectArguments),
    /// Bring up a project from its folder: migrations and seeds into a new database, functions,
    /// buckets; then serve
    Up(UpArguments),
    /// Apply a project's migrations, or begin anew
    #[command(subcommand)]
    Db(DbCommand),
    /// Tell which of a project's migrations its database has
    #[command(subcommand)]
    Migrations(MigrationsCommand),
    /// Tell where a project is served, its keys, and which migrations its database has
    Status(ProjectArguments),
    /// Run the services
    Serve(ServeArguments),
    /// Print the project's keys as an environment file
    Keys(KeysArguments),
    /// Make roles and schemas, then stop
    Migrate(ServeArguments),
    /// List functions in TypeScript, serve them while they are written, read what they print
    #[command(subcommand)]
    Functions(FunctionsCommand),
    /// Write database and keys into one file
    Backup(BackupArguments),
    /// Bring them back into an empty data folder or database
    Restore(BackupArguments),
    /// Tell what a start of this version would change on existing data; exit code 100 where it would
    UpgradeCheck(ProjectArguments),
    /// Bring the embedded database to a newer major version of PostgreSQL; the old data are kept
    UpgradePostgres {
        #[command(flatten)]
        project: ProjectArguments,
        #[command(flatten)]
        options: PostgresUpgradeOptions,
    },
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse().command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "the program's last words")]
            {
                eprintln!("{error}");
            }
            compat_cli::exit_code(error.as_ref())
        }
    }
}

async fn run(command: Command) -> Result<(), Box<dyn std::error::Error>> {
    match command {
        Command::Init(arguments) => compat_cli::make_project(&arguments),
        Command::Doctor(arguments) => {
            let (mut settings, files) = arguments.open_if_found()?;
            if files.is_some() {
                settings.serve_as_cli();
            }
            Ok(compat_cli::examine(&settings).await?)
        }
        Command::Up(arguments) => {
            let offer = arguments.offer();
            up(arguments.project.open()?, offer).await
        }
        Command::Db(command) => compat_cli::change_database(command).await,
        Command::Migrations(command) => compat_cli::print_migrations(command).await,
        Command::Status(arguments) => compat_cli::print_status(arguments).await,
        Command::Serve(arguments) => serve(read_settings(&arguments)?).await,
        Command::Functions(FunctionsCommand::Serve { project, no_verify_jwt }) => {
            let (mut settings, files) = project.open_if_found()?;
            settings.functions.verify_jwt &= !no_verify_jwt;
            match files {
                Some(files) => up(Project { settings, files }, None).await,
                None => serve(settings).await,
            }
        }
        Command::Functions(FunctionsCommand::List(project)) => {
            compat_cli::list_functions(&project.open_if_found()?.0)
        }
        Command::Functions(FunctionsCommand::Logs(arguments)) => arguments.print().await,
        Command::Keys(arguments) => compat_cli::print_keys(&arguments),
        Command::Migrate(arguments) => {
            let settings = read_settings(&arguments)?;
            Stack::start(settings, "http://localhost", &[]).await?.stop().await;
            Ok(())
        }
        Command::Backup(arguments) => {
            let settings = read_settings(&arguments.serve)?;
            Ok(compat_cli::backup(&settings, &arguments.file).await?)
        }
        Command::Restore(arguments) => {
            let settings = read_settings(&arguments.serve)?;
            Ok(compat_cli::restore(&settings, &arguments.file, &[]).await?)
        }
        Command::UpgradeCheck(arguments) => {
            compat_cli::check_upgrade(&arguments.open_if_found()?.0, &[]).await
        }
        Command::UpgradePostgres { project, options } => {
            compat_cli::upgrade_postgres(&project.open_if_found()?.0, &options).await
        }
    }
}

async fn serve(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let listener = listen(SocketAddr::new(settings.host, settings.port)).await?;
    let public_url = settings.public_url.clone().unwrap_or_else(|| address_for_people(&listener));
    let stack = Stack::start(settings, &public_url, &[]).await?;
    let router = stack.router(Application::default())?;
    Ok(stack.run(listener, router).await?)
}

async fn up(
    Project { mut settings, files }: Project,
    offer: Option<NewMigrationAction>,
) -> Result<(), Box<dyn std::error::Error>> {
    let began = Instant::now();
    let listener = listen(SocketAddr::new(settings.host, settings.port)).await?;
    let public_url = match &settings.public_url {
        Some(url) => url.clone(),
        None => address_of_project(&listener),
    };
    settings.serve_as_cli();
    settings.prints_progress = true;
    let stack = compat_cli::start_project(settings, &public_url, &files).await?;
    compat_cli::print_start(&stack, began);
    if stack.environment.authenticator.takes_local_keys() {
        print_line(
            "The official CLI's own local keys count as well, since only this machine gets in: whoever \
             reaches this address from elsewhere, by a tunnel or a proxy, could use them.",
        );
    }
    if let Some(offer) = offer {
        let watch = MigrationWatcher::new(files, stack.pools.owner.clone(), offer);
        let stop = stack.stop_token();
        stack.spawn("project.watch", move || watch.clone().run(stop.clone()));
    }
    let router = stack.router(Application::default())?;
    Ok(stack.run(listener, router).await?)
}

fn read_settings(arguments: &ServeArguments) -> Result<Settings, SettingsError> {
    let mut reader = compat_cli::open_settings(&arguments.data)?;
    let mut read = Settings::read(&mut reader, arguments);
    settings::finish(reader)?;
    read.database.serves_projects = true;
    Ok(read)
}
