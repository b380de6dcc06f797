//! Query plans of frequent requests on large tables: every plan uses an index, reads no whole
//! table, and sorts no more than a page.

use compat_testkit::call;
use http::Request;
use serde_json::Value;

use crate::world::World;

/// The data of `just bench growth`, in a small size.
const GROWTH: &str = include_str!("../../../../../bench/growth.sql");
const SIZES: &str = "set local growth.servers = 12000; set local growth.votes = 30000; \
                     set local growth.totals_days = 100;";

/// The most rows that a node may sort: a page, or a game's few promoted listings.
const FEW: f64 = 400.0;

const CARD: &str = "/servers_public?select=id,slug,name,description,tags,is_prestige,monthly_votes,rank,\
    game_rank,games(id,name,slug)";

const DEFAULT: &str =
    "order=is_prestige.desc,promoted_order.asc.nullslast,monthly_votes.desc,id.asc";
const VOTES: &str = "order=is_prestige.desc,monthly_votes.desc,id.asc";
const RANKING: &str = "order=monthly_votes.desc,id.asc";
const PLAYERS: &str = "order=online_players.desc,id.asc";
const RECENT: &str = "order=created_at.desc,id.asc";
const CLICKS: &str = "order=clicks.desc,id.asc";
const RISING: &str = "rise=gt.0&order=rise.desc,monthly_votes.desc,id.asc";
const RISING_IN_GAME: &str = "game_rise=gt.0&order=game_rise.desc,monthly_votes.desc,id.asc";

/// A database with many rows, and rest/v1 that answers with query plans.
struct GrownDatabase {
    world: World,
    rest: axum::Router,
}

impl GrownDatabase {
    async fn new() -> Self {
        // The statistics, which autovacuum would only collect at some later moment.
        let world = World::filled(&[&format!("{SIZES}{GROWTH}"), "analyze"]).await;
        let config = compat_rest::Config { plan_enabled: true, ..compat_rest::Config::default() };
        let state = compat_rest::State::new(
            world.personas.environment(),
            world.db().pools().acting.clone(),
            config,
        );
        state.load().await.expect("the schema cache loads");
        Self { world, rest: compat_rest::router(state) }
    }

    /// The plan's nodes for a visitor's request.
    async fn plan(&self, path: &str) -> Vec<Node> {
        let mut request = Request::get(path).header("accept", "application/vnd.pgrst.plan+json");
        for (name, value) in self.world.personas.as_anon() {
            request = request.header(name, value);
        }
        let answer =
            call(&self.rest, request.body(axum::body::Body::empty()).expect("a request")).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text());
        let mut nodes = Vec::new();
        gather(&answer.json()[0]["Plan"], &mut nodes);
        nodes
    }

    /// The plan's nodes for a statement of the site itself.
    async fn plan_of(&self, statement: &str) -> Vec<Node> {
        let mut owner = self.world.begin().await;
        let explained = sqlx::AssertSqlSafe(format!("explain (format json) {statement}"));
        let plan: Value =
            sqlx::query_scalar(explained).fetch_one(&mut *owner).await.expect("a plan");
        let mut nodes = Vec::new();
        gather(&plan[0]["Plan"], &mut nodes);
        nodes
    }

    /// Fails unless the plan of the request uses the named index and neither reads nor sorts a
    /// whole table.
    async fn reads(&self, path: &str, index: &str) {
        Self::assert_plan(path, self.plan(path).await, index);
    }

    fn assert_plan(path: &str, nodes: Vec<Node>, index: &str) {
        let message = format!("{path}\n{nodes:#?}");
        assert!(nodes.iter().any(|node| node.index == index), "{index}: {message}");
        for node in nodes {
            let is_whole = node.kind == "Seq Scan" && node.relation.starts_with("server");
            let is_sort = node.kind == "Sort" && node.rows > FEW;
            assert!(!is_whole && !is_sort, "{message}");
        }
    }
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: String,
    pub(super) relation: String,
    pub(super) index: String,
    rows: f64,
}

pub(super) fn gather(plan: &Value, nodes: &mut Vec<Node>) {
    let word = |key: &str| plan[key].as_str().unwrap_or_default().to_owned();
    nodes.push(Node {
        kind: word("Node Type"),
        relation: word("Relation Name"),
        index: word("Index Name"),
        rows: plan["Plan Rows"].as_f64().unwrap_or_default(),
    });
    for below in plan["Plans"].as_array().into_iter().flatten() {
        gather(below, nodes);
    }
}

#[tokio::test]
async fn every_server_list_page_uses_an_index() {
    let database = GrownDatabase::new().await;
    for (order, all, of_game) in [
        (DEFAULT, "server_standings_default_idx", "server_standings_of_game_default_idx"),
        (VOTES, "server_standings_votes_idx", "server_standings_of_game_votes_idx"),
        (PLAYERS, "server_standings_players_idx", "server_standings_of_game_players_idx"),
        (RECENT, "server_standings_age_idx", "server_standings_of_game_age_idx"),
        (CLICKS, "server_standings_clicks_idx", "server_standings_of_game_clicks_idx"),
    ] {
        for page in ["limit=25", "offset=2475&limit=25", "offset=11725&limit=25"] {
            database.reads(&format!("{CARD}&{order}&{page}"), all).await;
        }
        for page in ["limit=25", "offset=100&limit=25"] {
            database.reads(&format!("{CARD}&game_slug=eq.rust&{order}&{page}"), of_game).await;
        }
    }
    for page in ["limit=25", "offset=300&limit=25"] {
        database.reads(&format!("{CARD}&{RISING}&{page}"), "server_standings_rise_idx").await;
        let of_game = format!("{CARD}&game_slug=eq.rust&{RISING_IN_GAME}&{page}");
        database.reads(&of_game, "server_standings_of_game_rise_idx").await;
    }
    // In reverse order, in which distant pages are requested.
    let backwards =
        "order=is_prestige.asc,promoted_order.desc.nullsfirst,monthly_votes.asc,id.desc";
    database.reads(&format!("{CARD}&{backwards}&limit=18"), "server_standings_default_idx").await;
    let first = "limit=25";
    database.reads(&format!("{CARD}&{RANKING}&limit=3"), "server_standings_ranking_idx").await;
    database
        .reads(
            &format!("{CARD}&is_prestige=eq.false&{DEFAULT}&{first}"),
            "server_standings_default_idx",
        )
        .await;
    database
        .reads(
            &format!(
                "{CARD}&is_prestige=eq.true&order=promoted_order.asc.nullslast,id.asc&{first}"
            ),
            "server_standings_default_idx",
        )
        .await;
    // Servers with a frequent tag are found by scanning in order, those with a rare tag by the
    // tag's index.
    database
        .reads(&format!("{CARD}&tags=ov.{{PvP}}&{DEFAULT}&{first}"), "server_standings_default_idx")
        .await;
    database
        .reads(&format!("{CARD}&tags=ov.{{nobody}}&{DEFAULT}&{first}"), "server_standings_tags_idx")
        .await;
    // The same holds for languages.
    for (language, index) in [
        ("fr", "server_standings_default_idx"),
        ("en", "server_standings_default_idx"),
        ("es", "server_standings_language_idx"),
    ] {
        database.reads(&format!("{CARD}&language=eq.{language}&{DEFAULT}&{first}"), index).await;
    }
    database.reads(&format!("{CARD}&slug=eq.growth-7"), "servers_slug_key").await;
}

#[tokio::test]
async fn sitemap_file_query_uses_an_index() {
    let database = GrownDatabase::new().await;
    let skipped = "select created_at, server_id from public.server_standings where is_listed \
        order by created_at, server_id desc offset 9000 limit 1";
    let from = format!("(select created_at from ({skipped}) as place)");
    let nodes = database.plan_of(skipped).await;
    assert!(nodes.iter().all(|node| node.kind != "Index Scan"), "rows are read: {nodes:#?}");
    GrownDatabase::assert_plan(skipped, nodes, "server_standings_age_idx");
    let chunk = format!(
        "select id, slug, created_at, updated_at from public.servers_public \
         where created_at >= {from} and (created_at > {from} or id <= gen_random_uuid()) \
         order by created_at, id desc limit 1000"
    );
    GrownDatabase::assert_plan(&chunk, database.plan_of(&chunk).await, "server_standings_age_idx");
}

#[tokio::test]
async fn feed_and_card_queries_use_indexes() {
    let database = GrownDatabase::new().await;
    let feed = |of_game: &str| {
        format!(
            "select servers_public.id, servers_public.description, games.name \
             from public.servers_public join public.games on games.id = servers_public.game_id \
             {of_game} order by servers_public.created_at desc, servers_public.id limit 30"
        )
    };
    let (all, one) = (feed(""), feed("where servers_public.game_slug = 'minecraft'"));
    GrownDatabase::assert_plan(&all, database.plan_of(&all).await, "server_standings_age_idx");
    GrownDatabase::assert_plan(
        &one,
        database.plan_of(&one).await,
        "server_standings_of_game_age_idx",
    );
    let first = "select placed.name from public.games cross join lateral ( \
        select id, name, monthly_votes from public.servers_public \
        where servers_public.game_id = games.id \
        order by monthly_votes desc, id limit 3) as placed \
        where games.is_active and (games.slug = 'minecraft' or games.shortcut = null) \
        order by placed.monthly_votes desc, placed.id limit 3";
    GrownDatabase::assert_plan(
        first,
        database.plan_of(first).await,
        "server_standings_of_game_ranking_idx",
    );
}

/// Rows of tables that grow with time, besides votes and voters' totals.
const TRACES: &str = "
    insert into public.server_clicks (server_id, clicked_at)
    select t.server_id, now() - make_interval(mins => n)
    from (select server_id from public.server_standings limit 1) as t, generate_series(1, 40000) as n;
    insert into public.deliveries (server_id, channel, payload, created_at)
    select t.server_id, 'webhook', '{}', now() - make_interval(mins => n)
    from (select server_id from public.server_standings limit 1) as t, generate_series(1, 40000) as n;
    insert into public.security_events (event_type, created_at)
    select 'a_thing_seen', now() - make_interval(mins => n) from generate_series(1, 40000) as n;
    analyze";

#[tokio::test]
async fn pruning_steps_read_rows_through_an_index() {
    const STEP: i64 = 200;
    let database = GrownDatabase::new().await;
    database.world.sql(TRACES).await;
    for step in [
        "public.purge_vote_identities(now(), 200)",
        "public.prune_votes(now(), 200)",
        "public.prune_clicks(now(), 200)",
        "public.prune_voter_totals(public.site_today(), 200)",
        "public.prune_deliveries(now(), 200)",
        "public.prune_security_events(now(), 200)",
    ] {
        let mut owner = database.world.begin().await;
        let count: i32 = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select {step}")))
            .fetch_one(&mut *owner)
            .await
            .expect("a step");
        assert_eq!(i64::from(count), STEP, "{step}");
        let (sequential, along): (i64, i64) = sqlx::query_as(
            "select sum(seq_tup_read)::bigint, max(idx_tup_fetch)::bigint
             from pg_stat_xact_user_tables
             where relname in
                ('votes', 'voter_totals', 'server_clicks', 'deliveries', 'security_events')",
        )
        .fetch_one(&mut *owner)
        .await
        .expect("what was read");
        assert!(
            sequential == 0 && along < 8 * STEP,
            "{step}: {sequential} in order, {along} by index"
        );
        owner.commit().await.expect("committed");
    }
}

/// An account with forty thousand votes for three thousand servers, and forty thousand other
/// voters.
const DEVOTED: &str = "
    insert into auth.users (id, email, raw_user_meta_data)
    values (md5('ada')::uuid, 'ada@example.test', '{\"username\": \"ada\"}');
    insert into public.votes (server_id, user_id, nickname, was_signed_in, voted_at)
    select server_id, md5('ada')::uuid, 'Ada', true, now() - make_interval(secs => n * 60)
    from generate_series(1, 40000) as n
    inner join (
        select server_id, row_number() over (order by server_id) as place from public.server_standings limit 3000
    ) as servers on servers.place = 1 + n % 3000;
    insert into public.voter_totals (period, period_start, voter_key, nickname, votes, last_vote_at)
    select 'month', public.month_of(public.site_today()), 'guest:v' || n, 'v' || n, 1 + n % 40, now() - make_interval(secs => n)
    from generate_series(1, 40000) as n;
    insert into public.voter_totals (period, period_start, voter_key, user_id, nickname, votes, last_vote_at)
    values ('month', public.month_of(public.site_today()), 'user:' || md5('ada')::uuid, md5('ada')::uuid, 'Ada', 40, now());
    analyze";

#[tokio::test]
async fn players_own_votes_read_along_an_index() {
    let database = GrownDatabase::new().await;
    database.world.sql(DEVOTED).await;
    for (statement, least, most) in [
        // Five hundred servers: one index lookup each, and the rows of those that are listed.
        ("select count(*) from public.get_my_voted_servers()", 400, 5000),
        // The query counts the voters before her, ten thousand at most.
        ("select max(rank)::bigint from public.get_my_place('month')", 1000, 2500),
        ("select count(*) from public.get_leaderboard('month', 50)", 50, 300),
        (
            "select count(*) from (
                select from public.votes
                where user_id = md5('ada')::uuid and voted_at <= now() - interval '7 days'
                    and (voted_at < now() - interval '7 days' or id < md5('x')::uuid)
                order by voted_at desc, id desc limit 26
             ) as page",
            26,
            60,
        ),
    ] {
        let mut owner = database.world.begin().await;
        sqlx::query("select set_config('request.jwt.claims', json_build_object('sub', md5('ada')::uuid)::text, true)")
            .execute(&mut *owner)
            .await
            .expect("the claims");
        let before = read_so_far(&mut owner).await;
        let count: i64 =
            sqlx::query_scalar(statement).fetch_one(&mut *owner).await.expect("an answer");
        let after = read_so_far(&mut owner).await;
        assert!(count >= least, "{statement}: {count}");
        let (sequential, along) = (after.0 - before.0, after.1 - before.1);
        assert!(
            sequential == 0 && along < most,
            "{statement}: {sequential} in order, {along} by index"
        );
    }
}

/// The number of rows of votes that sequential scans have read, and of rows that index scans have
/// fetched. A connection that was used before does not start at zero.
async fn read_so_far(owner: &mut compat_pg::Owner) -> (i64, i64) {
    sqlx::query_as(
        "select
            coalesce(sum(seq_tup_read) filter (where relname in ('votes', 'voter_totals')), 0)::bigint,
            coalesce(sum(idx_tup_fetch), 0)::bigint
         from pg_stat_xact_user_tables
         where relname in ('votes', 'voter_totals', 'servers', 'server_standings')",
    )
    .fetch_one(&mut **owner)
    .await
    .expect("what was read")
}

/// Many server checks, status days and deliveries. Only the checks of listed servers are due; the
/// others belong to servers that do not exist.
const CHECKS_AND_DELIVERIES: &str = "
    alter table public.server_checks drop constraint server_checks_server_id_fkey;
    alter table public.deliveries drop constraint deliveries_vote_id_fkey;
    insert into public.server_checks (server_id, due_at)
    select server_id, now() - interval '1 minute' from public.server_standings
    on conflict (server_id) do update set due_at = excluded.due_at;
    insert into public.server_checks (server_id, due_at)
    select gen_random_uuid(), now() + make_interval(secs => n) from generate_series(1, 90000) as n;
    insert into public.server_status_days (server_id, day, method, hours)
    select t.server_id, public.site_today() - days, 'minecraft', array_fill(1, array[24])
    from public.server_standings as t, generate_series(0, 8) as days;
    insert into public.server_status_days (server_id, day, method, hours)
    select t.server_id, public.site_today() - days, 'minecraft', array_fill(1, array[24])
    from (select server_id from public.server_standings limit 1) as t, generate_series(9, 400) as days;
    insert into public.deliveries (server_id, vote_id, channel, payload, status, created_at, next_attempt_at)
    select
        t.server_id, md5('vote ' || n)::uuid, (array['webhook', 'votifier'])[1 + n % 2], '{}',
        case when n % 100 = 0 then 'pending' else 'delivered' end,
        now() - make_interval(secs => n), now() - make_interval(secs => n)
    from generate_series(1, 100000) as n
    inner join (
        select server_id, row_number() over (order by server_id) as place from public.server_standings limit 1000
    ) as t on t.place = 1 + n % 1000;
    insert into public.delivery_lanes (server_id, channel, due_at)
    select server_id, channel, min(next_attempt_at) from public.deliveries where status = 'pending'
    group by server_id, channel
    on conflict do nothing;
    insert into public.delivery_lanes (server_id, channel)
    select server_id, channel from public.server_standings, unnest(array['webhook', 'votifier']) as channel
    on conflict do nothing;
    analyze";

#[tokio::test]
async fn due_checks_and_reminders_read_along_an_index() {
    let database = GrownDatabase::new().await;
    database.world.sql(CHECKS_AND_DELIVERIES).await;
    let busy = "(select server_id from public.server_standings order by server_id limit 1)";
    let some = "(select array_agg(server_id) from (
        select server_id from public.server_standings order by server_id limit 200) as asked)";
    let each = |value: &str| format!("array_fill({value}, array[200])");
    let set = format!(
        "select public.set_server_statuses(now(), 300, {some}, {}, {}, {}, {}, {}, {})::bigint",
        each("'minecraft'::text"),
        each("true"),
        each("7"),
        each("20"),
        each("null::text"),
        each("null::text"),
    );
    let log = format!(
        "select count(*) from (select from public.deliveries where server_id = {busy}
         order by created_at desc limit 50) as page"
    );
    let waiting = format!(
        "select count(*) from (select from public.deliveries where server_id = {busy}
         and channel = 'webhook' and status = 'pending' and next_attempt_at <= now()
         order by next_attempt_at limit 16) as page"
    );
    let mut wrong = Vec::new();
    for (statement, least, most) in [
        // A few of the servers that are due are hidden.
        ("select count(*) from public.claim_server_checks(now(), 60, 200)", 150, 2000),
        (&*set, 200, 4000),
        ("select public.prune_status_days(public.site_today() - 100, 200)::bigint", 200, 1000),
        (
            "select count(*) from public.claim_delivery_lanes(now(), interval '1 minute', 32)",
            10,
            200,
        ),
        (&*waiting, 1, 50),
        (&*log, 50, 200),
        ("select count(*) from public.get_vote_arrival(md5('vote 4711')::uuid)", 1, 10),
    ] {
        let mut owner = database.world.begin().await;
        let before = queries_so_far(&mut owner).await;
        let count: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(statement.to_owned()))
            .fetch_one(&mut *owner)
            .await
            .expect("an answer");
        let after = queries_so_far(&mut owner).await;
        let (sequential, along) = (after.0 - before.0, after.1 - before.1);
        if count < least || sequential > 0 || along >= most {
            wrong.push(format!("{statement}: {count}, {sequential} in order, {along} by index"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    // The status days that a server's page shows.
    let days = "/server_status_days?select=day,method,up_seconds,hours\
        &server_id=eq.00000000-0000-4000-8000-000000000001&day=gte.2026-01-01&order=day.asc";
    database.reads(days, "server_status_days_pkey").await;
}

/// The number of rows of these tables that sequential scans have read, and that index scans have
/// fetched.
async fn queries_so_far(owner: &mut compat_pg::Owner) -> (i64, i64) {
    sqlx::query_as(
        "select
            coalesce(sum(seq_tup_read), 0)::bigint,
            coalesce(sum(idx_tup_fetch), 0)::bigint
         from pg_stat_xact_user_tables
         where relname in
            ('server_checks', 'server_status_days', 'deliveries', 'delivery_lanes', 'server_standings')",
    )
    .fetch_one(&mut **owner)
    .await
    .expect("what was read")
}
