//! The statements one connection keeps prepared, in a bounded cache.
//!
//! The key contains the role, because PostgreSQL plans a statement with row security again whenever
//! the role changes.

use std::borrow::Borrow;
use std::hash::Hash;
use std::num::NonZeroUsize;

use lru::LruCache;

use super::row::Columns;

/// A statement that the server has prepared under a name.
#[derive(Clone)]
pub(super) struct PreparedStatement {
    pub name: Box<str>,
    pub columns: Columns,
}

/// Prepared statements by role and text. The names of evicted statements are kept until the server
/// has closed them.
pub(super) struct Statements {
    cache: LruCache<Key, PreparedStatement>,
    /// Names of evicted statements that the server has still to close.
    pub retired: Vec<Box<str>>,
}

impl Statements {
    pub fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self { cache: LruCache::new(capacity), retired: Vec::new() }
    }

    /// The statement, which becomes the most recently used one.
    pub fn get(&mut self, role: &str, sql: &str) -> Option<PreparedStatement> {
        self.cache.get(&(role, sql) as &dyn StatementKey).cloned()
    }

    pub fn put(&mut self, role: &str, sql: &str, statement: PreparedStatement) {
        let key = Key { role: role.into(), sql: sql.into() };
        let replaced = self.cache.push(key, statement);
        self.retired.extend(replaced.map(|(_, old)| old.name));
    }

    pub fn clear(&mut self) {
        while let Some((_, old)) = self.cache.pop_lru() {
            self.retired.push(old.name);
        }
    }
}

struct Key {
    role: Box<str>,
    sql: Box<str>,
}

/// An owned or borrowed key, so that a lookup allocates nothing.
trait StatementKey {
    fn role_and_sql(&self) -> (&str, &str);
}

impl StatementKey for Key {
    fn role_and_sql(&self) -> (&str, &str) {
        (&self.role, &self.sql)
    }
}

impl StatementKey for (&str, &str) {
    fn role_and_sql(&self) -> (&str, &str) {
        *self
    }
}

impl<'a> Borrow<dyn StatementKey + 'a> for Key {
    fn borrow(&self) -> &(dyn StatementKey + 'a) {
        self
    }
}

impl Hash for dyn StatementKey + '_ {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.role_and_sql().hash(state);
    }
}

impl PartialEq for dyn StatementKey + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.role_and_sql() == other.role_and_sql()
    }
}

impl Eq for dyn StatementKey + '_ {}

impl Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.role_and_sql().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.role_and_sql() == other.role_and_sql()
    }
}

impl Eq for Key {}
