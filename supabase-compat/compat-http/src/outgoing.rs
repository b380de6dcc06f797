//! Calls that leave the process: one client, with limits of time and size, for every crate.
//!
//! Promises that an address from a stranger reaches the public internet only. The check applies to
//! the address that is dialled, so that a name cannot resolve to one address for the check and to
//! another for the socket. Redirects are never followed and the environment's proxies are never
//! used: both would dial an unchecked address.
//!
//! It does not know the content of a call, and does not retry one.

mod address;
mod allowed;
mod error;
mod names;
mod request;
mod services;

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use http_body::Body;
use reqwest::redirect::Policy;
use tokio::net::{TcpStream, UdpSocket};
use url::{Host, Url};

pub use address::is_public;
pub use allowed::{AllowedHost, AllowedHostError};
pub use error::OutgoingError;
pub use request::{OutgoingRequest, OutgoingResponse};

use allowed::AllowedHosts;
use names::{NameLookup, Resolver};
use services::ServiceRecords;

/// The longest duration of an exchange; the client's own timeout is for short calls.
const LONGEST_EXCHANGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Who named the address of a call, and so how far it may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EgressPolicy {
    /// The operator's settings: any address, including private networks and this machine.
    Trusted,
    /// Any other source: the public internet, and the hosts in [`OutgoingConfig::allowed_hosts`].
    PublicOnly,
}

/// What an operator may set about calls that leave the process.
#[derive(Debug, Clone)]
pub struct OutgoingConfig {
    /// `OUTGOING_ALLOWED_HOSTS` (none): names, addresses and networks that
    /// [`EgressPolicy::PublicOnly`] reaches although they are not public.
    pub allowed_hosts: Vec<AllowedHost>,
    /// `OUTGOING_TIMEOUT` (8 s): how long a call may take, its answer's body included.
    pub timeout: Duration,
    /// `OUTGOING_MAX_ANSWER` (bytes, 1 MiB): the longest body that is read.
    pub max_answer: usize,
    /// `OUTGOING_DNS_SERVERS` (the system's): who is asked for the records of services. Addresses
    /// of names are the system's to find.
    pub dns_servers: Vec<SocketAddr>,
}

impl Default for OutgoingConfig {
    fn default() -> Self {
        Self {
            allowed_hosts: Vec::new(),
            timeout: Duration::from_secs(8),
            max_answer: 1 << 20,
            dns_servers: Vec::new(),
        }
    }
}

/// The client. Clones are cheap and share connections.
#[derive(Clone)]
pub struct Outgoing(Arc<Inner>);

struct Inner {
    /// Dials whatever a name resolves to.
    unfiltered: reqwest::Client,
    /// Dials public and allowed addresses only.
    filtered: reqwest::Client,
    names: NameLookup,
    services: ServiceRecords,
    allowed: Arc<AllowedHosts>,
    timeout: Duration,
    max_answer: usize,
}

impl std::fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outgoing")
    }
}

/// How a host's addresses are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressFilter {
    Unfiltered,
    Filtered,
}

impl Outgoing {
    /// A client under these settings.
    ///
    /// # Errors
    /// The system's certificates or its TLS cannot be used.
    pub fn new(config: OutgoingConfig) -> Result<Self, OutgoingError> {
        Self::with(config, NameLookup::system())
    }

    fn with(config: OutgoingConfig, names: NameLookup) -> Result<Self, OutgoingError> {
        let OutgoingConfig { allowed_hosts, timeout, max_answer, dns_servers } = config;
        let allowed = Arc::new(AllowedHosts(allowed_hosts));
        let unfiltered = client(timeout, Resolver { names: names.clone(), only: None })?;
        let only = Some(Arc::clone(&allowed));
        let filtered = client(timeout, Resolver { names: names.clone(), only })?;
        let services = ServiceRecords::new(dns_servers);
        let inner = Inner { unfiltered, filtered, names, services, allowed, timeout, max_answer };
        Ok(Self(Arc::new(inner)))
    }

    /// A GET request; errors in `url` are returned when it is sent.
    pub fn get(&self, policy: EgressPolicy, url: &str) -> OutgoingRequest {
        self.request(policy, Method::GET, url)
    }

    /// A request by POST.
    pub fn post(&self, policy: EgressPolicy, url: &str) -> OutgoingRequest {
        self.request(policy, Method::POST, url)
    }

    /// A request by any method.
    pub fn request(&self, policy: EgressPolicy, method: Method, url: &str) -> OutgoingRequest {
        let request = self.prepare(policy, method, url);
        OutgoingRequest::new(request, self.0.timeout, self.0.max_answer)
    }

    fn prepare(
        &self,
        policy: EgressPolicy,
        method: Method,
        url: &str,
    ) -> Result<reqwest::RequestBuilder, OutgoingError> {
        let url: Url = url.parse().map_err(|_| OutgoingError::NoAddress)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(OutgoingError::NoAddress);
        }
        let host = url.host().ok_or(OutgoingError::NoAddress)?.to_owned();
        let port = url.port_or_known_default().ok_or(OutgoingError::NoAddress)?;
        let client = match self.address_filter(policy, &host, port)? {
            AddressFilter::Unfiltered => &self.0.unfiltered,
            AddressFilter::Filtered => &self.0.filtered,
        };
        Ok(client.request(method, url))
    }

    /// One exchange with an address of the operator's settings. Bodies are streamed in both
    /// directions without limits of length or time: the caller sets its own timeout.
    ///
    /// # Errors
    /// The address cannot be reached, or does not answer.
    pub async fn exchange<B>(
        &self,
        request: http::Request<B>,
    ) -> Result<
        http::Response<impl Body<Data = Bytes, Error = reqwest::Error> + use<B>>,
        OutgoingError,
    >
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap));
        let mut request = request.map_err(|_| OutgoingError::NoAddress)?;
        *request.timeout_mut() = Some(LONGEST_EXCHANGE);
        Ok(self.0.unfiltered.execute(request).await?.into())
    }

    /// A plain connection to a port.
    ///
    /// # Errors
    /// The host may not be reached, or cannot be.
    pub async fn tcp(
        &self,
        policy: EgressPolicy,
        host: &str,
        port: u16,
    ) -> Result<TcpStream, OutgoingError> {
        let dial = async {
            let mut failed = OutgoingError::NoSuchName;
            for address in self.addresses(policy, host, port).await? {
                match TcpStream::connect(address).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) => failed = error.into(),
                }
            }
            Err(failed)
        };
        tokio::time::timeout(self.0.timeout, dial).await.map_err(|_| OutgoingError::TimedOut)?
    }

    /// A UDP socket that receives datagrams from this host and port only.
    ///
    /// # Errors
    /// The host may not be reached, or has no address.
    pub async fn udp(
        &self,
        policy: EgressPolicy,
        host: &str,
        port: u16,
    ) -> Result<UdpSocket, OutgoingError> {
        let find = self.addresses(policy, host, port);
        let resolution = tokio::time::timeout(self.0.timeout, find).await;
        let resolution = resolution.map_err(|_| OutgoingError::TimedOut)??;
        let address = *resolution.first().ok_or(OutgoingError::NoSuchName)?;
        let unspecified = match address {
            SocketAddr::V4(_) => SocketAddr::from(([0; 4], 0)),
            SocketAddr::V6(_) => SocketAddr::from(([0; 8], 0)),
        };
        let socket = UdpSocket::bind(unspecified).await?;
        socket.connect(address).await?;
        Ok(socket)
    }

    /// The host and port of a name's SRV record (RFC 2782) for a service, chosen by priority and
    /// weight; `None` if there is no record, or no answer within a second. The host is checked like
    /// any other when it is dialled.
    pub async fn service(&self, service: &str, host: &str) -> Option<(String, u16)> {
        match address::host(host)? {
            Host::Domain(name) => self.0.services.find(service, &name).await,
            Host::Ipv4(_) | Host::Ipv6(_) => None,
        }
    }

    async fn addresses(
        &self,
        policy: EgressPolicy,
        host: &str,
        port: u16,
    ) -> Result<Vec<SocketAddr>, OutgoingError> {
        let host = address::host(host).ok_or(OutgoingError::NoAddress)?;
        let filter = self.address_filter(policy, &host, port)?;
        let name = match host {
            Host::Ipv4(ip) => return Ok(vec![(ip, port).into()]),
            Host::Ipv6(ip) => return Ok(vec![(ip, port).into()]),
            Host::Domain(name) => name,
        };
        let only = (filter == AddressFilter::Filtered).then(|| Arc::clone(&self.0.allowed));
        let resolver = Resolver { names: self.0.names.clone(), only };
        let resolved = resolver.addresses(&name).await?;
        Ok(resolved.into_iter().map(|ip| (ip, port).into()).collect())
    }

    /// Checks what is known before a name is resolved; literal addresses are checked here, since
    /// they are never resolved.
    fn address_filter(
        &self,
        policy: EgressPolicy,
        host: &Host,
        port: u16,
    ) -> Result<AddressFilter, OutgoingError> {
        let allowed = &self.0.allowed;
        if policy == EgressPolicy::Trusted || allowed.names(host, port) {
            return Ok(AddressFilter::Unfiltered);
        }
        let is_open = match host {
            Host::Ipv4(ip) => allowed.admits(IpAddr::V4(*ip)),
            Host::Ipv6(ip) => allowed.admits(IpAddr::V6(*ip)),
            Host::Domain(name) => !address::is_localhost(name),
        };
        if is_open { Ok(AddressFilter::Filtered) } else { Err(OutgoingError::NotPublic) }
    }
}

fn client(timeout: Duration, resolver: Resolver) -> Result<reqwest::Client, OutgoingError> {
    let client = reqwest::Client::builder()
        .timeout(timeout)
        .connect_timeout(timeout)
        .redirect(Policy::none())
        .no_proxy()
        .dns_resolver(resolver)
        .user_agent("supabase-compat")
        .build()?;
    Ok(client)
}

#[cfg(test)]
mod tests;
