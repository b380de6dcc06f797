//! The demonstration data: what it adds, and which rows it leaves alone.

use super::stage::{Persona, Stage};

const ACCOUNTS: &str = "insert into auth.users (id, email, raw_user_meta_data)
    select md5(account)::uuid, account || '@palmares.test', jsonb_build_object('username', name, 'lang', 'fr')
    from (values ('admin', 'Ada'), ('founder', 'Fanny'), ('owner', 'Octave'), ('owner2', 'Olivia'), ('player', 'Pablo'))
      as accounts (account, name)";

#[tokio::test]
async fn the_site_is_alive_with_it() {
    let stage = Stage::empty().await;
    stage.run(ACCOUNTS).await;
    ranking::demo::load(stage.owner()).await.expect("loaded");
    for (question, least) in [
        ("select count(*) from public.servers_public", 120),
        ("select count(distinct game_id) from public.servers_public", 25),
        ("select count(distinct logo_image_url) from public.servers_public", 120),
        ("select count(distinct description) from public.servers_public", 120),
        (
            "select count(*) from public.servers_public where is_prestige and banner_image_url is not null",
            8,
        ),
        ("select count(*) from public.votes", 20_000),
        ("select count(*) from public.server_daily_counts", 20_000),
        ("select count(*) from public.server_monthly_votes", 1000),
        ("select count(*) from public.reviews_public", 200),
        ("select count(distinct language) from public.servers", 3),
        (
            "select count(*) from public.server_events where start_date < now() and end_date > now()",
            10,
        ),
        ("select count(*) from public.server_events where start_date > now()", 10),
        ("select count(distinct position) from public.arcade_spots where status = 'active'", 3),
        ("select count(*) from public.competitive_event_participations", 100),
        ("select count(*) from public.partners", 3),
    ] {
        let found = stage.value::<i64>(question).await;
        assert!(found >= least, "{question}: {found}");
    }
    // The counters are consistent: a recount changes nothing.
    const TOTALS: &str = "select jsonb_agg(jsonb_build_array(server_id, total_votes, monthly_votes, weekly_votes, daily_votes)
        order by server_id) from public.server_standings";
    let counted = stage.value::<serde_json::Value>(TOTALS).await;
    stage.run("call public.recount_votes(p_commits => false)").await;
    assert_eq!(stage.value::<serde_json::Value>(TOTALS).await, counted);
    let stuck =
        stage.value::<i64>("select count(*) from public.votes where voted_at > now()").await;
    assert_eq!(stuck, 0);
}

#[tokio::test]
async fn demo_data_removal_keeps_other_rows() {
    let stage = Stage::new().await;
    ranking::demo::load(stage.owner()).await.expect("loaded");
    assert_eq!(
        stage.act(Persona::Ada, "select public.activate_prestige(it.id('open'), 1)").await,
        Ok(1)
    );
    ranking::demo::remove(stage.owner()).await.expect("removed");
    let left = "select count(*) from public.servers where id = it.id('open') and is_sponsored";
    assert_eq!(stage.value::<i64>(left).await, 1);
    assert_eq!(stage.value::<i64>("select count(*) from public.servers").await, 5);
}
