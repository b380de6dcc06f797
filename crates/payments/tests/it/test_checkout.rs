//! The checkout page that takes no money: the effect of each button.

use std::time::Duration;

use axum::body::Body;
use http::Request;
use payments::jobs;

use crate::world::{World, refusal, status_and_body};

#[tokio::test]
async fn test_checkout_page_shows_warning_and_amount() {
    let world = World::new().await;
    let server = world.ada().await;
    world.sql("update public.servers set name = 'Tom & Co'").await;
    let session = world.ordered(server).await;
    let page = |session: &str| {
        Request::get(format!("/payments/test/{session}")).body(Body::empty()).expect("a request")
    };
    let answer = world.send(page(&session)).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-security-policy").contains("default-src 'none'"));
    let html = answer.text();
    assert!(html.contains("<html lang=\"en\">") && html.contains("TEST: no money is taken"));
    assert!(html.contains("Prestige, 30 days · Tom &amp; Co") && html.contains("€30.00"), "{html}");
    assert_eq!(html.matches("<button").count(), 4);
    let unknown = world.send(page("cs_test_nobodys")).await;
    assert_eq!(status_and_body(&unknown), refusal(404, "payment_not_found", "Payment not found"));
}

#[tokio::test]
async fn paying_counts_at_once_and_once() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    let paid = world.choose(&session, "pay").await;
    let site = &world.personas.environment().public_url;
    let back = format!("{site}/en/prestige/success?session_id={session}");
    assert_eq!((paid.status.as_u16(), paid.header("location")), (303, &*back));
    assert_eq!(world.choose(&session, "fail").await.header("location"), back);
    assert_eq!(world.check_session(&session).await.json()["state"], "paid");
    assert_eq!(world.states().await, ["paid"]);
    assert_eq!(world.days_left().await, 30);
}

#[tokio::test]
async fn delayed_payment_becomes_paid_on_arrival() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    assert_eq!(world.choose(&session, "later").await.status, 303);
    assert_eq!(world.check_session(&session).await.json()["state"], "open");
    world.clock().advance(Duration::from_secs(20));
    assert_eq!(world.check_session(&session).await.json()["state"], "paid");
    assert_eq!(world.days_left().await, 30);
}

#[tokio::test]
async fn payment_after_session_expiry_still_counts() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    world.clock().advance(Duration::from_secs(30 * 60 - 10));
    assert_eq!(world.choose(&session, "later").await.status, 303);
    world.clock().advance(Duration::from_secs(15));
    assert_eq!(jobs::reconcile(&world.state).await.expect("done"), 0, "it is on its way");
    world.clock().advance(Duration::from_secs(120));
    assert_eq!(jobs::reconcile(&world.state).await.expect("done"), 1);
    assert_eq!(world.states().await, ["paid"]);
}

#[tokio::test]
async fn cancelled_and_failed_payments_grant_nothing() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    let cancellation = world.choose(&session, "cancel").await;
    let site = &world.personas.environment().public_url;
    let tab = format!("{site}/en/edit-server/{server}/prestige?cancelled=1");
    assert_eq!((cancellation.status.as_u16(), cancellation.header("location")), (303, &*tab));
    assert_eq!(world.states().await, ["open"], "it may still be paid");
    assert_eq!(world.choose(&session, "fail").await.status, 303);
    assert_eq!(world.check_session(&session).await.json()["state"], "failed");
    assert_eq!(world.days_left().await, 0);
}

#[tokio::test]
async fn another_sites_page_presses_no_button() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    for (site, body) in [("cross-site", "choice=pay"), ("same-origin", "choice=x"), ("none", "")] {
        let request = Request::post(format!("/payments/test/{session}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", site)
            .body(Body::from(body))
            .expect("a request");
        assert_eq!(world.send(request).await.status, 400, "{site} {body}");
    }
    assert_eq!(world.states().await, ["open"]);
}

#[tokio::test]
async fn foreign_origin_is_refused_without_fetch_site_header() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    for (origin, status) in [
        ("http://evil.example", 400),
        ("http://site.example.evil.example", 400),
        ("http://site.example:81", 400),
        ("null", 400),
        ("http://site.example", 303),
    ] {
        let request = Request::post(format!("/payments/test/{session}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("host", "site.example")
            .header("origin", origin)
            .body(Body::from("choice=cancel"))
            .expect("a request");
        assert_eq!(world.send(request).await.status, status, "{origin}");
    }
}
