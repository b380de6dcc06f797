//! Random requests to every public endpoint of the ranking: each gets a well-formed response that
//! is not a server error.

use axum::body::Body;
use compat_http::ClientIp;
use compat_testkit::{TestResponse, property_test_async};
use http::Request;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::World;

/// Texts with a meaning in some parser, and arbitrary texts.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "",
            "\0",
            "a\0b",
            "Ada",
            "7",
            "null",
            "::1",
            "203.0.113.1",
            "%00"
        ])
        .prop_map(str::to_owned),
        any::<u128>().prop_map(|id| Uuid::from_u128(id).to_string()),
        "[0-9a-f]{64}",
        "\\PC{0,40}",
        any::<String>(),
    ]
}

/// JSON that resembles the input of a function.
fn body() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        prop::collection::vec(text(), 0..3).prop_map(Value::from),
    ];
    prop::collection::hash_map(
        prop::sample::select(vec![
            "serverId", "nickname", "captcha", "release", "page", "name", "frames", "other",
        ]),
        leaf,
        0..4,
    )
    .prop_map(|fields| json!(fields))
}

fn is_answered(answer: &TestResponse) {
    assert!(answer.status.as_u16() < 500, "{} {}", answer.status, answer.text());
    let body = answer.json();
    assert!(body.is_object(), "{body}");
}

#[tokio::test]
async fn random_questions_never_fail_the_vote_api() {
    let world = World::new().await;
    let server = world.server("Avalon").await.to_string();
    let inputs = (text(), text(), any::<bool>());
    property_test_async("vote api", inputs, async |(key, ip, known): (String, String, bool)| {
        let key = if known { server.clone() } else { key };
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        // An empty segment would make another path, which has no route here.
        let segment = |text: &str| if text.is_empty() { "%20".to_owned() } else { encoded(text) };
        let path = format!("/servers/{}/votes/{}", segment(&key), segment(&ip));
        is_answered(&world.ask(&path).await);
    })
    .await;
}

/// Checks only that the response is not a server error, because a dialect's body may be empty or
/// not JSON.
fn is_no_fault(answer: &TestResponse) {
    assert!(answer.status.as_u16() < 500, "{} {}", answer.status, answer.text());
    assert_eq!(answer.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn random_questions_never_fail_a_dialect() {
    let world = World::with(|config| {
        let often = ranking::RateLimitConfig {
            burst: 1_000_000,
            refill: std::time::Duration::from_secs(1),
        };
        (config.question_rate, config.token_question_rate) = (often, often);
    })
    .await;
    let server = world.server("Avalon").await;
    let token = world.token(server).await;
    let paths = prop::sample::select(vec![
        "/api/v1/servers/{a}/votes/{b}",
        "/api/v1/servers/{a}/statistics",
        "/api/vote/{a}/{b}",
        "/api/vote/json/{a}/{b}",
        "/api/stats/{a}/{b}",
        "/api/stats/json/{a}/{b}",
        "/v1/votes/check-ip?server_token={a}&ip={b}",
        "/v1/votes/check?server_token={a}&playername={b}",
        "/v1/votes/claim-username?server_token={a}&playername={b}",
        "/v1/votes/claim-steam?server_token={a}&steam_id={b}",
        "/v1/votes/last?server_token={a}&{b}",
        "/v1/servers/{a}",
        "/v1/servers/{a}/players-ranking?type={b}",
        "/v1/servers/{a}/advices?{b}",
        "/api/?object=votes&element=claim&key={a}&username={b}",
        "/api/?object=servers&element=voters&month=previous&key={a}&limit={b}",
        "/api/?object=servers&element=votes&key={a}&limit={b}",
        "/api/?object={b}&element={b}&key={a}",
        "/api/checkVote/{a}/{b}",
        "/api/hasVoted/{a}/{b}",
        "/api/hasVote/{a}/203.0.113.1/{b}",
        "/api/v1/servers/{a}/vote/{b}",
    ]);
    let methods = prop::sample::select(vec!["GET", "HEAD", "POST", "DELETE"]);
    let inputs = (paths, methods, text(), text(), text(), 0..4u8);
    type RandomCall = (&'static str, &'static str, String, String, String, u8);
    property_test_async(
        "dialects",
        inputs,
        async |(path, method, key, word, body, known): RandomCall| {
            let encoded = |text: &str| match text {
                "" => "%20".to_owned(),
                text => utf8_percent_encode(text, NON_ALPHANUMERIC).to_string(),
            };
            let key = match known {
                0 => server.to_string(),
                1 | 2 => token.clone(),
                _ => key,
            };
            let path = path.replace("{a}", &encoded(&key)).replace("{b}", &encoded(&word));
            let mut request = Request::builder()
                .method(method)
                .uri(path)
                .header("content-type", "application/x-www-form-urlencoded");
            if known == 2 {
                request = request.header("authorization", format!("Bearer {token}"));
            }
            let request = request.body(Body::from(body)).expect("a request");
            is_no_fault(&world.send(request).await);
        },
    )
    .await;
}

#[tokio::test]
async fn random_calls_never_fail_the_functions() {
    let world = World::new().await;
    let server = world.server("Avalon").await.to_string();
    let call = (
        prop::sample::select(vec![
            "vote",
            "server-click",
            "server-copy",
            "page-error",
            "steam-server-status",
            "captcha-challenge",
        ]),
        prop::sample::select(vec!["GET", "POST", "PUT"]),
        any::<u32>(),
        body(),
        text(),
        any::<bool>(),
    );
    type Call = (&'static str, &'static str, u32, Value, String, bool);
    property_test_async(
        "functions",
        call,
        async |(name, method, ip, mut body, word, known): Call| {
            if known {
                body["serverId"] = server.clone().into();
            }
            let word = utf8_percent_encode(&word, NON_ALPHANUMERIC);
            let path = format!("{name}?purpose=vote&server={word}&{word}={word}");
            let headers = world.personas.as_anon();
            let ip = std::net::Ipv4Addr::from(ip).into();
            is_answered(&world.function(method, &path, ip, &headers, body).await);
        },
    )
    .await;
}

#[tokio::test]
async fn random_bytes_are_no_vote() {
    let world = World::new().await;
    property_test_async("bodies", any::<Vec<u8>>(), async |bytes: Vec<u8>| {
        let mut request =
            Request::post("/functions/v1/vote").extension(ClientIp([203, 0, 113, 1].into()));
        for (name, value) in world.personas.as_anon().iter() {
            request = request.header(*name, value);
        }
        let answer = world.call(request.body(Body::from(bytes)).expect("a request")).await;
        assert_eq!(answer.status, 400, "{}", answer.text());
    })
    .await;
}
