//! Queries the status of the game servers that are due.

use std::collections::HashMap;
use std::time::Duration;

use compat_pg::PgError;
use futures_util::StreamExt;
use futures_util::stream;
use tokio::time::Instant;

use crate::State;
use crate::store::server_status::{self, DueCheck, StatusRecord};
use crate::workers::status::{Address, StatusOutcome, ask};

/// The lease on a server, in seconds. A query takes at most half of it.
pub(crate) const LEASE: i32 = 60;

/// A run takes as many servers as the rate allows in this many seconds.
const BATCH_SECONDS: u32 = 10;

/// The most servers per run, whatever the rate.
const MOST: u32 = 2_000;

/// The time limit for one host per run; its remaining servers are soon due again.
const HOST: Duration = Duration::from_secs(20);

/// The standings written in one transaction. A vote for one of these servers waits until it ends.
const WRITE_BATCH: usize = 200;

/// If at least this many servers that were online are all silent at once, our own network is down.
const OUTAGE_THRESHOLD: usize = 10;

/// Queries the servers that are due and stores the results; returns how many were queried.
pub(crate) async fn check_due(state: &State) -> Result<u64, PgError> {
    let config = state.config().status;
    let rows = config.rate.saturating_mul(BATCH_SECONDS).min(MOST);
    if rows == 0 {
        return Ok(0);
    }
    let mut owner = state.pools().jobs.begin().await?;
    let interval = config.interval(server_status::count(&mut owner).await?);
    let now = state.environment().clock.now();
    let rows = i32::try_from(rows).unwrap_or(i32::MAX);
    let due = server_status::claim(&mut owner, now, LEASE, rows).await?;
    // The lease is committed before the queries, so that other processes skip these servers.
    owner.commit().await?;
    let records: Vec<(bool, StatusRecord)> = stream::iter(by_host(due))
        .map(|due| ask_host(state, due))
        .buffer_unordered(config.concurrency)
        .flat_map(stream::iter)
        .collect()
        .await;
    if is_network_down(&records) {
        tracing::warn!(servers = records.len(), "status results discarded: no game server answers");
        return Ok(0);
    }
    let status_records: Vec<StatusRecord> =
        records.into_iter().map(|(_, status_records)| status_records).collect();
    for status_records in status_records.chunks(WRITE_BATCH) {
        let mut owner = state.pools().jobs.begin().await?;
        server_status::set(&mut owner, state.environment().clock.now(), interval, status_records)
            .await?;
        owner.commit().await?;
        record_statuses(state, status_records);
    }
    Ok(status_records.iter().filter(|status_records| status_records.protocol.is_some()).count()
        as u64)
}

/// Records the statuses that are to be broadcast to open pages.
pub(crate) fn record_statuses(state: &State, records: &[StatusRecord]) {
    for record in records {
        if let Some(is_online) = record.outcome.is_online() {
            let report = record.outcome.report();
            let players = report.and_then(|report| report.players);
            let places = report.and_then(|report| report.places);
            state.server_changes().record_status(record.server, (is_online, players, places));
        }
    }
}

/// Groups the servers by host, each with its address.
fn by_host(due: Vec<DueCheck>) -> Vec<Vec<(DueCheck, Option<Address>)>> {
    let mut hosts: HashMap<String, Vec<(DueCheck, Option<Address>)>> = HashMap::new();
    for due in due {
        let address = address_of(&due.address, &due.protocol, due.usual_port);
        let host = address.as_ref().map(|address| address.host.clone()).unwrap_or_default();
        hosts.entry(host).or_default().push((due, address));
    }
    hosts.into_values().collect()
}

/// The address under which a listing's server is queried; `None` when the listing has no usable
/// address.
pub(crate) fn address_of(address: &str, protocol: &str, port: Option<i32>) -> Option<Address> {
    Address::parse(address, protocol, port.and_then(|port| u16::try_from(port).ok()))
}

/// Queries the servers of a host one after the other; each result says whether the server was
/// online before.
async fn ask_host(
    state: &State,
    due: Vec<(DueCheck, Option<Address>)>,
) -> Vec<(bool, StatusRecord)> {
    let until = Instant::now() + HOST;
    let mut records = Vec::with_capacity(due.len());
    for (due, address) in due {
        if Instant::now() >= until {
            break;
        }
        let (protocol, outcome) = match address {
            None => (None, StatusOutcome::NotAsked),
            Some(address) => {
                let outcome =
                    ask(&state.environment().outgoing, state.game_hosts(), &address).await;
                (Some(address.protocol), outcome)
            }
        };
        records.push((due.was_online, StatusRecord { server: due.server, protocol, outcome }));
    }
    records
}

fn is_network_down(records: &[(bool, StatusRecord)]) -> bool {
    let is_silent = |record: &StatusRecord| record.outcome == StatusOutcome::Offline;
    let silent =
        records.iter().filter(|(was_online, record)| *was_online && is_silent(record)).count();
    silent >= OUTAGE_THRESHOLD
        && records.iter().all(|(_, record)| record.outcome.report().is_none())
}

#[cfg(test)]
mod tests {
    use gamewire::status::Report;
    use uuid::Uuid;

    use super::*;

    fn record_of(was_online: bool, outcome: StatusOutcome) -> (bool, StatusRecord) {
        (was_online, StatusRecord { server: Uuid::nil(), protocol: None, outcome })
    }

    #[test]
    fn simultaneous_silence_counts_as_network_outage() {
        let silent: Vec<_> = (0..10).map(|_| record_of(true, StatusOutcome::Offline)).collect();
        assert!(is_network_down(&silent));
        assert!(!is_network_down(&silent[1..]), "a few may be");
        let dead: Vec<_> = (0..50).map(|_| record_of(false, StatusOutcome::Offline)).collect();
        assert!(!is_network_down(&dead), "they were silent before");
        let one = record_of(false, StatusOutcome::Online(Report::default()));
        assert!(!is_network_down(&[silent, vec![one]].concat()));
    }
}
