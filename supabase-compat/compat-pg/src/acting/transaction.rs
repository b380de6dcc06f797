//! A caller's transaction of several statements.

use compat_fair_semaphore::Permit;

use super::lease::Lease;
use super::{ActingDb, Identity, Row, Statement, TransactionOptions, pipeline, refuse_none};
use crate::{DatabaseError, PgError};

/// A transaction in which a caller acts: role, claims and request facts are set together with its
/// first statement, and row security applies to them all.
///
/// A connection is held from the first statement on. Dropped without an end, everything is taken
/// back before anyone else gets the connection, and what still runs is cancelled.
#[derive(Debug)]
pub struct Acting<'a> {
    db: &'a ActingDb,
    options: TransactionOptions<'a>,
    identity: Identity<'a>,
    lease: Option<Lease>,
    /// Behind the lease, so that it is released after it.
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

    /// Runs a statement, in one round trip. After a failure the transaction is only good to be
    /// rolled back: the server refuses further statements with SQLSTATE 25P02.
    ///
    /// # Errors
    /// The server's refusal; [`PgError::Protocol`] when a statement ended the transaction by
    /// itself, or one before was not waited for.
    pub async fn run(&mut self, statement: Statement<'_>) -> Result<Vec<Row>, PgError> {
        let Some(lease) = &mut self.lease else { return self.begin(statement).await };
        // Behind its transaction the statement would run as the login.
        if !lease.wire.is_in_block() || !lease.wire.is_answered() {
            return Err(over());
        }
        pipeline::run_in_block(lease, self.identity.role, statement, self.db.prepared).await
    }

    /// Makes what follows in the transaction another caller's: role, claims and request facts are
    /// set anew. What the one before has written is there for it, as far as row security lets it.
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

    /// Keeps what was done.
    ///
    /// # Errors
    /// A deferred constraint refuses, or a statement had failed: then nothing is kept. When the
    /// connection is lost meanwhile, nobody knows.
    pub async fn commit(mut self) -> Result<(), PgError> {
        let Some(lease) = &mut self.lease else { return Ok(()) };
        if !lease.wire.is_in_block() || !lease.wire.is_answered() {
            return Err(over());
        }
        // To the server, ending a failed block is a success, whatever the word for it.
        let failed = lease.wire.is_failed();
        pipeline::end(lease, !failed, self.db.prepared).await?;
        if failed { Err(aborted().into()) } else { Ok(()) }
    }

    /// Takes back what was done and waits until that is so.
    ///
    /// # Errors
    /// [`PgError::Unavailable`] when the connection is lost; then it is taken back, too.
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

/// What the server says of a transaction that had failed.
fn aborted() -> DatabaseError {
    DatabaseError {
        code: "25P02".to_owned(),
        message: "current transaction is aborted, nothing of it is kept".to_owned(),
        ..DatabaseError::default()
    }
}
