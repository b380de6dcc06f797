//! The half of the start that makes the database ready.

use std::path::Path;

use compat_extensions::Extension;
use compat_functions::BoxFuture;
use compat_http::{Clock, Entropy};
use compat_pg::{EmbeddedPostgres, OwnerDb, Pools, SchemaSource};

use super::{Stack, StackError, database};
use crate::data_format;
use crate::{KeySettings, ProjectKeys, ProjectKeysError, Settings};

type LoadKeys = fn(&Path, &KeySettings, &Clock, &Entropy) -> Result<ProjectKeys, ProjectKeysError>;

/// A stack with its keys and its database, of which no service runs yet.
pub struct PreparedStack {
    pub(super) settings: Settings,
    pub(super) public_url: String,
    pub(super) clock: Clock,
    pub(super) entropy: Entropy,
    pub(super) keys: ProjectKeys,
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
        // Keys that cannot be used are told before anything starts; new ones are made once the
        // database has been had, so that a start without it leaves no folder behind.
        let existing = load(ProjectKeys::load_if_kept)?;
        let (embedded, pools) = database::open(&settings).await?;
        let make_ready = async {
            // For a database of somebody else no key is made: rest/v1 without one refuses every token.
            let keys = match settings.is_ours() {
                true => load(ProjectKeys::load_or_create)?,
                false => existing,
            };
            let extensions = database::prepare(&settings, &pools.owner, schemas).await?;
            if settings.is_ours() {
                data_format::record(&settings.data_dir)?;
            }
            Ok((keys, extensions))
        };
        let (keys, extensions) = match make_ready.await {
            Ok(ready) => ready,
            Err(error) => {
                pools.close().await;
                // The folder is free when the caller hears of the error.
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
