//! The database alone, for commands that serve nothing.

use compat_pg::embedded::{self, PasswordPort};
use compat_pg::{ConnectConfig, EmbeddedConfig, EmbeddedError, EmbeddedPostgres, OwnerDb, Pools};
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
        Self::connect(url, embedded).await
    }

    /// The same, and the address at which other programs come in with a password; one that is started
    /// for the while lets them in at a free port. None where the server runs already and lets nobody in.
    pub async fn open_for_programs(
        settings: &Settings,
    ) -> Result<(Self, Option<SecretString>), StackError> {
        let mut settings = settings.clone();
        settings.database.port = Some(0);
        settings.database.choose_port()?;
        if let Some(url) = settings.database.url.clone() {
            return Ok((Self::open(&settings).await?, Some(url)));
        }
        let config = EmbeddedConfig {
            door: settings.database.door().map(|(port, _)| PasswordPort { port }),
            ..database::embedded(&settings)
        };
        let server = match EmbeddedPostgres::start(config).await {
            Ok(server) => server,
            Err(EmbeddedError::InUse { .. }) => {
                let connected = Self::open(&settings).await?;
                let port = embedded::port_for_programs(&connected.owner).await?;
                let address = port.and_then(|port| settings.database.address_at(port));
                return Ok((connected, address));
            }
            Err(error) => return Err(error.into()),
        };
        let url = server.owner_url().into();
        let connected = Self::connect(url, Some(server)).await?;
        let Some((port, password)) = settings.database.door() else { return Ok((connected, None)) };
        compat_pg::set_programs_password(&connected.owner, password).await?;
        Ok((connected, settings.database.address_at(port)))
    }

    async fn connect(
        url: SecretString,
        mut embedded: Option<EmbeddedPostgres>,
    ) -> Result<Self, StackError> {
        // A command tells what it did before it ends, so that all of it is kept from here on.
        if let Some(server) = &mut embedded {
            server.until_synced().await?;
        }
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
