//! The project's keys, as the console asks for them. Whoever mounts the console brings them.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// Where the keys that sign tokens are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SigningKeySource {
    /// In the data folder: the console may change them.
    Folder,
    /// In a setting, `GOTRUE_JWT_KEYS`: whoever set it has to change it.
    Setting,
    /// There are none: tokens are signed with a secret, `JWT_SECRET`.
    Secret,
}

/// A key that signs, signed or will sign tokens.
#[derive(Debug, Clone, Serialize)]
pub struct SigningKeySummary {
    /// Its name in the headers of tokens.
    pub kid: String,
    /// Its algorithm.
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
    /// The opaque name for it, `sb_secret_…`.
    Secret,
    /// The secret that signs tokens.
    JwtSecret,
}

/// A kind of opaque keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpaqueKeyName {
    /// `sb_publishable_…`, for applications of everybody.
    Publishable,
    /// `sb_secret_…`, for servers.
    Secret,
}

/// An opaque key that counts, or will from the next start on.
#[derive(Debug, Clone, Serialize)]
pub struct OpaqueKeySummary {
    /// Its kind.
    pub name: OpaqueKeyName,
    /// Its begin, by which people tell it from others.
    pub id: String,
    /// `in_use` or `previously_used`.
    pub status: &'static str,
}

/// What may be told of the keys: nothing secret.
#[derive(Debug, Clone, Serialize)]
pub struct KeySummary {
    /// The token of role `anon`.
    pub anon: String,
    /// The opaque name for it, `sb_publishable_…`.
    pub publishable: String,
    /// The secret keys there are.
    pub secrets: Vec<SecretKeyName>,
    /// Variables that give keys, in the place of the data folder.
    pub variables: Vec<&'static str>,
    /// Where the keys that sign are.
    pub source: SigningKeySource,
    /// These keys, the youngest first.
    pub signing: Vec<SigningKeySummary>,
    /// Opaque keys of the data folder.
    pub opaque: Vec<OpaqueKeySummary>,
    /// Whether this program still runs with keys from before a change.
    pub needs_restart: bool,
}

/// A change of the keys that sign.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum SigningKeyChange {
    /// Makes a key that is published and does not sign yet.
    Standby,
    /// Signs with the key that stands by, or with a new one.
    Rotate,
    /// Refuses everything that a key has signed.
    Revoke {
        /// Which one.
        kid: String,
    },
}

/// Why keys were left as they were.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeyFailure {
    /// They are not the console's to change.
    #[error("the keys come from settings")]
    Settings,
    /// The change makes no sense for these keys, in words.
    #[error("{0}")]
    Refused(String),
    /// They cannot be read or written, in words.
    #[error("{0}")]
    Failed(String),
}

/// Reads and changes the keys. It may wait for files.
pub trait KeyMechanism: Send + Sync + 'static {
    /// What may be told of them.
    ///
    /// # Errors
    /// The data folder cannot be read.
    fn summary(&self) -> Result<KeySummary, KeyFailure>;

    /// A secret one.
    fn secret(&self, name: SecretKeyName) -> Option<SecretString>;

    /// Changes the keys that sign; the program takes the change over when it is started next. Gives the names of
    /// the keys that were changed.
    ///
    /// # Errors
    /// [`KeyFailure`]; the keys are then as before.
    fn change(&self, change: SigningKeyChange) -> Result<Vec<String>, KeyFailure>;

    /// Makes another opaque key of a kind; the one before counts until it is revoked. Gives the new one, which
    /// the program takes over when it is started next.
    ///
    /// # Errors
    /// [`KeyFailure`]; the keys are then as before.
    fn replace(&self, name: OpaqueKeyName) -> Result<SecretString, KeyFailure>;

    /// Takes the right from an opaque key that was replaced.
    ///
    /// # Errors
    /// [`KeyFailure`]; the keys are then as before.
    fn revoke_opaque(&self, id: &str) -> Result<(), KeyFailure>;
}
