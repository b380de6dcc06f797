//! The SQL statements around a caller's statement. They are fixed and few, so a connection keeps
//! them all prepared and finds them without building or hashing a text.
//!
//! Messages up to one synchronisation point form an implicit transaction, so a transaction block is
//! opened only where one is needed: for another isolation level, or for a rollback at the end.

use std::borrow::Cow;

use super::Isolation;
use super::statements::PreparedStatement;

/// The settings that every transaction makes, in this order. The role comes before the caller's
/// extra settings, so that those are made with the caller's rights.
const SETTINGS: &str = "set_config('search_path', $1, true), \
     set_config('request.jwt.claims', $2, true), set_config('request.method', $3, true), \
     set_config('request.path', $4, true), set_config('request.headers', $5, true), \
     set_config('request.cookies', $6, true), ";

/// How many parameters [`SETTINGS`] and the role have together.
const FIXED: usize = 7;

/// Sets the role, for the login `authenticator`, which may become the API roles only.
const ROLE: &str = "set_config('role', $7, true)";

/// Sets the role, for a login with more rights: a role that `authenticator` may not become is
/// replaced by a name that no role has, so the server refuses it.
const GUARDED_ROLE: &str = "set_config('role', case \
     when pg_has_role('authenticator', $7::text::name, 'member') then $7 \
     else $7 || ' (forbidden)' end, true)";

/// Makes the transaction read-only. It is a setting because no `begin` comes before the settings.
const READ_ONLY: &str = "set_config('transaction_read_only', 'on', true), ";

/// One of the SQL statements around a caller's statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionStatement {
    /// Opens the transaction.
    Begin { isolation: Isolation },
    /// Makes the settings; `extra` is how many further ones the caller chose. `guarded` is for a
    /// login that has more rights than `authenticator`.
    Settings { read_only: bool, extra: usize, guarded: bool },
    /// Checks every deferred constraint, as a commit would.
    Check,
    /// Ends the transaction.
    End { commit: bool },
}

impl SessionStatement {
    pub fn sql(self) -> Cow<'static, str> {
        match self {
            Self::Begin { isolation } => begin(isolation).into(),
            Self::Settings { read_only, extra, guarded } => {
                settings(read_only, extra, guarded).into()
            }
            Self::Check => "set constraints all immediate".into(),
            Self::End { commit: true } => "commit".into(),
            Self::End { commit: false } => "rollback".into(),
        }
    }
}

fn begin(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::Default => "begin",
        Isolation::ReadCommitted => "begin isolation level read committed",
        Isolation::RepeatableRead => "begin isolation level repeatable read",
        Isolation::Serializable => "begin isolation level serializable",
    }
}

fn settings(read_only: bool, extra: usize, guarded: bool) -> String {
    let read_only = if read_only { READ_ONLY } else { "" };
    let mut sql =
        format!("select {read_only}{SETTINGS}{}", if guarded { GUARDED_ROLE } else { ROLE });
    for index in 0..extra {
        let name = FIXED + 1 + 2 * index;
        sql.push_str(&format!(", set_config(${name}, ${}, true)", name + 1));
    }
    sql
}

/// The [`SessionStatement`]s that a connection has prepared.
#[derive(Default)]
pub(super) struct Frames(Vec<(SessionStatement, PreparedStatement)>);

impl Frames {
    pub fn get(&self, own: SessionStatement) -> Option<&PreparedStatement> {
        self.0.iter().find(|(known, _)| *known == own).map(|(_, statement)| statement)
    }

    pub fn put(&mut self, own: SessionStatement, statement: PreparedStatement) {
        self.0.push((own, statement));
    }

    /// Forgets all of them and returns their names.
    pub fn clear(&mut self) -> impl Iterator<Item = Box<str>> + '_ {
        self.0.drain(..).map(|(_, old)| old.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_callers_choice_follow_the_role() {
        let sql = SessionStatement::Settings { read_only: false, extra: 2, guarded: false }.sql();
        assert!(
            sql.ends_with(
                "set_config('role', $7, true), set_config($8, $9, true), set_config($10, $11, true)"
            ),
            "{sql}"
        );
        let guarded =
            SessionStatement::Settings { read_only: false, extra: 0, guarded: true }.sql();
        assert!(guarded.contains("pg_has_role('authenticator', $7"), "{guarded}");
    }
}
