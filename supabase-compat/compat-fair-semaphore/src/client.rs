//! Which addresses count as one client, and which as one network.

use std::net::IpAddr;

use ipnet::IpNet;

/// The bits of an IPv6 address that a provider gives to one customer.
const CUSTOMER_BITS: u8 = 64;
/// The bits that all addresses of a customer share who has the largest block that providers assign.
const NETWORK_BITS: u8 = 48;

/// The network that counts as one client: one IPv4 address, also when it is mapped into IPv6, or
/// the /64 of one IPv6 customer.
#[must_use]
pub fn client_prefix(address: IpAddr) -> IpNet {
    match address.to_canonical() {
        address @ IpAddr::V4(_) => address.into(),
        address @ IpAddr::V6(_) => IpNet::new_assert(address, CUSTOMER_BITS).trunc(),
    }
}

/// The widest network that one customer may have.
pub(crate) fn network(client: IpNet) -> IpNet {
    match client {
        IpNet::V4(_) => client,
        IpNet::V6(_) => IpNet::new_assert(client.addr(), NETWORK_BITS).trunc(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_is_one_address_or_sixty_four_bits() {
        for (address, prefix) in [
            ("203.0.113.9", "203.0.113.9/32"),
            ("::ffff:203.0.113.9", "203.0.113.9/32"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            assert_eq!(client_prefix(address.parse().expect("an address")).to_string(), prefix);
        }
    }

    #[test]
    fn network_is_one_address_or_forty_eight_bits() {
        let of = |text: &str| network(client_prefix(text.parse().expect("an address")));
        assert_eq!(of("2001:db8:1:2::5"), of("2001:db8:1:3::9"));
        assert_ne!(of("2001:db8:1:2::5"), of("2001:db8:2:2::5"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
