//! Buckets that exist from the start, with the objects of a project's folder.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use compat_storage::{BucketSeed, State, StorageError, ensure_bucket, put_object};

/// The buckets of the settings and the folders of their first objects.
#[derive(Debug, Clone)]
pub(super) struct SeedObjects {
    pub buckets: Vec<BucketSeed>,
    pub folders: BTreeMap<String, PathBuf>,
}

impl SeedObjects {
    /// Makes the buckets that are missing; one that is there stays as it is. One that was made gets
    /// what lies in its folder; what is refused is named and left out.
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
        tracing::warn!(bucket, folder = %folder.display(), %error, "no seed objects");
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

/// Every file below a folder and the name it has from there, in order; hidden ones are nobody's.
fn files(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
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
                inner => found.push((key, inner)),
            }
        }
    }
    found.sort();
    Ok(found)
}
