//! The vote limits that all processes share: of an address, of a network, of a server. The clocks
//! of tests start at a full hour.

use std::time::Duration;

use futures_util::future::join_all;
use ranking::jobs;
use serde_json::Value;
use uuid::Uuid;

use crate::world::{VoteAttempt, World, status_and_body, work};

const HOUR: Duration = Duration::from_secs(3600);

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["code"].as_str().unwrap_or("counted"))
}

async fn servers(world: &World, many: usize) -> Vec<Uuid> {
    let mut all = Vec::new();
    for number in 0..many {
        all.push(world.server(&format!("Server {number}")).await);
    }
    all
}

#[tokio::test]
async fn address_vote_limit_is_shared_across_processes() {
    let world = World::new().await;
    let other = world.second_process();
    world.set("vote_limit_address_hour", "2").await;
    world.set("vote_limit_address_day", "3").await;
    let all = servers(&world, 6).await;
    let attempt = |server: Uuid| VoteAttempt::guest(server, "Ada", 1);
    // Four concurrent votes in two processes, each for a different server: two count.
    let tries = join_all([
        world.vote(&attempt(all[0])),
        other.vote(&attempt(all[1])),
        world.vote(&attempt(all[2])),
        other.vote(&attempt(all[3])),
    ])
    .await;
    let mut answers: Vec<(u16, Value)> = tries.iter().map(status_and_body).collect();
    answers.sort_by_key(|(status, _)| *status);
    let codes: Vec<_> = answers.iter().map(code).collect();
    let limited = (429, "limit_address");
    assert_eq!(codes, [(200, "counted"), (200, "counted"), limited, limited]);
    assert_eq!(answers[2].1["retryAfter"], 3600);
    assert_eq!(world.vote_count().await, 2);
    // Another address has its own limit.
    assert_eq!(world.vote(&VoteAttempt::guest(all[4], "Bob", 2)).await.status, 200);
    // After an hour the hourly limit allows another vote, but the daily one does not.
    world.clock().advance(HOUR);
    assert_eq!(world.vote(&attempt(all[4])).await.status, 200);
    let last = world.vote(&attempt(all[5])).await;
    assert_eq!(code(&status_and_body(&last)), limited);
    let wait: u64 = last.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!(wait > 3600, "the day is not over: {wait}");
    assert_eq!(world.vote_count().await, 4);
}

#[tokio::test]
async fn network_vote_limit_applies_per_server() {
    let world = World::new().await;
    let other = world.second_process();
    world.set("vote_limit_network_hour", "3").await;
    let all = servers(&world, 2).await;
    let voters: Vec<VoteAttempt> =
        (1..=8).map(|last| VoteAttempt::guest(all[0], &format!("Voter{last}"), last)).collect();
    let votes = voters.iter().enumerate().map(|(number, attempt)| {
        if number % 2 == 0 { world.vote(attempt) } else { other.vote(attempt) }
    });
    let answers: Vec<_> = join_all(votes).await.iter().map(status_and_body).collect();
    let counted = answers.iter().filter(|answer| answer.0 == 200).count();
    let limited = answers.iter().filter(|answer| code(answer) == (429, "limit_network")).count();
    assert_eq!((counted, limited), (3, 5));
    let elsewhere = VoteAttempt { server: all[1], ..voters[7].clone() };
    assert_eq!(world.vote(&elsewhere).await.status, 200, "another server");
    assert_eq!(
        world.vote(&VoteAttempt::guest(all[0], "Zoe", 1).at("203.0.114.1")).await.status,
        200
    );
    world.clock().advance(HOUR);
    let refused_at = answers.iter().position(|answer| answer.0 == 429).expect("a refusal");
    assert_eq!(world.vote(&voters[refused_at]).await.status, 200, "the next hour");
}

#[tokio::test]
async fn server_vote_limit_holds_under_concurrent_votes() {
    let world = World::new().await;
    let other = world.second_process();
    world.set("vote_limit_server_minute", "5").await;
    let server = world.server("Avalon").await;
    let voters: Vec<VoteAttempt> = (0..12_u8)
        .map(|number| VoteAttempt {
            ip: [10, number, 0, 1].into(),
            ..VoteAttempt::guest(server, &format!("Voter{number}"), 0)
        })
        .collect();
    let votes = voters.iter().enumerate().map(|(number, attempt)| {
        if number % 2 == 0 { world.vote(attempt) } else { other.vote(attempt) }
    });
    let answers: Vec<_> = join_all(votes).await.iter().map(status_and_body).collect();
    let mut totals: Vec<i64> =
        answers.iter().filter_map(|(_, body)| body["data"]["totalVotes"].as_i64()).collect();
    totals.sort_unstable();
    assert_eq!(totals, [1, 2, 3, 4, 5]);
    let limited: Vec<_> = answers.iter().filter(|answer| answer.0 != 200).collect();
    assert!(limited.iter().all(|answer| code(answer) == (429, "limit_server")));
    let wait = limited[0].1["retryAfter"].as_u64().expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");
    // A limit of zero means no limit.
    world.set("vote_limit_server_minute", "0").await;
    let again = answers.iter().position(|answer| answer.0 != 200).expect("a refusal");
    assert_eq!(world.vote(&voters[again]).await.status, 200);
    assert_eq!(world.vote_count().await, 6);
    let counted = |process: &World| {
        let state = process.state.clone();
        async move { jobs::store_rejection_counts(&state).await.expect("counted") }
    };
    assert!(counted(&world).await + counted(&other).await >= 1);
    let mut owner = world.begin().await;
    let rejection_count: i64 = sqlx::query_scalar(
        "select sum(votes) from public.vote_outcomes where reason = 'limit_server'",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("a figure");
    assert_eq!(rejection_count, 7);
}

#[tokio::test]
async fn batched_ballots_are_limited_in_order() {
    let world = World::new().await;
    world.set("vote_limit_network_hour", "2").await;
    let all = servers(&world, 2).await;
    let mut owner = world.begin().await;
    let outcomes: Vec<(String, Option<i32>, Option<i32>)> = sqlx::query_as(
        "select outcome, total_votes, monthly_votes from public.cast_votes(
             array[$1, $1, $2, $1, $1]::uuid[], array['a', 'b', 'c', 'd', 'e'], array_fill(null::uuid, array[5]),
             array['Ada', 'Bob', 'Cid', 'Dan', 'Eve'], array_fill(null::text, array[5]),
             array_fill(null::timestamptz, array[5]), array_fill($3, array[5]), true, null, array[7, 7, 7, 7, 8]
         ) order by place",
    )
    .bind(all[0])
    .bind(all[1])
    .bind(world.clock().now())
    .fetch_all(&mut *owner)
    .await
    .expect("outcomes");
    let reasons: Vec<_> =
        outcomes.iter().map(|(outcome, total, monthly)| (&**outcome, *total, *monthly)).collect();
    assert_eq!(
        reasons,
        [
            ("accepted", Some(1), Some(1)),
            ("accepted", Some(2), Some(2)),
            ("accepted", Some(1), Some(1)),
            ("limit_network", Some(2), Some(2)),
            ("accepted", Some(3), Some(3)),
        ]
    );
}

#[tokio::test]
async fn pruning_deletes_only_expired_vote_windows() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(HOUR * 48);
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Bob", 2)).await.status, 200);
    // Two of Ada's three rows were updated by Bob's vote: those of the network and of the server.
    assert_eq!(work(&world.state, "ranking.prune_vote_windows").await.expect("done"), 1);
}
