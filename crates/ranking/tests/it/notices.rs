//! Reports by people without an account, from the form to the answer.

use std::net::IpAddr;
use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, status_and_body, work};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn home() -> IpAddr {
    "203.0.113.1".parse().expect("an address")
}

fn notice(server: Uuid, more: &Value) -> Value {
    let mut body = json!({
        "serverId": server,
        "reason": "copyright",
        "explanation": "The banner is a picture of ours.",
        "name": "Ada",
        "email": "Ada@example.test",
        "language": "en",
    });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    body
}

/// Files a notice with a solved challenge.
async fn file(world: &World, server: Uuid, more: Value) -> (u16, Value) {
    let mut body = notice(server, &more);
    body["captcha"] = world.solved_for("notice", server, home()).await.into();
    status_and_body(&world.function("POST", "content-notice", home(), &[], body).await)
}

async fn value<T>(world: &World, sql: &'static str) -> T
where
    T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    let mut owner = world.begin().await;
    sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a value")
}

async fn decide(world: &World, status: &str) {
    let mut owner = world.begin().await;
    sqlx::query("update public.reports set status = $1, resolved_at = $2")
        .bind(status)
        .bind(world.clock().now())
        .execute(&mut *owner)
        .await
        .expect("decided");
    owner.commit().await.expect("committed");
}

#[tokio::test]
async fn report_without_account_is_answered_by_email() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(file(&world, server, json!({})).await, (200, json!({ "filed": true })));
    let again = json!({ "email": "ada@EXAMPLE.test" });
    assert_eq!(file(&world, server, again).await, (200, json!({ "filed": true })));
    let waiting: i64 = value(
        &world,
        "select count(*) from public.moderation_cases where kind = 'report' and decision is null",
    )
    .await;
    assert_eq!(waiting, 1, "it waits at the desk");
    let [receipt] = &world.emails().await[..] else { panic!("one email") };
    assert_eq!(receipt.to, "Ada@example.test");
    assert_eq!(receipt.subject, "We received your report · Palmarès");
    let text = &receipt.text;
    assert!(text.contains("the page of Avalon") && text.contains("a picture of ours"), "{text}");

    decide(&world, "resolved").await;
    assert!(world.emails().await.is_empty(), "it may be a slip");
    world.clock().advance(MINUTE * 4);
    let (mut answered, more) = tokio::join!(world.emails(), world.emails());
    answered.extend(more);
    let [answer] = &answered[..] else { panic!("one email") };
    let text = &answer.text;
    assert!(text.contains("We acted upon your report"), "{text}");

    world.clock().advance(DAY * 200);
    assert_eq!(work(&world.state, "ranking.forget_notices").await.expect("done"), 1);
    let (left, reports): (i64, i64) = (
        value(&world, "select count(*) from public.report_notices").await,
        value(&world, "select count(*) from public.reports").await,
    );
    assert_eq!((left, reports), (0, 1), "who it was is forgotten, the report is not");
}

#[tokio::test]
async fn duplicate_report_spends_the_captcha_challenge() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    file(&world, server, json!({})).await;
    let captcha = world.solved_for("notice", server, home()).await;
    let body = notice(server, &json!({ "captcha": captcha }));
    let known = world.function("POST", "content-notice", home(), &[], body.clone()).await;
    assert_eq!(status_and_body(&known), (200, json!({ "filed": true })));
    let again = status_and_body(&world.function("POST", "content-notice", home(), &[], body).await);
    assert_eq!((again.0, again.1["code"].as_str()), (400, Some("captcha_failed")));
    let notices: i64 = value(&world, "select count(*) from public.report_notices").await;
    assert_eq!((notices, world.emails().await.len()), (1, 1));
}

#[tokio::test]
async fn changed_report_decision_is_notified_again() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    file(&world, server, json!({})).await;
    assert_eq!(world.emails().await.len(), 1, "the receipt");
    for (status, text) in [("dismissed", "no reason to act"), ("resolved", "We acted")] {
        decide(&world, status).await;
        world.clock().advance(MINUTE * 4);
        let [answer] = &world.emails().await[..] else { panic!("one email: {status}") };
        assert!(answer.text.contains(text), "{}", answer.text);
        world.clock().advance(MINUTE);
        world.sql("update public.reports set status = 'pending', resolved_at = null").await;
    }
}

#[tokio::test]
async fn invalid_report_is_refused_and_not_stored() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let hidden = world.server("Hidden").await;
    world.sql("update public.servers set is_hidden = true where name = 'Hidden'").await;
    for (server, more, status, code) in [
        (server, json!({ "explanation": "Too short" }), 400, "bad_request"),
        (server, json!({ "email": "nobody" }), 400, "bad_request"),
        (server, json!({ "reason": "dull" }), 400, "bad_request"),
        (server, json!({ "name": "\u{0}" }), 400, "bad_request"),
        (hidden, json!({}), 404, "server_not_found"),
        (Uuid::nil(), json!({}), 404, "server_not_found"),
        (server, json!({ "reviewId": Uuid::nil() }), 404, "server_not_found"),
    ] {
        let (answered, body) = file(&world, server, more.clone()).await;
        assert_eq!((answered, body["code"].as_str()), (status, Some(code)), "{more}");
    }
    // One challenge for another purpose, and one that was used before.
    let mut body = notice(server, &json!({ "captcha": world.solved(server, home()).await }));
    let answer =
        status_and_body(&world.function("POST", "content-notice", home(), &[], body.clone()).await);
    assert_eq!((answer.0, answer.1["code"].as_str()), (400, Some("captcha_failed")));
    body["captcha"] = world.solved_for("notice", server, home()).await.into();
    let response = world.function("POST", "content-notice", home(), &[], body.clone()).await;
    assert_eq!(response.status, 200);
    body["email"] = "bob@example.test".into();
    let answer =
        status_and_body(&world.function("POST", "content-notice", home(), &[], body).await);
    assert_eq!((answer.0, answer.1["code"].as_str()), (400, Some("captcha_failed")));
    let reports: i64 = value(&world, "select count(*) from public.reports").await;
    assert_eq!((reports, world.emails().await.len()), (1, 1));
}

#[tokio::test]
async fn reports_per_email_address_are_limited() {
    let world = World::new().await;
    let mut answers = Vec::new();
    for name in ["One", "Two", "Three", "Four", "Five", "Six"] {
        let server = world.server(name).await;
        answers.push(file(&world, server, json!({})).await.0);
    }
    assert_eq!(answers, [200, 200, 200, 200, 200, 429]);
    assert_eq!(world.emails().await.len(), 5);
    world.clock().advance(DAY * 2);
    let server = world.server("Seven").await;
    assert_eq!(file(&world, server, json!({})).await.0, 200);
}

#[tokio::test]
async fn reopened_report_sends_no_answer_email() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    file(&world, server, json!({})).await;
    assert_eq!(world.emails().await.len(), 1, "the receipt");
    decide(&world, "dismissed").await;
    world.clock().advance(MINUTE);
    world.sql("update public.reports set status = 'pending', resolved_at = null").await;
    world.clock().advance(MINUTE * 4);
    assert!(world.emails().await.is_empty());
    decide(&world, "resolved").await;
    world.sql("delete from public.reports").await;
    world.clock().advance(MINUTE * 4);
    assert!(world.emails().await.is_empty(), "what it is about is gone");
    let waiting: i64 = value(&world, "select count(*) from public.mail_queue").await;
    assert_eq!(waiting, 0, "it is not tried for ever");
}
