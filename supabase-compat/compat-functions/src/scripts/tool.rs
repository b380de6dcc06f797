//! A script of ours that deno runs, with npm packages in the versions of a lock file. The script
//! answers questions. Its process is started by the first question and kept for later ones, so that
//! only the first waits until the packages are loaded.
//!
//! A tool neither writes files nor starts programs, and connects only to the hosts that are named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use compat_subprocess::{ProgramError, make};
use tokio::sync::{Mutex, OnceCell};
use tokio::time::{sleep, timeout};

use super::config::ToolchainConfig;
use super::launcher::Launcher;
use super::tool_process::ToolProcess;
use super::{deno, toolchain};

/// The code that reads questions and writes answers; it is appended to each script.
const LOOP: &str = include_str!("shims/tool_loop.mjs");

/// A script and what it may reach.
#[derive(Clone, Debug)]
pub struct ToolScript {
    /// The name of the script and of its folder.
    pub name: &'static str,
    /// The source of the script, a module with a function `answer(question)`.
    pub source: &'static str,
    /// The lock file with the hashes of its packages.
    pub lock: &'static str,
    /// The hosts that the script may connect to, with their ports. Packages may come from npm's
    /// registry regardless.
    pub hosts: Vec<String>,
}

/// The time limits of a tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolLimits {
    /// The limit for the start, which may fetch the program and the packages.
    pub start: Duration,
    /// The limit for an answer, and for the wait before a question can be sent.
    pub answer: Duration,
    /// How long an idle process is kept.
    pub idle: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ToolScriptError {
    /// The program or a package is not available; the text tells a person why.
    #[error("{0}")]
    Unavailable(String),
    /// The script refused the question with this message.
    #[error("{0}")]
    Refused(String),
    /// The tool exceeded a time limit and was ended.
    #[error("no answer within {} s", .0.as_secs())]
    TooLong(Duration),
}

/// A tool. Clones share its process.
#[derive(Clone)]
pub struct Tool(Arc<Inner>);

struct Inner {
    toolchain: ToolchainConfig,
    script: ToolScript,
    limits: ToolLimits,
    launcher: OnceCell<Launcher>,
    /// The idle process. The lock is held while a question is answered, so that answers match
    /// questions.
    process: Mutex<Option<ToolProcess>>,
    /// The number of questions so far.
    questions: AtomicU64,
}

impl Tool {
    /// A tool whose process starts with the first question.
    pub fn new(toolchain: ToolchainConfig, script: ToolScript, limits: ToolLimits) -> Self {
        Self(Arc::new(Inner {
            toolchain,
            script,
            limits,
            launcher: OnceCell::new(),
            process: Mutex::new(None),
            questions: AtomicU64::new(0),
        }))
    }

    /// Starts the process unless it runs, so that the next question does not wait for the start.
    ///
    /// # Errors
    /// [`ToolScriptError::Unavailable`], [`ToolScriptError::TooLong`].
    pub async fn warm(&self) -> Result<(), ToolScriptError> {
        let mut slot = self.0.process.lock().await;
        if slot.as_ref().is_none_or(ToolProcess::has_ended) {
            *slot = Some(self.0.start().await?);
        }
        Ok(())
    }

    /// Sends a question and returns the answer, both in JSON. Dropping the future ends the process.
    ///
    /// # Errors
    /// [`ToolScriptError`].
    pub async fn ask(&self, question: &serde_json::Value) -> Result<String, ToolScriptError> {
        let ToolLimits { answer: time_limit, .. } = self.0.limits;
        let too_long = |_| ToolScriptError::TooLong(time_limit);
        let mut slot = timeout(time_limit, self.0.process.lock()).await.map_err(too_long)?;
        let running = slot.take().filter(|process| !process.has_ended());
        let mut process = match running {
            Some(process) => process,
            None => self.0.start().await?,
        };
        // On a timeout, or when the caller leaves, the process is dropped with the late answer,
        // which would otherwise be read as that to the next question.
        let reply =
            timeout(time_limit, process.ask(&question.to_string())).await.map_err(too_long)?;
        let reply = reply.map_err(ToolScriptError::Unavailable)?;
        *slot = Some(process);
        drop(slot);
        self.end_when_idle();
        reply.map_err(ToolScriptError::Refused)
    }

    /// Ends the process unless another question comes in time.
    fn end_when_idle(&self) {
        let question = self.0.questions.fetch_add(1, Relaxed) + 1;
        let tool = Arc::downgrade(&self.0);
        let idle = self.0.limits.idle;
        tokio::spawn(async move {
            sleep(idle).await;
            let Some(tool) = tool.upgrade() else { return };
            let mut slot = tool.process.lock().await;
            if tool.questions.load(Relaxed) == question {
                *slot = None;
            }
        });
    }
}

impl Inner {
    async fn start(&self) -> Result<ToolProcess, ToolScriptError> {
        let time_limit = self.limits.start;
        let started = timeout(time_limit, self.launch()).await;
        let started = started.map_err(|_| ToolScriptError::TooLong(time_limit))?;
        started.map_err(ToolScriptError::Unavailable)
    }

    async fn launch(&self) -> Result<ToolProcess, String> {
        let (toolchain, script) = (self.toolchain.clone(), self.script.clone());
        let prepared = tokio::task::spawn_blocking(move || prepare(&toolchain, &script)).await;
        let command = prepared.map_err(|error| error.to_string())??;
        let program = command.get_program().to_string_lossy().into_owned();
        let launcher = self.launcher.get_or_try_init(|| async { Launcher::begin() }).await;
        let launcher = launcher.map_err(|error| error.to_string())?;
        let child = launcher.start(command).await.map_err(|error| format!("{program}: {error}"))?;
        ToolProcess::open(child).await
    }
}

/// Finds the program, which may take a download, and writes the script and its lock file.
fn prepare(config: &ToolchainConfig, script: &ToolScript) -> Result<Command, String> {
    let account = toolchain::choose_account(config).map_err(|error| error.to_string())?;
    let (home, cache) = toolchain::cache(config, &account).map_err(|error| error.to_string())?;
    let deno = deno::find(config, &account)?;
    let folder = home.join("tools").join(script.name);
    let file = write(script, &folder).map_err(|error| error.to_string())?;
    let mut command = Command::new(&deno.path);
    account.configure(&mut command);
    command
        .env("DENO_DIR", &cache)
        .env("DENO_NO_UPDATE_CHECK", "1")
        .env("DENO_TLS_CA_STORE", "system,mozilla")
        .env("NO_COLOR", "1")
        .envs(config.outside.iter().cloned())
        .args(["run", "--quiet", "--no-prompt", "--no-config", "--node-modules-dir=none"])
        .args(["--frozen", "--allow-env", "--allow-sys=hostname,osRelease,cpus"])
        .arg(format!("--lock={}", folder.join("deno.lock").display()))
        .arg(format!("--allow-read={}", cache.join("npm").display()));
    if !script.hosts.is_empty() {
        command.arg(format!("--allow-net={}", script.hosts.join(",")));
    }
    command.arg(file).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

fn write(script: &ToolScript, folder: &Path) -> Result<PathBuf, ProgramError> {
    if let Some(above) = folder.parent() {
        make(above, 0o755)?;
    }
    make(folder, 0o755)?;
    let file = folder.join("main.mjs");
    let source = format!("{}\n{LOOP}", script.source);
    for (path, text) in [(&file, &*source), (&folder.join("deno.lock"), script.lock)] {
        fs::write(path, text).map_err(ProgramError::file(path))?;
    }
    Ok(file)
}
