//! Lists of the administration: indexes serve them, and nobody else sees their rows.

use serde_json::Value;

use super::plans::{Node, gather};
use super::stage::{Persona, Refusal, Stage};

/// The data of `just bench admin`, in a small size.
const GROWTH: &str = include_str!("../../../../../bench/growth.sql");
const ADMINISTRATION: &str = include_str!("../../../../../bench/growth/administration.sql");
const SIZES: &str = "set local growth.servers = 12000; set local growth.votes = 1000; \
                     set local growth.totals_days = 100; set local growth.accounts = 20000; \
                     set local growth.reports = 20000;";
/// Suspends a few servers, and withdraws the approval of a few others.
const FEW: &str = "update public.servers set is_hidden = true, hidden_reason = 'moderation' where slug like 'growth-%77'; \
                   update public.servers set is_approved = false where slug like 'growth-%88';";

async fn stage_with_rows() -> Stage {
    let growth = format!("{SIZES}{GROWTH}{ADMINISTRATION}{FEW}");
    Stage::filled(&[&growth, "vacuum analyze"]).await
}

/// The pages that the tables of the administration request, each with the index that serves it.
const PAGES: &[(&str, &str)] = &[
    ("servers_overseen where true", "servers_all_by_age_idx"),
    ("servers_overseen where search_name like '% 4711%'", "servers_search_name_idx"),
    ("servers_of_owners where owner_name ilike '%joueur 4711%'", "profiles_username_trigrams_idx"),
    (
        "servers_overseen where is_approved = true and is_hidden = true and hidden_reason = 'moderation'",
        "servers_hidden_by_age_idx",
    ),
    (
        "servers_overseen where is_approved = false and refused_at is null",
        "servers_unapproved_by_age_idx",
    ),
    ("profiles_overseen where true", "profiles_all_by_age_idx"),
    ("profiles_overseen where username ilike '%joueur 4711%'", "profiles_username_trigrams_idx"),
    ("profiles_overseen where is_banned = true", "profiles_banned_by_age_idx"),
    ("audit_log_overseen where true", "audit_log_newest_idx"),
    ("audit_log_overseen where names ilike '%joueur 4711%'", "audit_log_names_idx"),
    ("payment_ledger where true", "payments_all_by_age_idx"),
    ("reports where true", "reports_all_by_age_idx"),
    ("security_events where event_type = 'token_regenerated'", "security_events_type_idx"),
];

/// Conditions to count rows by. A count reads no other table, and no whole table that grows.
const COUNTS: &[&str] = &[
    "servers_overseen where true",
    "servers_overseen where is_approved = true and is_hidden = false",
    "servers_overseen where search_name like '% 4711%'",
    "profiles_overseen where true",
    "audit_log_overseen where names ilike '%joueur 4711%'",
    "payment_ledger where true",
    "security_events where event_type = 'token_regenerated'",
];

/// Parts of the overview, each with the index that finds its few rows.
const OVERVIEW: &[(&str, &str)] = &[
    ("list_waiting_work()", "payments_wanting_person_idx"),
    ("list_waiting_work()", "tag_proposals_pending_idx"),
    ("list_failures(now())", "delivery_lanes_failing_idx"),
    ("odd_figures(public.site_today())", "reports_all_by_age_idx"),
    ("odd_figures(public.site_today())", "site_figures_pkey"),
    ("odd_servers(public.site_today())", "server_daily_counts_day_idx"),
    ("odd_servers(public.site_today())", "server_daily_counts_pkey"),
];

const GROWING: [&str; 6] =
    ["servers", "profiles", "payments", "audit_log", "reports", "security_events"];

async fn explained(stage: &Stage, persona: Persona, statement: &str) -> Vec<Node> {
    let mut acting = stage.acting(persona).await;
    let explained = sqlx::AssertSqlSafe(format!("explain (format json) {statement}"));
    let plan: Value = sqlx::query_scalar(explained).fetch_one(&mut *acting).await.expect("a plan");
    let mut nodes = Vec::new();
    gather(&plan[0]["Plan"], &mut nodes);
    nodes
}

fn reads_a_whole_table(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| node.kind == "Seq Scan" && GROWING.contains(&node.relation.as_str()))
}

#[tokio::test]
async fn tables_of_the_administration_are_read_along_indexes() {
    let stage = stage_with_rows().await;
    let mut wrong = Vec::new();
    for (page, index) in PAGES {
        let statement =
            format!("select * from public.{page} order by created_at desc nulls last, id limit 25");
        let nodes = explained(&stage, Persona::Ada, &statement).await;
        if reads_a_whole_table(&nodes) || !nodes.iter().any(|node| node.index == *index) {
            wrong.push(format!("{page}: {nodes:#?}"));
        }
    }
    for count in COUNTS {
        let statement = format!("select count(*) from public.{count}");
        let nodes = explained(&stage, Persona::Ada, &statement).await;
        let is_joined =
            nodes.iter().any(|node| node.kind.ends_with("Join") || node.kind == "Nested Loop");
        if reads_a_whole_table(&nodes) || is_joined {
            wrong.push(format!("count of {count}: {nodes:#?}"));
        }
    }
    // No caller may execute these parts: the overview's procedure checks the caller, then runs
    // them.
    for (part, index) in OVERVIEW {
        let mut owner = stage.begin().await;
        // In a small table a sequential scan costs as little as an index, so it is off.
        sqlx::query("set local enable_seqscan = off").execute(&mut *owner).await.expect("set");
        let explained =
            sqlx::AssertSqlSafe(format!("explain (format json) select * from public.{part}"));
        let plan: Value =
            sqlx::query_scalar(explained).fetch_one(&mut *owner).await.expect("a plan");
        let mut nodes = Vec::new();
        gather(&plan[0]["Plan"], &mut nodes);
        if reads_a_whole_table(&nodes) || !nodes.iter().any(|node| node.index == *index) {
            wrong.push(format!("{part}, {index}: {nodes:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The views evaluate a request's conditions before they check rights, so that indexes serve them.
/// For a caller without rights no row is compared at all, so an operator that reveals values by its
/// errors is never called.
#[tokio::test]
async fn nothing_is_compared_for_who_may_not_look() {
    let stage = Stage::new().await;
    for statement in [
        "select from public.servers_overseen where (name || '!')::integer = 1",
        "select from public.servers_of_owners where (owner_name || '!')::integer = 1",
        "select from public.servers_overseen as s inner join public.games as g on g.id = s.game_id
         where (s.name || '!')::integer = 1",
        "select (select count(*) from public.profiles_overseen as p where (p.email || '!')::integer = 1)",
        "select from public.profiles_overseen where (email || '!')::integer = 1",
        "select p.id from public.servers_public as s
         left join public.profiles_overseen as p on p.id = s.owner_id and (p.email || '!')::integer = 1",
        "select from public.audit_log_overseen where (names || '!')::integer = 1",
        "select from public.payment_ledger where (kind || '!')::integer = 1",
    ] {
        for persona in [Persona::Stan, Persona::Olga, Persona::Boris] {
            let outcome = stage.act(persona, statement).await;
            assert!(outcome.is_ok(), "{persona:?}: {statement}: {outcome:?}");
        }
        // The error reaches those who may see the rows.
        let outcome = stage.act(Persona::Ada, statement).await.map_err(|Refusal { code, .. }| code);
        assert_eq!(outcome, Err("22P02".to_owned()), "{statement}");
    }
}

#[tokio::test]
async fn payment_search_matches_payer_and_session_id() {
    let stage = stage_with_rows().await;
    for (text, found) in [
        ("oueur 4711", 1),
        ("PLAYER-4711@growth", 1),
        ("growth-4711", 1),
        ("growth%4711", 0),
        ("growth-471_", 0),
        ("nobody is called this", 0),
    ] {
        let mut acting = stage.acting(Persona::Ada).await;
        let count: i64 = sqlx::query_scalar(
            "select count(*) from public.search_payment_ledger($1) where payer is not null",
        )
        .bind(text)
        .fetch_one(&mut *acting)
        .await
        .expect("a count");
        assert_eq!(count, found, "{text}");
    }
}
