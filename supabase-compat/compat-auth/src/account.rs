//! Accounts made by the program that runs the service, not by a request.

use std::net::{IpAddr, Ipv4Addr};

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use uuid::Uuid;

use crate::error::AuthError;
use crate::flow::Visit;
use crate::flow::audit::{Action, record_by_admin};
use crate::flow::sign_up::{NewAccount, create_account};
use crate::model::Email;
use crate::model::metadata::{Metadata, merge};
use crate::state::State;
use crate::store;

/// An account to be.
#[derive(Debug)]
pub struct NewUser {
    pub email: String,
    pub password: SecretString,
    /// What the user says of themself; triggers see it.
    pub user_metadata: Metadata,
    /// What the installation says of the user, beside its providers.
    pub app_metadata: Metadata,
    /// Whether the address counts as confirmed; no mail is sent either way.
    pub confirmed: bool,
}

/// Makes the account unless its address has one already, and gives the id. An existing account is left as it is.
///
/// # Errors
/// A malformed address, or the database's refusal.
pub async fn ensure_user(state: &State, new: NewUser) -> Result<Uuid, AuthError> {
    let email = Email::parse(&new.email)?;
    let aud = state.config.jwt_aud.clone();
    let hash = state.hash(new.password.expose_secret()).await?;
    let mut tx = state.begin().await?;
    store::user::lock_address(&mut tx, email.as_str()).await?;
    if let Some(id) = store::user::id_by_email(&mut tx, email.as_str(), &aud).await? {
        return Ok(id);
    }
    let account = NewAccount {
        email: Some(email.as_str()),
        phone: None,
        hash: Some(&hash),
        data: new.user_metadata,
        provider: Some("email"),
        by_admin: false,
    };
    let user = create_account(state, &mut tx, &aud, account).await?;
    let now = state.now();
    let mut app_metadata = user.app_metadata();
    merge(&mut app_metadata, new.app_metadata);
    store::user::set_app_metadata(&mut tx, user.id, &app_metadata, now).await?;
    if new.confirmed {
        store::user::confirm_email(&mut tx, user.id, now).await?;
        let mut metadata = user.user_metadata();
        metadata.insert("email_verified".to_owned(), json!(true));
        store::user::set_user_metadata(&mut tx, user.id, &metadata, now).await?;
    }
    let here = Visit {
        ip: IpAddr::from(Ipv4Addr::LOCALHOST),
        user_agent: String::new(),
        aud,
        redirect_to: String::new(),
        mail_base: None,
    };
    record_by_admin(state, &mut tx, &here, &user, Action::UserSignedUp).await?;
    tx.commit().await?;
    Ok(user.id)
}
