//! The operating system account that a program runs as. When our process is root, the program runs
//! as an unprivileged account of the machine; otherwise it runs as the account of our process.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::{Uid, User};

use crate::ProgramError;

/// The account a program's processes run as.
#[derive(Clone, Debug)]
pub struct Account {
    /// The account's name.
    pub name: String,
    /// The user id.
    pub uid: u32,
    /// The id of the account's group.
    pub gid: u32,
    /// Whether our process is root and starts the program under this other account.
    pub steps_down: bool,
    /// The account's name, and the name of the account of our process if it is another one.
    pub names: Vec<String>,
    /// The program that the account was chosen for, for messages.
    program: &'static str,
}

impl Account {
    /// Chooses the account of our process, unless our process is root. Root uses the account
    /// `configured`, or else the first of the `usual` ones that exists. `program` is the name of what
    /// is to run, for messages.
    ///
    /// # Errors
    /// [`ProgramError::Account`] when there is no such account.
    pub fn choose(
        configured: Option<&str>,
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
        let candidates = configured.map_or(usual.to_vec(), |name| vec![name]);
        for name in &candidates {
            // Root may have a second name; an account with user id 0 would not reduce the rights.
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

    /// Checks that the account may enter `path` and every folder above it.
    ///
    /// # Errors
    /// [`ProgramError::Closed`] for what it may not enter, [`ProgramError::File`] for a path that
    /// does not exist.
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

    /// Makes the account the owner of a file or folder, if our process is root.
    pub fn give(&self, path: &Path) -> Result<(), ProgramError> {
        if self.steps_down {
            std::os::unix::fs::chown(path, Some(self.uid), Some(self.gid))
                .map_err(ProgramError::file(path))?;
        }
        Ok(())
    }

    /// Configures a command to run as the account, without the environment of our process.
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

fn lookup(entry: nix::Result<Option<User>>) -> Result<Option<User>, ProgramError> {
    entry.map_err(|error| {
        ProgramError::Account(format!("the list of accounts cannot be read: {error}"))
    })
}
