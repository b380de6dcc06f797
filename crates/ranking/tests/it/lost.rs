//! A database that is away.

use std::time::Duration;

use compat_pg::{OwnerConfig, OwnerDb};
use serde_json::json;
use uuid::Uuid;

use crate::world::{Try, World, refusal, told};

/// A site in front of an address where nothing answers.
async fn world() -> World {
    let config =
        OwnerConfig { acquire_timeout: Duration::from_millis(50), ..OwnerConfig::default() };
    let owner = OwnerDb::new("postgres://nobody@127.0.0.1:1/nothing", &config);
    World::on(owner.expect("an address"), |_| {}).await
}

#[tokio::test]
async fn votes_clicks_and_questions_are_told_to_come_again() {
    let world = world().await;
    let server = Uuid::from_u128(7);
    let message = "Something went wrong on our side";
    let away = refusal(503, "internal_error", message);
    let vote = world.vote(&Try::guest(server, "Ada", 1)).await;
    assert_eq!((told(&vote), vote.header("retry-after")), (away.clone(), "5"));
    let ip = [203, 0, 113, 1].into();
    let click =
        world.function("POST", "server-click", ip, &[], json!({ "serverId": server })).await;
    assert_eq!((told(&click), click.header("retry-after")), (away, "5"));
    let question = world.ask(&format!("/servers/{server}/votes/203.0.113.1")).await;
    assert_eq!(told(&question), (503, json!({ "success": false, "message": message })));
    assert_eq!(question.header("retry-after"), "5");
}
