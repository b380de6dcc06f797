//! `supabase-compat`: the services on one origin, over any database, without an application.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Instant;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use compat_cli::{
    BackupArguments, ClusterArguments, CompletionCommand, ConsoleCommand, DbCommand,
    FunctionsCommand, GenCommand, InitArguments, InspectCommand, KeysArguments, LogsArguments,
    ManualArguments, McpArguments, MigrationCommand, PostgresUpgradeOptions, Project,
    ProjectArguments, ProjectWatcher, SecretsCommand, SeedCommand, StatusArguments, StopArguments,
    TestCommand, UpArguments, WatchOptions,
};
use compat_stack::settings::{self, ServeArguments, SettingsError};
use compat_stack::{
    Application, Settings, Stack, VERSION_AND_COMMIT, address_for_people, address_of_project,
    listen, print_line,
};

/// Supabase-compatible services in one program.
#[derive(Debug, Parser)]
#[command(name = "supabase-compat", version = VERSION_AND_COMMIT)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create an empty project in a folder
    Init(InitArguments),
    /// Check whether a project, or `serve`, could start here, and say what to do if not
    Doctor(ProjectArguments),
    /// Start a project from its folder: apply migrations and seeds to a new database, serve
    /// functions and buckets
    Up(UpArguments),
    /// Stop a project's server, wherever it was started
    Stop(StopArguments),
    /// Print where a project is served, its keys, and the state of its migrations
    Status(StatusArguments),
    /// Change, compare, dump and check a project's database
    #[command(subcommand)]
    Db(DbCommand),
    /// Create, list and apply migrations
    #[command(subcommand, visible_alias = "migrations")]
    Migration(MigrationCommand),
    /// Inspect a database: sizes, locks, slow statements
    #[command(subcommand)]
    Inspect(InspectCommand),
    /// Fill a project that is served
    #[command(subcommand)]
    Seed(SeedCommand),
    /// Run a project's tests
    #[command(subcommand)]
    Test(TestCommand),
    /// Print completions of these commands for a shell
    #[command(subcommand)]
    Completion(CompletionCommand),
    /// Run the services
    Serve(ServeArguments),
    /// Ask the operator's port whether the server is ready
    Health(ServeArguments),
    /// Print the project's keys as an environment file
    Keys(KeysArguments),
    /// Give operators access to the console who cannot sign in
    #[command(subcommand)]
    Console(ConsoleCommand),
    /// Create or migrate roles and schemas, then stop
    Migrate(ServeArguments),
    /// Create and list functions in TypeScript, serve them during development, print their output
    #[command(subcommand)]
    Functions(FunctionsCommand),
    /// Generate types of the database for clients, or a signing key
    #[command(subcommand)]
    Gen(GenCommand),
    /// Print what the services and the database logged
    Logs(LogsArguments),
    /// Serve the tools for agents over standard input and output (Model Context Protocol)
    Mcp(McpArguments),
    /// Set the environment variables of functions
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Write database and keys into one file
    Backup(BackupArguments),
    /// Restore a backup into an empty data folder or database
    Restore(BackupArguments),
    /// Print what a start of this version would change on existing data; exit code 100 if anything
    UpgradeCheck(ProjectArguments),
    /// Upgrade the embedded database to a newer major version of PostgreSQL; the old data are kept
    UpgradePostgres {
        #[command(flatten)]
        project: ProjectArguments,
        #[command(flatten)]
        options: PostgresUpgradeOptions,
    },
    /// Write manual pages and completions into a folder
    #[command(hide = true)]
    Manual(ManualArguments),
    /// Write a new database with all schemas into a file, for a package
    #[command(hide = true)]
    PrepareCluster(ClusterArguments),
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let matches = compat_cli::with_groups(Arguments::command()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match run(arguments.command).await {
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
            let watch = arguments.watch_options();
            up(arguments.project.open()?, watch).await
        }
        Command::Db(command) => compat_cli::change_database(command).await,
        Command::Migration(command) => compat_cli::change_migrations(command).await,
        Command::Status(arguments) => compat_cli::print_status(arguments).await,
        Command::Stop(arguments) => compat_cli::stop(arguments).await,
        Command::Inspect(command) => compat_cli::inspect(command).await,
        Command::Seed(command) => compat_cli::seed(command).await,
        Command::Test(command) => compat_cli::test_project(command).await,
        Command::Secrets(command) => Ok(compat_cli::change_secrets(command)?),
        Command::Completion(shell) => {
            compat_cli::print_completion(shell, &mut Arguments::command());
            Ok(())
        }
        Command::Serve(arguments) => serve(read_settings(&arguments)?).await,
        Command::Health(arguments) => {
            Ok(compat_cli::check_health(&read_settings(&arguments)?).await?)
        }
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
        Command::Gen(command) => compat_cli::generate(command).await,
        Command::Functions(FunctionsCommand::New(arguments)) => {
            Ok(compat_cli::make_function(&arguments)?)
        }
        Command::Functions(FunctionsCommand::Logs(arguments)) => {
            arguments.print(&compat_cli::project_data_dir(&arguments.data)?).await
        }
        Command::Logs(arguments) => {
            arguments.print(&compat_cli::project_data_dir(&arguments.data)?).await
        }
        Command::Mcp(arguments) => compat_cli::serve_mcp(arguments).await,
        Command::Keys(arguments) => compat_cli::print_keys(&arguments),
        Command::Console(command) => compat_cli::change_console(command).await,
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
        Command::Manual(arguments) => {
            Ok(compat_cli::write_manual(Arguments::command(), &arguments.dir)?)
        }
        Command::PrepareCluster(arguments) => {
            let settings = read_settings(&arguments.serve)?;
            compat_cli::prepare_cluster(settings, arguments.file, &[]).await
        }
        Command::UpgradeCheck(arguments) => {
            let (mut settings, files) = arguments.open_if_found()?;
            if files.is_some() {
                // A project is served by `up`, which also serves the console.
                settings.serve_as_cli();
            }
            compat_cli::check_upgrade(&settings, &[]).await
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
    watch: Option<WatchOptions>,
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
    if let Some(options) = watch {
        let (settings, owner) = (stack.settings().clone(), stack.pools.owner.clone());
        let watcher = ProjectWatcher::new(files, settings, owner, options);
        let stop = stack.stop_token();
        stack.spawn("project.watch", move || watcher.clone().run(stop.clone()));
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
