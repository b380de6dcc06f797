//! The native dialect of the vote API.

use std::time::Duration;

use axum::body::Body;
use compat_http::ClientIp;
use http::Request;
use ranking::RateLimitConfig;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{VoteAttempt, World, status_and_body};

fn failure(status: u16, message: &str) -> (u16, Value) {
    (status, json!({ "success": false, "message": message }))
}

fn found(world: &World, username: Value, wait: i64, is_connected: bool) -> (u16, Value) {
    let data = json!({
        "username": username,
        "voted_at": world.clock().unix() - (7200 - wait),
        "next_vote_seconds": wait,
        "is_connected": is_connected,
        "is_subscriber": false,
        "server_name": "L'île d'Ada",
    });
    (200, json!({ "success": true, "data": data }))
}

#[tokio::test]
async fn tokens_get_the_whole_answer_on_both_paths() {
    let world = World::new().await;
    let server = world.server("L'île d'Ada").await;
    let token = world.token(server).await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(Duration::from_secs(200));
    for prefix in ["", "/api/v1"] {
        let answer = world.ask(&format!("{prefix}/servers/{token}/votes/203.0.113.1")).await;
        assert_eq!(status_and_body(&answer), found(&world, json!("Ada"), 7000, false));
        assert_eq!(answer.headers["access-control-allow-origin"], "*");
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert_eq!(answer.headers["content-type"], "application/json");
    }
}

#[tokio::test]
async fn public_ids_hide_nicknames_unless_the_owner_agrees() {
    let world = World::new().await;
    let server = world.server("L'île d'Ada").await;
    world.account("ada").await;
    assert_eq!(
        world.vote(&VoteAttempt::guest(server, "Ada", 1).signed_in("ada")).await.status,
        200
    );
    let path = format!("/servers/{server}/votes/203.0.113.1");
    assert_eq!(status_and_body(&world.ask(&path).await), found(&world, Value::Null, 7200, true));
    world.sql("update public.servers set open_vote_api = true").await;
    assert_eq!(status_and_body(&world.ask(&path).await), found(&world, json!("Ada"), 7200, true));
}

#[tokio::test]
async fn vote_is_found_until_the_cooldown_ends() {
    let world = World::new().await;
    let server = world.server("L'île d'Ada").await;
    let path = format!("/servers/{}/votes/203.0.113.1", world.token(server).await);
    let none = failure(200, "No vote found for this IP");
    assert_eq!(status_and_body(&world.ask(&path).await), none);
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(Duration::from_secs(7199));
    assert_eq!(status_and_body(&world.ask(&path).await), found(&world, json!("Ada"), 1, false));
    world.clock().advance(Duration::from_secs(1));
    assert_eq!(status_and_body(&world.ask(&path).await), none);
}

#[tokio::test]
async fn token_queries_have_their_own_rate_limit() {
    let world = World::with(|config| {
        config.question_rate = RateLimitConfig { burst: 2, refill: Duration::from_secs(6) };
        config.token_question_rate = RateLimitConfig { burst: 3, refill: Duration::from_secs(9) };
    })
    .await;
    let server = world.server("L'île d'Ada").await;
    let token = world.token(server).await;
    for (key, burst, wait) in [(server.to_string(), 2, "6"), (token, 3, "9")] {
        let path = format!("/servers/{key}/votes/203.0.113.9");
        let from = |last: u8| {
            let client = ClientIp([198, 51, 100, last].into());
            Request::get(&path).extension(client).body(Body::empty()).expect("a request")
        };
        for _ in 0..burst {
            assert_eq!(world.send(from(1)).await.status, 200);
        }
        let refusal = world.send(from(1)).await;
        assert_eq!(status_and_body(&refusal), failure(429, "Too many requests"));
        assert_eq!(refusal.header("retry-after"), wait);
        assert_eq!(world.send(from(2)).await.status, 200, "others are not held up");
    }
}

#[tokio::test]
async fn concurrent_vote_queries_get_their_own_answers() {
    let world = World::with(|config| {
        let rate = RateLimitConfig { burst: 1000, refill: Duration::from_secs(1) };
        (config.question_rate, config.token_question_rate) = (rate, rate);
    })
    .await;
    let server = world.server("L'île d'Ada").await;
    let token = world.token(server).await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    let unknown = "x".repeat(48);
    let by_name = |name: &str| format!("/v1/votes/check?server_token={token}&playername={name}");
    let queries = [
        (format!("/servers/{token}/votes/203.0.113.1"), 200),
        (format!("/servers/{token}/votes/203.0.113.2"), 200),
        (format!("/servers/{server}/votes/203.0.113.1"), 200),
        (format!("/servers/{unknown}/votes/203.0.113.1"), 404),
        (by_name("ada"), 200),
        (by_name("Eve"), 404),
    ];
    // One after the other first: each is a batch of its own.
    let mut expected = Vec::new();
    for (path, status) in &queries {
        let answer = status_and_body(&world.ask(path).await);
        assert_eq!(answer.0, *status, "{path}");
        expected.push(answer);
    }
    let together = (0..40).flat_map(|_| &queries).map(|(path, _)| world.ask(path));
    let answers = futures_util::future::join_all(together).await;
    for (number, answer) in answers.iter().enumerate() {
        let place = number % queries.len();
        assert_eq!(status_and_body(answer), expected[place], "{}", queries[place].0);
    }
}

#[tokio::test]
async fn addresses_are_compared_as_voters_are() {
    let world = World::new().await;
    let server = world.server("L'île d'Ada").await;
    let token = world.token(server).await;
    let voter = VoteAttempt::guest(server, "Ada", 0).at("2001:db8:0:1::1");
    assert_eq!(world.vote(&voter).await.status, 200);
    let ask = |ip: &'static str| world.ask(&format!("/servers/{token}/votes/{ip}").leak()[..]);
    let known = found(&world, json!("Ada"), 7200, false);
    assert_eq!(status_and_body(&ask("2001:db8:0:1:ffff::9").await), known);
    assert_eq!(status_and_body(&ask("2001%3Adb8%3A0%3A1%3A%3A1").await), known);
    let none = failure(200, "No vote found for this IP");
    assert_eq!(status_and_body(&ask("2001:db8:0:2::1").await), none);
}

#[tokio::test]
async fn ipv4_mapped_ipv6_address_finds_the_vote() {
    let world = World::new().await;
    let server = world.server("L'île d'Ada").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    let answer = world.ask(&format!("/servers/{server}/votes/::ffff:203.0.113.1")).await;
    assert_eq!(status_and_body(&answer), found(&world, Value::Null, 7200, false));
}

#[tokio::test]
async fn malformed_keys_get_400_and_unknown_ones_404() {
    let world = World::new().await;
    let server = world.server("L'île d'Ada").await;
    let ask = async |server: &str, ip: &str| {
        status_and_body(&world.ask(&format!("/servers/{server}/votes/{ip}")).await)
    };
    let id = server.to_string();
    for ip in ["1.2.3", "256.1.1.1", "localhost", "1.2.3.4'", "::1%25eth0"] {
        assert_eq!(ask(&id, ip).await, failure(400, "Invalid IP address"), "{ip}");
    }
    for token in ["short", "%27%20or%201%3D1%20--%20xxxxxxxx", &"x".repeat(200)] {
        assert_eq!(ask(token, "1.2.3.4").await, failure(400, "Invalid server token"));
    }
    let unknown = failure(404, "Server not found");
    assert_eq!(ask(&"0".repeat(64), "1.2.3.4").await, unknown);
    assert_eq!(ask(&Uuid::from_u128(5).to_string(), "1.2.3.4").await, unknown);
    world.sql("update public.servers set is_hidden = true").await;
    assert_eq!(ask(&id, "1.2.3.4").await, unknown);
}

#[tokio::test]
async fn wrong_method_and_invalid_path_are_refused() {
    let world = World::new().await;
    let post = Request::post("/servers/x/votes/1.2.3.4").body(Body::empty()).expect("a request");
    let answer = world.send(post).await;
    assert_eq!(status_and_body(&answer), failure(405, "Only GET is answered here"));
    assert_eq!(answer.header("allow"), "GET, HEAD");
    let broken = world.ask("/servers/%FF/votes/1.2.3.4").await;
    assert_eq!(status_and_body(&broken), failure(400, "The address is not valid text"));
}
