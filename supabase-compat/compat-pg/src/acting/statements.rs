//! The statements one connection keeps prepared, in a bounded cache.
//!
//! The key contains the role: one statement run by alternating roles is planned again at every
//! switch wherever row security is involved.

use std::{borrow::Borrow, hash::Hash, num::NonZeroUsize};

use lru::LruCache;
use tokio_postgres::Statement;

/// Prepared statements by role and text. Evicting one closes it in the server.
pub(super) struct Statements {
    cache: LruCache<Key, Statement>,
}

impl Statements {
    pub fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self { cache: LruCache::new(capacity) }
    }

    /// The statement, now the most recently used one.
    pub fn get(&mut self, role: &str, sql: &str) -> Option<Statement> {
        self.cache.get(&(role, sql) as &dyn Named).cloned()
    }

    pub fn put(&mut self, role: &str, sql: &str, statement: Statement) {
        self.cache.put(Key { role: role.into(), sql: sql.into() }, statement);
    }

    pub fn forget(&mut self, role: &str, sql: &str) {
        self.cache.pop(&(role, sql) as &dyn Named);
    }

    pub fn clear(&mut self) {
        self.cache.clear();
    }
}

struct Key {
    role: Box<str>,
    sql: Box<str>,
}

/// What owned and borrowed keys have in common, so that a lookup allocates nothing.
trait Named {
    fn named(&self) -> (&str, &str);
}

impl Named for Key {
    fn named(&self) -> (&str, &str) {
        (&self.role, &self.sql)
    }
}

impl Named for (&str, &str) {
    fn named(&self) -> (&str, &str) {
        *self
    }
}

impl<'a> Borrow<dyn Named + 'a> for Key {
    fn borrow(&self) -> &(dyn Named + 'a) {
        self
    }
}

impl Hash for dyn Named + '_ {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.named().hash(state);
    }
}

impl PartialEq for dyn Named + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.named() == other.named()
    }
}

impl Eq for dyn Named + '_ {}

impl Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.named().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.named() == other.named()
    }
}

impl Eq for Key {}
