//! Refunds are made once, and payers get an email about each step.

use std::time::Duration;

use compat_mail::{Email, Renderer as _};
use compat_pg::Queue;
use payments::Config;
use payments::jobs;
use serde_json::Value;

use crate::stand_in::{Fault, StandIn, event};
use crate::world::World;

/// Makes the refunds that are due after ten seconds.
async fn give_back(world: &World) -> u64 {
    world.clock().advance(Duration::from_secs(10));
    jobs::refund_due(&world.state).await.expect("done")
}

/// The subjects of emails, without the site's name.
fn subjects(emails: &[Email]) -> Vec<&str> {
    emails.iter().filter_map(|email| email.subject.split(" · ").next()).collect()
}

/// Makes a payment of Ada's for a server that is deleted before the money arrives.
async fn pay_for_deleted_server(world: &World, stand_in: &StandIn) {
    let server = world.ada().await;
    let session = world.ordered(server).await;
    world.sql("delete from public.servers").await;
    stand_in.pay(&session);
    assert_eq!(world.check_session(&session).await.json()["state"], "to_refund");
}

#[tokio::test]
async fn payer_of_deleted_server_is_refunded_and_notified() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    pay_for_deleted_server(&world, &stand_in).await;
    assert_eq!(give_back(&world).await, 1);
    assert_eq!(give_back(&world).await, 0);
    assert_eq!(world.states().await, ["refunded subject_gone"]);
    let refunds = stand_in.account().refunds.clone();
    assert_eq!((refunds.len(), &refunds[0]["amount"]), (1, &Value::from(3000)));
    let emails = world.emails().await;
    assert_eq!(subjects(&emails), ["Your payment will be refunded", "Refund made"]);
    assert!(world.emails().await.is_empty(), "each is told once");
}

#[tokio::test]
async fn refund_with_lost_response_is_made_once() {
    for is_forgotten in [false, true] {
        let stand_in = StandIn::start().await;
        let world = World::by_stripe(&stand_in).await;
        pay_for_deleted_server(&world, &stand_in).await;
        stand_in.break_with(Fault::AnswerLost);
        assert_eq!(give_back(&world).await, 0);
        let problem: String = world.query_scalar("select problem from public.payments").await;
        assert!(problem.contains("502"), "{problem}");
        stand_in.break_with(Fault::None);
        if is_forgotten {
            // Stripe forgets idempotency keys after a day.
            stand_in.account().answered.clear();
        }
        assert_eq!(give_back(&world).await, 0, "not before its time");
        world.clock().advance(Duration::from_secs(120));
        assert_eq!(give_back(&world).await, 1);
        assert_eq!(stand_in.account().refunds.len(), 1);
        assert_eq!(world.states().await, ["refunded subject_gone"]);
    }
}

#[tokio::test]
async fn manual_refunds_are_not_made_again() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    pay_for_deleted_server(&world, &stand_in).await;
    let session = stand_in.session();
    let by_hand = serde_json::json!({
        "payment_intent": session["payment_intent"], "amount": 3000, "metadata": {},
    });
    stand_in.account().refunds.push(by_hand);
    assert_eq!(give_back(&world).await, 1, "it is back");
    assert_eq!(stand_in.account().refunds.len(), 1);
}

#[tokio::test]
async fn refused_refund_shows_reason_and_is_retried() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    pay_for_deleted_server(&world, &stand_in).await;
    stand_in.break_with(Fault::Refuses);
    assert_eq!(give_back(&world).await, 0);
    let problem: String = world.query_scalar("select problem from public.payments").await;
    assert!(problem.contains("This account is closed"), "{problem}");
    // No provider that could make the refund is configured.
    let off = world.with(Config::for_site(true));
    off.clock().advance(Duration::from_secs(60 * 60));
    assert_eq!(give_back(&off).await, 0);
    stand_in.break_with(Fault::None);
    world.clock().advance(Duration::from_secs(4 * 60 * 60));
    assert_eq!(give_back(&world).await, 1);
}

#[tokio::test]
async fn withdrawals_refund_unused_days_and_send_a_mail() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    stand_in.pay(&session);
    assert_eq!(world.check_session(&session).await.json()["state"], "paid");
    world
        .sql(
            "select set_config('request.jwt.claims', json_build_object('sub', user_id, 'role', 'authenticated')::text, true)
             from public.payments;
             select public.withdraw_from_payment(p.id, (select refund_cents from public.quote_withdrawal(p.id)))
             from public.payments as p",
        )
        .await;
    assert_eq!(world.states().await, ["to_refund withdrawn"]);
    assert_eq!(give_back(&world).await, 1);
    let notice = serde_json::json!({
        "payment_intent": format!("pi_{session}"), "amount_refunded": 2900, "metadata": {},
    });
    assert_eq!(world.notice(&event("evt_r", "charge.refunded", &notice)).await.status, 200);
    assert_eq!(world.states().await, ["refunded withdrawn"]);
    let emails = world.emails().await;
    let sent_subjects = ["Payment received", "Withdrawal received", "Refund made"];
    assert_eq!(subjects(&emails), sent_subjects);
    let receipt_url = format!("{}/en/profile/receipts/2", world.personas.environment().public_url);
    assert!(emails[2].text.contains(&receipt_url), "{}", emails[2].text);
}

#[tokio::test]
async fn withdrawn_order_keeps_its_original_dates() {
    let world = World::new().await;
    world.ada().await;
    assert_eq!(world.book("ada", 1, 4).await.status, 200);
    let session: String = world.query_scalar("select session_id from public.payments").await;
    assert_eq!(world.choose(&session, "pay").await.status, 303);
    let ordered = world.check_session(&session).await.json();
    world
        .sql(
            "select set_config('request.jwt.claims', json_build_object('sub', user_id, 'role', 'authenticated')::text, true)
             from public.payments;
             select public.withdraw_from_payment(p.id, (select refund_cents from public.quote_withdrawal(p.id)))
             from public.payments as p",
        )
        .await;
    let days: (chrono::NaiveDate, chrono::NaiveDate) = {
        let mut owner = world.begin().await;
        sqlx::query_as("select start_date, end_date from public.get_payment_by_session($1)")
            .bind(&session)
            .fetch_one(&mut *owner)
            .await
            .expect("a payment")
    };
    assert_eq!(days.1 - days.0, chrono::TimeDelta::days(2), "{ordered}");
    let emails = world.emails().await;
    assert_eq!(emails.len(), 2);
    let text = &emails[1].text;
    let span = format!(
        "Espace Arcade de gauche, 3 jours (du {} au {})",
        days.0.format("%d/%m/%Y"),
        days.1.format("%d/%m/%Y")
    );
    assert!(text.contains(&span), "{text}");
}

#[tokio::test]
async fn a_retry_renders_the_amounts_of_the_transaction() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    pay_for_deleted_server(&world, &stand_in).await;
    let queue = Queue::new(world.owner(), "public.mail_queue");
    let message = world.claimed(&queue).await.expect("an email");
    let first = world.state.render(&message).await.expect("rendered").expect("an email");
    world
        .sql(
            "update public.payments set amount_cents = 1, refund_cents = 1, refund_reason = 'administrator';
             update public.profiles set email = 'new@example.test' where id in (select user_id from public.payments)",
        )
        .await;
    let again = world.state.render(&message).await.expect("rendered").expect("an email");
    assert!(first.text.contains("€30.00"), "{}", first.text);
    assert_eq!(again.text, first.text);
    assert_eq!(again.to, "new@example.test", "it goes where the payer is now");
}

#[tokio::test]
async fn payment_of_deleted_account_sends_no_email() {
    let stand_in = StandIn::start().await;
    let world = World::by_stripe(&stand_in).await;
    pay_for_deleted_server(&world, &stand_in).await;
    world.sql("update public.payments set user_id = null").await;
    assert!(world.emails().await.is_empty());
    let waiting: i64 = world.query_scalar("select count(*) from public.mail_queue").await;
    assert_eq!(waiting, 0, "it is not tried for ever");
}
