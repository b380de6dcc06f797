//! The database alone, for commands that serve nothing.

use compat_pg::{ConnectConfig, EmbeddedError, EmbeddedPostgres, OwnerDb, Pools};
use secrecy::{ExposeSecret as _, SecretString};

use super::{StackError, database};
use crate::{Settings, data_format};

/// The database, and the server under it where it is ours and nobody else runs it.
pub struct ConnectedDatabase {
    /// The owner's address.
    pub url: SecretString,
    /// The major version of the server.
    pub major: u32,
    /// The owner.
    pub owner: OwnerDb,
    embedded: Option<EmbeddedPostgres>,
}

impl ConnectedDatabase {
    /// The operator's server, one that runs in the data folder, or else one started for the while.
    pub async fn open(settings: &Settings) -> Result<Self, StackError> {
        data_format::read(&settings.data_dir)?;
        let (url, embedded) = match &settings.database.url {
            Some(url) => (url.clone(), None),
            None => match EmbeddedPostgres::start(database::embedded(settings)).await {
                Ok(server) => (server.owner_url().into(), Some(server)),
                Err(EmbeddedError::InUse { .. }) => {
                    let config = database::embedded(settings);
                    (EmbeddedPostgres::owner_url_of_running(&config).await?.into(), None)
                }
                Err(error) => return Err(error.into()),
            },
        };
        let pools = Pools::connect(&ConnectConfig::new(url.expose_secret())).await?;
        let owner = pools.owner;
        let major = owner.server_version().await? / 10_000;
        Ok(Self { url, major, owner, embedded })
    }

    /// The same with roles and the services' schemas, as serving makes them.
    pub async fn prepared(settings: &Settings) -> Result<Self, StackError> {
        let connected = Self::open(settings).await?;
        match database::prepare(settings, &connected.owner, &[]).await {
            Ok(_) => Ok(connected),
            Err(error) => {
                connected.leave().await;
                Err(error)
            }
        }
    }

    /// Closes what was opened, and stops what was started.
    pub async fn leave(self) {
        self.owner.close().await;
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
    }
}
