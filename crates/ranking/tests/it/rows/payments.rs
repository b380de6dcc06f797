//! Payments: each is taken and counted once, or refunded.

use futures_util::future::join_all;

use super::stage::{Persona, Refusal, Stage};

const DAYS_LEFT: &str =
    "select coalesce(round(extract(epoch from prestige_expires_at - now()) / 86400), 0)::int4
    from public.servers where id = it.id('open')";

const STATES: &str = "select coalesce(array_agg(state || coalesce(' ' || refund_reason, '') order by session_id), '{}')
    from public.payments where session_id is not null";

/// Expires the cast's own payments, so that every open payment is the test's.
const NOTHING_OPEN: &str = "
    update public.payments set state = 'expired', look_at = null;
    update public.arcade_spots set status = 'expired' where status = 'pending'";

async fn stage() -> Stage {
    let stage = Stage::new().await;
    stage.run(NOTHING_OPEN).await;
    stage
}

/// Olga orders thirty days, and the provider's session is stored.
async fn ordered(stage: &Stage, begins_at_once: bool) {
    let order = if begins_at_once {
        "select id from public.open_prestige_payment(it.id('open'), 30, 'fr', true)"
    } else {
        "select id from public.open_prestige_payment(it.id('open'), 30)"
    };
    assert_eq!(stage.act(Persona::Olga, order).await, Ok(1));
    let tie = "select public.set_payment_session(id, 'test', 'a', 'https://pay.example/a')
        from public.payments where state = 'open'";
    assert_eq!(stage.act(Persona::Service, tie).await, Ok(1));
}

/// Stan books the third tile from tomorrow on.
const BOOK: &str = "select id from public.open_arcade_payment(
    3, public.site_today() + 1, public.site_today() + 3, '/a.png', null, null, 'en', true)";

async fn booked(stage: &Stage) {
    assert_eq!(stage.act(Persona::Stan, BOOK).await, Ok(1));
    let tie = "select public.set_payment_session(id, 'test', 'b', 'https://pay.example/b')
        from public.payments where state = 'open' and kind = 'arcade'";
    assert_eq!(stage.act(Persona::Service, tie).await, Ok(1));
}

const PAID: &str =
    "select 1 where (public.settle_payment('a', null, 'paid', 3000, 'EUR', 'ch_a')).state = 'paid'";
const SPOT_PAID: &str = "select public.settle_payment('b', null, 'paid', 3000, 'eur', 'ch_b')";

#[tokio::test]
async fn payment_notified_concurrently_counts_once() {
    let stage = stage().await;
    ordered(&stage, true).await;
    let outcomes = join_all((0..4).map(|_| stage.act(Persona::Service, PAID))).await;
    assert!(outcomes.iter().all(|answer| *answer == Ok(1)), "{outcomes:?}");
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 30);
    let late = "select public.settle_payment('a', null, 'expired')";
    assert_eq!(stage.act(Persona::Service, late).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["paid"]);
    let documents = "select array_agg(number || ' ' || kind || ' ' || amount_cents order by number) from public.payment_receipts";
    assert_eq!(stage.value::<Vec<String>>(documents).await, ["1 receipt 700", "2 receipt 3000"]);
    let outcomes =
        "select array_agg(payload ->> 'kind') from public.mail_queue where kind = 'payment'";
    assert_eq!(stage.value::<Vec<String>>(outcomes).await, ["counted"]);
    for persona in [Persona::Anon, Persona::Olga, Persona::Ada] {
        assert_eq!(stage.act(persona, PAID).await.expect_err("service only").code, "42501");
    }
}

#[tokio::test]
async fn open_order_is_resumed_by_owner_only() {
    let stage = stage().await;
    ordered(&stage, true).await;
    let again = "select 1 where (public.open_prestige_payment(it.id('open'), 30, 'fr', true)).session_id = 'a'";
    assert_eq!(stage.act(Persona::Olga, again).await, Ok(1));
    for (persona, order) in [
        (Persona::Stan, "select public.open_prestige_payment(it.id('open'), 30)"),
        (Persona::Boris, "select public.open_prestige_payment(it.id('boris server'), 30)"),
        (Persona::Anon, "select public.open_prestige_payment(it.id('open'), 30)"),
        (
            Persona::Stan,
            "select public.open_arcade_payment(3, public.site_today(), public.site_today(), '/a.png', null, it.id('open'))",
        ),
    ] {
        assert_eq!(stage.act(persona, order).await.expect_err(order).code, "42501", "{order}");
    }
    for order in [
        "select public.open_prestige_payment(it.id('open'), 0)",
        "select public.open_arcade_payment(4, public.site_today(), public.site_today(), '/a.png')",
        "select public.open_arcade_payment(1, public.site_today(), null, '/a.png')",
        "select public.open_arcade_payment(3, public.site_today() + 1, public.site_today(), '/a.png')",
        "select public.open_arcade_payment(3, public.site_today(), public.site_today(), null)",
        "select public.open_arcade_payment(3, public.site_today(), public.site_today(), '/a.png', 'javascript:x')",
        "select public.open_arcade_payment(3, public.site_today() - 1, public.site_today(), '/a.png')",
    ] {
        assert_eq!(
            stage.act(Persona::Olga, order).await.expect_err(order).code,
            "22023",
            "{order}"
        );
    }
}

#[tokio::test]
async fn accounts_have_ten_open_orders_at_most() {
    let stage = stage().await;
    for days in 1..=10 {
        let mut olga = stage.acting(Persona::Olga).await;
        sqlx::query("select public.open_prestige_payment(it.id('open'), $1)")
            .bind(days)
            .execute(&mut *olga)
            .await
            .expect("an order");
        olga.commit().await.expect("kept");
    }
    let eleventh = "select public.open_prestige_payment(it.id('open'), 11)";
    assert_eq!(
        stage.act(Persona::Olga, eleventh).await,
        Err(Refusal::new("P0001", "The limit is reached"))
    );
}

#[tokio::test]
async fn payment_after_failure_or_expiry_still_counts() {
    for end in [
        "select public.settle_payment('a', null, 'failed')",
        "select public.settle_payment('a', null, 'expired')",
    ] {
        let stage = stage().await;
        ordered(&stage, true).await;
        assert_eq!(stage.act(Persona::Service, end).await, Ok(1));
        assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 0);
        assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
        assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 30);
    }
}

#[tokio::test]
async fn unrecorded_session_is_matched_by_payment_id() {
    let stage = stage().await;
    let order = "select id from public.open_prestige_payment(it.id('open'), 30)";
    assert_eq!(stage.act(Persona::Olga, order).await, Ok(1));
    let paid = "select public.settle_payment('lost', id, 'paid', 3000, 'eur', 'ch') from public.payments where state = 'open'";
    assert_eq!(stage.act(Persona::Service, paid).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["paid"]);
    let unknown = "select 1 where public.settle_payment('of somebody else', gen_random_uuid(), 'paid', 1, 'eur') is null";
    assert_eq!(stage.act(Persona::Service, unknown).await, Ok(1));
}

#[tokio::test]
async fn money_whose_purpose_is_gone_goes_back() {
    let stage = stage().await;
    ordered(&stage, true).await;
    stage.run("delete from public.servers where id = it.id('open')").await;
    let paid = "select public.settle_payment('a', null, 'paid', 3000, 'eur', 'ch_a')";
    assert_eq!(stage.act(Persona::Service, paid).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["to_refund subject_gone"]);

    let take =
        "select 1 from public.claim_refunds(now(), 10) where charge_id = 'ch_a' and cents = 3000";
    assert_eq!(stage.act(Persona::Service, take).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, take).await, Ok(0), "one asks at a time");
    let record_refund =
        "select 1 from public.payments where session_id = 'a' and public.record_refund(id)";
    assert_eq!(stage.act(Persona::Service, record_refund).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, record_refund).await, Ok(0));
    let back =
        "select refunded_cents from public.payments where session_id = 'a' and state = 'refunded'";
    assert_eq!(stage.value::<i32>(back).await, 3000);
    let documents =
        "select count(*) from public.payment_receipts where payment_id <> it.id('payment')";
    assert_eq!(stage.value::<i64>(documents).await, 0, "nothing was sold");
}

#[tokio::test]
async fn payment_of_wrong_amount_awaits_refund() {
    for paid in [
        "select public.settle_payment('a', null, 'paid', 2999, 'eur', 'ch_a')",
        "select public.settle_payment('a', null, 'paid', 3000, 'usd', 'ch_a')",
        "select public.settle_payment('a', null, 'paid')",
    ] {
        let stage = stage().await;
        ordered(&stage, true).await;
        assert_eq!(stage.act(Persona::Service, paid).await, Ok(1));
        assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 0, "{paid}");
        assert_eq!(stage.value::<Vec<String>>(STATES).await, ["to_refund amount_differs"]);
    }
}

#[tokio::test]
async fn a_day_of_a_tile_is_sold_once() {
    let stage = stage().await;
    let both =
        join_all([Persona::Stan, Persona::Olga].map(|persona| stage.act(persona, BOOK))).await;
    assert_eq!(both.iter().filter(|answer| answer.is_ok()).count(), 1, "{both:?}");
    let refusal = both.into_iter().find_map(Result::err).expect("one of them lost");
    assert_eq!(refusal.code, "23P01");
    let after = "select id from public.open_arcade_payment(3, public.site_today() + 4, public.site_today() + 4, '/a.png')";
    assert_eq!(stage.act(Persona::Stan, after).await, Ok(1));
}

#[tokio::test]
async fn resumed_order_is_validated_like_a_new_one() {
    let stage = stage().await;
    booked(&stage).await;
    let other = "select public.open_arcade_payment(
        3, public.site_today() + 1, public.site_today() + 3, '/b.png', 'https://a.example', null, 'en', true)";
    assert_eq!(stage.act(Persona::Stan, other).await, Ok(1));
    let spot = "select image_url || ' ' || website_url from public.arcade_spots where position = 3";
    assert_eq!(stage.value::<String>(spot).await, "/b.png https://a.example");
    let hostile = "select public.open_arcade_payment(
        3, public.site_today() + 1, public.site_today() + 3, '/b.png', 'https://a b', null, 'en', true)";
    assert_eq!(stage.act(Persona::Stan, hostile).await.expect_err("refused").code, "22023");
}

#[tokio::test]
async fn dispute_is_recorded_and_notified_once() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let dispute = "select 1 where public.record_dispute('ch_a')";
    assert_eq!(stage.act(Persona::Service, dispute).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, dispute).await, Ok(0));
    let mails = "select count(*) from public.mail_queue where kind = 'payment' and payload ->> 'kind' = 'disputed'";
    assert_eq!(stage.value::<i64>(mails).await, 1);
}

#[tokio::test]
async fn late_payer_keeps_lapsed_days_if_free() {
    let expire =
        "select 1 where public.expire_arcade_reservations(now() + interval '31 minutes') = 1";
    let stage_of_one = stage().await;
    booked(&stage_of_one).await;
    assert_eq!(stage_of_one.act(Persona::Service, expire).await, Ok(1));
    assert_eq!(stage_of_one.act(Persona::Service, SPOT_PAID).await, Ok(1));
    assert_eq!(stage_of_one.value::<Vec<String>>(STATES).await, ["paid"]);

    let stage = stage().await;
    booked(&stage).await;
    assert_eq!(stage.act(Persona::Service, expire).await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, BOOK).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, SPOT_PAID).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["to_refund days_taken"]);
    let spots = "select count(*) from public.arcade_spots where position = 3 and status in ('paid', 'active')";
    assert_eq!(stage.value::<i64>(spots).await, 0);
}

#[tokio::test]
async fn a_failed_payment_lets_its_days_go() {
    let stage = stage().await;
    booked(&stage).await;
    let failed = "select public.settle_payment('b', null, 'failed')";
    assert_eq!(stage.act(Persona::Service, failed).await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, BOOK).await, Ok(1));
}

#[tokio::test]
async fn early_starters_pay_for_days_that_began() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    // The payment was made ten and a half days ago.
    stage
        .run(
            "update public.payments set paid_at = now() - interval '252 hours',
                 covers_from = now() - interval '252 hours', covers_until = now() + interval '468 hours'
             where session_id = 'a';
             update public.servers set prestige_expires_at = now() + interval '468 hours' where id = it.id('open')",
        )
        .await;
    let quote = "select 1 from public.payments as p, public.quote_withdrawal(p.id) as q
        where p.session_id = 'a' and q.may_withdraw and q.unused_days = 19 and q.refund_cents = 1900";
    assert_eq!(stage.act(Persona::Olga, quote).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, quote).await, Ok(0));
    let other_amount =
        "select public.withdraw_from_payment(id, 3000) from public.payments where session_id = 'a'";
    assert_eq!(
        stage.act(Persona::Olga, other_amount).await,
        Err(Refusal::new("22023", "The amount has changed"))
    );
    let withdraw =
        "select public.withdraw_from_payment(id, 1900) from public.payments where session_id = 'a'";
    assert_eq!(stage.act(Persona::Olga, withdraw).await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, withdraw).await, Ok(1), "twice is once");
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["to_refund withdrawn"]);
    let left = stage.value::<i32>(DAYS_LEFT).await;
    assert!((0..=1).contains(&left), "half a day: {left}");
    let record_refund =
        "select 1 from public.payments where session_id = 'a' and public.record_refund(id)";
    assert_eq!(stage.act(Persona::Service, record_refund).await, Ok(1));
    let documents = "select array_agg(number || ' ' || kind || ' ' || amount_cents || ' ' || coalesce(subject ->> 'receipt', '')
        order by number) from public.payment_receipts where number > 1";
    assert_eq!(stage.value::<Vec<String>>(documents).await, ["2 receipt 3000 ", "3 credit 1900 2"]);
}

#[tokio::test]
async fn other_buyers_get_everything_back_in_time() {
    let stage = stage().await;
    ordered(&stage, false).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let quote = "select 1 from public.payments as p, public.quote_withdrawal(p.id) as q
        where p.session_id = 'a' and q.may_withdraw and q.refund_cents = 3000";
    assert_eq!(stage.act(Persona::Olga, quote).await, Ok(1));
    stage.run("update public.payments set paid_at = now() - interval '15 days' where session_id = 'a'").await;
    assert_eq!(stage.act(Persona::Olga, quote).await, Ok(0));
    let withdraw =
        "select public.withdraw_from_payment(id, 3000) from public.payments where session_id = 'a'";
    assert_eq!(stage.act(Persona::Olga, withdraw).await.expect_err("too late").code, "22023");
}

#[tokio::test]
async fn later_days_move_up_after_a_refund() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let order = "select public.open_prestige_payment(it.id('open'), 7)";
    assert_eq!(stage.act(Persona::Olga, order).await, Ok(1));
    let settle = "select public.settle_payment('c', id, 'paid', amount_cents, 'eur', 'ch_c')
        from public.payments where state = 'open'";
    assert_eq!(stage.act(Persona::Service, settle).await, Ok(1));
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 37);
    let withdraw = "select public.withdraw_from_payment(p.id, q.refund_cents)
        from public.payments as p, public.quote_withdrawal(p.id) as q where p.session_id = 'a'";
    assert_eq!(stage.act(Persona::Olga, withdraw).await, Ok(1));
    let left = stage.value::<i32>(DAYS_LEFT).await;
    assert!((7..=8).contains(&left), "{left}");
    let is_its_own = "select abs(extract(epoch from p.covers_until - s.prestige_expires_at)) < 1
        from public.payments as p inner join public.servers as s on s.id = p.server_id where p.session_id = 'c'";
    assert!(stage.value::<bool>(is_its_own).await);
}

#[tokio::test]
async fn concurrent_withdrawals_of_one_server_all_succeed() {
    const PURCHASES: usize = 6;
    let stage = stage().await;
    for days in 2..i32::try_from(PURCHASES).expect("a few") + 2 {
        let mut olga = stage.acting(Persona::Olga).await;
        sqlx::query("select public.open_prestige_payment(it.id('open'), $1, 'fr', true)")
            .bind(days)
            .execute(&mut *olga)
            .await
            .expect("ordered");
        olga.commit().await.expect("kept");
    }
    let paid =
        "select public.settle_payment('s' || days, id, 'paid', amount_cents, 'eur', 'ch' || days)
        from public.payments where state = 'open'";
    assert_eq!(stage.act(Persona::Service, paid).await, Ok(PURCHASES as u64));
    let mut owner = stage.begin().await;
    let ids: Vec<uuid::Uuid> =
        sqlx::query_scalar("select id from public.payments where state = 'paid' order by days")
            .fetch_all(&mut *owner)
            .await
            .expect("the payments");
    drop(owner);
    let withdrawn = join_all(ids.iter().map(async |id| {
        let mut olga = stage.acting(Persona::Olga).await;
        let withdraw = "select public.withdraw_from_payment($1, (select refund_cents from public.quote_withdrawal($1)))";
        let done = sqlx::query(withdraw).bind(id).execute(&mut *olga).await;
        olga.commit().await.expect("ended");
        done.map(drop).map_err(|error| error.to_string())
    }))
    .await;
    assert_eq!(withdrawn, vec![Ok(()); PURCHASES]);
    let left = stage.value::<i32>(DAYS_LEFT).await;
    assert!((0..=1).contains(&left), "{left}");
}

#[tokio::test]
async fn administrator_refunds_once_and_cancels_the_tile() {
    let stage = stage().await;
    booked(&stage).await;
    assert_eq!(stage.act(Persona::Service, SPOT_PAID).await, Ok(1));
    let give = "select public.refund_payment(id) from public.payments where session_id = 'b'";
    assert_eq!(stage.act(Persona::Ada, give).await, Ok(1));
    let again = stage.act(Persona::Ada, give).await.expect_err("once");
    assert_eq!(again, Refusal::new("22023", "This payment is given back already"));
    let spot = "select status from public.arcade_spots where position = 3";
    assert_eq!(stage.value::<String>(spot).await, "cancelled");
    // The provider's notice of our refund arrives before we have recorded the refund.
    let refund = "select 1 where public.record_provider_refund('ch_b', 3000)";
    assert_eq!(stage.act(Persona::Service, refund).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, refund).await, Ok(0));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["refunded administrator"]);
    let written =
        "select count(*) from public.security_events where event_type = 'payment_refunded'";
    assert_eq!(stage.value::<i64>(written).await, 1);
}

#[tokio::test]
async fn failed_refund_is_settled_manually_once() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let give = "select public.refund_payment(id, null, 'Paid twice') from public.payments where session_id = 'a'";
    assert_eq!(stage.act(Persona::Ada, give).await, Ok(1));
    let refund = "select 1 where public.record_provider_refund('ch_a', 3000)";
    assert_eq!(stage.act(Persona::Service, refund).await, Ok(1));
    let failed =
        "select 1 where public.record_failed_refund('ch_a', 3000, 'expired_or_canceled_card')";
    assert_eq!(stage.act(Persona::Service, failed).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, failed).await, Ok(0));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["to_refund administrator"]);
    // A notice that was sent before the failure arrives after it.
    assert_eq!(stage.act(Persona::Service, refund).await, Ok(0));
    let claim = "select 1 from public.claim_refunds(now() + interval '10 years', 10)";
    assert_eq!(stage.act(Persona::Service, claim).await, Ok(0));
    let state_row = "select 1 from public.payment_ledger
        where problem = 'expired_or_canceled_card' and refund_note = 'Paid twice' and refunded_cents = 0";
    assert_eq!(stage.act(Persona::Ada, state_row).await, Ok(1));
    let troubled = "select 1 from public.get_payment_totals() where kind = 'prestige' and troubled = 1 and to_refund_cents = 3000";
    assert_eq!(stage.act(Persona::Ada, troubled).await, Ok(1));
    let settle = "select public.settle_failed_refund(id, 'By bank transfer') from public.payments where session_id = 'a'";
    assert_eq!(stage.act(Persona::Olga, settle).await.expect_err("staff").code, "42501");
    assert_eq!(stage.act(Persona::Ada, settle).await, Ok(1));
    let again = stage.act(Persona::Ada, settle).await.expect_err("once");
    assert_eq!(again, Refusal::new("22023", "No refund of this payment waits for a person"));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["refunded administrator"]);
    let credits = "select array_agg(amount_cents order by number) from public.payment_receipts where kind = 'credit'";
    assert_eq!(stage.value::<Vec<i32>>(credits).await, [3000]);
    // A later notice about the same charge adds nothing.
    assert_eq!(stage.act(Persona::Service, refund).await, Ok(0));
}

#[tokio::test]
async fn manual_refunds_at_the_provider_are_recorded() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let some = "select 1 where public.record_provider_refund('ch_a', 1000)";
    assert_eq!(stage.act(Persona::Service, some).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["paid provider"]);
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 30);
    let all = "select 1 where public.record_provider_refund('ch_a', 3000)";
    assert_eq!(stage.act(Persona::Service, all).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(STATES).await, ["refunded provider"]);
    let left = stage.value::<i32>(DAYS_LEFT).await;
    assert!((0..=1).contains(&left), "{left}");
    let credits = "select array_agg(amount_cents order by number) from public.payment_receipts where kind = 'credit'";
    assert_eq!(stage.value::<Vec<i32>>(credits).await, [1000, 2000]);
}

#[tokio::test]
async fn open_payment_is_claimed_by_one_worker() {
    let stage = stage().await;
    ordered(&stage, true).await;
    let later = "select 1 from public.claim_open_payments(now() + interval '2 minutes', 10) where session_id = 'a' and not is_over";
    assert_eq!(stage.act(Persona::Service, later).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, later).await, Ok(0));
    let over = "select 1 from public.claim_open_payments(now() + interval '31 minutes', 10) where session_id = 'a' and is_over";
    assert_eq!(stage.act(Persona::Service, over).await, Ok(1));
}

#[tokio::test]
async fn receipts_are_immutable_and_numbered_without_gaps() {
    let stage = stage().await;
    ordered(&stage, true).await;
    let mut first = stage.acting(Persona::Service).await;
    sqlx::query(PAID).execute(&mut *first).await.expect("settled");
    first.rollback().await.expect("taken back");
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let numbers = "select array_agg(number order by number) from public.payment_receipts";
    assert_eq!(stage.value::<Vec<i64>>(numbers).await, [1, 2]);
    let mut owner = stage.begin().await;
    for change in [
        "update public.payment_receipts set amount_cents = 1",
        "delete from public.payment_receipts",
        "truncate public.payment_receipts",
    ] {
        let mut inner = sqlx::Acquire::begin(&mut *owner).await.expect("a savepoint");
        let refusal = sqlx::query(sqlx::AssertSqlSafe(change)).execute(&mut *inner).await;
        assert!(refusal.is_err(), "{change}");
        inner.rollback().await.expect("back");
    }
}

#[tokio::test]
async fn session_status_reveals_nothing_of_the_payer() {
    let stage = stage().await;
    ordered(&stage, true).await;
    let open = "select 1 from public.get_payment_by_session('a') where state = 'open' and not is_own and amount_cents = 3000";
    assert_eq!(stage.act(Persona::Anon, open).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let own = "select 1 from public.get_payment_by_session('a') where state = 'paid' and is_own and server_slug is not null";
    assert_eq!(stage.act(Persona::Olga, own).await, Ok(1));
    assert_eq!(
        stage.act(Persona::Anon, "select 1 from public.get_payment_by_session('')").await,
        Ok(0)
    );
}

#[tokio::test]
async fn payment_email_has_amount_and_receipt_number() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    let mails = "select array_agg(concat_ws(' ', m.payload ->> 'kind', m.payload ->> 'amount_cents', m.payload ->> 'receipt_number', p.kind))
        from public.mail_queue as m inner join public.payments as p on p.id::text = m.payload ->> 'subject_id'";
    assert_eq!(stage.value::<Vec<String>>(mails).await, ["counted 3000 2 prestige"]);
}

/// The operations manual, whose SQL is run as it is printed.
const OPERATIONS: &str = include_str!("../../../../../docs/operations.md");

#[tokio::test]
async fn reconciliation_figures_add_up() {
    let stage = stage().await;
    ordered(&stage, true).await;
    assert_eq!(stage.act(Persona::Service, PAID).await, Ok(1));
    stage.run("update public.payments set provider = 'stripe' where session_id = 'a'").await;
    let reconciling = OPERATIONS.split("**Reconciling**").nth(1).expect("a part");
    let part = reconciling.split("\n## ").next().expect("its end");
    let statements: Vec<&'static str> =
        part.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let [months, now] = statements[..] else { panic!("{statements:?}") };
    stage.run(now).await;
    let (months, _) = months.split_once(';').expect("one question");
    let sum: String = format!(
        "select string_agg(concat_ws(' ', currency, taken, given_back), ',') from ({months}) as m"
    );
    assert_eq!(stage.value::<String>(sum.leak()).await, "eur 3000");
}
