//! The implementations of backups and keys for tests: `pg_dump` into a folder, and fixed keys. The
//! stack tests its own implementations.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Mutex;

use compat_console::{
    BackupContents, BackupFailure, BackupFile, BackupMechanism, BackupObstacle, BackupPlace,
    BackupProgress, BackupStream, BackupTarget, KeyFailure, KeyMechanism, KeySummary,
    OpaqueKeyName, OpaqueKeySummary, RestoreMark, RestoreObstacle, SecretKeyName, SigningKeyChange,
    SigningKeySource, SigningKeySummary,
};
use compat_pg::embedded::client_programs;
use compat_pg::{OwnerConfig, OwnerDb};
use futures_util::future::BoxFuture;
use futures_util::stream;
use secrecy::SecretString;
use tokio::process::Command;

pub const NEW_KEY: &str = "sb_secret_made_just_now";
pub const SERVICE_KEY: &str = "the token of role service_role";

/// Dumps of one database in a folder.
pub struct DumpFolder {
    pub url: String,
    /// The server's major version.
    pub major: u32,
    pub folder: PathBuf,
    pub obstacle: Mutex<Option<BackupObstacle>>,
    pub restore_obstacle: Mutex<Option<RestoreObstacle>>,
}

impl DumpFolder {
    fn path(&self, file: &BackupFile) -> PathBuf {
        assert_eq!(file.place, BackupPlace::Folder, "nothing else is a target");
        self.folder.join(&file.name)
    }
}

fn failure(error: impl ToString) -> BackupFailure {
    BackupFailure::Failed(error.to_string())
}

/// Runs one of PostgreSQL's programs; its error output becomes the reason of the failure.
async fn run(major: u32, program: &str, arguments: Vec<String>) -> Result<String, BackupFailure> {
    let folder = client_programs(None, major).map_err(failure)?;
    let mut command = Command::new(folder.join(program));
    let output = command.args(arguments).stdin(Stdio::null()).output().await.map_err(failure)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(BackupFailure::Failed(text(&output.stderr))),
    }
}

impl BackupMechanism for DumpFolder {
    fn targets(&self) -> Vec<BackupTarget> {
        let label = self.folder.display().to_string();
        vec![BackupTarget { place: BackupPlace::Folder, label }]
    }

    fn has_objects(&self) -> bool {
        true
    }

    fn obstacle(&self) -> BoxFuture<'_, Result<Option<BackupObstacle>, BackupFailure>> {
        let obstacle = *self.obstacle.lock().unwrap();
        Box::pin(async move { Ok(obstacle) })
    }

    fn make(
        &self,
        file: BackupFile,
        progress: BackupProgress,
    ) -> BoxFuture<'static, Result<u64, BackupFailure>> {
        let (path, url, folder) = (self.path(&file), self.url.clone(), self.folder.clone());
        let major = self.major;
        Box::pin(async move {
            std::fs::create_dir_all(folder).map_err(failure)?;
            let file = format!("--file={}", path.display());
            let arguments = vec!["--format=custom".to_owned(), file, format!("--dbname={url}")];
            run(major, "pg_dump", arguments).await?;
            let bytes = std::fs::metadata(path).map_err(failure)?.len();
            progress.add(bytes);
            Ok(bytes)
        })
    }

    fn check(
        &self,
        file: BackupFile,
        _: BackupProgress,
    ) -> BoxFuture<'static, Result<BackupContents, BackupFailure>> {
        let (path, major) = (self.path(&file), self.major);
        Box::pin(async move {
            let arguments = vec!["--list".to_owned(), path.display().to_string()];
            let list = run(major, "pg_restore", arguments);
            let tables = list.await?.lines().filter(|line| line.contains(" TABLE DATA ")).count();
            Ok(BackupContents {
                format: 2,
                program: "0.1.0".to_owned(),
                postgresql: major,
                has_keys: false,
                tables: tables as i64,
                rows: 0,
                objects: 0,
                object_bytes: 0,
            })
        })
    }

    fn restore_obstacle(&self) -> Option<RestoreObstacle> {
        *self.restore_obstacle.lock().unwrap()
    }

    /// Only the schema `public` is restored, so that no other database is needed.
    fn restore(
        &self,
        file: BackupFile,
        _: BackupProgress,
        mark: RestoreMark,
    ) -> BoxFuture<'static, Result<(), BackupFailure>> {
        let (path, url, major) = (self.path(&file), self.url.clone(), self.major);
        Box::pin(async move {
            let mut arguments: Vec<String> =
                ["--clean", "--if-exists", "--single-transaction", "--table=kept"]
                    .map(str::to_owned)
                    .into();
            arguments.extend([format!("--dbname={url}"), path.display().to_string()]);
            run(major, "pg_restore", arguments).await?;
            let owner = OwnerDb::new(&url, &OwnerConfig::default()).map_err(failure)?;
            mark(owner).await.map_err(failure)
        })
    }

    fn read(
        &self,
        file: BackupFile,
    ) -> BoxFuture<'static, Result<(u64, BackupStream), BackupFailure>> {
        let path = self.path(&file);
        Box::pin(async move {
            let bytes = std::fs::read(path).map_err(failure)?;
            let content: BackupStream = Box::pin(stream::iter([Ok(bytes.clone().into())]));
            Ok((bytes.len() as u64, content))
        })
    }

    fn remove(&self, file: BackupFile) -> BoxFuture<'static, Result<(), BackupFailure>> {
        let path = self.path(&file);
        Box::pin(async move {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failure(error)),
                _ => Ok(()),
            }
        })
    }
}

/// Fixed keys, as a data folder would have them.
#[derive(Default)]
pub struct FixedKeys {
    pub changes: Mutex<Vec<SigningKeyChange>>,
}

impl KeyMechanism for FixedKeys {
    fn summary(&self) -> Result<KeySummary, KeyFailure> {
        Ok(KeySummary {
            anon: "the token of role anon".to_owned(),
            publishable: "sb_publishable_x".to_owned(),
            secrets: vec![SecretKeyName::ServiceRole],
            variables: Vec::new(),
            source: SigningKeySource::Folder,
            signing: vec![SigningKeySummary {
                kid: "first".to_owned(),
                algorithm: "ES256".to_owned(),
                status: "in_use",
            }],
            opaque: vec![OpaqueKeySummary {
                name: OpaqueKeyName::Publishable,
                id: "sb_publishable_x".to_owned(),
                status: "in_use",
            }],
            needs_restart: !self.changes.lock().unwrap().is_empty(),
        })
    }

    fn secret(&self, name: SecretKeyName) -> Option<SecretString> {
        (name == SecretKeyName::ServiceRole).then(|| SERVICE_KEY.into())
    }

    fn change(&self, change: SigningKeyChange) -> Result<Vec<String>, KeyFailure> {
        if let SigningKeyChange::Revoke { kid } = &change
            && kid == "first"
        {
            return Err(KeyFailure::Refused("key first is in use".to_owned()));
        }
        self.changes.lock().unwrap().push(change);
        Ok(vec!["second".to_owned()])
    }

    fn replace(&self, _: OpaqueKeyName) -> Result<SecretString, KeyFailure> {
        Ok(NEW_KEY.into())
    }

    fn revoke_opaque(&self, id: &str) -> Result<(), KeyFailure> {
        match id {
            "sb_publishable_x" => Err(KeyFailure::Refused("the key is in use".to_owned())),
            _ => Ok(()),
        }
    }
}
