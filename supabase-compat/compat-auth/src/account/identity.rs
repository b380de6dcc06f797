//! Identities of addresses: their data, and keeping them consistent with the account.

use serde_json::json;
use uuid::Uuid;

use super::names;
use crate::error::AuthError;
use crate::model::metadata::{Metadata, merge};
use crate::model::{Address, User};
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The data of an address's identity. The person's metadata is overwritten by the account's own
/// values.
pub fn data_of(user: Uuid, address: &Address, metadata: Metadata) -> Metadata {
    let mut data = Metadata::new();
    data.insert("sub".to_owned(), json!(user));
    data.insert(address.provider().to_owned(), json!(address.as_str()));
    data.insert("email_verified".to_owned(), json!(false));
    data.insert("phone_verified".to_owned(), json!(false));
    for (key, value) in metadata {
        data.entry(key).or_insert(value);
    }
    data
}

/// Writes the address into its identity, creating the identity if there is none.
pub async fn put(
    work: &mut UnitOfWork<'_>,
    user: &User,
    address: &Address,
    verified: bool,
) -> Result<(), AuthError> {
    let (provider, now) = (address.provider(), work.now());
    let mut data = data_of(user.id, address, Metadata::new());
    data.insert(format!("{provider}_verified"), json!(verified));
    if let Some(identity) = user.identity(provider) {
        let mut merged = identity.identity_data.clone();
        merge(&mut merged, data);
        store::identity::set_data(&mut work.tx, identity.id, &merged, now).await?;
        return Ok(());
    }
    let row = store::identity::NewRow {
        id: work.state.uuid(),
        user_id: user.id,
        provider,
        provider_id: &user.id.to_string(),
        data: &data,
        now,
    };
    store::identity::insert(&mut work.tx, &row).await?;
    // Only a new identity changes the `providers` of `app_metadata`.
    names::recompute(work, user.id).await
}

/// Marks every identity with the account's e-mail address as verified.
pub async fn verify_email(work: &mut UnitOfWork<'_>, user: &User) -> Result<(), AuthError> {
    let holds_it = |identity: &&crate::model::Identity| {
        !user.email().is_empty() && identity.email.as_deref() == Some(user.email())
    };
    for identity in user.identities.iter().filter(holds_it) {
        let mut data = identity.identity_data.clone();
        data.insert("email_verified".to_owned(), json!(true));
        store::identity::set_data(&mut work.tx, identity.id, &data, work.state.now()).await?;
    }
    Ok(())
}
