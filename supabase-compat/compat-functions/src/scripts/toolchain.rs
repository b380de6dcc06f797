//! What the processes of all scripts share: the program, the account they run as, folders and
//! shims.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use compat_subprocess::{Account, ProgramError, make};

use super::deno::{self, Deno};
use super::{ScriptsConfig, ToolchainConfig};

/// The prelude, and the shims that replace modules from the web.
const SHIMS: [(&str, &str); 5] = [
    ("prelude.js", include_str!("shims/prelude.js")),
    ("empty.js", include_str!("shims/empty.js")),
    ("serve.js", include_str!("shims/serve.js")),
    ("base64.js", include_str!("shims/base64.js")),
    ("hex.js", include_str!("shims/hex.js")),
];
/// The accounts to choose from. `nobody` comes first, because `postgres` can read the database's
/// files and connect as superuser, and so could a function that escaped from deno's permissions.
const ACCOUNTS: [&str; 2] = ["nobody", "postgres"];
/// A socket's whole path must fit into 107 bytes, and the socket's name takes some of them.
const LONGEST_SOCKET_FOLDER: usize = 60;

/// The program, the account and the folders, ready for use.
#[derive(Debug)]
pub(super) struct Toolchain {
    pub deno: Deno,
    pub account: Account,
    /// The functions' folder, as a canonical path.
    pub folder: PathBuf,
    /// The folder of deno's downloaded and compiled modules.
    pub cache: PathBuf,
    /// The folder of the shims.
    pub shims: PathBuf,
    /// The folder of the import maps.
    pub maps: PathBuf,
    /// The folder of the sockets, which only the account may enter.
    pub sockets: PathBuf,
}

/// Finds the program and creates the folders; may download the program.
pub(super) fn open(config: &ScriptsConfig) -> Result<Toolchain, String> {
    let account = choose_account(&config.toolchain).map_err(|error| error.to_string())?;
    let folders = folders(&config.toolchain, &account).map_err(|error| error.to_string())?;
    let deno = deno::find(&config.toolchain, &account)?;
    let [cache, shims, maps, sockets] = folders;
    let folder = config
        .folder
        .canonicalize()
        .map_err(|error| format!("{}: {error}", config.folder.display()))?;
    account.must_reach(&folder).map_err(|error| error.to_string())?;
    Ok(Toolchain { deno, account, folder, cache, shims, maps, sockets })
}

/// The account that deno runs as.
pub(super) fn choose_account(config: &ToolchainConfig) -> Result<Account, ProgramError> {
    Account::choose(config.os_user.as_deref(), &ACCOUNTS, "deno")
}

/// Creates and returns our folder, and the folder in it for downloaded and compiled modules.
pub(super) fn cache(
    config: &ToolchainConfig,
    account: &Account,
) -> Result<(PathBuf, PathBuf), ProgramError> {
    make(&config.home, 0o755)?;
    let home = config.home.canonicalize().map_err(ProgramError::file(&config.home))?;
    account.must_reach(&home)?;
    let cache = home.join("cache");
    // A cache that another account created is closed to this one; it can be downloaded again.
    let has_other_owner = |facts: fs::Metadata| account.steps_down && facts.uid() != account.uid;
    if fs::metadata(&cache).is_ok_and(has_other_owner) {
        fs::remove_dir_all(&cache).map_err(ProgramError::file(&cache))?;
    }
    make(&cache, 0o700)?;
    account.give(&cache)?;
    Ok((home, cache))
}

fn folders(config: &ToolchainConfig, account: &Account) -> Result<[PathBuf; 4], ProgramError> {
    let (home, cache) = cache(config, account)?;
    let (shims, maps) = (home.join("shims"), home.join("maps"));
    for folder in [&shims, &maps] {
        make(folder, 0o755)?;
    }
    for (name, text) in SHIMS {
        let file = shims.join(name);
        fs::write(&file, text).map_err(ProgramError::file(&file))?;
    }
    let sockets = socket_folder(&home, account)?;
    Ok([cache, shims, maps, sockets])
}

/// Creates the folder of the sockets: `run` in our folder, or one in `/tmp` if that path is too
/// long for a socket.
fn socket_folder(home: &Path, account: &Account) -> Result<PathBuf, ProgramError> {
    let near = home.join("run");
    let folder = match near.as_os_str().len() <= LONGEST_SOCKET_FOLDER {
        true => near,
        false => PathBuf::from(format!("/tmp/functions-{}", std::process::id())),
    };
    // Sockets that an earlier process left behind are no longer in use.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(ProgramError::file(&folder))?;
    }
    fs::create_dir(&folder).map_err(ProgramError::file(&folder))?;
    let closed = fs::Permissions::from_mode(0o700);
    fs::set_permissions(&folder, closed).map_err(ProgramError::file(&folder))?;
    account.give(&folder)?;
    Ok(folder)
}
