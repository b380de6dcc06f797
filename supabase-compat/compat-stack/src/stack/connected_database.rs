//! The database without services, for commands that serve nothing.

use compat_pg::embedded::{self, PasswordPort};
use compat_pg::{ConnectConfig, EmbeddedConfig, EmbeddedError, EmbeddedPostgres, OwnerDb, Pools};
use secrecy::{ExposeSecret as _, SecretString};

use super::{StackError, database};
use crate::{Settings, data_format};

/// The database, and the embedded server if this process started it.
pub struct ConnectedDatabase {
    /// The owner's database URL.
    pub url: SecretString,
    /// The major version of the server.
    pub major: u32,
    /// The owner's connections.
    pub owner: OwnerDb,
    embedded: Option<EmbeddedPostgres>,
}

impl ConnectedDatabase {
    /// Connects to the operator's server, to one that runs in the data folder, or to one that is
    /// started for this command.
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

    /// As [`Self::open`], with the database URL for other programs, which use a password. A server
    /// that is started for this command accepts them at a free port. None if a running server
    /// accepts no other programs.
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
            password_port: settings.database.password_port().map(|(port, _)| PasswordPort { port }),
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
        let Some((port, password)) = settings.database.password_port() else {
            return Ok((connected, None));
        };
        compat_pg::set_programs_password(&connected.owner, password).await?;
        Ok((connected, settings.database.address_at(port)))
    }

    async fn connect(
        url: SecretString,
        mut embedded: Option<EmbeddedPostgres>,
    ) -> Result<Self, StackError> {
        // A command reports its work before it ends, so all changes from here on must be durable.
        if let Some(server) = &mut embedded {
            server.until_synced().await?;
        }
        let pools = Pools::connect(&ConnectConfig::new(url.expose_secret())).await?;
        let owner = pools.owner;
        let major = owner.server_version().await? / 10_000;
        Ok(Self { url, major, owner, embedded })
    }

    /// As [`Self::open`], with roles and the services' schemas, as for serving.
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

    /// Closes the connections and stops the server if it was started here.
    pub async fn leave(self) {
        self.owner.close().await;
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
    }
}
