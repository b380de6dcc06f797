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
    /// The peer's address, or, when the peer is a trusted proxy, the nearest address behind it
    /// that is not one. `X-Forwarded-For` is read from its end, since whoever sends a request
    /// writes its head. The walk ends at the first hop that is no trusted address: an address
    /// there is the client's, anything else leaves the proxy that wrote it.
    pub fn decide(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_trusted = |ip: &IpAddr| trusted.iter().any(|network| network.contains(ip));
        let mut nearest = peer.to_canonical();
        let mut hops = hops_from_the_end(headers);
        while is_trusted(&nearest)
            && let Some(Some(before)) = hops.next()
        {
            nearest = before;
        }
        Self(nearest)
    }
}

/// All hops, the nearest first; `None` for one that is no address. They are read as bytes: one
/// that is no text must not hide the rest of its line.
fn hops_from_the_end(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    headers
        .get_all("x-forwarded-for")
        .iter()
        .rev()
        .flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','))
        .map(|hop| address(std::str::from_utf8(hop).ok()?.trim_matches([' ', '\t'])))
}

/// An address, alone or with a port, IPv6 in brackets or not.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
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
    use http::HeaderValue;

    use super::*;

    const TRUSTED: [&str; 2] = ["127.0.0.0/8", "10.0.0.0/8"];

    fn decide(peer: &str, lines: &[&[u8]]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            let line = HeaderValue::from_bytes(line).expect("a header");
            headers.append("x-forwarded-for", line);
        }
        let trusted = TRUSTED.map(|net| net.parse().expect("a net"));
        ClientIp::decide(peer.parse().expect("an address"), &headers, &trusted).0.to_string()
    }

    /// The address that is decided when a local proxy appends the client to the hops that the
    /// client sent.
    fn appended(forwarded: &str) -> String {
        decide("127.0.0.1", &[format!("{forwarded}203.0.113.77").as_bytes()])
    }

    #[test]
    fn a_stranger_cannot_choose_its_address() {
        assert_eq!(decide("203.0.113.9", &[b"1.1.1.1"]), "203.0.113.9");
    }

    #[test]
    fn spoofed_hops_before_proxy_hop_are_ignored() {
        for forwarded in [
            "",
            "6.6.6.6, ",
            "6.6.6.6, x, ",
            "6.6.6.7, x, ",
            "unknown, ",
            "x, ",
            "6.6.6.6,, ",
            "127.0.0.1, ",
            "10.0.0.1, 6.6.6.6, ",
            "\"[2001:db8::1]\", ",
            "6.6.6.6\t,",
        ] {
            assert_eq!(appended(forwarded), "203.0.113.77", "{forwarded:?}");
        }
    }

    #[test]
    fn unreadable_hop_falls_back_to_nearest_proxy() {
        for (line, nearest) in [
            (&b"unknown"[..], "127.0.0.1"),
            (b"6.6.6.6, unknown", "127.0.0.1"),
            (b"6.6.6.6, x, 10.0.0.2", "10.0.0.2"),
            (b"6.6.6.6, ", "127.0.0.1"),
            (b"6.6.6.6, [::1", "127.0.0.1"),
            (b"6.6.6.6, \xff, 10.0.0.2", "10.0.0.2"),
        ] {
            assert_eq!(decide("127.0.0.1", &[line]), nearest, "{line:?}");
        }
    }

    #[test]
    fn one_unreadable_byte_does_not_drop_its_line() {
        let line = b"6.6.6.6, \xff, 203.0.113.77";
        assert_eq!(decide("127.0.0.1", &[b"6.6.6.7", line]), "203.0.113.77");
        assert_eq!(decide("127.0.0.1", &[b"\xff", b"203.0.113.77"]), "203.0.113.77");
    }

    #[test]
    fn several_lines_are_one_list() {
        assert_eq!(
            decide("127.0.0.1", &[b"6.6.6.6", b"198.51.100.7", b"10.0.0.2"]),
            "198.51.100.7"
        );
    }

    #[test]
    fn nearest_untrusted_hop_is_the_client() {
        assert_eq!(decide("127.0.0.1", &[b"6.6.6.6, 198.51.100.7, 10.0.0.2"]), "198.51.100.7");
        assert_eq!(decide("127.0.0.1", &[b"10.0.0.9, 10.0.0.2"]), "10.0.0.9");
        assert_eq!(decide("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_understood() {
        assert_eq!(decide("127.0.0.1", &[b"198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(decide("127.0.0.1", &[b"[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(decide("127.0.0.1", &[b"[2001:db8::1]"]), "2001:db8::1");
        assert_eq!(decide("127.0.0.1", &[b"6.6.6.6, ::ffff:10.0.0.2"]), "6.6.6.6");
        assert_eq!(decide("::ffff:198.51.100.7", &[]), "198.51.100.7");
    }

    /// Whatever hops a client sends, the one that the proxy appends decides.
    #[test]
    fn random_forged_hops_never_choose_the_address() {
        let hop =
            "[0-9a-f:.]{1,15}|10\\.0\\.0\\.[0-9]|unknown|\\[[0-9a-f:]{0,9}\\]?(:[0-9]{1,5})?|";
        let line = proptest::collection::vec(hop, 0..5);
        let lines = proptest::collection::vec((line, proptest::bool::ANY), 0..4);
        compat_testkit::property_test("hops", lines, |lines: Vec<(Vec<String>, bool)>| {
            let mut header_lines: Vec<Vec<u8>> = Vec::new();
            for (hops, is_invalid) in &lines {
                let mut line = hops.join(", ").into_bytes();
                line.extend(is_invalid.then_some(0xff));
                header_lines.push(line);
            }
            let appended = |hop: &[u8]| {
                let mut lines = header_lines.clone();
                let last = lines.pop().unwrap_or_default();
                lines.push([&last[..], b", ", hop].concat());
                let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
                decide("127.0.0.1", &lines)
            };
            assert_eq!(appended(b"203.0.113.77"), "203.0.113.77");
            assert_eq!(appended(b"203.0.113.77, 10.0.0.2"), "203.0.113.77");
            assert_eq!(appended(b"unknown, 10.0.0.2"), "10.0.0.2");
        });
    }
}
