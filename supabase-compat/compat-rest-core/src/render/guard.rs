//! Conditions that undo a write from inside its own statement.
//!
//! The whole request is one round trip, commit included, so the result cannot be checked before the
//! commit. The statement therefore counts its own rows and, if the count violates the request's
//! conditions, fails on purpose: it casts a text to an integer. The text comes back in the error
//! message.

use crate::sql::Sql;

/// The condition that was violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardViolation {
    /// Exactly one row was demanded.
    NotSingular { rows: i64 },
    /// More rows than `max-affected`.
    TooManyAffected { rows: i64 },
    /// The body of a PUT names another key than its URL.
    PutKey,
}

const SINGULAR: &str = "pgrst.guard.singular:";
const AFFECTED: &str = "pgrst.guard.affected:";
const PUT: &str = "pgrst.guard.put:";

/// What a statement demands of its own result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Guard {
    pub singular: bool,
    pub max_affected: Option<i64>,
    pub put: bool,
}

impl Guard {
    /// Writes the expression of the guard column.
    pub(super) fn write(self, sql: &mut Sql) {
        if !self.singular && !self.put && self.max_affected.is_none() {
            sql.push("NULL::integer");
            return;
        }
        sql.push("CASE");
        if self.put {
            sql.push(" WHEN count(*) <> 1 THEN ('pgrst.guard.put:' || count(*))::integer");
        }
        if self.singular {
            sql.push(" WHEN count(*) <> 1 THEN ('pgrst.guard.singular:' || count(*))::integer");
        }
        if let Some(most) = self.max_affected {
            sql.push(" WHEN count(*) > ").int(most);
            sql.push(" THEN ('pgrst.guard.affected:' || count(*))::integer");
        }
        sql.push(" END");
    }
}

/// Recognises a violated guard in the message of an error with SQLSTATE 22P02.
pub fn broken(message: &str) -> Option<GuardViolation> {
    let rows = |marker: &str| {
        let (_, rest) = message.split_once(marker)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<i64>().ok()
    };
    rows(SINGULAR)
        .map(|rows| GuardViolation::NotSingular { rows })
        .or_else(|| rows(AFFECTED).map(|rows| GuardViolation::TooManyAffected { rows }))
        .or_else(|| rows(PUT).map(|_| GuardViolation::PutKey))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guard_violation_is_parsed_from_error_message() {
        let message = "invalid input syntax for type integer: \"pgrst.guard.singular:3\"";
        assert_eq!(broken(message), Some(GuardViolation::NotSingular { rows: 3 }));
        assert_eq!(broken("invalid input syntax for type integer: \"x\""), None);
    }
}
