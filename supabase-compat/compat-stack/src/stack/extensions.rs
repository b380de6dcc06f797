//! Does the work of extensions that the database server does not offer.

use compat_extensions::Extension;
use compat_extensions::cron::Cron;
use compat_extensions::net::Net;
use compat_extensions::vault;
use compat_http::{Clock, Entropy};
use compat_pg::OwnerDb;

use super::StackError;
use crate::pool_budgets;
use crate::project_keys::ProjectKeysError;
use crate::service::StartContext;
use crate::{ProjectKeys, Settings, Tasks};

/// Starts the background work of an extension.
pub(super) fn spawn(extension: &Extension, context: &StartContext<'_>, tasks: &Tasks) {
    let owner = &context.pools.owner;
    let (environment, stop) = (context.environment, context.stop.clone());
    match extension.name {
        "pg_net" => {
            let net = Net::new(
                owner.with_budget(pool_budgets::NET),
                environment.outgoing.clone(),
                &environment.public_url,
            );
            tasks.spawn("extensions.net", move || net.clone().run(stop.clone()));
        }
        "pg_cron" => {
            let cron = Cron::new(owner.with_budget(pool_budgets::CRON), environment.clock.clone());
            tasks.spawn("extensions.cron", move || cron.clone().run(stop.clone()));
        }
        // Their work is done in SQL.
        "supabase_vault" | "supabase_functions" | "pgmq" => {}
        other => tracing::error!(extension = other, "the extension has no worker"),
    }
}

/// Copies the vault's key to an embedded server; the operator's server must have it already.
pub(super) async fn keep_vault_key(settings: &Settings, owner: &OwnerDb) -> Result<(), StackError> {
    if settings.database.url.is_some() || settings.database.acting_url.is_some() {
        return Ok(());
    }
    let (home, key_settings) = (&settings.data_dir, &settings.keys);
    let keys =
        ProjectKeys::load_or_create(home, key_settings, &Clock::system(), &Entropy::system())?;
    let major = owner.server_version().await? / 10_000;
    let database = home.join("data").join(major.to_string());
    let outcome = vault::keep_key(home, &database, &keys.app_secret);
    Ok(outcome.map_err(|source| ProjectKeysError::Io { path: home.join("vault"), source })?)
}
