//! Settings of the storage of objects: the original's variables for its two stores.

use std::path::{Path, PathBuf};

use compat_http::{Entropy, Outgoing};
use compat_storage::bytes::{Files, FilesConfig, ObjectBytes, Remote, RemoteConfig};
use secrecy::SecretString;

use super::reader::Reader;

/// The name of the single tenant and of its bucket in the original's compose file.
const STUB: &str = "stub";
/// The default prefix of the keys of backups in a store.
const BACKUPS: &str = "console";

/// The storage of objects.
#[derive(Debug, Clone)]
pub enum ObjectSettings {
    /// Files in a folder.
    Files(FilesConfig),
    /// A remote S3 store.
    Remote(RemoteConfig),
}

impl ObjectSettings {
    /// Opens the storage that these settings describe.
    pub(crate) fn open(&self, outgoing: &Outgoing, entropy: &Entropy) -> Store {
        match self {
            Self::Files(config) => Store::Files(Files::new(config.clone(), entropy.clone())),
            Self::Remote(config) => {
                Store::Remote(Remote::new(config, outgoing.clone(), entropy.clone()))
            }
        }
    }
}

/// An opened storage.
pub(crate) enum Store {
    Files(Files),
    Remote(Remote),
}

impl Store {
    pub fn shared(self) -> std::sync::Arc<dyn ObjectBytes> {
        match self {
            Self::Files(files) => std::sync::Arc::new(files),
            Self::Remote(remote) => std::sync::Arc::new(remote),
        }
    }
}

/// Reads the settings; by default, objects are stored below the data folder, like the original's
/// volume.
pub fn read(reader: &mut Reader, data_dir: &Path) -> ObjectSettings {
    let backend = reader.with(&["STORAGE_BACKEND"], "storage.backend", |text| match text {
        "file" | "s3" => Ok(text == "s3"),
        _ => Err("file or s3"),
    });
    let bucket = reader.text(&["STORAGE_S3_BUCKET", "GLOBAL_S3_BUCKET"], "storage.s3_bucket");
    let tenant = reader.text(&["TENANT_ID", "PROJECT_REF"], "storage.tenant_id");
    let tenant = tenant.unwrap_or_else(|| STUB.to_owned());
    let files = files(reader, data_dir, bucket.as_deref().unwrap_or(STUB), &tenant);
    let remote = S3StoreSettings::read(reader);
    let is_remote = backend.unwrap_or(remote.access_key_id.is_some() && bucket.is_some());
    if !is_remote {
        return ObjectSettings::Files(files);
    }
    ObjectSettings::Remote(remote.config(reader, bucket, tenant, data_dir.join("spool")))
}

fn files(reader: &mut Reader, data_dir: &Path, bucket: &str, tenant: &str) -> FilesConfig {
    let named = ["FILE_STORAGE_BACKEND_PATH", "STORAGE_FILE_BACKEND_PATH"];
    let mut folder: Option<PathBuf> = None;
    reader.over(&mut folder, &named, "storage.file_path");
    let mut keep_free = 128 * 1024 * 1024;
    reader.over(&mut keep_free, &["STORAGE_KEEP_FREE"], "storage.keep_free");
    let folder = folder.unwrap_or_else(|| data_dir.join("storage"));
    FilesConfig { folder: folder.join(bucket).join(tenant), keep_free }
}

/// The store for backups, if a bucket is named for them: the objects' store, unless another one is
/// set. Only the console may use keys below `prefix` in it.
pub(super) fn read_of_backups(
    reader: &mut Reader,
    objects: &ObjectSettings,
    spool: PathBuf,
) -> Option<RemoteConfig> {
    let own = S3StoreSettings::read_of_backups(reader);
    let shared = S3StoreSettings::read(reader);
    let bucket = reader.text(&["BACKUP_S3_BUCKET"], "backup.s3_bucket");
    let prefix = reader.text(&["BACKUP_S3_PREFIX"], "backup.s3_prefix");
    let prefix = prefix.unwrap_or_else(|| BACKUPS.to_owned());
    let bucket = bucket?;
    if let ObjectSettings::Remote(remote) = objects
        && (&remote.bucket, &remote.prefix) == (&bucket, &prefix)
    {
        // The sweep of objects would remove backups, because no row names them.
        reader.refuse("BACKUP_S3_PREFIX", "another prefix than that of the objects in this bucket");
    }
    Some(own.or(shared).config(reader, Some(bucket), prefix, spool))
}

/// The settings of a remote store, except its bucket.
struct S3StoreSettings {
    endpoint: Option<String>,
    region: Option<String>,
    force_path_style: Option<bool>,
    access_key_id: Option<String>,
    secret_access_key: Option<String>,
    session_token: Option<String>,
}

impl S3StoreSettings {
    fn read(reader: &mut Reader) -> Self {
        let named = ["STORAGE_S3_FORCE_PATH_STYLE", "GLOBAL_S3_FORCE_PATH_STYLE"];
        let endpoint = ["STORAGE_S3_ENDPOINT", "GLOBAL_S3_ENDPOINT"];
        Self {
            endpoint: reader.with(&endpoint, "storage.s3_endpoint", address),
            force_path_style: reader.get(&named, "storage.s3_force_path_style"),
            region: reader.text(&["STORAGE_S3_REGION", "REGION"], "storage.s3_region"),
            access_key_id: reader.text(&["AWS_ACCESS_KEY_ID"], "storage.s3_access_key_id"),
            secret_access_key: reader
                .text(&["AWS_SECRET_ACCESS_KEY"], "storage.s3_secret_access_key"),
            session_token: reader.text(&["AWS_SESSION_TOKEN"], "storage.s3_session_token"),
        }
    }

    /// The settings of the store for backups.
    fn read_of_backups(reader: &mut Reader) -> Self {
        Self {
            endpoint: reader.with(&["BACKUP_S3_ENDPOINT"], "backup.s3_endpoint", address),
            force_path_style: reader
                .get(&["BACKUP_S3_FORCE_PATH_STYLE"], "backup.s3_force_path_style"),
            region: reader.text(&["BACKUP_S3_REGION"], "backup.s3_region"),
            access_key_id: reader.text(&["BACKUP_S3_ACCESS_KEY_ID"], "backup.s3_access_key_id"),
            secret_access_key: reader
                .text(&["BACKUP_S3_SECRET_ACCESS_KEY"], "backup.s3_secret_access_key"),
            session_token: None,
        }
    }

    /// Fills missing settings from another store. Credentials are only taken as a whole.
    fn or(self, other: Self) -> Self {
        let owner = if self.access_key_id.is_some() { &self } else { &other };
        Self {
            access_key_id: owner.access_key_id.clone(),
            secret_access_key: owner.secret_access_key.clone(),
            session_token: owner.session_token.clone(),
            endpoint: self.endpoint.or(other.endpoint),
            region: self.region.or(other.region),
            force_path_style: self.force_path_style.or(other.force_path_style),
        }
    }

    fn config(
        self,
        reader: &mut Reader,
        bucket: Option<String>,
        prefix: String,
        spool: PathBuf,
    ) -> RemoteConfig {
        let mut needed = |name: &str, value: Option<String>| {
            if value.is_none() {
                reader.refuse(name.to_owned(), "a value: objects are to lie in an S3 store");
            }
            value.unwrap_or_default()
        };
        RemoteConfig {
            bucket: needed("STORAGE_S3_BUCKET", bucket),
            access_key_id: needed("AWS_ACCESS_KEY_ID", self.access_key_id),
            secret_access_key: SecretString::from(needed(
                "AWS_SECRET_ACCESS_KEY",
                self.secret_access_key,
            )),
            prefix,
            endpoint: self.endpoint,
            region: self.region.unwrap_or_else(|| "us-east-1".to_owned()),
            force_path_style: self.force_path_style.unwrap_or_default(),
            session_token: self.session_token.map(SecretString::from),
            spool,
        }
    }
}

fn address(text: &str) -> Result<String, &'static str> {
    let url: Option<url::Url> = text.parse().ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some())
        .map(|_| text.to_owned())
        .ok_or("an http or https address")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn settings(variables: &[(&str, &str)]) -> (ObjectSettings, Vec<String>) {
        let variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut reader = Reader::new(variables.collect::<BTreeMap<_, _>>(), &toml::Table::new());
        let settings = read(&mut reader, Path::new("/data"));
        (settings, reader.finish().problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn files_lie_where_the_original_s_volume_would() {
        let places: [(&[(&str, &str)], &str); 3] = [
            (&[], "/data/storage/stub/stub"),
            (
                &[("STORAGE_BACKEND", "file"), ("GLOBAL_S3_BUCKET", "b"), ("TENANT_ID", "t")],
                "/data/storage/b/t",
            ),
            (
                &[("FILE_STORAGE_BACKEND_PATH", "/var/lib/storage"), ("AWS_ACCESS_KEY_ID", "x")],
                "/var/lib/storage/stub/stub",
            ),
        ];
        for (variables, folder) in places {
            let (settings, problems) = settings(variables);
            let ObjectSettings::Files(files) = settings else {
                panic!("{variables:?} are no files")
            };
            assert_eq!(files.folder, Path::new(folder));
            assert_eq!(problems, <[String; 0]>::default());
        }
    }

    #[test]
    fn named_s3_store_reports_missing_settings() {
        let (settings, problems) = settings(&[
            ("STORAGE_S3_BUCKET", "objects"),
            ("STORAGE_S3_ENDPOINT", "http://127.0.0.1:9000"),
            ("STORAGE_S3_FORCE_PATH_STYLE", "true"),
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "hush"),
        ]);
        assert_eq!(problems, <[String; 0]>::default());
        assert!(!format!("{settings:?}").contains("hush"));
        let ObjectSettings::Remote(remote) = settings else { panic!("no store elsewhere") };
        assert!(remote.force_path_style);
        assert_eq!(remote.prefix, "stub");
        let (_, problems) = self::settings(&[("STORAGE_BACKEND", "s3")]);
        assert_eq!(problems.len(), 3, "{problems:?}");
        let (_, problems) =
            self::settings(&[("STORAGE_BACKEND", "tape"), ("STORAGE_S3_ENDPOINT", "nowhere")]);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}
