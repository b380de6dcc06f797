//! Whether an address is on this machine.

use url::{Host, Url};

/// Whether an address leads to this machine only. Traffic to it needs no encryption, and only the
/// operator may name such an address.
pub fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
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
}
