//! The opaque keys of the data folder: one of each kind in use, and earlier ones, which stay valid
//! until they are revoked. This lets applications change keys one by one.

use std::path::Path;

use compat_http::Entropy;
use compat_token::{ApiKeys, PreviousKeys};

use super::key_file::{self, KeyFile};
use super::{KeySettings, ProjectKeysError};

/// The most earlier keys of a kind that stay valid.
const MOST_PREVIOUS: usize = 4;
/// Characters of a key, behind its prefix, that form its id; too few to guess the rest.
const ID_LETTERS: usize = 6;

/// The kind of an opaque key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpaqueKeyKind {
    /// `sb_publishable_…`
    Publishable,
    /// `sb_secret_…`
    Secret,
}

impl OpaqueKeyKind {
    const ALL: [Self; 2] = [Self::Publishable, Self::Secret];

    fn prefix(self) -> &'static str {
        match self {
            Self::Publishable => "sb_publishable_",
            Self::Secret => "sb_secret_",
        }
    }

    /// Whether a setting defines the key, so that the one of the folder is unused.
    pub(crate) fn is_set(self, settings: &KeySettings) -> bool {
        match self {
            Self::Publishable => settings.publishable_key.is_some(),
            Self::Secret => settings.secret_key.is_some(),
        }
    }

    /// The key in use, and the earlier ones.
    fn of(self, file: &mut KeyFile) -> (&mut String, &mut Vec<String>) {
        match self {
            Self::Publishable => (&mut file.publishable_key, &mut file.previous_publishable_keys),
            Self::Secret => (&mut file.secret_key, &mut file.previous_secret_keys),
        }
    }
}

/// An opaque key without its secret part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpaqueKey {
    pub kind: OpaqueKeyKind,
    pub id: String,
    pub is_in_use: bool,
}

/// The first characters of a key, which identify it for people.
pub(super) fn key_id(key: &str) -> String {
    let prefix = OpaqueKeyKind::ALL.iter().map(|kind| kind.prefix());
    let length = prefix.filter(|prefix| key.starts_with(prefix)).map(str::len).max();
    key.chars().take(length.unwrap_or_default() + ID_LETTERS).collect()
}

/// The earlier keys that are still valid, except for kinds that a setting defines.
pub(super) fn previous(settings: &KeySettings, file: Option<&KeyFile>) -> PreviousKeys {
    let older = |kind: OpaqueKeyKind, keys: fn(&KeyFile) -> &Vec<String>| {
        file.filter(|_| !kind.is_set(settings)).map(keys).cloned().unwrap_or_default()
    };
    PreviousKeys {
        publishable: older(OpaqueKeyKind::Publishable, |file| &file.previous_publishable_keys),
        secret: older(OpaqueKeyKind::Secret, |file| &file.previous_secret_keys),
    }
}

/// The opaque keys of the folder, except for kinds that a setting defines.
pub(crate) fn opaque_keys(
    data_dir: &Path,
    settings: &KeySettings,
) -> Result<Vec<OpaqueKey>, ProjectKeysError> {
    let Some(mut file) = key_file::read(data_dir)? else { return Ok(Vec::new()) };
    let mut keys = Vec::new();
    for kind in OpaqueKeyKind::ALL.into_iter().filter(|kind| !kind.is_set(settings)) {
        let (in_use, before) = kind.of(&mut file);
        keys.push(OpaqueKey { kind, id: key_id(in_use), is_in_use: true });
        keys.extend(before.iter().map(|key| OpaqueKey { kind, id: key_id(key), is_in_use: false }));
    }
    Ok(keys)
}

/// Creates a new key of a kind and returns it; the previous key stays valid until it is revoked.
/// Servers load the new key at their next start.
pub(crate) fn replace(
    data_dir: &Path,
    kind: OpaqueKeyKind,
    entropy: &Entropy,
) -> Result<String, ProjectKeysError> {
    key_file::change(data_dir, |file| {
        let (in_use, before) = kind.of(file);
        if before.len() >= MOST_PREVIOUS {
            return Err(ProjectKeysError::Opaque("too many keys count already; revoke one first"));
        }
        let new_key = ApiKeys::opaque(kind.prefix(), entropy.bytes());
        before.insert(0, std::mem::replace(in_use, new_key.clone()));
        Ok(new_key)
    })
}

/// Revokes an earlier key.
pub(crate) fn revoke(data_dir: &Path, id: &str) -> Result<(), ProjectKeysError> {
    key_file::change(data_dir, |file| {
        for kind in OpaqueKeyKind::ALL {
            let (in_use, before) = kind.of(file);
            if let Some(at) = before.iter().position(|key| key_id(key) == id) {
                before.remove(at);
                return Ok(());
            }
            if key_id(in_use) == id {
                return Err(ProjectKeysError::Opaque("the key is in use; replace it first"));
            }
        }
        Err(ProjectKeysError::Opaque("there is no such key"))
    })
}
