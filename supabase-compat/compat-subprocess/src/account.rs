//! Who a program runs as: root hands it to an account that exists by name, everyone else runs it as
//! themselves.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::{Uid, User};

use crate::ProgramError;

/// The account a program's processes run as.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its name.
    pub name: String,
    /// Its number.
    pub uid: u32,
    /// The number of its group.
    pub gid: u32,
    /// Whether our program is root and steps down for the other.
    pub steps_down: bool,
    /// Its name, and that of the account our program runs as where it is another.
    pub names: Vec<String>,
    /// The program it is chosen for.
    program: &'static str,
}

impl Account {
    /// Decides by who runs our program; `wanted` names the account for root to use instead of the
    /// first of the `usual` ones that exists. `program` is what is to run, for messages.
    ///
    /// # Errors
    /// [`ProgramError::Account`].
    pub fn choose(
        wanted: Option<&str>,
        usual: &[&str],
        program: &'static str,
    ) -> Result<Self, ProgramError> {
        let ours = Uid::effective();
        let own = lookup(User::from_uid(ours))?.ok_or_else(|| {
            ProgramError::Account(format!(
                "user id {ours} has no name on this machine, and {program} does not run without one"
            ))
        })?;
        if !ours.is_root() {
            return Ok(Self::of(&own, false, &own.name, program));
        }
        let candidates = wanted.map_or(usual.to_vec(), |name| vec![name]);
        for name in &candidates {
            // Another name of root would be no step down.
            if let Some(user) = lookup(User::from_name(name))?.filter(|user| !user.uid.is_root()) {
                return Ok(Self::of(&user, true, &own.name, program));
            }
        }
        Err(ProgramError::Account(format!(
            "{program} does not run as root, and there is no account `{}` to run it as",
            candidates.join("` or `")
        )))
    }

    fn of(user: &User, steps_down: bool, ours: &str, program: &'static str) -> Self {
        let mut names = vec![user.name.clone()];
        if ours != user.name {
            names.push(ours.to_owned());
        }
        Self {
            name: user.name.clone(),
            uid: user.uid.as_raw(),
            gid: user.gid.as_raw(),
            steps_down,
            names,
            program,
        }
    }

    /// Refuses when a folder on the way to `path`, or `path` itself, cannot be passed through.
    ///
    /// # Errors
    /// [`ProgramError::Closed`], or that it is not there.
    pub fn must_reach(&self, path: &Path) -> Result<(), ProgramError> {
        let path = path.canonicalize().map_err(ProgramError::file(path))?;
        for folder in path.ancestors() {
            let facts = folder.metadata().map_err(ProgramError::file(folder))?;
            if !self.may_pass(&facts) {
                return Err(ProgramError::Closed {
                    path: folder.to_owned(),
                    account: self.name.clone(),
                    program: self.program,
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
    pub fn give(&self, path: &Path) -> Result<(), ProgramError> {
        if self.steps_down {
            std::os::unix::fs::chown(path, Some(self.uid), Some(self.gid))
                .map_err(ProgramError::file(path))?;
        }
        Ok(())
    }

    /// Makes a program run as the account, without our environment.
    pub fn configure(&self, command: &mut std::process::Command) {
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

fn lookup(found: nix::Result<Option<User>>) -> Result<Option<User>, ProgramError> {
    found.map_err(|error| {
        ProgramError::Account(format!("the list of accounts cannot be read: {error}"))
    })
}
