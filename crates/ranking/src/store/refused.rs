//! What is refused and how often: `public.ip_bans`, as far as it is about networks, and
//! `public.vote_outcomes`.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::ban::BannedNetwork;
use crate::model::reason::Reason;

/// The networks that may not vote, but for those whose ban has ended.
pub(crate) async fn networks(
    owner: &mut Owner,
    now: DateTime<Utc>,
) -> Result<Vec<BannedNetwork>, PgError> {
    let rows: Vec<(String, i32, Option<DateTime<Utc>>)> = sqlx::query_as(
        "select
           host(network),
           masklen(network),
           expires_at
         from public.ip_bans
         where network is not null and (expires_at is null or expires_at > $1)",
    )
    .bind(now)
    .fetch_all(&mut **owner)
    .await?;
    let read = |(address, bits, until): (String, i32, _)| {
        let address = address.parse::<IpAddr>().ok()?;
        Some(BannedNetwork { address, bits: bits.try_into().ok()?, until })
    };
    let unreadable = || PgError::Protocol("a network in public.ip_bans is none".into());
    rows.into_iter().map(|row| read(row).ok_or_else(unreadable)).collect()
}

/// Votes that were refused, of one server for one reason.
pub(crate) type Refused = (Uuid, Reason, i32);

/// Adds what was refused to the figures of its servers.
pub(crate) async fn count(
    owner: &mut Owner,
    refused: &[Refused],
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let servers: Vec<Uuid> = refused.iter().map(|(server, ..)| *server).collect();
    let reasons: Vec<&str> = refused.iter().map(|(_, reason, _)| reason.code()).collect();
    let votes: Vec<i32> = refused.iter().map(|(.., votes)| *votes).collect();
    let counted = sqlx::query_scalar("select public.count_refused_votes($1, $2, $3, $4)")
        .bind(servers)
        .bind(reasons)
        .bind(votes)
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(counted)
}
