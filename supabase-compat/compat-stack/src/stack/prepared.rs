//! The first half of a start, which prepares the database.

use std::path::Path;

use compat_extensions::Extension;
use compat_functions::BoxFuture;
use compat_http::{Clock, Entropy, Outgoing};
use compat_pg::{EmbeddedPostgres, OwnerDb, Pools, SchemaSource};
use compat_token::KeyRing;
use tokio::task::JoinHandle;

use super::{Stack, StackError, database};
use crate::data_format;
use crate::project_keys::KEYS_FILE;
use crate::{KeySettings, ProjectKeys, ProjectKeysError, Settings};

type LoadKeys = fn(&Path, &KeySettings, &Clock, &Entropy) -> Result<ProjectKeys, ProjectKeysError>;

/// A stack with its keys and its database, before any service runs.
pub struct PreparedStack {
    pub(super) settings: Settings,
    pub(super) public_url: String,
    pub(super) clock: Clock,
    pub(super) entropy: Entropy,
    pub(super) keys: ProjectKeys,
    pub(super) outgoing: Outgoing,
    pub(super) embedded: Option<EmbeddedPostgres>,
    pub(super) pools: Pools,
    pub(super) extensions: Vec<&'static Extension>,
    pub(super) schemas: Vec<SchemaSource>,
}

impl PreparedStack {
    pub(super) async fn new(
        mut settings: Settings,
        public_url: &str,
        schemas: &[SchemaSource],
    ) -> Result<Self, StackError> {
        if settings.auth.site_url.is_empty() {
            settings.auth.site_url = public_url.to_owned();
        }
        let previous = data_format::read(&settings.data_dir)?.map(|format| format.program);
        settings.database.choose_port()?;
        let (clock, entropy) = (Clock::system(), Entropy::system());
        let load = |load: LoadKeys| load(&settings.data_dir, &settings.keys, &clock, &entropy);
        // Unusable keys are reported before a folder is created. New keys are created only after
        // the database was opened, so that a failed start leaves no folder behind.
        let are_kept = settings.data_dir.join(KEYS_FILE).exists();
        let configured = if are_kept { None } else { Some(load(ProjectKeys::load_if_kept)?) };
        let beside = prepare_concurrently(configured, &settings, (&clock, &entropy));
        let (embedded, pools) = database::open(&settings, schemas).await?;
        let make_ready = async {
            let (existing, outgoing) = beside.await.map_err(std::io::Error::other)??;
            // No key is created for the operator's database: rest/v1 without one refuses every
            // token.
            let keys = match settings.is_ours() && !are_kept {
                true => load(ProjectKeys::load_or_create)?,
                false => existing,
            };
            let extensions = database::prepare(&settings, &pools.owner, schemas).await?;
            if settings.is_ours() {
                data_format::record(&settings.data_dir)?;
            }
            Ok((keys, extensions, outgoing))
        };
        let (keys, extensions, outgoing) = match make_ready.await {
            Ok(ready) => ready,
            Err(error) => {
                pools.close().await;
                // The server is stopped before the error is returned, so that the folder is free
                // for the caller.
                if let Some(embedded) = embedded {
                    embedded.stop().await;
                }
                return Err(match error {
                    StackError::Migration(error, _) => StackError::Migration(error, previous),
                    other => other,
                });
            }
        };
        let public_url = public_url.to_owned();
        let schemas = schemas.to_vec();
        Ok(Self {
            settings,
            public_url,
            clock,
            entropy,
            keys,
            outgoing,
            embedded,
            pools,
            extensions,
            schemas,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The database, with roles and schemas.
    pub fn owner(&self) -> &OwnerDb {
        &self.pools.owner
    }

    /// Starts the services and the background tasks.
    ///
    /// # Errors
    /// The first thing that could not be started.
    pub fn start(self) -> BoxFuture<'static, Result<Stack, StackError>> {
        Box::pin(Stack::start_all(self))
    }
}

/// Reads the stored keys, unless the settings provide all, and creates the client for outgoing
/// calls. The first use of cryptography gathers entropy, and a client reads all certificate
/// authorities of the system; while PostgreSQL starts, which takes longer, both cost no time.
fn prepare_concurrently(
    configured: Option<ProjectKeys>,
    settings: &Settings,
    (clock, entropy): (&Clock, &Entropy),
) -> JoinHandle<Result<(ProjectKeys, Outgoing), StackError>> {
    let (settings, clock, entropy) = (settings.clone(), clock.clone(), entropy.clone());
    tokio::task::spawn_blocking(move || -> Result<_, StackError> {
        let keys = match configured {
            Some(configured) => {
                KeyRing::generate_es256().map_err(ProjectKeysError::from)?;
                configured
            }
            None => {
                let (folder, others) = (&settings.data_dir, &settings.keys);
                ProjectKeys::load_if_kept(folder, others, &clock, &entropy)?
            }
        };
        Ok((keys, Outgoing::new(settings.outgoing)?))
    })
}
