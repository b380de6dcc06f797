//! Tickets of servers' own sites, and receipts of votes.

use std::time::Duration;

use axum::body::Body;
use compat_http::ClientIp;
use compat_testkit::TestResponse;
use http::Request;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{VoteAttempt, World, refusal, status_and_body, work};

/// Sends a request to the API as a server's own site.
async fn site(world: &World, method: &str, path: &str, token: &str, body: Value) -> TestResponse {
    let mut request =
        Request::builder().method(method).uri(path).extension(ClientIp([192, 0, 2, 1].into()));
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    world.send(request.body(body).expect("a request")).await
}

/// Creates a ticket for a server.
async fn ticket(world: &World, server: Uuid, body: Value) -> String {
    let token = world.token(server).await;
    let answer =
        site(world, "POST", &format!("/api/v1/servers/{server}/tickets"), &token, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["data"]["ticket"].as_str().expect("a ticket").to_owned()
}

/// Votes with a ticket, and with a challenge solved for it.
async fn vote(world: &World, attempt: &VoteAttempt, ticket: &str) -> TestResponse {
    let captcha = world.solved(attempt.server, attempt.ip).await;
    vote_again(world, attempt, ticket, &captcha).await
}

async fn vote_again(
    world: &World,
    attempt: &VoteAttempt,
    ticket: &str,
    captcha: &str,
) -> TestResponse {
    let VoteAttempt { server, nickname, ip, .. } = attempt;
    let headers = world.personas.as_anon();
    let body = json!({
        "serverId": server, "nickname": nickname, "captcha": captcha, "ticket": ticket,
    });
    world.function("POST", "vote", *ip, &headers, body).await
}

async fn status(world: &World, server: Uuid, ticket: &str) -> Value {
    let token = world.token(server).await;
    let path = format!("/api/v1/servers/{token}/tickets/{ticket}");
    let answer = site(world, "GET", &path, "", Value::Null).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

#[tokio::test]
async fn vote_ticket_is_spent_by_one_vote() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let token = world.token(server).await;
    let path = format!("/api/v1/servers/{server}/tickets");
    let body = json!({ "reference": "member 17", "nickname": "Ada L", "lifetime": 600 });
    let answer = site(&world, "POST", &path, &token, body).await;
    let handed = answer.json()["data"].clone();
    let ticket = handed["ticket"].as_str().expect("a ticket");
    let origin = &world.personas.environment().public_url;
    let page = format!("{origin}/server/{server}?vote=1&ticket={ticket}&nickname=Ada%20L");
    assert_eq!(handed["url"], page);
    assert_eq!(handed["expires_at"], world.clock().unix() + 600);
    assert_eq!(&answer.headers["cache-control"], "no-store");
    let mut known = json!({
        "ticket": ticket, "status": "open", "reference": "member 17", "nickname": "Ada L",
        "expires_at": handed["expires_at"], "vote": null,
    });
    assert_eq!(status(&world, server, ticket).await, known);

    world.sql("insert into public.webhooks (server_id, url, secret) select id, 'https://h.example', 'a long secret' from public.servers").await;
    let voted = vote(&world, &VoteAttempt::guest(server, "Ada", 1), ticket).await;
    assert_eq!(voted.status, 200, "{}", voted.text());
    known["status"] = json!("voted");
    known["vote"] = json!({
        "id": voted.json()["data"]["voteId"], "username": "Ada", "voted_at": world.clock().unix(),
    });
    assert_eq!(status(&world, server, ticket).await, known);
    let mut owner = world.begin().await;
    let payload: Value = sqlx::query_scalar("select payload -> 'vote' from public.deliveries")
        .fetch_one(&mut *owner)
        .await
        .expect("a delivery");
    assert_eq!(payload["ticket"], json!(ticket));
    assert_eq!(payload["reference"], "member 17");

    let again = vote(&world, &VoteAttempt::guest(server, "Bob", 2), ticket).await;
    let message = "This voting link has been used already";
    assert_eq!(status_and_body(&again), refusal(400, "ticket_spent", message));
    assert_eq!(world.vote_count().await, 1);
}

#[tokio::test]
async fn invalid_ticket_is_refused_without_spending_the_captcha() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let other = world.server("Camelot").await;
    let foreign = ticket(&world, other, json!({})).await;
    let over = ticket(&world, server, json!({ "lifetime": 60 })).await;
    world.clock().advance(Duration::from_secs(60));
    let ada = VoteAttempt::guest(server, "Ada", 1);
    let captcha = world.solved(server, ada.ip).await;
    let unknown = "This voting link is not valid for this server";
    for (ticket, code, message) in [
        (&*foreign, "ticket_unknown", unknown),
        ("abcdefghijklmnopqrstuvwxyz", "ticket_unknown", unknown),
        ("' or true --", "ticket_unknown", unknown),
        (&*over, "ticket_expired", "This voting link has expired"),
    ] {
        let answer = vote_again(&world, &ada, ticket, &captcha).await;
        assert_eq!(status_and_body(&answer), refusal(400, code, message), "{ticket}");
    }
    assert_eq!(status(&world, server, &over).await["status"], "expired");
    assert_eq!(world.vote_count().await, 0);
    assert_eq!(world.vote_with(&ada, &captcha).await.status, 200);
}

#[tokio::test]
async fn repeated_ticket_votes_hear_that_they_count() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let ticket = ticket(&world, server, Value::Null).await;
    let ada = VoteAttempt::guest(server, "Ada", 1);
    let captcha = world.solved(server, ada.ip).await;
    assert_eq!(vote_again(&world, &ada, &ticket, &captcha).await.status, 200);
    let again = vote_again(&world, &ada, &ticket, &captcha).await;
    assert_eq!(again.json()["code"], "already_voted");
    world.clock().advance(Duration::from_secs(7200));
    let later = vote(&world, &ada, &ticket).await;
    assert_eq!(later.json()["code"], "ticket_spent");
    assert_eq!(world.vote_count().await, 1);
}

#[tokio::test]
async fn one_of_two_racers_spends_a_ticket() {
    let world = World::new().await;
    let second_process = world.second_process();
    let server = world.server("Avalon").await;
    let ticket = ticket(&world, server, Value::Null).await;
    let (ada, bob) = (VoteAttempt::guest(server, "Ada", 1), VoteAttempt::guest(server, "Bob", 2));
    let (one, two) =
        tokio::join!(vote(&world, &ada, &ticket), vote(&second_process, &bob, &ticket));
    let mut codes = [one.status.as_u16(), two.status.as_u16()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 400]);
    assert_eq!(world.vote_count().await, 1);
}

#[tokio::test]
async fn vote_without_required_ticket_is_refused() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    world.sql("update public.server_standings set requires_ticket = true").await;
    let bare = world.vote(&VoteAttempt::guest(server, "Ada", 1)).await;
    let message = "This server takes votes that come from its own site only";
    assert_eq!(status_and_body(&bare), refusal(400, "ticket_required", message));
    let ticket = ticket(&world, server, Value::Null).await;
    assert_eq!(vote(&world, &VoteAttempt::guest(server, "Ada", 1), &ticket).await.status, 200);
}

#[tokio::test]
async fn ticket_creation_requires_the_servers_own_token() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let other = world.server("Camelot").await;
    let (token, foreign) = (world.token(server).await, world.token(other).await);
    let path = format!("/api/v1/servers/{server}/tickets");
    let mine = "The server's own API token is needed";
    let failure = |message: &str| json!({ "success": false, "message": message });
    let nobodys = "0".repeat(64);
    for (path, bearer) in [
        (path.clone(), ""),
        (path.clone(), &*foreign),
        (path.clone(), &*nobodys),
        (path.clone(), &*server.to_string()),
        (format!("/api/v1/servers/{token}/tickets"), &*foreign),
        ("/api/v1/servers/x/tickets".to_owned(), &*token),
    ] {
        let answer = site(&world, "POST", &path, bearer, Value::Null).await;
        assert_eq!(status_and_body(&answer), (401, failure(mine)), "{path}");
    }
    for body in [
        json!({ "lifetime": 59 }),
        json!({ "lifetime": 86_401 }),
        json!({ "lifetime": "long" }),
        json!({ "reference": "x".repeat(101) }),
        json!({ "reference": "a\u{0}b" }),
        json!({ "nickname": "x" }),
        json!({ "nickname": "<b>" }),
        json!([]),
    ] {
        let answer = site(&world, "POST", &path, &token, body.clone()).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["success"]),
            (400, &json!(false)),
            "{body}"
        );
    }
    let opened = ticket(&world, other, Value::Null).await;
    let answer = site(&world, "GET", &format!("{path}/{opened}"), &token, Value::Null).await;
    assert_eq!(status_and_body(&answer), (404, failure("Ticket not found")));
    world.sql("update public.servers set is_hidden = true, hidden_reason = 'moderation'").await;
    let answer = site(&world, "POST", &path, &token, Value::Null).await;
    assert_eq!(status_and_body(&answer), (401, failure(mine)));
}

#[tokio::test]
async fn open_tickets_are_limited_and_expired_ones_pruned() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    world
        .sql(
            "insert into public.vote_tickets (ticket, server_id, created_at, expires_at)
             select md5(n::text), s.id, now(), now() + interval '10 years'
             from public.servers as s, generate_series(1, 10000) as n",
        )
        .await;
    let token = world.token(server).await;
    let path = format!("/api/v1/servers/{server}/tickets");
    let answer = site(&world, "POST", &path, &token, Value::Null).await;
    assert_eq!((answer.status.as_u16(), &answer.headers["retry-after"]), (429, &60.into()));
    world.sql("update public.vote_tickets set expires_at = now() - interval '1 year'").await;
    let opened = ticket(&world, server, Value::Null).await;
    assert_eq!(work(&world.state, "ranking.prune_tickets").await.expect("thinned"), 10_000);
    assert_eq!(status(&world, server, &opened).await["status"], "open");
}

#[tokio::test]
async fn vote_receipt_verifies_with_the_published_key() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let ticket = ticket(&world, server, Value::Null).await;
    let voted = vote(&world, &VoteAttempt::guest(server, " Ada ", 1), &ticket).await.json();
    let keys = world.ask("/api/v1/receipts/jwks.json").await;
    assert_eq!(&keys.headers["access-control-allow-origin"], "*");
    let keys: JwkSet = serde_json::from_value(keys.json()).expect("a key set");
    let mut rules = Validation::new(Algorithm::ES256);
    rules.set_audience(&[server]);
    rules.set_issuer(&[&*world.personas.environment().public_url]);
    rules.required_spec_claims.clear();
    let key = DecodingKey::from_jwk(&keys.keys[0]).expect("a key");
    let receipt = voted["data"]["receipt"].as_str().expect("a receipt");
    let read = jsonwebtoken::decode::<Value>(receipt, &key, &rules).expect("it holds");
    assert_eq!(read.header.kid, keys.keys[0].common.key_id);
    let (vote, at) = (&voted["data"]["voteId"], &voted["data"]["votedAt"]);
    assert_eq!(
        read.claims,
        json!({
            "iss": &*world.personas.environment().public_url, "aud": server, "jti": vote, "iat": at,
            "vote_id": vote, "server_id": server, "nickname": "Ada", "voted_at": at,
            "ticket": ticket,
        })
    );
}
