//! Bans: of an account, an address, or a whole network.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::{DateTime, Utc};

/// Why somebody may not vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ban {
    /// The account is banned.
    Account,
    /// The hash of the address is banned.
    Address,
    /// The address is in a banned network.
    Network,
}

/// A network that is banned from voting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BannedNetwork {
    /// Any address in the network.
    pub address: IpAddr,
    /// The length of the network prefix in bits.
    pub bits: u8,
    /// When the ban ends; `None` for a permanent ban.
    pub until: Option<DateTime<Utc>>,
}

/// A set of banned networks. A look-up of an address costs one hash look-up per prefix length,
/// however many networks there are.
#[derive(Debug, Default)]
pub(crate) struct BannedNetworks {
    sizes: Vec<(Family, u8)>,
    until: HashMap<(Family, u8, u128), Option<DateTime<Utc>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Family {
    V4,
    V6,
}

impl BannedNetworks {
    /// Whether an address is in a banned network; an IPv4-mapped IPv6 address is treated as IPv4.
    pub fn hold(&self, ip: IpAddr, now: DateTime<Utc>) -> bool {
        let (family, address) = spread(ip);
        let sizes = self.sizes.iter().filter(|(of, _)| *of == family);
        sizes.filter_map(|(_, bits)| self.until.get(&(family, *bits, head(address, *bits)))).any(
            |until| match until {
                Some(until) => *until > now,
                None => true,
            },
        )
    }
}

impl FromIterator<BannedNetwork> for BannedNetworks {
    fn from_iter<T: IntoIterator<Item = BannedNetwork>>(networks: T) -> Self {
        let mut all = Self::default();
        for BannedNetwork { address, bits, until } in networks {
            let (family, address) = spread(address);
            if !all.sizes.contains(&(family, bits)) {
                all.sizes.push((family, bits));
            }
            all.until.insert((family, bits, head(address, bits)), until);
        }
        all
    }
}

/// The address in the highest bits of a 128-bit number.
fn spread(ip: IpAddr) -> (Family, u128) {
    match ip.to_canonical() {
        IpAddr::V4(v4) => (Family::V4, u128::from(v4.to_bits()) << 96),
        IpAddr::V6(v6) => (Family::V6, v6.to_bits()),
    }
}

fn head(address: u128, bits: u8) -> u128 {
    let rest = 128_u32.saturating_sub(bits.into());
    u128::MAX.checked_shl(rest).unwrap_or(0) & address
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn network(text: &str, bits: u8) -> BannedNetwork {
        BannedNetwork { address: ip(text), bits, until: None }
    }

    #[test]
    fn address_is_banned_by_its_network_only() {
        let all: BannedNetworks = [
            network("203.0.113.0", 24),
            network("198.51.100.7", 32),
            network("2001:db8::", 32),
            network("10.0.0.0", 8),
        ]
        .into_iter()
        .collect();
        let held =
            ["203.0.113.255", "::ffff:203.0.113.9", "198.51.100.7", "2001:db8:ffff::1", "10.9.8.7"];
        for address in held {
            assert!(all.hold(ip(address), DateTime::UNIX_EPOCH), "{address}");
        }
        for address in ["203.0.114.0", "198.51.100.8", "2001:db9::1", "11.0.0.0", "cb00:7100::"] {
            assert!(!all.hold(ip(address), DateTime::UNIX_EPOCH), "{address}");
        }
        assert!(!BannedNetworks::default().hold(ip("203.0.113.9"), DateTime::UNIX_EPOCH));
    }

    #[test]
    fn ban_ends_at_expiry_unless_wider_ban_remains() {
        let end = DateTime::UNIX_EPOCH + TimeDelta::days(1);
        let short = BannedNetwork { until: Some(end), ..network("203.0.113.0", 24) };
        let all: BannedNetworks = [short].into_iter().collect();
        let address = ip("203.0.113.9");
        assert!(all.hold(address, end - TimeDelta::milliseconds(1)));
        assert!(!all.hold(address, end));
        let all: BannedNetworks = [short, network("203.0.0.0", 16)].into_iter().collect();
        assert!(all.hold(address, end));
    }

    #[test]
    fn random_networks_contain_what_their_bits_say() {
        property_test(
            "banned networks",
            (any::<u32>(), any::<u128>(), 0..=32_u8, 0..=128_u8, any::<u32>(), any::<u128>()),
            |(four, six, four_bits, six_bits, other_four, other_six)| {
                let v4 = |bits: u32| IpAddr::from(std::net::Ipv4Addr::from(bits));
                let v6 = |bits: u128| IpAddr::from(std::net::Ipv6Addr::from(bits));
                let all: BannedNetworks = [
                    BannedNetwork { address: v4(four), bits: four_bits, until: None },
                    BannedNetwork { address: v6(six), bits: six_bits, until: None },
                ]
                .into_iter()
                .collect();
                let same = (four ^ other_four).leading_zeros() >= four_bits.into();
                if v6(six).to_canonical().is_ipv6() {
                    assert_eq!(all.hold(v4(other_four), DateTime::UNIX_EPOCH), same);
                    let same = (six ^ other_six).leading_zeros() >= six_bits.into();
                    if v6(other_six).to_canonical().is_ipv6() {
                        assert_eq!(all.hold(v6(other_six), DateTime::UNIX_EPOCH), same);
                    }
                }
            },
        );
    }
}
