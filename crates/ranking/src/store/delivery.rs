//! Receivers of votes, and their pending deliveries.

use page_registry::Language;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use crate::model::delivery::{
    AttemptRecord, Channel, Format, Hook, Listener, PendingDelivery, Receiver,
};

/// A lane that this process has claimed for a visit.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Lane {
    pub server_id: Uuid,
    channel: String,
    /// The number of the visit.
    visit: i64,
}

impl Lane {
    pub fn channel(&self) -> Option<Channel> {
        Channel::from_name(&self.channel)
    }
}

/// How a visit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VisitOutcome {
    Ok,
    Failed,
    /// No attempt was made, because all permits of the host were taken.
    Busy,
}

/// The state of a lane after a visit.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct LaneStatus {
    pub due_at: Option<DateTime<Utc>>,
    pub failures: i32,
    pub failing_since: Option<DateTime<Utc>>,
}

/// The recipient of the email about a disabled receiver.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct ReceiverOwner {
    pub email: String,
    pub language: String,
    pub site_name: String,
    pub server_name: String,
}

pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    lease: Duration,
    rows: usize,
) -> Result<Vec<Lane>, PgError> {
    let lanes = sqlx::query_as(
        "select * from public.claim_delivery_lanes($1, make_interval(secs => $2), $3)",
    )
    .bind(at)
    .bind(lease.as_secs_f64())
    .bind(i32::try_from(rows).unwrap_or(i32::MAX))
    .fetch_all(&mut **owner)
    .await?;
    Ok(lanes)
}

/// When the next lane is due.
pub(crate) async fn next_due(owner: &mut Owner) -> Result<Option<DateTime<Utc>>, PgError> {
    let due = sqlx::query_scalar(
        "select min(due_at) from public.delivery_lanes where due_at is not null",
    )
    .fetch_one(&mut **owner)
    .await?;
    Ok(due)
}

#[derive(sqlx_macros::FromRow)]
struct HookRow {
    url: String,
    secret: String,
    previous_secret: Option<String>,
    format: String,
    language: String,
    is_active: bool,
}

/// The server's receiver of this channel, or `None`.
pub(crate) async fn receiver(
    owner: &mut Owner,
    server: Uuid,
    channel: Channel,
    at: DateTime<Utc>,
) -> Result<Option<Receiver>, PgError> {
    match channel {
        Channel::Webhook => {
            let row: Option<HookRow> = sqlx::query_as(
                "select
                   w.url,
                   w.secret,
                   case when w.previous_secret_until > $2 then w.previous_secret end
                     as previous_secret,
                   w.format,
                   coalesce(p.language, 'fr') as language,
                   w.is_active
                 from public.webhooks as w
                 inner join public.servers as s on s.id = w.server_id
                 left join public.profiles as p on p.id = s.owner_id
                 where w.server_id = $1",
            )
            .bind(server)
            .bind(at)
            .fetch_optional(&mut **owner)
            .await?;
            Ok(row.map(|row| {
                let HookRow { url, secret, previous_secret, is_active, .. } = row;
                let format = Format::from_name(&row.format);
                let language = Language::parse(&row.language).unwrap_or(Language::Fr);
                Receiver::Hook(Hook { url, secret, previous_secret, format, language, is_active })
            }))
        }
        Channel::Votifier => {
            let row: Option<Listener> = sqlx::query_as(
                "select host, port, protocol, token, public_key, is_active
                 from public.votifier_configs where server_id = $1",
            )
            .bind(server)
            .fetch_optional(&mut **owner)
            .await?;
            Ok(row.map(Receiver::Listener))
        }
    }
}

/// The deliveries that are due for a lane, oldest first.
pub(crate) async fn pending(
    owner: &mut Owner,
    lane: &Lane,
    at: DateTime<Utc>,
    rows: i64,
) -> Result<Vec<PendingDelivery>, PgError> {
    let pending = sqlx::query_as(
        "select id, event, payload, attempts, queued_at from public.deliveries
         where server_id = $1 and channel = $2 and status = 'pending' and next_attempt_at <= $3
         order by next_attempt_at limit $4",
    )
    .bind(lane.server_id)
    .bind(&lane.channel)
    .bind(at)
    .bind(rows)
    .fetch_all(&mut **owner)
    .await?;
    Ok(pending)
}

pub(crate) async fn record(
    owner: &mut Owner,
    records: &[AttemptRecord],
    at: DateTime<Utc>,
) -> Result<(), PgError> {
    sqlx::query("select public.record_deliveries($1, $2)")
        .bind(Json(records))
        .bind(at)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// Drops the pending deliveries of a receiver that is gone or switched off.
pub(crate) async fn drop_pending(owner: &mut Owner, lane: &Lane) -> Result<(), PgError> {
    sqlx::query("select public.drop_pending_deliveries($1, $2)")
        .bind(lane.server_id)
        .bind(&lane.channel)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// Ends a visit; `None` when another process has claimed the lane since.
pub(crate) async fn end_visit(
    owner: &mut Owner,
    lane: &Lane,
    outcome: VisitOutcome,
    at: DateTime<Utc>,
) -> Result<Option<LaneStatus>, PgError> {
    let outcome = match outcome {
        VisitOutcome::Ok => "ok",
        VisitOutcome::Failed => "failed",
        VisitOutcome::Busy => "busy",
    };
    let status = sqlx::query_as("select * from public.end_delivery_visit($1, $2, $3, $4, $5)")
        .bind(lane.server_id)
        .bind(&lane.channel)
        .bind(lane.visit)
        .bind(outcome)
        .bind(at)
        .fetch_optional(&mut **owner)
        .await?;
    Ok(status)
}

/// Switches a receiver off, and enqueues the email to its owner if it was active.
pub(crate) async fn disable(
    owner: &mut Owner,
    lane: &Lane,
    reason: &str,
    at: DateTime<Utc>,
) -> Result<(), PgError> {
    sqlx::query("select public.disable_receiver($1, $2, $3, $4)")
        .bind(lane.server_id)
        .bind(&lane.channel)
        .bind(reason)
        .bind(at)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// The owner of a server, with their email address; `None` when there is none.
pub(crate) async fn owner_of(
    owner: &mut Owner,
    server: Uuid,
) -> Result<Option<ReceiverOwner>, PgError> {
    let owner_row = sqlx::query_as(
        "select
           u.email::text as email, coalesce(p.language, 'fr') as language,
           public.setting_text('site_name', 'Palmarès') as site_name,
           public.plain_text(s.name) as server_name
         from public.servers as s
         inner join public.profiles as p on p.id = s.owner_id
         inner join auth.users as u on u.id = s.owner_id
         where s.id = $1 and u.email is not null and u.email_confirmed_at is not null",
    )
    .bind(server)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(owner_row)
}

/// Whether a caller with these claims may test a server's receivers.
pub(crate) async fn may_try(
    owner: &mut Owner,
    server: Uuid,
    claims: &str,
) -> Result<bool, PgError> {
    let may = sqlx::query_scalar("select public.may_try_receivers($1, $2)")
        .bind(server)
        .bind(claims)
        .fetch_one(&mut **owner)
        .await?;
    Ok(may)
}

/// The facts of a server in the format of events.
pub(crate) async fn server_facts(owner: &mut Owner, server: Uuid) -> Result<Value, PgError> {
    let facts = sqlx::query_scalar(
        "select jsonb_build_object(
           'id', s.id, 'slug', s.slug, 'name', public.plain_text(s.name),
           'total_votes', t.total_votes, 'monthly_votes', t.monthly_votes
         )
         from public.servers as s
         inner join public.server_standings as t on t.server_id = s.id
         where s.id = $1",
    )
    .bind(server)
    .fetch_one(&mut **owner)
    .await?;
    Ok(facts)
}

/// Inserts a test delivery into the log. The caller records its result in the same transaction.
pub(crate) async fn put_trial(
    owner: &mut Owner,
    server: Uuid,
    channel: Channel,
    trial: &PendingDelivery,
) -> Result<(), PgError> {
    sqlx::query(
        "insert into public.deliveries (id, server_id, channel, event, payload, next_attempt_at,
           queued_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $6, $6)",
    )
    .bind(trial.id)
    .bind(server)
    .bind(channel.name())
    .bind(&trial.event)
    .bind(&trial.payload)
    .bind(trial.queued_at)
    .execute(&mut **owner)
    .await?;
    Ok(())
}
