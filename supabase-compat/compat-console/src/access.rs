//! From where the console can be reached, which is checked before any authentication.

use std::net::IpAddr;

/// The setting `CONSOLE`: from where the console can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsoleAccess {
    /// From this machine only, under one of its own names.
    Loopback,
    /// From everywhere.
    Everywhere,
}

/// How a request arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<'a> {
    /// The peer address of the connection; none if the router is called in this process.
    pub peer: Option<IpAddr>,
    /// The header `Host`, or the authority of the request's target.
    pub hosts: [Option<&'a str>; 2],
    /// Whether a proxy has marked the request as forwarded.
    pub is_forwarded: bool,
}

impl ConsoleAccess {
    /// Whether a request is admitted. The host name is checked, because a page of another site may
    /// let its own name point to this machine (DNS rebinding), and the mark of a proxy, because a
    /// proxy on this machine may forward requests from elsewhere.
    pub(crate) fn admits(self, arrival: Arrival<'_>) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Loopback => {
                let is_near = arrival.peer.is_none_or(|peer| peer.to_canonical().is_loopback());
                is_near
                    && !arrival.is_forwarded
                    && arrival.hosts.into_iter().flatten().all(is_local)
            }
        }
    }
}

/// Whether a host, with or without a port, is this machine.
pub(crate) fn is_local(host: &str) -> bool {
    url::Url::parse(&format!("http://{host}")).is_ok_and(|url| compat_http::is_local(&url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_access_refuses_remote_and_forwarded_requests() {
        let near = Arrival {
            peer: Some("127.0.0.1".parse().expect("an address")),
            hosts: [Some("localhost:54321"), None],
            is_forwarded: false,
        };
        let admits = |arrival| ConsoleAccess::Loopback.admits(arrival);
        assert!(admits(near));
        assert!(admits(Arrival { hosts: [Some("[::1]:8000"), None], ..near }));
        for far in [
            Arrival { peer: Some("192.0.2.7".parse().expect("an address")), ..near },
            Arrival { hosts: [Some("evil.example:54321"), None], ..near },
            Arrival { hosts: [Some("localhost"), Some("evil.example")], ..near },
            Arrival { hosts: [Some("localhost.evil.example"), None], ..near },
            Arrival { hosts: [Some("x@localhost y"), None], ..near },
            Arrival { is_forwarded: true, ..near },
        ] {
            assert!(!admits(far), "{far:?}");
            assert!(ConsoleAccess::Everywhere.admits(far));
        }
    }
}
