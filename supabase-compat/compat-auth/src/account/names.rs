//! The providers in an account's `app_metadata`, kept consistent with its identities.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::AuthError;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Writes `provider` (that of the oldest identity) and `providers` (without duplicates, oldest
/// first); for an account without identities neither is set.
pub async fn recompute(work: &mut UnitOfWork<'_>, user: Uuid) -> Result<(), AuthError> {
    let Some(user) = store::user::load(&mut work.tx, user).await? else { return Ok(()) };
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
    let now = work.now();
    store::user::set_app_metadata(&mut work.tx, user.id, &metadata, now).await?;
    Ok(())
}
