//! The sessions of people, and what they cannot do without their second factor.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use sqlx_macros::FromRow;

use super::stage::{Persona, Refusal, Stage};

/// Stan has two sessions, one of them refreshed, and one that has expired; Olga has one.
const SESSIONS: &str = "
    insert into auth.sessions (id, user_id, aal, user_agent, ip, created_at, updated_at, refreshed_at, not_after)
    values
    (it.id('desk'), it.id('stan'), 'aal1', 'Firefox', '192.0.2.7', '2026-03-01Z', '2026-03-01Z', null, null),
    (it.id('phone'), it.id('stan'), 'aal2', 'Safari', '2001:db8::7', '2026-02-01Z', '2026-02-01Z', '2026-03-02', null),
    (it.id('over'), it.id('stan'), 'aal1', 'Old', null, '2026-01-01Z', '2026-01-01Z', null, '2026-01-02Z'),
    (it.id('hers'), it.id('olga'), 'aal1', 'Chrome', null, '2026-03-01Z', '2026-03-01Z', null, null)";

const FACTORS: &str = "
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
    select it.id(name || '''s factor'), it.id(name), 'app', 'totp', 'verified', now(), now(), 'S'
    from unnest('{stan,olga,ada,fanny}'::text[]) as people (name)";

async fn stage() -> Stage {
    let stage = Stage::new().await;
    stage.run(SESSIONS).await;
    stage
}

/// A transaction as of a persona's request whose token has these additional claims.
async fn acting_with(stage: &Stage, persona: Persona, claims: &'static str) -> Owner {
    let mut owner = stage.acting(persona).await;
    sqlx::query(
        "select set_config('request.jwt.claims',
           (current_setting('request.jwt.claims')::jsonb || $1::jsonb)::text, true)",
    )
    .bind(claims)
    .execute(&mut *owner)
    .await
    .expect("claims");
    owner
}

#[derive(Debug, PartialEq, FromRow)]
struct Row {
    user_agent: Option<String>,
    ip: Option<String>,
    aal: Option<String>,
    last_seen_at: DateTime<Utc>,
    is_current: bool,
}

fn row(user_agent: &str, ip: &str, aal: &str, last_seen: &str, is_current: bool) -> Row {
    Row {
        user_agent: Some(user_agent.to_owned()),
        ip: Some(ip.to_owned()),
        aal: Some(aal.to_owned()),
        last_seen_at: last_seen.parse().expect("a time"),
        is_current,
    }
}

#[tokio::test]
async fn users_list_their_own_active_sessions() {
    let stage = stage().await;
    let mut stan = stage.acting(Persona::Stan).await;
    sqlx::query(
        "select set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb
           || jsonb_build_object('session_id', it.id('desk')))::text, true)",
    )
    .execute(&mut *stan)
    .await
    .expect("claims");
    let rows: Vec<Row> = sqlx::query_as(
        "select user_agent, ip, aal, last_seen_at, is_current from public.get_my_sessions()",
    )
    .fetch_all(&mut *stan)
    .await
    .expect("sessions");
    assert_eq!(
        rows,
        [
            row("Firefox", "192.0.2.7", "aal1", "2026-03-01T00:00:00Z", true),
            row("Safari", "2001:db8::7", "aal2", "2026-03-02T00:00:00Z", false),
        ]
    );
}

#[tokio::test]
async fn users_end_only_their_own_sessions() {
    let stage = stage().await;
    let end = "select public.end_my_session(it.id('phone'))";
    let missing = Err(Refusal::new("PT404", "Session not found"));
    assert_eq!(stage.act(Persona::Olga, end).await, missing);
    assert_eq!(stage.act(Persona::Stan, end).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, end).await, missing);
    let left = "select count(*) from auth.sessions";
    assert_eq!(stage.value::<i64>(left).await, 3);
    for sql in [end, "select * from public.get_my_sessions()"] {
        let refusal = stage.act(Persona::Anon, sql).await.expect_err(sql);
        assert_eq!(refusal.code, "42501", "{sql}");
    }
}

#[tokio::test]
async fn missing_second_factor_blocks_privileged_actions() {
    let stage = stage().await;
    stage.run(FACTORS).await;
    let second = Err(Refusal::new("42501", "Second factor required"));
    let staff = Err(Refusal::new("42501", "Only founders and administrators may do this"));
    let edit = "update public.servers set name = 'Renamed' where id = it.id('open')";
    for (persona, sql, outcome) in [
        (Persona::Stan, "select public.end_my_session(it.id('phone'))", second.clone()),
        (Persona::Stan, "select public.delete_own_account()", second.clone()),
        (
            Persona::Stan,
            "select from public.get_my_sessions() where user_agent = 'Firefox'",
            second,
        ),
        (Persona::Stan, "delete from public.reviews where id = it.id('review')", Ok(0)),
        (
            Persona::Olga,
            "select from public.server_api_tokens where server_id = it.id('open')",
            Ok(0),
        ),
        (Persona::Olga, "select from public.deliveries where id = it.id('delivery')", Ok(0)),
        (Persona::Olga, "select secret from public.webhooks where id = it.id('hook')", Ok(0)),
        (
            Persona::Olga,
            "select token from public.votifier_configs where id = it.id('votifier')",
            Ok(0),
        ),
        (
            Persona::Olga,
            "select from public.servers_managed where id = it.id('open') and api_token is not null",
            Ok(0),
        ),
        (Persona::Olga, edit, Ok(0)),
        (Persona::Ada, "select public.warn_user(it.id('olga'), 'why')", staff.clone()),
        (Persona::Fanny, "select public.set_user_role(it.id('stan'), 'admin')", staff),
    ] {
        assert_eq!(stage.act(persona, sql).await, outcome, "{persona:?}: {sql}");
        let mut rows = acting_with(&stage, persona, r#"{"aal": "aal2"}"#).await;
        let done = sqlx::query(sql).execute(&mut *rows).await.expect(sql);
        assert_eq!(done.rows_affected(), 1, "{persona:?}: {sql}");
    }
}

#[tokio::test]
async fn a_factor_that_was_never_verified_asks_nothing() {
    let stage = stage().await;
    stage.run(FACTORS).await;
    stage.run("update auth.mfa_factors set status = 'unverified'").await;
    let edit = "update public.servers set name = 'Renamed' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, edit).await, Ok(1));
}
