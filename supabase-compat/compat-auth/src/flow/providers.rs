//! What `app_metadata` says of a user's ways in, kept in step with the identities.

use compat_pg::Owner;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::AuthError;
use crate::state::State;
use crate::store;

/// Writes `provider` (the oldest identity's) and `providers` (each once, oldest first); a user without identities
/// has neither.
pub async fn recompute(state: &State, tx: &mut Owner, user: Uuid) -> Result<(), AuthError> {
    let Some(user) = store::user::load(tx, user).await? else { return Ok(()) };
    let mut names: Vec<Value> = Vec::new();
    for identity in &user.identities {
        let name = json!(identity.provider);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut metadata = user.app_metadata();
    match names.first() {
        Some(first) => {
            metadata.insert("provider".to_owned(), first.clone());
            metadata.insert("providers".to_owned(), Value::Array(names));
        }
        None => {
            metadata.shift_remove("provider");
            metadata.shift_remove("providers");
        }
    }
    store::user::set_app_metadata(tx, user.id, &metadata, state.now()).await?;
    Ok(())
}
