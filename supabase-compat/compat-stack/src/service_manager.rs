//! What systemd is told of this process: that it is ready, that it lives, that it stops.
//!
//! A unit of `Type=notify` names a socket in `NOTIFY_SOCKET`, and one with `WatchdogSec` how often it
//! wants to hear. Where nobody asks, nothing is sent. It does not know what readiness is.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

/// Requests are answered at `address`.
pub(crate) fn tell_ready(address: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(&format!("serving {address}"))]);
}

/// A stop was asked for; the watchdog no longer counts.
pub(crate) fn tell_stopping() {
    tell(&[NotifyState::Stopping]);
}

/// How often this process must say that it lives; none where nobody watches it. Half of the limit
/// that the service manager set, as it recommends.
pub(crate) fn watchdog_interval() -> Option<Duration> {
    let limit = sd_notify::watchdog_enabled()?;
    Some((limit / 2).max(Duration::from_millis(1)))
}

/// Says every `period` that the process lives, for as long as the runtime runs its tasks.
pub(crate) async fn keep_alive(period: Duration, stop: CancellationToken) {
    let mut ticks = interval(period);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        tell(&[NotifyState::Watchdog]);
    }
}

fn tell(states: &[NotifyState<'_>]) {
    // The service goes on: the manager ends it in its own time when it hears nothing.
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "service manager not told");
    }
}
