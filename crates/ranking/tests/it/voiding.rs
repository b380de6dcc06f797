//! Voided votes: every figure is corrected, and pending deliveries are cancelled.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use ranking::jobs;
use uuid::Uuid;

use crate::world::{VoteAttempt, World, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Every figure that is counted from votes.
async fn figures(world: &World) -> BTreeSet<String> {
    let mut owner = world.begin().await;
    let all: Vec<String> = sqlx::query_scalar(
        "select concat_ws(' ', 'server', server_id, total_votes, monthly_votes, weekly_votes, daily_votes)
         from public.server_standings
         union all
         select concat_ws(' ', 'day', server_id, day, votes) from public.server_daily_counts where votes > 0
         union all
         select concat_ws(' ', 'month', server_id, month, votes, rank) from public.server_monthly_votes
         union all
         select concat_ws(' ', 'voter', period, period_start, voter_key, votes) from public.voter_totals
         union all
         select concat_ws(' ', 'account', id, total_votes) from public.profiles
         union all
         select concat_ws(' ', 'contest', server_id, votes_count, (
             select count(*) from public.votes as v where v.server_id = p.server_id
         ) = votes_count) from public.competitive_event_participations as p",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("figures");
    all.into_iter().collect()
}

/// Fails unless all figures equal a recount.
async fn adds_up(world: &World) {
    let now = figures(world).await;
    let contests = |of: &BTreeSet<String>| of.iter().filter(|line| line.ends_with(" f")).count();
    assert_eq!(contests(&now), 0, "contests count what there is");
    let mut owner = world.begin().await;
    sqlx::query("call public.recount_votes($1, false)")
        .bind(world.clock().now())
        .execute(&mut *owner)
        .await
        .expect("recounted");
    owner.commit().await.expect("committed");
    let counted = figures(world).await;
    let only = |of: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        of.difference(other).cloned().collect()
    };
    assert_eq!((only(&now, &counted), only(&counted, &now)), (vec![], vec![]));
}

/// Voids votes by id, as an operator would; returns how many, and how many used Prestige days stay.
async fn void(world: &World, ids: &[Uuid]) -> (i32, i32) {
    let mut owner = world.begin().await;
    let expected =
        sqlx::query_as("select * from public.void_votes('automated', 'a wave', p_ids => $1)")
            .bind(ids)
            .fetch_one(&mut *owner)
            .await
            .expect("taken back");
    owner.commit().await.expect("committed");
    expected
}

async fn ids(world: &World, sql: &'static str) -> Vec<Uuid> {
    let mut owner = world.begin().await;
    sqlx::query_scalar(sql).fetch_all(&mut *owner).await.expect("ids")
}

async fn value<T>(world: &World, sql: &'static str) -> T
where
    T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    let mut owner = world.begin().await;
    sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a value")
}

/// Three servers, an account, a contest, and votes in two months.
async fn voted() -> (World, Vec<Uuid>) {
    let world = World::new().await;
    world.account("ada").await;
    let mut servers = Vec::new();
    for name in ["Avalon", "Brocéliande", "Camelot"] {
        servers.push(world.server(name).await);
    }
    world
        .sql(
            "insert into public.competitive_events (name, start_date, end_date, target_votes)
             values ('On', '2020-01-01', '2050-01-01', 10);
             update public.site_settings set setting_value = '3' where setting_key = 'prestige_pass_votes_per_day'",
        )
        .await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    for pause in [DAY, DAY * 6, DAY * 23, Duration::ZERO] {
        for (number, server) in (1_u8..).zip(&servers) {
            let guest = VoteAttempt::guest(*server, &format!("Guest{number}"), number);
            let other = VoteAttempt::guest(*server, &format!("Other{number}"), number + 10);
            let ada = VoteAttempt::guest(*server, "Ada", 40).signed_in("ada");
            for attempt in [&guest, &other, &ada].into_iter().take(4 - usize::from(number)) {
                assert_eq!(world.vote(attempt).await.status, 200);
            }
        }
        world.clock().advance(pause);
        jobs::close_vote_periods(&world.state).await.expect("done");
    }
    (world, servers)
}

#[tokio::test]
async fn voiding_votes_corrects_every_figure() {
    let (world, servers) = voted().await;
    adds_up(&world).await;
    let before = world.vote_count().await;
    let some = ids(&world, "select id from public.votes order by md5(id::text) limit 9").await;
    assert_eq!(void(&world, &some).await, (9, 0));
    adds_up(&world).await;
    assert_eq!(void(&world, &some).await, (0, 0), "they are gone");
    assert_eq!(world.vote_count().await, before - 9);
    // All votes of the leader in finished months, whose ranks are then computed again.
    let old = ids(
        &world,
        "select v.id from public.votes as v, public.vote_clock as c
         where public.site_day(v.voted_at) < c.month and v.server_id = (
             select server_id from public.server_monthly_votes order by rank limit 1)",
    )
    .await;
    assert!(!old.is_empty());
    void(&world, &old).await;
    adds_up(&world).await;
    // Void all remaining votes, by server and time.
    for server in servers {
        let mut owner = world.begin().await;
        let found = "select voided from public.void_votes('proxies', p_server_id => $1, p_from => '2020-01-01', p_until => '2050-01-01', p_rows => 2)";
        while sqlx::query_scalar::<_, i32>(found)
            .bind(server)
            .fetch_one(&mut *owner)
            .await
            .expect("done")
            > 0
        {}
        owner.commit().await.expect("committed");
    }
    adds_up(&world).await;
    assert_eq!(world.vote_count().await, 0);
    let left = "select (select coalesce(sum(total_votes), 0) from public.server_standings)
        + (select count(*) from public.voter_totals) + (select count(*) from public.server_monthly_votes)";
    assert_eq!(value::<i64>(&world, left).await, 0);
    let voided_votes = "select count(*) from public.voided_votes";
    assert_eq!(value::<i64>(&world, voided_votes).await, before);
    let counted =
        "select sum(votes) from public.vote_outcomes where reason in ('automated', 'proxies')";
    assert_eq!(value::<i64>(&world, counted).await, before);
    let note = "select event_data ->> 'note' from public.security_events where event_type = 'votes_voided' order by id limit 1";
    assert_eq!(value::<String>(&world, note).await, "a wave");
}

#[tokio::test]
async fn void_filters_match_address_network_and_nickname() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    for (name, ip) in [
        ("Wave1", "198.51.100.1"),
        ("W.a.v.e 2", "198.51.100.2"),
        ("Ada", "198.51.100.3"),
        ("Bob", "203.0.113.1"),
        ("wave9", "203.0.113.2"),
    ] {
        assert_eq!(world.vote(&VoteAttempt::guest(server, name, 0).at(ip)).await.status, 200);
    }
    let left = async || {
        let mut owner = world.begin().await;
        let names: Vec<String> =
            sqlx::query_scalar("select nickname from public.votes order by nickname")
                .fetch_all(&mut *owner)
                .await
                .expect("names");
        names
    };
    let all = "p_server_id => (select id from public.servers), p_from => '2020-01-01', p_until => '2050-01-01'";
    let void = async |filter: &str| {
        let mut owner = world.begin().await;
        let statement = sqlx::AssertSqlSafe(format!(
            "select voided from public.void_votes('proxies', {all}, {filter})"
        ));
        let voided: i32 =
            sqlx::query_scalar(statement).fetch_one(&mut *owner).await.expect("taken back");
        owner.commit().await.expect("committed");
        voided
    };
    let of = |name: &str| format!("(select id from public.votes where nickname = '{name}')");
    assert_eq!(void(&format!("p_address_of => {}", of("Bob"))).await, 1);
    assert_eq!(void(&format!("p_network_of => {}, p_nickname => 'wave*'", of("Ada"))).await, 2);
    assert_eq!(left().await, ["Ada", "wave9"]);
    assert_eq!(void("p_network_of => gen_random_uuid()").await, 0);
    assert_eq!(void("p_nickname => '*v*9'").await, 1);
    adds_up(&world).await;
}

#[tokio::test]
async fn repeated_voiding_finds_the_remaining_votes() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    for (name, ip) in [
        ("first", "198.51.100.1"),
        ("second", "198.51.100.2"),
        ("third", "198.51.100.3"),
        ("elsewhere", "203.0.113.1"),
    ] {
        assert_eq!(world.vote(&VoteAttempt::guest(server, name, 0).at(ip)).await.status, 200);
    }
    // Select by the network of the oldest vote, which would be voided first.
    let of: Uuid = value(&world, "select id from public.votes where nickname = 'first'").await;
    let mut voided = Vec::new();
    for _ in 0..3 {
        let mut owner = world.begin().await;
        let count: i32 = sqlx::query_scalar(
            "select voided from public.void_votes('proxies', p_server_id => $1, p_from => '2020-01-01',
                p_until => '2050-01-01', p_network_of => $2, p_rows => 2)",
        )
        .bind(server)
        .bind(of)
        .fetch_one(&mut *owner)
        .await
        .expect("taken back");
        owner.commit().await.expect("committed");
        voided.push(count);
    }
    assert_eq!(voided, [2, 1, 0]);
    assert_eq!(
        value::<String>(&world, "select string_agg(nickname, '') from public.votes").await,
        "elsewhere"
    );
    adds_up(&world).await;
}

#[tokio::test]
async fn concurrent_voting_and_voiding_keep_figures_consistent() {
    let world = World::new().await;
    let other = world.second_process();
    world.account("ada").await;
    let mut servers = Vec::new();
    for number in 0..3 {
        servers.push(world.server(&format!("Server {number}")).await);
    }
    let voter = |number: usize| VoteAttempt {
        ip: [10, 1, (number >> 8) as u8, (number & 255) as u8].into(),
        ..VoteAttempt::guest(servers[number % 3], &format!("Voter{number}"), 0)
    };
    let first: Vec<VoteAttempt> = (0..60).map(voter).collect();
    for answer in join_all(first.iter().map(|attempt| world.vote_until_decided(attempt))).await {
        assert_eq!(answer.status, 200);
    }
    let known = ids(&world, "select id from public.votes").await;
    let second: Vec<VoteAttempt> = (60..150)
        .map(|number| match number {
            60..=62 => voter(number).signed_in("ada"),
            _ => voter(number),
        })
        .collect();
    let votes = join_all(second.iter().enumerate().map(|(number, attempt)| {
        if number % 2 == 0 {
            world.vote_until_decided(attempt)
        } else {
            other.vote_until_decided(attempt)
        }
    }));
    // Each part is voided twice, as by two administrators at the same time.
    let voids = join_all(known.chunks(7).chain(known.chunks(11)).map(|part| void(&world, part)));
    let (votes, voided) = tokio::join!(votes, voids);
    assert!(votes.iter().all(|answer| answer.status == 200));
    assert_eq!(voided.iter().map(|(votes, _)| votes).sum::<i32>(), 60);
    assert_eq!(world.vote_count().await, 90);
    adds_up(&world).await;
}

#[tokio::test]
async fn voiding_votes_revokes_unused_prestige_days() {
    let (world, _) = voted().await;
    let milestones = "select coalesce(array_agg(milestone order by milestone), '{}') from public.prestige_pass_days";
    assert_eq!(value::<Vec<i32>>(&world, milestones).await, [3]);
    let adas =
        ids(&world, "select id from public.votes where user_id is not null order by voted_at")
            .await;
    assert_eq!(adas.len(), 4);
    assert_eq!(void(&world, &adas[..1]).await, (1, 0));
    assert_eq!(value::<Vec<i32>>(&world, milestones).await, [3], "three are left");
    assert_eq!(void(&world, &adas[1..2]).await, (1, 0));
    assert_eq!(value::<Vec<i32>>(&world, milestones).await, [] as [i32; 0]);
    // The day is earned again, and this time used.
    let vote = async || {
        world.clock().advance(DAY);
        let server =
            value::<Uuid>(&world, "select id from public.servers where name = 'Avalon'").await;
        world.vote(&VoteAttempt::guest(server, "Ada", 40).signed_in("ada")).await.status
    };
    assert_eq!(vote().await, 200);
    assert_eq!(value::<Vec<i32>>(&world, milestones).await, [3]);
    world.sql("update public.prestige_pass_days set is_used = true, used_at = now()").await;
    assert_eq!(void(&world, &adas[2..3]).await, (1, 1));
    assert_eq!(value::<Vec<i32>>(&world, milestones).await, [3]);
    jobs::close_vote_periods(&world.state).await.expect("done");
    adds_up(&world).await;
}

#[tokio::test]
async fn voided_votes_are_not_delivered() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let token = world.token(server).await;
    world
        .sql(
            "insert into public.webhooks (server_id, url, secret)
             select id, 'https://hook.example/', 'a long secret' from public.servers",
        )
        .await;
    let attempt = VoteAttempt::guest(server, "Ada", 1);
    assert_eq!(world.vote(&attempt).await.status, 200);
    let path = format!("/api/v1/servers/{token}/votes/{}", attempt.ip);
    let known = world.ask(&path).await;
    assert_eq!(known.status, 200);
    let vote = ids(&world, "select id from public.votes").await;
    assert_eq!(void(&world, &vote).await, (1, 0));
    assert_ne!(world.ask(&path).await.text(), known.text());
    let claimed =
        value::<String>(&world, "select public.claim_vote(id, 'Ada', true) from public.servers")
            .await;
    assert_eq!(claimed, "none");
    let waiting = "select count(*) from public.deliveries where status = 'pending'";
    assert_eq!(value::<i64>(&world, waiting).await, 0);
    let replayed = "select public.replay_deliveries(id, array(select id from public.deliveries)) from public.servers";
    assert_eq!(value::<i32>(&world, replayed).await, 0, "nor anew");
    assert_eq!(world.vote(&attempt).await.status, 200, "and they may vote");
}

#[tokio::test]
async fn voiding_without_valid_reason_or_selection_is_refused() {
    let world = World::new().await;
    for sql in [
        "select public.void_votes('cooldown', p_ids => '{}')",
        "select public.void_votes('why', p_ids => '{}')",
        "select public.void_votes('other')",
        "select public.void_votes('other', p_server_id => gen_random_uuid())",
    ] {
        let mut owner = world.begin().await;
        let refusal = sqlx::query(sql).execute(&mut *owner).await.expect_err(sql);
        let code = refusal.as_database_error().and_then(|error| error.code().map(Into::into));
        assert_eq!(code, Some(String::from("22023")), "{sql}");
    }
}

#[tokio::test]
async fn old_voided_votes_are_pruned_and_figures_stay() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    void(&world, &ids(&world, "select id from public.votes").await).await;
    assert_eq!(work(&world.state, "ranking.prune_voided_votes").await.expect("done"), 0);
    world.clock().advance(DAY * 401);
    assert_eq!(work(&world.state, "ranking.prune_voided_votes").await.expect("done"), 1);
    let automated_votes = "select votes from public.vote_outcomes where reason = 'automated'";
    assert_eq!(value::<i32>(&world, automated_votes).await, 1);
}
