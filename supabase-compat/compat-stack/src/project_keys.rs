//! The keys of one project: given by settings, or made on the first start and kept in the data
//! folder, readable by their owner only.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compat_http::{Clock, Entropy};
use compat_token::{ApiKeys, KeyError, KeyRing};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

/// The file inside the data folder.
const FILE: &str = "keys.json";

/// Keys given from outside; what is absent is made.
#[derive(Debug, Clone, Default)]
pub struct KeySettings {
    /// `JWT_SECRET`, `GOTRUE_JWT_SECRET`, `PGRST_JWT_SECRET`: sign HS256 with this secret; beside
    /// `GOTRUE_JWT_KEYS` it only verifies.
    pub jwt_secret: Option<SecretString>,
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
}

/// What is kept in the file.
#[derive(Serialize, Deserialize)]
struct Kept {
    jwt_keys: serde_json::Value,
    anon_key: String,
    service_role_key: String,
    publishable_key: String,
    secret_key: String,
    app_secret: String,
}

/// The project's keys, ready for use.
#[derive(Debug, Clone)]
pub struct ProjectKeys {
    /// Signs and verifies tokens.
    pub ring: Arc<KeyRing>,
    /// Admit applications.
    pub api: Arc<ApiKeys>,
    /// The application's own secret; 64 hexadecimal digits when we made it.
    pub app_secret: SecretString,
}

impl ProjectKeys {
    /// Takes what the settings give; makes, keeps and reuses the rest.
    ///
    /// # Errors
    /// [`ProjectKeysError`].
    pub fn load_or_create(
        data_dir: &Path,
        given: &KeySettings,
        clock: &Clock,
        entropy: &Entropy,
    ) -> Result<Self, ProjectKeysError> {
        let kept = match read(data_dir)? {
            Some(kept) => kept,
            None => {
                write_new(data_dir, &make(clock, entropy)?)?;
                // Another process may have been faster: what stands in the file counts.
                read(data_dir)?.ok_or_else(|| gone(data_dir))?
            }
        };
        let ring = ring(given, &kept)?;
        let api = api_keys(given, &kept, &ring, clock, entropy)?;
        let app_secret = given.app_secret.clone().unwrap_or_else(|| kept.app_secret.into());
        Ok(Self { ring: Arc::new(ring), api: Arc::new(api), app_secret })
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

fn ring(given: &KeySettings, kept: &Kept) -> Result<KeyRing, KeyError> {
    let secret = given.jwt_secret.as_ref().map(SecretString::expose_secret);
    match (&given.jwt_keys, secret) {
        (Some(keys), None) => KeyRing::from_private_jwks(keys.expose_secret()),
        (Some(keys), Some(secret)) => {
            KeyRing::from_private_jwks(keys.expose_secret())?.with_secret(secret)
        }
        (None, Some(secret)) => KeyRing::from_secret(secret),
        (None, None) => KeyRing::from_private_jwks(&kept.jwt_keys.to_string()),
    }
}

/// Kept tokens serve while they verify under the ring; a ring given by settings gets its own.
fn api_keys(
    given: &KeySettings,
    kept: &Kept,
    ring: &KeyRing,
    clock: &Clock,
    entropy: &Entropy,
) -> Result<ApiKeys, KeyError> {
    let now = clock.unix();
    let made = ApiKeys::issue(ring, now, entropy.bytes())?;
    let token = |given: Option<String>, kept: &str, made: String| {
        given.unwrap_or_else(|| if ring.verify(kept, now).is_ok() { kept.to_owned() } else { made })
    };
    let plain = |secret: &Option<SecretString>| {
        secret.as_ref().map(|secret| secret.expose_secret().to_owned())
    };
    Ok(ApiKeys {
        anon: token(given.anon_key.clone(), &kept.anon_key, made.anon),
        service_role: token(
            plain(&given.service_role_key),
            &kept.service_role_key,
            made.service_role,
        ),
        publishable: given.publishable_key.clone().unwrap_or_else(|| kept.publishable_key.clone()),
        secret: plain(&given.secret_key).unwrap_or_else(|| kept.secret_key.clone()),
    })
}

fn make(clock: &Clock, entropy: &Entropy) -> Result<Kept, ProjectKeysError> {
    let ring = KeyRing::generate_es256()?;
    let api = ApiKeys::issue(&ring, clock.unix(), entropy.bytes())?;
    let secret: [u8; 32] = entropy.bytes();
    Ok(Kept {
        jwt_keys: serde_json::from_str(&ring.to_private_jwks()).map_err(KeyError::from)?,
        anon_key: api.anon,
        service_role_key: api.service_role,
        publishable_key: api.publishable,
        secret_key: api.secret,
        app_secret: secret.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

fn read(data_dir: &Path) -> Result<Option<Kept>, ProjectKeysError> {
    let path = data_dir.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| ProjectKeysError::Format { path, source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ProjectKeysError::Io { path, source }),
    }
}

/// Writes beside the place and links into it, so that the file is whole or absent and the first
/// of two processes wins.
fn write_new(data_dir: &Path, kept: &Kept) -> Result<(), ProjectKeysError> {
    let path = data_dir.join(FILE);
    let draft = data_dir.join(format!("{FILE}.{}", std::process::id()));
    let at = |source| ProjectKeysError::Io { path: path.clone(), source };
    fs::create_dir_all(data_dir).map_err(at)?;
    let text = serde_json::to_vec_pretty(kept).map_err(KeyError::from)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .map_err(at)?;
    file.write_all(&text).and_then(|()| file.sync_all()).map_err(at)?;
    let linked = fs::hard_link(&draft, &path);
    fs::remove_file(&draft).map_err(at)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(at(error)),
        _ => Ok(()),
    }
}

fn gone(data_dir: &Path) -> ProjectKeysError {
    ProjectKeysError::Io { path: data_dir.join(FILE), source: io::ErrorKind::NotFound.into() }
}
