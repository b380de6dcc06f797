//! The address in a listing, and the protocol to query it.

/// Reserved top-level names (RFC 2606, RFC 6761), which no server has.
const RESERVED: [&str; 4] = ["example", "invalid", "localhost", "test"];

/// The default ports of Minecraft's Bedrock edition.
const BEDROCK: [u16; 2] = [19132, 19133];

/// The query protocol of a game; the names are those of `games.status_protocol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Protocol {
    /// Valve's server queries.
    Source,
    /// Minecraft's server list ping, of the Java edition.
    Minecraft,
    /// RakNet's unconnected ping, of Minecraft's Bedrock edition.
    Bedrock,
    /// The HTTP status documents of FiveM and RedM servers.
    Fivem,
    /// A TCP connection only.
    Tcp,
}

impl Protocol {
    /// The name under which measurements are stored.
    pub fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Minecraft => "minecraft",
            Self::Bedrock => "bedrock",
            Self::Fivem => "fivem",
            Self::Tcp => "tcp",
        }
    }
}

/// An address to query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// A host name or an IPv4 address, in lower case.
    pub host: String,
    pub port: u16,
    pub protocol: Protocol,
}

impl Address {
    /// Parses the address in a listing, with its game's protocol and default port; `None` when it
    /// cannot be queried.
    pub fn parse(text: &str, protocol: &str, usual_port: Option<u16>) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let (host, port) = match text.split_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok().filter(|port| *port != 0)?)),
            None => (text.as_str(), None),
        };
        let host = host.trim_end_matches('.');
        let last = host.rsplit('.').next()?;
        // A single label is not a public name, but the placeholder for an unknown address.
        if !host.contains('.') || RESERVED.contains(&last) {
            return None;
        }
        let port = port.or(usual_port)?;
        let protocol = match protocol {
            "source" => Protocol::Source,
            "minecraft" if BEDROCK.contains(&port) => Protocol::Bedrock,
            "minecraft" => Protocol::Minecraft,
            "fivem" => Protocol::Fivem,
            _ => Protocol::Tcp,
        };
        Some(Self { host: host.to_owned(), port, protocol })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_falls_back_to_the_game_default() {
        let read = |text, protocol, usual| {
            Address::parse(text, protocol, usual)
                .map(|found| (found.host, found.port, found.protocol))
        };
        let host = || "play.site.fr".to_owned();
        for (text, protocol, usual, expected) in [
            ("Play.Site.fr", "minecraft", Some(25565), Some((host(), 25565, Protocol::Minecraft))),
            ("play.site.fr:2020", "source", Some(27015), Some((host(), 2020, Protocol::Source))),
            ("play.site.fr:19132", "minecraft", Some(1), Some((host(), 19132, Protocol::Bedrock))),
            ("play.site.fr.", "fivem", Some(30120), Some((host(), 30120, Protocol::Fivem))),
            ("play.site.fr", "tcp", Some(3724), Some((host(), 3724, Protocol::Tcp))),
            ("play.site.fr", "tcp", None, None),
            ("play.site.fr:0", "tcp", Some(1), None),
            ("play.site.fr:70000", "tcp", Some(1), None),
            ("play.site.fr:x", "tcp", Some(1), None),
            ("N/A", "source", Some(27015), None),
            ("{ip}", "source", Some(27015), None),
            ("", "source", Some(27015), None),
            ("localhost:27015", "source", None, None),
            ("play.loupgarde.example", "minecraft", Some(25565), None),
        ] {
            assert_eq!(read(text, protocol, usual), expected, "{text}");
        }
    }
}
