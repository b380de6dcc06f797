//! One query at a time to a host, however many of its servers are due.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

/// Whoever is being asked, by name.
#[derive(Clone, Default)]
pub(crate) struct Hosts(Arc<Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>>);

/// A turn at a host, over when it is dropped.
pub(crate) struct Turn {
    guard: Option<OwnedMutexGuard<()>>,
    host: String,
    hosts: Hosts,
}

impl Hosts {
    /// Waits for the turn at `host`.
    pub async fn turn(&self, host: &str) -> Turn {
        let door = {
            let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(hosts.entry(host.to_owned()).or_default())
        };
        // Made first, so that whoever goes away while waiting leaves nothing behind either.
        let mut turn = Turn { guard: None, host: host.to_owned(), hosts: self.clone() };
        turn.guard = Some(door.lock_owned().await);
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut hosts = self.hosts.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.guard.take());
        if hosts.get(&self.host).is_some_and(|door| Arc::strong_count(door) == 1) {
            hosts.remove(&self.host);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_host_is_asked_once_at_a_time_and_forgotten_after() {
        let (hosts, inside) = (Hosts::default(), Arc::new(AtomicUsize::new(0)));
        let asked: Vec<_> = (0..8)
            .map(|_| {
                let (hosts, inside) = (hosts.clone(), Arc::clone(&inside));
                tokio::spawn(async move {
                    let _turn = hosts.turn("a.fr").await;
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    tokio::task::yield_now().await;
                    inside.fetch_sub(1, Ordering::SeqCst);
                })
            })
            .collect();
        for task in asked {
            task.await.expect("a turn");
        }
        assert!(hosts.0.lock().expect("hosts").is_empty());
    }

    #[tokio::test]
    async fn who_goes_away_while_waiting_leaves_nothing_behind() {
        let hosts = Hosts::default();
        let first = hosts.turn("a.fr").await;
        let waiting = tokio::time::timeout(std::time::Duration::ZERO, hosts.turn("a.fr")).await;
        assert!(waiting.is_err());
        drop(first);
        assert!(hosts.0.lock().expect("hosts").is_empty());
    }
}
