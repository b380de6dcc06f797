//! Resolves names, and filters the addresses before the socket sees them.

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

    /// Fixed answers, for tests.
    #[cfg(test)]
    pub fn fixed(answers: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self(Source::Fixed(Arc::new(answers)))
    }

    async fn look_up(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        match &self.0 {
            Source::System => {
                let addresses = tokio::net::lookup_host((name, 0)).await?;
                Ok(addresses.map(|address| address.ip()).collect())
            }
            #[cfg(test)]
            Source::Fixed(answers) => Ok(answers(name)),
        }
    }
}

/// Resolves names to the addresses that may be dialled.
#[derive(Clone)]
pub(super) struct Resolver {
    pub names: NameLookup,
    /// Restricts the result to public addresses and these hosts; `None` allows all addresses.
    pub only: Option<Arc<AllowedHosts>>,
}

impl Resolver {
    /// # Errors
    /// The name has no address, or none that may be dialled.
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, OutgoingError> {
        let mut resolved = self.names.look_up(name).await.map_err(|_| OutgoingError::NoSuchName)?;
        if resolved.is_empty() {
            return Err(OutgoingError::NoSuchName);
        }
        if let Some(allowed) = &self.only {
            resolved.retain(|ip| allowed.admits(*ip));
        }
        if resolved.is_empty() { Err(OutgoingError::NotPublic) } else { Ok(resolved) }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let resolved = resolver.addresses(name.as_str()).await?;
            // Port 0 stands for the port of the URL.
            let addresses: Vec<_> =
                resolved.into_iter().map(|ip| SocketAddr::from((ip, 0))).collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
