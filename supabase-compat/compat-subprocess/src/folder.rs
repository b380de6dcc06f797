//! Folders that programs work in.

use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::ProgramError;

/// Creates a folder with its parents; a folder that exists keeps its permissions.
pub fn make(path: &Path, mode: u32) -> Result<(), ProgramError> {
    if path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(ProgramError::file(path))?;
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(ProgramError::file(path))
}
