//! Settings of calls that leave the process: `OUTGOING_*`.

use compat_http::{AllowedHost, NoHost, OutgoingConfig};

use super::reader::Reader;

/// Reads how far and how long calls may reach.
pub fn read(reader: &mut Reader) -> OutgoingConfig {
    let usual = OutgoingConfig::default();
    let allowed = reader.with(&["OUTGOING_ALLOWED_HOSTS"], "outgoing.allowed_hosts", |text| {
        let hosts = text.split(',').map(str::trim).filter(|host| !host.is_empty());
        let hosts: Result<Vec<AllowedHost>, NoHost> = hosts.map(str::parse).collect();
        hosts.map_err(|error| error.to_string())
    });
    OutgoingConfig {
        allowed_hosts: allowed.unwrap_or_default(),
        timeout: reader
            .duration(&["OUTGOING_TIMEOUT"], "outgoing.timeout")
            .unwrap_or(usual.timeout),
        max_answer: reader
            .parsed(&["OUTGOING_MAX_ANSWER"], "outgoing.max_answer")
            .unwrap_or(usual.max_answer),
    }
}
