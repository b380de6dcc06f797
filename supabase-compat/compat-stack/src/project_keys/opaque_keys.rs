//! The opaque keys of the data folder: one of a kind in use, and those before it, which count until they are
//! revoked. So applications change over one by one.

use std::path::Path;

use compat_http::Entropy;
use compat_token::{ApiKeys, PreviousKeys};

use super::key_file::{self, KeyFile};
use super::{KeySettings, ProjectKeysError};

/// Keys of a kind that count beside the one in use.
const MOST_PREVIOUS: usize = 4;
/// Letters of a key, behind its prefix, by which it is named; far too few to guess the others.
const ID_LETTERS: usize = 6;

/// What an opaque key stands for.
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

    /// Whether a setting gives the kind, so that the folder does not.
    pub(crate) fn is_set(self, settings: &KeySettings) -> bool {
        match self {
            Self::Publishable => settings.publishable_key.is_some(),
            Self::Secret => settings.secret_key.is_some(),
        }
    }

    /// The key in use, and those before it.
    fn of(self, file: &mut KeyFile) -> (&mut String, &mut Vec<String>) {
        match self {
            Self::Publishable => (&mut file.publishable_key, &mut file.previous_publishable_keys),
            Self::Secret => (&mut file.secret_key, &mut file.previous_secret_keys),
        }
    }
}

/// An opaque key, without what makes it one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpaqueKey {
    pub kind: OpaqueKeyKind,
    pub id: String,
    pub is_in_use: bool,
}

/// The begin of a key, by which people tell it from others.
pub(super) fn key_id(key: &str) -> String {
    let prefix = OpaqueKeyKind::ALL.iter().map(|kind| kind.prefix());
    let length = prefix.filter(|prefix| key.starts_with(prefix)).map(str::len).max();
    key.chars().take(length.unwrap_or_default() + ID_LETTERS).collect()
}

/// Those before the ones in use, unless a setting gives the kind.
pub(super) fn previous(settings: &KeySettings, file: Option<&KeyFile>) -> PreviousKeys {
    let older = |kind: OpaqueKeyKind, keys: fn(&KeyFile) -> &Vec<String>| {
        file.filter(|_| !kind.is_set(settings)).map(keys).cloned().unwrap_or_default()
    };
    PreviousKeys {
        publishable: older(OpaqueKeyKind::Publishable, |file| &file.previous_publishable_keys),
        secret: older(OpaqueKeyKind::Secret, |file| &file.previous_secret_keys),
    }
}

/// The opaque keys of the folder; none of a kind that a setting gives.
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

/// Makes another key of a kind; the one in use counts until it is revoked. Gives the new one, which servers take
/// over when they are started next.
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
        let made = ApiKeys::opaque(kind.prefix(), entropy.bytes());
        before.insert(0, std::mem::replace(in_use, made.clone()));
        Ok(made)
    })
}

/// Takes the right from a key that was replaced.
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
