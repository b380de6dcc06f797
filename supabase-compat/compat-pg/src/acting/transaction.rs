//! A caller's transaction of several statements.

use compat_fair_semaphore::Permit;

use super::lease::Lease;
use super::{ActingDb, Identity, Row, Statement, TransactionOptions, pipeline, refuse_none};
use crate::{DatabaseError, PgError};

/// A transaction in which a caller acts: role, claims and request facts are set together with its
/// first statement, and row security applies to all statements.
///
/// The transaction holds a connection from its first statement on. If it is dropped before its end,
/// it is rolled back before the connection is used again, and a statement that still runs is
/// cancelled.
#[derive(Debug)]
pub struct Acting<'a> {
    db: &'a ActingDb,
    options: TransactionOptions<'a>,
    identity: Identity<'a>,
    lease: Option<Lease>,
    /// Declared after the lease, so that it is released after it.
    permit: Option<Permit>,
}

impl<'a> Acting<'a> {
    pub(super) fn new(
        db: &'a ActingDb,
        options: TransactionOptions<'a>,
        identity: Identity<'a>,
    ) -> Self {
        Self { db, options, identity, lease: None, permit: None }
    }

    /// Runs a statement in one round trip. After a failure the transaction can only be rolled back:
    /// the server refuses further statements with SQLSTATE 25P02.
    ///
    /// # Errors
    /// The server's refusal; [`PgError::Protocol`] if a statement ended the transaction, or if the
    /// future of an earlier statement was dropped.
    pub async fn run(&mut self, statement: Statement<'_>) -> Result<Vec<Row>, PgError> {
        let Some(lease) = &mut self.lease else { return self.begin(statement).await };
        // After the end of its transaction, the statement would run as the login.
        if !lease.wire.is_in_block() || !lease.wire.is_answered() {
            return Err(over());
        }
        pipeline::run_in_block(lease, self.identity.role, statement, self.db.prepared).await
    }

    /// Switches the transaction to another caller: role, claims and request facts are set anew. The
    /// new caller sees what was written before, as far as row security allows.
    ///
    /// # Errors
    /// The server's refusal, and the errors of [`Self::run`].
    pub async fn act_as(&mut self, identity: &Identity<'a>) -> Result<(), PgError> {
        refuse_none(identity)?;
        self.identity = *identity;
        let Some(lease) = &mut self.lease else { return Ok(()) };
        if !lease.wire.is_in_block() || !lease.wire.is_answered() {
            return Err(over());
        }
        pipeline::settle(lease, identity, self.db.guarded, self.db.prepared).await
    }

    async fn begin(&mut self, statement: Statement<'_>) -> Result<Vec<Row>, PgError> {
        let work = self.db.work(&self.options, &self.identity, statement)?;
        self.permit = self.db.permit(&self.identity).await?;
        let mut tries = 1;
        loop {
            let lease = self.lease.insert(self.db.lease().await?);
            let answer = pipeline::begin(lease, work, self.db.prepared).await;
            if !self.db.is_worth_another_try(&answer, lease, work.identity.read_only, tries) {
                return answer;
            }
            tries += 1;
        }
    }

    /// Commits the transaction.
    ///
    /// # Errors
    /// A deferred constraint refuses, or a statement had failed: then nothing is kept. If the
    /// connection is lost meanwhile, the outcome is unknown.
    pub async fn commit(mut self) -> Result<(), PgError> {
        let Some(lease) = &mut self.lease else { return Ok(()) };
        if !lease.wire.is_in_block() || !lease.wire.is_answered() {
            return Err(over());
        }
        // The server reports success for the end of a failed block, be it by `commit` or by
        // `rollback`.
        let failed = lease.wire.is_failed();
        pipeline::end(lease, !failed, self.db.prepared).await?;
        if failed { Err(aborted().into()) } else { Ok(()) }
    }

    /// Rolls the transaction back and waits for the server's answer.
    ///
    /// # Errors
    /// [`PgError::Unavailable`] when the connection is lost; the server then rolls back, too.
    pub async fn rollback(mut self) -> Result<(), PgError> {
        match &mut self.lease {
            Some(lease) if lease.wire.is_in_block() && lease.wire.is_answered() => {
                pipeline::end(lease, false, self.db.prepared).await
            }
            _ => Ok(()),
        }
    }
}

fn over() -> PgError {
    PgError::Protocol("the caller's transaction is over".into())
}

/// The error that the server reports for a failed transaction.
fn aborted() -> DatabaseError {
    DatabaseError {
        code: "25P02".to_owned(),
        message: "current transaction is aborted, nothing of it is kept".to_owned(),
        ..DatabaseError::default()
    }
}
