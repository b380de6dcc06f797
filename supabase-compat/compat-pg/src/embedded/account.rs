//! Who the server runs as, and who may come in. PostgreSQL refuses to run as root, so root hands
//! it to an account that exists by name; everyone else runs it as themselves.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::{Uid, User};

use super::EmbeddedError;

/// The account the server's processes run as.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
    /// Whether this program is root and steps down for the server.
    pub steps_down: bool,
    /// Operating-system accounts that may connect as any of our logins.
    pub admitted: Vec<String>,
}

impl Account {
    /// Decides by who runs this program; `wanted` names the account for root to use.
    pub fn choose(wanted: Option<&str>) -> Result<Self, EmbeddedError> {
        let ours = Uid::effective();
        let own = lookup(User::from_uid(ours))?.ok_or_else(|| {
            EmbeddedError::Account(format!(
                "user id {ours} has no name on this machine, and PostgreSQL refuses to run without one"
            ))
        })?;
        if !ours.is_root() {
            return Ok(Self::of(&own, false, &own.name));
        }
        let candidates = wanted.map_or(vec!["postgres", "nobody"], |name| vec![name]);
        for name in &candidates {
            if let Some(user) = lookup(User::from_name(name))?.filter(|user| !user.uid.is_root()) {
                return Ok(Self::of(&user, true, &own.name));
            }
        }
        Err(EmbeddedError::Account(format!(
            "PostgreSQL refuses to run as root, and there is no account `{}` to run it as",
            candidates.join("` or `")
        )))
    }

    fn of(user: &User, steps_down: bool, program: &str) -> Self {
        let mut admitted = vec![user.name.clone()];
        if program != user.name {
            admitted.push(program.to_owned());
        }
        Self {
            name: user.name.clone(),
            uid: user.uid.as_raw(),
            gid: user.gid.as_raw(),
            steps_down,
            admitted,
        }
    }

    /// Refuses when a folder on the way to `path`, or `path` itself, cannot be passed through.
    pub fn must_reach(&self, path: &Path) -> Result<(), EmbeddedError> {
        let path = path.canonicalize().map_err(EmbeddedError::file(path))?;
        for folder in path.ancestors() {
            let facts = folder.metadata().map_err(EmbeddedError::file(folder))?;
            if !self.may_pass(&facts) {
                return Err(EmbeddedError::Closed {
                    path: folder.to_owned(),
                    account: self.name.clone(),
                    mode: facts.mode() & 0o7777,
                });
            }
        }
        Ok(())
    }

    fn may_pass(&self, facts: &std::fs::Metadata) -> bool {
        let bit = if facts.uid() == self.uid {
            0o100
        } else if facts.gid() == self.gid {
            0o010
        } else {
            0o001
        };
        facts.mode() & bit != 0
    }

    /// Gives a file or folder to the account.
    pub fn give(&self, path: &Path) -> Result<(), EmbeddedError> {
        if self.steps_down {
            std::os::unix::fs::chown(path, Some(self.uid), Some(self.gid))
                .map_err(EmbeddedError::file(path))?;
        }
        Ok(())
    }

    /// Makes a program run as the account, without our environment.
    pub fn dress(&self, command: &mut std::process::Command) {
        use std::os::unix::process::CommandExt;
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .current_dir("/")
            .stdin(std::process::Stdio::null());
        if self.steps_down {
            command.uid(self.uid).gid(self.gid);
        }
    }
}

fn lookup(found: nix::Result<Option<User>>) -> Result<Option<User>, EmbeddedError> {
    found.map_err(|error| {
        EmbeddedError::Account(format!("the list of accounts cannot be read: {error}"))
    })
}
