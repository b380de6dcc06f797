//! Daily figures of the whole site: how they are computed, until when they change, who reads them.

use super::stage::{Persona, Stage};

/// The figures of the ninth of March.
const NINTH: &str =
    "select array_agg(concat_ws(' ', figure, nullif(part, ''), amount) order by figure, part)
    from public.site_figures where day = '2026-03-09'";

/// The ninth of March with every kind of figure, and a few rows of the day after it.
const DAY: &str = "
    insert into public.server_daily_counts (server_id, day, votes)
    values (it.id('open'), '2026-03-09', 5), (it.id('off'), '2026-03-09', 2), (it.id('open'), '2026-03-10', 1);
    insert into public.vote_outcomes (server_id, day, reason, votes)
    values (it.id('open'), '2026-03-09', 'cooldown', 4), (it.id('free'), '2026-03-09', 'cooldown', 1),
        (it.id('open'), '2026-03-09', 'bought', 2);
    update public.profiles set created_at = '2026-03-09 23:59:59+01' where username = 'stan';
    update public.profiles set created_at = '2026-03-10 00:00:00+01' where username = 'olga';
    update public.servers set created_at = '2026-03-09 00:00:00+01' where id in (it.id('open'), it.id('free'));
    insert into public.deliveries (server_id, channel, payload, status, created_at)
    values (it.id('open'), 'webhook', '{}', 'delivered', '2026-03-09 12:00+01'),
        (it.id('open'), 'webhook', '{}', 'failed', '2026-03-09 12:00+01'),
        (it.id('open'), 'votifier', '{}', 'pending', '2026-03-09 12:00+01');
    insert into public.payment_receipts (
        number, kind, payment_id, user_id, buyer_name, buyer_email, issued_at, language, subject, days, unit_price_cents,
        amount_cents, tax_basis_points, tax_cents, currency, seller
    )
    select number, kind, it.id('payment'), null, 'olga', 'olga@example.test', '2026-03-09 12:00+01', 'fr', '{}', 7, 100,
        amount, 0, 0, 'eur', '{}'
    from (values (11, 'receipt', 700), (12, 'receipt', 300), (13, 'credit', 250)) as given (number, kind, amount)";

#[tokio::test]
async fn daily_figures_are_recounted_until_deliveries_finish() {
    let stage = Stage::new().await;
    stage.run(DAY).await;
    // Every day from the first of January on, at most sixty a call.
    let keep = "select public.keep_site_figures('2026-03-10 12:00+01', 60)";
    assert_eq!(stage.committed::<i32>(keep).await, 60);
    assert_eq!(stage.committed::<i32>(keep).await, 9);
    assert_eq!(stage.committed::<i32>(keep).await, 0);
    let counted = [
        "accounts 1",
        "delivered webhook 1",
        "purchases 2",
        "refused cooldown 5",
        "returned 250",
        "servers 2",
        "taken 1000",
        "undelivered webhook 1",
        "voided bought 2",
        "votes 7",
    ];
    assert_eq!(stage.value::<Vec<String>>(NINTH).await, counted);

    // A minute later a call counts only today; two hours later also the days with pending
    // deliveries.
    stage.run("update public.deliveries set status = 'delivered' where channel = 'votifier'").await;
    let soon = "select public.keep_site_figures('2026-03-10 12:01+01', 60)";
    assert_eq!(stage.committed::<i32>(soon).await, 1);
    assert_eq!(stage.value::<Vec<String>>(NINTH).await, counted);
    let later = "select public.keep_site_figures('2026-03-10 14:00+01', 60)";
    assert_eq!(stage.committed::<i32>(later).await, 4);
    let figures: Vec<String> = stage.value(NINTH).await;
    assert_eq!(figures[1..3], ["delivered votifier 1", "delivered webhook 1"]);

    // The tenth to the fourteenth, and three days that were counted before they were final.
    let after = "select public.keep_site_figures('2026-03-14 00:30+01', 60)";
    assert_eq!(stage.committed::<i32>(after).await, 8);
    stage.run("delete from public.server_daily_counts; delete from public.vote_outcomes").await;
    let long_after = "select public.keep_site_figures('2026-03-20 12:00+01', 60)";
    assert!(stage.committed::<i32>(long_after).await > 0);
    assert_eq!(stage.value::<Vec<String>>(NINTH).await, figures);
}

#[tokio::test]
async fn voiding_corrects_the_figures_of_that_day() {
    let stage = Stage::new().await;
    stage
        .run(
            "update public.votes set voted_at = '2026-01-01 12:00+01' where id = it.id('vote');
             delete from public.server_daily_counts where server_id = it.id('off');
             select public.keep_site_figures('2026-03-10 12:00+01', 100)",
        )
        .await;
    let figures =
        "select array_agg(concat_ws(' ', figure, nullif(part, ''), amount) order by figure)
        from public.site_figures where day = '2026-01-01'";
    assert_eq!(stage.value::<Vec<String>>(figures).await, ["refused cooldown 6", "votes 3"]);
    let void = "select public.void_votes('bought', p_ids => array[it.id('vote')])";
    assert_eq!(stage.act(Persona::Ada, void).await, Ok(1));
    assert_eq!(
        stage.value::<Vec<String>>(figures).await,
        ["refused cooldown 6", "voided bought 1", "votes 2"]
    );
}

#[tokio::test]
async fn administrators_read_figures_including_empty_days() {
    let stage = Stage::new().await;
    stage.run(DAY).await;
    stage.run("select public.keep_site_figures('2026-03-10 12:00+01', 100)").await;
    let span = "select 1 from public.get_site_figures('2026-03-08', '2026-03-10')
        where figure = 'votes' and total = 8 and amounts = '{0,7,1}' and first_day = '2026-03-08'
            and counted_at = '2026-03-10 12:00+01'";
    assert_eq!(stage.act(Persona::Ada, span).await, Ok(1));
    // Without a first day, the figures begin with the first day that exists.
    let all = "select 1 from public.get_site_figures(null, '2026-03-10')
        where figure = 'refused' and part = 'cooldown' and total = 11 and first_day = '2025-12-31'
            and cardinality(amounts) = 70 and amounts[69] = 5";
    assert_eq!(stage.act(Persona::Fanny, all).await, Ok(1));
    let reversed = "select public.get_site_figures('2026-03-10', '2026-03-09')";
    assert_eq!(stage.act(Persona::Ada, reversed).await.expect_err("refused").code, "22023");
    let long = "select 1 from public.get_site_figures('1900-01-01', '2026-03-10') where cardinality(amounts) <> 1100";
    assert_eq!(stage.act(Persona::Ada, long).await, Ok(0));
}
