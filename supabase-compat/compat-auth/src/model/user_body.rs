//! The JSON of a user, field for field, as clients and hooks receive it (`User`, `Identity` and
//! `Factor` of the original).

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::metadata::Metadata;
use super::{Factor, Identity, User};

/// A user as clients receive it.
#[derive(Serialize)]
pub struct UserBody<'a> {
    id: Uuid,
    aud: &'a str,
    role: &'a str,
    email: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invited_at: Option<DateTime<Utc>>,
    phone: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmation_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    new_email: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_change_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    new_phone: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_change_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reauthentication_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_sign_in_at: Option<DateTime<Utc>>,
    app_metadata: Metadata,
    user_metadata: Metadata,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    factors: Vec<FactorBody<'a>>,
    /// Null in lists, which do not load the identities.
    identities: Option<Vec<IdentityBody<'a>>>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    banned_until: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_at: Option<DateTime<Utc>>,
    is_anonymous: bool,
}

impl<'a> From<&'a User> for UserBody<'a> {
    fn from(user: &'a User) -> Self {
        Self {
            id: user.id,
            aud: user.aud.as_deref().unwrap_or_default(),
            role: user.role.as_deref().unwrap_or_default(),
            email: user.email(),
            email_confirmed_at: user.email_confirmed_at,
            invited_at: user.invited_at,
            phone: user.phone(),
            phone_confirmed_at: user.phone_confirmed_at,
            confirmation_sent_at: user.confirmation_sent_at,
            confirmed_at: user.confirmed_at,
            recovery_sent_at: user.recovery_sent_at,
            new_email: user.email_change.as_deref().unwrap_or_default(),
            email_change_sent_at: user.email_change_sent_at,
            new_phone: user.phone_change.as_deref().unwrap_or_default(),
            phone_change_sent_at: user.phone_change_sent_at,
            reauthentication_sent_at: user.reauthentication_sent_at,
            last_sign_in_at: user.last_sign_in_at,
            app_metadata: user.app_metadata(),
            user_metadata: user.user_metadata(),
            factors: user.factors.iter().map(FactorBody::from).collect(),
            identities: Some(user.identities.iter().map(IdentityBody::from).collect()),
            created_at: user.created_at,
            updated_at: user.updated_at,
            banned_until: user.banned_until,
            deleted_at: user.deleted_at,
            is_anonymous: user.is_anonymous,
        }
    }
}

impl UserBody<'_> {
    /// The user as in lists, without identities and factors.
    pub fn without_relations(self) -> Self {
        Self { identities: None, factors: Vec::new(), ..self }
    }
}

/// An identity. As in the original, `id` and `identity_id` are swapped in comparison with the
/// columns.
#[derive(Serialize)]
pub struct IdentityBody<'a> {
    identity_id: Uuid,
    id: &'a str,
    user_id: Uuid,
    identity_data: &'a Map<String, Value>,
    provider: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_sign_in_at: Option<DateTime<Utc>>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
}

impl<'a> From<&'a Identity> for IdentityBody<'a> {
    fn from(identity: &'a Identity) -> Self {
        Self {
            identity_id: identity.id,
            id: &identity.provider_id,
            user_id: identity.user_id,
            identity_data: &identity.identity_data,
            provider: &identity.provider,
            last_sign_in_at: identity.last_sign_in_at,
            created_at: identity.created_at,
            updated_at: identity.updated_at,
            email: identity.email.as_deref(),
        }
    }
}

/// A second factor, without its secret.
#[derive(Serialize)]
pub struct FactorBody<'a> {
    id: Uuid,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    friendly_name: Option<&'a str>,
    factor_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a str>,
    last_challenged_at: Option<DateTime<Utc>>,
}

impl<'a> From<&'a Factor> for FactorBody<'a> {
    fn from(factor: &'a Factor) -> Self {
        Self {
            id: factor.id,
            created_at: factor.created_at,
            updated_at: factor.updated_at,
            status: &factor.status,
            friendly_name: factor.friendly_name.as_deref().filter(|name| !name.is_empty()),
            factor_type: &factor.factor_type,
            phone: factor.phone.as_deref(),
            last_challenged_at: factor.last_challenged_at,
        }
    }
}
