//! Names to addresses, with the judgement between them and the socket.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::allowed::AllowedHosts;
use super::error::OutgoingError;

/// Where names are looked up.
#[derive(Clone)]
pub(super) struct NameLookup(Source);

#[derive(Clone)]
enum Source {
    System,
    #[cfg(test)]
    Fixed(Arc<FixedAnswers>),
}

#[cfg(test)]
type FixedAnswers = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

impl NameLookup {
    /// The system's resolver.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// What a test says.
    #[cfg(test)]
    pub fn fixed(answers: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self(Source::Fixed(Arc::new(answers)))
    }

    async fn look_up(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        match &self.0 {
            Source::System => {
                let found = tokio::net::lookup_host((name, 0)).await?;
                Ok(found.map(|address| address.ip()).collect())
            }
            #[cfg(test)]
            Source::Fixed(answers) => Ok(answers(name)),
        }
    }
}

/// Gives the addresses that may be dialled.
#[derive(Clone)]
pub(super) struct Resolver {
    pub names: NameLookup,
    /// Public addresses and these only; without it all.
    pub only: Option<Arc<AllowedHosts>>,
}

impl Resolver {
    /// # Errors
    /// There is none, or none of them may be dialled.
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, OutgoingError> {
        let mut found = self.names.look_up(name).await.map_err(|_| OutgoingError::NoSuchName)?;
        if found.is_empty() {
            return Err(OutgoingError::NoSuchName);
        }
        if let Some(allowed) = &self.only {
            found.retain(|ip| allowed.admits(*ip));
        }
        if found.is_empty() { Err(OutgoingError::NotPublic) } else { Ok(found) }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let found = resolver.addresses(name.as_str()).await?;
            // The port is the address's own; 0 says so.
            let addresses: Vec<_> = found.into_iter().map(|ip| SocketAddr::from((ip, 0))).collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
