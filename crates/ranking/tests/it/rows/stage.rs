//! A database with the site's schema and a fixed cast of personas, and methods to run statements as
//! them.

use compat_pg::{Owner, OwnerDb};
use compat_testkit::TestDatabase;
use serde_json::json;
use sqlx::postgres::PgQueryResult;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::world::SCHEMAS;

const CAST: &str = include_str!("cast.sql");

/// The caller of a statement. Olga and Boris own listings; Boris is banned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persona {
    Anon,
    Stan,
    Olga,
    Boris,
    Ada,
    Fanny,
    Service,
}

impl Persona {
    pub const ALL: [Persona; 7] = [
        Persona::Anon,
        Persona::Stan,
        Persona::Olga,
        Persona::Boris,
        Persona::Ada,
        Persona::Fanny,
        Persona::Service,
    ];

    pub fn role(self) -> &'static str {
        match self {
            Persona::Anon => "anon",
            Persona::Service => "service_role",
            _ => "authenticated",
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Persona::Anon | Persona::Service => None,
            Persona::Stan => Some("stan"),
            Persona::Olga => Some("olga"),
            Persona::Boris => Some("boris"),
            Persona::Ada => Some("ada"),
            Persona::Fanny => Some("fanny"),
        }
    }
}

pub struct Stage {
    db: TestDatabase,
}

impl Stage {
    /// The schema with the cast on it.
    pub async fn new() -> Self {
        Self::filled(&[]).await
    }

    /// The schema with the cast and the rows of scripts, which run once for all tests that use the
    /// same scripts.
    pub async fn filled(scripts: &[&str]) -> Self {
        let scripts: Vec<&str> = [CAST].into_iter().chain(scripts.iter().copied()).collect();
        Self { db: TestDatabase::filled(&SCHEMAS, &scripts).await }
    }

    /// The schema of a new site.
    pub async fn empty() -> Self {
        Self { db: TestDatabase::new(&SCHEMAS).await }
    }

    pub fn owner(&self) -> &OwnerDb {
        &self.db.pools().owner
    }

    /// A transaction with all rights.
    pub async fn begin(&self) -> Owner {
        self.owner().begin().await.expect("a transaction")
    }

    /// A transaction with a persona's role and claims, as in a request.
    pub async fn acting(&self, persona: Persona) -> Owner {
        let mut owner = self.begin().await;
        let id: Option<Uuid> = match persona.name() {
            Some(name) => Some(id_of(&mut owner, name).await),
            None => None,
        };
        let claims = json!({ "role": persona.role(), "sub": id });
        sqlx::query(
            "select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)",
        )
        .bind(claims.to_string())
        .bind(persona.role())
        .execute(&mut *owner)
        .await
        .expect("the role");
        owner
    }

    /// Runs a script with all rights and commits.
    pub async fn run(&self, script: &'static str) {
        let mut owner = self.begin().await;
        sqlx::raw_sql(script).execute(&mut *owner).await.expect("the script");
        owner.commit().await.expect("committed");
    }

    /// Runs a statement that manages its own transactions.
    pub async fn call(&self, statement: &'static str) {
        let mut alone = PgConnection::connect(&self.db.owner_url()).await.expect("a connection");
        sqlx::raw_sql(statement).execute(&mut alone).await.expect("called");
        alone.close().await.expect("closed");
    }

    /// Waits until a session of this database waits for a lock.
    pub async fn until_somebody_waits(&self) {
        let waiting = "select exists (select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock')";
        while !self.value::<bool>(waiting).await {}
    }

    /// Runs a statement as a persona, and commits it unless it is refused.
    pub async fn act(&self, persona: Persona, sql: &'static str) -> Result<u64, Refusal> {
        let mut owner = self.acting(persona).await;
        let done = sqlx::query(sql).execute(&mut *owner).await.map_err(Refusal::from)?;
        owner.commit().await.expect("committed");
        Ok(PgQueryResult::rows_affected(&done))
    }

    /// Reads one value with all rights.
    pub async fn value<T>(&self, sql: &'static str) -> T
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        let mut owner = self.begin().await;
        sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a value")
    }

    /// Reads one value of a statement that runs with all rights, and commits.
    pub async fn committed<T>(&self, sql: &'static str) -> T
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        let mut owner = self.begin().await;
        let value = sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a value");
        owner.commit().await.expect("committed");
        value
    }
}

async fn id_of(owner: &mut Owner, name: &str) -> Uuid {
    sqlx::query_scalar("select md5($1)::uuid")
        .bind(name)
        .fetch_one(&mut **owner)
        .await
        .expect("an id")
}

/// The error with which the database refuses a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: String,
    pub message: String,
}

impl Refusal {
    pub fn new(code: &str, message: &str) -> Self {
        Self { code: code.to_owned(), message: message.to_owned() }
    }
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        let error = error.into_database_error().expect("a refusal of the database");
        Self::new(&error.code().expect("a code"), error.message())
    }
}
