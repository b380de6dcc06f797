//! The bans of networks in `public.ip_bans`.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::model::ban::BannedNetwork;

/// The networks whose ban is in force.
pub(crate) async fn list(
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
    let unreadable = || PgError::Protocol("public.ip_bans holds an unreadable network".into());
    rows.into_iter().map(|row| read(row).ok_or_else(unreadable)).collect()
}
