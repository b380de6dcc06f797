//! The command `health`: whether the server on this machine is ready, for process supervisors.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use compat_stack::{Settings, print_line};

/// Time limit for the server's answer, which is longer than the server's own limit for its
/// database.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The server is not ready, or does not answer.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    /// No operator's port is set.
    #[error("no operator's port is named, so nobody can be asked; give --admin-port as to `serve`")]
    NoPort,
    /// The operator's port does not answer.
    #[error(
        "nobody answers at {address}: {source}; see that the server runs with this --admin-port"
    )]
    Unreachable {
        /// The address of the operator's port.
        address: SocketAddr,
        /// The error of the request.
        source: reqwest::Error,
    },
    /// The server reports what it lacks.
    #[error("not ready: {0}")]
    NotReady(String),
}

/// The command `health`: asks the operator's port whether the server is ready.
///
/// # Errors
/// The server is not ready, or does not answer within five seconds.
pub async fn check_health(settings: &Settings) -> Result<(), HealthError> {
    let port = settings.admin_port.ok_or(HealthError::NoPort)?;
    let address = SocketAddr::new(reachable(settings.admin_host), port);
    let unreachable = |source| HealthError::Unreachable { address, source };
    // A proxy of the environment cannot reach this machine.
    let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build();
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

/// An address that reaches a server which listens on all addresses.
fn reachable(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(host) if host.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(host) if host.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        host => host,
    }
}
