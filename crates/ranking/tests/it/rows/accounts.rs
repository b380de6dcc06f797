//! Profiles of accounts: names, roles, bans and deletion.

use std::pin::pin;

use compat_pg::Owner;
use compat_testkit::TestDatabase;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stage::{Persona, Refusal, Stage};
use crate::world::SCHEMAS;

async fn sign_up(stage: &Stage, n: u128, metadata: Option<Value>) -> String {
    let id = Uuid::from_u128(n << 96);
    let mut owner = stage.begin().await;
    sqlx::query("insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)")
        .bind(id)
        .bind(format!("{n}@example.test"))
        .bind(metadata)
        .execute(&mut *owner)
        .await
        .expect("a sign-up never fails for its name");
    let name =
        sqlx::query_scalar("select username from public.profiles where id = $1 and email = $2")
            .bind(id)
            .bind(format!("{n}@example.test"))
            .fetch_one(&mut *owner)
            .await
            .expect("a profile");
    owner.commit().await.expect("committed");
    name
}

#[tokio::test]
async fn new_account_receives_a_unique_profile_name() {
    let stage = Stage::empty().await;
    for (n, metadata, name) in [
        (1, Some(json!({ "username": "Ada" })), "Ada"),
        (2, Some(json!({ "username": "ADA" })), "ADA-0000"),
        (3, Some(json!({ "username": "  A  B \t C " })), "A B C"),
        (4, Some(json!({ "user_name": "octo" })), "octo"),
        (5, Some(json!({ "name": "Élise" })), "Élise"),
        (6, Some(json!({ "username": "<b>x</b>" })), "b x /b"),
        (7, Some(json!({})), "joueur-000000"),
        (8, None, "joueur-000000-0000"),
        (9, Some(json!({ "username": "x" })), "joueur-00000009000000000000"),
        (10, Some(json!({ "username": 42 })), "42"),
        (11, Some(json!({ "username": { "a": [] } })), "{ a : []}"),
        (12, Some(json!([1])), "joueur-0000000c000000000000"),
        (13, Some(json!({ "username": "é".repeat(80) })), &"é".repeat(30)),
    ] {
        assert_eq!(sign_up(&stage, n, metadata).await, name, "{n}");
    }
}

/// Calls the hook for a sign-up; returns its error, if it refuses.
async fn ask(owner: &mut Owner, n: u128, provider: &str, metadata: Value) -> Option<Value> {
    let event = json!({ "user": {
        "id": Uuid::from_u128(n << 96),
        "app_metadata": { "provider": provider },
        "user_metadata": metadata,
    }});
    let answer: Value = sqlx::query_scalar("select public.refuse_taken_username($1)")
        .bind(event)
        .fetch_one(&mut **owner)
        .await
        .expect("an answer");
    answer.get("error").cloned()
}

#[tokio::test]
async fn taken_username_is_refused_before_sign_up() {
    let stage = Stage::new().await;
    let mut owner = stage.begin().await;
    let conflict = Some(json!({ "http_code": 409, "message": "username_taken" }));
    let named = |name: &str| json!({ "username": name, "lang": "fr" });
    for (provider, metadata, refusal) in [
        ("email", named("stan"), conflict.clone()),
        ("email", named("  STAN "), conflict.clone()),
        ("phone", named("stan"), conflict.clone()),
        // The name of a founder, written with letters that look alike.
        ("email", named("Fаnnу"), conflict),
        ("email", named("Stanislas"), None),
        ("email", json!({}), None),
        ("email", json!({ "username": "  " }), None),
        ("email", json!({ "name": "stan" }), None),
        ("github", named("stan"), None),
    ] {
        let account_text = format!("{provider} {metadata}");
        assert_eq!(ask(&mut owner, 1, provider, metadata).await, refusal, "{account_text}");
    }
}

#[tokio::test]
async fn concurrent_claims_of_a_name_give_it_once() {
    let stage = Stage::empty().await;
    let (mut first, mut second) = (stage.begin().await, stage.begin().await);
    let metadata = || json!({ "username": "Ada" });
    assert_eq!(ask(&mut first, 1, "email", metadata()).await, None);
    sqlx::query("insert into auth.users (id, raw_user_meta_data) values ($1, $2)")
        .bind(Uuid::from_u128(1 << 96))
        .bind(metadata())
        .execute(&mut *first)
        .await
        .expect("an account");
    // The second call waits until the first transaction ends.
    let mut pending = pin!(ask(&mut second, 2, "email", metadata()));
    let waiting = "select exists (
        select from pg_locks as l inner join pg_database as d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted
    )";
    let blocked = async { while !stage.value::<bool>(waiting).await {} };
    tokio::select! {
        answer = &mut pending => panic!("{answer:?}"),
        () = blocked => {}
    }
    first.commit().await.expect("committed");
    let refusal = pending.await.expect("a refusal");
    assert_eq!(refusal["message"], "username_taken");
}

#[tokio::test]
async fn failed_profile_creation_does_not_block_sign_up() {
    let stage = Stage::empty().await;
    stage.run("alter table public.profiles add constraint nobody check (false) not valid").await;
    stage
        .run("insert into auth.users (id, email) values (gen_random_uuid(), 'a@example.test')")
        .await;
    assert_eq!(stage.value::<i64>("select count(*) from auth.users").await, 1);
    assert_eq!(stage.value::<i64>("select count(*) from public.profiles").await, 0);
}

#[tokio::test]
async fn existing_accounts_receive_profiles_at_installation() {
    let db = TestDatabase::new(&SCHEMAS[..2]).await;
    let owner = &db.pools().owner;
    let mut transaction = owner.begin().await.expect("a transaction");
    sqlx::query(
        "insert into auth.users (id, email, raw_user_meta_data)
         values (gen_random_uuid(), 'old@example.test', '{\"username\": \"Old\"}')",
    )
    .execute(&mut *transaction)
    .await
    .expect("an account");
    transaction.commit().await.expect("committed");
    compat_pg::migrate(owner, &SCHEMAS).await.expect("migrated");
    let mut transaction = owner.begin().await.expect("a transaction");
    let names: Vec<String> = sqlx::query_scalar("select username from public.profiles")
        .fetch_all(&mut *transaction)
        .await
        .expect("profiles");
    assert_eq!(names, ["Old"]);
}

#[tokio::test]
async fn profile_follows_email_change_and_account_deletion() {
    let stage = Stage::new().await;
    stage.run("update auth.users set email = 'new@example.test' where id = it.id('stan')").await;
    let address = "select email from public.profiles where id = it.id('stan')";
    assert_eq!(stage.value::<String>(address).await, "new@example.test");
    stage.run("delete from auth.users where id = it.id('stan')").await;
    assert_eq!(
        stage.value::<i64>("select count(*) from public.profiles where id = it.id('stan')").await,
        0
    );
    // The account's votes stay, without its id.
    let left = "select count(*) from public.votes where id = it.id('vote') and user_id is null";
    assert_eq!(stage.value::<i64>(left).await, 1);
}

#[tokio::test]
async fn only_a_founder_decides_about_administrators_and_founders() {
    let stage = Stage::new().await;
    let only_founders = Err(Refusal::new("42501", "Only founders may do this"));
    let only_staff = Err(Refusal::new("42501", "Only founders and administrators may do this"));
    for (persona, sql, outcome) in [
        (
            Persona::Olga,
            "select public.set_user_role(it.id('olga'), 'founder')",
            only_staff.clone(),
        ),
        (Persona::Boris, "select public.unban_user(it.id('boris'))", only_staff),
        (
            Persona::Ada,
            "select public.set_user_role(it.id('ada'), 'founder')",
            only_founders.clone(),
        ),
        (
            Persona::Ada,
            "select public.set_user_role(it.id('stan'), 'founder')",
            only_founders.clone(),
        ),
        (
            Persona::Ada,
            "select public.set_user_role(it.id('fanny'), 'user')",
            only_founders.clone(),
        ),
        (Persona::Ada, "select public.ban_user(it.id('fanny'), 'coup')", only_founders.clone()),
        (Persona::Ada, "select public.delete_user(it.id('fanny'))", only_founders),
        (
            Persona::Ada,
            "select public.set_user_role(it.id('stan'), 'king')",
            Err(Refusal::new("22023", "A role is user, admin or founder")),
        ),
        (
            Persona::Ada,
            "select public.set_user_role(it.id('nobody'), 'user')",
            Err(Refusal::new("PT404", "User not found")),
        ),
        (Persona::Ada, "select public.set_user_role(it.id('stan'), 'admin')", Ok(1)),
        (Persona::Fanny, "select public.set_user_role(it.id('ada'), 'user')", Ok(1)),
        (Persona::Fanny, "select public.set_user_role(it.id('second'), 'user')", Ok(1)),
        (
            Persona::Fanny,
            "select public.set_user_role(it.id('fanny'), 'user')",
            Err(Refusal::new("42501", "The last founder must stay one")),
        ),
        (
            Persona::Fanny,
            "select public.delete_own_account()",
            Err(Refusal::new("42501", "The last founder must stay one")),
        ),
    ] {
        assert_eq!(stage.act(persona, sql).await, outcome, "{persona:?}: {sql}");
    }
}

#[tokio::test]
async fn administrators_appoint_but_only_founders_dismiss() {
    let stage = Stage::new().await;
    let only_founders = Err(Refusal::new("42501", "Only founders may do this"));
    let appoint = "select public.set_user_role(it.id('stan'), 'admin')";
    let dismiss = "select public.set_user_role(it.id('stan'), 'user')";
    assert_eq!(stage.act(Persona::Ada, appoint).await, Ok(1));
    assert_eq!(stage.act(Persona::Ada, dismiss).await, only_founders);
    assert_eq!(stage.act(Persona::Fanny, dismiss).await, Ok(1));
}

#[tokio::test]
async fn role_changes_and_bans_name_their_author() {
    let stage = Stage::new().await;
    stage.run("delete from public.security_events").await;
    for (persona, sql) in [
        (Persona::Ada, "select public.set_user_role(it.id('stan'), 'admin')"),
        (Persona::Fanny, "select public.set_user_role(it.id('stan'), 'user')"),
        (Persona::Fanny, "select public.set_user_role(it.id('stan'), 'user')"),
        (Persona::Ada, "select public.ban_user(it.id('stan'), 'spam')"),
        (Persona::Ada, "select public.unban_user(it.id('stan'))"),
        (Persona::Ada, "select public.delete_user(it.id('stan'))"),
        // An event that a page reports is never recorded as one of these.
        (
            Persona::Olga,
            "select public.log_security_event('role_changed', '{\"to\": \"founder\"}')",
        ),
    ] {
        assert_eq!(stage.act(persona, sql).await, Ok(1), "{persona:?}: {sql}");
    }
    let trail = stage
        .value::<Vec<String>>(
            "select array_agg(concat_ws(' ', p.username, e.event_type, e.event_data ->> 'username',
               e.event_data ->> 'from', e.event_data ->> 'to') order by e.id)
             from public.security_events as e
             left join public.profiles as p on p.id = (e.event_data ->> 'by')::uuid and p.id = e.user_id
             where e.origin = 'database'",
        )
        .await;
    assert_eq!(
        trail,
        [
            "ada role_changed stan user admin",
            "fanny role_changed stan admin user",
            "ada account_banned stan",
            "ada account_unbanned stan",
            "ada account_deleted stan",
        ]
    );
    // A change that an operator makes by hand is recorded, too.
    stage.run("update public.profiles set role = 'founder' where id = it.id('olga')").await;
    let by_hand = "select count(*) from public.security_events
        where event_data @> '{\"username\": \"olga\", \"to\": \"founder\", \"by\": null}' and origin = 'database'";
    assert_eq!(stage.value::<i64>(by_hand).await, 1);
}

#[tokio::test]
async fn a_banned_account_cannot_sign_in_nor_write() {
    let stage = Stage::new().await;
    assert_eq!(
        stage.act(Persona::Ada, "select public.ban_user(it.id('olga'), 'spam')").await,
        Ok(1)
    );
    let barred =
        "select banned_until > now() + interval '1 year' from auth.users where id = it.id('olga')";
    assert!(stage.value::<bool>(barred).await);
    let edit = "update public.servers set name = 'Renamed' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, edit).await, Ok(0));
    assert_eq!(stage.act(Persona::Ada, "select public.unban_user(it.id('olga'))").await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, edit).await, Ok(1));
    let oneself = stage.act(Persona::Fanny, "select public.ban_user(it.id('fanny'))").await;
    assert_eq!(oneself, Err(Refusal::new("22023", "Nobody bans themselves")));
}

#[tokio::test]
async fn an_anonymous_sign_in_contributes_nothing() {
    let stage = Stage::new().await;
    let mut stan = stage.acting(Persona::Stan).await;
    sqlx::query(
        "select set_config('request.jwt.claims',
           (current_setting('request.jwt.claims')::jsonb || '{\"is_anonymous\": true}')::text, true)",
    )
    .execute(&mut *stan)
    .await
    .expect("claims");
    let listed =
        sqlx::query("insert into public.servers (name, game_id) values ('New', it.id('game'))")
            .execute(&mut *stan)
            .await;
    assert_eq!(Refusal::from(listed.expect_err("refused")).code, "42501");
}

#[tokio::test]
async fn deleted_accounts_lose_secrets_and_leave_hidden_listings() {
    let stage = Stage::new().await;
    assert_eq!(stage.act(Persona::Olga, "select public.delete_own_account()").await, Ok(1));
    assert_eq!(
        stage.value::<i64>("select count(*) from auth.users where id = it.id('olga')").await,
        0
    );
    for table in [
        "select count(*) from public.webhooks",
        "select count(*) from public.votifier_configs",
        "select count(*) from public.server_api_tokens where server_id = it.id('open')",
    ] {
        assert_eq!(stage.value::<i64>(table).await, 0, "{table}");
    }
    let left = "select is_hidden and hidden_reason = 'owner_left' and owner_id is null
        from public.servers where id = it.id('open')";
    assert!(stage.value::<bool>(left).await);
    assert_eq!(
        stage
            .act(Persona::Ada, "select public.reassign_server(it.id('open'), it.id('stan'))")
            .await,
        Ok(1)
    );
    let listing = "select not is_hidden and hidden_reason is null and owner_id = it.id('stan')
        from public.servers where id = it.id('open')";
    assert!(stage.value::<bool>(listing).await);
}

#[tokio::test]
async fn active_warnings_are_counted_on_the_listing() {
    let stage = Stage::new().await;
    let warn = "select public.warn_user(it.id('olga'), 'wrong category', it.id('open'))";
    let warnings = "select warnings from public.servers where id = it.id('open')";
    assert_eq!(stage.act(Persona::Ada, warn).await, Ok(1));
    assert_eq!(stage.value::<i32>(warnings).await, 1);
    let withdraw = "select public.withdraw_warning(id) from public.user_warnings where server_id = it.id('open')";
    assert_eq!(stage.act(Persona::Ada, withdraw).await, Ok(1));
    assert_eq!(stage.value::<i32>(warnings).await, 0);
    assert_eq!(
        stage.act(Persona::Ada, withdraw).await,
        Err(Refusal::new("PT404", "Warning not found"))
    );
}

#[tokio::test]
async fn reports_are_validated_and_closed_by_administrators() {
    let stage = Stage::new().await;
    for (sql, outcome) in [
        (
            "insert into public.reports (server_id, reason) values (it.id('free'), 'because')",
            Some("23514"),
        ),
        (
            "insert into public.reports (server_id, reason) values (it.id('free'), 'other')",
            Some("23514"),
        ),
        (
            "insert into public.reports (server_id, reason, custom_reason) values (it.id('free'), 'other', '  ')",
            Some("23514"),
        ),
        ("insert into public.reports (reason) values ('spam')", Some("23514")),
        (
            "insert into public.reports (server_id, reason, custom_reason) values (it.id('free'), 'other', repeat('x', 501))",
            Some("23514"),
        ),
        (
            "insert into public.reports (server_id, reason, custom_reason) values (it.id('free'), 'other', 'It lies.')",
            None,
        ),
        (
            "insert into public.reports (server_id, reason) values (it.id('free'), 'spam')",
            Some("23505"),
        ),
        ("insert into public.reports (comment_id, reason) values (it.id('review'), 'spam')", None),
    ] {
        let answer = stage.act(Persona::Stan, sql).await;
        assert_eq!(answer.err().map(|refusal| refusal.code).as_deref(), outcome, "{sql}");
    }
    let close = "select public.resolve_report(it.id('report'), 'dismissed', 'fine')";
    assert_eq!(stage.act(Persona::Ada, close).await, Ok(1));
    let state =
        "select status || ' ' || resolution_note from public.reports where id = it.id('report')";
    assert_eq!(stage.value::<String>(state).await, "dismissed fine");
    let reopen = "select public.resolve_report(it.id('report'), 'pending')";
    assert_eq!(stage.act(Persona::Ada, reopen).await.expect_err("refused").code, "22023");
}

#[tokio::test]
async fn security_log_omits_addresses_and_limits_entries() {
    let stage = Stage::new().await;
    stage.run("delete from public.security_events").await;
    let log = "select public.log_security_event('server_created', '{\"name\": \"x\"}', '192.0.2.1', 'agent')";
    assert_eq!(stage.act(Persona::Stan, log).await, Ok(1));
    let event = "select to_jsonb(e)::text not like '%192.0.2.1%' and user_id = it.id('stan') from public.security_events as e";
    assert!(stage.value::<bool>(event).await);
    let many = "select public.log_security_event('server_created') from generate_series(1, 150)";
    assert_eq!(stage.act(Persona::Stan, many).await, Ok(150));
    assert_eq!(stage.value::<i64>("select count(*) from public.security_events").await, 100);
}
