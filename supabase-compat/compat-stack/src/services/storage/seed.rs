//! Buckets that are created at the start, with objects from a project's folder.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use compat_storage::{BucketSeed, State, StorageError, ensure_bucket, put_object};

/// The buckets of the settings and the folders of their seed objects.
#[derive(Debug, Clone)]
pub(super) struct SeedObjects {
    pub buckets: Vec<BucketSeed>,
    pub folders: BTreeMap<String, PathBuf>,
}

impl SeedObjects {
    /// Creates the buckets that are missing and leaves others as they are. A new bucket gets the
    /// files of its folder as objects; refused files are logged and skipped.
    pub async fn make(&self, state: &State) -> Result<(), StorageError> {
        for seed in &self.buckets {
            if !ensure_bucket(state, seed).await? {
                continue;
            }
            tracing::info!(bucket = %seed.name, "bucket created");
            if let Some(folder) = self.folders.get(&seed.name) {
                fill(state, &seed.name, folder).await;
            }
        }
        Ok(())
    }
}

async fn fill(state: &State, bucket: &str, folder: &Path) {
    let objects = files(folder).unwrap_or_else(|error| {
        tracing::warn!(bucket, folder = %folder.display(), %error, "cannot create the seed objects");
        Vec::new()
    });
    for (key, path) in objects {
        let kind = mime_guess::from_path(&path).first_or_octet_stream();
        let done = match tokio::fs::read(&path).await {
            Ok(content) => {
                let put = put_object(state, (bucket, &key), kind.essence_str(), content.into());
                put.await.map_err(|refusal| refusal.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = done {
            tracing::warn!(bucket, file = %path.display(), why, "seed object skipped");
        }
    }
}

/// The files below a folder with their names relative to it, in order, without hidden files.
fn files(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut paths = Vec::new();
    let mut open = vec![(String::new(), folder.to_owned())];
    while let Some((name, path)) = open.pop() {
        for entry in path.read_dir()? {
            let entry = entry?;
            let own = entry.file_name().to_string_lossy().into_owned();
            if own.starts_with('.') {
                continue;
            }
            let key = if name.is_empty() { own } else { format!("{name}/{own}") };
            match entry.path() {
                inner if inner.is_dir() => open.push((key, inner)),
                inner => paths.push((key, inner)),
            }
        }
    }
    paths.sort();
    Ok(paths)
}
