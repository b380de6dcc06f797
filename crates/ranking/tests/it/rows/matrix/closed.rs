//! Relations that no caller can reach, and the procedures that each role can call.

use super::super::stage::{Persona, Stage};

async fn names(sql: &'static str) -> Vec<String> {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    sqlx::query_scalar(sql).fetch_all(&mut *owner).await.expect("names")
}

#[tokio::test]
async fn internal_tables_refuse_everybody_but_their_owner() {
    let stage = Stage::new().await;
    let statements = [
        "select from public.vote_clock",
        "select from public.delivery_lanes",
        "insert into public.delivery_lanes (server_id, channel) select id, 'webhook' from public.servers",
        "update public.delivery_lanes set due_at = now()",
        "select from public.voter_totals",
        "select from public.owner_digests",
        "select from public.mail_queue",
        "select from public.payment_receipt_numbers",
        "select from public.test_checkouts",
        "select from public.vote_reminders",
        "select from public.vote_claims",
        "select from public.captcha_spent",
        "select from public.vote_tickets",
        "select from public.vote_windows",
        "select from public.server_copies",
        "select from public.server_checks",
        "select from public.server_former_slugs",
        "select from public.server_announcements",
        "select from public.picture_copies",
        "insert into public.picture_copies (holder, holder_key, field, address) values ('games', 'a', 'b', 'c')",
        "select from public.compat_migrations",
        "select from public.compat_repeatable",
        "delete from public.vote_clock",
        "delete from public.delivery_lanes",
        "delete from public.voter_totals",
        "delete from public.owner_digests",
        "delete from public.mail_queue",
        "delete from public.payment_receipt_numbers",
        "delete from public.test_checkouts",
        "delete from public.vote_reminders",
        "delete from public.vote_claims",
        "delete from public.captcha_spent",
        "delete from public.vote_tickets",
        "delete from public.vote_windows",
        "delete from public.server_copies",
        "delete from public.server_checks",
        "delete from public.server_former_slugs",
        "delete from public.server_announcements",
        "delete from public.picture_copies",
        "delete from public.compat_migrations",
        "delete from public.compat_repeatable",
    ];
    for sql in statements {
        for persona in [Persona::Anon, Persona::Stan, Persona::Olga, Persona::Ada, Persona::Fanny] {
            let refusal = stage.act(persona, sql).await.expect_err(sql);
            assert_eq!(refusal.code, "42501", "{persona:?}: {sql}");
        }
    }
}

#[tokio::test]
async fn callers_make_nothing_in_the_schema() {
    let makers = names(
        "select rolname::text from pg_catalog.pg_roles
         where rolname in ('anon', 'authenticated', 'service_role')
           and has_schema_privilege(rolname, 'public', 'create')",
    )
    .await;
    assert_eq!(makers, Vec::<String>::new());
}

#[tokio::test]
async fn no_function_is_executable_by_public() {
    let open = names(
        "select p.oid::regprocedure::text
         from pg_catalog.pg_proc p
         where p.pronamespace = 'public'::regnamespace
           and exists (
             select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as granted
             where granted.grantee = 0
           )",
    )
    .await;
    assert_eq!(open, Vec::<String>::new());
}

/// PostgreSQL's own error for a view that cannot be written is answered as an internal error.
#[tokio::test]
async fn read_only_views_have_instead_of_triggers() {
    let silent = names(
        "select c.relname::text
         from pg_catalog.pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
           and pg_relation_is_updatable(c.oid, false) & 28 <> 28
           and (select bit_or(t.tgtype) & 92 from pg_catalog.pg_trigger t where t.tgrelid = c.oid) is distinct from 92",
    )
    .await;
    assert_eq!(silent, Vec::<String>::new());
}

#[tokio::test]
async fn security_definer_functions_pin_empty_search_path() {
    let loose = names(
        "select p.oid::regprocedure::text
         from pg_catalog.pg_proc p
         where p.pronamespace = 'public'::regnamespace and p.prosecdef
           and coalesce(p.proconfig, '{}') && '{\"search_path=\\\"\\\"\"}'::text[] is false",
    )
    .await;
    assert_eq!(loose, Vec::<String>::new());
}

#[tokio::test]
async fn visitors_reach_these_procedures_only() {
    let reachable = names(
        "select p.proname::text from pg_catalog.pg_proc p
         where p.pronamespace = 'public'::regnamespace and has_function_privilege('anon', p.oid, 'execute')
         order by p.proname",
    )
    .await;
    let expected = [
        "calculate_arcade_spot_price",
        "calculate_prestige_price",
        "get_leaderboard",
        "get_payment_by_session",
        "get_server_neighbours",
        "get_server_stats",
        "get_site_stats",
        "get_vote_arrival",
        "get_vote_history",
        "get_vote_outcomes",
        "is_admin",
        "may_contribute",
        "moved_server_slug",
        "owns_server",
        "search_site",
        "search_text",
        "site_today",
        "with_one_mistake",
    ];
    assert_eq!(reachable, expected);
}

#[tokio::test]
async fn signed_in_people_reach_these_procedures_more() {
    let reachable = names(
        "select p.proname::text from pg_catalog.pg_proc p
         where p.pronamespace = 'public'::regnamespace
           and has_function_privilege('authenticated', p.oid, 'execute')
           and not has_function_privilege('anon', p.oid, 'execute')
         order by p.proname",
    )
    .await;
    let expected = [
        "activate_prestige",
        "appeal_decision",
        "approve_tag_proposal",
        "ban_addresses",
        "ban_user",
        "check_backlink",
        "deactivate_prestige",
        "decide_case",
        "delete_own_account",
        "delete_user",
        "end_my_session",
        "export_my_data",
        "finalize_competitive_event",
        "get_admin_overview",
        "get_moderated_person",
        "get_moderation_case",
        "get_my_decisions",
        "get_my_place",
        "get_my_server_slots",
        "get_my_sessions",
        "get_my_voted_servers",
        "get_payment_totals",
        "get_security_event_types",
        "get_site_figures",
        "has_shown_second_factor",
        "is_host",
        "is_own_picture",
        "is_picture_address",
        "is_web_address",
        "judge_server",
        "lift_moderation_mark",
        "log_security_event",
        "open_arcade_payment",
        "open_prestige_payment",
        "own_server_ids",
        "quote_withdrawal",
        "reassign_server",
        "refund_payment",
        "regenerate_server_api_token",
        "reject_tag_proposal",
        "replay_deliveries",
        "resolve_report",
        "sanction_account",
        "search_payment_ledger",
        "server_name",
        "server_state",
        "set_review_hidden",
        "set_server_approval",
        "set_server_disabled",
        "set_server_visibility",
        "set_ticket_rule",
        "set_user_role",
        "settle_failed_refund",
        "start_image_optimization",
        "stop_image_optimization",
        "unban_user",
        "undo_decision",
        "use_prestige_pass_days",
        "void_votes",
        "warn_user",
        "withdraw_from_payment",
        "withdraw_warning",
    ];
    assert_eq!(reachable, expected);
}

#[tokio::test]
async fn administrator_procedures_reject_everybody_else() {
    let stage = Stage::new().await;
    let statements = [
        "select public.activate_prestige(it.id('open'), 1)",
        "select public.deactivate_prestige(it.id('open'))",
        "select public.set_server_approval(it.id('open'), true)",
        "select public.set_server_disabled(it.id('open'), true)",
        "select public.reassign_server(it.id('open'), it.id('olga'))",
        "select public.judge_server(it.id('open'), 'suspend', 'shown', 'why')",
        "select public.approve_tag_proposal(it.id('proposal'))",
        "select public.reject_tag_proposal(it.id('proposal'))",
        "select public.finalize_competitive_event(it.id('contest'))",
        "select public.set_user_role(it.id('stan'), 'admin')",
        "select public.ban_user(it.id('stan'), 'why')",
        "select public.unban_user(it.id('boris'))",
        "select public.delete_user(it.id('boris'))",
        "select public.warn_user(it.id('olga'), 'why')",
        "select public.withdraw_warning(it.id('warning'))",
        "select public.resolve_report(it.id('report'), 'resolved')",
        "select public.set_review_hidden(it.id('review'), true)",
        "select public.refund_payment(it.id('payment'))",
        "select public.settle_failed_refund(it.id('payment'), 'why')",
        "select public.get_payment_totals()",
        "select public.search_payment_ledger('a')",
        "select public.get_site_figures()",
        "select public.get_admin_overview()",
        "select public.get_security_event_types()",
        "select public.void_votes('other', p_ids => array[it.id('vote')])",
        "select public.ban_addresses(p_user_id => it.id('stan'))",
        "select public.decide_case(it.id('case'), 'approved')",
        "select public.undo_decision(it.id('case'))",
        "select public.sanction_account(it.id('stan'), 'ban', 'spam', 'why')",
        "select public.get_moderated_person(it.id('stan'))",
        "select public.get_moderation_case(it.id('case'))",
        "select public.start_image_optimization()",
        "select public.stop_image_optimization()",
    ];
    for sql in statements {
        for persona in [Persona::Anon, Persona::Stan, Persona::Olga, Persona::Boris] {
            let refusal = stage.act(persona, sql).await.expect_err(sql);
            assert_eq!(refusal.code, "42501", "{persona:?}: {sql}: {}", refusal.message);
        }
    }
}
