//! The interface by which the console reads and changes the project's keys. The program that mounts
//! the console implements it.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// The storage of the signing keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SigningKeySource {
    /// In the data folder, where the console may change them.
    Folder,
    /// In the setting `GOTRUE_JWT_KEYS`, which only the operator of the server can change.
    Setting,
    /// There are none: tokens are signed with a secret, `JWT_SECRET`.
    Secret,
}

/// A signing key in any status.
#[derive(Debug, Clone, Serialize)]
pub struct SigningKeySummary {
    /// The key id in the headers of tokens.
    pub kid: String,
    /// The algorithm.
    pub algorithm: String,
    /// `standby`, `in_use`, `previously_used` or `revoked`.
    pub status: &'static str,
}

/// A secret key that an owner may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretKeyName {
    /// The token of role `service_role`.
    ServiceRole,
    /// The opaque key with the same rights, `sb_secret_…`.
    Secret,
    /// The secret that signs tokens.
    JwtSecret,
}

/// A kind of opaque key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpaqueKeyName {
    /// `sb_publishable_…`, for clients.
    Publishable,
    /// `sb_secret_…`, for servers.
    Secret,
}

/// A valid opaque key, or one that will be valid after a restart.
#[derive(Debug, Clone, Serialize)]
pub struct OpaqueKeySummary {
    /// The kind of the key.
    pub name: OpaqueKeyName,
    /// The first characters of the key, which identify it for people.
    pub id: String,
    /// `in_use` or `previously_used`.
    pub status: &'static str,
}

/// The public information on the keys.
#[derive(Debug, Clone, Serialize)]
pub struct KeySummary {
    /// The token of role `anon`.
    pub anon: String,
    /// The opaque key with the same rights, `sb_publishable_…`.
    pub publishable: String,
    /// The existing secret keys.
    pub secrets: Vec<SecretKeyName>,
    /// Variables that set keys instead of the data folder.
    pub variables: Vec<&'static str>,
    /// The storage of the signing keys.
    pub source: SigningKeySource,
    /// The signing keys, newest first.
    pub signing: Vec<SigningKeySummary>,
    /// Opaque keys of the data folder.
    pub opaque: Vec<OpaqueKeySummary>,
    /// Whether the program still uses keys from before a change.
    pub needs_restart: bool,
}

/// A change of the signing keys.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum SigningKeyChange {
    /// Creates a key that is published but does not sign yet.
    Standby,
    /// Signs with the standby key, or with a new one.
    Rotate,
    /// Refuses everything that a key has signed.
    Revoke {
        /// The id of the key.
        kid: String,
    },
}

/// Why keys were not changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeyFailure {
    /// Settings define the keys, so the console cannot change them.
    #[error("the keys come from settings")]
    Settings,
    /// The change is not possible for these keys, with a description.
    #[error("{0}")]
    Refused(String),
    /// The keys cannot be read or written, with a description.
    #[error("{0}")]
    Failed(String),
}

/// Reads and changes the keys. Its methods may block on files.
pub trait KeyMechanism: Send + Sync + 'static {
    /// The public information on the keys.
    ///
    /// # Errors
    /// The data folder cannot be read.
    fn summary(&self) -> Result<KeySummary, KeyFailure>;

    /// A secret key, if it exists.
    fn secret(&self, name: SecretKeyName) -> Option<SecretString>;

    /// Changes the signing keys; the program uses the changed keys after a restart. Returns the ids
    /// of the changed keys.
    ///
    /// # Errors
    /// [`KeyFailure`]; the keys are then unchanged.
    fn change(&self, change: SigningKeyChange) -> Result<Vec<String>, KeyFailure>;

    /// Creates and returns a new opaque key of a kind; the previous one stays valid until it is
    /// revoked. The program uses the new key after a restart.
    ///
    /// # Errors
    /// [`KeyFailure`]; the keys are then unchanged.
    fn replace(&self, name: OpaqueKeyName) -> Result<SecretString, KeyFailure>;

    /// Revokes an opaque key that was replaced.
    ///
    /// # Errors
    /// [`KeyFailure`]; the keys are then unchanged.
    fn revoke_opaque(&self, id: &str) -> Result<(), KeyFailure>;
}
