//! Notifies systemd of the state of this process: ready, alive, stopping.
//!
//! A unit of `Type=notify` sets a socket in `NOTIFY_SOCKET`, and one with `WatchdogSec` the
//! interval of the watchdog. Without them nothing is sent. This module does not decide what
//! readiness is.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

/// Reports that requests are answered at `address`.
pub(crate) fn notify_ready(address: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(&format!("serving {address}"))]);
}

/// Reports that the process is stopping, which ends the watchdog.
pub(crate) fn notify_stopping() {
    tell(&[NotifyState::Stopping]);
}

/// How often the watchdog must be notified; none without a watchdog. Half of the limit that the
/// service manager set, as it recommends.
pub(crate) fn watchdog_interval() -> Option<Duration> {
    let limit = sd_notify::watchdog_enabled()?;
    Some((limit / 2).max(Duration::from_millis(1)))
}

/// Notifies the watchdog every `period`, for as long as the runtime runs its tasks.
pub(crate) async fn keep_alive(period: Duration, stop: CancellationToken) {
    let mut ticks = interval(period);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        tell(&[NotifyState::Watchdog]);
    }
}

fn tell(states: &[NotifyState<'_>]) {
    // The process goes on; the service manager ends it if the watchdog's limit passes.
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}
