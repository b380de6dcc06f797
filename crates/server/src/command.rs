//! The command line, and how the site is assembled from its crates.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use compat_cli::{
    BackupArguments, ClusterArguments, KeysArguments, LogsArguments, ManualArguments,
    PostgresUpgradeOptions,
};
use compat_stack::http::SettingProblem;
use compat_stack::mail::{Outbox, Renderer, dispatch_emails};
use compat_stack::pg::Pools;
use compat_stack::settings::ServeArguments;
use compat_stack::{
    Application, Settings, Stack, StackError, VERSION_AND_COMMIT, address_for_people, listen,
};
use ranking::Pictures;
use site_pages::{Build, PageEnvironment};

use crate::copier::Copier;
use crate::demo;
use crate::pool_budgets;
use crate::settings::{self, SiteSettings};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The demonstration accounts have a published password.
const NOT_FOR_PRODUCTION: &str = "demonstration data is not for production";

/// How long a worker may take to render and deliver an email; longer than the timeout of any relay.
const MAIL_LEASE: Duration = Duration::from_secs(60);

/// Palmarès: find private game servers and vote for them.
#[derive(Debug, Parser)]
#[command(name = "palmares", version = VERSION_AND_COMMIT)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the site
    Serve {
        #[command(flatten)]
        serve: ServeArguments,
        /// Load the demonstration data when the database is new
        #[arg(long)]
        demo: bool,
        /// Serve the pages built in this folder instead of those inside the program
        #[arg(long, value_name = "DIR", env = "PAGES_DIR")]
        pages_dir: Option<PathBuf>,
    },
    /// Ask the operator's port whether the server is ready
    Health(ServeArguments),
    /// Check whether the site could start here, and say what to do if not
    Doctor(ServeArguments),
    /// Print the project's keys as an environment file
    Keys(KeysArguments),
    /// Give operators access to the console who cannot sign in
    #[command(subcommand)]
    Console(ConsoleCommand),
    /// Create or migrate roles and schemas, then stop
    Migrate(ServeArguments),
    /// Print what the services and the database logged
    Logs(LogsArguments),
    /// Write database and keys into one file
    Backup(BackupArguments),
    /// Restore a backup into an empty data folder or database
    Restore(BackupArguments),
    /// Print what a start of this version would change on existing data; exit code 100 if anything
    UpgradeCheck(ServeArguments),
    /// Upgrade the embedded database to a newer major version of PostgreSQL; the old data are kept
    UpgradePostgres {
        #[command(flatten)]
        serve: ServeArguments,
        #[command(flatten)]
        options: PostgresUpgradeOptions,
    },
    /// Load or remove the demonstration data
    Demo(DemoArguments),
    /// Write manual pages and completions into a folder
    #[command(hide = true)]
    Manual(ManualArguments),
    /// Write a new database with all schemas into a file, for a package
    #[command(hide = true)]
    PrepareCluster(ClusterArguments),
}

#[derive(Debug, Subcommand)]
enum ConsoleCommand {
    /// Print a link that creates another owner, for when no owner can sign in; it works once within
    /// 24 hours
    OwnerLink(ServeArguments),
}

#[derive(Debug, Args)]
struct DemoArguments {
    #[command(flatten)]
    serve: ServeArguments,
    /// Remove the demonstration data
    #[arg(long)]
    remove: bool,
}

impl Arguments {
    /// Runs the command.
    pub async fn run(self) -> Outcome {
        match self.command {
            Command::Serve { serve, demo, pages_dir } => {
                run_site(&serve, demo, pages_dir.as_deref()).await
            }
            Command::Health(arguments) => {
                Ok(compat_cli::check_health(&settings::read(&arguments)?.0).await?)
            }
            Command::Doctor(arguments) => {
                Ok(compat_cli::examine(&settings::read(&arguments)?.0).await?)
            }
            Command::Keys(arguments) => compat_cli::print_keys(&arguments),
            Command::Console(ConsoleCommand::OwnerLink(arguments)) => {
                Ok(compat_cli::print_owner_link(&settings::read(&arguments)?.0).await?)
            }
            Command::Migrate(arguments) => {
                let (settings, _) = settings::read(&arguments)?;
                start(settings).await?.stop().await;
                Ok(())
            }
            Command::Logs(arguments) => arguments.print(&arguments.data.resolve()).await,
            Command::Backup(arguments) => {
                let settings = settings::read(&arguments.serve)?.0;
                Ok(compat_cli::backup(&settings, &arguments.file).await?)
            }
            Command::Restore(arguments) => {
                let settings = settings::read(&arguments.serve)?.0;
                let schemas = [ranking::SCHEMA];
                Ok(compat_cli::restore(&settings, &arguments.file, &schemas).await?)
            }
            Command::UpgradeCheck(arguments) => {
                let settings = settings::read(&arguments)?.0;
                compat_cli::check_upgrade(&settings, &[ranking::SCHEMA]).await
            }
            Command::UpgradePostgres { serve, options } => {
                compat_cli::upgrade_postgres(&settings::read(&serve)?.0, &options).await
            }
            Command::Demo(arguments) => run_demo(&arguments).await,
            Command::Manual(arguments) => {
                Ok(compat_cli::write_manual(Self::command(), &arguments.dir)?)
            }
            Command::PrepareCluster(arguments) => {
                let settings = settings::read(&arguments.serve)?.0;
                compat_cli::prepare_cluster(settings, arguments.file, &[ranking::SCHEMA]).await
            }
        }
    }
}

async fn run_site(
    arguments: &ServeArguments,
    with_demo: bool,
    pages_dir: Option<&Path>,
) -> Outcome {
    let began = Instant::now();
    let (mut settings, site) = settings::read(arguments)?;
    if with_demo && settings.production {
        return Err(NOT_FOR_PRODUCTION.into());
    }
    settings.prints_progress = with_demo;
    if with_demo {
        settings.console.serve_at_this_machine();
    }
    let listener = listen(SocketAddr::new(settings.host, settings.port)).await?;
    let public_url = settings.public_url.clone().unwrap_or_else(|| address_for_people(&listener));
    let releases = settings.data_dir.join("pages");
    let is_new = with_demo && !settings.data_dir.join("data").exists();
    let hashes = is_new.then(|| demo::PasswordHashes::new(&settings));
    let stack = Stack::start(settings, &public_url, &[ranking::SCHEMA]).await?;
    // This follows the start of the stack, which creates and locks the data folder.
    let build = Build::open(pages_dir, &releases)?;
    let (release, stop) = (build.clone(), stack.stop_token());
    stack.spawn_when_ready("pages.releases", move || release.clone().keep(stop.clone()));
    if with_demo {
        demo::load_into_new(&stack, hashes).await?;
    }
    let ranking = ranking_state(&stack, &site)?;
    for job in &ranking::JOBS {
        let (state, stop) = (ranking.clone(), stack.stop_token());
        stack
            .spawn_when_ready(job.name, move || ranking::run_job(job, state.clone(), stop.clone()));
    }
    let (state, stop) = (ranking.clone(), stack.stop_token());
    stack.spawn_when_ready("ranking.deliver", move || {
        ranking::run_deliveries(state.clone(), stop.clone())
    });
    // A second router of the services, for calls from pages and jobs inside this process.
    let services = stack.router(Application::default())?;
    let pictures = Pictures::new(services.clone(), &stack.keys.api.service_role);
    let copier = Copier { ranking: ranking.clone(), pictures: pictures.clone() };
    let payments = payments_state(&stack, &site, copier)?;
    for job in &payments::JOBS {
        let (state, stop) = (payments.clone(), stack.stop_token());
        stack.spawn_when_ready(job.name, move || job.run(state.clone(), stop.clone()));
    }
    if let Some(mailer) = stack.mailer() {
        let outbox = Outbox::new(
            stack.pools.owner.with_budget(pool_budgets::MAIL),
            "public.mail_queue",
            MAIL_LEASE,
            stack.environment.clock.clone(),
        );
        let renderers: Vec<Arc<dyn Renderer>> =
            vec![Arc::new(ranking.clone()), Arc::new(payments.clone())];
        let (mailer, stop) = (mailer.clone(), stack.stop_token());
        stack.spawn_when_ready("mail.dispatch", move || {
            dispatch_emails(outbox.clone(), renderers.clone(), mailer.clone(), stop.clone())
        });
    }
    if let Some(pictures) = &pictures {
        for job in [&ranking::OPTIMIZE_IMAGES, &ranking::COPY_PICTURES] {
            let (known, stop) = ((ranking.clone(), pictures.clone()), stack.stop_token());
            stack.spawn_when_ready(job.name, move || job.run(known.clone(), stop.clone()));
        }
    }
    let environment = PageEnvironment {
        owner: &stack.pools.owner,
        origin: &stack.environment.public_url,
        anon_key: &stack.keys.api.anon,
        clock: &stack.environment.clock,
        services,
    };
    let pages = ranking::router(ranking.clone())
        .merge(payments::router(payments.clone()))
        .merge(site_pages::router(environment, build, site.public_config()));
    let mut functions = ranking::functions(&ranking);
    functions.extend(pictures.map(|pictures| ranking::picture_function(ranking, pictures)));
    functions.extend(payments::functions(&payments));
    let router = stack.router(Application { functions, pages })?;
    if with_demo {
        compat_cli::print_start(&stack, began);
        demo::introduce(&public_url);
    }
    Ok(stack.run(listener, router).await?)
}

async fn run_demo(arguments: &DemoArguments) -> Outcome {
    let (settings, _) = settings::read(&arguments.serve)?;
    if settings.production && !arguments.remove {
        return Err(NOT_FOR_PRODUCTION.into());
    }
    let stack = start(settings).await?;
    let done = match arguments.remove {
        true => demo::remove(&stack).await,
        false => demo::load(&stack, None).await,
    };
    stack.stop().await;
    done
}

/// Starts the stack for a command that answers no requests.
async fn start(settings: Settings) -> Result<Stack, StackError> {
    Stack::start(settings, "http://localhost", &[ranking::SCHEMA]).await
}

fn ranking_state(
    stack: &Stack,
    site: &SiteSettings,
) -> Result<ranking::State, Box<dyn std::error::Error>> {
    let config = site.ranking(stack.keys.app_secret.clone());
    let state = ranking::State::new(stack.environment.clone(), &stack.pools.owner, config);
    state.map_err(|problems| settings_error(&problems))
}

fn payments_state(
    stack: &Stack,
    site: &SiteSettings,
    copier: Copier,
) -> Result<payments::State, Box<dyn std::error::Error>> {
    let Pools { owner, acting } = &stack.pools;
    let config = site.payments.clone();
    let state = payments::State::new(
        stack.environment.clone(),
        owner,
        acting.clone(),
        config,
        Arc::new(copier),
    );
    state.map_err(|problems| settings_error(&problems))
}

fn settings_error(problems: &[SettingProblem]) -> Box<dyn std::error::Error> {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n").into()
}
