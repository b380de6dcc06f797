//! Rate limits of one socket.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A fixed window: the count starts again when the window is over.
#[derive(Debug, Clone)]
pub(super) struct RateWindow {
    most: u32,
    length: Duration,
    start: Option<Instant>,
    count: u32,
}

impl RateWindow {
    /// A window that allows `most` within `length`.
    pub fn new(most: u32, length: Duration) -> Self {
        Self { most, length, start: None, count: 0 }
    }

    /// Counts one event; returns false if it exceeds the limit.
    pub fn take(&mut self) -> bool {
        self.take_many(1)
    }

    /// Counts `count` events; returns false if they exceed the limit.
    pub fn take_many(&mut self, count: usize) -> bool {
        let now = Instant::now();
        if self.start.is_none_or(|start| now - start > self.length) {
            (self.start, self.count) = (Some(now), 0);
        }
        self.count = self.count.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.count <= self.most
    }
}

/// A window that all sockets share.
#[derive(Debug)]
pub(crate) struct SharedRate(Mutex<RateWindow>);

impl SharedRate {
    /// A window that allows `most` in a second.
    pub fn per_second(most: u32) -> Self {
        Self(Mutex::new(RateWindow::new(most, Duration::from_secs(1))))
    }

    /// Counts one event; returns false if it exceeds the limit.
    pub fn take(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn count_begins_anew_after_its_time() {
        let mut window = RateWindow::new(2, Duration::from_secs(1));
        assert!(window.take() && window.take() && !window.take());
        tokio::time::advance(Duration::from_millis(1001)).await;
        assert!(window.take());
    }
}
