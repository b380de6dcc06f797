//! Pruning: old rows are deleted in steps, and the figures counted from them stay.

use std::time::Duration;

use ranking::jobs;

use crate::world::{VoteAttempt, World, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Every figure that is counted from votes.
async fn figures(world: &World) -> Vec<(String, i64)> {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select 'total', sum(total_votes)::bigint from public.server_standings
         union all select 'days', sum(votes)::bigint from public.server_daily_counts
         union all select 'account', sum(total_votes)::bigint from public.profiles
         union all select 'months', sum(votes)::bigint from public.server_monthly_votes
         order by 1",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("figures")
}

async fn count(world: &World, sql: &'static str) -> i64 {
    let mut owner = world.begin().await;
    sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a count")
}

#[tokio::test]
async fn vote_pruning_keeps_all_counted_figures() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    world.account("ada").await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    let ada = VoteAttempt::guest(server, "Ada", 1).signed_in("ada");
    for attempt in [&ada, &VoteAttempt::guest(server, "Bob", 2)] {
        assert_eq!(world.vote(attempt).await.status, 200);
    }
    world.clock().advance(DAY * 401);
    jobs::close_vote_periods(&world.state).await.expect("done");
    assert_eq!(world.vote(&ada).await.status, 200);
    let before = figures(&world).await;
    // The voters are purged first: a vote that still has its address hash is not pruned.
    assert_eq!(work(&world.state, "ranking.prune_votes").await.expect("done"), 0);
    assert_eq!(work(&world.state, "ranking.purge_voters").await.expect("done"), 2);
    let (one, two) = tokio::join!(
        work(&world.state, "ranking.prune_votes"),
        work(&world.state, "ranking.prune_votes")
    );
    assert_eq!(one.expect("done") + two.expect("done"), 2);
    assert_eq!(world.vote_count().await, 1);
    assert_eq!(figures(&world).await, before);

    // A recount from the remaining votes gives the same figures; the totals of past leaders stay.
    let leaders = "select count(*) from public.voter_totals";
    let total = count(&world, leaders).await;
    let mut owner = world.begin().await;
    sqlx::query("call public.recount_votes($1, false)")
        .bind(world.clock().now())
        .execute(&mut *owner)
        .await
        .expect("recounted");
    owner.commit().await.expect("committed");
    assert_eq!(figures(&world).await, before);
    assert_eq!(count(&world, leaders).await, total);
    assert_eq!(
        count(&world, "select sum(votes) from public.voter_totals where period = 'month'").await,
        3
    );
}

#[tokio::test]
async fn only_long_ended_voter_totals_are_pruned() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    // A date in the middle of a month: the day ended more than a hundred days ago, the month did
    // not.
    world.clock().advance(DAY * 102);
    assert!(work(&world.state, "ranking.prune_voter_totals").await.expect("done") >= 1);
    let days = "select count(*) from public.voter_totals where period = 'day'";
    assert_eq!(count(&world, days).await, 0);
    let months = "select count(*) from public.voter_totals where period = 'month'";
    assert_eq!(count(&world, months).await, 1);
    world.clock().advance(DAY * 31);
    assert!(work(&world.state, "ranking.prune_voter_totals").await.expect("done") >= 1);
    assert_eq!(count(&world, "select count(*) from public.voter_totals").await, 0);
}

#[tokio::test]
async fn old_clicks_deliveries_and_logs_are_pruned() {
    let world = World::new().await;
    world.server("Avalon").await;
    let mut owner = world.begin().await;
    for rows in [
        "insert into public.server_clicks (server_id, day, clicked_at)
         select id, '2020-01-01', $1 - make_interval(days => days)
         from public.servers, generate_series(1, 1150) as days",
        "insert into public.deliveries (server_id, channel, payload, status, created_at)
         select id, 'webhook', '{}', kinds.status, $1 - make_interval(days => days)
         from public.servers, generate_series(1, 600) as days,
           (values ('pending'), ('delivered')) as kinds (status)",
        "insert into public.security_events (event_type, created_at)
         select 'something', $1 - make_interval(days => days)
         from generate_series(1, 1500) as days",
        "insert into public.audit_log (actor_id, actor_name, action, subject_kind, created_at)
         select gen_random_uuid(), 'somebody', 'changed', 'games', $1 - make_interval(days => days)
         from generate_series(1, 1600) as days",
    ] {
        let now = world.clock().now();
        sqlx::query(rows).bind(now).execute(&mut *owner).await.expect("rows");
    }
    owner.commit().await.expect("committed");
    assert_eq!(work(&world.state, "ranking.prune_clicks").await.expect("done"), 1060);
    assert_eq!(work(&world.state, "ranking.prune_deliveries").await.expect("done"), 1140);
    // The job returns the number of rows of the larger log.
    assert_eq!(work(&world.state, "ranking.prune_security_events").await.expect("done"), 1200);
    for (rows, left) in [
        ("select count(*) from public.server_clicks", 90),
        ("select count(*) from public.deliveries", 60),
        ("select count(*) from public.security_events where event_type = 'something'", 400),
        ("select count(*) from public.audit_log", 400),
    ] {
        assert_eq!(count(&world, rows).await, left, "{rows}");
    }
}
