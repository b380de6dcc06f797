//! What all functions of a folder share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compat_http::Entropy;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::config::ScriptsConfig;
use super::launcher::Launcher;
use super::toolchain::Toolchain;
use crate::{CallRefusal, FunctionConfig};

/// How long a call waits for another function's process to end.
const MAKE_ROOM: Duration = Duration::from_secs(5);
/// Settings, toolchain and limits that all functions of a folder share.
pub(super) struct RuntimeContext {
    pub config: ScriptsConfig,
    pub own: BTreeMap<String, FunctionConfig>,
    pub entropy: Entropy,
    pub launcher: Launcher,
    pub toolchain: watch::Sender<ToolchainState>,
    pub processes: Arc<Semaphore>,
    /// Retires the process that has been idle longest.
    pub evict: Mutex<Option<Box<dyn Fn() + Send + Sync>>>,
}

/// Whether the toolchain of scripts is available.
#[derive(Clone)]
pub(super) enum ToolchainState {
    NotYet,
    Here(Arc<Toolchain>),
    Missing(String),
}

impl RuntimeContext {
    /// The settings of one function.
    pub fn own(&self, name: &str) -> FunctionConfig {
        self.own.get(name).cloned().unwrap_or_default()
    }

    /// Waits until the toolchain was searched for; returns it if it was found.
    pub async fn toolchain(&self) -> Result<Arc<Toolchain>, CallRefusal> {
        let mut state = self.toolchain.subscribe();
        let known = state.wait_for(|state| !matches!(state, ToolchainState::NotYet)).await;
        match known.map(|state| state.clone()) {
            Ok(ToolchainState::Here(toolchain)) => Ok(toolchain),
            _ => Err(CallRefusal::NoRuntime),
        }
    }

    /// The permit for one more process; if none is free, the process that has been idle longest is
    /// retired.
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
