use compat_pg::{DatabaseError, PgError};
use http::StatusCode;

use super::*;

/// A refusal with its status, code and message.
pub(super) type ExpectedRefusal<R> = (R, u16, &'static str, &'static str);

/// Checks that the table has every variant in the enum's source, each with its status, code and
/// message.
pub(super) fn check<R: std::fmt::Debug + std::fmt::Display>(
    table: &[ExpectedRefusal<R>],
    facts: impl Fn(&R) -> (StatusCode, &'static str),
    source: &str,
    name: &str,
) {
    for (refusal, status, code, text) in table {
        let (actual_status, actual_code) = facts(refusal);
        assert_eq!((actual_status.as_u16(), actual_code), (*status, *code), "{refusal:?}");
        assert_eq!(refusal.to_string(), *text, "{refusal:?}");
    }
    let named = |row: &ExpectedRefusal<R>| {
        format!("{:?}", row.0).chars().take_while(|c| c.is_alphanumeric()).collect::<String>()
    };
    let messages: Vec<String> = table.iter().map(named).collect();
    for variant in variants(source, name) {
        assert!(messages.contains(&variant), "{name}::{variant} is not in the table");
    }
}

/// A database fault with this PostgreSQL error code.
pub(super) fn raised(code: &str) -> Fault {
    let refusal = DatabaseError {
        code: code.to_owned(),
        message: "no".to_owned(),
        detail: None,
        hint: None,
        position: None,
        context: None,
        schema: None,
        table: None,
        column: None,
        constraint: None,
        routine: None,
    };
    Fault::Database {
        context: "Database error saving new user".into(),
        source: PgError::from(refusal),
    }
}

/// The names of an enum's variants, read from its source.
pub(super) fn variants(source: &str, name: &str) -> Vec<String> {
    let body = source.split_once(&format!("pub enum {name} {{")).expect("the enum").1;
    let body = body.split_once("\n}").expect("its end").0;
    let variant = |line: &str| {
        let rest = line.strip_prefix("    ")?;
        rest.starts_with(|c: char| c.is_ascii_uppercase())
            .then(|| rest.chars().take_while(|c| c.is_alphanumeric()).collect())
    };
    body.lines().filter_map(variant).collect()
}

#[test]
fn hook_error_keeps_only_client_error_status() {
    let refused = |status| AuthError::Hook { status, message: "no".to_owned() };
    assert_eq!(refused(403).facts(), (StatusCode::FORBIDDEN, "unknown"));
    assert_eq!(refused(200).facts(), (StatusCode::INTERNAL_SERVER_ERROR, "unexpected_failure"));
    assert_eq!(refused(403).to_string(), "no");
}

#[test]
fn only_our_own_faults_are_logged() {
    assert!(AuthError::from(raised("P0001")).is_ours());
    assert!(!AuthError::from(SignInRefusal::InvalidCredentials).is_ours());
}

#[test]
fn a_nested_refusal_keeps_its_cause() {
    let error = AuthError::from(raised("P0001"));
    let cause = std::error::Error::source(&error).expect("a cause");
    assert!(cause.to_string().contains("no"), "{cause}");
}

#[test]
fn an_id_that_is_none_is_missing() {
    let (status, code) = AuthError::from(InvalidRequest::NotUuid("user_id")).facts();
    assert_eq!((status.as_u16(), code), (404, "validation_failed"));
}
