//! What all functions of a folder share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compat_http::{Clock, Entropy};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::config::ScriptsConfig;
use super::launcher::Launcher;
use super::toolchain::Toolchain;
use crate::{CallRefusal, FunctionConfig};

/// How long a call waits for another function's process to leave.
const MAKE_ROOM: Duration = Duration::from_secs(5);
/// See the module.
pub(super) struct RuntimeContext {
    pub config: ScriptsConfig,
    pub own: BTreeMap<String, FunctionConfig>,
    pub clock: Clock,
    pub entropy: Entropy,
    pub launcher: Launcher,
    pub toolchain: watch::Sender<ToolchainState>,
    pub processes: Arc<Semaphore>,
    /// Lets the process go that has been idle longest.
    pub evict: Mutex<Option<Box<dyn Fn() + Send + Sync>>>,
}

/// Whether there is what scripts need.
#[derive(Clone)]
pub(super) enum ToolchainState {
    NotYet,
    Here(Arc<Toolchain>),
    Missing(String),
}

impl RuntimeContext {
    pub fn logs(&self) -> PathBuf {
        logs(&self.config.toolchain.home)
    }

    /// The settings of one function.
    pub fn own(&self, name: &str) -> FunctionConfig {
        self.own.get(name).cloned().unwrap_or_default()
    }

    /// What is needed, once it is known whether it is there.
    pub async fn toolchain(&self) -> Result<Arc<Toolchain>, CallRefusal> {
        let mut found = self.toolchain.subscribe();
        let known = found.wait_for(|found| !matches!(found, ToolchainState::NotYet)).await;
        match known.map(|found| found.clone()) {
            Ok(ToolchainState::Here(toolchain)) => Ok(toolchain),
            _ => Err(CallRefusal::NoRuntime),
        }
    }

    /// Room for one more process; where there is none, the one that is idle longest makes it.
    pub async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        let permits = Arc::clone(&self.processes);
        if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            return Some(permit);
        }
        if let Some(evict) = &*self.evict.lock().unwrap_or_else(PoisonError::into_inner) {
            evict();
        }
        timeout(MAKE_ROOM, permits.acquire_owned()).await.ok()?.ok()
    }
}

/// Where what functions print is kept.
pub(super) fn logs(home: &Path) -> PathBuf {
    home.join("logs")
}
