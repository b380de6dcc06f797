//! How to reach the database, and how many connections each pool may hold.

use std::time::Duration;

use secrecy::SecretString;

/// Everything [`crate::Pools::connect`] needs.
#[derive(Clone, Debug)]
pub struct ConnectConfig {
    /// Address of the owner login as a `postgresql://` URL. Variable: `DATABASE_URL`; without it,
    /// the embedded server's own address. Migrations hold a session-level lock, so a pooler in
    /// between must be in session mode.
    pub owner_url: SecretString,
    /// Address of the `authenticator` login. Variable: `PGRST_DB_URI`. Without it, the owner login
    /// is used and every connection starts as `authenticator`; a separate login is safer, because
    /// no SQL can then return to the owner.
    pub acting_url: Option<SecretString>,
    /// Settings of the owner's pool.
    pub owner: OwnerConfig,
    /// Settings of the pool that acts for callers.
    pub acting: ActingConfig,
}

impl ConnectConfig {
    /// The defaults for one address.
    pub fn new(owner_url: impl Into<String>) -> Self {
        Self {
            owner_url: SecretString::from(owner_url.into()),
            acting_url: None,
            owner: OwnerConfig::default(),
            acting: ActingConfig::default(),
        }
    }

    /// Sets the address for the `authenticator` login.
    pub fn with_acting_url(mut self, url: impl Into<String>) -> Self {
        self.acting_url = Some(SecretString::from(url.into()));
        self
    }
}

/// The pool of the owner login.
#[derive(Clone, Debug)]
pub struct OwnerConfig {
    /// Most connections held at once. Variable: `DATABASE_POOL_SIZE`.
    pub max_connections: u32,
    /// How long a caller waits for a connection. Variable: `DATABASE_POOL_TIMEOUT`.
    pub acquire_timeout: Duration,
}

impl Default for OwnerConfig {
    fn default() -> Self {
        Self { max_connections: 10, acquire_timeout: Duration::from_secs(10) }
    }
}

/// The pool of connections that act for callers.
#[derive(Clone, Debug)]
pub struct ActingConfig {
    /// Most connections held at once. Variable: `PGRST_DB_POOL`.
    pub max_connections: usize,
    /// How long a request waits for a connection. Variable: `PGRST_DB_POOL_ACQUISITION_TIMEOUT`.
    pub acquire_timeout: Duration,
    /// How long opening a connection may take.
    pub connect_timeout: Duration,
    /// The age at which a connection is replaced, since a session's caches only grow. Variable:
    /// `PGRST_DB_POOL_MAX_LIFETIME`.
    pub max_lifetime: Duration,
    /// A connection that was idle for this long is replaced instead of used again. Variable:
    /// `PGRST_DB_POOL_MAX_IDLETIME`.
    pub max_idle: Duration,
    /// Whether statements are prepared by name and kept. Must be false behind a pooler in
    /// transaction mode. Variable: `PGRST_DB_PREPARED_STATEMENTS`.
    pub prepared_statements: bool,
    /// How many statements each connection keeps prepared.
    pub statement_cache: usize,
}

impl Default for ActingConfig {
    fn default() -> Self {
        Self {
            max_connections: 10,
            acquire_timeout: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(10),
            max_lifetime: Duration::from_secs(30 * 60),
            max_idle: Duration::MAX,
            prepared_statements: true,
            statement_cache: 256,
        }
    }
}
