//! The keys of one project: given by settings, or made on the first start and kept in the data
//! folder.

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

/// Keys given from outside; what is absent is made.
#[derive(Debug, Clone, Default)]
pub struct KeySettings {
    /// `JWT_SECRET`, `GOTRUE_JWT_SECRET`, `AUTH_JWT_SECRET`: sign HS256 with this secret; beside
    /// `GOTRUE_JWT_KEYS` it only verifies.
    pub jwt_secret: Option<SecretString>,
    /// `PGRST_JWT_SECRET`: keys that verify; a secret among them signs where nothing else does.
    pub postgrest_keys: Option<Arc<KeyRing>>,
    /// `JWT_JWKS`: further keys that verify.
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
    /// `SITE_SECRET`: from which an application derives its own keys.
    pub app_secret: Option<SecretString>,
    /// Whether the official CLI's local keys count: with `up`, while nobody but this machine gets in.
    pub takes_local_keys: bool,
    /// `PGRST_JWT_CACHE_MAX_ENTRIES`, `PGRST_JWT_CACHE_MAX_LIFETIME`.
    pub cache: CacheRules,
}

impl KeySettings {
    /// Whether tokens are signed with a secret, so that no keys of ours sign.
    fn signs_with_secret(&self) -> bool {
        let signs = |ring: &Arc<KeyRing>| ring.signs();
        self.jwt_secret.is_some() || self.postgrest_keys.as_ref().is_some_and(signs)
    }
}

/// Why the keys could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ProjectKeysError {
    /// The data folder or the file in it cannot be used.
    #[error("{}: {source}", path.display())]
    Io {
        /// What was touched.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what this program wrote.
    #[error("{}: not a keys file: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where it stops making sense.
        source: serde_json::Error,
    },
    /// A key is unusable.
    #[error("keys: {0}")]
    Key(#[from] KeyError),
    /// The keys cannot be changed so.
    #[error("keys: {0}")]
    Rotation(#[from] RotationError),
    /// An opaque key cannot be changed so.
    #[error("keys: {0}")]
    Opaque(&'static str),
    /// There are no keys of ours to change.
    #[error("tokens are signed with a secret (JWT_SECRET); set GOTRUE_JWT_KEYS beside it first")]
    SignedWithSecret,
}

/// The project's keys, ready for use.
#[derive(Debug, Clone)]
pub struct ProjectKeys {
    /// Signs and verifies tokens.
    pub ring: Arc<KeyRing>,
    /// Verifies tokens that others signed.
    pub others: Option<Arc<KeyRing>>,
    /// Admit applications.
    pub api: Arc<ApiKeys>,
    /// The application's own secret; 64 hexadecimal digits when we made it.
    pub app_secret: SecretString,
}

impl ProjectKeys {
    /// Takes what the settings give; makes, keeps and reuses the rest.
    pub fn load_or_create(
        data_dir: &Path,
        settings: &KeySettings,
        clock: &Clock,
        entropy: &Entropy,
    ) -> Result<Self, ProjectKeysError> {
        let key_file = key_file::read_or_make(data_dir, || make(clock, entropy))?;
        Self::assemble(settings, Some(key_file), clock, entropy)
    }

    /// Takes what the settings give, or what the folder holds, and makes nothing: for rest/v1
    /// over a database of somebody else, which without a key refuses every token (PGRST300).
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

    /// What a further process needs to share these keys: the private key set and the
    /// application's secret, on top of [`Self::environment_file`].
    pub fn private_environment_file(&self) -> String {
        format!(
            "{}GOTRUE_JWT_KEYS={}\nSITE_SECRET={}\n",
            self.environment_file(),
            self.ring.to_private_jwks(),
            self.app_secret.expose_secret(),
        )
    }
}

/// Whether two data folders have the same application's secret; none where one of them keeps no keys.
pub(crate) fn share_app_secret(one: &Path, other: &Path) -> Result<Option<bool>, ProjectKeysError> {
    let (one, other) = (key_file::read(one)?, key_file::read(other)?);
    Ok(one.zip(other).map(|(one, other)| one.app_secret == other.app_secret))
}

/// Where the signing keys stand that a command looks at or changes.
#[derive(Debug)]
pub enum SigningKeysLocation {
    /// In the data folder: changes are kept.
    Folder,
    /// In `GOTRUE_JWT_KEYS`: whoever set it has to set the changed value.
    Setting,
}

/// Reads the signing keys, and writes nothing. There are none where a secret signs.
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

/// Looks at the signing keys, or changes them; the servers that use them take the change over when
/// they are started next.
///
/// # Errors
/// [`ProjectKeysError`]; the keys are then as before.
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
        // Tokens that are API keys end with the key that signed them; new ones take their place.
        let ring = KeyRing::from_private_jwks(&keys.to_json())?;
        let api = api_keys(&KeySettings::default(), Some(key_file), &ring, clock, entropy)?;
        (key_file.anon_key, key_file.service_role_key) = (api.anon, api.service_role);
        Ok((done, keys, SigningKeysLocation::Folder))
    })
}

/// The ring of our own keys, and that of keys which only verify.
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

/// Kept tokens serve while they verify under the ring; a ring given by settings gets its own.
fn api_keys(
    settings: &KeySettings,
    key_file: Option<&KeyFile>,
    ring: &KeyRing,
    clock: &Clock,
    entropy: &Entropy,
) -> Result<ApiKeys, KeyError> {
    let now = clock.unix();
    let made = match ring.signs() {
        true => ApiKeys::issue(ring, now, entropy.bytes())?,
        false => ApiKeys::none(),
    };
    let plain = |secret: &Option<SecretString>| {
        secret.as_ref().map(|secret| secret.expose_secret().to_owned())
    };
    let token = |setting: Option<String>, stored: Option<&String>, made: String| {
        let stored = stored.filter(|token| ring.verify(token, now).is_ok()).cloned();
        setting.or(stored).unwrap_or(made)
    };
    // An opaque key carries no signature that other signing keys could make invalid.
    let opaque = |setting: Option<String>, stored: Option<&String>, made: String| {
        setting.or_else(|| stored.cloned()).unwrap_or(made)
    };
    Ok(ApiKeys {
        anon: token(settings.anon_key.clone(), key_file.map(|file| &file.anon_key), made.anon),
        service_role: token(
            plain(&settings.service_role_key),
            key_file.map(|file| &file.service_role_key),
            made.service_role,
        ),
        publishable: opaque(
            settings.publishable_key.clone(),
            key_file.map(|file| &file.publishable_key),
            made.publishable,
        ),
        secret: opaque(
            plain(&settings.secret_key),
            key_file.map(|file| &file.secret_key),
            made.secret,
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
