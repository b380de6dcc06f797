//! From where the console is reached at all, before anybody is asked who they are.

use std::net::IpAddr;

/// `CONSOLE`: who may ask for the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsoleAccess {
    /// Whoever sits at this machine and calls it by a name of its own.
    Loopback,
    /// Everybody who reaches the program.
    Everywhere,
}

/// How a request arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<'a> {
    /// The other end of the connection; none where the router is driven in this process.
    pub peer: Option<IpAddr>,
    /// The header `Host`, or the authority of the request's target.
    pub hosts: [Option<&'a str>; 2],
    /// Whether a proxy says that it passed the request on.
    pub is_forwarded: bool,
}

impl ConsoleAccess {
    /// Whether a request is answered. A page of another site may have its own name point to this machine
    /// (DNS rebinding), and a proxy at this machine brings people from elsewhere.
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

/// Whether a name with or without a port is this machine's.
pub(crate) fn is_local(host: &str) -> bool {
    url::Url::parse(&format!("http://{host}")).is_ok_and(|url| compat_http::is_local(&url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_admits_nobody_from_elsewhere() {
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
