//! A function in TypeScript. All its calls share one process, which is started by the first call,
//! and again by the first call after its files have changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::{IntoResponse as _, Response};
use futures_util::future::BoxFuture;
use secrecy::ExposeSecret as _;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Child;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::entry::{self, Entry};
use super::imports::import_map;
use super::lines::Lines;
use super::log::{FunctionLog, Source};
use super::process::{ExitReason, InFlightCall, Phase, Process, attend};
use super::process_client::ProcessClient;
use super::proxy::{CallGuard, forward};
use super::runtime_context::RuntimeContext;
use super::secrets::{self, SecretRedactor};
use super::status::FunctionStatus;
use super::toolchain::Toolchain;
use crate::{CallRefusal, Function, Invocation};

/// How long a check of the files stays valid.
const FRESH: Duration = Duration::from_millis(100);
/// The backoff after the first failed start; each further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A function of the folder.
pub(super) struct Script(Arc<Shared>);

struct Shared {
    name: String,
    runtime: Arc<RuntimeContext>,
    log: Arc<FunctionLog>,
    slot: Arc<tokio::sync::Mutex<Slot>>,
    /// Limits the calls at the same time.
    permits: Arc<Semaphore>,
    running: Mutex<Option<Arc<Process>>>,
    starts: AtomicU64,
    ends: Mutex<BTreeMap<&'static str, u64>>,
}

/// The current process; locked during a start, so that only one process is started.
#[derive(Default)]
struct Slot {
    process: Option<Arc<Process>>,
    /// The fingerprint of the files that the process was started from.
    fingerprint: u64,
    checked_at: Option<Instant>,
    /// When the next start may be tried, and how many starts have failed in a row.
    failed: Option<(Instant, u32)>,
}

impl Script {
    pub fn new(name: &str, runtime: Arc<RuntimeContext>) -> Self {
        let log = FunctionLog::new(name);
        Self(Arc::new(Shared {
            name: name.to_owned(),
            log: Arc::new(log),
            slot: Arc::default(),
            permits: Arc::new(Semaphore::new(runtime.config.limits.calls)),
            running: Mutex::default(),
            starts: AtomicU64::new(0),
            ends: Mutex::default(),
            runtime,
        }))
    }

    /// Retires the running process and returns it.
    pub fn retire(&self) -> Option<Arc<Process>> {
        let process = self.0.running()?;
        process.retire();
        Some(process)
    }

    /// The running process and since when it has been idle; `None` while it is in use.
    pub fn idle(&self) -> Option<(Instant, Arc<Process>)> {
        let process = self.0.running()?;
        process.idle_since().map(|since| (since, process))
    }

    /// The status for the operator.
    pub fn status(&self) -> FunctionStatus {
        let running = self.0.running();
        FunctionStatus {
            name: self.0.name.clone(),
            is_running: running.is_some(),
            memory: running.map_or(0, |process| process.memory()),
            starts: self.0.starts.load(Relaxed),
            ends: self.0.ends.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

impl Function for Script {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn call(&self, invocation: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move {
            let answered = self.0.answer(invocation).await;
            answered.unwrap_or_else(|refusal| refusal.into_response())
        })
    }
}

impl Shared {
    async fn answer(self: &Arc<Self>, invocation: Invocation) -> Result<Response, CallRefusal> {
        let until = Instant::now() + self.runtime.config.limits.wall_clock;
        // A call beyond the limit is refused at once: waiting calls would only fill the server.
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        let permit = permit.map_err(|_| CallRefusal::WorkerLimit)?;
        let visit = self.enter().await?;
        forward(&self.name, invocation, CallGuard { visit, _permit: permit, until }).await
    }

    /// Begins a call in the process of the current files, which is started if needed.
    async fn enter(self: &Arc<Self>) -> Result<InFlightCall, CallRefusal> {
        let toolchain = self.runtime.toolchain().await?;
        let mut slot = Arc::clone(&self.slot).lock_owned().await;
        self.check(&mut slot, &toolchain);
        if let Some(visit) = slot.process.as_ref().and_then(Process::enter) {
            return Ok(visit);
        }
        // A task of its own, so that the start goes on for other callers if this one disconnects.
        let this = Arc::clone(self);
        let started = tokio::spawn(async move { this.start(slot, &toolchain).await });
        started.await.unwrap_or(Err(CallRefusal::BootError))
    }

    /// Retires the process if its files have changed.
    fn check(&self, slot: &mut Slot, toolchain: &Toolchain) {
        if slot.checked_at.is_some_and(|checked_at| checked_at.elapsed() < FRESH) {
            return;
        }
        slot.checked_at = Some(Instant::now());
        let current = self.entry(toolchain).map_or(0, |(_, files)| entry::fingerprint(&files));
        if current == slot.fingerprint {
            return;
        }
        slot.fingerprint = current;
        slot.failed = None;
        if let Some(process) = slot.process.take() {
            process.retire();
        }
    }

    fn entry(&self, toolchain: &Toolchain) -> Option<(Entry, Vec<PathBuf>)> {
        let entry = Entry::find(&toolchain.folder, &self.name, &self.runtime.own(&self.name))?;
        let env_file = self.runtime.config.env_file.as_deref();
        let files = entry.files(&toolchain.folder, &self.name, env_file);
        Some((entry, files))
    }

    async fn start(
        self: &Arc<Self>,
        mut slot: OwnedMutexGuard<Slot>,
        toolchain: &Arc<Toolchain>,
    ) -> Result<InFlightCall, CallRefusal> {
        if slot.failed.is_some_and(|(until, _)| Instant::now() < until) {
            return Err(CallRefusal::BootError);
        }
        let permit = self.runtime.permit().await.ok_or(CallRefusal::WorkerLimit)?;
        // The slot stays locked until the process serves: callers that come meanwhile wait for this
        // start instead of beginning another.
        match self.boot(toolchain, permit).await {
            Ok(process) => {
                slot.failed = None;
                let visit = process.enter();
                slot.process = Some(process);
                visit.ok_or(CallRefusal::WorkerError)
            }
            Err(StartError::Limit) => Err(CallRefusal::WorkerLimit),
            Err(StartError::Reason(reason)) => {
                self.log.write(Source::Host, &format!("did not start: {reason}"));
                let times = slot.failed.map_or(0, |(_, times)| times);
                let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(times));
                let until = Instant::now() + pause.min(LONGEST_PAUSE);
                slot.failed = Some((until, times.saturating_add(1)));
                Err(CallRefusal::BootError)
            }
        }
    }

    /// Starts the process and waits until it listens.
    async fn boot(
        self: &Arc<Self>,
        toolchain: &Arc<Toolchain>,
        permit: OwnedSemaphorePermit,
    ) -> Result<Arc<Process>, StartError> {
        let limits = self.runtime.config.limits;
        let word = self.runtime.entropy.uuid().simple().to_string();
        let (this, shop, secret) = (Arc::clone(self), Arc::clone(toolchain), word.clone());
        let prepared = tokio::task::spawn_blocking(move || this.prepare(&shop, &secret)).await;
        let (command, socket) =
            prepared.map_err(|error| StartError::Reason(error.to_string()))??;
        let mut child = self.runtime.launcher.start(command).await.map_err(|error| {
            StartError::Reason(format!("{}: {error}", toolchain.deno.path.display()))
        })?;
        let process = Process::new(ProcessClient::to(&socket));
        self.starts.fetch_add(1, Relaxed);
        self.listen(&mut child, &process, word);
        // The process holds the permit until it has ended, not only during this call.
        let attended = attend(Arc::clone(&process), child, limits, Arc::clone(&self.log), permit);
        tokio::spawn(Arc::clone(self).follow(Arc::clone(&process), attended, socket));
        let mut phase = process.phase();
        let decided = phase.wait_for(|phase| *phase != Phase::Starting);
        match timeout(limits.boot, decided).await.map(|phase| phase.map(|phase| *phase)) {
            Ok(Ok(Phase::Serving)) => Ok(process),
            Ok(Ok(Phase::Ended(ExitReason::Memory | ExitReason::Cpu))) => Err(StartError::Limit),
            Ok(_) => Err(StartError::Reason("it ended before it served".to_owned())),
            Err(_) => {
                process.retire();
                Err(StartError::Reason(format!("it did not serve within {:?}", limits.boot)))
            }
        }
    }

    /// Waits for the end of a process, and counts it.
    async fn follow(
        self: Arc<Self>,
        process: Arc<Process>,
        attended: impl Future<Output = ()>,
        socket: PathBuf,
    ) {
        *self.lock_running() = Some(Arc::clone(&process));
        attended.await;
        let ending = process.ended().await.name();
        *self.ends.lock().unwrap_or_else(PoisonError::into_inner).entry(ending).or_default() += 1;
        self.lock_running().take_if(|current| Arc::ptr_eq(current, &process));
        let _ = tokio::fs::remove_file(socket).await;
    }

    /// The command that starts the process, and the socket that it will listen on.
    fn prepare(&self, toolchain: &Toolchain, word: &str) -> Result<(Command, PathBuf), StartError> {
        let (entry, files) = self
            .entry(toolchain)
            .ok_or_else(|| StartError::Reason("its module is gone".to_owned()))?;
        // deno checks read permissions by path, so a link could lead to any file.
        if let Some(link) = entry::find_outside_link(&toolchain.folder) {
            let reason = "is a link that leads out of the functions' folder";
            return Err(StartError::Reason(format!("{} {reason}", link.display())));
        }
        let config = &self.runtime.config;
        let map = import_map(&entry, &files, &toolchain.shims)
            .map_err(|error| StartError::Reason(error.to_string()))?;
        let map_file = toolchain.maps.join(format!("{}.json", self.name));
        std::fs::write(&map_file, map.to_string())
            .map_err(|error| StartError::Reason(format!("{}: {error}", map_file.display())))?;
        let mut environment = config.environment.clone();
        if let Some(file) = config.env_file.as_deref().filter(|file| file.exists()) {
            let (own, invalid_lines) = secrets::read(file)
                .map_err(|error| StartError::Reason(format!("{}: {error}", file.display())))?;
            if !invalid_lines.is_empty() {
                let names = invalid_lines.join(", ");
                self.log.write(Source::Host, &format!("names ignored: {names}"));
            }
            environment.extend(own);
        }
        environment
            .push(("SB_EXECUTION_ID".to_owned(), self.runtime.entropy.uuid().to_string().into()));
        self.log.cover(SecretRedactor::over(environment.iter().map(|(_, value)| value)));
        // A socket's whole path must fit into 107 bytes, so its name is only a part of `word`.
        let socket = toolchain.sockets.join(&word[..16]);
        let mut command = Command::new(&toolchain.deno.path);
        toolchain.account.configure(&mut command);
        command.env_clear();
        for (name, value) in &environment {
            command.env(name, value.expose_secret());
        }
        self.hide(&mut command, toolchain, word, &socket);
        self.arguments(&mut command, toolchain, &entry, &map_file, &socket);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok((command, socket))
    }

    /// Sets the variables for deno and the prelude, which the prelude hides from the function.
    fn hide(&self, command: &mut Command, toolchain: &Toolchain, word: &str, socket: &Path) {
        let own = [("DENO_NO_PACKAGE_JSON", "1"), ("DENO_NO_UPDATE_CHECK", "1"), ("NO_COLOR", "1")];
        let names = ["DENO_DIR", "DENO_NODE_SHIM_ACTIVE", "PATH"].into_iter();
        let hidden: Vec<_> = own.iter().map(|(name, _)| *name).chain(names).collect();
        // Certificates are checked as the server itself does. deno reads this and the other
        // variables for outgoing connections late, so they cannot be hidden.
        command.env("DENO_TLS_CA_STORE", "system,mozilla");
        command.envs(self.runtime.config.toolchain.outside.iter().cloned()).envs(own);
        command.env("DENO_DIR", &toolchain.cache);
        command
            .env("COMPAT_FUNCTION_SOCKET", socket)
            .env("COMPAT_FUNCTION_WORD", word)
            .env("COMPAT_FUNCTION_HIDDEN", hidden.join(","));
    }

    fn arguments(
        &self,
        command: &mut Command,
        toolchain: &Toolchain,
        entry: &Entry,
        map: &Path,
        socket: &Path,
    ) {
        let flag = |name: &str, value: &Path| {
            let mut flag = std::ffi::OsString::from(name);
            flag.push(value);
            flag
        };
        let memory = self.runtime.config.limits.memory;
        command
            .args(["run", "--quiet", "--no-prompt", "--no-lock", "--node-modules-dir=none"])
            .arg(format!("--v8-flags=--max-old-space-size={memory}"))
            .args(["--allow-env", "--allow-net", "--allow-sys=hostname,osRelease,cpus"])
            .arg(flag("--allow-read=", &toolchain.folder))
            .arg(flag("--allow-read=", &toolchain.cache.join("npm")))
            .arg(flag("--allow-read=", socket))
            .arg(flag("--allow-write=", socket))
            .arg(flag("--preload=", &toolchain.shims.join("prelude.js")))
            .arg(flag("--import-map=", map));
        // The file of secrets usually lies in the folder that the function may read.
        if let Some(file) = &self.runtime.config.env_file {
            command.arg(flag("--deny-read=", file));
        }
        match &entry.config {
            Some(config) => command.arg(flag("--config=", config)),
            None => command.arg("--no-config"),
        };
        command.arg(&entry.main);
    }

    /// Reads the output of the process: a line with `word` means that it listens, all others go to
    /// the log.
    fn listen(&self, child: &mut Child, process: &Arc<Process>, word: String) {
        let word = format!("\u{1e}{word}");
        if let Some(output) = child.stdout.take() {
            let (log, process) = (Arc::clone(&self.log), Arc::clone(process));
            tokio::spawn(read(output, move |line| {
                if line == word { process.announce() } else { log.write(Source::Output, &line) }
            }));
        }
        if let Some(errors) = child.stderr.take() {
            let log = Arc::clone(&self.log);
            tokio::spawn(read(errors, move |line| log.write(Source::Error, &line)));
        }
    }

    fn running(&self) -> Option<Arc<Process>> {
        self.lock_running().clone()
    }

    fn lock_running(&self) -> std::sync::MutexGuard<'_, Option<Arc<Process>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a process did not start.
enum StartError {
    /// It exceeded a resource limit.
    Limit,
    /// Anything else, for the log.
    Reason(String),
}

/// Reads a stream to its end, so that the process never has to wait to print.
async fn read(mut stream: impl AsyncRead + Unpin, mut line: impl FnMut(String)) {
    let (mut lines, mut chunk) = (Lines::default(), vec![0; 8 * 1024]);
    while let Ok(length @ 1..) = stream.read(&mut chunk).await {
        lines.feed(chunk.get(..length).unwrap_or_default(), &mut line);
    }
    if let Some(rest) = lines.rest() {
        line(rest);
    }
}
