//! A cluster as one file: initialised and migrated when the program was packaged. A first start
//! unpacks it, which takes a fraction of the time of `initdb` and the migrations.
//!
//! An archive is a compressed tar file whose first entry is a label. A start whose schemas or
//! PostgreSQL differ from the label runs `initdb` instead.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use compat_subprocess::{Account, make};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use include_dir::Dir;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tar::{Archive, Builder, EntryType, Header};

use super::binaries::Binaries;
use super::cluster_identity;
use super::config::EmbeddedConfig;
use super::error::EmbeddedError;
use super::locked_folder::LockedFolder;
use crate::SchemaSource;

/// The name of the label inside the archive.
const LABEL: &str = "label.json";
/// The longest label that is read, in bytes.
const MAX_LABEL: u64 = 64 << 10;
/// The version of this format.
const FORMAT: u32 = 1;

/// What of a cluster is packed, besides folders whose name begins with `pg_`. The rest, such as the
/// rules of access, is written by each start, or belongs to the operator.
const PACKED: [&str; 5] =
    ["PG_VERSION", "base", "global", "postgresql.auto.conf", "postgresql.conf"];

/// A file that contains a cluster, and what this program expects in it.
#[derive(Clone, Debug)]
pub struct ClusterArchive {
    /// The file.
    pub path: PathBuf,
    /// The schemas that it must have.
    pub schemas: Vec<SchemaVersion>,
    /// Schemas that it may have besides; without use they do no harm.
    pub optional: Vec<SchemaVersion>,
}

/// A schema and the files that make it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SchemaVersion {
    schema: String,
    /// A hash of the files, in hexadecimal digits.
    files: String,
}

impl SchemaVersion {
    /// The version of the schema that these files make.
    pub fn of(source: &SchemaSource) -> Self {
        let mut hash = Sha256::new();
        hash_files(source.dir, &mut hash);
        let digits = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { schema: source.schema.to_owned(), files: digits }
    }
}

/// Hashes path, size and content of each file.
fn hash_files(dir: &Dir<'_>, hash: &mut Sha256) {
    for file in dir.files() {
        let path = file.path().as_os_str().as_encoded_bytes();
        for part in [path, file.contents()] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
    }
    dir.dirs().for_each(|dir| hash_files(dir, hash));
}

/// What an archive contains.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Label {
    format: u32,
    /// The locale of the databases, which the machine must have: `C.UTF-8`.
    locale: String,
    schemas: Vec<SchemaVersion>,
    postgres: PostgresBuild,
}

/// Tells builds of PostgreSQL apart: another build may have other catalogs, collations and extensions.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct PostgresBuild {
    version: String,
    /// The size of the program `postgres`, in bytes.
    size: u64,
}

impl ClusterArchive {
    /// Writes the cluster in a data folder, whose databases have this locale, into the file. The
    /// cluster must have been shut down.
    ///
    /// # Errors
    /// The folder is in use or contains no database, or a file cannot be read or written.
    pub(super) fn write(
        &self,
        config: &EmbeddedConfig,
        locale: String,
    ) -> Result<(), EmbeddedError> {
        let home = LockedFolder::open(&config.home)?;
        let binaries = Binaries::find(config, &home.folder)?
            .ok_or_else(|| EmbeddedError::NoData(config.home.clone()))?;
        let data = home.folder.data(binaries.major);
        let wal = cluster_identity::last_wal_file(&data)?;
        let postgres = PostgresBuild::of(&binaries)?;
        let label = Label { format: FORMAT, locale, schemas: self.schemas.clone(), postgres };
        let into = EmbeddedError::file;
        let file = File::create(&self.path).map_err(into(&self.path))?;
        let mut writer = ArchiveWriter::new(BufWriter::new(file));
        let text = serde_json::to_vec(&label).map_err(|error| into(&self.path)(error.into()))?;
        writer.append_bytes(Path::new(LABEL), &text).map_err(into(&self.path))?;
        writer.append_cluster(&data, &wal)?;
        writer.finish().map_err(into(&self.path))
    }

    /// Unpacks the archive into an empty folder and gives the new cluster an identity of its own.
    /// False if there is no archive, or if it was made for other schemas, another PostgreSQL or a
    /// locale that this machine lacks; nothing is written then.
    pub(super) fn unpack(
        &self,
        account: &Account,
        binaries: &Binaries,
        folder: &Path,
    ) -> Result<bool, EmbeddedError> {
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            file => file.map_err(EmbeddedError::file(&self.path))?,
        };
        let mut archive = Archive::new(GzDecoder::new(BufReader::new(file)));
        let mut entries = archive.entries().map_err(EmbeddedError::file(&self.path))?;
        let label = entries.next().ok_or_else(|| ErrorKind::UnexpectedEof.into());
        let label =
            label.flatten().and_then(read_label).map_err(EmbeddedError::file(&self.path))?;
        if !self.fits(&label, binaries)? {
            tracing::debug!(archive = %self.path.display(), "the prepared database is another one's");
            return Ok(false);
        }
        for entry in entries {
            let mut entry = entry.map_err(EmbeddedError::file(&self.path))?;
            unpack_entry(&mut entry, account, folder)?;
        }
        cluster_identity::renew(folder)?;
        Ok(true)
    }

    fn fits(&self, label: &Label, binaries: &Binaries) -> Result<bool, EmbeddedError> {
        let known = self.schemas.iter().chain(&self.optional);
        Ok(label.format == FORMAT
            && label.postgres == PostgresBuild::of(binaries)?
            && self.schemas.iter().all(|schema| label.schemas.contains(schema))
            && label.schemas.iter().all(|schema| known.clone().any(|one| one == schema))
            && has_locale(&label.locale))
    }
}

impl PostgresBuild {
    fn of(binaries: &Binaries) -> Result<Self, EmbeddedError> {
        let postgres = binaries.bindir.join("postgres");
        let size = fs::metadata(&postgres).map_err(EmbeddedError::file(postgres))?.len();
        Ok(Self { version: binaries.version.clone(), size })
    }
}

/// Whether the machine has a locale; its databases cannot be opened without.
fn has_locale(name: &str) -> bool {
    let normalized = |name: &str| name.to_lowercase().replace('-', "");
    let listed = Command::new("locale").arg("-a").output();
    let names = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    name == "C"
        || names.is_ok_and(|names| names.lines().any(|one| normalized(one) == normalized(name)))
}

fn read_label(entry: tar::Entry<'_, impl io::Read>) -> io::Result<Label> {
    let mut text = Vec::new();
    entry.take(MAX_LABEL).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Unpacks one file or folder. A link stands for a copy of an earlier file.
fn unpack_entry(
    entry: &mut tar::Entry<'_, impl io::Read>,
    account: &Account,
    folder: &Path,
) -> Result<(), EmbeddedError> {
    let path = inside(folder, &entry.path().map_err(EmbeddedError::file(folder))?)?;
    let kind = entry.header().entry_type();
    if kind == EntryType::Directory {
        make(&path, 0o700)?;
        return Ok(account.give(&path)?);
    }
    let mut file = File::create(&path).map_err(EmbeddedError::file(&path))?;
    let copied = match kind {
        EntryType::Regular => io::copy(entry, &mut file),
        _ => {
            let link = entry.link_name().map_err(EmbeddedError::file(&path))?.unwrap_or_default();
            let source = inside(folder, &link)?;
            // Within one file system the kernel copies, or shares the blocks.
            File::open(&source).and_then(|mut source| io::copy(&mut source, &mut file))
        }
    };
    copied.map_err(EmbeddedError::file(&path))?;
    file.set_permissions(fs::Permissions::from_mode(0o600)).map_err(EmbeddedError::file(&path))?;
    Ok(account.give(&path)?)
}

/// A path of the archive, below the folder.
fn inside(folder: &Path, path: &Path) -> Result<PathBuf, EmbeddedError> {
    if path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(folder.join(path));
    }
    let error = io::Error::new(ErrorKind::InvalidData, "the path leads out of its folder");
    Err(EmbeddedError::file(path)(error))
}

/// Writes an archive, in which equal files are stored once: the databases of a new cluster are
/// nearly the same.
struct ArchiveWriter {
    tar: Builder<GzEncoder<BufWriter<File>>>,
    /// The path of the first file with a content, by the hash of the content.
    stored: HashMap<Vec<u8>, PathBuf>,
}

impl ArchiveWriter {
    fn new(file: BufWriter<File>) -> Self {
        let tar = Builder::new(GzEncoder::new(file, Compression::best()));
        Self { tar, stored: HashMap::new() }
    }

    /// Appends the parts of a cluster; of the write-ahead log only one file.
    fn append_cluster(&mut self, data: &Path, wal: &Path) -> Result<(), EmbeddedError> {
        for name in sorted_names(data)? {
            let path = data.join(&name);
            let is_folder_of_postgres = name.starts_with("pg_") && path.is_dir();
            if PACKED.contains(&name.as_str()) || is_folder_of_postgres {
                self.append(data, Path::new(&name), wal)?;
            }
        }
        Ok(())
    }

    fn append(&mut self, data: &Path, name: &Path, wal: &Path) -> Result<(), EmbeddedError> {
        let path = data.join(name);
        if path.is_dir() {
            let mut header = header(EntryType::Directory, 0o700, 0);
            self.tar
                .append_data(&mut header, name, io::empty())
                .map_err(EmbeddedError::file(&path))?;
            for child in sorted_names(&path)? {
                self.append(data, &name.join(child), wal)?;
            }
            return Ok(());
        }
        if path.parent() == wal.parent() && path != wal {
            return Ok(());
        }
        let bytes = fs::read(&path).map_err(EmbeddedError::file(&path))?;
        self.append_bytes(name, &bytes).map_err(EmbeddedError::file(&path))
    }

    fn append_bytes(&mut self, name: &Path, bytes: &[u8]) -> io::Result<()> {
        let hash = Sha256::digest(bytes).to_vec();
        if let Some(first) = self.stored.get(&hash) {
            return self.tar.append_link(&mut header(EntryType::Link, 0o600, 0), name, first);
        }
        self.stored.insert(hash, name.to_owned());
        self.tar.append_data(&mut header(EntryType::Regular, 0o600, bytes.len()), name, bytes)
    }

    fn finish(self) -> io::Result<()> {
        let mut file = self.tar.into_inner()?.finish()?;
        file.flush()?;
        file.get_ref().sync_all()
    }
}

fn header(kind: EntryType, mode: u32, size: usize) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size as u64);
    header
}

/// The names in a folder, always in the same order.
fn sorted_names(folder: &Path) -> Result<Vec<String>, EmbeddedError> {
    let entries = fs::read_dir(folder).map_err(EmbeddedError::file(folder))?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_are_refused() {
        let folder = Path::new("/data/18.new");
        for path in ["../18/PG_VERSION", "/etc/passwd", "base/../../key"] {
            assert!(inside(folder, Path::new(path)).is_err(), "{path}");
        }
        let path = inside(folder, Path::new("base/1/112")).unwrap();
        assert_eq!(path, folder.join("base/1/112"));
    }
}
