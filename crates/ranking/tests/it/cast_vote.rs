//! Voting: which votes count, which are refused, and which rows remain in both cases.

use std::time::Duration;

use compat_testkit::TestResponse;
use ranking::RateLimitConfig;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{self, VoteAttempt, World, refusal};

const WAIT: u64 = 7200;

/// The status and the body, without the unpredictable fields of a vote, which are checked here.
fn status_and_body(answer: &TestResponse) -> (u16, Value) {
    let (status, mut body) = world::status_and_body(answer);
    if let Some(data) = body.get_mut("data").and_then(Value::as_object_mut) {
        let receipt = data.remove("receipt").expect("a receipt");
        assert_eq!(receipt.as_str().map(|jws| jws.split('.').count()), Some(3));
        let id = data.remove("voteId").expect("an id");
        assert!(id.as_str().is_some_and(|id| Uuid::parse_str(id).is_ok()));
    }
    (status, body)
}

fn already_voted(seconds: u64) -> (u16, Value) {
    let message = format!("Already voted; the next vote is possible in {seconds} seconds");
    let (status, mut body) = refusal(429, "already_voted", &message);
    body["nextVoteSeconds"] = seconds.into();
    (status, body)
}

fn accepted(world: &World, total: i32, monthly: i32) -> (u16, Value) {
    let now = world.clock().unix();
    let data = json!({
        "votedAt": now,
        "nextVoteAt": now + 7200,
        "nextVoteSeconds": 7200,
        "totalVotes": total,
        "monthlyVotes": monthly,
    });
    (200, json!({ "success": true, "data": data }))
}

#[tokio::test]
async fn a_guests_vote_counts() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let answer = world.vote(&VoteAttempt::guest(server, "  Ada ", 1)).await;
    assert_eq!(status_and_body(&answer), accepted(&world, 1, 1));
    let mut owner = world.begin().await;
    let row: (Uuid, Option<Uuid>, String, bool, i64) = sqlx::query_as(
        "select server_id, user_id, nickname, was_signed_in, extract(epoch from voted_at)::int8
         from public.votes",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("one vote");
    assert_eq!(row, (server, None, "Ada".into(), false, world.clock().unix()));
}

#[tokio::test]
async fn vote_stores_address_as_keyed_hash() {
    let world = World::new().await;
    let attempt = VoteAttempt::guest(world.server("Avalon").await, "Ada", 1);
    assert_eq!(world.vote(&attempt).await.status, 200);
    let mut owner = world.begin().await;
    let hash: String = sqlx::query_scalar("select ip_hash from public.votes")
        .fetch_one(&mut *owner)
        .await
        .expect("a hash");
    assert_eq!(hash, world.state.voter(attempt.ip).as_str());
}

#[tokio::test]
async fn one_address_votes_once_per_cooldown() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let first = VoteAttempt::guest(server, "Ada", 1);
    assert_eq!(world.vote(&first).await.status, 200);
    world.clock().advance(Duration::from_secs(WAIT - 100));
    let again = VoteAttempt::guest(server, "Someone else", 1);
    assert_eq!(status_and_body(&world.vote(&again).await), already_voted(100));
    world.clock().advance(Duration::from_secs(100));
    assert_eq!(status_and_body(&world.vote(&again).await), accepted(&world, 2, 2));
}

#[tokio::test]
async fn one_ipv6_network_is_one_voter() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let first = VoteAttempt::guest(server, "Ada", 0).at("2001:db8:0:1::1");
    let neighbour = VoteAttempt::guest(server, "Bob", 0).at("2001:db8:0:1:ffff::2");
    let other_network = VoteAttempt::guest(server, "Cid", 0).at("2001:db8:0:2::1");
    assert_eq!(world.vote(&first).await.status, 200);
    assert_eq!(status_and_body(&world.vote(&neighbour).await), already_voted(WAIT));
    assert_eq!(status_and_body(&world.vote(&other_network).await), accepted(&world, 2, 2));
}

#[tokio::test]
async fn nickname_cooldown_ignores_letter_case() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Éowyn", 1)).await.status, 200);
    let again = world.vote(&VoteAttempt::guest(server, "éOWYN", 2)).await;
    assert_eq!(status_and_body(&again), already_voted(WAIT));
}

#[tokio::test]
async fn one_account_votes_once_per_cooldown() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let ada = world.account("ada").await;
    assert_eq!(
        world.vote(&VoteAttempt::guest(server, "Ada", 1).signed_in("ada")).await.status,
        200
    );
    let again = world.vote(&VoteAttempt::guest(server, "Other", 2).signed_in("ada")).await;
    assert_eq!(status_and_body(&again), already_voted(WAIT));
    let mut owner = world.begin().await;
    let row: (Option<Uuid>, bool) =
        sqlx::query_as("select user_id, was_signed_in from public.votes")
            .fetch_one(&mut *owner)
            .await
            .expect("one vote");
    assert_eq!(row, (Some(ada), true));
}

#[tokio::test]
async fn another_server_has_a_cooldown_of_its_own() {
    let world = World::new().await;
    let (one, two) = (world.server("One").await, world.server("Two").await);
    assert_eq!(world.vote(&VoteAttempt::guest(one, "Ada", 1)).await.status, 200);
    assert_eq!(
        status_and_body(&world.vote(&VoteAttempt::guest(two, "Ada", 1)).await),
        accepted(&world, 1, 1)
    );
}

#[tokio::test]
async fn the_cooldown_is_the_sites_setting() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    world.set("vote_cooldown_seconds", "60").await;
    let attempt = VoteAttempt::guest(server, "Ada", 1);
    let first = world.vote(&attempt).await;
    assert_eq!(first.json()["data"]["nextVoteSeconds"], 60);
    assert_eq!(status_and_body(&world.vote(&attempt).await), already_voted(60));
}

#[tokio::test]
async fn invalid_nickname_does_not_spend_the_captcha() {
    let world = World::new().await;
    let server = world.server_of("Minecraft", "Avalon").await;
    let good = VoteAttempt::guest(server, "Ada_99", 1);
    let captcha = world.solved(server, good.ip).await;
    let with = |nickname: &str| VoteAttempt { nickname: nickname.into(), ..good.clone() };
    let table = [
        ("a", "nickname_length", "Username must contain between 2 and 50 characters"),
        ("<script>", "nickname_characters", "Unauthorized characters detected in the username"),
        ("Ada Lovelace", "nickname_pattern", "This username cannot exist in this game"),
        ("AdaLovelaceTheFirst", "nickname_pattern", "This username cannot exist in this game"),
    ];
    for (nickname, code, message) in table {
        let answer = world.vote_with(&with(nickname), &captcha).await;
        assert_eq!(status_and_body(&answer), refusal(400, code, message), "{nickname:?}");
    }
    assert_eq!(world.vote_count().await, 0);
    assert_eq!(status_and_body(&world.vote_with(&good, &captcha).await), accepted(&world, 1, 1));
}

fn captcha_failed() -> (u16, Value) {
    refusal(400, "captcha_failed", "The captcha was not passed; please try again")
}

#[tokio::test]
async fn an_answer_is_worth_one_vote() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let captcha = world.solved(server, [203, 0, 113, 1].into()).await;
    let first = world.vote_with(&VoteAttempt::guest(server, "Ada", 1), &captcha).await;
    assert_eq!(first.status, 200);
    let second = world.vote_with(&VoteAttempt::guest(server, "Bob", 2), &captcha).await;
    assert_eq!(status_and_body(&second), captcha_failed());
    assert_eq!(world.vote_count().await, 1);
}

#[tokio::test]
async fn repeated_votes_hear_that_they_count() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    world.account("ada").await;
    world.account("bob").await;
    for attempt in [
        VoteAttempt::guest(server, "Éowyn", 1),
        VoteAttempt::guest(server, "Lady Ada", 2).signed_in("ada"),
    ] {
        let captcha = world.solved(server, attempt.ip).await;
        assert_eq!(world.vote_with(&attempt, &captcha).await.status, 200);
        assert_eq!(
            status_and_body(&world.vote_with(&attempt, &captcha).await),
            already_voted(WAIT)
        );
        // Another voter with the same captcha answer learns neither that the nickname nor that the
        // address has voted.
        for other in [
            VoteAttempt::guest(server, &attempt.nickname, 7),
            VoteAttempt { nickname: "Bob".into(), ..attempt.clone() },
            VoteAttempt { as_user: Some("bob"), ..attempt.clone() },
        ] {
            assert_eq!(status_and_body(&world.vote_with(&other, &captcha).await), captcha_failed());
        }
    }
    assert_eq!(world.vote_count().await, 2);
}

#[tokio::test]
async fn invalid_token_does_not_vote_as_guest() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let ip = [203, 0, 113, 1].into();
    let captcha = world.solved(server, ip).await;
    let body = json!({ "serverId": server, "nickname": "Ada", "captcha": captcha });
    let mut headers = world.personas.as_anon().to_vec();
    headers.retain(|(name, _)| *name != "authorization");
    for bearer in ["Bearer nonsense", "Bearer a.b.c"] {
        let mut with = headers.clone();
        with.push(("authorization", bearer.to_owned()));
        let answer = world.function("POST", "vote", ip, &with, body.clone()).await;
        let expected = refusal(401, "invalid_token", "The token is not valid or has expired");
        assert_eq!(status_and_body(&answer), expected, "{bearer}");
    }
    assert_eq!(world.vote_count().await, 0);
    let without = world.function("POST", "vote", ip, &[], body).await;
    assert_eq!(status_and_body(&without), accepted(&world, 1, 1));
}

#[tokio::test]
async fn an_answer_is_spent_on_a_cooldown_too() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let attempt = VoteAttempt::guest(server, "Ada", 1);
    assert_eq!(world.vote(&attempt).await.status, 200);
    let captcha = world.solved(server, attempt.ip).await;
    assert_eq!(status_and_body(&world.vote_with(&attempt, &captcha).await), already_voted(WAIT));
    let other = VoteAttempt::guest(server, "Bob", 2);
    assert_eq!(status_and_body(&world.vote_with(&other, &captcha).await), captcha_failed());
}

#[tokio::test]
async fn answers_that_do_not_hold_are_refused() {
    let world = World::new().await;
    let (server, other) = (world.server("One").await, world.server("Two").await);
    let attempt = VoteAttempt::guest(server, "Ada", 1);
    let elsewhere = world.solved(other, attempt.ip).await;
    let expired = world.solved(server, attempt.ip).await;
    world.clock().advance(Duration::from_secs(601));
    for captcha in ["", "bm9uc2Vuc2U=", &elsewhere, &expired] {
        assert_eq!(status_and_body(&world.vote_with(&attempt, captcha).await), captcha_failed());
    }
    assert_eq!(world.vote_count().await, 0);
}

#[tokio::test]
async fn servers_that_are_not_public_are_not_found() {
    let world = World::new().await;
    let hidden = world.server("Hidden").await;
    let waiting = world.server("Waiting").await;
    world.sql("update public.servers set is_hidden = true where name = 'Hidden'").await;
    world.sql("update public.servers set is_approved = false where name = 'Waiting'").await;
    for server in [hidden, waiting, Uuid::from_u128(5)] {
        let answer = world.vote(&VoteAttempt::guest(server, "Ada", 1)).await;
        assert_eq!(status_and_body(&answer), refusal(404, "server_not_found", "Server not found"));
    }
}

#[tokio::test]
async fn bodies_that_are_no_vote_are_bad_requests() {
    let world = World::new().await;
    let ip = [203, 0, 113, 1].into();
    let message = "The body must be JSON with serverId (a UUID), nickname and captcha";
    for body in [
        Value::Null,
        json!([]),
        json!({ "serverId": "7", "nickname": "Ada", "captcha": "" }),
        json!({ "serverId": Uuid::nil(), "nickname": 7, "captcha": "" }),
        json!({ "serverId": Uuid::nil(), "nickname": "Ada" }),
    ] {
        let answer = world.function("POST", "vote", ip, &[], body).await;
        assert_eq!(status_and_body(&answer), refusal(400, "bad_request", message));
    }
    let answer = world.function("GET", "vote", ip, &[], Value::Null).await;
    let expected = refusal(405, "method_not_allowed", "Only POST is answered here");
    assert_eq!(status_and_body(&answer), expected);
}

#[tokio::test]
async fn banned_addresses_and_accounts_do_not_vote() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    world.account("ada").await;
    let attempt = VoteAttempt::guest(server, "Bob", 1);
    let mut owner = world.begin().await;
    sqlx::query("insert into public.ip_bans (ip_hash, reason) values ($1, 'bot')")
        .bind(world.state.voter(attempt.ip).as_str())
        .execute(&mut *owner)
        .await
        .expect("a ban");
    sqlx::query("update public.profiles set is_banned = true")
        .execute(&mut *owner)
        .await
        .expect("a ban");
    owner.commit().await.expect("committed");
    let banned = refusal(403, "banned", "Voting is not possible from this connection or account");
    assert_eq!(status_and_body(&world.vote(&attempt).await), banned);
    let account = VoteAttempt::guest(server, "Ada", 2).signed_in("ada");
    assert_eq!(status_and_body(&world.vote(&account).await), banned);
    assert_eq!(world.vote_count().await, 0);
}

#[tokio::test]
async fn deleted_account_votes_as_guest() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let deleted_account = VoteAttempt::guest(server, "Ghost", 1).signed_in("ghost");
    assert_eq!(status_and_body(&world.vote(&deleted_account).await), accepted(&world, 1, 1));
}

#[tokio::test]
async fn one_address_that_asks_too_often_waits() {
    let world = World::with(|config| {
        config.vote_rate = RateLimitConfig { burst: 2, refill: Duration::from_secs(6) };
    })
    .await;
    let server = world.server("Avalon").await;
    let attempt = VoteAttempt::guest(server, "x", 1);
    for _ in 0..2 {
        assert_eq!(world.vote_with(&attempt, "").await.status, 400);
    }
    let answer = world.vote_with(&attempt, "").await;
    let message = "Too many requests; please wait 6 seconds";
    assert_eq!(status_and_body(&answer), refusal(429, "too_many_requests", message));
    assert_eq!(answer.headers["retry-after"], "6");
    assert_eq!(world.vote_with(&VoteAttempt::guest(server, "x", 2), "").await.status, 400);
}

#[tokio::test]
async fn concurrent_votes_of_one_voter_count_once() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let mut tries = Vec::new();
    for index in 0..8_u8 {
        // Each pair shares an address or a nickname with its neighbours.
        let attempt = VoteAttempt::guest(server, &format!("Voter{}", index / 2), index.div_ceil(2));
        let captcha = world.solved(server, attempt.ip).await;
        tries.push((attempt, captcha));
    }
    let same: Vec<_> = (0..8).map(|_| VoteAttempt::guest(server, "Racer", 100)).collect();
    let mut answers = Vec::new();
    for attempt in &same {
        answers.push((attempt, world.solved(server, attempt.ip).await));
    }
    let votes = answers.iter().map(|(attempt, captcha)| world.vote_with(attempt, captcha));
    let statuses: Vec<_> =
        futures_util::future::join_all(votes).await.iter().map(|a| a.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 7, "{statuses:?}");
    assert_eq!(world.vote_count().await, 1);

    let chained = tries.iter().map(|(attempt, captcha)| world.vote_with(attempt, captcha));
    let accepted = futures_util::future::join_all(chained).await;
    let accepted = accepted.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(world.vote_count().await, 1 + i64::try_from(accepted).expect("few"));
    let mut owner = world.begin().await;
    let counters: (i32, i32) =
        sqlx::query_as("select total_votes, monthly_votes from public.server_standings")
            .fetch_one(&mut *owner)
            .await
            .expect("counters");
    let total = i32::try_from(accepted).expect("few") + 1;
    assert_eq!(counters, (total, total));
}

#[tokio::test]
async fn concurrent_votes_with_one_answer_count_once() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let captcha = world.solved(server, [203, 0, 113, 1].into()).await;
    let tries: Vec<_> =
        (0..6_u8).map(|last| VoteAttempt::guest(server, &format!("Voter{last}"), last)).collect();
    let votes = tries.iter().map(|attempt| world.vote_with(attempt, &captcha));
    let answers = futures_util::future::join_all(votes).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(
        answers.iter().filter(|answer| status_and_body(answer) == captcha_failed()).count(),
        5
    );
}
