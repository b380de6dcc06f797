//! Where an address lies: at this machine or not, and in whose network.

use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Url};

/// Whether an address leads to this machine and nowhere else: what never leaves it needs no
/// encryption and is nobody else's to name.
pub fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// The network a client counts as: an address of IPv4, or the /64 that one household of IPv6 has.
pub fn household(client: IpAddr) -> IpNet {
    match client.to_canonical() {
        IpAddr::V4(ip) => IpNet::from(IpAddr::V4(ip)),
        IpAddr::V6(ip) => IpNet::new_assert(IpAddr::V6(ip), 64).trunc(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_local() {
        let local = |url: &str| is_local(&url.parse().expect("an address"));
        for url in ["http://localhost:8000", "http://127.0.0.1", "http://127.9.9.9", "ws://[::1]:1"]
        {
            assert!(local(url), "{url}");
        }
        for url in [
            "https://palmares.example",
            "http://10.0.0.4",
            "http://localhost.evil.example",
            "http://[::ffff:127.0.0.1]",
            "mailto:localhost",
            "app:/localhost",
        ] {
            assert!(!local(url), "{url}");
        }
    }

    #[test]
    fn a_household_is_one_address_or_sixty_four_bits() {
        for (ip, expected) in [
            ("203.0.113.9", "203.0.113.9/32"),
            ("::ffff:203.0.113.9", "203.0.113.9/32"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            assert_eq!(household(ip.parse().expect("an address")).to_string(), expected);
        }
    }
}
