//! The stores under test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use compat_http::Entropy;
use compat_storage::bytes::{
    ByteStream, BytesError, Files, FilesConfig, ObjectBytes, ObjectLocation, StoreFinding,
};

use super::server::S3Server;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

/// A temporary folder that is removed on drop.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("bytes-{}", Entropy::system().uuid()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A store in a folder without reserved disk space.
pub fn files(folder: &Path) -> Files {
    let config = FilesConfig { folder: folder.to_owned(), keep_free: 0 };
    Files::new(config, Entropy::system())
}

/// One store of each kind with its name; its server and folder are dropped with this value.
pub struct Stores {
    pub all: Vec<(&'static str, Arc<dyn ObjectBytes>)>,
    _server: S3Server,
    _scratch: Scratch,
}

pub async fn stores() -> Stores {
    let (scratch, server) = (Scratch::new(), S3Server::start().await);
    let files: Arc<dyn ObjectBytes> = Arc::new(files(&scratch.path().join("files")));
    let remote: Arc<dyn ObjectBytes> = Arc::new(server.store());
    Stores { all: vec![("files", files), ("remote", remote)], _server: server, _scratch: scratch }
}

/// A new version of a key.
pub fn place(key: &str) -> ObjectLocation {
    let version = Entropy::system().uuid();
    ObjectLocation { bucket: "photos".to_owned(), key: key.to_owned(), version }
}

/// A content that arrives in chunks of this many bytes.
pub fn chunks(content: &[u8], of: usize) -> ByteStream {
    let chunks: Vec<_> =
        content.chunks(of).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    stream::iter(chunks).boxed()
}

/// Pseudorandom bytes, the same for the same seed (SplitMix64). A cryptographic generator would
/// take most of a test's time.
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bytes.extend_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}

pub async fn read(store: &dyn ObjectBytes, place: &ObjectLocation) -> Result<Vec<u8>, BytesError> {
    read_range(store, place, None).await
}

pub async fn read_range(
    store: &dyn ObjectBytes,
    place: &ObjectLocation,
    range: Option<std::ops::Range<u64>>,
) -> Result<Vec<u8>, BytesError> {
    let reading = store.read(place, range).await?;
    let pieces: Vec<Bytes> = reading.content.try_collect().await.unwrap();
    Ok(pieces.concat())
}

/// Every entry of the store.
pub async fn entries(store: &dyn ObjectBytes) -> Vec<StoreFinding> {
    store.places().map_ok(|entries| entries.finding).try_collect().await.unwrap()
}
