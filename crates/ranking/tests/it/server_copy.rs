//! Copies of server addresses by visitors, which the pages report.

use std::net::IpAddr;
use std::time::Duration;

use ranking::RateLimitConfig;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, refusal, status_and_body, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn copy(world: &World, server: Uuid, ip: &str) -> (u16, Value) {
    let ip: IpAddr = ip.parse().expect("an address");
    status_and_body(
        &world.function("POST", "server-copy", ip, &[], json!({ "serverId": server })).await,
    )
}

/// The number of counted copies, and of visitors whose hash is still stored.
async fn copies(world: &World) -> (i64, i64) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select
           (select coalesce(sum(copies), 0) from public.server_daily_counts),
           (select count(*) from public.server_copies)",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("figures")
}

#[tokio::test]
async fn address_copies_count_once_daily_and_are_pruned() {
    let world = World::new().await;
    let server = world.server("One").await;
    let hidden = world.server("Hidden").await;
    world.sql("update public.servers set is_hidden = true where name = 'Hidden'").await;
    for (server, ip, counted) in [
        (server, "203.0.113.1", true),
        (server, "203.0.113.1", false),
        (server, "2001:db8:0:1::1", true),
        (server, "2001:db8:0:1::2", false),
        (hidden, "203.0.113.1", false),
        (Uuid::nil(), "203.0.113.1", false),
    ] {
        let answer = copy(&world, server, ip).await;
        assert_eq!(answer, (200, json!({ "counted": counted })), "{server} {ip}");
    }
    assert_eq!(copies(&world).await, (2, 2));
    world.clock().advance(DAY);
    assert_eq!(copy(&world, server, "203.0.113.1").await, (200, json!({ "counted": true })));
    assert_eq!(work(&world.state, "ranking.prune_copies").await.expect("done"), 0);
    world.clock().advance(DAY);
    assert_eq!(work(&world.state, "ranking.prune_copies").await.expect("done"), 2);
    assert_eq!(copies(&world).await, (3, 1));
}

#[tokio::test]
async fn copies_and_visits_share_one_rate_limit() {
    let world = World::with(|config| {
        config.click_rate = RateLimitConfig { burst: 1, refill: Duration::from_secs(6) };
    })
    .await;
    let ip = [203, 0, 113, 1].into();
    let shape = refusal(400, "bad_request", "The body must be JSON with serverId (a UUID)");
    for body in [Value::Null, json!({}), json!({ "serverId": "a\0b" })] {
        assert_eq!(
            status_and_body(&world.function("POST", "server-copy", ip, &[], body).await),
            shape
        );
    }
    let body = json!({ "serverId": Uuid::nil() });
    let visit = world.function("POST", "server-click", ip, &[], body.clone()).await;
    assert_eq!(visit.status, 200);
    let response = world.function("POST", "server-copy", ip, &[], body).await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (429, "6"));
}
