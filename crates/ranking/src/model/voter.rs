//! How the site identifies a voter: never by the address, only by its keyed hash.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::secret::Key;

/// The keyed hash of a client's network address: 64 lower-case hexadecimal digits.
///
/// The whole of an IPv4 address is hashed, and the first 64 bits of an IPv6 address, which is what
/// one connection is assigned; an IPv4-mapped IPv6 address is hashed as IPv4. Without the key,
/// somebody who has only the database could try all addresses.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IpHash(String);

impl IpHash {
    /// Hashes an address under the site's key for addresses.
    pub(crate) fn of(key: &Key, ip: IpAddr) -> Self {
        Self(match ip.to_canonical() {
            IpAddr::V4(v4) => key.hex(&[b"4", &v4.octets()]),
            IpAddr::V6(v6) => key.hex(&[b"6", &network(v6)]),
        })
    }

    /// The hash as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The network of a client's address, as a number made from its keyed hash: the first 24 bits of
/// IPv4, or 48 bits of IPv6, which is what one site is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetworkHash(i64);

impl NetworkHash {
    /// Hashes the network of an address under the site's key for addresses.
    pub(crate) fn of(key: &Key, ip: IpAddr) -> Self {
        let mac = match ip.to_canonical() {
            IpAddr::V4(v4) => {
                let [a, b, c, _] = v4.octets();
                key.mac(&[b"4/24", &[a, b, c]])
            }
            IpAddr::V6(v6) => {
                let [a, b, c, d, e, f, ..] = v6.octets();
                key.mac(&[b"6/48", &[a, b, c, d, e, f]])
            }
        };
        let [a, b, c, d, e, f, g, h, ..] = mac;
        Self(i64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }

    /// The number as it is stored.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl fmt::Debug for IpHash {
    /// Prints enough to distinguish two hashes in a log, but too little to identify anybody.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IpHash({}…)", self.0.get(..6).unwrap_or_default())
    }
}

fn network(ip: Ipv6Addr) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = ip.octets();
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use proptest::prelude::*;

    fn key() -> Key {
        Key::for_tests("addresses")
    }

    proptest! {
        #[test]
        fn ipv6_counts_by_its_first_sixty_four_bits(net: u64, one: u64, two: u64) {
            let of = |host: u64| Ipv6Addr::from((u128::from(net) << 64) | u128::from(host));
            prop_assume!(of(one).to_ipv4_mapped().is_none() && of(two).to_ipv4_mapped().is_none());
            prop_assert_eq!(
                IpHash::of(&key(), of(one).into()),
                IpHash::of(&key(), of(two).into())
            );
        }

        #[test]
        fn different_networks_never_meet(one: u64, two: u64) {
            prop_assume!(one != two);
            let of = |net: u64| IpAddr::V6(Ipv6Addr::from(u128::from(net) << 64));
            prop_assert_ne!(IpHash::of(&key(), of(one)), IpHash::of(&key(), of(two)));
        }

        #[test]
        fn a_mapped_ipv4_address_is_the_ipv4_address(bits: u32) {
            let v4 = Ipv4Addr::from(bits);
            let mapped = IpAddr::V6(v4.to_ipv6_mapped());
            prop_assert_eq!(IpHash::of(&key(), v4.into()), IpHash::of(&key(), mapped));
        }

        #[test]
        fn distinct_ipv4_addresses_hash_differently(one: u32, two: u32) {
            prop_assume!(one != two);
            let of = |bits: u32| IpHash::of(&key(), Ipv4Addr::from(bits).into());
            prop_assert_ne!(of(one), of(two));
        }

        #[test]
        fn ip_hash_is_hex_and_depends_on_key(bits: u128) {
            let ip = IpAddr::V6(Ipv6Addr::from(bits));
            let hash = IpHash::of(&key(), ip);
            prop_assert_eq!(hash.as_str().len(), 64);
            prop_assert!(hash.as_str().bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
            prop_assert_ne!(hash, IpHash::of(&Key::for_tests("another"), ip));
        }
    }

    #[test]
    fn neighbouring_addresses_share_a_network_hash() {
        let of = |text: &str| NetworkHash::of(&key(), text.parse().expect("an address"));
        assert_eq!(of("203.0.113.1"), of("203.0.113.254"));
        assert_eq!(of("203.0.113.1"), of("::ffff:203.0.113.9"));
        assert_ne!(of("203.0.113.1"), of("203.0.114.1"));
        assert_eq!(of("2001:db8:1:2::3"), of("2001:db8:1:ffff::4"));
        assert_ne!(of("2001:db8:1:2::3"), of("2001:db8:2:2::3"));
        let other =
            NetworkHash::of(&Key::for_tests("another"), "203.0.113.1".parse().expect("an address"));
        assert_ne!(of("203.0.113.1"), other);
    }

    #[test]
    fn ipv4_and_ipv6_prefix_hashes_differ() {
        let v4 = IpAddr::V4(Ipv4Addr::new(1, 2, 3, 4));
        let v6: IpAddr = "102:304::".parse().expect("an address");
        assert_ne!(IpHash::of(&key(), v4), IpHash::of(&key(), v6));
    }

    #[test]
    fn debug_output_omits_the_full_hash() {
        let hash = IpHash::of(&key(), "203.0.113.9".parse().expect("an address"));
        assert!(!format!("{hash:?}").contains(hash.as_str()));
    }
}
