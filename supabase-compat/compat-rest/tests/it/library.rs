//! The fixture: a small library, its callers, and helpers to send requests.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig, ServiceEnvironment};
use compat_pg::{Identity, PgError, SchemaSource};
use compat_rest::{Config, State};
use compat_testkit::{TestDatabase, TestResponse, call};
use compat_token::{ApiKeys, Authenticator, KeyRing};
use http::Request;
use include_dir::{Dir, include_dir};
use serde_json::json;

static FIXTURE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/tests/it/fixture");

/// The subject of the persona "ada".
pub const ADA: &str = "aaaaaaaa-0000-4000-8000-000000000001";

/// A library database with its service.
pub struct Library {
    pub database: TestDatabase,
    pub state: State,
    pub router: Router,
    keys: Arc<KeyRing>,
    environment: ServiceEnvironment,
}

/// The settings of most tests.
pub fn config() -> Config {
    Config {
        schemas: vec!["library".into(), "archive".into()],
        aggregates_enabled: true,
        plan_enabled: true,
        transaction_end: compat_rest::TransactionEndRule::CommitAllowOverride,
        ..Config::default()
    }
}

impl Library {
    /// A fresh library with the usual settings.
    pub async fn open() -> Self {
        Self::with(config()).await
    }

    /// A fresh library with these settings.
    pub async fn with(config: Config) -> Self {
        let source = SchemaSource { schema: "fixture", dir: &FIXTURE };
        let database = TestDatabase::new(&[source]).await;
        let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
        let api = Arc::new(ApiKeys::issue(&keys, 0, [7; 48]).expect("keys"));
        let environment = ServiceEnvironment {
            clock: Clock::system(),
            entropy: Entropy::seeded(1),
            outgoing: Outgoing::new(OutgoingConfig::default()).expect("a client"),
            authenticator: Arc::new(Authenticator::new(keys.clone(), api, "anon")),
            trusted_proxies: Arc::new([]),
            public_url: "http://localhost".into(),
        };
        let state = State::new(environment.clone(), database.pools().acting.clone(), config);
        state.load().await.expect("the schema cache loads");
        let router = compat_rest::router(state.clone());
        Self { database, state, router, keys, environment }
    }

    /// A bearer header for a role and a subject.
    pub fn bearer(&self, role: &str, subject: &str) -> String {
        let claims = json!({"role": role, "sub": subject, "exp": 4_102_444_800_i64});
        format!("Bearer {}", self.keys.sign(&claims).expect("a token"))
    }

    /// Sends a request.
    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> TestResponse {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        call(&self.router, request).await
    }

    /// Sends a plain request to another router of the same library.
    pub async fn ask_of(&self, router: &Router, method: &str, path: &str) -> TestResponse {
        let request = Request::builder().method(method).uri(path);
        call(router, request.body(Body::empty()).expect("a request")).await
    }

    /// The service environment of this library.
    pub fn environment(&self) -> ServiceEnvironment {
        self.environment.clone()
    }

    /// Runs statements as the database owner.
    pub async fn sql(&self, text: &str) {
        let mut work = self.database.pools().owner.begin().await.expect("a transaction");
        sqlx::raw_sql(sqlx::AssertSqlSafe(text.to_owned()))
            .execute(&mut *work)
            .await
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        work.commit().await.expect("the commit");
    }

    /// Queries one number as the database owner.
    pub async fn number(&self, text: &str) -> i64 {
        let mut work = self.database.pools().owner.begin().await.expect("a transaction");
        sqlx::query_scalar(sqlx::AssertSqlSafe(text.to_owned()))
            .fetch_one(&mut *work)
            .await
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The schema cache that the service loaded.
    pub async fn schema(&self) -> Arc<compat_rest_core::SchemaCache> {
        self.state.schema().expect("a loaded schema cache")
    }

    /// Runs a statement under the service role.
    pub async fn as_service(&self, sql: &str, params: &[Option<&str>]) -> Result<(), PgError> {
        let identity = Identity {
            role: "service_role",
            claims_json: "{}",
            method: "GET",
            path: "/",
            headers_json: "{}",
            cookies_json: "{}",
            search_path: "library, public",
            read_only: false,
            commit: false,
            client: None,
            extra: &[],
        };
        let statement = compat_pg::Statement { sql, params };
        self.database.pools().acting.run(&identity, statement).await.map(drop)
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.ask("GET", path, &[], "").await
    }

    /// Sends a GET request with headers.
    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> TestResponse {
        self.ask("GET", path, headers, "").await
    }

    /// Sends a GET request that must succeed; returns the rows.
    #[track_caller]
    pub fn rows(&self, path: &str) -> impl Future<Output = serde_json::Value> + use<'_> {
        let path = path.to_owned();
        async move {
            let answer = self.get(&path).await;
            assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text());
            answer.json()
        }
    }
}
