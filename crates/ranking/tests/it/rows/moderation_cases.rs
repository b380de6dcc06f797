//! Moderation cases: which are pending, who decides, how decisions are undone and appealed.

use serde_json::{Value, json};
use sqlx::postgres::PgDatabaseError;

use super::stage::{Persona, Refusal, Stage};

/// The pending cases, in order.
const WAITING: &str = "select coalesce(array_agg(kind || ' ' || label order by kind, label), '{}')
    from public.moderation_cases where decision is null";

const DECIDE_REPORT: &str = "select public.decide_case(id, 'disabled', 'spam', 'Too many links')
    from public.moderation_cases where kind = 'report' and decision is null";

const OPENS_STATE: &str = "select concat_ws(' ', public.server_state(s), s.moderation_reason)
    from public.servers as s where id = it.id('open')";

async fn waiting(stage: &Stage) -> Vec<String> {
    stage.value(WAITING).await
}

/// The code, detail and hint of a procedure's refusal.
async fn named_refusal(stage: &Stage, persona: Persona, sql: &'static str) -> [String; 3] {
    let mut owner = stage.acting(persona).await;
    let error = sqlx::query(sql).execute(&mut *owner).await.expect_err(sql);
    let error = error.into_database_error().expect("a refusal of the database");
    let error = error.downcast::<PgDatabaseError>();
    [
        error.code().to_owned(),
        error.detail().unwrap_or_default().to_owned(),
        error.hint().unwrap_or_default().to_owned(),
    ]
}

async fn done(stage: &Stage, persona: Persona, sql: &'static str) {
    assert_eq!(stage.act(persona, sql).await, Ok(1), "{persona:?}: {sql}");
}

#[tokio::test]
async fn cases_open_by_themselves_and_once() {
    let stage = Stage::new().await;
    // The cast has one report and one listing that wait.
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    for (persona, sql) in [
        (Persona::Olga, "update public.servers set description = 'one' where id = it.id('open')"),
        (Persona::Olga, "update public.servers set description = 'two' where id = it.id('open')"),
        // An update that changes nothing opens no case.
        (
            Persona::Olga,
            "update public.servers set description = description where id = it.id('borises')",
        ),
        (Persona::Olga, "update public.servers set name = 'Waits' where id = it.id('waiting')"),
        (Persona::Ada, "update public.servers set description = 'mine' where id = it.id('free')"),
        (
            Persona::Olga,
            "insert into public.reports (server_id, comment_id, reporter_id, reason, status)
             values (it.id('free'), it.id('whisper'), it.id('olga'), 'spam', 'pending')",
        ),
        (
            Persona::Olga,
            "insert into public.reports (server_id, reporter_id, reason, status)
             values (it.id('open'), it.id('olga'), 'spam', 'pending')",
        ),
        (
            Persona::Olga,
            "insert into public.reviews (server_id, rating, comment) values (it.id('free'), 1, 'rude')",
        ),
        (
            Persona::Olga,
            "update public.reviews set rating = 2 where server_id = it.id('free') and user_id = it.id('olga')",
        ),
    ] {
        stage.act(persona, sql).await.expect(sql);
    }
    let expected =
        ["edit Open", "report Nobody's", "report Open", "review Nobody's", "server Waiting"];
    assert_eq!(waiting(&stage).await, expected);
    let about =
        "select array_agg(kind || ' ' || coalesce(p.username, '?') order by kind, p.username)
        from public.moderation_cases as c left join public.profiles as p on p.id = c.person_id";
    assert_eq!(
        stage.value::<Vec<String>>(about).await,
        ["edit olga", "report olga", "report stan", "review olga", "server olga"]
    );
}

#[tokio::test]
async fn concurrent_second_decision_is_refused_with_decider() {
    let stage = Stage::new().await;
    let mut first = stage.acting(Persona::Ada).await;
    sqlx::query(DECIDE_REPORT).execute(&mut *first).await.expect("decided");
    let second = "select public.decide_case(c.id, 'dismissed')
        from (select id from public.moderation_cases where kind = 'report' limit 1) as c";
    let (refused, ()) = tokio::join!(named_refusal(&stage, Persona::Fanny, second), async {
        stage.until_somebody_waits().await;
        first.commit().await.expect("committed");
    });
    assert_eq!(refused, ["P0001", "case_decided", "ada"]);
    assert_eq!(stage.value::<String>(OPENS_STATE).await, "suspended Too many links");
    let report =
        "select status || ' ' || resolution_note from public.reports where id = it.id('report')";
    assert_eq!(stage.value::<String>(report).await, "resolved Too many links");
}

#[tokio::test]
async fn decision_must_fit_case_and_state_reason() {
    let stage = Stage::new().await;
    for (sql, refusal) in [
        (
            "select public.decide_case(id, 'hidden', 'spam', 'why') from public.moderation_cases where kind = 'report'",
            "",
        ),
        (
            "select public.decide_case(id, 'approved') from public.moderation_cases where kind = 'report'",
            "",
        ),
        (
            "select public.decide_case(id, null) from public.moderation_cases where kind = 'report'",
            "",
        ),
        (
            "select public.decide_case(id, 'refused', 'spam', ' ') from public.moderation_cases where kind = 'server'",
            "reason_missing",
        ),
        (
            "select public.decide_case(id, 'refused', null, 'why') from public.moderation_cases where kind = 'server'",
            "reason_missing",
        ),
        (
            "select public.decide_case(id, 'dismissed', null, null, 'warning')
             from public.moderation_cases where kind = 'report'",
            "reason_missing",
        ),
        (
            "select public.decide_case(id, 'dismissed', 'spam', 'why', 'scolding')
             from public.moderation_cases where kind = 'report'",
            "",
        ),
        (
            "select public.decide_case(id, 'dismissed', 'spam', 'why', 'ban', 4000)
             from public.moderation_cases where kind = 'report'",
            "",
        ),
    ] {
        let [code, detail, _] = named_refusal(&stage, Persona::Ada, sql).await;
        assert_eq!([code.as_str(), detail.as_str()], ["22023", refusal], "{sql}");
    }
    let unknown =
        stage.act(Persona::Ada, "select public.decide_case(it.id('case'), 'approved')").await;
    assert_eq!(unknown, Err(Refusal::new("PT404", "Case not found")));
    let outcome = stage
        .act(
            Persona::Ada,
            "select public.decide_case(id, 'refused', 'whim', 'why') from public.moderation_cases where kind = 'server'",
        )
        .await;
    assert_eq!(outcome.expect_err("no such reason").code, "23514");
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
}

#[tokio::test]
async fn changed_refused_listing_awaits_review_again() {
    let stage = Stage::new().await;
    let state = "select concat_ws(' ', public.server_state(s), s.moderation_reason)
        from public.servers as s where id = it.id('waiting')";
    let decide = "select public.decide_case(id, 'refused', 'rules', 'No address')
        from public.moderation_cases where kind = 'server' and decision is null";
    done(&stage, Persona::Ada, decide).await;
    assert_eq!(stage.value::<String>(state).await, "refused No address");
    assert_eq!(waiting(&stage).await, ["report Open"]);
    let change = "update public.servers set description = 'better' where id = it.id('waiting')";
    done(&stage, Persona::Olga, change).await;
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    let approve = "select public.decide_case(id, 'approved')
        from public.moderation_cases where kind = 'server' and decision is null";
    done(&stage, Persona::Fanny, approve).await;
    assert_eq!(stage.value::<String>(state).await, "shown");
}

#[tokio::test]
async fn decisions_in_the_listings_settle_the_case() {
    let stage = Stage::new().await;
    let refuse = "select public.judge_server(it.id('waiting'), 'refuse', 'waiting', 'No address')";
    done(&stage, Persona::Ada, refuse).await;
    let decision = "select concat_ws(' ', decision, reason, statement, told_at is null)
        from public.moderation_cases where kind = 'server'";
    assert_eq!(stage.value::<String>(decision).await, "refused other No address t");
    let suspend = "select public.judge_server(it.id('open'), 'suspend', 'shown', 'Links')";
    done(&stage, Persona::Ada, suspend).await;
    let standing = "select count(*) from public.moderation_cases
        where decision = 'disabled' and server_id = it.id('open') and taken_back_at is null";
    assert_eq!(stage.value::<i64>(standing).await, 1);
    done(&stage, Persona::Ada, "select public.judge_server(it.id('open'), 'restore', 'suspended')")
        .await;
    assert_eq!(stage.value::<i64>(standing).await, 0);
    done(&stage, Persona::Ada, "select public.resolve_report(it.id('report'), 'dismissed')").await;
    assert_eq!(waiting(&stage).await, Vec::<String>::new());
}

#[tokio::test]
async fn approval_outside_the_queue_decides_the_case() {
    let stage = Stage::new().await;
    let approve = "select public.judge_server(it.id('waiting'), 'approve', 'waiting')";
    done(&stage, Persona::Ada, approve).await;
    let decision = "select concat_ws(' ', decision, decided_by = it.id('ada'), told_at is null)
        from public.moderation_cases where kind = 'server'";
    assert_eq!(stage.value::<String>(decision).await, "approved t t");
}

#[tokio::test]
async fn undone_decision_restores_the_previous_state() {
    let stage = Stage::new().await;
    let decide =
        "select public.decide_case(id, 'disabled', 'spam', 'Too many links', 'warning', 30)
        from public.moderation_cases where kind = 'report' and decision is null";
    let undo = "select public.undo_decision(id) from public.moderation_cases
        where kind = 'report' and decision is not null and taken_back_at is null";
    done(&stage, Persona::Ada, decide).await;
    let warnings = "select concat_ws(' ', w.is_active, s.warnings)
        from public.user_warnings as w inner join public.servers as s on s.id = w.server_id
        where w.reason = 'Too many links'";
    assert_eq!(stage.value::<String>(warnings).await, "t 1");
    done(&stage, Persona::Fanny, undo).await;
    assert_eq!(stage.value::<String>(OPENS_STATE).await, "shown");
    assert_eq!(stage.value::<String>(warnings).await, "f 0");
    let report = "select status::text from public.reports where id = it.id('report')";
    assert_eq!(stage.value::<String>(report).await, "pending");
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    let again = "select public.undo_decision(id) from public.moderation_cases
        where kind = 'report' and decision is not null";
    assert_eq!(
        named_refusal(&stage, Persona::Ada, again).await,
        ["P0001", "case_taken_back", "fanny"]
    );
    let open = "select public.undo_decision(id) from public.moderation_cases where decision is null limit 1";
    assert_eq!(stage.act(Persona::Ada, open).await.expect_err("open").code, "22023");
}

#[tokio::test]
async fn undone_approval_or_refusal_reopens_the_case() {
    let stage = Stage::new().await;
    let state = "select public.server_state(s) || ' ' || (
            select count(*) from public.moderation_marks where subject_id = s.id and decision = 'server_refused'
        ) from public.servers as s where id = it.id('waiting')";
    let undo = "select public.undo_decision(id) from public.moderation_cases
        where kind = 'server' and decision is not null and taken_back_at is null";
    for (decide, decided) in [
        (
            "select public.decide_case(id, 'approved') from public.moderation_cases
             where kind = 'server' and decision is null",
            "shown 0",
        ),
        (
            "select public.decide_case(id, 'refused', 'rules', 'why') from public.moderation_cases
             where kind = 'server' and decision is null",
            "refused 1",
        ),
    ] {
        done(&stage, Persona::Ada, decide).await;
        assert_eq!(stage.value::<String>(state).await, decided);
        done(&stage, Persona::Ada, undo).await;
        assert_eq!(stage.value::<String>(state).await, "waiting 0");
        assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    }
}

#[tokio::test]
async fn reverted_edit_is_restored_by_undo() {
    let stage = Stage::new().await;
    let case_row =
        "select concat_ws(' ', name, description) from public.servers where id = it.id('open')";
    for change in [
        "update public.servers set description = 'first' where id = it.id('open')",
        "update public.servers set name = 'Opened', description = 'second' where id = it.id('open')",
    ] {
        done(&stage, Persona::Olga, change).await;
    }
    let decide = "select public.decide_case(id, 'reverted', 'deceptive', 'Not your name')
        from public.moderation_cases where kind = 'edit' and decision is null";
    done(&stage, Persona::Ada, decide).await;
    assert_eq!(stage.value::<String>(case_row).await.trim(), "Open");
    let undo = "select public.undo_decision(id) from public.moderation_cases
        where kind = 'edit' and decision is not null and taken_back_at is null";
    done(&stage, Persona::Ada, undo).await;
    assert_eq!(stage.value::<String>(case_row).await, "Opened second");
    // Undoing a decision keeps what the owner wrote after it.
    done(&stage, Persona::Ada, decide).await;
    let since = "update public.servers set description = 'third' where id = it.id('open')";
    done(&stage, Persona::Olga, since).await;
    done(&stage, Persona::Ada, undo).await;
    assert_eq!(stage.value::<String>(case_row).await, "Open third");
}

#[tokio::test]
async fn hiding_a_review_resolves_its_reports_and_case() {
    let stage = Stage::new().await;
    for sql in [
        "insert into public.reviews (server_id, rating, comment) values (it.id('free'), 1, 'rude')",
        "insert into public.reports (comment_id, reporter_id, reason, status)
         select id, user_id, 'spam', 'pending' from public.reviews where comment = 'rude'",
    ] {
        done(&stage, Persona::Olga, sql).await;
    }
    assert_eq!(
        waiting(&stage).await,
        ["report Nobody's", "report Open", "review Nobody's", "server Waiting"]
    );
    let decide = "select public.decide_case(id, 'hidden', 'harassment', 'Rude')
        from public.moderation_cases where kind = 'review' and decision is null";
    done(&stage, Persona::Ada, decide).await;
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    let hidden = "select is_hidden from public.reviews where comment = 'rude'";
    assert!(stage.value::<bool>(hidden).await);
    // Deleting a review deletes its pending cases and keeps the decided ones.
    done(&stage, Persona::Olga, "delete from public.reviews where comment = 'rude'").await;
    let decided = "select count(*) from public.moderation_cases where person_id = it.id('olga') and decision = 'hidden'";
    assert_eq!(stage.value::<i64>(decided).await, 1);
}

#[tokio::test]
async fn deleted_subjects_leave_no_case() {
    let stage = Stage::new().await;
    stage
        .run(
            "insert into public.reports (comment_id, reporter_id, reason)
             values (it.id('review'), it.id('olga'), 'spam');",
        )
        .await;
    assert_eq!(waiting(&stage).await, ["report Open", "report Open", "server Waiting"]);
    done(&stage, Persona::Stan, "delete from public.reviews where id = it.id('review')").await;
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    stage.run("delete from public.servers where id in (it.id('open'), it.id('waiting'))").await;
    assert_eq!(waiting(&stage).await, Vec::<String>::new());
}

const APPEAL: &str =
    "select public.appeal_decision((select id from public.get_my_decisions()), 'They are mine')";

const DECIDE_APPEAL: &str = "select public.decide_case(id, 'overturned', null, 'Indeed')
    from public.moderation_cases where kind = 'appeal'";

#[tokio::test]
async fn appeal_is_decided_by_another_administrator() {
    let stage = Stage::new().await;
    done(&stage, Persona::Ada, DECIDE_REPORT).await;
    let read = "select to_jsonb(d) - 'id' - 'decided_at' - 'appealed_at' from public.get_my_decisions() as d";
    let mut olga = stage.acting(Persona::Olga).await;
    let decision: Value = sqlx::query_scalar(read).fetch_one(&mut *olga).await.expect("hers");
    olga.rollback().await.expect("read");
    assert_eq!(
        decision,
        json!({
            "kind": "report", "label": "Open", "decision": "disabled", "sanction": null, "until": null,
            "reason": "spam", "statement": "Too many links", "taken_back_at": null, "appeal": null,
            "appeal_decision": null, "appeal_statement": null,
        })
    );
    let not_hers = "select public.appeal_decision(id, 'why') from (
            select id from it.cases limit 1
        ) as c";
    stage
        .run(
            "create table it.cases as select id from public.moderation_cases where decision is not null;
             grant select on it.cases to authenticated;",
        )
        .await;
    assert_eq!(
        stage.act(Persona::Stan, not_hers).await,
        Err(Refusal::new("PT404", "There is no decision to appeal"))
    );
    let empty = "select public.appeal_decision((select id from public.get_my_decisions()), ' ')";
    assert_eq!(stage.act(Persona::Olga, empty).await.expect_err("empty").code, "23514");
    done(&stage, Persona::Olga, APPEAL).await;
    assert_eq!(
        named_refusal(&stage, Persona::Olga, APPEAL).await,
        ["P0001", "already_appealed", ""]
    );
    assert_eq!(waiting(&stage).await, ["appeal Open", "server Waiting"]);
    assert_eq!(
        named_refusal(&stage, Persona::Ada, DECIDE_APPEAL).await,
        ["P0001", "appeal_of_own_decision", ""]
    );
    done(&stage, Persona::Fanny, DECIDE_APPEAL).await;
    assert_eq!(stage.value::<String>(OPENS_STATE).await, "shown");
    let answered = "select concat_ws(' ', d.decision, d.taken_back_at is not null, a.decision, a.statement)
        from public.moderation_cases as a inner join public.moderation_cases as d on d.id = a.appeal_of";
    assert_eq!(stage.value::<String>(answered).await, "disabled t overturned Indeed");
}

#[tokio::test]
async fn sole_moderators_judge_appeals_against_themselves() {
    let stage = Stage::new().await;
    stage
        .run("update public.profiles set is_banned = true where username in ('fanny', 'second')")
        .await;
    done(&stage, Persona::Ada, DECIDE_REPORT).await;
    done(&stage, Persona::Olga, APPEAL).await;
    done(&stage, Persona::Ada, DECIDE_APPEAL).await;
    assert_eq!(stage.value::<String>(OPENS_STATE).await, "shown");
}

#[tokio::test]
async fn undone_decision_closes_its_appeal() {
    let stage = Stage::new().await;
    done(&stage, Persona::Ada, DECIDE_REPORT).await;
    done(&stage, Persona::Olga, APPEAL).await;
    let undo = "select public.undo_decision(id) from public.moderation_cases where kind = 'report' and decision is not null";
    done(&stage, Persona::Ada, undo).await;
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
}

#[tokio::test]
async fn direct_ban_sets_expiry_and_can_be_undone() {
    let stage = Stage::new().await;
    let ban = "select public.sanction_account(it.id('stan'), 'ban', 'cheating', 'Bought votes', 7)";
    done(&stage, Persona::Ada, ban).await;
    assert_eq!(named_refusal(&stage, Persona::Ada, ban).await, ["P0001", "already_banned", ""]);
    let state = "select concat_ws(' ', p.is_banned, p.ban_reason, p.banned_until = u.banned_until,
            p.banned_until > now() + interval '6 days')
        from public.profiles as p inner join auth.users as u on u.id = p.id where p.id = it.id('stan')";
    assert_eq!(stage.value::<String>(state).await, "t Bought votes t t");
    let undo =
        "select public.undo_decision(id) from public.moderation_cases where kind = 'account'";
    done(&stage, Persona::Ada, undo).await;
    assert_eq!(stage.value::<String>(state).await, "f");
    assert_eq!(waiting(&stage).await, ["report Open", "server Waiting"]);
    for (persona, sql, code) in [
        (
            Persona::Ada,
            "select public.sanction_account(it.id('fanny'), 'ban', 'rules', 'why')",
            "42501",
        ),
        (
            Persona::Ada,
            "select public.sanction_account(it.id('stan'), 'ban', 'rules', '')",
            "22023",
        ),
        (
            Persona::Ada,
            "select public.sanction_account(it.id('stan'), null, 'rules', 'why')",
            "22023",
        ),
        (Persona::Ada, "select public.ban_user(it.id('stan'), 'why', now())", "22023"),
    ] {
        assert_eq!(stage.act(persona, sql).await.expect_err(sql).code, code, "{sql}");
    }
}

#[tokio::test]
async fn expired_bans_and_warnings_end() {
    let stage = Stage::new().await;
    for sql in [
        "select public.sanction_account(it.id('stan'), 'ban', 'cheating', 'why', 7)",
        "select public.sanction_account(it.id('olga'), 'ban', 'cheating', 'why')",
        "select public.warn_user(it.id('olga'), 'brief', it.id('open'), now() + interval '1 day')",
    ] {
        done(&stage, Persona::Ada, sql).await;
    }
    let ended = "select public.end_bans(now() + interval '6 days', 10) || ' '
        || public.end_warnings(now() + interval '1 hour', 10)";
    assert_eq!(stage.committed::<String>(ended).await, "0 0");
    let ended = "select public.end_bans(now() + interval '8 days', 10) || ' '
        || public.end_warnings(now() + interval '2 days', 10)";
    assert_eq!(stage.committed::<String>(ended).await, "1 1");
    assert_eq!(stage.committed::<String>(ended).await, "0 0");
    let state = "select string_agg(concat_ws(' ', p.username, p.is_banned, u.banned_until is null), ', ' order by 1)
        from public.profiles as p inner join auth.users as u on u.id = p.id
        where p.username in ('stan', 'olga')";
    assert_eq!(stage.value::<String>(state).await, "olga t f, stan f t");
    let warnings = "select s.warnings || ' ' || w.is_active from public.user_warnings as w
        inner join public.servers as s on s.id = w.server_id where w.reason = 'brief'";
    assert_eq!(stage.value::<String>(warnings).await, "0 false");
    let marks = "select count(*) from public.moderation_marks where account_id = it.id('stan')";
    assert_eq!(stage.value::<i64>(marks).await, 0);
}

#[tokio::test]
async fn addresses_are_banned_by_vote_or_account() {
    let stage = Stage::new().await;
    let by_account = "select public.ban_addresses(p_user_id => it.id('stan'), p_reason => 'why',
        p_expires_at => now() + interval '1 day')";
    stage.run("update public.votes set ip_hash = repeat('a', 64) where id = it.id('vote')").await;
    stage.run("update public.votes set ip_hash = null where id = it.id('guest vote')").await;
    done(&stage, Persona::Ada, by_account).await;
    let bans = "select concat_ws(' ', count(*), bool_and(banned_by = it.id('ada')), bool_and(expires_at > now()))
        from public.ip_bans where ip_hash = repeat('a', 64)";
    assert_eq!(stage.value::<String>(bans).await, "1 t t");
    let ban_addresses = "select public.ban_addresses(p_vote_id => it.id('guest vote'))";
    assert_eq!(
        stage.act(Persona::Ada, ban_addresses).await,
        Err(Refusal::new("PT404", "No address is kept any more"))
    );
    assert_eq!(
        stage.act(Persona::Ada, "select public.ban_addresses()").await.expect_err("nobody").code,
        "22023"
    );
    assert_eq!(
        stage
            .act(Persona::Ada, "select public.ban_addresses(p_user_id => it.id('fanny'))")
            .await
            .expect_err("above")
            .code,
        "42501"
    );
}

#[tokio::test]
async fn moderation_case_shows_context_without_addresses() {
    let stage = Stage::new().await;
    stage
        .run(
            "update public.votes set ip_hash = repeat('a', 64);
             update public.votes set user_id = it.id('boris') where id = it.id('guest vote');
             insert into auth.sessions (id, user_id, ip)
             values (it.id('one'), it.id('olga'), '203.0.113.9'), (it.id('two'), it.id('second'), '203.0.113.9');",
        )
        .await;
    let read =
        "select public.get_moderation_case(id) from public.moderation_cases where kind = 'report'";
    let mut ada = stage.acting(Persona::Ada).await;
    let case: Value = sqlx::query_scalar(read).fetch_one(&mut *ada).await.expect("a case");
    assert_eq!(case["server"]["name"], "Open");
    assert_eq!(case["reports"][0]["reporter"], "stan");
    assert_eq!(case["person"]["username"], "olga");
    assert_eq!(case["person"]["warnings"][0]["reason"], "first");
    assert_eq!(case["person"]["same_address"][0]["username"], "second");
    let person = "select public.get_moderated_person(it.id('stan'))";
    let stan: Value = sqlx::query_scalar(person).fetch_one(&mut *ada).await.expect("a person");
    assert_eq!(stan["same_address"][0]["username"], "boris");
    let case_and_persona = format!("{case} {stan}");
    for secret in ["203.0.113", "aaaa", "@example.test", "ip_hash"] {
        assert!(!case_and_persona.contains(secret), "{secret}: {case_and_persona}");
    }
}

#[tokio::test]
async fn closed_registration_rejects_new_accounts() {
    let stage = Stage::new().await;
    let sign_up =
        "select public.refuse_taken_username(jsonb_build_object('user', jsonb_build_object(
        'id', it.id('newcomer'), 'app_metadata', jsonb_build_object('provider', 'google'),
        'user_metadata', jsonb_build_object('name', 'Newcomer'))))";
    assert_eq!(stage.value::<Value>(sign_up).await, json!({}));
    let close = "update public.site_settings set setting_value = 'false' where setting_key = 'registration_open'";
    assert_eq!(stage.act(Persona::Olga, close).await, Ok(0));
    done(&stage, Persona::Ada, close).await;
    let refusal = json!({"error": {"http_code": 422, "message": "signup_disabled"}});
    assert_eq!(stage.value::<Value>(sign_up).await, refusal);
}
