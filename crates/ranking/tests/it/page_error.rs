//! Reports of errors in the site's scripts.

use std::time::Duration;

use compat_testkit::TestResponse;
use serde_json::{Value, json};

use crate::world::{World, refusal, status_and_body, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn body(name: &str, frame: &str) -> Value {
    json!({ "release": "B1x_9", "page": "home", "name": name, "frames": [frame] })
}

async fn report(world: &World, ip: [u8; 4], body: Value) -> TestResponse {
    world.function("POST", "page-error", ip.into(), &[], body).await
}

async fn rows(world: &World) -> Vec<(String, i64)> {
    let mut owner = world.begin().await;
    sqlx::query_as("select name, reports from public.page_errors order by name")
        .fetch_all(&mut *owner)
        .await
        .expect("rows")
}

#[tokio::test]
async fn page_errors_of_one_place_are_one_row() {
    let world = World::new().await;
    for (ip, name) in [
        ([203, 0, 113, 1], "TypeError"),
        ([203, 0, 113, 2], "TypeError"),
        ([203, 0, 113, 2], "RangeError"),
    ] {
        let answer = report(&world, ip, body(name, "index-B1x_9.js:2:10441")).await;
        assert_eq!(status_and_body(&answer), (200, json!({ "stored": true })));
    }
    assert_eq!(rows(&world).await, [("RangeError".into(), 1), ("TypeError".into(), 2)]);
}

#[tokio::test]
async fn invalid_page_error_report_is_not_stored() {
    let world = World::new().await;
    let shape = "The body must be JSON with release, page, name and frames of this site's scripts";
    for bad in [
        json!({}),
        body("owner@example.com", "a.js:1:2"),
        body("TypeError", "https://example.com/?token=secret:1:2"),
        json!({ "release": "a", "page": "/profile/me", "name": "Error", "frames": ["a.js:1:2"] }),
        json!({ "release": "a", "page": "home", "name": "Error", "frames": [] }),
        json!({ "release": "a\u{0}", "page": "home", "name": "Error", "frames": ["a.js:1:2"] }),
    ] {
        let answer = report(&world, [203, 0, 113, 1], bad.clone()).await;
        assert_eq!(status_and_body(&answer), refusal(400, "bad_request", shape), "{bad}");
    }
    assert_eq!(rows(&world).await, []);
}

#[tokio::test]
async fn page_errors_of_one_address_are_limited() {
    let world = World::new().await;
    let mut stored = 0;
    loop {
        let frame = format!("a.js:1:{stored}");
        let answer = report(&world, [203, 0, 113, 1], body("Error", &frame)).await;
        if answer.status == 429 {
            assert_eq!(answer.header("retry-after"), "60");
            break;
        }
        stored += 1;
        assert!(stored <= 100, "no limit after {stored} reports");
    }
    assert_eq!(report(&world, [203, 0, 113, 2], body("Error", "a.js:1:1")).await.status, 200);
}

#[tokio::test]
async fn page_errors_past_the_bound_are_not_stored() {
    let world = World::new().await;
    world
        .sql(
            "insert into public.page_errors (release, page, name, stack_hash, frames, first_at, last_at)
             select 'B1x_9', 'home', 'Error', encode(sha256(n::text::bytea), 'hex'), '{a.js:1:2}', now(), now()
             from generate_series(1, 5000) as n",
        )
        .await;
    let answer = report(&world, [203, 0, 113, 1], body("TypeError", "a.js:1:2")).await;
    assert_eq!(status_and_body(&answer), (200, json!({ "stored": false })));
}

#[tokio::test]
async fn page_errors_are_forgotten_after_a_month() {
    let world = World::new().await;
    assert_eq!(report(&world, [203, 0, 113, 1], body("Error", "a.js:1:2")).await.status, 200);
    world.clock().advance(DAY * 29);
    assert_eq!(report(&world, [203, 0, 113, 1], body("TypeError", "a.js:1:2")).await.status, 200);
    world.clock().advance(DAY * 2);
    assert_eq!(work(&world.state, "ranking.prune_page_errors").await.expect("done"), 1);
    assert_eq!(rows(&world).await, [("TypeError".into(), 1)]);
}
