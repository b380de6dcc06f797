//! The audit log: which changes it records, which it does not, and that nobody can alter it.

use serde_json::{Value, json};

use super::stage::{Persona, Refusal, Stage};

/// The log's entries without those that the cast made, the oldest first.
const ENTRIES: &str = "select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'actor', actor_name, 'action', action, 'kind', subject_kind, 'label', subject_label,
        'person', person_name, 'before', before, 'after', after
    )) order by id), '[]')
    from public.audit_log where actor_id is distinct from person_id and subject_label is not null
      or actor_id = person_id";

async fn entries(stage: &Stage) -> Vec<Value> {
    let all: Value = stage.value(ENTRIES).await;
    all.as_array().expect("entries").clone()
}

#[tokio::test]
async fn administrator_changes_are_logged_with_the_state_before() {
    let stage = Stage::new().await;
    for (persona, change, entry) in [
        (
            Persona::Ada,
            "select public.set_server_approval(it.id('waiting'), true)",
            json!({
                "actor": "ada", "action": "changed", "kind": "servers", "label": "Waiting",
                "person": "olga", "before": { "is_approved": false }, "after": { "is_approved": true },
            }),
        ),
        (
            Persona::Ada,
            "select public.ban_user(it.id('stan'), 'spam')",
            json!({
                "actor": "ada", "action": "changed", "kind": "profiles", "label": "stan",
                "person": "stan", "before": { "is_banned": false },
                "after": { "ban_reason": "spam", "is_banned": true },
            }),
        ),
        (
            Persona::Fanny,
            "select public.set_user_role(it.id('ada'), 'user')",
            json!({
                "actor": "fanny", "action": "changed", "kind": "profiles", "label": "ada",
                "person": "ada", "before": { "role": "admin" }, "after": { "role": "user" },
            }),
        ),
        (
            Persona::Fanny,
            "update public.site_settings set setting_value = '7' where setting_key = 'base_server_limit'",
            json!({
                "actor": "fanny", "action": "changed", "kind": "site_settings",
                "label": "base_server_limit",
                "before": { "setting_value": "6" }, "after": { "setting_value": "7" },
            }),
        ),
        (
            Persona::Fanny,
            "select public.void_votes('trial', 'a test', p_ids => array[it.id('vote')])",
            json!({
                "actor": "fanny", "action": "voided", "kind": "votes", "label": "Open",
                "person": "olga", "after": { "votes": 1, "reason": "trial", "note": "a test" },
            }),
        ),
    ] {
        assert_eq!(stage.act(persona, change).await, Ok(1), "{change}");
        assert_eq!(entries(&stage).await.last().map(strip_times), Some(entry), "{change}");
    }
}

/// Removes the time of a ban, which differs from run to run.
fn strip_times(entry: &Value) -> Value {
    let mut entry = entry.clone();
    for side in ["before", "after"] {
        if let Some(columns) = entry[side].as_object_mut() {
            columns.remove("banned_at");
            columns.retain(|_, value| !value.is_null());
        } else if let Some(object) = entry.as_object_mut() {
            object.remove(side);
        }
    }
    entry
}

#[tokio::test]
async fn administrator_changes_are_recorded_in_audit_log() {
    let stage = Stage::new().await;
    for (kind, change) in [
        ("servers", "update public.servers set name = 'Opened' where id = it.id('open')"),
        ("servers", "select public.set_server_disabled(it.id('open'), true)"),
        ("servers", "select public.activate_prestige(it.id('free'), 1)"),
        ("reviews", "select public.set_review_hidden(it.id('review'), true)"),
        ("reviews", "delete from public.reviews where id = it.id('whisper')"),
        ("reports", "select public.resolve_report(it.id('report'), 'resolved')"),
        ("user_warnings", "select public.warn_user(it.id('stan'), 'why')"),
        ("user_warnings", "select public.withdraw_warning(it.id('warning'))"),
        ("tag_proposals", "select public.reject_tag_proposal(it.id('proposal'))"),
        ("server_tags", "update public.server_tags set name_fr = 'z' where id = it.id('tag')"),
        ("games", "update public.games set sort_order = 9 where id = it.id('game')"),
        ("event_types", "update public.event_types set icon = 'star' where key = 'kind'"),
        ("prestige_pricing", "insert into public.prestige_pricing values (999, 1)"),
        ("payments", "update public.payments set refund_cents = 5 where id = it.id('payment')"),
        (
            "arcade_spots",
            "update public.arcade_spots set status = 'suspended' where id = it.id('spot')",
        ),
        (
            "competitive_events",
            "update public.competitive_events set name = 'Off' where id = it.id('contest')",
        ),
        ("partners", "delete from public.partners where id = it.id('partner')"),
        ("ip_bans", "insert into public.ip_bans (network) values ('192.0.2.0/24')"),
        ("ip_bans", "delete from public.ip_bans where id = it.id('ban')"),
        (
            "refused_nicknames",
            "delete from public.refused_nicknames where id = it.id('refused name')",
        ),
        ("webhooks", "update public.webhooks set is_active = false where id = it.id('hook')"),
        (
            "server_events",
            "update public.server_events set title_fr = 'x' where id = it.id('event')",
        ),
        ("server_api_tokens", "select public.regenerate_server_api_token(it.id('off'))"),
        ("profiles", "select public.unban_user(it.id('boris'))"),
        ("profiles", "select public.delete_user(it.id('boris'))"),
    ] {
        // With all rights, so that neither policies nor grants refuse the statement first.
        let mut owner = stage.begin().await;
        sqlx::query(
            "select set_config('request.jwt.claims', json_build_object('sub', it.id('ada'))::text, true)",
        )
        .execute(&mut *owner)
        .await
        .expect("claims");
        sqlx::query(
            "select set_config('it.last', (select max(id)::text from public.audit_log), true)",
        )
        .execute(&mut *owner)
        .await
        .expect("the last entry");
        sqlx::query(change).execute(&mut *owner).await.expect(change);
        let kinds: Vec<String> = sqlx::query_scalar(
            "select subject_kind from public.audit_log
             where id > current_setting('it.last')::bigint and actor_id = it.id('ada')",
        )
        .fetch_all(&mut *owner)
        .await
        .expect("entries");
        assert_eq!(kinds, [kind], "{change}");
        owner.commit().await.expect("committed");
    }
}

#[tokio::test]
async fn audit_entries_hold_no_secrets_or_addresses() {
    let stage = Stage::new().await;
    for change in [
        "update public.webhooks set secret = 'another long secret' where id = it.id('hook')",
        "update public.votifier_configs set token = 'fresh' where id = it.id('votifier')",
        "select public.regenerate_server_api_token(it.id('open'))",
        "delete from public.ip_bans where id = it.id('ban')",
        "select public.delete_user(it.id('stan'))",
    ] {
        assert_eq!(stage.act(Persona::Ada, change).await, Ok(1), "{change}");
    }
    let all: String = stage
        .value("select string_agg(concat_ws(' ', subject_label, before, after), e'\\n') from public.audit_log")
        .await;
    let zeros = "0".repeat(64);
    for secret in ["long secret", "fresh", "@example.test", &zeros] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    let changed = "select before ->> 'secret' = '***' and after ->> 'secret' = '***'
        from public.audit_log where subject_kind = 'webhooks'";
    assert!(stage.value::<bool>(changed).await, "that it changed is told: {all}");
    let tokens: i64 = stage
        .value(
            "select count(*) from public.audit_log as a, public.server_api_tokens as t
             where concat(a.before, a.after) like '%' || t.token || '%'",
        )
        .await;
    assert_eq!(tokens, 0);
}

#[tokio::test]
async fn owner_changes_and_cascades_are_not_audited() {
    let stage = Stage::new().await;
    let before: i64 = stage.value("select count(*) from public.audit_log").await;
    for (persona, change) in [
        (Persona::Olga, "update public.servers set name = 'Opened' where id = it.id('open')"),
        (
            Persona::Olga,
            "update public.review_answers set comment = 'hm' where review_id = it.id('review')",
        ),
        (Persona::Stan, "delete from public.reviews where id = it.id('review')"),
        // Changes to their own rows, which everybody may make.
        (Persona::Ada, "update public.profiles set username = 'ada2' where id = it.id('ada')"),
        (Persona::Ada, "insert into public.servers (name, game_id) values ('Hers', it.id('game'))"),
        (
            Persona::Service,
            "update public.servers set name = 'Opened again' where id = it.id('open')",
        ),
    ] {
        assert_eq!(stage.act(persona, change).await, Ok(1), "{change}");
    }
    let count = "select count(*) from public.audit_log";
    assert_eq!(stage.value::<i64>(count).await, before);
    // Reviews, events and webhooks are deleted with the server: one action, one entry.
    let delete = "delete from public.servers where id = it.id('open')";
    assert_eq!(stage.act(Persona::Ada, delete).await, Ok(1));
    assert_eq!(stage.value::<i64>(count).await, before + 1);
}

#[tokio::test]
async fn administrators_own_changes_are_logged_too() {
    let stage = Stage::new().await;
    let list = "insert into public.servers (name, game_id, owner_id)
        values ('Hers', it.id('game'), it.id('ada'))";
    assert_eq!(stage.act(Persona::Service, list).await, Ok(1));
    for (persona, change) in [
        (
            Persona::Ada,
            "select public.set_server_approval(id, false) from public.servers where name = 'Hers'",
        ),
        (
            Persona::Ada,
            "select public.activate_prestige(id, 30) from public.servers where name = 'Hers'",
        ),
        // She is an administrator before this change, and none after it.
        (Persona::Fanny, "select public.set_user_role(it.id('fanny'), 'user')"),
    ] {
        let before = entries(&stage).await.len();
        assert_eq!(stage.act(persona, change).await, Ok(1), "{change}");
        assert_eq!(entries(&stage).await.len(), before + 1, "{change}");
    }
}

#[tokio::test]
async fn refused_or_rolled_back_changes_are_not_audited() {
    let stage = Stage::new().await;
    let count = "select count(*) from public.audit_log";
    let before: i64 = stage.value(count).await;
    let set_role = "select public.set_user_role(it.id('fanny'), 'user')";
    assert!(stage.act(Persona::Ada, set_role).await.is_err());
    assert!(stage.act(Persona::Stan, "select public.ban_user(it.id('olga'))").await.is_err());
    let mut undone = stage.acting(Persona::Ada).await;
    sqlx::query("select public.ban_user(it.id('olga'))").execute(&mut *undone).await.expect("done");
    undone.rollback().await.expect("taken back");
    assert_eq!(stage.value::<i64>(count).await, before);
}

#[tokio::test]
async fn database_owner_cannot_rewrite_the_audit_log() {
    let stage = Stage::new().await;
    let append_only = Refusal::new("42501", "The audit log is only added to");
    for statement in [
        "update public.audit_log set actor_name = 'olga'",
        "delete from public.audit_log",
        "truncate public.audit_log",
    ] {
        let mut owner = stage.begin().await;
        let set_role = sqlx::query(statement).execute(&mut *owner).await.map_err(Refusal::from);
        assert_eq!(set_role.err(), Some(append_only.clone()), "{statement}");
    }
}

#[tokio::test]
async fn audit_log_pages_and_searches_use_indexes() {
    let stage = Stage::new().await;
    stage
        .run(
            "insert into public.audit_log (
                 actor_id, actor_name, action, subject_kind, subject_label, person_id, server_id, created_at
             )
             select
                 it.id('ada'), 'ada', 'changed', case when n % 40 = 0 then 'games' else 'servers' end,
                 'Server ' || md5(n::text), md5((n % 5000)::text)::uuid, md5((n % 9000)::text)::uuid,
                 now() - make_interval(mins => n)
             from generate_series(1, 60000) as n;
             analyze public.audit_log;",
        )
        .await;
    for (filter, index) in [
        ("true", "audit_log_newest_idx"),
        ("subject_kind = 'games'", "audit_log_kind_idx"),
        ("person_id = md5('77')::uuid", "audit_log_person_idx"),
        ("server_id = md5('77')::uuid", "audit_log_server_idx"),
        ("names ilike '%7edccc66%'", "audit_log_names_idx"),
    ] {
        let mut owner = stage.begin().await;
        let page = format!(
            "explain (format json) select id from public.audit_log where {filter}
             order by created_at desc nulls last, id limit 25"
        );
        let plan: Value = sqlx::query_scalar(sqlx::AssertSqlSafe(page))
            .fetch_one(&mut *owner)
            .await
            .expect("a plan");
        let plan = plan.to_string();
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{filter}: {plan}");
    }
}
