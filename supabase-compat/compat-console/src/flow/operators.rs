//! Managing operators. There is always at least one owner.

use uuid::Uuid;

use crate::error::ConsoleError;
use crate::model::Role;
use crate::state::ConsoleState;
use crate::store;
use crate::store::operator::OperatorLine;

/// An operator as other operators see them.
#[derive(Debug)]
pub(crate) struct OperatorSummary {
    pub id: Uuid,
    pub email: String,
    pub role: String,
    pub created_at: chrono::DateTime<chrono::Utc>,
    pub last_seen_at: Option<chrono::DateTime<chrono::Utc>>,
    pub has_second_factor: bool,
}

impl From<OperatorLine> for OperatorSummary {
    fn from(line: OperatorLine) -> Self {
        let OperatorLine { id, email, role, created_at, last_seen_at, has_second_factor } = line;
        Self { id, email, role, created_at, last_seen_at, has_second_factor }
    }
}

/// Every operator.
pub(crate) async fn list(state: &ConsoleState) -> Result<Vec<OperatorSummary>, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let lines = store::operator::list(&mut connection).await?;
    Ok(lines.into_iter().map(Into::into).collect())
}

/// Changes an operator's role.
pub(crate) async fn set_role(
    state: &ConsoleState,
    id: Uuid,
    role: Role,
) -> Result<(), ConsoleError> {
    let mut work = state.config().owner.begin().await?;
    store::operator::lock(&mut work).await?;
    if role != Role::Owner {
        must_leave_an_owner(&mut work, id).await?;
    }
    if !store::operator::set_role(&mut work, id, role.name()).await? {
        return Err(ConsoleError::NoOperator);
    }
    Ok(work.commit().await?)
}

/// Removes an operator with their sessions.
pub(crate) async fn remove(state: &ConsoleState, id: Uuid) -> Result<(), ConsoleError> {
    let mut work = state.config().owner.begin().await?;
    store::operator::lock(&mut work).await?;
    must_leave_an_owner(&mut work, id).await?;
    if !store::operator::delete(&mut work, id).await? {
        return Err(ConsoleError::NoOperator);
    }
    Ok(work.commit().await?)
}

async fn must_leave_an_owner(work: &mut compat_pg::Owner, id: Uuid) -> Result<(), ConsoleError> {
    let row = store::operator::by_id(work, id).await?.ok_or(ConsoleError::NoOperator)?;
    let is_owner = Role::from_name(&row.role) == Role::Owner;
    if is_owner && store::operator::count_other_owners(work, id).await? == 0 {
        return Err(ConsoleError::LastOwner);
    }
    Ok(())
}
