//! Limits on how many rows one person may create.

use super::stage::{Persona, Stage};

#[tokio::test]
async fn proposals_reports_and_events_end_at_a_number() {
    let stage = Stage::new().await;
    stage
        .run(
            "insert into public.servers (id, name, game_id, is_approved)
             select md5('many' || n)::uuid, 'Many ' || n, it.id('game'), true from generate_series(1, 20) as n",
        )
        .await;
    for (persona, many, one) in [
        (
            Persona::Stan,
            "insert into public.tag_proposals (name, color) select 'tag ' || n, '#3B82F6' from generate_series(1, 9) as n",
            "insert into public.tag_proposals (name, color) values ('one more', '#3B82F6')",
        ),
        (
            Persona::Stan,
            "insert into public.reports (server_id, reason)
             select md5('many' || n)::uuid, 'spam' from generate_series(1, 19) as n",
            "insert into public.reports (server_id, reason) values (md5('many20')::uuid, 'spam')",
        ),
        (
            Persona::Olga,
            "insert into public.server_events (server_id, event_type_key, title_fr, start_date, end_date)
             select it.id('open'), 'kind', 'x', now(), now() + interval '1 day' from generate_series(1, 49)",
            "insert into public.server_events (server_id, event_type_key, title_fr, start_date, end_date)
             values (it.id('open'), 'kind', 'x', now(), now() + interval '1 day')",
        ),
    ] {
        assert!(stage.act(persona, many).await.is_ok(), "{many}");
        let refusal = stage.act(persona, one).await.expect_err(one);
        assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("P0001", "The limit is reached"));
    }
    // A decided proposal counts no longer.
    let decide = "select public.reject_tag_proposal(it.id('proposal'))";
    assert_eq!(stage.act(Persona::Ada, decide).await, Ok(1));
    let one = "insert into public.tag_proposals (name, color) values ('one more', '#3B82F6')";
    assert_eq!(stage.act(Persona::Stan, one).await, Ok(1));
}

#[tokio::test]
async fn row_security_evaluates_own_servers_once() {
    let stage = Stage::new().await;
    let by_row: i64 = stage
        .value(
            "select count(*) from pg_policies
             where schemaname = 'public' and concat(qual, with_check) ~ 'owns_server'",
        )
        .await;
    assert_eq!(by_row, 0, "policies that call owns_server for every row");
    let mut olga = stage.acting(Persona::Olga).await;
    let plan: Vec<String> =
        sqlx::query_scalar("explain (verbose) select * from public.server_daily_counts")
            .fetch_all(&mut *olga)
            .await
            .expect("a plan");
    let position =
        plan.iter().position(|line| line.contains("own_server_ids")).expect("it is asked");
    assert!(plan[..position].iter().any(|line| line.contains("InitPlan")), "{plan:#?}");
}

#[tokio::test]
async fn refusal_does_not_reveal_anothers_listing_count() {
    let stage = Stage::new().await;
    let for_her = "insert into public.servers (name, game_id, owner_id) values ('New', it.id('game'), it.id('olga'))";
    for limit in ["6", "1"] {
        stage
            .run(match limit {
                "6" => "update public.site_settings set setting_value = '6' where setting_key = 'base_server_limit'",
                _ => "update public.site_settings set setting_value = '1' where setting_key = 'base_server_limit'",
            })
            .await;
        let refusal = stage.act(Persona::Stan, for_her).await.expect_err("not his");
        assert_eq!(refusal.code, "42501", "limit {limit}: {}", refusal.message);
    }
}
