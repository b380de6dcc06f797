//! Banned voters, and the counts of rejected votes.

use std::collections::BTreeMap;
use std::time::Duration;

use compat_testkit::property_test_async;
use ranking::{RateLimitConfig, Reason, jobs};
use uuid::Uuid;

use crate::world::{VoteAttempt, World, refusal, status_and_body};

/// How long a process may cache the banned networks.
const LATER: Duration = Duration::from_secs(3);

/// The counts of rejected votes of a server, by reason.
async fn outcomes(world: &World, server: Uuid) -> BTreeMap<String, i32> {
    let mut owner = world.begin().await;
    let rows: Vec<(String, i32)> = sqlx::query_as(
        "select reason, votes from public.vote_outcomes
         where server_id = $1 and day = public.site_day($2)",
    )
    .bind(server)
    .bind(world.clock().now())
    .fetch_all(&mut *owner)
    .await
    .expect("figures");
    rows.into_iter().collect()
}

fn figures<const N: usize>(of: [(&str, i32); N]) -> BTreeMap<String, i32> {
    of.into_iter().map(|(reason, votes)| (reason.to_owned(), votes)).collect()
}

#[tokio::test]
async fn banned_network_is_refused_by_every_process() {
    let world = World::new().await;
    let other = world.second_process();
    let server = world.server("Avalon").await;
    let from = |ip: &str| VoteAttempt::guest(server, ip, 0).at(ip);
    assert_eq!(world.vote(&from("198.51.100.1")).await.status, 200);
    assert_eq!(other.vote(&from("198.51.100.2")).await.status, 200);
    world
        .sql(
            "insert into public.ip_bans (network, reason, expires_at)
             values ('198.51.100.0/24', 'a hosting provider', null), ('2001:db8::/32', null, null)",
        )
        .await;
    let banned = refusal(403, "banned_network", "Voting is not possible from this network");
    for process in [&world, &other] {
        process.clock().advance(LATER);
        for ip in ["198.51.100.1", "198.51.100.99", "2001:db8:1:2::3"] {
            assert_eq!(status_and_body(&process.vote_with(&from(ip), "").await), banned, "{ip}");
        }
    }
    assert_eq!(world.vote(&from("198.51.101.1")).await.status, 200);
    world.sql("delete from public.ip_bans").await;
    world.clock().advance(LATER);
    assert_eq!(world.vote(&from("198.51.100.99")).await.status, 200);
    assert_eq!(world.vote_count().await, 4);
}

#[tokio::test]
async fn network_ban_ends_at_its_expiry() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let attempt = VoteAttempt::guest(server, "Ada", 1);
    let mut owner = world.begin().await;
    sqlx::query("insert into public.ip_bans (network, expires_at) values ('203.0.113.0/24', $1)")
        .bind(world.clock().now() + Duration::from_secs(2))
        .execute(&mut *owner)
        .await
        .expect("a ban");
    owner.commit().await.expect("committed");
    assert_eq!(world.vote_with(&attempt, "").await.status, 403);
    world.clock().advance(Duration::from_secs(2));
    assert_eq!(world.vote(&attempt).await.status, 200);
}

#[tokio::test]
async fn refused_nickname_matches_lookalikes_and_keeps_captcha() {
    let world = World::new().await;
    let (server, block) =
        (world.server("Avalon").await, world.server_of("Minecraft", "Blocks").await);
    world
        .sql(
            "insert into public.refused_nicknames (pattern, game_id, expires_at)
             values ('*Palm*bot*', null, null), ('Notch', (select id from public.games where name = 'Minecraft'), null),
                    ('over', null, '2020-01-01')",
        )
        .await;
    let expected_refusal =
        refusal(400, "nickname_refused", "Votes are not taken under this username");
    let captcha = world.solved(server, [203, 0, 113, 1].into()).await;
    for name in ["PalmBot", "xx_P.a.l.m-2-B0T_99", "pälm the bоt"] {
        let attempt = VoteAttempt::guest(server, name, 1);
        assert_eq!(
            status_and_body(&world.vote_with(&attempt, &captcha).await),
            expected_refusal,
            "{name}"
        );
    }
    let notch = VoteAttempt::guest(block, "N0TCH", 2);
    assert_eq!(status_and_body(&world.vote(&notch).await), expected_refusal);
    assert_eq!(world.vote(&VoteAttempt { server, ..notch }).await.status, 200);
    assert_eq!(world.vote(&VoteAttempt::guest(block, "Notch2", 4)).await.status, 200);
    assert_eq!(world.vote(&VoteAttempt::guest(server, "over", 3)).await.status, 200);
    let another = VoteAttempt::guest(server, "Palmyre", 1);
    assert_eq!(world.vote_with(&another, &captcha).await.status, 200);
}

#[tokio::test]
async fn random_patterns_match_only_what_they_say() {
    let world = World::new().await;
    property_test_async("nickname patterns", "[a-zA-Z0-9*%_\\\\ .é']{0,30}", async |pattern: String| {
        let mut owner = world.begin().await;
        let sql_pattern = sqlx::query_scalar::<_, String>(
            "insert into public.refused_nicknames (pattern) values ($1) returning folded",
        )
        .bind(&pattern)
        .fetch_one(&mut *owner)
        .await;
        let Ok(folded) = sql_pattern else {
            let error = sql_pattern.expect_err("a refusal");
            let code = error.as_database_error().and_then(|error| error.code());
            assert_eq!(code.as_deref(), Some("23514"), "{pattern}: {error}");
            return;
        };
        assert!(!folded.contains(['_', '\\', '*']), "{pattern}: {folded}");
        let (itself, another): (bool, bool) = sqlx::query_as(
            "select public.name_key(replace($1, '*', 'qzq')) like $2, public.name_key('Öxyderkwj') like $2",
        )
        .bind(&pattern)
        .bind(&folded)
        .fetch_one(&mut *owner)
        .await
        .expect("an answer");
        let plain = folded.replace('%', "");
        assert!(itself, "{pattern}: {folded}");
        assert!(!another || plain.chars().all(|c| "oxyderkwjl".contains(c)), "{pattern}");
    })
    .await;
}

#[tokio::test]
async fn every_refusal_is_counted_once_by_its_reason() {
    let world = World::with(|config| {
        config.vote_rate = RateLimitConfig { burst: 4, refill: Duration::from_secs(3600) };
    })
    .await;
    let (server, hidden) = (world.server("Avalon").await, world.server("Hidden").await);
    world.account("boris").await;
    world
        .sql(
            "update public.profiles set is_banned = true;
             insert into public.refused_nicknames (pattern) values ('rude');
             insert into public.ip_bans (network) values ('198.51.100.0/24');
             update public.server_standings set requires_ticket = false;
             update public.servers set is_hidden = true where name = 'Hidden'",
        )
        .await;
    let mut owner = world.begin().await;
    sqlx::query("insert into public.ip_bans (ip_hash) values ($1)")
        .bind(world.state.voter([203, 0, 113, 7].into()).as_str())
        .execute(&mut *owner)
        .await
        .expect("a ban");
    owner.commit().await.expect("committed");

    let first = VoteAttempt::guest(server, "Ada", 1);
    let answer = world.solved(server, first.ip).await;
    assert_eq!(world.vote_with(&first, &answer).await.status, 200);
    let expected = [
        (world.vote_with(&VoteAttempt::guest(server, "Bob", 2), &answer).await, "captcha_failed"),
        (world.vote_with(&VoteAttempt::guest(server, "Bob", 2), "").await, "captcha_failed"),
        (world.vote_with(&VoteAttempt::guest(server, "B", 2), "").await, "nickname_length"),
        (world.vote(&VoteAttempt::guest(server, "Ada", 3)).await, "already_voted"),
        (world.vote(&VoteAttempt::guest(server, "Cid", 4).signed_in("boris")).await, "banned"),
        (world.vote(&VoteAttempt::guest(server, "Dan", 7)).await, "banned"),
        (
            world.vote(&VoteAttempt::guest(server, "Eve", 0).at("198.51.100.4")).await,
            "banned_network",
        ),
        (world.vote(&VoteAttempt::guest(server, "rude", 5)).await, "nickname_refused"),
        (world.vote(&VoteAttempt::guest(hidden, "Fay", 6)).await, "server_not_found"),
        (world.vote(&VoteAttempt::guest(Uuid::nil(), "Fay", 6)).await, "server_not_found"),
    ];
    for (answer, code) in expected {
        assert_eq!(status_and_body(&answer).1["code"], code);
    }
    for _ in 0..5 {
        world.vote_with(&VoteAttempt::guest(server, "G", 8), "").await;
    }
    assert_eq!(outcomes(&world, server).await, figures([]));
    assert_eq!(jobs::store_rejection_counts(&world.state).await.expect("counted"), 10);
    assert_eq!(jobs::store_rejection_counts(&world.state).await.expect("counted"), 0);
    let expected = figures([
        ("banned_account", 1),
        ("banned_address", 1),
        ("banned_network", 1),
        ("captcha", 1),
        ("captcha_spent", 1),
        ("cooldown", 1),
        ("nickname", 5),
        ("nickname_refused", 1),
        ("too_fast", 1),
    ]);
    assert_eq!(outcomes(&world, server).await, expected);
    assert_eq!(outcomes(&world, hidden).await, figures([("not_listed", 1)]));
}

#[tokio::test]
async fn unwritten_counts_are_restored_and_processes_add_up() {
    let world = World::new().await;
    let other = world.second_process();
    let server = world.server("Avalon").await;
    for process in [&world, &other] {
        assert_eq!(process.vote_with(&VoteAttempt::guest(server, "Ada", 1), "").await.status, 400);
    }
    world.sql("alter table public.vote_outcomes rename to gone").await;
    jobs::store_rejection_counts(&world.state).await.expect_err("there is no table");
    world.sql("alter table public.gone rename to vote_outcomes").await;
    let (one, two) = tokio::join!(
        jobs::store_rejection_counts(&world.state),
        jobs::store_rejection_counts(&other.state)
    );
    assert_eq!((one.expect("counted"), two.expect("counted")), (1, 1));
    assert_eq!(outcomes(&world, server).await, figures([("captcha", 2)]));
}

#[tokio::test]
async fn the_database_knows_the_same_reasons() {
    let world = World::new().await;
    let mut owner = world.begin().await;
    let known: Vec<String> = sqlx::query_scalar(
        "select code from public.vote_reasons where kind = 'refused' order by code collate \"C\"",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the reasons");
    assert_eq!(known, Reason::ALL.map(Reason::code));
}
