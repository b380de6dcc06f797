//! The texts around a caller's statement: they are ours and few, so a connection keeps them all
//! and finds them without building or hashing a text.

use std::borrow::Cow;

use tokio_postgres::Statement;

use super::Isolation;

/// Settings every transaction makes, in this order; the role comes before those of the caller's
/// own choice, so that they are made with the caller's rights.
const SETTINGS: &str = "select set_config('search_path', $1, true), \
     set_config('request.jwt.claims', $2, true), set_config('request.method', $3, true), \
     set_config('request.path', $4, true), set_config('request.headers', $5, true), \
     set_config('request.cookies', $6, true), ";

/// How many parameters [`SETTINGS`] and the role take.
const FIXED: usize = 7;

/// Becoming the role, for the login that may become nothing else anyway.
const ROLE: &str = "set_config('role', $7, true)";

/// The same for a login that could become more: what the authenticator may not become turns into a
/// name that no role has, and is refused like one.
const GUARDED_ROLE: &str = "set_config('role', case \
     when pg_has_role('authenticator', $7::text::name, 'member') then $7 \
     else $7 || ' (forbidden)' end, true)";

/// One of the texts around a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// Opens the transaction.
    Begin { isolation: Isolation, read_only: bool },
    /// Makes the settings, so many of the caller's own choice among them. `guarded` is for a login
    /// that has more rights than `authenticator`.
    Settings { extra: usize, guarded: bool },
    /// Ends the transaction.
    End { commit: bool },
}

impl Own {
    pub fn sql(self) -> Cow<'static, str> {
        match self {
            Self::Begin { isolation, read_only } => begin(isolation, read_only).into(),
            Self::Settings { extra, guarded } => settings(extra, guarded).into(),
            Self::End { commit: true } => "commit".into(),
            Self::End { commit: false } => "rollback".into(),
        }
    }
}

fn begin(isolation: Isolation, read_only: bool) -> &'static str {
    match (isolation, read_only) {
        (Isolation::Default, false) => "begin read write",
        (Isolation::Default, true) => "begin read only",
        (Isolation::ReadCommitted, false) => "begin isolation level read committed read write",
        (Isolation::ReadCommitted, true) => "begin isolation level read committed read only",
        (Isolation::RepeatableRead, false) => "begin isolation level repeatable read read write",
        (Isolation::RepeatableRead, true) => "begin isolation level repeatable read read only",
        (Isolation::Serializable, false) => "begin isolation level serializable read write",
        (Isolation::Serializable, true) => "begin isolation level serializable read only",
    }
}

fn settings(extra: usize, guarded: bool) -> String {
    let mut sql = format!("{SETTINGS}{}", if guarded { GUARDED_ROLE } else { ROLE });
    for index in 0..extra {
        let name = FIXED + 1 + 2 * index;
        sql.push_str(&format!(", set_config(${name}, ${}, true)", name + 1));
    }
    sql
}

/// Those a connection has prepared.
#[derive(Default)]
pub(super) struct Frames(Vec<(Own, Statement)>);

impl Frames {
    pub fn get(&self, own: Own) -> Option<Statement> {
        self.0.iter().find(|(known, _)| *known == own).map(|(_, statement)| statement.clone())
    }

    pub fn put(&mut self, own: Own, statement: Statement) {
        self.0.push((own, statement));
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_callers_choice_follow_the_role() {
        let sql = Own::Settings { extra: 2, guarded: false }.sql();
        assert!(
            sql.ends_with(
                "set_config('role', $7, true), set_config($8, $9, true), set_config($10, $11, true)"
            ),
            "{sql}"
        );
        let guarded = Own::Settings { extra: 0, guarded: true }.sql();
        assert!(guarded.contains("pg_has_role('authenticator', $7"), "{guarded}");
    }
}
