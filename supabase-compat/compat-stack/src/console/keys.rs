//! The project's keys for the console: what the command `keys` does, and no more.

use std::path::PathBuf;

use compat_console::{
    KeyFailure, KeyMechanism, KeySummary, OpaqueKeyName, OpaqueKeySummary, SecretKeyName,
    SigningKeyChange, SigningKeySource, SigningKeySummary,
};
use compat_http::{Clock, Entropy, ServiceEnvironment};
use secrecy::SecretString;

use crate::project_keys::{
    OpaqueKey, OpaqueKeyKind, opaque_keys, read_signing_keys, replace, revoke, with_signing_keys,
};
use crate::{KeySettings, ProjectKeys, ProjectKeysError, Settings, SigningKeysLocation};

/// The keys of the data folder or of the settings.
pub(super) struct StackKeys {
    data_dir: PathBuf,
    settings: KeySettings,
    /// The keys that the program runs with.
    loaded: ProjectKeys,
    clock: Clock,
    entropy: Entropy,
}

impl StackKeys {
    pub fn new(
        settings: &Settings,
        loaded: &ProjectKeys,
        environment: &ServiceEnvironment,
    ) -> Self {
        Self {
            data_dir: settings.data_dir.clone(),
            settings: settings.keys.clone(),
            loaded: loaded.clone(),
            clock: environment.clock.clone(),
            entropy: environment.entropy.clone(),
        }
    }

    /// Names of the variables that set keys.
    fn variables(&self) -> Vec<&'static str> {
        let settings = &self.settings;
        let known = [
            ("JWT_SECRET", settings.jwt_secret.is_some()),
            ("GOTRUE_JWT_KEYS", settings.jwt_keys.is_some()),
            ("PGRST_JWT_SECRET", settings.postgrest_keys.is_some()),
            ("ANON_KEY", settings.anon_key.is_some()),
            ("SERVICE_ROLE_KEY", settings.service_role_key.is_some()),
            ("SUPABASE_PUBLISHABLE_KEY", settings.publishable_key.is_some()),
            ("SUPABASE_SECRET_KEY", settings.secret_key.is_some()),
        ];
        known.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect()
    }

    /// Whether a restart would load other keys than those in use.
    fn needs_restart(&self) -> Result<bool, ProjectKeysError> {
        let current =
            ProjectKeys::load_if_kept(&self.data_dir, &self.settings, &self.clock, &self.entropy)?;
        let loaded = &self.loaded;
        Ok(current.ring.to_private_jwks() != loaded.ring.to_private_jwks()
            || current.api.anon != loaded.api.anon
            || current.api.service_role != loaded.api.service_role
            || current.api.publishable != loaded.api.publishable
            || current.api.secret != loaded.api.secret
            || current.api.previous != loaded.api.previous)
    }

    fn read(&self) -> Result<KeySummary, ProjectKeysError> {
        let (source, signing) = match read_signing_keys(&self.data_dir, &self.settings)? {
            None => (SigningKeySource::Secret, Vec::new()),
            Some((keys, SigningKeysLocation::Setting)) => (SigningKeySource::Setting, keys.list()),
            Some((keys, SigningKeysLocation::Folder)) => (SigningKeySource::Folder, keys.list()),
        };
        let line = |key: compat_token::KeyLine| SigningKeySummary {
            kid: key.kid,
            algorithm: key.algorithm,
            status: key.status.name(),
        };
        let secrets = [SecretKeyName::ServiceRole, SecretKeyName::Secret, SecretKeyName::JwtSecret];
        Ok(KeySummary {
            anon: self.loaded.api.anon.clone(),
            publishable: self.loaded.api.publishable.clone(),
            secrets: secrets.into_iter().filter(|name| self.secret(*name).is_some()).collect(),
            variables: self.variables(),
            source,
            signing: signing.into_iter().map(line).collect(),
            opaque: opaque_keys(&self.data_dir, &self.settings)?
                .into_iter()
                .map(opaque_summary)
                .collect(),
            needs_restart: self.needs_restart()?,
        })
    }
}

impl KeyMechanism for StackKeys {
    fn summary(&self) -> Result<KeySummary, KeyFailure> {
        self.read().map_err(failure)
    }

    fn secret(&self, name: SecretKeyName) -> Option<SecretString> {
        let api = &self.loaded.api;
        let text = match name {
            SecretKeyName::ServiceRole => api.service_role.clone(),
            SecretKeyName::Secret => api.secret.clone(),
            SecretKeyName::JwtSecret => return self.settings.jwt_secret.clone(),
        };
        (!text.is_empty()).then(|| text.into())
    }

    fn change(&self, change: SigningKeyChange) -> Result<Vec<String>, KeyFailure> {
        // With a setting, the change would be made to a copy that is not saved.
        let location = read_signing_keys(&self.data_dir, &self.settings).map_err(failure)?;
        if !matches!(location, Some((_, SigningKeysLocation::Folder))) {
            return Err(KeyFailure::Settings);
        }
        let world = (&self.clock, &self.entropy);
        let changed = with_signing_keys(&self.data_dir, &self.settings, world, |keys| {
            Ok(match change {
                SigningKeyChange::Standby => vec![keys.add_standby()?],
                SigningKeyChange::Rotate => {
                    let (new, old) = keys.rotate()?;
                    vec![new, old]
                }
                SigningKeyChange::Revoke { kid } => {
                    keys.revoke(&kid)?;
                    vec![kid]
                }
            })
        });
        changed.map(|(kids, ..)| kids).map_err(failure)
    }

    fn replace(&self, name: OpaqueKeyName) -> Result<SecretString, KeyFailure> {
        let kind = match name {
            OpaqueKeyName::Publishable => OpaqueKeyKind::Publishable,
            OpaqueKeyName::Secret => OpaqueKeyKind::Secret,
        };
        if kind.is_set(&self.settings) {
            return Err(KeyFailure::Settings);
        }
        replace(&self.data_dir, kind, &self.entropy).map(Into::into).map_err(failure)
    }

    fn revoke_opaque(&self, id: &str) -> Result<(), KeyFailure> {
        revoke(&self.data_dir, id).map_err(failure)
    }
}

fn opaque_summary(key: OpaqueKey) -> OpaqueKeySummary {
    let name = match key.kind {
        OpaqueKeyKind::Publishable => OpaqueKeyName::Publishable,
        OpaqueKeyKind::Secret => OpaqueKeyName::Secret,
    };
    let status = if key.is_in_use { "in_use" } else { "previously_used" };
    OpaqueKeySummary { name, id: key.id, status }
}

fn failure(error: ProjectKeysError) -> KeyFailure {
    match error {
        ProjectKeysError::SignedWithSecret => KeyFailure::Settings,
        ProjectKeysError::Opaque(refusal) => KeyFailure::Refused(refusal.to_owned()),
        ProjectKeysError::Rotation(refusal) => KeyFailure::Refused(refusal.to_string()),
        other => KeyFailure::Failed(other.to_string()),
    }
}
