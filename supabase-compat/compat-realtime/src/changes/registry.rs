//! Who subscribed to what, in this process.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_token::Caller;

use super::filter::Filter;
use super::target::Target;
use super::visibility::{RightsGroup, RightsGroups};
use super::{ChangesSender, SystemStatus};

/// One binding that was checked.
#[derive(Debug)]
pub(super) struct Bound {
    pub id: u32,
    pub target: Target,
    /// [`Target::select`], shared by all changes.
    pub select: Option<Arc<[String]>>,
}

/// One channel's subscription.
#[derive(Debug)]
pub(super) struct Subscriber {
    pub role: Arc<str>,
    /// Everybody with the same role and claims.
    pub rights: Arc<RightsGroup>,
    pub sender: ChangesSender,
    pub bindings: Vec<Bound>,
}

/// A subscriber's binding that concerns a table.
#[derive(Debug, Clone)]
pub(super) struct Route {
    pub subscriber: Arc<Subscriber>,
    /// The place of the binding.
    pub binding: usize,
}

impl Route {
    pub fn bound(&self) -> &Bound {
        &self.subscriber.bindings[self.binding]
    }
}

/// What a subscription is known by.
pub(crate) type SubscriptionNumber = u64;

/// All of them. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Registry(Arc<Mutex<Entries>>);

#[derive(Debug, Default)]
struct Entries {
    subscribers: HashMap<SubscriptionNumber, Arc<Subscriber>>,
    next: SubscriptionNumber,
    groups: RightsGroups,
    /// Counts every change of the registry.
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
    /// From now on the channel is told what its caller may see; `replaces` is told no more.
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

    /// Everybody of a role.
    pub fn everybody(&self, role: &str) -> Arc<RightsGroup> {
        self.entries().groups.of(role, "{}")
    }

    /// A number that differs when somebody has come or gone.
    pub fn version(&self) -> u64 {
        self.entries().version
    }

    /// The bindings that concern a table, those of a subscriber one after the other; and the version
    /// they are of.
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

    /// The filters that somebody has.
    pub fn filters(&self) -> HashSet<Filter> {
        let entries = self.entries();
        let bindings = entries.subscribers.values().flat_map(|subscriber| &subscriber.bindings);
        bindings.flat_map(|bound| &bound.target.filters).cloned().collect()
    }

    /// Tells every subscriber how the stream does.
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
