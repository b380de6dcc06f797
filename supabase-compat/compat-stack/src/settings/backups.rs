//! Where the console keeps backups.

use std::path::{Path, PathBuf};

use compat_storage::bytes::RemoteConfig;

use super::objects::{ObjectSettings, read_of_backups};
use super::reader::Reader;

/// The backup targets.
#[derive(Debug, Clone)]
pub struct BackupSettings {
    /// `BACKUP_FOLDER`: a folder of this machine; by default below the data folder.
    pub folder: PathBuf,
    /// `BACKUP_S3_BUCKET` and related variables: a bucket of an S3 store.
    pub store: Option<RemoteConfig>,
}

/// Reads the backup targets.
pub(super) fn read(
    reader: &mut Reader,
    objects: &ObjectSettings,
    data_dir: &Path,
) -> BackupSettings {
    let mut folder: Option<PathBuf> = None;
    reader.over(&mut folder, &["BACKUP_FOLDER"], "backup.folder");
    let folder = folder.unwrap_or_else(|| data_dir.join("backups"));
    let store = read_of_backups(reader, objects, data_dir.join("spool"));
    BackupSettings { folder, store }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::settings::objects;

    fn settings(variables: &[(&str, &str)]) -> (BackupSettings, usize) {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables: BTreeMap<_, _> = variables.iter().map(owned).collect();
        let mut reader = Reader::new(variables, &toml::Table::new());
        let data_dir = Path::new("/data");
        let objects = objects::read(&mut reader, data_dir);
        let settings = read(&mut reader, &objects, data_dir);
        (settings, reader.finish().problems.len())
    }

    const STORE: [(&str, &str); 4] = [
        ("STORAGE_S3_BUCKET", "objects"),
        ("STORAGE_S3_ENDPOINT", "http://127.0.0.1:9000"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "hush"),
    ];

    #[test]
    fn backups_default_to_the_data_folder() {
        let (settings, problems) = settings(&[]);
        assert_eq!((settings.folder.as_path(), problems), (Path::new("/data/backups"), 0));
        assert!(settings.store.is_none());
    }

    #[test]
    fn backup_store_inherits_or_overrides_storage_settings() {
        let bucket = ("BACKUP_S3_BUCKET", "kept");
        let shared = settings(&[&STORE[..], &[bucket]].concat()).0.store.expect("a store");
        assert_eq!((shared.bucket.as_str(), shared.access_key_id.as_str()), ("kept", "key"));
        assert_eq!(shared.endpoint.as_deref(), Some("http://127.0.0.1:9000"));
        let others = [
            bucket,
            ("BACKUP_S3_ENDPOINT", "https://s3.example"),
            ("BACKUP_S3_ACCESS_KEY_ID", "other"),
            ("BACKUP_S3_SECRET_ACCESS_KEY", "quiet"),
        ];
        let own = settings(&[&STORE[..], &others].concat()).0.store.expect("a store");
        assert_eq!(own.endpoint.as_deref(), Some("https://s3.example"));
        assert_eq!(
            (own.access_key_id.as_str(), own.secret_access_key.expose_secret()),
            ("other", "quiet")
        );
    }

    #[test]
    fn backups_never_lie_where_the_sweep_looks() {
        let both = [("BACKUP_S3_BUCKET", "objects"), ("BACKUP_S3_PREFIX", "stub")];
        assert_eq!(settings(&[&STORE[..], &both].concat()).1, 1);
        assert_eq!(settings(&[&STORE[..], &both[..1]].concat()).1, 0);
        assert_eq!(settings(&both[..1]).1, 2, "nobody says who we are there");
    }
}
