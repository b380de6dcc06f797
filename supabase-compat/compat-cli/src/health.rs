//! `health`: whether the server on this machine answers, for whoever starts and replaces it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use compat_stack::{Settings, print_line};

/// How long the server may take: longer than it waits for its database.
const PATIENCE: Duration = Duration::from_secs(5);

/// The server is not ready, or nobody says whether it is.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    /// No port to ask at.
    #[error("no operator's port is named, so nobody can be asked; give --admin-port as to `serve`")]
    NoPort,
    /// Nobody answers there.
    #[error(
        "nobody answers at {address}: {source}; see that the server runs with this --admin-port"
    )]
    Unreachable {
        /// Where it was asked.
        address: SocketAddr,
        /// What came of it.
        source: reqwest::Error,
    },
    /// The server says what is missing.
    #[error("not ready: {0}")]
    NotReady(String),
}

/// The command `health`: asks the operator's port whether the server is ready.
///
/// # Errors
/// It is not, or does not answer within five seconds.
pub async fn check_health(settings: &Settings) -> Result<(), HealthError> {
    let port = settings.admin_port.ok_or(HealthError::NoPort)?;
    let address = SocketAddr::new(reachable(settings.admin_host), port);
    let unreachable = |source| HealthError::Unreachable { address, source };
    // A proxy of the environment does not lead to this machine.
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build();
    let request = client.map_err(unreachable)?.get(format!("http://{address}/ready"));
    let response = request.send().await.map_err(unreachable)?;
    if response.status().is_success() {
        print_line("ready");
        return Ok(());
    }
    let status = response.status();
    let missing = response.text().await.map_err(unreachable)?;
    Err(HealthError::NotReady(if missing.is_empty() { status.to_string() } else { missing }))
}

/// An address to ask at, where the server listens to all of them.
fn reachable(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(host) if host.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(host) if host.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        host => host,
    }
}
