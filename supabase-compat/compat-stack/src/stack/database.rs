//! The database under the stack: found or started, and made ready.

use compat_pg::{
    ActingDb, ConnectConfig, EmbeddedConfig, EmbeddedPostgres, PgError, Pools, SchemaSource,
};
use secrecy::ExposeSecret as _;

use super::StackError;
use crate::{Service, Settings};

/// The operator's server, or one of our own in the data folder.
pub(super) async fn open(
    settings: &Settings,
) -> Result<(Option<EmbeddedPostgres>, Pools), StackError> {
    let said = &settings.database;
    let (embedded, mut connect) = match said.url.as_ref().or(said.acting_url.as_ref()) {
        Some(url) => (None, ConnectConfig::new(url.expose_secret())),
        None => {
            let mut config = EmbeddedConfig::new(&settings.data_dir);
            config.bin_dir.clone_from(&said.bin_dir);
            config.os_user.clone_from(&said.os_user);
            let server = EmbeddedPostgres::start(config).await?;
            let connect = server.connect_config();
            (Some(server), connect)
        }
    };
    if said.acting_url.is_some() {
        connect.acting_url.clone_from(&said.acting_url);
    } else if !is_ours(settings) {
        // Somebody else's database need not have the role `authenticator`: the login acts itself.
        connect.acting_url.clone_from(&said.url);
    }
    connect.owner = said.owner.clone();
    connect.acting = said.acting.clone();
    // One that belongs to somebody else may be away for now; the schema cache tries again.
    let pools = if is_ours(settings) {
        Pools::connect(&connect).await?
    } else {
        Pools::connect_later(&connect)?
    };
    Ok((embedded, pools))
}

/// The pool of a read-only copy of the database, where one is named. It connects at first use.
pub(super) fn replica(settings: &Settings) -> Result<Option<ActingDb>, PgError> {
    let said = &settings.database;
    let Some(url) = &said.replica_url else { return Ok(None) };
    let as_role = (said.acting_url.is_none() && is_ours(settings)).then_some("authenticator");
    ActingDb::new(url.expose_secret(), as_role, &said.acting).map(Some)
}

/// Whether roles and schemas are ours to make. rest/v1 alone on the operator's server serves a
/// database that belongs to somebody else.
pub(super) fn is_ours(settings: &Settings) -> bool {
    let embedded = settings.database.url.is_none() && settings.database.acting_url.is_none();
    embedded || settings.services != [Service::Rest]
}

/// Makes roles and schemas, where they are ours to make.
pub(super) async fn prepare(
    settings: &Settings,
    pools: &Pools,
    schemas: &[SchemaSource],
) -> Result<(), StackError> {
    if !is_ours(settings) {
        return Ok(());
    }
    compat_pg::ensure_roles(&pools.owner).await?;
    let auth = settings.services.contains(&Service::Auth).then_some(&compat_auth::SCHEMA);
    let sources: Vec<SchemaSource> = auth.into_iter().chain(schemas).cloned().collect();
    let report = compat_pg::migrate(&pools.owner, &sources).await?;
    if !report.is_empty() {
        let (steps, standing) = (report.steps.len(), report.standing.len());
        tracing::info!(steps, standing, "brought the schemas up to date");
    }
    Ok(())
}
