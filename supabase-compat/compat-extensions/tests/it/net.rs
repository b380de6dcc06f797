//! Tests of HTTP requests that SQL queues.

use std::time::Duration;

use axum::Router;
use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::routing::{any, post};
use compat_extensions::net::Net;
use compat_http::{Outgoing, OutgoingConfig};
use compat_testkit::TestDatabase;
use tokio::net::TcpListener;

use crate::world::{database, refusal, run, text_of};

/// Starts an HTTP server on this machine and returns its address.
async fn place() -> String {
    let echo = async |headers: HeaderMap, RawQuery(query): RawQuery, body: String| {
        let mark = headers.get("x-mark").map_or("", |mark| mark.to_str().unwrap());
        ([("content-type", "text/plain")], format!("{}|{mark}|{body}", query.unwrap_or_default()))
    };
    let router = Router::new().route("/echo", post(echo).get(echo)).route(
        "/never",
        any(async || {
            tokio::time::sleep(Duration::from_secs(60)).await;
        }),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

fn net(db: &TestDatabase, allowed: &[&str], own: &str) -> Net {
    let allowed_hosts = allowed.iter().map(|host| host.parse().unwrap()).collect();
    let config = OutgoingConfig { allowed_hosts, ..OutgoingConfig::default() };
    Net::new(db.pools().owner.clone(), Outgoing::new(config).unwrap(), own)
}

const ANSWERS: &str = "select string_agg(
        concat_ws(' ', status_code, content_type, content, timed_out, error_msg), ';' order by id
    ) from net._http_response";

#[tokio::test]
async fn queued_request_is_sent_once_with_stored_response() {
    let (db, place) = (database().await, place().await);
    let net = net(&db, &["127.0.0.1"], "http://localhost:1");
    let ask = format!(
        "select net.http_post('{place}/echo', '{{\"a\": 1}}', '{{\"q\": \"ä & b\"}}', '{{\"x-mark\": \"m\"}}');
         select net.http_get('{place}/echo?x=1', '{{\"y\": \"2\"}}')"
    );
    run(&db, &ask).await.unwrap();
    assert_eq!(net.send_queued().await.unwrap(), 2);
    let answers = "200 text/plain q=%C3%A4%20%26%20b|m|{\"a\": 1} f;200 text/plain x=1&y=2|| f";
    assert_eq!(text_of(&db, ANSWERS).await, answers);
    assert_eq!(net.send_queued().await.unwrap(), 0, "nothing is made twice");
}

#[tokio::test]
async fn rolled_back_request_is_never_sent() {
    let db = database().await;
    let script = "select net.http_get('https://example.com/'); select 1 / 0";
    assert!(refusal(&db, script).await.contains("division by zero"));
    assert_eq!(net(&db, &[], "http://localhost:1").send_queued().await.unwrap(), 0);
}

#[tokio::test]
async fn private_addresses_are_refused_except_own_services() {
    let (db, place) = (database().await, place().await);
    let ask = |url: &str| format!("select net.http_get('{url}')");
    for url in [&*format!("{place}/echo"), "http://10.0.0.1/"] {
        run(&db, &ask(url)).await.unwrap();
    }
    net(&db, &[], "http://localhost:1").send_queued().await.unwrap();
    let refusal = "f the address is not on the public internet";
    assert_eq!(text_of(&db, ANSWERS).await, format!("{refusal};{refusal}"));
    run(&db, "truncate net._http_response").await.unwrap();
    for url in [format!("{place}/echo?own"), "http://kong:8000/echo?kong".into()] {
        run(&db, &ask(&url)).await.unwrap();
    }
    net(&db, &[], &place).send_queued().await.unwrap();
    assert_eq!(text_of(&db, ANSWERS).await, "200 text/plain own|| f;200 text/plain kong|| f");
}

#[tokio::test]
async fn call_without_an_answer_ends_in_its_time() {
    let (db, place) = (database().await, place().await);
    let net = net(&db, &["127.0.0.1"], "http://localhost:1");
    let ask = format!("select net.http_get('{place}/never', timeout_milliseconds => 50)");
    run(&db, &ask).await.unwrap();
    net.send_queued().await.unwrap();
    assert_eq!(text_of(&db, ANSWERS).await, "t there was no answer in time");
}

#[tokio::test]
async fn malformed_addresses_are_refused_at_once() {
    let db = database().await;
    for url in ["'ftp://a.test'", "'example.com'", "''", "null"] {
        let refusal_text = refusal(&db, &format!("select net.http_get({url})")).await;
        assert!(
            refusal_text.contains("A call needs an http or https address"),
            "{url}: {refusal_text}"
        );
    }
}

#[tokio::test]
async fn response_is_collected_by_request_id() {
    let (db, place) = (database().await, place().await);
    let net = net(&db, &["127.0.0.1"], "http://localhost:1");
    run(&db, &format!("select net.http_get('{place}/echo?x=1'), net.http_get('http://10.1.2.3/')"))
        .await
        .unwrap();
    let collected = |id: u8| {
        format!(
            "select concat_ws(' ', status, message, (response).status_code, (response).body)
             from net.http_collect_response({id})"
        )
    };
    assert_eq!(text_of(&db, &collected(1)).await, "PENDING the request has no answer yet");
    assert_eq!(text_of(&db, &collected(9)).await, "ERROR there is no such request");
    net.send_queued().await.unwrap();
    assert_eq!(text_of(&db, &collected(1)).await, "SUCCESS ok 200 x=1||");
    let response = text_of(&db, &collected(2)).await;
    assert_eq!(response, "ERROR the address is not on the public internet");
    let waited = "select (net.http_collect_response(1, async => false)).status";
    assert_eq!(text_of(&db, waited).await, "SUCCESS");
    for role in ["anon", "authenticated"] {
        let refusal_text = refusal(&db, &format!("set local role {role}; {waited}")).await;
        assert!(refusal_text.contains("permission denied"), "{role}: {refusal_text}");
    }
}
