//! What time alone changes, each as one procedure of the site's schema. All may be repeated, and
//! run at once from several processes.

use chrono::{DateTime, NaiveDate, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

/// Whether a day has ended whose counters may still stand.
pub(crate) async fn has_vote_period_ended(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let has_ended = sqlx::query_scalar("select public.has_vote_period_ended($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(has_ended)
}

/// Closes the days, weeks and months that are over, for so many servers behind the given one; the
/// last of them, `None` when there were none.
pub(crate) async fn close_vote_periods(
    owner: &mut Owner,
    at: DateTime<Utc>,
    after: Uuid,
    rows: i32,
) -> Result<Option<Uuid>, PgError> {
    let last = sqlx::query_scalar("select public.close_vote_periods($1, $2, $3)")
        .bind(at)
        .bind(after)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(last)
}

/// Tells the places in finished months, of so many servers; of how many.
pub(crate) async fn place_finished_months(owner: &mut Owner, rows: i32) -> Result<i32, PgError> {
    let placed = sqlx::query_scalar("select public.place_finished_months($1)")
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(placed)
}

/// Notes the places so many servers behind the given one have as the day begins; the last of them,
/// `None` when there were none.
pub(crate) async fn record_places(
    owner: &mut Owner,
    at: DateTime<Utc>,
    after: Uuid,
    rows: i32,
) -> Result<Option<Uuid>, PgError> {
    let last = sqlx::query_scalar("select public.record_places($1, $2, $3)")
        .bind(at)
        .bind(after)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(last)
}

/// Keeps how far so many servers behind the given one climbed since the day began; the last of
/// them, `None` when there were none.
pub(crate) async fn refresh_rises(
    owner: &mut Owner,
    after: Uuid,
    rows: i32,
) -> Result<Option<Uuid>, PgError> {
    let last = sqlx::query_scalar("select public.refresh_rises($1, $2)")
        .bind(after)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(last)
}

/// Keeps the first three of a closed month whose are not kept yet; the month, `None` when there
/// is none.
pub(crate) async fn keep_month_podiums(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<Option<NaiveDate>, PgError> {
    let month = sqlx::query_scalar("select public.keep_month_podiums($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(month)
}

/// Notes that what ended before is closed; false when somebody has.
pub(crate) async fn move_vote_clock(owner: &mut Owner, at: DateTime<Utc>) -> Result<bool, PgError> {
    let moved = sqlx::query_scalar("select public.move_vote_clock($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(moved)
}

/// Counts who is ahead of whom; how many places there are changed.
pub(crate) async fn refresh_ranks(owner: &mut Owner) -> Result<i32, PgError> {
    let changed =
        sqlx::query_scalar("select public.refresh_ranks()").fetch_one(&mut **owner).await?;
    Ok(changed)
}

/// Ends promotion that is over and gives the others the order of the hour, so many; how many.
pub(crate) async fn refresh_promotion(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    let kept = sqlx::query_scalar("select public.refresh_promotion($1, $2)")
        .bind(at)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(kept)
}

/// Hides bonus servers whose room has gone with the Prestige that made it; how many.
pub(crate) async fn hide_bonus_servers(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let hidden = sqlx::query_scalar("select public.lapse_prestige($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(hidden)
}

/// Ends the contests nobody came to end; how many.
pub(crate) async fn close_ended_events(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let closed = sqlx::query_scalar("select public.close_ended_events($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(closed)
}

/// Notes how the ten best stand today in each contest that runs; in how many.
pub(crate) async fn refresh_event_places(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let kept = sqlx::query_scalar("select public.keep_event_places($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(kept)
}

/// Counts what goes on in each game; how many games' figures changed.
pub(crate) async fn refresh_game_figures(owner: &mut Owner) -> Result<i32, PgError> {
    let changed =
        sqlx::query_scalar("select public.refresh_game_figures()").fetch_one(&mut **owner).await?;
    Ok(changed)
}

/// Counts how many servers wear each tag; how many figures changed.
pub(crate) async fn refresh_tag_figures(owner: &mut Owner) -> Result<i32, PgError> {
    let changed =
        sqlx::query_scalar("select public.refresh_tag_figures()").fetch_one(&mut **owner).await?;
    Ok(changed)
}

/// Counts so many days of the whole site that are to be counted; how many there were.
pub(crate) async fn refresh_site_figures(
    owner: &mut Owner,
    at: DateTime<Utc>,
    days: i32,
) -> Result<i32, PgError> {
    let kept = sqlx::query_scalar("select public.keep_site_figures($1, $2)")
        .bind(at)
        .bind(days)
        .fetch_one(&mut **owner)
        .await?;
    Ok(kept)
}

/// Forgets the address hashes of votes and of clicks before `moment`, so many of each at once; how
/// many.
pub(crate) async fn purge_vote_identities(
    owner: &mut Owner,
    moment: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    let forgotten = sqlx::query_scalar("select public.purge_vote_identities($1, $2)")
        .bind(moment)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(forgotten)
}

/// Ends so many bans whose end has come; how many.
pub(crate) async fn expire_bans(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    let ended = sqlx::query_scalar("select public.end_bans($1, $2)")
        .bind(at)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(ended)
}

/// Ends so many warnings whose end has come; how many.
pub(crate) async fn expire_warnings(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    let ended = sqlx::query_scalar("select public.end_warnings($1, $2)")
        .bind(at)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(ended)
}

/// What is taken away when it is old.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RetentionTarget {
    Votes,
    Clicks,
    Copies,
    VoterTotals,
    Deliveries,
    SecurityEvents,
    Subscriptions,
    StatusDays,
    Tickets,
    VoteWindows,
    VoidedVotes,
}

/// Takes away what is older than `moment`, so many rows at once; how many.
pub(crate) async fn prune(
    owner: &mut Owner,
    what: RetentionTarget,
    moment: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    let statement = match what {
        RetentionTarget::Votes => sqlx::query_scalar("select public.prune_votes($1, $2)"),
        RetentionTarget::Clicks => sqlx::query_scalar("select public.prune_clicks($1, $2)"),
        RetentionTarget::Copies => {
            sqlx::query_scalar("select public.prune_copies(public.site_day($1), $2)")
        }
        RetentionTarget::VoterTotals => {
            sqlx::query_scalar("select public.prune_voter_totals(public.site_day($1), $2)")
        }
        RetentionTarget::Deliveries => sqlx::query_scalar("select public.prune_deliveries($1, $2)"),
        RetentionTarget::Tickets => sqlx::query_scalar("select public.prune_vote_tickets($1, $2)"),
        RetentionTarget::VoteWindows => {
            sqlx::query_scalar("select public.prune_vote_windows($1, $2)")
        }
        RetentionTarget::VoidedVotes => {
            sqlx::query_scalar("select public.prune_voided_votes($1, $2)")
        }
        RetentionTarget::Subscriptions => {
            sqlx::query_scalar("select public.prune_subscriptions($1, $2)")
        }
        RetentionTarget::StatusDays => {
            sqlx::query_scalar("select public.prune_status_days(public.site_day($1), $2)")
        }
        RetentionTarget::SecurityEvents => {
            sqlx::query_scalar("select public.prune_security_events($1, $2)")
        }
    };
    let pruned = statement.bind(moment).bind(rows).fetch_one(&mut **owner).await?;
    Ok(pruned)
}
