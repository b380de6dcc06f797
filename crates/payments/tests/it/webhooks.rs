//! Webhook events: accepted only when signed, and applied once, in whatever order they arrive.

use futures_util::future::join_all;
use payments::jobs::reconcile;
use serde_json::{Value, json};

use crate::stand_in::{StandIn, event, signature};
use crate::world::{WEBHOOK_SECRET, World, work};

/// A site where Ada has ordered thirty days, and the id of her session.
async fn ordered() -> (StandIn, World, String) {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    (stand_in, world, session)
}

async fn post_event(world: &World, id: &str, kind: &str, object: &Value) -> u16 {
    world.notice(&event(id, kind, object)).await.status.as_u16()
}

#[tokio::test]
async fn first_notice_counts_and_later_ones_change_nothing() {
    for first in ["notice", "look", "sweep"] {
        let (stand_in, world, session) = ordered().await;
        let paid = stand_in.pay(&session);
        let mut order = vec!["notice", "look", "sweep"];
        order.sort_by_key(|source| *source != first);
        world.clock().advance(std::time::Duration::from_secs(120));
        for (number, source) in order.into_iter().enumerate() {
            match source {
                "notice" => {
                    let kind = "checkout.session.completed";
                    assert_eq!(post_event(&world, "evt_1", kind, &paid).await, 200);
                }
                "look" => assert_eq!(world.check_session(&session).await.json()["state"], "paid"),
                _ => {
                    let ended = reconcile(&world.state).await.expect("done");
                    assert_eq!(ended, u64::from(number == 0));
                }
            }
            assert_eq!(world.states().await, ["paid"], "{first}: {source}");
            assert_eq!(world.days_left().await, 30, "{first}: {source}");
        }
        let documents: i64 =
            world.query_scalar("select count(*) from public.payment_receipts").await;
        assert_eq!(documents, 1);
    }
}

#[tokio::test]
async fn concurrent_notices_count_once() {
    let (stand_in, world, session) = ordered().await;
    let paid = stand_in.pay(&session);
    let world = &world;
    let notices = (0..6).map(|number| {
        let id = format!("evt_{}", number % 3);
        let news = event(&id, "checkout.session.completed", &paid);
        async move { world.notice(&news).await.status.as_u16() }
    });
    let checks = (0..3).map(|_| async { world.check_session(&session).await.status.as_u16() });
    let (notice_statuses, look_statuses) = tokio::join!(join_all(notices), join_all(checks));
    assert!(
        notice_statuses.iter().chain(&look_statuses).all(|status| *status == 200),
        "{notice_statuses:?} {look_statuses:?}"
    );
    assert_eq!((world.states().await, world.days_left().await), (vec!["paid".to_owned()], 30));
}

#[tokio::test]
async fn reordered_events_end_in_the_same_state() {
    let completed = ("completed", "unpaid");
    for order in [
        vec![completed, ("async_payment_failed", "unpaid"), ("async_payment_succeeded", "paid")],
        vec![("async_payment_succeeded", "paid"), completed],
        vec![("expired", "unpaid"), ("completed", "paid")],
        vec![("completed", "paid"), ("expired", "unpaid"), ("async_payment_failed", "unpaid")],
    ] {
        let (stand_in, world, session) = ordered().await;
        for (number, (kind, payment_status)) in order.iter().enumerate() {
            let outcome = stand_in
                .change(&session, &[("status", "complete"), ("payment_status", payment_status)]);
            let kind = format!("checkout.session.{kind}");
            assert_eq!(post_event(&world, &format!("evt_{number}"), &kind, &outcome).await, 200);
        }
        assert_eq!(world.states().await, ["paid"], "{order:?}");
        assert_eq!(world.days_left().await, 30);
    }
    let (stand_in, world, session) = ordered().await;
    let failed = stand_in.change(&session, &[("status", "complete")]);
    assert_eq!(post_event(&world, "evt_1", "checkout.session.completed", &failed).await, 200);
    assert_eq!(world.states().await, ["open"], "completed is not paid");
    assert_eq!(
        post_event(&world, "evt_2", "checkout.session.async_payment_failed", &failed).await,
        200
    );
    assert_eq!(world.states().await, ["failed"]);
}

#[tokio::test]
async fn forged_stale_or_malformed_events_are_rejected() {
    let (stand_in, world, session) = ordered().await;
    let paid = stand_in.pay(&session);
    let body = event("evt_1", "checkout.session.completed", &paid).to_string();
    let now = world.clock().unix();
    let right = signature(WEBHOOK_SECRET, now, &body);
    for head in [
        String::new(),
        "nonsense".into(),
        signature("whsec_of_nobody", now, &body),
        signature(WEBHOOK_SECRET, now - 301, &body),
        signature(WEBHOOK_SECRET, now + 301, &body),
        right.replace("v1=", "v0="),
        signature(WEBHOOK_SECRET, now, &format!("{body} ")),
    ] {
        let answer = world.notice_signed(&head, body.clone()).await;
        assert_eq!(answer.status, 400, "{head}");
    }
    for malformed in ["", "{}", "[]", "{\"id\":1}"] {
        let head = signature(WEBHOOK_SECRET, now, malformed);
        assert_eq!(world.notice_signed(&head, malformed.to_owned()).await.status, 400);
    }
    let shapeless = event("evt_2", "checkout.session.completed", &json!({ "id": 7 }));
    assert_eq!(world.notice(&shapeless).await.status, 400);
    let long = event("evt_3", "x", &json!("a".repeat(300 << 10)));
    assert_eq!(world.notice(&long).await.status, 413);
    assert_eq!(world.states().await, ["open"]);
    let events: i64 = world.query_scalar("select count(*) from public.payment_events").await;
    assert_eq!(events, 0);
    // The older secret is valid as long as it is configured.
    let older = signature("whsec_older", now, &body);
    assert_eq!(world.notice_signed(&older, body).await.status, 200);
    assert_eq!(world.states().await, ["paid"]);
}

#[tokio::test]
async fn foreign_events_are_accepted_and_ignored() {
    let (stand_in, world, session) = ordered().await;
    let mut paid = stand_in.pay(&session);
    assert_eq!(post_event(&world, "evt_1", "invoice.paid", &json!({ "id": "in_1" })).await, 200);
    paid["id"] = json!("cs_of_another_shop");
    paid["client_reference_id"] = Value::Null;
    assert_eq!(post_event(&world, "evt_2", "checkout.session.completed", &paid).await, 200);
    paid["client_reference_id"] = json!("basket 7");
    assert_eq!(post_event(&world, "evt_3", "checkout.session.completed", &paid).await, 200);
    let charge = json!({ "payment_intent": "pi_other", "amount_refunded": 5, "metadata": {} });
    assert_eq!(post_event(&world, "evt_4", "charge.refunded", &charge).await, 200);
    assert_eq!(world.states().await, ["open"]);
}

#[tokio::test]
async fn payment_of_wrong_amount_awaits_refund() {
    for (name, value) in [("amount_total", json!(2999)), ("currency", json!("usd"))] {
        let (stand_in, world, session) = ordered().await;
        let mut paid = stand_in.pay(&session);
        paid[name] = value;
        assert_eq!(post_event(&world, "evt_1", "checkout.session.completed", &paid).await, 200);
        assert_eq!(world.states().await, ["to_refund amount_differs"]);
        assert_eq!(world.days_left().await, 0);
    }
}

#[tokio::test]
async fn late_payment_for_taken_days_awaits_refund() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    world.ada().await;
    world.account("bob").await;
    assert_eq!(world.book("ada", 1, 2).await.status, 200);
    world.clock().advance(std::time::Duration::from_secs(31 * 60));
    assert_eq!(work(&world.state, "payments.expire_reservations").await.expect("done"), 1);
    assert_eq!(world.book("bob", 1, 2).await.status, 200);
    let paid = stand_in.pay("cs_1");
    assert_eq!(post_event(&world, "evt_1", "checkout.session.completed", &paid).await, 200);
    assert_eq!(world.states().await, ["to_refund days_taken", "open"]);
}

#[tokio::test]
async fn manual_refund_and_dispute_are_recorded() {
    let (stand_in, world, session) = ordered().await;
    let paid = stand_in.pay(&session);
    let payment = &paid["client_reference_id"];
    let charge = json!({
        "payment_intent": format!("pi_{session}"), "amount_refunded": 3000,
        "metadata": { "payment_id": payment },
    });
    assert_eq!(
        post_event(&world, "evt_r", "charge.refunded", &charge).await,
        503,
        "it comes again"
    );
    assert_eq!(post_event(&world, "evt_p", "checkout.session.completed", &paid).await, 200);
    let dispute = json!({ "payment_intent": format!("pi_{session}"), "metadata": {} });
    assert_eq!(post_event(&world, "evt_d", "charge.dispute.created", &dispute).await, 200);
    let is_disputed: bool =
        world.query_scalar("select disputed_at is not null from public.payments").await;
    assert!(is_disputed);
    assert_eq!(post_event(&world, "evt_r", "charge.refunded", &charge).await, 200);
    assert_eq!(post_event(&world, "evt_r", "charge.refunded", &charge).await, 200);
    assert_eq!(world.states().await, ["refunded provider"]);
}

#[tokio::test]
async fn late_refund_failure_reopens_the_refund() {
    let (stand_in, world, session) = ordered().await;
    let paid = stand_in.pay(&session);
    assert_eq!(post_event(&world, "evt_p", "checkout.session.completed", &paid).await, 200);
    let intent = format!("pi_{session}");
    let charge = json!({ "payment_intent": intent, "amount_refunded": 3000, "metadata": {} });
    assert_eq!(post_event(&world, "evt_r", "charge.refunded", &charge).await, 200);
    assert_eq!(world.states().await, ["refunded provider"]);
    let mut refund = json!({
        "id": "re_1", "object": "refund", "payment_intent": intent, "amount": 3000,
        "status": "succeeded", "failure_reason": null,
    });
    assert_eq!(post_event(&world, "evt_u", "charge.refund.updated", &refund).await, 200);
    assert_eq!(world.states().await, ["refunded provider"]);
    refund["status"] = json!("failed");
    refund["failure_reason"] = json!("expired_or_canceled_card");
    assert_eq!(post_event(&world, "evt_f", "refund.failed", &refund).await, 200);
    assert_eq!(post_event(&world, "evt_g", "charge.refund.updated", &refund).await, 200);
    assert_eq!(world.states().await, ["to_refund provider"]);
    let problem: String = world.query_scalar("select problem from public.payments").await;
    assert_eq!(problem, "expired_or_canceled_card");
    let outstanding_cents: i32 =
        world.query_scalar("select refund_cents - refunded_cents from public.payments").await;
    assert_eq!(outstanding_cents, 3000);
}
