//! Finds or starts the stack's database, and prepares it.

use std::sync::Arc;

use compat_extensions::Extension;
use compat_pg::embedded::{PasswordPort, Progress};
use compat_pg::{
    ActingDb, ConnectConfig, EmbeddedConfig, EmbeddedPostgres, OwnerDb, PendingMigrations, PgError,
    Pools, SchemaSource,
};
use compat_token::Authenticator;
use prometheus::core::Collector;
use secrecy::{ExposeSecret as _, SecretString};

use super::{StackError, prepared_cluster};
use crate::metrics::{Figure, Figures};
use crate::{Settings, print_line};

/// The operator's server, or an embedded one in the data folder.
pub(super) async fn open(
    settings: &Settings,
    schemas: &[SchemaSource],
) -> Result<(Option<EmbeddedPostgres>, Pools), StackError> {
    let config = &settings.database;
    let (embedded, mut connect) = match config.url.as_ref().or(config.acting_url.as_ref()) {
        Some(url) => (None, ConnectConfig::new(url.expose_secret())),
        None => {
            let server = EmbeddedPostgres::start(EmbeddedConfig {
                password_port: config.password_port().map(|(port, _)| PasswordPort { port }),
                archive: prepared_cluster::for_start(settings, schemas),
                ..embedded(settings)
            })
            .await?;
            let connect = server.connect_config();
            (Some(server), connect)
        }
    };
    if config.acting_url.is_some() {
        connect.acting_url.clone_from(&config.acting_url);
    } else if !settings.is_ours() {
        // The operator's database need not have the role `authenticator`, so the login itself acts.
        connect.acting_url.clone_from(&config.url);
    }
    connect.owner = config.owner.clone();
    connect.acting = config.acting.clone();
    // The operator's server may be down for now; the schema cache retries. The embedded server has
    // already answered.
    let pools = if settings.is_ours() && embedded.is_none() {
        Pools::connect(&connect).await?
    } else {
        Pools::connect_later(&connect)?
    };
    if let Some((_, password)) = config.password_port() {
        compat_pg::set_programs_password(&pools.owner, password).await?;
    }
    Ok((embedded, pools))
}

/// The login for an administrator's statements: the one of the setting, the one of an embedded
/// server for other programs, or the operator's.
pub(super) fn programs_url(
    settings: &Settings,
    embedded: Option<&EmbeddedPostgres>,
) -> SecretString {
    let database = &settings.database;
    let configured = settings.meta.url.clone();
    configured
        .or_else(|| embedded.map(|server| server.programs_url().into()))
        .or_else(|| database.url.clone())
        .or_else(|| database.acting_url.clone())
        .unwrap_or_default()
}

/// The configuration of the embedded server.
pub fn embedded(settings: &Settings) -> EmbeddedConfig {
    EmbeddedConfig {
        bin_dir: settings.database.bin_dir.clone(),
        package: settings.database.package.clone(),
        os_user: settings.database.os_user.clone(),
        demotes_postgres: settings.database.serves_projects,
        progress: settings.prints_progress.then(|| Arc::new(print_line) as Progress),
        ..EmbeddedConfig::new(&settings.data_dir)
    }
}

/// Creates roles and schemas, unless they are the operator's own; returns the extensions whose work
/// this program must do.
pub async fn prepare(
    settings: &Settings,
    owner: &OwnerDb,
    schemas: &[SchemaSource],
) -> Result<Vec<&'static Extension>, StackError> {
    if !settings.is_ours() {
        return Ok(Vec::new());
    }
    let is_project = is_project(schemas);
    compat_pg::ensure_roles(owner).await?;
    if is_project {
        compat_pg::prepare_search_path(owner).await?;
        super::extensions::keep_vault_key(settings, owner).await?;
    }
    let (sources, extensions) = owned_schemas(settings, owner, schemas).await?;
    bring_up_to_date(settings, owner, sources.iter()).await?;
    if is_project {
        compat_pg::warn_unless_watched(owner).await?;
        compat_pg::own_schemas(owner).await?;
    }
    Ok(extensions)
}

/// What [`prepare`] would change in the schemas; nothing is written.
///
/// # Errors
/// A start would be refused before any file runs.
pub async fn pending(
    settings: &Settings,
    owner: &OwnerDb,
    schemas: &[SchemaSource],
) -> Result<Vec<PendingMigrations>, StackError> {
    if !settings.is_ours() {
        return Ok(Vec::new());
    }
    let (sources, _) = owned_schemas(settings, owner, schemas).await?;
    Ok(compat_pg::pending_migrations(owner, &sources).await?)
}

/// Whether this is a project's database. An application with its own `public` schema defines its
/// grants itself.
pub(super) fn is_project(schemas: &[SchemaSource]) -> bool {
    schemas.iter().all(|source| source.schema != "public")
}

/// The schemas that this program manages, in the order of their creation, and the extensions among
/// them.
async fn owned_schemas(
    settings: &Settings,
    owner: &OwnerDb,
    schemas: &[SchemaSource],
) -> Result<(Vec<SchemaSource>, Vec<&'static Extension>), StackError> {
    let extensions = match is_project(schemas) {
        true => compat_extensions::missing(owner).await?,
        false => Vec::new(),
    };
    let mut sources = own_schemas(settings, schemas);
    sources.extend(extensions.iter().map(|one| one.source));
    Ok((sources, extensions))
}

/// The same without the extensions.
pub(super) fn own_schemas(settings: &Settings, schemas: &[SchemaSource]) -> Vec<SchemaSource> {
    let project = is_project(schemas).then_some(&compat_pg::PROJECT);
    let owned = settings.services.iter().filter_map(|service| service.schema);
    let console = settings.console_access().map(|_| &compat_console::SCHEMA);
    project.into_iter().chain(owned).chain(console).chain(schemas).copied().collect()
}

/// Every schema that [`prepare`] may have created, including the application's own.
pub fn sources(settings: &Settings, schemas: &[SchemaSource]) -> Vec<SchemaSource> {
    let owned = settings.services.iter().filter_map(|service| service.schema);
    let offered = compat_extensions::ALL.iter().map(|one| &one.source);
    let project = &compat_pg::PROJECT;
    let console = std::iter::once(&compat_console::SCHEMA);
    std::iter::once(project)
        .chain(owned)
        .chain(console)
        .chain(schemas)
        .chain(offered)
        .copied()
        .collect()
}

/// Prepares the database without the services' schemas, for a dump that contains them.
pub async fn prepare_ground(settings: &Settings, owner: &OwnerDb) -> Result<(), StackError> {
    let extensions = prepare_project(settings, owner).await?;
    bring_up_to_date(settings, owner, extensions.iter().map(|one| &one.source)).await
}

async fn prepare_project(
    settings: &Settings,
    owner: &OwnerDb,
) -> Result<Vec<&'static Extension>, StackError> {
    compat_pg::ensure_roles(owner).await?;
    compat_pg::prepare_project(owner).await?;
    super::extensions::keep_vault_key(settings, owner).await?;
    Ok(compat_extensions::missing(owner).await?)
}

async fn bring_up_to_date(
    settings: &Settings,
    owner: &OwnerDb,
    sources: impl Iterator<Item = &SchemaSource>,
) -> Result<(), StackError> {
    let sources: Vec<SchemaSource> = sources.copied().collect();
    let migrated = compat_pg::migrate(owner, &sources).await;
    let report = migrated.map_err(|error| match error {
        PgError::Migration { is_undone: true, .. } => StackError::Migration(Box::new(error), None),
        other => other.into(),
    })?;
    if !report.is_empty() {
        let (versioned, repeatable) = (report.versioned.len(), report.repeatable.len());
        match settings.prints_progress {
            true => print_line(&format!(
                "Migrated the services' schemas: {} files",
                versioned + repeatable
            )),
            false => tracing::info!(versioned, repeatable, "schemas migrated"),
        }
    }
    Ok(())
}

/// Metrics of the acting pool and of the token cache.
pub(super) fn figures(acting: ActingDb, authenticator: Arc<Authenticator>) -> Box<dyn Collector> {
    Box::new(Figures::new(move || {
        let (pool, tokens) = (acting.status(), authenticator.cache_counts());
        vec![
            Figure::gauge_of("pgrst_db_pool_max", "Most connections of the acting pool.", pool.max),
            Figure::gauge_of(
                "pgrst_db_pool_available",
                "Idle connections of the pool.",
                pool.available,
            ),
            Figure::gauge_of(
                "pgrst_db_pool_waiting",
                "Requests waiting for a connection.",
                pool.waiting,
            ),
            Figure::counter(
                "pgrst_jwt_cache_requests_total",
                "Tokens looked up among those verified before.",
                tokens.requests,
            ),
            Figure::counter("pgrst_jwt_cache_hits_total", "Tokens found there.", tokens.hits),
            Figure::counter(
                "pgrst_jwt_cache_evictions_total",
                "Tokens forgotten to make room.",
                tokens.evictions,
            ),
        ]
    }))
}
