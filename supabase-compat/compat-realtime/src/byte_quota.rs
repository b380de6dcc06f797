//! Limits the bytes that are kept for clients, for the process and for each client, so that one
//! client cannot use up the memory of the others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_fair_semaphore::client_prefix;

/// How many bytes may be kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteLimits {
    /// The limit for all clients together.
    pub total: usize,
    /// The limit for one client.
    pub of_client: usize,
}

impl ByteLimits {
    /// Limits that allow one client a quarter of `total`, and `least` in any case.
    pub fn shared(total: usize, least: usize) -> Self {
        Self { total, of_client: (total / 4).max(least) }
    }
}

/// The bytes that one process keeps for its clients. Clones share the count.
#[derive(Debug, Clone)]
pub(crate) struct ByteQuota(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: ByteLimits,
    usage: Mutex<ByteUsage>,
}

/// Clients without bytes have no entry in the map.
#[derive(Debug, Default)]
struct ByteUsage {
    total: usize,
    of_clients: HashMap<IpAddr, usize>,
}

/// Bytes that count for a client; dropping the permit releases them.
#[derive(Debug)]
pub(crate) struct BytePermit {
    quota: ByteQuota,
    client: IpAddr,
    bytes: usize,
}

impl ByteQuota {
    /// A quota of which nothing is used.
    pub fn new(limits: ByteLimits) -> Self {
        Self(Arc::new(Inner { limits, usage: Mutex::default() }))
    }

    /// A permit of no bytes; see [`BytePermit::resize`]. All addresses of one network count as one
    /// client.
    pub fn empty(&self, address: IpAddr) -> BytePermit {
        BytePermit { quota: self.clone(), client: client_prefix(address).addr(), bytes: 0 }
    }

    /// Reserves `bytes` for a client; `None` if that exceeds a limit.
    pub fn take(&self, address: IpAddr, bytes: usize) -> Option<BytePermit> {
        let mut permit = self.empty(address);
        permit.resize(bytes).then_some(permit)
    }

    fn usage(&self) -> MutexGuard<'_, ByteUsage> {
        self.0.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BytePermit {
    /// The client whose bytes these are, as the first address of its network.
    pub fn client(&self) -> IpAddr {
        self.client
    }

    /// A permit of no bytes for the same client.
    pub fn another(&self) -> Self {
        Self { quota: self.quota.clone(), client: self.client, bytes: 0 }
    }

    /// Changes the permit to `bytes`. Returns false, and changes nothing, if that exceeds a limit.
    /// Shrinking always succeeds.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let limits = self.quota.0.limits;
        let mut usage = self.quota.usage();
        let own = usage.of_clients.get(&self.client).copied().unwrap_or_default();
        let (total, own) = (usage.total - self.bytes + bytes, own - self.bytes + bytes);
        if bytes > self.bytes && (total > limits.total || own > limits.of_client) {
            return false;
        }
        usage.total = total;
        match own {
            0 => usage.of_clients.remove(&self.client),
            own => usage.of_clients.insert(self.client, own),
        };
        drop(usage);
        self.bytes = bytes;
        true
    }
}

impl Drop for BytePermit {
    fn drop(&mut self) {
        self.resize(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    #[test]
    fn one_client_leaves_bytes_to_others() {
        let quota = ByteQuota::new(ByteLimits::shared(100, 30));
        let first = quota.take(client(1), 20).expect("bytes");
        let mut second = quota.take(client(1), 5).expect("bytes");
        assert!(quota.take(client(1), 6).is_none() && !second.resize(11));
        let _others = [2, 3].map(|number| quota.take(client(number), 30).expect("bytes"));
        assert!(quota.take(client(4), 16).is_none(), "exceeds the total");
        drop(first);
        assert!(quota.take(client(4), 30).is_some() && second.resize(25));
    }

    #[test]
    fn bytes_are_free_again_when_permits_end() {
        let quota = ByteQuota::new(ByteLimits { total: 10, of_client: 10 });
        let mut permit = quota.take(client(1), 10).expect("bytes");
        assert!(permit.resize(4) && !permit.resize(11));
        drop(permit);
        assert!(quota.usage().of_clients.is_empty());
        assert_eq!(quota.usage().total, 0);
    }

    #[test]
    fn network_of_ipv6_is_one_client() {
        let quota = ByteQuota::new(ByteLimits { total: 10, of_client: 5 });
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let _first = quota.take(address("2001:db8::1"), 5).expect("bytes");
        assert!(quota.take(address("2001:db8::2"), 1).is_none());
        assert!(quota.take(address("2001:db8:0:1::1"), 5).is_some());
    }
}
