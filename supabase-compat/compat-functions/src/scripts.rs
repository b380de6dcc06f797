//! Functions in TypeScript from a folder, as a Supabase project has them: `<name>/index.ts`, folders
//! that begin with `_` for what they share, import maps.
//!
//! Promises that each function runs in a process of its own, which its first call starts, which is
//! kept while it is used, and which ends with the server. A function may read the folder, reach the
//! network and see its own secrets, and no more, and stays within its resource limits. The
//! functions run in deno, a third-party program; without it their calls are refused and all else
//! works.
//!
//! Deliberately does not know what a function does, nor who may call it.

mod config;
mod deno;
mod entry;
mod imports;
mod launcher;
mod lines;
mod log;
mod process;
mod process_client;
mod proxy;
mod runtime_context;
mod script;
mod secrets;
mod secrets_file;
mod specifier;
mod status;
mod tool;
mod tool_process;
mod toolchain;
mod usage;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compat_http::Entropy;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

pub use config::{FunctionLimits, ScriptsConfig, ToolchainConfig};
pub use entry::Entry;
pub use secrets_file::{SecretsFile, is_platform_name, is_reserved_name, is_secret_name};
pub use status::FunctionStatus;
pub use tool::{Tool, ToolLimits, ToolScript, ToolScriptError};

use crate::{Function, FunctionConfig, Host};
use launcher::Launcher;
use process::Process;
use runtime_context::{RuntimeContext, ToolchainState};
use script::Script;

/// How long to wait before a missing program is searched for again.
const AGAIN: Duration = Duration::from_secs(30);
/// How long processes may take to finish when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// The functions of a folder. Clones share them.
#[derive(Clone)]
pub struct Scripts(Arc<Inner>);

struct Inner {
    runtime: Arc<RuntimeContext>,
    known: Mutex<BTreeMap<String, Arc<Script>>>,
}

impl Scripts {
    /// The functions of `config.folder`, each with its own settings. Needs a runtime; no function
    /// can be called before [`Self::keep`] runs.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn open(
        config: ScriptsConfig,
        own: BTreeMap<String, FunctionConfig>,
        entropy: Entropy,
    ) -> std::io::Result<Self> {
        let runtime = RuntimeContext {
            processes: Arc::new(Semaphore::new(config.limits.processes)),
            config,
            own,
            entropy,
            launcher: Launcher::begin()?,
            toolchain: watch::Sender::new(ToolchainState::NotYet),
            evict: Mutex::default(),
        };
        let inner = Arc::new(Inner { runtime: Arc::new(runtime), known: Mutex::default() });
        let weak = Arc::downgrade(&inner);
        let evict = move || weak.upgrade().into_iter().for_each(|inner| inner.evict());
        *inner.runtime.evict.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(evict));
        Ok(Self(inner))
    }

    /// Finds the program and keeps the functions callable until `stop`; then lets them finish.
    pub async fn keep(self, stop: CancellationToken) {
        while !matches!(*self.0.runtime.toolchain.borrow(), ToolchainState::Here(_)) {
            self.find().await;
            let missing = matches!(*self.0.runtime.toolchain.borrow(), ToolchainState::Missing(_));
            if missing && stop.run_until_cancelled(sleep(AGAIN)).await.is_none() {
                return;
            }
        }
        stop.cancelled().await;
        let scripts: Vec<_> = self.0.known().values().cloned().collect();
        let leaving: Vec<_> = scripts.iter().filter_map(|script| script.retire()).collect();
        let all = futures_util::future::join_all(leaving.iter().map(|process| process.ended()));
        if timeout(FAREWELL, all).await.is_err() {
            tracing::warn!("functions still running at shutdown");
        }
    }

    /// All functions that the folder has now, each with what it runs.
    pub fn list(&self) -> Vec<(String, Entry)> {
        list(&self.0.runtime.config.folder, &self.0.runtime.own)
    }

    /// The status of each function that was called.
    pub fn statuses(&self) -> Vec<FunctionStatus> {
        self.0.known().values().map(|script| script.status()).collect()
    }

    /// Why no function can be called, if the program is missing.
    pub fn missing(&self) -> Option<String> {
        match &*self.0.runtime.toolchain.borrow() {
            ToolchainState::Missing(reason) => Some(reason.clone()),
            _ => None,
        }
    }

    async fn find(&self) {
        let config = self.0.runtime.config.clone();
        let opened = tokio::task::spawn_blocking(move || toolchain::open(&config)).await;
        let result = match opened.unwrap_or_else(|error| Err(error.to_string())) {
            Ok(toolchain) => {
                let (version, account) = (&toolchain.deno.version, &toolchain.account.name);
                let folder = toolchain.folder.display();
                tracing::info!(%version, account, %folder, "TypeScript functions available");
                ToolchainState::Here(Arc::new(toolchain))
            }
            Err(reason) => {
                tracing::warn!(reason, "TypeScript functions unavailable");
                ToolchainState::Missing(reason)
            }
        };
        self.0.runtime.toolchain.send_replace(result);
    }
}

impl Host for Scripts {
    fn find(&self, name: &str) -> Option<Arc<dyn Function>> {
        let runtime = &self.0.runtime;
        if Entry::find(&runtime.config.folder, name, &runtime.own(name)).is_none() {
            if let Some(removed) = self.0.known().remove(name) {
                removed.retire();
            }
            return None;
        }
        let mut known = self.0.known();
        let script = known
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(Script::new(name, Arc::clone(runtime))));
        Some(Arc::clone(script) as Arc<dyn Function>)
    }
}

impl Inner {
    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Script>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn evict(&self) {
        let idle =
            self.known().values().filter_map(|script| script.idle()).min_by_key(|(at, _)| *at);
        if let Some((_, process)) = idle {
            Process::retire(&process);
        }
    }
}

/// All functions of a folder, each with what it runs.
pub fn list(folder: &Path, own: &BTreeMap<String, FunctionConfig>) -> Vec<(String, Entry)> {
    let mut names = entry::names(folder);
    names.extend(own.keys().filter(|name| own[*name].entrypoint.is_some()).cloned());
    names.sort_unstable();
    names.dedup();
    let functions = names.into_iter().filter_map(|name| {
        let config = own.get(&name).cloned().unwrap_or_default();
        Entry::find(folder, &name, &config).map(|entry| (name, entry))
    });
    functions.collect()
}
