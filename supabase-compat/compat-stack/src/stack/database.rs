//! The database under the stack: found or started, and made ready.

use std::sync::Arc;

use compat_extensions::Extension;
use compat_pg::embedded::{PasswordPort, Progress};
use compat_pg::{
    ActingDb, ConnectConfig, EmbeddedConfig, EmbeddedPostgres, OwnerDb, Pools, SchemaSource,
};
use compat_token::Authenticator;
use prometheus::core::Collector;
use secrecy::{ExposeSecret as _, SecretString};

use super::StackError;
use crate::metrics::{Figure, Figures};
use crate::{Settings, print_line};

/// The operator's server, or one of our own in the data folder.
pub(super) async fn open(
    settings: &Settings,
) -> Result<(Option<EmbeddedPostgres>, Pools), StackError> {
    let said = &settings.database;
    let (embedded, mut connect) = match said.url.as_ref().or(said.acting_url.as_ref()) {
        Some(url) => (None, ConnectConfig::new(url.expose_secret())),
        None => {
            let server = EmbeddedPostgres::start(EmbeddedConfig {
                door: said.door().map(|(port, _)| PasswordPort { port }),
                ..embedded(settings)
            })
            .await?;
            let connect = server.connect_config();
            (Some(server), connect)
        }
    };
    if said.acting_url.is_some() {
        connect.acting_url.clone_from(&said.acting_url);
    } else if !settings.is_ours() {
        // Somebody else's database need not have the role `authenticator`: the login acts itself.
        connect.acting_url.clone_from(&said.url);
    }
    connect.owner = said.owner.clone();
    connect.acting = said.acting.clone();
    // One that belongs to somebody else may be away for now; the schema cache tries again.
    let pools = if settings.is_ours() {
        Pools::connect(&connect).await?
    } else {
        Pools::connect_later(&connect)?
    };
    if let Some((_, password)) = said.door() {
        compat_pg::set_programs_password(&pools.owner, password).await?;
    }
    Ok((embedded, pools))
}

/// The login that an administrator's statements run as: the one named for them, that of an embedded
/// server for other programs, or the operator's.
pub(super) fn programs_url(
    settings: &Settings,
    embedded: Option<&EmbeddedPostgres>,
) -> SecretString {
    let database = &settings.database;
    let given = settings.meta.url.clone();
    given
        .or_else(|| embedded.map(|server| server.programs_url().into()))
        .or_else(|| database.url.clone())
        .or_else(|| database.acting_url.clone())
        .unwrap_or_default()
}

/// How a server of our own is kept.
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

/// Makes roles and schemas, where they are ours to make; the extensions whose work is to be done here.
pub async fn prepare(
    settings: &Settings,
    owner: &OwnerDb,
    schemas: &[SchemaSource],
) -> Result<Vec<&'static Extension>, StackError> {
    if !settings.is_ours() {
        return Ok(Vec::new());
    }
    // An application that brings `public` says there who may do what.
    let is_project = schemas.iter().all(|source| source.schema != "public");
    let extensions = match is_project {
        true => prepare_project(settings, owner).await?,
        false => {
            compat_pg::ensure_roles(owner).await?;
            Vec::new()
        }
    };
    let owned = settings.services.iter().filter_map(|service| service.schema);
    let added = extensions.iter().map(|one| &one.source);
    bring_up_to_date(settings, owner, owned.chain(schemas).chain(added)).await?;
    if is_project {
        compat_pg::own_schemas(owner).await?;
    }
    Ok(extensions)
}

/// Every schema that [`prepare`] may have made, with the application's own.
pub fn sources(settings: &Settings, schemas: &[SchemaSource]) -> Vec<SchemaSource> {
    let owned = settings.services.iter().filter_map(|service| service.schema);
    let offered = compat_extensions::ALL.iter().map(|one| &one.source);
    let project = &compat_pg::PROJECT;
    std::iter::once(project).chain(owned).chain(schemas).chain(offered).copied().collect()
}

/// The same without the services' schemas, for a dump that brings them.
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
    let report = compat_pg::migrate(owner, &sources).await?;
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

/// The pool that acts for callers, and the tokens they showed, for the metrics.
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
