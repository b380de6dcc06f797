//! The address a request comes from.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::HeaderMap;
use http::request::Parts;
use ipnet::IpNet;

use crate::Peer;

/// The client's address, as seen through trusted proxies only. IPv4 addresses that arrive mapped
/// into IPv6 are IPv4 again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientIp(pub IpAddr);

impl ClientIp {
    /// The peer's address, or what the nearest untrusted hop of `X-Forwarded-For` says when the
    /// peer is a trusted proxy. The list is read from its end: what a client wrote at its head
    /// is not believed.
    pub fn decide(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_trusted = |ip: &IpAddr| trusted.iter().any(|network| network.contains(ip));
        let peer = peer.to_canonical();
        if !is_trusted(&peer) {
            return Self(peer);
        }
        let hops: Vec<IpAddr> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|line| line.split(','))
            .map_while(|hop| address(hop.trim()))
            .collect();
        let client = hops.iter().rev().find(|hop| !is_trusted(hop)).or(hops.first());
        Self(client.copied().unwrap_or(peer))
    }
}

/// An address, alone or with a port, IPv6 in brackets or not.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let ip = bare.parse().ok().or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip()))?;
    Some(ip.to_canonical())
}

impl<S: Sync> FromRequestParts<S> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(Ipv4Addr::LOCALHOST.into())))
    }
}

/// The connection's peer; a router driven in process has none and counts as local.
pub(crate) fn peer(parts: &Parts) -> IpAddr {
    let known = |address: &SocketAddr| address.ip();
    let forgiving = parts.extensions.get::<ConnectInfo<Peer>>().map(|info| known(&info.0.0));
    let plain = || parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| known(&info.0));
    forgiving.or_else(plain).unwrap_or(Ipv4Addr::LOCALHOST.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().expect("a header"));
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().expect("a net")).collect();
        ClientIp::decide(peer.parse().expect("an address"), &headers, &trusted).0.to_string()
    }

    #[test]
    fn a_stranger_cannot_choose_its_address() {
        assert_eq!(decide("203.0.113.9", &["1.1.1.1"], &["127.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn behind_a_trusted_proxy_the_nearest_untrusted_hop_counts() {
        let trusted = ["127.0.0.0/8", "10.0.0.0/8"];
        assert_eq!(
            decide("127.0.0.1", &["6.6.6.6, 198.51.100.7, 10.0.0.2"], &trusted),
            "198.51.100.7"
        );
        assert_eq!(decide("127.0.0.1", &["10.0.0.9, 10.0.0.2"], &trusted), "10.0.0.9");
        assert_eq!(decide("127.0.0.1", &[], &trusted), "127.0.0.1");
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_understood() {
        let trusted = ["127.0.0.0/8"];
        assert_eq!(decide("127.0.0.1", &["198.51.100.7:4711"], &trusted), "198.51.100.7");
        assert_eq!(decide("127.0.0.1", &["[2001:db8::1]:443"], &trusted), "2001:db8::1");
        assert_eq!(decide("::ffff:198.51.100.7", &[], &trusted), "198.51.100.7");
    }

    #[test]
    fn what_is_no_address_falls_back_to_the_peer() {
        assert_eq!(decide("127.0.0.1", &["unknown"], &["127.0.0.0/8"]), "127.0.0.1");
    }
}
