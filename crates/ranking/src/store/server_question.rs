//! The reads of the vote API.

use chrono::{DateTime, Utc};
use compat_pg::PgError;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::server_figures::{Month, PublicReview, RecentVote, ServerFigures, VoterTotal};
use crate::model::server_key::ServerKey;

/// A server with the rights of the caller.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct ServerAccess {
    pub server_id: Uuid,
    /// Whether the caller has the server's token.
    pub by_token: bool,
    /// Whether the caller may see who voted.
    pub tells_names: bool,
}

/// Finds the server with this token, or the public server with this id.
pub(crate) async fn resolve_server(
    owner: &mut PgConnection,
    server: &ServerKey,
) -> Result<Option<ServerAccess>, PgError> {
    let row = sqlx::query_as(
        "select
           server_id,
           by_token,
           tells_names
         from public.find_server_by_key($1)",
    )
    .bind(server.as_text())
    .fetch_optional(&mut *owner)
    .await?;
    Ok(row)
}

/// Reads a server's figures.
pub(crate) async fn figures(
    owner: &mut PgConnection,
    server: Uuid,
) -> Result<Option<ServerFigures>, PgError> {
    // The start of a month does not reset this column: `monthly_votes` may still count an earlier
    // month.
    let row = sqlx::query_as(
        "select
           s.id,
           public.plain_text(s.name) as name,
           s.slug,
           g.name as game,
           s.ip_address,
           public.plain_text(s.version) as version,
           s.website_url,
           t.is_online,
           t.online_players,
           t.max_players,
           t.status_checked_at,
           s.created_at,
           t.total_votes,
           this.monthly_votes,
           t.clicks,
           s.review_count,
           case when s.review_count > 0
             then round(s.rating_sum::numeric / s.review_count, 1)::double precision
           end as rating,
           case when t.is_listed
             then public.rank_at(public.all_games(), this.monthly_votes)
           end as rank,
           case when t.is_listed then public.rank_at(t.game_id, this.monthly_votes) end as game_rank,
           lately.accepted as accepted_lately,
           lately.refused as refused_lately,
           lately.voided as voided_lately
         from public.servers as s
         inner join public.games as g on g.id = s.game_id
         inner join public.server_standings as t on t.server_id = s.id
         cross join lateral (
           select case
             when t.month >= public.month_of(public.site_today()) then t.monthly_votes else 0
           end as monthly_votes
         ) as this
         cross join lateral (
           select
             coalesce(sum(o.last_days) filter (where o.kind = 'accepted'), 0) as accepted,
             coalesce(sum(o.last_days) filter (where o.kind = 'refused'), 0) as refused,
             coalesce(sum(o.last_days) filter (where o.kind = 'voided'), 0) as voided
           from public.count_vote_outcomes(s.id) as o
         ) as lately
         where s.id = $1",
    )
    .bind(server)
    .fetch_optional(&mut *owner)
    .await?;
    Ok(row)
}

/// The votes of the last 24 hours, newest first.
pub(crate) async fn last_votes(
    owner: &mut PgConnection,
    server: Uuid,
    most: u32,
    now: DateTime<Utc>,
) -> Result<Vec<RecentVote>, PgError> {
    let rows = sqlx::query_as(
        "select
           v.nickname,
           v.voted_at,
           to_char(
             v.voted_at at time zone public.setting_text('site_timezone', 'Europe/Paris'),
             'YYYY-MM-DD HH24:MI:SS'
           ) as local_time,
           exists (
             select from public.vote_claims as c where c.vote_id = v.id
           ) as is_claimed
         from public.votes as v
         where v.server_id = $1 and v.voted_at > $3::timestamptz - interval '24 hours' and v.voted_at <= $3
         order by v.voted_at desc
         limit $2",
    )
    .bind(server)
    .bind(i64::from(most))
    .bind(now)
    .fetch_all(&mut *owner)
    .await?;
    Ok(rows)
}

/// Counts the top voters of a month with an index-only scan.
pub(crate) async fn voters(
    owner: &mut PgConnection,
    server: Uuid,
    month: Month,
    now: DateTime<Utc>,
) -> Result<Vec<VoterTotal>, PgError> {
    // The month is added before the conversion: its two ends may have different offsets from UTC.
    let rows = sqlx::query_as(
        "select
           max(v.nickname) as nickname,
           count(*) as votes
         from public.votes as v
         cross join (
           select
             zone,
             (public.month_of(public.site_day($2))
               - case when $3 then interval '1 month' else interval '0' end) as first_day
           from public.setting_text('site_timezone', 'Europe/Paris') as zone
         ) as chosen
         where
           v.server_id = $1
           and v.voted_at >= chosen.first_day at time zone chosen.zone
           and v.voted_at < (chosen.first_day + interval '1 month') at time zone chosen.zone
         group by lower(v.nickname)
         order by count(*) desc, max(v.voted_at), lower(v.nickname)
         limit 500",
    )
    .bind(server)
    .bind(now)
    .bind(month == Month::Last)
    .fetch_all(&mut *owner)
    .await?;
    Ok(rows)
}

/// The newest hundred reviews of a public server.
pub(crate) async fn reviews(
    owner: &mut PgConnection,
    server: Uuid,
) -> Result<Vec<PublicReview>, PgError> {
    let rows = sqlx::query_as(
        "select
           r.id,
           r.author_name,
           r.rating::integer as rating,
           public.plain_text(r.comment) as comment,
           r.created_at,
           public.plain_text(r.answer) as answer
         from public.reviews_public as r
         where r.server_id = $1
         order by r.created_at desc
         limit 100",
    )
    .bind(server)
    .fetch_all(&mut *owner)
    .await?;
    Ok(rows)
}
