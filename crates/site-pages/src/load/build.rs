//! A build of the pages: its files, from inside the binary or from a folder, and the hashed files
//! of previous releases.
//!
//! In development builds the files inside the binary are read from `frontend/dist` at each
//! request, so that the pages can be rebuilt without the binary.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compat_http::{StaticFile, compressed_name, is_plain_name};
use rust_embed::RustEmbed;
use tokio_util::sync::CancellationToken;

use crate::load::previous_releases::PreviousReleases;

#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
#[allow_missing = true]
// The compressed forms of these files are embedded instead.
#[exclude = "assets/*.js"]
#[exclude = "assets/*.css"]
#[exclude = "assets/*.json"]
struct Dist;

/// Names under this folder carry a hash of their content and never change.
pub const HASHED: &str = "assets/";

/// The page that all routes share.
const INDEX: &str = "index.html";

/// The files of a build; cheap to clone.
#[derive(Clone)]
pub struct Build {
    source: Arc<Source>,
    previous: Arc<PreviousReleases>,
}

enum Source {
    /// The files inside the binary.
    Embedded,
    /// The files in a folder of the operator's, read at each request.
    Folder(PathBuf),
}

/// The error for a folder that contains no build of the pages.
#[derive(Debug)]
pub struct MissingBuild {
    folder: PathBuf,
    source: io::Error,
}

impl std::fmt::Display for MissingBuild {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--pages-dir {}: {INDEX}: {}", self.folder.display(), self.source)
    }
}

impl std::error::Error for MissingBuild {}

impl Build {
    /// Opens the build in `folder`, or else the one inside the binary. `releases` is the folder of
    /// the previous releases.
    ///
    /// # Errors
    /// When there is no page in `folder`.
    pub fn open(folder: Option<&Path>, releases: &Path) -> Result<Self, MissingBuild> {
        let (source, page) = match folder {
            None => (Source::Embedded, Dist::get(INDEX).map(|file| file.data)),
            Some(folder) => {
                let refusal = |source| MissingBuild { folder: folder.to_owned(), source };
                let page = fs::read(folder.join(INDEX)).map_err(refusal)?;
                (Source::Folder(folder.to_owned()), Some(page.into()))
            }
        };
        let page = page.unwrap_or_default();
        let previous = PreviousReleases::open(releases, &page);
        Ok(Self { source: Arc::new(source), previous: Arc::new(previous) })
    }

    /// Copies the hashed files of this build to the folder of releases, for browsers that still
    /// show this build when a later release runs; then waits for the stop. No request waits for the
    /// copy of about a thousand files.
    pub async fn keep(self, stop: CancellationToken) {
        let outcome = tokio::task::spawn_blocking(move || self.keep_hashed()).await;
        if let Err(error) = outcome {
            tracing::error!(%error, "release files not stored");
        }
        stop.cancelled().await;
    }

    fn keep_hashed(&self) {
        self.previous.keep(|release| self.source.copy_hashed(release));
    }

    /// The page that all routes share; `None` when the pages have not been built.
    pub async fn index(&self) -> Option<Cow<'static, [u8]>> {
        Some(self.source.file(INDEX).await?.bytes)
    }

    /// The file with this name; a hashed file may come from a previous release.
    pub async fn file(&self, name: &str) -> Option<StaticFile> {
        if !is_plain_name(name) {
            return None;
        }
        match self.stored(name).await {
            None => self.stored(&compressed_name(name)).await?.decompressed().ok(),
            found => found,
        }
    }

    /// The file, if it is stored under exactly this name.
    async fn stored(&self, name: &str) -> Option<StaticFile> {
        match self.source.file(name).await {
            None if name.starts_with(HASHED) => {
                Some(StaticFile::new(self.previous.read(name).await?.into()))
            }
            found => found,
        }
    }
}

impl Source {
    async fn file(&self, name: &str) -> Option<StaticFile> {
        match self {
            Self::Embedded => Dist::get(name)
                .map(|file| StaticFile { hash: file.metadata.sha256_hash(), bytes: file.data }),
            Self::Folder(folder) => {
                let bytes = tokio::fs::read(folder.join(name)).await.ok()?;
                Some(StaticFile::new(bytes.into()))
            }
        }
    }

    /// Copies all hashed files into a new folder.
    fn copy_hashed(&self, release: &Path) -> io::Result<()> {
        fs::create_dir_all(release.join(HASHED))?;
        match self {
            Self::Embedded => {
                for name in Dist::iter().filter(|name| name.starts_with(HASHED)) {
                    if let Some(file) = Dist::get(&name) {
                        fs::write(release.join(&*name), file.data)?;
                    }
                }
            }
            Self::Folder(folder) => {
                for entry in fs::read_dir(folder.join(HASHED))? {
                    let entry = entry?;
                    if entry.file_type()?.is_file() {
                        fs::copy(entry.path(), release.join(HASHED).join(entry.file_name()))?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of the test, removed when the test ends.
    struct TestFolder(PathBuf);

    impl TestFolder {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("pages-{}-{name}", std::process::id())))
        }

        /// Writes a build with a page and one script.
        fn build(&self, release: u32) -> PathBuf {
            let folder = self.0.join(format!("release-{release}"));
            fs::create_dir_all(folder.join(HASHED)).expect("a folder");
            fs::write(folder.join(INDEX), format!("page {release}")).expect("a page");
            let script = folder.join(format!("assets/a-{release}.js"));
            fs::write(script, format!("a({release})")).expect("a script");
            folder
        }
    }

    impl Drop for TestFolder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    async fn text(build: &Build, name: &str) -> Option<String> {
        let file = build.file(name).await?;
        Some(String::from_utf8(file.bytes.into_owned()).expect("a text"))
    }

    #[tokio::test]
    async fn pages_folder_replaces_the_embedded_build() {
        let scratch = TestFolder::new("folder");
        let releases = scratch.0.join("releases");
        let refusal =
            Build::open(Some(&scratch.0), &releases).err().expect("a refusal").to_string();
        assert!(refusal.starts_with("--pages-dir /") && refusal.contains(INDEX), "{refusal}");
        let build = Build::open(Some(&scratch.build(1)), &releases).expect("a build");
        assert_eq!(build.index().await.as_deref(), Some(&b"page 1"[..]));
        assert_eq!(text(&build, "assets/a-1.js").await.as_deref(), Some("a(1)"));
        assert_eq!(text(&build, "assets/b-1.js").await, None);
        assert_eq!(text(&build, "assets/../index.html").await, None);
    }

    #[tokio::test]
    async fn scripts_of_three_previous_releases_stay_available() {
        let scratch = TestFolder::new("former");
        let releases = scratch.0.join("releases");
        for release in 1..=6 {
            let build = Build::open(Some(&scratch.build(release)), &releases).expect("a build");
            build.keep_hashed();
        }
        // Neither a restart nor a return to an earlier release removes other releases.
        for (running, expected) in [(6, [3, 4, 5]), (4, [3, 5, 6])] {
            let build = Build::open(Some(&scratch.build(running)), &releases).expect("a build");
            build.keep_hashed();
            for release in expected {
                let name = format!("assets/a-{release}.js");
                assert_eq!(text(&build, &name).await, Some(format!("a({release})")));
            }
            assert_eq!(text(&build, "assets/a-2.js").await, None);
            assert_eq!(fs::read_dir(&releases).expect("a folder").count(), 4);
        }
    }

    #[tokio::test]
    async fn unwritable_release_folders_change_nothing_else() {
        let scratch = TestFolder::new("closed");
        let folder = scratch.build(1);
        let build = Build::open(Some(&folder), &folder.join(INDEX)).expect("a build");
        build.keep_hashed();
        assert_eq!(text(&build, "assets/a-1.js").await.as_deref(), Some("a(1)"));
        assert_eq!(text(&build, "assets/a-0.js").await, None);
    }
}
