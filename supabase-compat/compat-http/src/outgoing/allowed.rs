//! Exceptions from the rule of public addresses, as an operator writes them.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;
use url::Host;

use super::address::{host, is_public};

/// One exception: `hooks.internal`, `hooks.internal:8080`, `10.1.2.3`, `[fd00::1]:80`,
/// `10.1.0.0/16`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// A name, whatever it resolves to, or an address; on one port or any.
    Host(Host, Option<u16>),
    /// Every address of a network, by whatever name it was found.
    Network(IpNet),
}

/// A text that is no [`AllowedHost`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected names, addresses or networks, such as hooks.internal:8080 or 10.1.0.0/16")]
pub struct AllowedHostError;

impl FromStr for AllowedHost {
    type Err = AllowedHostError;

    fn from_str(text: &str) -> Result<Self, AllowedHostError> {
        if text.contains('/') {
            return text.parse().map(|net| Self(Kind::Network(net))).map_err(|_| AllowedHostError);
        }
        // An address of IPv6 holds colons of its own, so that it is tried before a port is.
        if let Ok(ip) = text.parse::<IpAddr>() {
            return Ok(Self(Kind::Network(ip.into())));
        }
        let (name, port) = match text.parse::<SocketAddr>() {
            Ok(socket) => (socket.ip().to_string(), Some(socket.port())),
            Err(_) => with_port(text)?,
        };
        let host = host(&name).ok_or(AllowedHostError)?;
        Ok(Self(Kind::Host(host, port)))
    }
}

fn with_port(text: &str) -> Result<(String, Option<u16>), AllowedHostError> {
    match text.rsplit_once(':') {
        Some((name, port)) if !text.ends_with(']') => {
            Ok((name.to_owned(), Some(port.parse().map_err(|_| AllowedHostError)?)))
        }
        _ => Ok((text.to_owned(), None)),
    }
}

/// All exceptions of a client.
#[derive(Debug)]
pub(super) struct AllowedHosts(pub Vec<AllowedHost>);

impl AllowedHosts {
    /// Whether this very host is an exception on this port.
    pub fn names(&self, host: &Host, port: u16) -> bool {
        self.0.iter().any(|allowed| match &allowed.0 {
            Kind::Host(name, on) => name == host && on.is_none_or(|on| on == port),
            Kind::Network(_) => false,
        })
    }

    /// Whether an address may be dialled: it is public, or of an allowed network.
    pub fn admits(&self, ip: IpAddr) -> bool {
        is_public(ip)
            || self.0.iter().any(|allowed| match &allowed.0 {
                Kind::Network(network) => network.contains(&ip),
                Kind::Host(..) => false,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str) -> AllowedHosts {
        AllowedHosts(text.split(',').map(|one| one.parse().expect("a host")).collect())
    }

    #[test]
    fn allowed_host_with_port_applies_to_that_port() {
        let hosts = allowed("Hooks.internal:8080,127.0.0.1:9000,[::1]:9000");
        for (name, port, expected) in [
            ("hooks.internal", 8080, true),
            ("hooks.internal", 80, false),
            ("a.hooks.internal", 8080, false),
            ("127.0.0.1", 9000, true),
            ("127.0.0.1", 9001, false),
            ("::1", 9000, true),
        ] {
            let host = host(name).expect("a host");
            assert_eq!(hosts.names(&host, port), expected, "{name}:{port}");
        }
        assert!(!hosts.admits("127.0.0.1".parse().expect("an address")));
    }

    #[test]
    fn allowed_networks_admit_their_addresses() {
        let hosts = allowed("10.1.0.0/16,127.0.0.1,::1");
        for (ip, expected) in
            [("10.1.2.3", true), ("10.2.0.1", false), ("127.0.0.1", true), ("::1", true)]
        {
            assert_eq!(hosts.admits(ip.parse().expect("an address")), expected, "{ip}");
        }
    }

    #[test]
    fn malformed_hosts_are_refused() {
        for wrong in ["", "a b", "10.0.0.0/33", "name/8", "a:b", "a:70000", "[::1", "http://a"] {
            assert_eq!(wrong.parse::<AllowedHost>(), Err(AllowedHostError), "{wrong}");
        }
    }
}
