//! Opens and checks both pools together.

use secrecy::ExposeSecret;

use crate::version::MINIMUM_VERSION;
use crate::{ActingDb, ConnectConfig, OwnerDb, PgError};

/// The two pools of one database. They share one [`crate::NotificationListener`], which listens as
/// the owner: that address preserves sessions, which listening needs, while the other may lead to a
/// pooler.
#[derive(Clone)]
pub struct Pools {
    /// For a service inside its own schema.
    pub owner: OwnerDb,
    /// For work on behalf of a caller.
    pub acting: ActingDb,
}

impl Pools {
    /// Opens the owner's pool, checks the server's version and prepares the acting pool. The acting
    /// pool connects at first use, so that [`crate::ensure_roles`] may still have to run.
    pub async fn connect(config: &ConnectConfig) -> Result<Self, PgError> {
        let pools = Self::connect_later(config)?;
        pools.owner.check().await?;
        check_version(&pools.owner).await?;
        Ok(pools)
    }

    /// Does the same without connecting: a wrong address is found at the first use.
    pub fn connect_later(config: &ConnectConfig) -> Result<Self, PgError> {
        let owner = OwnerDb::new(config.owner_url.expose_secret(), &config.owner)?;
        let acting = match &config.acting_url {
            Some(url) => ActingDb::new(url.expose_secret(), None, &config.acting)?,
            None => ActingDb::new(
                config.owner_url.expose_secret(),
                Some("authenticator"),
                &config.acting,
            )?,
        };
        let acting = acting.with_listener(owner.listener().clone());
        Ok(Self { owner, acting })
    }

    /// Closes both pools; work under way may finish, new work is refused.
    pub async fn close(&self) {
        self.acting.close();
        self.owner.close().await;
    }
}

async fn check_version(owner: &OwnerDb) -> Result<(), PgError> {
    refuse_old(owner.server_version().await?)
}

/// `number` is `server_version_num`: the major version times 10000 plus the minor.
fn refuse_old(number: u32) -> Result<(), PgError> {
    let (major, minor) = (number / 10_000, number % 10_000);
    if major >= MINIMUM_VERSION {
        return Ok(());
    }
    Err(PgError::Version { found: format!("{major}.{minor}") })
}

#[cfg(test)]
mod tests {
    use super::refuse_old;

    #[test]
    fn server_older_than_fourteen_is_refused_by_name() {
        assert_eq!(
            refuse_old(130_004).unwrap_err().to_string(),
            "PostgreSQL 13.4 is too old: version 14 or later is needed"
        );
        refuse_old(140_000).unwrap();
        refuse_old(180_001).unwrap();
    }
}
