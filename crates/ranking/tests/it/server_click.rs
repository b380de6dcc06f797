//! Visits to servers' pages, which the pages report.

use std::net::IpAddr;
use std::time::Duration;

use compat_testkit::TestResponse;
use ranking::RateLimitConfig;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, refusal, status_and_body, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn click(world: &World, server: Uuid, ip: &str) -> TestResponse {
    let ip: IpAddr = ip.parse().expect("an address");
    world.function("POST", "server-click", ip, &[], json!({ "serverId": server })).await
}

async fn clicks(world: &World) -> (i32, i64, i64) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select
           (select sum(clicks)::int4 from public.server_standings),
           (select count(*) from public.server_clicks),
           (select sum(clicks) from public.server_daily_counts)",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("figures")
}

#[tokio::test]
async fn clicks_count_once_daily_per_visitor_and_server() {
    let world = World::new().await;
    let (one, two) = (world.server("One").await, world.server("Two").await);
    let hidden = world.server("Hidden").await;
    world.sql("update public.servers set is_hidden = true where name = 'Hidden'").await;
    for (server, ip, counted) in [
        (one, "203.0.113.1", true),
        (one, "203.0.113.1", false),
        (one, "203.0.113.2", true),
        (two, "203.0.113.1", true),
        (two, "2001:db8:0:1::1", true),
        (two, "2001:db8:0:1::2", false),
        (hidden, "203.0.113.1", false),
        (Uuid::nil(), "203.0.113.1", false),
    ] {
        let answer = click(&world, server, ip).await;
        assert_eq!(status_and_body(&answer), (200, json!({ "counted": counted })), "{server} {ip}");
    }
    assert_eq!(clicks(&world).await, (4, 4, 4));
    world.clock().advance(DAY);
    assert_eq!(
        status_and_body(&click(&world, one, "203.0.113.1").await),
        (200, json!({ "counted": true }))
    );
    assert_eq!(clicks(&world).await, (5, 5, 5));
}

#[tokio::test]
async fn concurrent_clicks_of_one_visitor_count_once() {
    let world = World::new().await;
    let server = world.server("One").await;
    let many = (0..8).map(|_| click(&world, server, "203.0.113.1"));
    let answers = futures_util::future::join_all(many).await;
    let counted = answers.iter().filter(|answer| answer.json()["counted"] == true).count();
    assert_eq!((counted, clicks(&world).await), (1, (1, 1, 1)));
}

#[tokio::test]
async fn invalid_and_excessive_clicks_are_refused() {
    let world = World::with(|config| {
        config.click_rate = RateLimitConfig { burst: 2, refill: Duration::from_secs(6) };
    })
    .await;
    let ip = [203, 0, 113, 1].into();
    let shape = refusal(400, "bad_request", "The body must be JSON with serverId (a UUID)");
    for body in [Value::Null, json!({}), json!({ "serverId": "a\0b" })] {
        assert_eq!(
            status_and_body(&world.function("POST", "server-click", ip, &[], body).await),
            shape
        );
    }
    let get = world.function("GET", "server-click", ip, &[], Value::Null).await;
    assert_eq!(
        status_and_body(&get),
        refusal(405, "method_not_allowed", "Only POST is answered here")
    );
    for _ in 0..2 {
        assert_eq!(click(&world, Uuid::nil(), "203.0.113.1").await.status, 200);
    }
    let response = click(&world, Uuid::nil(), "203.0.113.1").await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (429, "6"));
}

#[tokio::test]
async fn click_and_vote_identities_are_purged_together() {
    let world = World::new().await;
    let server = world.server("One").await;
    assert_eq!(click(&world, server, "203.0.113.1").await.status, 200);
    assert_eq!(work(&world.state, "ranking.purge_voters").await.expect("done"), 0);
    world.clock().advance(DAY * 31);
    assert_eq!(work(&world.state, "ranking.purge_voters").await.expect("done"), 1);
    assert_eq!(clicks(&world).await, (1, 1, 1));
}
