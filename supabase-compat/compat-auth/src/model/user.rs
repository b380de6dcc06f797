//! An account with its identities and factors.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::metadata::Metadata;
use super::{Factor, Identity, OneTime};

/// A row of `auth.users` with its identities and factors. Columns that SQL may have left null are
/// optional; it has no `Debug`, because it holds hashes and pending tokens.
#[derive(Clone, sqlx_macros::FromRow)]
pub struct User {
    pub id: Uuid,
    pub aud: Option<String>,
    pub role: Option<String>,
    pub email: Option<String>,
    pub encrypted_password: Option<String>,
    pub email_confirmed_at: Option<DateTime<Utc>>,
    pub invited_at: Option<DateTime<Utc>>,
    pub confirmation_token: Option<String>,
    pub confirmation_sent_at: Option<DateTime<Utc>>,
    pub recovery_token: Option<String>,
    pub recovery_sent_at: Option<DateTime<Utc>>,
    pub email_change_token_new: Option<String>,
    pub email_change: Option<String>,
    pub email_change_sent_at: Option<DateTime<Utc>>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    pub raw_app_meta_data: Option<Value>,
    pub raw_user_meta_data: Option<Value>,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
    pub phone: Option<String>,
    pub phone_confirmed_at: Option<DateTime<Utc>>,
    pub phone_change: Option<String>,
    pub phone_change_token: Option<String>,
    pub phone_change_sent_at: Option<DateTime<Utc>>,
    pub confirmed_at: Option<DateTime<Utc>>,
    pub email_change_token_current: Option<String>,
    pub email_change_confirm_status: Option<i16>,
    pub banned_until: Option<DateTime<Utc>>,
    pub reauthentication_token: Option<String>,
    pub reauthentication_sent_at: Option<DateTime<Utc>>,
    pub is_sso_user: bool,
    pub deleted_at: Option<DateTime<Utc>>,
    pub is_anonymous: bool,
    #[sqlx(json)]
    pub identities: Vec<Identity>,
    #[sqlx(json)]
    pub factors: Vec<Factor>,
}

impl User {
    /// An empty account, to be filled in.
    pub fn blank() -> Self {
        Self {
            id: Uuid::nil(),
            aud: None,
            role: None,
            email: None,
            encrypted_password: None,
            email_confirmed_at: None,
            invited_at: None,
            confirmation_token: None,
            confirmation_sent_at: None,
            recovery_token: None,
            recovery_sent_at: None,
            email_change_token_new: None,
            email_change: None,
            email_change_sent_at: None,
            last_sign_in_at: None,
            raw_app_meta_data: None,
            raw_user_meta_data: None,
            created_at: None,
            updated_at: None,
            phone: None,
            phone_confirmed_at: None,
            phone_change: None,
            phone_change_token: None,
            phone_change_sent_at: None,
            confirmed_at: None,
            email_change_token_current: None,
            email_change_confirm_status: None,
            banned_until: None,
            reauthentication_token: None,
            reauthentication_sent_at: None,
            is_sso_user: false,
            deleted_at: None,
            is_anonymous: false,
            identities: Vec::new(),
            factors: Vec::new(),
        }
    }

    /// The e-mail address, or the empty string, which tokens and responses contain instead.
    pub fn email(&self) -> &str {
        self.email.as_deref().unwrap_or_default()
    }

    /// The telephone number, or the empty string.
    pub fn phone(&self) -> &str {
        self.phone.as_deref().unwrap_or_default()
    }

    pub fn is_confirmed(&self) -> bool {
        self.email_confirmed_at.is_some()
    }

    /// The hash of the pending code of this kind, or the empty string, and the time when it was
    /// sent.
    pub fn pending(&self, kind: OneTime) -> (&str, Option<DateTime<Utc>>) {
        let (hash, sent_at) = match kind {
            OneTime::Confirmation => (&self.confirmation_token, self.confirmation_sent_at),
            OneTime::Recovery => (&self.recovery_token, self.recovery_sent_at),
            OneTime::EmailChangeNew => (&self.email_change_token_new, self.email_change_sent_at),
            OneTime::EmailChangeCurrent => {
                (&self.email_change_token_current, self.email_change_sent_at)
            }
            OneTime::Reauthentication => {
                (&self.reauthentication_token, self.reauthentication_sent_at)
            }
            OneTime::PhoneChange => (&self.phone_change_token, self.phone_change_sent_at),
        };
        (hash.as_deref().unwrap_or_default(), sent_at)
    }

    /// The requested new address, or the empty string.
    pub fn pending_email(&self) -> &str {
        self.email_change.as_deref().unwrap_or_default()
    }

    /// The requested new number, or the empty string.
    pub fn pending_phone(&self) -> &str {
        self.phone_change.as_deref().unwrap_or_default()
    }

    /// Whether none of the account's addresses is confirmed.
    pub fn is_unproven(&self) -> bool {
        self.email_confirmed_at.is_none() && self.phone_confirmed_at.is_none()
    }

    /// The account's address, or its number if it has none.
    pub fn name(&self) -> &str {
        if self.email().is_empty() { self.phone() } else { self.email() }
    }

    pub fn has_password(&self) -> bool {
        self.encrypted_password.as_deref().is_some_and(|hash| !hash.is_empty())
    }

    pub fn is_banned(&self, now: DateTime<Utc>) -> bool {
        self.banned_until.is_some_and(|until| now < until)
    }

    pub fn has_verified_factor(&self) -> bool {
        self.factors.iter().any(Factor::is_verified)
    }

    pub fn user_metadata(&self) -> Metadata {
        object(self.raw_user_meta_data.as_ref())
    }

    pub fn app_metadata(&self) -> Metadata {
        object(self.raw_app_meta_data.as_ref())
    }

    /// The identity of `provider`, if there is one.
    pub fn identity(&self, provider: &str) -> Option<&Identity> {
        self.identities.iter().find(|identity| identity.provider == provider)
    }
}

fn object(value: Option<&Value>) -> Metadata {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}
