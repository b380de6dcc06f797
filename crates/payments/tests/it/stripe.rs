//! Stripe, replaced by a stand-in: the requests it receives, and what happens to an order if it
//! does not answer.

use std::time::Duration;

use payments::jobs::reconcile;
use serde_json::json;

use crate::stand_in::{Fault, StandIn, event};
use crate::world::{World, refusal, status_and_body};

#[tokio::test]
async fn checkout_session_has_price_and_return_urls() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    let answer = world.order("ada", server, 30).await.json();
    let session = stand_in.session();
    assert_eq!(answer["url"], session["url"]);
    let site = &world.personas.environment().public_url;
    let ends: i64 = world
        .query_scalar("select floor(extract(epoch from expires_at))::int8 from public.payments")
        .await;
    let ends = ends + 30 * 60;
    assert_eq!(
        session["form"],
        json!({
            "mode": "payment",
            "line_items[0][quantity]": "1",
            "line_items[0][price_data][currency]": "eur",
            "line_items[0][price_data][unit_amount]": "3000",
            "line_items[0][price_data][product_data][name]": "Prestige, 30 days · Avalon",
            "client_reference_id": answer["paymentId"],
            "metadata[payment_id]": answer["paymentId"],
            "payment_intent_data[metadata][payment_id]": answer["paymentId"],
            "locale": "en",
            "expires_at": ends.to_string(),
            "success_url": format!("{site}/en/prestige/success?session_id={{CHECKOUT_SESSION_ID}}"),
            "cancel_url": format!("{site}/en/edit-server/{server}/prestige?cancelled=1"),
            "customer_email": "ada@example.test",
        })
    );
}

#[tokio::test]
async fn order_continues_after_provider_outage() {
    for fault in [Fault::Down, Fault::Slow, Fault::Nonsense, Fault::AnswerLost] {
        let stand_in = StandIn::start().await;
        let world = World::by_stripe(&stand_in).await;
        let server = world.ada().await;
        stand_in.break_with(fault);
        let answer = world.order("ada", server, 30).await;
        let away = "Le paiement n’est pas joignable pour le moment";
        assert_eq!(status_and_body(&answer), refusal(503, "provider_unavailable", away));
        assert_eq!(answer.header("retry-after"), "5");
        assert_eq!(world.states().await, ["open"]);
        stand_in.break_with(Fault::None);
        assert_eq!(world.order("ada", server, 30).await.status, 200);
        assert_eq!(world.states().await, ["open"], "the same");
        let tied: String = world.query_scalar("select session_id from public.payments").await;
        if fault == Fault::AnswerLost {
            assert_eq!(stand_in.session()["id"], json!(tied), "the session there was");
        }
    }
}

#[tokio::test]
async fn provider_refusal_is_reported_without_its_message() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    stand_in.break_with(Fault::Refuses);
    let answer = world.order("ada", server, 30).await;
    let expected = refusal(502, "provider_refused", "Le paiement n’a pas pu être préparé");
    assert_eq!(status_and_body(&answer), expected);
}

#[tokio::test]
async fn unrecorded_session_is_matched_by_payment_id() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    world.ordered(server).await;
    // The process died after the provider's answer and before the session was stored.
    world
        .sql("update public.payments set provider = null, session_id = null, session_url = null")
        .await;
    world.clock().advance(Duration::from_secs(600));
    assert_eq!(reconcile(&world.state).await.expect("done"), 1);
    assert_eq!(world.states().await, ["expired"]);
    let session = stand_in.pay("cs_1");
    let news = event("evt_1", "checkout.session.completed", &session);
    assert_eq!(world.notice(&news).await.status, 200);
    assert_eq!(world.states().await, ["paid"]);
    assert_eq!(world.days_left().await, 30);
}

#[tokio::test]
async fn reconciliation_ends_sessions_and_counts_late_payments() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    world.clock().advance(Duration::from_secs(31 * 60));
    stand_in.break_with(Fault::Down);
    assert_eq!(reconcile(&world.state).await.expect("done"), 0);
    assert_eq!(world.states().await, ["open"], "nobody knows");
    stand_in.break_with(Fault::None);
    world.clock().advance(Duration::from_secs(120));
    assert_eq!(reconcile(&world.state).await.expect("done"), 1);
    assert_eq!(
        (world.states().await, &stand_in.session()["status"]),
        (vec!["expired".into()], &json!("expired"))
    );

    let session_of_another = world.order("ada", server, 7).await;
    assert_eq!(session_of_another.status, 200);
    assert_ne!(session, "cs_2");
    stand_in.pay("cs_2");
    world.clock().advance(Duration::from_secs(31 * 60));
    assert_eq!(reconcile(&world.state).await.expect("done"), 1);
    assert_eq!(world.states().await, ["expired", "paid"]);
}

#[tokio::test]
async fn pending_bank_debit_outlives_the_session_expiry() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    stand_in.change(&session, &[("status", "complete")]);
    world.clock().advance(Duration::from_secs(31 * 60));
    assert_eq!(reconcile(&world.state).await.expect("done"), 0);
    assert_eq!(world.states().await, ["open"]);
    let paid = stand_in.pay(&session);
    let news = event("evt_1", "checkout.session.async_payment_succeeded", &paid);
    assert_eq!(world.notice(&news).await.status, 200);
    assert_eq!(world.states().await, ["paid"]);
}

#[tokio::test]
async fn an_id_from_a_browser_leads_nowhere_else() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    for session in ["", "../refunds", "cs_1/expire", "x?y=z", "é\u{0}"] {
        let answer = world.check_session(session).await;
        assert_eq!(answer.status, 404, "{session:?}");
    }
    assert_eq!(stand_in.account().calls, 0);
}
