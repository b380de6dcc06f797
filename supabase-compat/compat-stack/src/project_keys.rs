//! The keys of one project: set by the operator, or generated at the first start and kept in the
//! data folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compat_http::{Clock, Entropy};
use compat_token::{ApiKeys, CacheRules, KeyError, KeyRing, RotationError, SigningKeys};
use secrecy::{ExposeSecret as _, SecretString};

mod key_file;
mod opaque_keys;
#[cfg(test)]
mod tests;

pub use key_file::FILE as KEYS_FILE;
use key_file::KeyFile;
pub(crate) use opaque_keys::{OpaqueKey, OpaqueKeyKind, opaque_keys, replace, revoke};

/// Keys that the operator sets; missing ones are generated.
#[derive(Debug, Clone, Default)]
pub struct KeySettings {
    /// `JWT_SECRET`, `GOTRUE_JWT_SECRET`, `AUTH_JWT_SECRET`: the secret that signs with HS256; with
    /// `GOTRUE_JWT_KEYS` it only verifies.
    pub jwt_secret: Option<SecretString>,
    /// `PGRST_JWT_SECRET`: keys that verify tokens; a secret among them also signs if no other key
    /// does.
    pub postgrest_keys: Option<Arc<KeyRing>>,
    /// `JWT_JWKS`: further keys that verify tokens.
    pub jwks: Option<Arc<KeyRing>>,
    /// `GOTRUE_JWT_KEYS`: private JWKs, one of them with `key_ops` `sign`.
    pub jwt_keys: Option<SecretString>,
    /// `ANON_KEY`.
    pub anon_key: Option<String>,
    /// `SERVICE_ROLE_KEY`.
    pub service_role_key: Option<SecretString>,
    /// `SUPABASE_PUBLISHABLE_KEY`.
    pub publishable_key: Option<String>,
    /// `SUPABASE_SECRET_KEY`.
    pub secret_key: Option<SecretString>,
    /// `SITE_SECRET`: the secret from which an application derives its own keys.
    pub app_secret: Option<SecretString>,
    /// Whether the official CLI's local keys are accepted: with `up`, while only this machine can
    /// connect.
    pub takes_local_keys: bool,
    /// `PGRST_JWT_CACHE_MAX_ENTRIES`, `PGRST_JWT_CACHE_MAX_LIFETIME`.
    pub cache: CacheRules,
}

impl KeySettings {
    /// Whether a configured secret signs tokens, so that the keys of the data folder do not.
    fn signs_with_secret(&self) -> bool {
        let signs = |ring: &Arc<KeyRing>| ring.signs();
        self.jwt_secret.is_some() || self.postgrest_keys.as_ref().is_some_and(signs)
    }
}

/// Why the keys cannot be loaded or changed.
#[derive(Debug, thiserror::Error)]
pub enum ProjectKeysError {
    /// The data folder or the file in it cannot be used.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is not a valid keys file.
    #[error("{}: not a keys file: {source}", path.display())]
    Format {
        /// The path of the file.
        path: PathBuf,
        /// The error of the parser.
        source: serde_json::Error,
    },
    /// A key is unusable.
    #[error("keys: {0}")]
    Key(#[from] KeyError),
    /// The requested change of signing keys is not possible.
    #[error("keys: {0}")]
    Rotation(#[from] RotationError),
    /// The requested change of an opaque key is not possible.
    #[error("keys: {0}")]
    Opaque(&'static str),
    /// A secret signs tokens, so there are no signing keys to change.
    #[error("tokens are signed with a secret (JWT_SECRET); set GOTRUE_JWT_KEYS beside it first")]
    SignedWithSecret,
}

/// The project's keys, ready for use.
#[derive(Debug, Clone)]
pub struct ProjectKeys {
    /// Signs and verifies tokens.
    pub ring: Arc<KeyRing>,
    /// Verifies tokens that other issuers signed.
    pub others: Option<Arc<KeyRing>>,
    /// The API keys of applications.
    pub api: Arc<ApiKeys>,
    /// The application's own secret; a generated one has 64 hexadecimal digits.
    pub app_secret: SecretString,
}

impl ProjectKeys {
    /// Uses the keys of the settings; generates missing ones once and stores them.
    pub fn load_or_create(
        data_dir: &Path,
        settings: &KeySettings,
        clock: &Clock,
        entropy: &Entropy,
    ) -> Result<Self, ProjectKeysError> {
        let key_file = key_file::read_or_make(data_dir, || make(clock, entropy))?;
        Self::assemble(settings, Some(key_file), clock, entropy)
    }

    /// Uses the keys of the settings or the stored ones, and generates none: for rest/v1 over the
    /// operator's database, which without a key refuses every token (PGRST300).
    pub fn load_if_kept(
        data_dir: &Path,
        settings: &KeySettings,
        clock: &Clock,
        entropy: &Entropy,
    ) -> Result<Self, ProjectKeysError> {
        Self::assemble(settings, key_file::read(data_dir)?, clock, entropy)
    }

    fn assemble(
        settings: &KeySettings,
        key_file: Option<KeyFile>,
        clock: &Clock,
        entropy: &Entropy,
    ) -> Result<Self, ProjectKeysError> {
        let (ring, others) = rings(settings, key_file.as_ref())?;
        let api = api_keys(settings, key_file.as_ref(), &ring, clock, entropy)?;
        let kept_secret = || key_file.map(|file| file.app_secret).unwrap_or_default().into();
        let app_secret = settings.app_secret.clone().unwrap_or_else(kept_secret);
        let cached = |ring: KeyRing| Arc::new(ring.with_cache(settings.cache));
        let (ring, others) = (cached(ring), others.map(cached));
        Ok(Self { ring, others, api: Arc::new(api), app_secret })
    }

    /// An environment file for applications: both pairs of API keys and the public key set.
    pub fn environment_file(&self) -> String {
        format!(
            "ANON_KEY={}\nSERVICE_ROLE_KEY={}\nSUPABASE_PUBLISHABLE_KEY={}\nSUPABASE_SECRET_KEY={}\nJWT_JWKS={}\n",
            self.api.anon,
            self.api.service_role,
            self.api.publishable,
            self.api.secret,
            self.ring.public_jwks(),
        )
    }

    /// The environment that another process needs to share these keys: [`Self::environment_file`]
    /// with the private key set and the application's secret.
    pub fn private_environment_file(&self) -> String {
        format!(
            "{}GOTRUE_JWT_KEYS={}\nSITE_SECRET={}\n",
            self.environment_file(),
            self.ring.to_private_jwks(),
            self.app_secret.expose_secret(),
        )
    }
}

/// Whether two data folders have the same application's secret; none if one of them has no keys
/// file.
pub(crate) fn share_app_secret(one: &Path, other: &Path) -> Result<Option<bool>, ProjectKeysError> {
    let (one, other) = (key_file::read(one)?, key_file::read(other)?);
    Ok(one.zip(other).map(|(one, other)| one.app_secret == other.app_secret))
}

/// Where the signing keys of a command are stored.
#[derive(Debug)]
pub enum SigningKeysLocation {
    /// In the data folder, where changes are saved.
    Folder,
    /// In `GOTRUE_JWT_KEYS`; the operator has to set the changed value.
    Setting,
}

/// Reads the signing keys without writing anything; none if a secret signs.
///
/// # Errors
/// [`ProjectKeysError`].
pub fn read_signing_keys(
    data_dir: &Path,
    settings: &KeySettings,
) -> Result<Option<(SigningKeys, SigningKeysLocation)>, ProjectKeysError> {
    if let Some(keys) = &settings.jwt_keys {
        let keys = SigningKeys::read(keys.expose_secret())?;
        return Ok(Some((keys, SigningKeysLocation::Setting)));
    }
    if settings.signs_with_secret() {
        return Ok(None);
    }
    let Some(key_file) = key_file::read(data_dir)? else { return Ok(None) };
    let keys = SigningKeys::read(&key_file.jwt_keys.to_string())?;
    Ok(Some((keys, SigningKeysLocation::Folder)))
}

/// Reads or changes the signing keys. Servers that use them load a change at their next start.
///
/// # Errors
/// [`ProjectKeysError`]; the keys are then unchanged.
pub fn with_signing_keys<T>(
    data_dir: &Path,
    settings: &KeySettings,
    (clock, entropy): (&Clock, &Entropy),
    act: impl FnOnce(&mut SigningKeys) -> Result<T, RotationError>,
) -> Result<(T, SigningKeys, SigningKeysLocation), ProjectKeysError> {
    if let Some(keys) = &settings.jwt_keys {
        let mut keys = SigningKeys::read(keys.expose_secret())?;
        let done = act(&mut keys)?;
        return Ok((done, keys, SigningKeysLocation::Setting));
    }
    if settings.signs_with_secret() {
        return Err(ProjectKeysError::SignedWithSecret);
    }
    key_file::read_or_make(data_dir, || make(clock, entropy))?;
    key_file::change(data_dir, |key_file| {
        let mut keys = SigningKeys::read(&key_file.jwt_keys.to_string())?;
        let done = act(&mut keys)?;
        key_file.jwt_keys = serde_json::from_str(&keys.to_json()).map_err(KeyError::from)?;
        // API keys in the form of tokens become invalid with the key that signed them, so new ones
        // replace them.
        let ring = KeyRing::from_private_jwks(&keys.to_json())?;
        let api = api_keys(&KeySettings::default(), Some(key_file), &ring, clock, entropy)?;
        (key_file.anon_key, key_file.service_role_key) = (api.anon, api.service_role);
        Ok((done, keys, SigningKeysLocation::Folder))
    })
}

/// The ring of our own keys, and the ring of keys that only verify.
fn rings(
    settings: &KeySettings,
    key_file: Option<&KeyFile>,
) -> Result<(KeyRing, Option<KeyRing>), KeyError> {
    let secret = settings.jwt_secret.as_ref().map(SecretString::expose_secret);
    let mut others = settings.jwks.as_deref().map(|keys| KeyRing::empty().joined(keys));
    let own = match (&settings.jwt_keys, secret) {
        (Some(keys), None) => KeyRing::from_private_jwks(keys.expose_secret())?,
        (Some(keys), Some(secret)) => {
            KeyRing::from_private_jwks(keys.expose_secret())?.with_secret(secret)?
        }
        (None, Some(secret)) => KeyRing::from_secret(secret)?,
        (None, None) => match (&settings.postgrest_keys, key_file) {
            (Some(keys), _) if keys.signs() => return Ok((keys.duplicate(), others)),
            (_, Some(key_file)) => KeyRing::from_private_jwks(&key_file.jwt_keys.to_string())?,
            (_, None) => KeyRing::empty(),
        },
    };
    if let Some(keys) = settings.postgrest_keys.as_deref() {
        others = Some(others.unwrap_or_else(KeyRing::empty).joined(keys));
    }
    Ok((own, others))
}

/// Stored tokens are used while they verify under the ring; for a ring from the settings, new ones
/// are made.
fn api_keys(
    settings: &KeySettings,
    key_file: Option<&KeyFile>,
    ring: &KeyRing,
    clock: &Clock,
    entropy: &Entropy,
) -> Result<ApiKeys, KeyError> {
    let now = clock.unix();
    let keys = match ring.signs() {
        true => ApiKeys::issue(ring, now, entropy.bytes())?,
        false => ApiKeys::none(),
    };
    let plain = |secret: &Option<SecretString>| {
        secret.as_ref().map(|secret| secret.expose_secret().to_owned())
    };
    let token = |setting: Option<String>, stored: Option<&String>, keys: String| {
        let stored = stored.filter(|token| ring.verify(token, now).is_ok()).cloned();
        setting.or(stored).unwrap_or(keys)
    };
    // An opaque key has no signature, so it stays valid with other signing keys.
    let opaque = |setting: Option<String>, stored: Option<&String>, keys: String| {
        setting.or_else(|| stored.cloned()).unwrap_or(keys)
    };
    Ok(ApiKeys {
        anon: token(settings.anon_key.clone(), key_file.map(|file| &file.anon_key), keys.anon),
        service_role: token(
            plain(&settings.service_role_key),
            key_file.map(|file| &file.service_role_key),
            keys.service_role,
        ),
        publishable: opaque(
            settings.publishable_key.clone(),
            key_file.map(|file| &file.publishable_key),
            keys.publishable,
        ),
        secret: opaque(
            plain(&settings.secret_key),
            key_file.map(|file| &file.secret_key),
            keys.secret,
        ),
        previous: opaque_keys::previous(settings, key_file),
    })
}

fn make(clock: &Clock, entropy: &Entropy) -> Result<KeyFile, ProjectKeysError> {
    let ring = KeyRing::generate_es256()?;
    let api = ApiKeys::issue(&ring, clock.unix(), entropy.bytes())?;
    let secret: [u8; 32] = entropy.bytes();
    Ok(KeyFile {
        jwt_keys: serde_json::from_str(&ring.to_private_jwks()).map_err(KeyError::from)?,
        anon_key: api.anon,
        service_role_key: api.service_role,
        publishable_key: api.publishable,
        secret_key: api.secret,
        previous_publishable_keys: Vec::new(),
        previous_secret_keys: Vec::new(),
        app_secret: secret.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}
