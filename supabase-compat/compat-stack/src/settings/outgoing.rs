//! Settings of outgoing calls: `OUTGOING_*`.

use std::net::{IpAddr, SocketAddr};

use compat_http::{AllowedHost, AllowedHostError, OutgoingConfig};

use super::reader::Reader;

/// The default port of DNS servers.
const DNS: u16 = 53;

/// Reads the limits and the allowed hosts of outgoing calls.
pub fn read(reader: &mut Reader) -> OutgoingConfig {
    let mut config = OutgoingConfig::default();
    reader.over_with(
        &mut config.allowed_hosts,
        &["OUTGOING_ALLOWED_HOSTS"],
        "outgoing.allowed_hosts",
        allowed,
    );
    reader.over(&mut config.timeout, &["OUTGOING_TIMEOUT"], "outgoing.timeout");
    reader.over(&mut config.max_answer, &["OUTGOING_MAX_ANSWER"], "outgoing.max_answer");
    reader.over_with(
        &mut config.dns_servers,
        &["OUTGOING_DNS_SERVERS"],
        "outgoing.dns_servers",
        servers,
    );
    config
}

/// Parses DNS servers; the port may be left out.
fn servers(text: &str) -> Result<Vec<SocketAddr>, &'static str> {
    let servers = text.split(',').map(str::trim).filter(|server| !server.is_empty());
    let read = |server: &str| {
        server.parse().or_else(|_| server.parse::<IpAddr>().map(|ip| SocketAddr::from((ip, DNS))))
    };
    let servers: Result<_, _> = servers.map(read).collect();
    servers.map_err(|_| "addresses with or without a port, separated by commas")
}

fn allowed(text: &str) -> Result<Vec<AllowedHost>, &'static str> {
    let hosts = text.split(',').map(str::trim).filter(|host| !host.is_empty());
    let hosts: Result<_, AllowedHostError> = hosts.map(str::parse).collect();
    hosts.map_err(|_| "names, addresses or networks, separated by commas")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_server_port_is_optional() {
        let read = servers("192.0.2.53, [2001:db8::53]:5353,2001:db8::1,").expect("addresses");
        let addresses: Vec<_> = read.iter().map(ToString::to_string).collect();
        assert_eq!(addresses, ["192.0.2.53:53", "[2001:db8::53]:5353", "[2001:db8::1]:53"]);
        for wrong in ["dns.example", "192.0.2.53:x", "192.0.2.53 192.0.2.54"] {
            assert!(servers(wrong).is_err(), "{wrong}");
        }
    }
}
