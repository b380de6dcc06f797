//! Which addresses are public. Pure: a value in, a verdict out.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};
use url::Host;

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(first: u16, second: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), length)
}

/// What is not the public internet (IANA's registry of special-purpose addresses, and one address
/// of a cloud).
const CLOSED_V4: [Ipv4Net; 16] = [
    v4(0, 0, 0, 0, 8),        // this network, the unspecified address
    v4(10, 0, 0, 0, 8),       // private
    v4(100, 64, 0, 0, 10),    // behind a carrier's translation, metadata of some clouds
    v4(127, 0, 0, 0, 8),      // this machine
    v4(168, 63, 129, 16, 32), // Azure's own services to its machines
    v4(169, 254, 0, 0, 16),   // link-local, metadata of most clouds
    v4(172, 16, 0, 0, 12),    // private
    v4(192, 0, 0, 0, 24),     // protocol assignments, metadata of some clouds
    v4(192, 0, 2, 0, 24),     // documentation
    v4(192, 88, 99, 0, 24),   // relays of 6to4
    v4(192, 168, 0, 0, 16),   // private
    v4(198, 18, 0, 0, 15),    // benchmarks
    v4(198, 51, 100, 0, 24),  // documentation
    v4(203, 0, 113, 0, 24),   // documentation
    v4(224, 0, 0, 0, 4),      // multicast
    v4(240, 0, 0, 0, 4),      // reserved, broadcast
];

/// Where public addresses of IPv6 are handed out. Outside lie the unspecified address, loopback,
/// mapped and compatible IPv4, translation (NAT64), discard, unique local, link-local, site-local
/// and multicast.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 3);

/// The exceptions inside it.
const CLOSED_V6: [Ipv6Net; 4] = [
    v6(0x2001, 0, 23),      // protocol assignments: Teredo, ORCHID, benchmarks
    v6(0x2001, 0x0db8, 32), // documentation
    v6(0x2002, 0, 16),      // 6to4, which carries an IPv4 address of any kind
    v6(0x3fff, 0, 20),      // documentation
];

/// Whether an address belongs to the public internet. An IPv4 address embedded in IPv6 never does:
/// no public name has such an address, and it could hide a private one.
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !CLOSED_V4.iter().any(|network| network.contains(&ip)),
        IpAddr::V6(ip) => {
            GLOBAL_V6.contains(&ip) && !CLOSED_V6.iter().any(|network| network.contains(&ip))
        }
    }
}

/// Names that every resolver may answer with this machine (RFC 6761, 6.3).
pub(super) fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// A host as the URL standard reads it: `127.1`, `0x7f000001` and `2130706433` are addresses.
pub(super) fn host(text: &str) -> Option<Host> {
    match text.parse() {
        Ok(IpAddr::V4(ip)) => Some(Host::Ipv4(ip)),
        Ok(IpAddr::V6(ip)) => Some(Host::Ipv6(ip)),
        Err(_) => Host::parse(text).ok(),
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    fn is_public_text(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn non_public_address_ranges_have_exact_boundaries() {
        for (first, last, before, after) in [
            ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
            ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
            ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
            ("168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"),
            ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
            ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
            ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
            ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
            ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
            ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
            ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
            ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
            ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7::", "2001:db9::"),
            ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"),
        ] {
            assert!(!is_public_text(first) && !is_public_text(last), "{first} to {last}");
            assert!(is_public_text(before) && is_public_text(after), "{before} and {after}");
        }
    }

    #[test]
    fn special_addresses_are_closed_too() {
        for closed in [
            "0.0.0.0",
            "0.255.255.255",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::1",
            "100::1",
            "2001::7f00:1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
        ] {
            assert!(!is_public_text(closed), "{closed}");
        }
        for open in ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00::1"] {
            assert!(is_public_text(open), "{open}");
        }
    }

    #[test]
    fn localhost_names_are_recognised_in_any_spelling() {
        for name in ["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.Localhost."] {
            assert!(is_localhost(name), "{name}");
        }
        for name in ["localhost.example", "mylocalhost", "example.org", ""] {
            assert!(!is_localhost(name), "{name}");
        }
    }

    #[test]
    fn numbers_that_mean_an_address_are_one() {
        for text in ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0x7f000001", "017700000001"] {
            assert_eq!(host(text), Some(Host::Ipv4(Ipv4Addr::LOCALHOST)), "{text}");
        }
        for text in ["::1", "[::1]", "0:0:0:0:0:0:0:1"] {
            assert_eq!(host(text), Some(Host::Ipv6(Ipv6Addr::LOCALHOST)), "{text}");
        }
        assert_eq!(host("１２７.0.0.1"), Some(Host::Ipv4(Ipv4Addr::LOCALHOST)));
        for wrong in ["", "a b", "[::1", "256.256.256.256", "a/b", "a:b"] {
            assert_eq!(host(wrong), None, "{wrong}");
        }
    }

    /// The standard library knows the same kinds by other means.
    #[test]
    fn random_addresses_are_public_unless_special() {
        property_test("addresses", any::<(u32, u128)>(), |(bits, wide): (u32, u128)| {
            let ip = Ipv4Addr::from_bits(bits);
            let special = ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_broadcast()
                || ip.is_documentation()
                || ip.is_multicast()
                || ip.is_unspecified();
            assert!(!(special && is_public(ip.into())), "{ip}");
            let ip = Ipv6Addr::from_bits(wide);
            let special = ip.is_loopback()
                || ip.is_multicast()
                || ip.is_unique_local()
                || ip.is_unicast_link_local()
                || ip.is_unspecified();
            assert!(!(special && is_public(ip.into())), "{ip}");
        });
    }

    #[test]
    fn random_mapped_ipv4_addresses_are_never_public() {
        property_test("clothes", any::<u32>(), |bits: u32| {
            let [a, b] = [(bits >> 16) as u16, bits as u16];
            for clothed in [
                Ipv4Addr::from_bits(bits).to_ipv6_mapped(),
                Ipv4Addr::from_bits(bits).to_ipv6_compatible(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, a, b),
                Ipv6Addr::new(0x2002, a, b, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, !a, !b),
            ] {
                assert!(!is_public(clothed.into()), "{clothed}");
            }
        });
    }

    /// A host parses to the same address as in the URL parser, so that the check and the socket see
    /// the same address.
    #[test]
    fn random_hosts_parse_as_the_standard_says() {
        let texts = "[0-9a-fx.]{1,16}|\\[?[0-9a-f:.]{1,20}\\]?|[a-z0-9.-]{1,12}|\\PC{0,12}";
        property_test("hosts", texts, |text: String| {
            let Ok(url) = format!("http://{text}/").parse::<url::Url>() else { return };
            let plain = !text.contains(['/', '?', '#', '@', ':', '\\', '%', '\t', '\n', '\r']);
            let bracketed = text.starts_with('[') && text.ends_with(']');
            if plain || bracketed {
                assert_eq!(host(&text).as_ref(), url.host().map(|host| host.to_owned()).as_ref());
            }
        });
    }
}
