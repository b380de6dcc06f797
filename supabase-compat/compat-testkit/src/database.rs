//! A database per test, cloned from a template. There is one template for each content of the SQL
//! folders and of the scripts that fill the database.

use std::str::FromStr;

use compat_pg::{ConnectConfig, Pools, SchemaSource, ensure_roles, migrate};
use include_dir::{Dir, DirEntry};
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use url::Url;
use uuid::Uuid;

const HOW: &str = "TEST_DATABASE_URL is not set; run the tests through \
                   `cargo run -q -p compat-testkit --bin with-postgres -- cargo nextest run -p …`";

/// A database of one test's own, dropped with it.
pub struct TestDatabase {
    cluster: Cluster,
    name: String,
    pools: Pools,
}

impl TestDatabase {
    /// A fresh database to which the sources were applied, in the cluster that
    /// `TEST_DATABASE_URL` names.
    pub async fn new(sources: &[SchemaSource]) -> Self {
        Self::of(sources, &[]).await
    }

    /// A fresh database that scripts have filled. The owner runs the scripts once for all tests
    /// that name the same ones, each in a transaction of its own unless it is a statement that
    /// cannot be in one.
    ///
    /// Their rows may depend on the current time: after the next full hour the scripts run again.
    pub async fn filled(sources: &[SchemaSource], scripts: &[&str]) -> Self {
        Self::of(sources, scripts).await
    }

    async fn of(sources: &[SchemaSource], scripts: &[&str]) -> Self {
        let cluster = Cluster::from_environment();
        let name = format!("test_{}", random());
        let mut session = cluster.session().await.expect("TEST_DATABASE_URL answers");
        let template = match scripts {
            [] => cluster.template(&mut session, sources).await,
            scripts => cluster.filled_template(&mut session, sources, scripts).await,
        };
        clone_database(&mut session, &template, &name).await;
        session.close().await.expect("the session closes");
        let config = cluster.connect_config(&name);
        let pools = Pools::connect_later(&config).expect("an address");
        Self { cluster, name, pools }
    }

    /// A fresh database without anything in it but the roles around it.
    pub async fn empty() -> Self {
        Self::new(&[]).await
    }

    /// The pools of the owner and of `authenticator`.
    pub fn pools(&self) -> &Pools {
        &self.pools
    }

    /// Address of the superuser.
    pub fn owner_url(&self) -> String {
        self.cluster.url(&self.name, None)
    }

    /// Address of the `authenticator` login, where it may log in without a password.
    pub fn acting_url(&self) -> Option<String> {
        self.cluster.trusts().then(|| self.cluster.url(&self.name, Some("authenticator")))
    }

    /// Address of another login without a password.
    pub fn url_as(&self, login: &str) -> String {
        self.cluster.url(&self.name, Some(login))
    }

    /// How a service under test connects.
    pub fn connect_config(&self) -> ConnectConfig {
        self.cluster.connect_config(&self.name)
    }

    /// The database's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for TestDatabase {
    /// Drops the database on a thread and a runtime of its own: the test's runtime may be shutting
    /// down.
    fn drop(&mut self) {
        let (cluster, name) = (self.cluster.clone(), self.name.clone());
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut session = cluster.session().await?;
                let text = format!("drop database if exists {name} with (force)");
                sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut session).await?;
                session.close().await
            })
        });
        if let Ok(Err(error)) = dropping.join() {
            eprintln!("{} could not be dropped: {error}", self.name);
        }
    }
}

/// The server the tests run on.
#[derive(Clone)]
struct Cluster {
    url: Url,
}

impl Cluster {
    fn from_environment() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the cluster is named by the program that runs the tests"
        )]
        let address = std::env::var("TEST_DATABASE_URL").expect(HOW);
        Self { url: Url::parse(&address).expect("TEST_DATABASE_URL is a postgresql:// address") }
    }

    /// A server without passwords lets every login in; see the throw-away cluster.
    fn trusts(&self) -> bool {
        self.url.password().is_none()
    }

    fn url(&self, database: &str, login: Option<&str>) -> String {
        let mut url = self.url.clone();
        url.set_path(database);
        if let Some(login) = login {
            url.set_username(login).expect("an address with a host may name a login");
        }
        url.into()
    }

    fn connect_config(&self, database: &str) -> ConnectConfig {
        let mut config = ConnectConfig::new(self.url(database, None));
        if self.trusts() {
            config = config.with_acting_url(self.url(database, Some("authenticator")));
        }
        // Tests run side by side, each with pools of its own.
        config.owner.max_connections = 8;
        config.acting.max_connections = 8;
        config
    }

    async fn session(&self) -> Result<PgConnection, sqlx::Error> {
        PgConnectOptions::from_str(self.url.as_str())?.connect().await
    }

    /// The name of the template with the sources alone.
    async fn template(&self, session: &mut PgConnection, sources: &[SchemaSource]) -> String {
        let (name, lock) = identify(sources, &[]);
        let draft = format!("{name}_draft");
        if may_create(session, &name, lock).await {
            run(session, &format!("drop database if exists {draft} with (force)")).await;
            run(session, &format!("create database {draft} template template0")).await;
            let config = self.connect_config(&draft);
            let pools = Pools::connect(&config).await.expect("the draft opens");
            ensure_roles(&pools.owner).await.expect("the roles can be made");
            migrate(&pools.owner, sources).await.unwrap_or_else(|error| panic!("{error}"));
            pools.close().await;
            finish(session, &draft, &name, lock).await;
        }
        name
    }

    /// The name of the template that scripts have filled.
    async fn filled_template(
        &self,
        session: &mut PgConnection,
        sources: &[SchemaSource],
        scripts: &[&str],
    ) -> String {
        let bare = self.template(session, sources).await;
        let (family, lock) = identify(sources, scripts);
        let hour: String =
            sqlx::query_scalar("select to_char(now() at time zone 'UTC', 'YYYYMMDDHH24')")
                .fetch_one(&mut *session)
                .await
                .expect("the hour");
        let name = format!("{family}_{hour}");
        let draft = format!("{family}_draft");
        if may_create(session, &name, lock).await {
            run(session, &format!("drop database if exists {draft} with (force)")).await;
            clone_database(session, &bare, &draft).await;
            let config = self.connect_config(&draft);
            let pools = Pools::connect(&config).await.expect("the draft opens");
            for (place, script) in scripts.iter().enumerate() {
                let mut owner = pools.owner.connection().await.expect("a connection");
                sqlx::raw_sql(AssertSqlSafe((*script).to_owned()))
                    .execute(&mut *owner)
                    .await
                    .unwrap_or_else(|error| panic!("script {place}: {error}"));
            }
            pools.close().await;
            drop_stale(session, &family).await;
            finish(session, &draft, &name, lock).await;
        }
        name
    }
}

/// Whether this test must make the template. The first test gets true and holds a lock in the
/// database that all tests share; the others wait for the lock.
async fn may_create(session: &mut PgConnection, name: &str, lock: i64) -> bool {
    if exists(session, name).await {
        return false;
    }
    run(session, &format!("select pg_advisory_lock({lock})")).await;
    if !exists(session, name).await {
        return true;
    }
    run(session, &format!("select pg_advisory_unlock({lock})")).await;
    false
}

/// Renames a finished draft to the template's name, and releases the lock.
async fn finish(session: &mut PgConnection, draft: &str, name: &str, lock: i64) {
    run(session, &format!("alter database {draft} rename to {name}")).await;
    run(session, &format!("select pg_advisory_unlock({lock})")).await;
}

/// Drops templates of the same scripts that are older than the previous hour: another test may be
/// about to clone that of the previous hour.
async fn drop_stale(session: &mut PgConnection, family: &str) {
    let stale: Vec<String> = sqlx::query_scalar(
        "select datname::text from pg_catalog.pg_database
         where datname ~ ('^' || $1 || '_[0-9]{10}$')
           and datname < $1 || to_char(now() at time zone 'UTC' - interval '1 hour', '_YYYYMMDDHH24')",
    )
    .bind(family)
    .fetch_all(&mut *session)
    .await
    .expect("the catalogue can be read");
    for name in stale {
        run(session, &format!("drop database if exists {name} with (force)")).await;
    }
}

/// Copying files is faster than logging a database page by page; PostgreSQL 14 has no other
/// strategy.
async fn clone_database(session: &mut PgConnection, template: &str, name: &str) {
    let may_choose = session.server_version_num().is_some_and(|version| version >= 150_000);
    let strategy = if may_choose { "strategy file_copy" } else { "" };
    run(session, &format!("create database {name} template {template} {strategy}")).await;
}

async fn run(session: &mut PgConnection, text: &str) {
    sqlx::raw_sql(AssertSqlSafe(text.to_owned()))
        .execute(session)
        .await
        .unwrap_or_else(|error| panic!("{text}: {error}"));
}

async fn exists(session: &mut PgConnection, name: &str) -> bool {
    sqlx::query_scalar("select exists (select from pg_catalog.pg_database where datname = $1)")
        .bind(name)
        .fetch_one(session)
        .await
        .expect("the catalogue can be read")
}

/// The name and lock number of a template, which depend on the SQL only.
fn identify(sources: &[SchemaSource], scripts: &[&str]) -> (String, i64) {
    let mut digest = Sha256::new();
    for source in sources {
        digest.update(source.schema);
        digest.update([0]);
        absorb(&mut digest, source.dir);
    }
    for script in scripts {
        digest.update(script.len().to_le_bytes());
        digest.update(script);
    }
    let digest = digest.finalize();
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let lock = digest.iter().take(8).fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
    (format!("template_{name}"), lock)
}

fn absorb(digest: &mut Sha256, dir: &Dir<'_>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => absorb(digest, dir),
            DirEntry::File(file) => {
                digest.update(file.path().as_os_str().as_encoded_bytes());
                digest.update([0]);
                digest.update(file.contents().len().to_le_bytes());
                digest.update(file.contents());
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a database's name must differ between processes")]
fn random() -> String {
    Uuid::new_v4().simple().to_string()
}
