//! Settings of calls that leave the process: `OUTGOING_*`.

use compat_http::{AllowedHost, NoHost, OutgoingConfig};

use super::reader::Reader;

/// Reads how far and how long calls may reach.
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
    config
}

fn allowed(text: &str) -> Result<Vec<AllowedHost>, &'static str> {
    let hosts = text.split(',').map(str::trim).filter(|host| !host.is_empty());
    let hosts: Result<_, NoHost> = hosts.map(str::parse).collect();
    hosts.map_err(|_| "names, addresses or networks, separated by commas")
}
