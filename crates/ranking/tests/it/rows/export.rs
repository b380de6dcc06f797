//! The export of the data that the site keeps about a person.

use serde_json::Value;

use super::stage::{Persona, Stage};

const TAKE: &str = "select public.export_my_data()";

async fn exported(stage: &Stage, persona: Persona) -> Value {
    let mut person = stage.acting(persona).await;
    sqlx::query_scalar(TAKE).fetch_one(&mut *person).await.expect("an export")
}

/// The number of entries in a part of the export.
fn count(data: &Value, part: &str) -> usize {
    data[part].as_array().unwrap_or_else(|| panic!("{part}: {}", data[part])).len()
}

#[tokio::test]
async fn export_contains_only_the_persons_own_data() {
    let stage = Stage::new().await;
    let stan = exported(&stage, Persona::Stan).await;
    assert_eq!(stan["profile"]["username"], "stan");
    assert_eq!(stan["account"]["email"], "stan@example.test");
    for (part, entries) in [
        ("reviews", 4),
        ("votes", 1),
        ("reports", 1),
        ("tag_proposals", 1),
        ("servers", 0),
        ("answers", 0),
        ("payments", 0),
    ] {
        assert_eq!(count(&stan, part), entries, "{part}");
    }
    let reviews = stan["reviews"].as_array().expect("reviews");
    let answered: Vec<_> = reviews.iter().filter_map(|review| review["answer"].as_str()).collect();
    assert_eq!(answered, ["thanks"]);
    let all = stan.to_string();
    for foreign in ["olga", "ip_hash", "guest", "resolved_by", "reviewed_by"] {
        assert!(!all.contains(foreign), "{foreign}: {all}");
    }

    let olga = exported(&stage, Persona::Olga).await;
    for (part, entries) in [
        ("servers", 3),
        ("answers", 1),
        ("server_events", 3),
        ("webhooks", 1),
        ("votifier_configs", 1),
        ("payments", 2),
        ("payment_receipts", 1),
        ("prestige_pass_days", 1),
        ("arcade_spots", 1),
        ("warnings", 1),
        ("audit_log", 1),
        ("reviews", 0),
    ] {
        assert_eq!(count(&olga, part), entries, "{part}");
    }
    let all = olga.to_string();
    for secret in ["a long secret", "\"token\"", "stan", "issued_by"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
}

#[tokio::test]
async fn guests_export_nothing_and_banned_accounts_their_own() {
    let stage = Stage::new().await;
    let refusal = stage.act(Persona::Anon, TAKE).await.expect_err("refused");
    assert_eq!(refusal.code, "42501");
    assert_eq!(exported(&stage, Persona::Boris).await["profile"]["is_banned"], true);
}

/// Every column that refers to an account, with the part of the export that holds its rows. Columns
/// that name an acting moderator are in no part: their rows are not about the moderator.
const NAMED: [(&str, &str); 25] = [
    ("arcade_spots.booked_by", "arcade_spots"),
    ("ip_bans.banned_by", ""),
    ("moderation_cases.decided_by", ""),
    ("moderation_cases.person_id", "decisions"),
    ("moderation_cases.taken_back_by", ""),
    ("moderation_marks.decided_by", ""),
    ("owner_digests.user_id", "weekly_mails"),
    ("payments.user_id", "payments"),
    ("prestige_pass_days.user_id", "prestige_pass_days"),
    ("profiles.id", "profile"),
    ("push_subscriptions.user_id", "push_subscriptions"),
    ("refused_nicknames.refused_by", ""),
    ("reports.reporter_id", "reports"),
    ("reports.resolved_by", ""),
    ("reviews.user_id", "reviews"),
    ("security_events.user_id", "security_events"),
    ("servers.owner_id", "servers"),
    ("site_settings.updated_by", ""),
    ("tag_proposals.proposed_by", "tag_proposals"),
    ("tag_proposals.reviewed_by", ""),
    ("user_warnings.issued_by", ""),
    ("user_warnings.user_id", "warnings"),
    ("voided_votes.voided_by", ""),
    ("voter_totals.user_id", "vote_totals"),
    ("votes.user_id", "votes"),
];

#[tokio::test]
async fn no_table_that_names_an_account_is_forgotten() {
    let stage = Stage::new().await;
    let mut owner = stage.begin().await;
    let naming: Vec<String> = sqlx::query_scalar(
        "select c.relname || '.' || a.attname
         from pg_catalog.pg_constraint as k
         inner join pg_catalog.pg_class as c on c.oid = k.conrelid
         inner join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
         where k.contype = 'f' and c.relnamespace = 'public'::regnamespace
           and k.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)
         order by 1",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the columns");
    let known: Vec<&str> = NAMED.iter().map(|(column, _)| *column).collect();
    assert_eq!(naming, known);
    let data = exported(&stage, Persona::Stan).await;
    for (column, part) in NAMED {
        assert!(part.is_empty() || data.get(part).is_some(), "{column}: {part}");
    }
}
