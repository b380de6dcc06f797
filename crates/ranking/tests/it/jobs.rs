//! The periodic jobs, which may run repeatedly and in several processes.

use std::time::Duration;

use futures_util::future::join_all;
use ranking::{JOBS, jobs, run_job};
use tokio_util::sync::CancellationToken;

use crate::world::{VoteAttempt, World, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn counters(world: &World) -> (i32, i32, i32, i32) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select total_votes, monthly_votes, weekly_votes, daily_votes from public.server_standings",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("one server")
}

#[tokio::test]
async fn month_is_closed_once_and_archived() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    assert_eq!(counters(&world).await, (1, 1, 1, 1));
    assert!(!jobs::close_vote_periods(&world.state).await.expect("done"));

    world.clock().advance(DAY * 32);
    let (one, two) = tokio::join!(
        jobs::close_vote_periods(&world.state),
        jobs::close_vote_periods(&world.state)
    );
    assert_eq!(
        [one.expect("done"), two.expect("done")].iter().filter(|has_closed| **has_closed).count(),
        1
    );
    assert_eq!(counters(&world).await, (1, 0, 0, 0));
    let mut owner = world.begin().await;
    let archived: Vec<(i32, Option<i32>)> =
        sqlx::query_as("select votes, rank from public.server_monthly_votes where votes > 0")
            .fetch_all(&mut *owner)
            .await
            .expect("the archive");
    assert_eq!(archived, [(1, Some(1))]);
}

#[tokio::test]
async fn vote_after_month_end_counts_for_new_month() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(DAY * 32);
    let answer = world.vote(&VoteAttempt::guest(server, "Ada", 1)).await;
    assert_eq!(answer.json()["data"]["totalVotes"], 2);
    assert_eq!(answer.json()["data"]["monthlyVotes"], 1);
}

#[tokio::test]
async fn promotion_order_changes_hourly_until_prestige_expires() {
    let world = World::new().await;
    world.server("Avalon").await;
    world.server("Beside").await;
    let mut owner = world.begin().await;
    sqlx::query(
        "update public.servers set is_sponsored = true, prestige_expires_at = $1 where name = 'Avalon'",
    )
    .bind(world.clock().now() + Duration::from_secs(3 * 3600))
    .execute(&mut *owner)
    .await
    .expect("prestige");
    owner.commit().await.expect("committed");
    let mut orders = std::collections::BTreeSet::new();
    for _ in 0..3 {
        work(&world.state, "ranking.refresh_promotion").await.expect("done");
        assert_eq!(work(&world.state, "ranking.refresh_promotion").await.expect("done"), 0);
        let (promoted, order) = promotion(&world).await;
        assert_eq!(promoted, 1);
        orders.insert(order.expect("an order"));
        world.clock().advance(Duration::from_secs(3600));
    }
    assert_eq!(orders.len(), 3, "{orders:?}");
    assert_eq!(work(&world.state, "ranking.refresh_promotion").await.expect("done"), 1);
    assert_eq!(promotion(&world).await, (0, None));
}

/// The number of promoted servers in lists, and the order of the last one.
async fn promotion(world: &World) -> (i64, Option<String>) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select count(*) filter (where is_prestige), max(promoted_order)::text from public.servers_public",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("figures")
}

#[tokio::test]
async fn bonus_server_is_hidden_when_prestige_expires() {
    let world = World::new().await;
    let ada = world.account("ada").await;
    world.server("First").await;
    world.server("Bonus").await;
    world.set("base_server_limit", "1").await;
    let mut owner = world.begin().await;
    sqlx::query(
        "update public.servers
         set owner_id = $1,
             is_sponsored = name = 'First',
             prestige_expires_at = case when name = 'First' then $2 end,
             is_prestige_bonus = name = 'Bonus'",
    )
    .bind(ada)
    .bind(world.clock().now() + DAY)
    .execute(&mut *owner)
    .await
    .expect("prestige");
    owner.commit().await.expect("committed");
    assert_eq!(work(&world.state, "ranking.hide_bonus_servers").await.expect("done"), 0);
    world.clock().advance(DAY * 2);
    assert_eq!(work(&world.state, "ranking.hide_bonus_servers").await.expect("done"), 1);
    assert_eq!(work(&world.state, "ranking.hide_bonus_servers").await.expect("done"), 0);
    let mut owner = world.begin().await;
    let rows: Vec<(String, bool)> =
        sqlx::query_as("select name, is_hidden from public.servers order by name")
            .fetch_all(&mut *owner)
            .await
            .expect("servers");
    assert_eq!(rows, [("Bonus".into(), true), ("First".into(), false)]);
}

#[tokio::test]
async fn spent_captchas_are_purged_after_expiry() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(Duration::from_secs(600));
    assert_eq!(jobs::purge_spent_captchas(&world.state).await.expect("done"), 0);
    world.clock().advance(Duration::from_secs(301));
    assert_eq!(jobs::purge_spent_captchas(&world.state).await.expect("done"), 1);
}

#[tokio::test]
async fn old_votes_forget_their_address_and_stay_counted() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    assert_eq!(work(&world.state, "ranking.purge_voters").await.expect("done"), 0);
    world.clock().advance(DAY * 31);
    assert_eq!(work(&world.state, "ranking.purge_voters").await.expect("done"), 1);
    assert_eq!(work(&world.state, "ranking.purge_voters").await.expect("done"), 0);
    assert_eq!(world.vote_count().await, 1);
}

#[tokio::test]
async fn jobs_run_at_once_and_end_when_cancelled() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(DAY * 31);
    let cancelled = CancellationToken::new();
    let running = JOBS
        .iter()
        .map(|job| tokio::spawn(run_job(job, world.state.clone(), cancelled.clone())))
        .collect::<Vec<_>>();
    while work(&world.state, "ranking.purge_voters").await.expect("done") == 0
        && hashes(&world).await > 0
    {
        tokio::task::yield_now().await;
    }
    cancelled.cancel();
    for ended in join_all(running).await {
        ended.expect("ended in order");
    }
    assert_eq!(hashes(&world).await, 0);
}

#[tokio::test]
async fn slow_job_does_not_delay_month_closing() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(DAY * 31);
    // The table of spent challenges is locked, so one job waits until this transaction ends.
    let mut slow = world.begin().await;
    sqlx::raw_sql("lock table public.captcha_spent").execute(&mut *slow).await.expect("locked");
    let cancelled = CancellationToken::new();
    let running = JOBS
        .iter()
        .map(|job| tokio::spawn(run_job(job, world.state.clone(), cancelled.clone())))
        .collect::<Vec<_>>();
    while counters(&world).await != (1, 0, 0, 0) {
        tokio::task::yield_now().await;
    }
    slow.rollback().await.expect("let go");
    cancelled.cancel();
    for ended in join_all(running).await {
        ended.expect("ended in order");
    }
}

#[test]
fn every_job_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<_> = JOBS.iter().map(|job| job.name).collect();
    assert_eq!(names.len(), JOBS.len());
}

async fn hashes(world: &World) -> i64 {
    let mut owner = world.begin().await;
    sqlx::query_scalar("select count(ip_hash) from public.votes")
        .fetch_one(&mut *owner)
        .await
        .expect("a count")
}
