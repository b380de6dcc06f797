//! The format of the data folder, and the program version that last wrote to it.
//!
//! The number grows when an earlier program would misread the folder. Tables have ledgers of their own
//! ([`compat_pg::migrate`]), so a new column is no new format.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::version::{VERSION, VERSION_AND_COMMIT};

/// The format that this program writes, and the newest it reads.
pub const DATA_FORMAT: u32 = 1;

/// The file of the format in the data folder. A folder without one has format 1.
pub const FORMAT_FILE: &str = "format.json";

/// What the file holds: `{"format": 1, "program": "0.1.0"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFormat {
    /// The number of the format.
    pub format: u32,
    /// The version of the program that last started on the folder.
    pub program: String,
}

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFormatError {
    /// A newer version of the program created or upgraded the folder.
    #[error(
        "the data folder {} has format {found}, which version {program} of this program wrote, and version \
         {VERSION_AND_COMMIT} reads formats up to {DATA_FORMAT}; start version {program} or a later one, or \
         restore a backup of this version into another folder; nothing was changed",
        folder.display()
    )]
    Newer {
        /// The path of the folder.
        folder: PathBuf,
        /// The format of the folder.
        found: u32,
        /// The version of the program that wrote it.
        program: String,
    },
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// Reads the format of a folder; none if no program has started on it, or only one older than this
/// file.
///
/// # Errors
/// A later program wrote the folder, or the file cannot be read.
pub fn read(folder: &Path) -> Result<Option<DataFormat>, DataFormatError> {
    let path = folder.join(FORMAT_FILE);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(DataFormatError::File { path, source }),
    };
    let format: DataFormat = serde_json::from_slice(&text)
        .map_err(|error| DataFormatError::File { path, source: error.into() })?;
    match format.format > DATA_FORMAT {
        true => Err(DataFormatError::Newer {
            folder: folder.to_owned(),
            found: format.format,
            program: format.program,
        }),
        false => Ok(Some(format)),
    }
}

/// Records that this program has started on the folder, unless that is recorded already.
///
/// # Errors
/// [`DataFormatError::File`].
pub fn record(folder: &Path) -> Result<(), DataFormatError> {
    let ours = DataFormat { format: DATA_FORMAT, program: VERSION.to_owned() };
    if read(folder)?.as_ref() == Some(&ours) {
        return Ok(());
    }
    let path = folder.join(FORMAT_FILE);
    let draft = folder.join(format!("{FORMAT_FILE}.{}", std::process::id()));
    let result = serde_json::to_vec(&ours).map_err(io::Error::from).and_then(|text| {
        let mut file = File::create(&draft)?;
        file.write_all(&text)?;
        file.sync_all()?;
        fs::rename(&draft, &path)
    });
    result.map_err(|source| DataFormatError::File { path, source })
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    /// A new folder, which the caller removes.
    fn new_folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("compat-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir(&folder).expect("a folder");
        folder
    }

    #[test]
    fn newer_data_format_is_refused() {
        let folder = new_folder("format");
        assert_eq!(read(&folder).expect("a folder of before"), None);
        record(&folder).expect("a file");
        let ours = DataFormat { format: DATA_FORMAT, program: VERSION.to_owned() };
        assert_eq!(read(&folder).expect("a file"), Some(ours));
        let newer = format!("{{\"format\": {}, \"program\": \"9.8.7\"}}", DATA_FORMAT + 1);
        fs::write(folder.join(FORMAT_FILE), &newer).expect("a file");
        let refusal = record(&folder).expect_err("a later format").to_string();
        assert!(refusal.contains("start version 9.8.7 or a later one"), "{refusal}");
        assert_eq!(fs::read_to_string(folder.join(FORMAT_FILE)).expect("a file"), newer);
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn random_format_files_are_read_or_refused() {
        let folder = new_folder("formats");
        let text =
            "(\\{\"format\": ?-?[0-9]{0,12}, ?\"program\": ?(\"[^\"]{0,8}\"|null)\\}|.{0,40})";
        property_test("format files", text, |text| {
            fs::write(folder.join(FORMAT_FILE), text).expect("a file");
            let _ = read(&folder);
        });
        fs::remove_dir_all(folder).expect("removed");
    }
}
