//! The vault's key: what it is derived from and where the database reads it.
//!
//! The file is outside the database's folder, so that neither a dump nor a copy of that folder
//! contains it. SQL (`sql/vault`) does the encryption.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, chown};
use std::path::Path;

use hkdf::Hkdf;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

/// Distinguishes this key from others that are derived from the same secret.
const PURPOSE: &[u8] = b"supabase-compat vault v1";
/// The folder in which `vault._key()` looks, two levels above the database's folder.
const FOLDER: &str = "vault";
const FILE: &str = "key";

/// Writes the key for a database whose folder is `<home>/data/<major>`, readable by its account only.
///
/// # Errors
/// A file or folder cannot be written.
pub fn keep_key(home: &Path, database: &Path, secret: &SecretString) -> io::Result<()> {
    let folder = home.join(FOLDER);
    let owner = fs::metadata(database)?;
    let give = |path: &Path| chown(path, Some(owner.uid()), Some(owner.gid()));
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => give(&folder)?,
    }
    // A rename replaces the file, so that a reader never sees a part of it.
    let draft = folder.join(format!("{FILE}.{}", std::process::id()));
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(derive(secret).as_bytes())?;
    file.sync_all()?;
    give(&draft)?;
    fs::rename(&draft, folder.join(FILE))
}

/// Derives 64 bytes, in hexadecimal digits.
fn derive(secret: &SecretString) -> String {
    let mut key = [0_u8; 64];
    Hkdf::<Sha256>::new(None, secret.expose_secret().as_bytes())
        .expand(PURPOSE, &mut key)
        .expect("HKDF gives this many octets");
    hex::encode(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_follows_from_the_secret_alone() {
        let of = |secret: &str| derive(&secret.to_owned().into());
        assert_eq!(of("a").len(), 128);
        assert_eq!(of("a"), of("a"));
        assert_ne!(of("a"), of("b"));
    }
}
