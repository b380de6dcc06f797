//! A database that is unavailable, or locked by another transaction.

use std::time::Duration;

use compat_pg::{OwnerConfig, OwnerDb};
use futures_util::future::join_all;
use serde_json::json;
use uuid::Uuid;

use crate::world::{VoteAttempt, World, refusal, status_and_body};

/// A site whose database address does not answer.
async fn world() -> World {
    let config =
        OwnerConfig { acquire_timeout: Duration::from_millis(50), ..OwnerConfig::default() };
    let owner = OwnerDb::new("postgres://nobody@127.0.0.1:1/nothing", &config);
    World::on(owner.expect("an address"), |_| {}).await
}

#[tokio::test]
async fn lost_database_returns_503_with_retry_after() {
    let world = world().await;
    let server = Uuid::from_u128(7);
    let message = "Something went wrong on our side";
    let away = refusal(503, "overloaded", message);
    let vote = world.vote(&VoteAttempt::guest(server, "Ada", 1)).await;
    assert_eq!((status_and_body(&vote), vote.header("retry-after")), (away.clone(), "5"));
    let ip = [203, 0, 113, 1].into();
    let click =
        world.function("POST", "server-click", ip, &[], json!({ "serverId": server })).await;
    assert_eq!((status_and_body(&click), click.header("retry-after")), (away, "5"));
    let question = world.ask(&format!("/servers/{server}/votes/203.0.113.1")).await;
    assert_eq!(status_and_body(&question), (503, json!({ "success": false, "message": message })));
    assert_eq!(question.header("retry-after"), "5");
}

#[tokio::test]
async fn vote_lock_timeout_returns_503_without_blocking_reads() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let mut held = world.begin().await;
    let waits = "alter function public.cast_votes(uuid[], text[], uuid[], text[], text[], timestamptz[], timestamptz[], boolean, text[], bigint[]) set lock_timeout = '100ms'";
    sqlx::query(waits).execute(&mut *held).await.expect("altered");
    held.commit().await.expect("committed");
    let mut held = world.begin().await;
    sqlx::query("select from public.server_standings for no key update")
        .execute(&mut *held)
        .await
        .expect("held");
    let tries: Vec<VoteAttempt> = (1..=12).map(|n| VoteAttempt::guest(server, "Ada", n)).collect();
    let votes = join_all(tries.iter().map(|one| world.vote(one)));
    let path = format!("/servers/{server}/votes/203.0.113.1");
    let question = world.ask(&path);
    let (votes, question) = tokio::join!(votes, question);
    for vote in &votes {
        let message = "Something went wrong on our side";
        let later = refusal(503, "overloaded", message);
        assert_eq!((status_and_body(vote), vote.header("retry-after")), (later, "5"));
    }
    assert_eq!(status_and_body(&question).0, 200);
    held.rollback().await.expect("let go");
    assert_eq!(status_and_body(&world.vote(&VoteAttempt::guest(server, "Ada", 1)).await).0, 200);
}
