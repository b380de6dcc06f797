//! The overview of the administration: pending work, failures, and unusual figures of today.

use super::stage::{Persona, Stage};

/// The lines of a section, in the overview's order.
async fn values(stage: &Stage, section: &'static str) -> Vec<String> {
    let mut acting = stage.acting(Persona::Ada).await;
    sqlx::query_scalar(
        "select concat_ws(' ', what, nullif(part, ''), amount, usual, server_name)
         from public.get_admin_overview() where section = $1",
    )
    .bind(section)
    .fetch_all(&mut *acting)
    .await
    .expect("an overview")
}

#[tokio::test]
async fn overview_counts_waiting_work_with_its_age() {
    let stage = Stage::new().await;
    stage
        .run(
            "update public.moderation_cases set opened_at = now() - interval '3 days' where kind = 'report';
             update public.payments set state = 'to_refund', refund_reason = 'administrator', refund_cents = 700,
                paid_at = now(), look_at = null, refund_at = now(), problem = 'refused', created_at = now() - interval '2 days'
             where id = it.id('payment');
             update public.tag_proposals set created_at = now() - interval '1 day'",
        )
        .await;
    let mut waits = values(&stage, "waits").await;
    assert_eq!(waits[..3], ["report 1", "payment 1", "proposal 1"]);
    waits.sort();
    assert!(waits.contains(&"server 1".to_owned()), "{waits:?}");
    stage
        .run(
            "update public.moderation_cases set decision = 'settled', decided_at = now();
             update public.payments set problem = null;
             update public.tag_proposals set status = 'rejected'",
        )
        .await;
    assert_eq!(values(&stage, "waits").await, Vec::<String>::new());
}

/// Two weeks with ten refusals, three accounts and a hundred votes a day, and one report on each.
const FORTNIGHT: &str = "
    delete from public.site_figures;
    insert into public.site_figures (day, figure, part, amount, counted_at)
    select public.site_today() - back, figure, part, amount, now()
    from generate_series(1, 14) as back
    cross join (values ('votes', '', 100), ('refused', 'cooldown', 10), ('accounts', '', 3)) as usual (figure, part, amount);
    delete from public.reports;
    insert into public.reports (server_id, reporter_id, reason, status, created_at)
    select it.id('open'), it.id(name), 'spam', 'resolved', public.day_begins(public.site_today() - back) + interval '1 hour'
    from generate_series(1, 14) as back cross join unnest('{stan}'::text[]) as people (name);
    insert into public.server_daily_counts (server_id, day, votes)
    select it.id('open'), public.site_today() - back, 20 from generate_series(1, 14) as back";

#[tokio::test]
async fn day_with_twice_the_usual_figures_is_flagged() {
    let stage = Stage::new().await;
    stage.run(FORTNIGHT).await;
    stage
        .run(
            "insert into public.site_figures (day, figure, part, amount, counted_at)
             values (public.site_today(), 'votes', '', 199, now()), (public.site_today(), 'refused', 'cooldown', 19, now()),
                (public.site_today(), 'refused', 'captcha', 19, now()), (public.site_today(), 'accounts', '', 9, now());
             insert into public.server_daily_counts (server_id, day, votes)
             values (it.id('open'), public.site_today(), 59), (it.id('free'), public.site_today(), 49)",
        )
        .await;
    assert_eq!(values(&stage, "odd").await, Vec::<String>::new());
    stage
        .run(
            "update public.site_figures set amount = amount + 1 where day = public.site_today();
             update public.server_daily_counts set votes = votes + 1 where day = public.site_today();
             insert into public.reports (server_id, reporter_id, reason, status, created_at)
             select it.id('open'), it.id('olga'), 'spam', 'resolved', now() from generate_series(1, 10)",
        )
        .await;
    let mut odd_days = values(&stage, "odd").await;
    odd_days.sort();
    assert_eq!(
        odd_days,
        [
            "accounts 10 3",
            "refused captcha 20 0",
            "refused cooldown 20 10",
            "reports 10 1",
            "server 50 0 Nobody's",
            "server 60 20 Open",
            "votes 200 100",
        ]
    );
    // One unusual day in the past does not change what is usual.
    stage
        .run(
            "update public.site_figures set amount = 900
             where day = public.site_today() - 1 and figure = 'refused' and part = 'cooldown'",
        )
        .await;
    assert!(values(&stage, "odd").await.contains(&"refused cooldown 20 10".to_owned()));
    // A site in its first week has no usual figures to compare with.
    stage.run("delete from public.site_figures where day < public.site_today() - 6").await;
    let new_subjects: Vec<String> = values(&stage, "odd")
        .await
        .into_iter()
        .filter(|odd_days| !odd_days.starts_with("server"))
        .collect();
    assert_eq!(new_subjects, Vec::<String>::new());
}

#[tokio::test]
async fn overview_shows_failures_until_they_end() {
    let stage = Stage::new().await;
    stage
        .run(
            "delete from public.site_figures;
             insert into public.delivery_lanes (server_id, channel, due_at, failures, failing_since)
             values (it.id('open'), 'webhook', now(), 7, now() - interval '2 hours'),
                (it.id('free'), 'webhook', now(), 1, now() - interval '10 minutes'),
                (it.id('borises'), 'webhook', null, 9, now() - interval '2 days')
             on conflict (server_id, channel) do update
             set due_at = excluded.due_at, failures = excluded.failures, failing_since = excluded.failing_since;
             insert into public.mail_queue (kind, payload, put_at, due_at, given_up_at)
             values ('any', '{}', now(), now() - interval '20 minutes', null), ('any', '{}', now(), now(), null),
                ('any', '{}', now(), now(), now() - interval '1 hour'), ('any', '{}', now(), now(), now() - interval '2 days');
             update public.vote_clock set day = public.site_today() - 1;
             update public.site_settings set setting_value = 'false' where setting_key = 'registration_open';
             update public.site_settings set setting_value = '\"us@example.test\"' where setting_key = 'contact_email'",
        )
        .await;
    let mut fails = values(&stage, "fails").await;
    fails.sort();
    let (late, rest): (Vec<_>, Vec<_>) =
        fails.into_iter().partition(|fails| fails.starts_with("days"));
    assert_eq!(
        rest,
        ["figures 0", "lost 1", "mails 1", "particulars 6", "receiver 7 Open", "registration 0"]
    );
    // In the first minutes of a day, a missing day change is no delay.
    let is_past_first_minutes: bool = stage
        .value("select public.site_day(now() - interval '15 minutes') = public.site_today()")
        .await;
    let has_clock: bool = stage.value("select exists (select from public.vote_clock)").await;
    assert_eq!(late.len() == 1, is_past_first_minutes && has_clock, "{late:?}");
    stage
        .run(
            "insert into public.site_figures (day, figure, amount, counted_at) values (public.site_today(), 'votes', 0, now());
             update public.delivery_lanes set failing_since = null;
             delete from public.mail_queue;
             update public.vote_clock set day = public.site_today();
             update public.site_settings set setting_value = 'true' where setting_key = 'registration_open';
             insert into public.site_settings (setting_key, setting_value)
             select name, '\"said\"' from unnest(array[
                'seller_name', 'seller_address', 'seller_tax_id', 'publication_director', 'host_particulars',
                'consumer_mediator'
             ]) as keys (name)
             on conflict (setting_key) do update set setting_value = excluded.setting_value",
        )
        .await;
    assert_eq!(values(&stage, "fails").await, Vec::<String>::new());
}

#[tokio::test]
async fn server_count_is_counted_unless_configured() {
    let stage = Stage::new().await;
    let server_count = "select servers from public.get_site_stats()";
    assert_eq!(stage.value::<i32>(server_count).await, 3);
    for (value, servers) in [("12000", 12_000), ("0", 3), ("null", 3)] {
        let mut owner = stage.begin().await;
        sqlx::query(
            "insert into public.site_settings (setting_key, setting_value) values ('total_servers', $1)
             on conflict (setting_key) do update set setting_value = excluded.setting_value",
        )
        .bind(value)
        .execute(&mut *owner)
        .await
        .expect("set");
        owner.commit().await.expect("committed");
        assert_eq!(stage.value::<i32>(server_count).await, servers, "{value}");
    }
}
