//! How many visits one host gets at a time, however many servers name it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Visits to one host at a time …
const AT_ONE_HOST: usize = 2;

/// … and to one that many owners name, and that limits them itself.
const AT_A_COMMON_HOST: usize = 8;
const COMMON: [&str; 2] = ["discord.com", "discordapp.com"];

/// The hosts that are being visited.
#[derive(Debug, Default)]
pub(super) struct Hosts(Mutex<HashMap<String, usize>>);

/// A visit's place, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place<'a> {
    hosts: &'a Hosts,
    host: String,
}

impl Hosts {
    /// A place at this host; `None` when it has enough to do.
    pub fn enter(&self, host: String) -> Option<Place<'_>> {
        let most = if COMMON.contains(&&*host) { AT_A_COMMON_HOST } else { AT_ONE_HOST };
        let mut visits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = visits.entry(host.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place { hosts: self, host })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut visits = self.hosts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = visits.get_mut(&self.host) {
            *count -= 1;
            if *count == 0 {
                visits.remove(&self.host);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_gets_two_visits_at_a_time() {
        let hosts = Hosts::default();
        let (one, _two) = (hosts.enter("a".into()), hosts.enter("a".into()).expect("a place"));
        assert!(hosts.enter("a".into()).is_none() && hosts.enter("b".into()).is_some());
        drop(one);
        assert!(hosts.enter("a".into()).is_some());
    }
}
