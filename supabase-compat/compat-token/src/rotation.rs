//! The rotation of our own signing keys, in Supabase's terms. A key is first on standby: published,
//! so that verifiers know it before its first signature. Then it is in use and signs. Once
//! previously used, its tokens still verify; once revoked, they are refused.

use serde::Serialize;
use serde_json::{Value, json};

use crate::jwk::{REVOKED, STATUS, is_revoked, may_sign, public_part, read_set};
use crate::{Key, KeyError, KeyRing};

/// The status of a signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// Published, and the next key to sign.
    Standby,
    /// Signs new tokens.
    InUse,
    /// No longer signs; its tokens still verify.
    PreviouslyUsed,
    /// Its tokens are refused.
    Revoked,
}

impl KeyStatus {
    const ALL: [(&'static str, Self); 4] = [
        ("standby", Self::Standby),
        ("in_use", Self::InUse),
        ("previously_used", Self::PreviouslyUsed),
        (REVOKED, Self::Revoked),
    ];

    /// The status as the keys file holds it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standby => "standby",
            Self::InUse => "in_use",
            Self::PreviouslyUsed => "previously_used",
            Self::Revoked => REVOKED,
        }
    }

    /// A key from another program has no status: it is in use if it may sign, else previously used.
    fn of(jwk: &Value) -> Self {
        let status_text = jwk[STATUS].as_str();
        let known = Self::ALL.into_iter().find(|(name, _)| Some(*name) == status_text);
        match known {
            Some((_, status)) => status,
            None if may_sign(jwk) => Self::InUse,
            None => Self::PreviouslyUsed,
        }
    }
}

/// One entry of the list of keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyLine {
    /// The key's name, as in the headers of its tokens.
    pub kid: String,
    /// The key's `alg`, or its `kty` if it has no `alg`.
    pub algorithm: String,
    /// The key's status.
    pub status: KeyStatus,
}

/// Why an operation left the keys unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RotationError {
    /// A key cannot be generated or read.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// There is a standby key already; Supabase allows one.
    #[error("key {0} stands by already; rotate to it, or revoke it")]
    StandsBy(String),
    /// No key has this `kid`.
    #[error("there is no key {0}")]
    Unknown(String),
    /// The key is the signing key; without it nothing would sign.
    #[error("key {0} is in use; rotate to another before revoking it")]
    InUse(String),
}

/// All signing keys of a deployment, with their private members and their status.
#[derive(Clone)]
pub struct SigningKeys(Vec<Value>);

impl std::fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list()).finish()
    }
}

impl SigningKeys {
    /// Reads the content of `GOTRUE_JWT_KEYS` or of the keys file.
    ///
    /// # Errors
    /// [`KeyError`] when the text is not a set of keys with exactly one that signs.
    pub fn read(json: &str) -> Result<Self, KeyError> {
        KeyRing::from_private_jwks(json)?;
        Ok(Self(read_set(json)?))
    }

    /// The keys, newest first.
    pub fn list(&self) -> Vec<KeyLine> {
        let text = |key: &Value, name: &str| key[name].as_str().map(str::to_owned);
        let line = |key: &Value| KeyLine {
            kid: text(key, "kid").unwrap_or_default(),
            algorithm: text(key, "alg").or_else(|| text(key, "kty")).unwrap_or_default(),
            status: KeyStatus::of(key),
        };
        self.0.iter().map(line).collect()
    }

    /// Adds a new ES256 key as the standby key and returns its `kid`.
    ///
    /// # Errors
    /// [`RotationError::StandsBy`] when there is a standby key already.
    pub fn add_standby(&mut self) -> Result<String, RotationError> {
        if let Some(at) = self.find(KeyStatus::Standby) {
            return Err(RotationError::StandsBy(self.kid(at)));
        }
        let mut key = Key::generate_es256()?.private_jwk;
        set(&mut key, KeyStatus::Standby);
        self.0.insert(0, key);
        Ok(self.kid(0))
    }

    /// Makes the standby key the signing key, generating one if there is none; the old signing key
    /// becomes previously used. Returns the `kid` of the new and of the old key.
    ///
    /// # Errors
    /// [`RotationError::Key`] when the system's random source fails.
    pub fn rotate(&mut self) -> Result<(String, String), RotationError> {
        let new = match self.find(KeyStatus::Standby) {
            Some(at) => at,
            None => {
                self.add_standby()?;
                0
            }
        };
        let old = self.find(KeyStatus::InUse).ok_or(KeyError::SigningKeys(0))?;
        set(&mut self.0[old], KeyStatus::PreviouslyUsed);
        set(&mut self.0[new], KeyStatus::InUse);
        Ok((self.kid(new), self.kid(old)))
    }

    /// Revokes a key: its tokens are refused from now on, and its private members are removed.
    ///
    /// # Errors
    /// [`RotationError::Unknown`], or [`RotationError::InUse`].
    pub fn revoke(&mut self, kid: &str) -> Result<(), RotationError> {
        let entry = self.0.iter_mut().find(|key| key["kid"].as_str() == Some(kid));
        let key = entry.ok_or_else(|| RotationError::Unknown(kid.to_owned()))?;
        if KeyStatus::of(key) == KeyStatus::InUse {
            return Err(RotationError::InUse(kid.to_owned()));
        }
        let mut ended = public_part(key);
        ended[STATUS] = KeyStatus::Revoked.name().into();
        *key = ended;
        Ok(())
    }

    /// The keys with their status, in the form of `GOTRUE_JWT_KEYS`.
    pub fn to_json(&self) -> String {
        Value::from(self.0.clone()).to_string()
    }

    /// The keys without the revoked ones, for programs that do not know the status.
    pub fn to_gotrue_json(&self) -> String {
        Value::from_iter(self.0.iter().filter(|key| !is_revoked(key)).cloned()).to_string()
    }

    fn find(&self, status: KeyStatus) -> Option<usize> {
        self.0.iter().position(|key| KeyStatus::of(key) == status)
    }

    fn kid(&self, at: usize) -> String {
        self.0[at]["kid"].as_str().unwrap_or_default().to_owned()
    }
}

/// Sets the status of a key, and its `key_ops` with it, because exactly one key may sign.
fn set(jwk: &mut Value, status: KeyStatus) {
    jwk[STATUS] = status.name().into();
    jwk["key_ops"] =
        if status == KeyStatus::InUse { json!(["sign", "verify"]) } else { json!(["verify"]) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TokenRefusal;

    const NOW: i64 = 1_700_000_000;

    fn keys() -> SigningKeys {
        let ring = KeyRing::generate_es256().expect("a key");
        SigningKeys::read(&ring.to_private_jwks()).expect("the same")
    }

    fn ring(keys: &SigningKeys) -> KeyRing {
        KeyRing::from_private_jwks(&keys.to_json()).expect("a ring")
    }

    fn signed(keys: &SigningKeys) -> String {
        ring(keys).sign(&json!({"role": "anon"})).expect("a token")
    }

    fn statuses(keys: &SigningKeys) -> Vec<&'static str> {
        keys.list().iter().map(|line| line.status.name()).collect()
    }

    #[test]
    fn key_status_goes_from_standby_to_revoked() {
        let mut keys = keys();
        let first = signed(&keys);
        let standby = keys.add_standby().expect("a key");
        assert_eq!(statuses(&keys), ["standby", "in_use"]);
        assert_eq!(ring(&keys).public_jwks()["keys"].as_array().map(Vec::len), Some(2));
        assert!(matches!(keys.add_standby(), Err(RotationError::StandsBy(kid)) if kid == standby));

        let (new, old) = keys.rotate().expect("a rotation");
        assert_eq!(new, standby);
        assert_eq!(statuses(&keys), ["in_use", "previously_used"]);
        let second = signed(&keys);
        assert!(ring(&keys).verify(&first, NOW).is_ok());
        assert!(ring(&keys).verify(&second, NOW).is_ok());

        assert!(matches!(keys.revoke(&new), Err(RotationError::InUse(_))));
        assert!(matches!(keys.revoke("nobody"), Err(RotationError::Unknown(_))));
        keys.revoke(&old).expect("revoked");
        assert_eq!(statuses(&keys), ["in_use", "revoked"]);
        assert_eq!(ring(&keys).verify(&first, NOW).err(), Some(TokenRefusal::NoKey));
        assert!(ring(&keys).verify(&second, NOW).is_ok());
        assert!(!keys.to_json()[keys.to_json().find("revoked").unwrap_or(0)..].contains("\"d\""));
        assert_eq!(read_set(&keys.to_gotrue_json()).map(|set| set.len()).ok(), Some(1));
    }

    #[test]
    fn rotation_without_standby_key_creates_one() {
        let mut keys = keys();
        let first = signed(&keys);
        keys.rotate().expect("a rotation");
        keys.rotate().expect("another");
        assert_eq!(statuses(&keys), ["in_use", "previously_used", "previously_used"]);
        assert!(ring(&keys).verify(&first, NOW).is_ok());
    }

    #[test]
    fn a_status_is_not_published() {
        let mut keys = keys();
        keys.add_standby().expect("a key");
        let published = ring(&keys).public_jwks().to_string();
        assert!(!published.contains(STATUS) && !published.contains("\"d\""), "{published}");
    }
}
