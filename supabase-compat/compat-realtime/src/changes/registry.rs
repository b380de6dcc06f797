//! The subscriptions of this process.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_token::Caller;

use super::filter::Filter;
use super::target::Target;
use super::visibility::{RightsGroup, RightsGroups};
use super::{ChangesSender, SystemStatus};

/// A binding whose parameters were checked.
#[derive(Debug)]
pub(super) struct Bound {
    pub id: u32,
    pub target: Target,
    /// A shared copy of [`Target::select`].
    pub select: Option<Arc<[String]>>,
}

/// One channel's subscription.
#[derive(Debug)]
pub(super) struct Subscriber {
    pub role: Arc<str>,
    /// The group of all callers with the same role and claims.
    pub rights: Arc<RightsGroup>,
    pub sender: ChangesSender,
    pub bindings: Vec<Bound>,
}

/// A subscriber's binding that matches a table.
#[derive(Debug, Clone)]
pub(super) struct Route {
    pub subscriber: Arc<Subscriber>,
    /// The index of the binding.
    pub binding: usize,
}

impl Route {
    pub fn bound(&self) -> &Bound {
        &self.subscriber.bindings[self.binding]
    }
}

/// The unique number of a subscription.
pub(crate) type SubscriptionNumber = u64;

/// All subscriptions. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Registry(Arc<Mutex<Entries>>);

#[derive(Debug, Default)]
struct Entries {
    subscribers: HashMap<SubscriptionNumber, Arc<Subscriber>>,
    next: SubscriptionNumber,
    groups: RightsGroups,
    /// Incremented on every change of the registry.
    version: u64,
}

/// Ends a subscription when it is dropped.
#[derive(Debug)]
pub(super) struct Registration {
    registry: Registry,
    number: SubscriptionNumber,
}

impl Registration {
    pub fn number(&self) -> SubscriptionNumber {
        self.number
    }
}

impl Registry {
    /// Adds a subscription: from now on the channel gets the changes that its caller may see. The
    /// subscription `replaces` ends.
    pub fn add(
        &self,
        caller: &Caller,
        sender: ChangesSender,
        bindings: Vec<Bound>,
        replaces: Option<SubscriptionNumber>,
    ) -> Registration {
        let mut entries = self.entries();
        let rights = entries.groups.of(caller.role(), caller.claims_json());
        let subscriber = Subscriber { role: caller.role().into(), rights, sender, bindings };
        entries.version += 1;
        entries.next += 1;
        let number = entries.next;
        entries.subscribers.insert(number, Arc::new(subscriber));
        if let Some(replaced) = replaces {
            entries.subscribers.remove(&replaced);
        }
        Registration { registry: self.clone(), number }
    }

    /// The group of all callers of a role.
    pub fn role_group(&self, role: &str) -> Arc<RightsGroup> {
        self.entries().groups.of(role, "{}")
    }

    /// The version, which changes when a subscription is added or removed.
    pub fn version(&self) -> u64 {
        self.entries().version
    }

    /// The bindings that match a table, grouped by subscriber, and the version at which they were
    /// read.
    pub fn routes(&self, schema: &str, table: &str) -> (u64, Vec<Route>) {
        let entries = self.entries();
        let concerns = |target: &Target| {
            target.schema.as_deref().is_none_or(|name| name == schema)
                && target.table.as_deref().is_none_or(|name| name == table)
        };
        let mut routes = Vec::new();
        for subscriber in entries.subscribers.values() {
            let bindings = subscriber.bindings.iter().enumerate();
            routes.extend(
                bindings
                    .filter(|(_, bound)| concerns(&bound.target))
                    .map(|(binding, _)| Route { subscriber: Arc::clone(subscriber), binding }),
            );
        }
        (entries.version, routes)
    }

    /// The filters of all subscriptions.
    pub fn filters(&self) -> HashSet<Filter> {
        let entries = self.entries();
        let bindings = entries.subscribers.values().flat_map(|subscriber| &subscriber.bindings);
        bindings.flat_map(|bound| &bound.target.filters).cloned().collect()
    }

    /// Sends the status of the stream to every subscriber.
    pub fn send_status(&self, status: SystemStatus, message: &str) {
        let all: Vec<_> = self.entries().subscribers.values().cloned().collect();
        for subscriber in all {
            subscriber.sender.system(status, message);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut entries = self.registry.entries();
        entries.version += 1;
        entries.subscribers.remove(&self.number);
    }
}
