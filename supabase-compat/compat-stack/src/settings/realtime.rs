//! Settings of realtime/v1: the original's variables where it has them, and `[realtime]`.

use std::time::Duration;

use compat_realtime::Config;

use super::reader::Reader;

/// Reads the settings of realtime/v1.
pub fn read(reader: &mut Reader) -> Config {
    let mut config = Config::default();
    limits(reader, &mut config);
    times(reader, &mut config);
    let mut switch = |field: &mut bool, name: &str, key: &str| {
        reader.over(field, &[name], &format!("realtime.{key}"));
    };
    switch(&mut config.private_only, "REALTIME_PRIVATE_ONLY", "private_only");
    switch(&mut config.presence_enabled, "REALTIME_PRESENCE_ENABLED", "presence_enabled");
    let name = "REALTIME_BROADCAST_PERSISTENCE";
    switch(&mut config.stores_broadcasts, name, "broadcast_persistence");
    switch(&mut config.suspended, "REALTIME_SUSPEND", "suspend");
    config
}

fn limits(reader: &mut Reader, config: &mut Config) {
    let mut over = |field: &mut usize, name: &str, key: &str| {
        reader.over_with(field, &[name], &format!("realtime.{key}"), at_least_one);
    };
    over(&mut config.max_sockets, "TENANT_MAX_CONCURRENT_USERS", "max_concurrent_users");
    let name = "REALTIME_MAX_SOCKETS_PER_ADDRESS";
    over(&mut config.max_sockets_per_address, name, "max_sockets_per_address");
    let name = "TENANT_MAX_CHANNELS_PER_CLIENT";
    over(&mut config.max_channels_per_socket, name, "max_channels_per_client");
    over(&mut config.max_payload_kilobytes, "REALTIME_MAX_PAYLOAD_SIZE_KB", "max_payload_size_kb");
    let name = "REALTIME_MAX_PRESENCE_SIZE_KB";
    over(&mut config.max_presence_kilobytes, name, "max_presence_size_kb");
    let name = "REALTIME_MAX_CHANNEL_PRESENCE_SIZE_KB";
    over(&mut config.max_channel_presence_kilobytes, name, "max_channel_presence_size_kb");
    let name = "REALTIME_MAX_TOTAL_PRESENCE_SIZE_KB";
    over(&mut config.max_total_presence_kilobytes, name, "max_total_presence_size_kb");
    let name = "REALTIME_MAX_PENDING_SIZE_KB";
    over(&mut config.max_pending_kilobytes, name, "max_pending_size_kb");
    let name = "REALTIME_MAX_UNREAD_SIZE_KB";
    over(&mut config.max_unread_kilobytes, name, "max_unread_size_kb");
    over(&mut config.queue_frames, "REALTIME_QUEUE_FRAMES", "queue_frames");
    over(&mut config.queue_bytes, "REALTIME_QUEUE_BYTES", "queue_bytes");
    let mut over = |field: &mut u32, name: &str, key: &str| {
        reader.over_with(field, &[name], &format!("realtime.{key}"), at_least_one);
    };
    let name = "TENANT_MAX_EVENTS_PER_SECOND";
    over(&mut config.max_events_per_second, name, "max_events_per_second");
    over(&mut config.max_bytes_per_second, "TENANT_MAX_BYTES_PER_SECOND", "max_bytes_per_second");
    let name = "REALTIME_MAX_FRAMES_PER_SECOND";
    over(&mut config.max_frames_per_second, name, "max_frames_per_second");
    over(&mut config.max_joins_per_second, "TENANT_MAX_JOINS_PER_SECOND", "max_joins_per_second");
    let name = "REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND";
    over(&mut config.max_presence_events_per_second, name, "max_presence_events_per_second");
    let name = "REALTIME_CLIENT_PRESENCE_MAX_CALLS";
    over(&mut config.client_presence_calls, name, "client_presence_max_calls");
}

fn times(reader: &mut Reader, config: &mut Config) {
    let mut over = |field: &mut Duration, name: &str, key: &str| {
        reader.over_with(field, &[name], &format!("realtime.{key}"), |text| {
            text.parse().map(Duration::from_millis).map_err(|_| "milliseconds")
        });
    };
    let name = "REALTIME_CLIENT_PRESENCE_WINDOW_MS";
    over(&mut config.client_presence_window, name, "client_presence_window_ms");
    over(&mut config.silence_timeout, "REALTIME_HEARTBEAT_TIMEOUT_MS", "heartbeat_timeout_ms");
    over(&mut config.no_channel_timeout, "NO_CHANNEL_TIMEOUT_IN_MS", "no_channel_timeout_in_ms");
    over(&mut config.connect_backoff, "CONNECT_ERROR_BACKOFF_MS", "connect_error_backoff_ms");
    over(&mut config.join_backoff, "CHANNEL_ERROR_BACKOFF_MS", "channel_error_backoff_ms");
    over(&mut config.token_check, "REALTIME_TOKEN_CHECK_MS", "token_check_ms");
    over(&mut config.rights_ttl, "REALTIME_RIGHTS_TTL_MS", "rights_ttl_ms");
    over(&mut config.send_timeout, "REALTIME_SEND_TIMEOUT_MS", "send_timeout_ms");
    over(&mut config.node_heartbeat, "REALTIME_NODE_HEARTBEAT_MS", "node_heartbeat_ms");
    over(&mut config.stream_grace, "REALTIME_STREAM_GRACE_MS", "stream_grace_ms");
}

fn at_least_one<T: std::str::FromStr + From<u8> + PartialOrd>(
    text: &str,
) -> Result<T, &'static str> {
    let number: Option<T> = text.trim().parse().ok();
    number.filter(|number| *number >= T::from(1)).ok_or("a whole number of at least 1")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn reader(variables: &[(&str, &str)]) -> Reader {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment: BTreeMap<_, _> = variables.iter().map(owned).collect();
        let file = "[realtime]\nqueue_bytes = 100\nmax_events_per_second = 9";
        Reader::new(environment, &file.parse().expect("toml"))
    }

    #[test]
    fn variables_go_before_the_file() {
        let variables = [("TENANT_MAX_EVENTS_PER_SECOND", "7"), ("CHANNEL_ERROR_BACKOFF_MS", "50")];
        let mut reader = reader(&variables);
        let config = read(&mut reader);
        assert_eq!((config.max_events_per_second, config.queue_bytes), (7, 100));
        assert_eq!(config.join_backoff, Duration::from_millis(50));
        let findings = reader.finish();
        assert!(findings.problems.is_empty() && findings.unused.is_empty());
    }

    #[test]
    fn limits_of_nothing_are_refused() {
        let mut reader = reader(&[("TENANT_MAX_JOINS_PER_SECOND", "0")]);
        read(&mut reader);
        assert_eq!(reader.finish().problems.len(), 1);
    }
}
