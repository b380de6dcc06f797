//! The unit of work of a request: the service's state, the request context, and the transaction
//! that its steps share.
//!
//! Locks are taken in one order, so that no two flows wait for each other: an address
//! ([`store::user::contact::lock_address`]), then an account's row ([`store::user::lock`]), then a
//! session's row ([`store::refresh_token::lock_session`]). A flow locks the address for which it
//! may create an account, the row by whose content it decides, and the session that it continues.
//! While a flow holds a lock, it calls nothing outside the database: an operator's hook may be
//! slow, and no other request could use the connection meanwhile.
//!
//! [`store::user::contact::lock_address`]: crate::store::user::contact::lock_address
//! [`store::user::lock`]: crate::store::user::lock
//! [`store::refresh_token::lock_session`]: crate::store::refresh_token::lock_session

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::Value;
use uuid::Uuid;

use crate::audit::{self, Action};
use crate::error::{AccountRefusal, AuthError};
use crate::model::{RequestContext, User};
use crate::state::State;
use crate::store;

/// The unit of work of a request. If it is dropped without [`UnitOfWork::commit`], its writes are
/// rolled back.
pub struct UnitOfWork<'a> {
    pub state: &'a State,
    pub context: &'a RequestContext,
    pub tx: Owner,
}

impl<'a> UnitOfWork<'a> {
    /// Begins the transaction.
    pub async fn begin(state: &'a State, context: &'a RequestContext) -> Result<Self, AuthError> {
        Ok(Self { state, context, tx: state.begin().await? })
    }

    /// Commits the transaction.
    ///
    /// # Errors
    /// An error of the database; nothing is committed then.
    pub async fn commit(self) -> Result<(), AuthError> {
        Ok(self.tx.commit().await?)
    }

    /// The current time, for the rows that are written.
    pub fn now(&self) -> DateTime<Utc> {
        self.state.now()
    }

    /// Records in the audit log that `user` did `action`.
    pub async fn record(
        &mut self,
        user: &User,
        action: Action,
        traits: Option<Value>,
    ) -> Result<(), AuthError> {
        audit::record(self.state, &mut self.tx, self.context, user, action, traits).await
    }

    /// Loads the current state of an account.
    ///
    /// # Errors
    /// [`AccountRefusal::UserNotFound`].
    pub async fn user(&mut self, id: Uuid) -> Result<User, AuthError> {
        let row = store::user::load(&mut self.tx, id).await?;
        row.ok_or(AuthError::Account(AccountRefusal::UserNotFound))
    }
}
