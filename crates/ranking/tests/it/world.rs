//! The fixture of these tests: a site with its database, its functions, its vote API and its users.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use axum::Router;
use axum::body::Body;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Datelike, Days, Months, Utc};
use compat_http::{ClientIp, Clock, Outgoing, OutgoingConfig, ServiceEnvironment};
use compat_mail::{Email, Renderer as _};
use compat_pg::{ClaimedJob, Owner, OwnerConfig, OwnerDb, PgError, Queue, SchemaSource};
use compat_testkit::{Personas, TestDatabase, TestResponse, call};
use http::{Request, StatusCode};
use include_dir::{Dir, include_dir};
use ranking::{Config, JOBS, RateLimitConfig, State};
use serde_json::{Value, json};
use uuid::Uuid;

/// The schema of compat-auth; the service itself does not run in these tests.
static AUTH_SQL: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../supabase-compat/compat-auth/sql");

/// The schema of compat-storage; the service itself does not run in most tests.
static STORAGE_SQL: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../supabase-compat/compat-storage/sql");

/// The schema of compat-realtime; the service itself does not run in these tests.
static REALTIME_SQL: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../supabase-compat/compat-realtime/sql");

/// The schemas of the services and of the site, in the order of their creation.
pub const SCHEMAS: [SchemaSource; 4] = [
    SchemaSource { schema: "auth", dir: &AUTH_SQL },
    SchemaSource { schema: "storage", dir: &STORAGE_SQL },
    SchemaSource { schema: "realtime", dir: &REALTIME_SQL },
    ranking::SCHEMA,
];

pub struct World {
    pub personas: Personas,
    pub state: State,
    db: Arc<TestDatabase>,
    functions: Router,
    api: Router,
}

/// One attempt to vote.
#[derive(Clone)]
pub struct VoteAttempt {
    pub server: Uuid,
    pub nickname: String,
    pub ip: IpAddr,
    pub as_user: Option<&'static str>,
}

impl World {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A site whose settings `set` changes.
    pub async fn with(set: impl FnOnce(&mut Config)) -> Self {
        let db = TestDatabase::new(&SCHEMAS).await;
        let owner = db.pools().owner.clone();
        Self::over(Arc::new(db), owner, set)
    }

    /// A site with the rows of these scripts, which run once for all tests that use the same
    /// scripts.
    pub async fn filled(scripts: &[&str]) -> Self {
        let db = TestDatabase::filled(&SCHEMAS, scripts).await;
        let owner = db.pools().owner.clone();
        Self::over(Arc::new(db), owner, |_| {})
    }

    /// A site with this client for outgoing calls.
    pub async fn reaching(outgoing: Outgoing, set: impl FnOnce(&mut Config)) -> Self {
        let db = TestDatabase::new(&SCHEMAS).await;
        let owner = db.pools().owner.clone();
        Self::around(
            Arc::new(db),
            owner,
            |environment| ServiceEnvironment { outgoing, ..environment },
            set,
        )
    }

    /// Another process of the same site, with connections of its own.
    pub fn second_process(&self) -> Self {
        let owner = OwnerDb::new(&self.db.owner_url(), &OwnerConfig::default());
        Self::over(Arc::clone(&self.db), owner.expect("an address"), |_| {})
    }

    /// A site with another database than that of the test.
    pub async fn on(owner: OwnerDb, set: impl FnOnce(&mut Config)) -> Self {
        Self::over(Arc::new(TestDatabase::new(&SCHEMAS).await), owner, set)
    }

    fn over(db: Arc<TestDatabase>, owner: OwnerDb, set: impl FnOnce(&mut Config)) -> Self {
        Self::around(db, owner, |environment| environment, set)
    }

    fn around(
        db: Arc<TestDatabase>,
        owner: OwnerDb,
        environment: impl FnOnce(ServiceEnvironment) -> ServiceEnvironment,
        set: impl FnOnce(&mut Config),
    ) -> Self {
        let personas = Personas::new();
        personas.advance(until_mid_month(personas.clock().now()));
        let mut config = Config::new("a secret of this test, long enough".into());
        // Proof of work is tested elsewhere; here it would only take time.
        (config.captcha.cost, config.captcha.rounds) = (2, 2..=4);
        config.vote_rate = RateLimitConfig { burst: 1000, refill: Duration::from_secs(1) };
        set(&mut config);
        // The push services of tests listen on this address only.
        let allowed_hosts = vec!["127.0.0.1".parse().expect("a host")];
        let outgoing = OutgoingConfig { allowed_hosts, ..OutgoingConfig::default() };
        let outgoing = Outgoing::new(outgoing).expect("the system's certificates");
        let environment = environment(ServiceEnvironment { outgoing, ..personas.environment() });
        let state = State::new(environment, &owner, config).expect("good settings");
        let functions = compat_functions::State::new(
            personas.environment(),
            compat_functions::Config::default(),
            ranking::functions(&state),
        );
        let functions = compat_functions::router(functions.expect("distinct names"));
        Self {
            functions: Router::new().nest("/functions/v1", functions),
            api: ranking::router(state.clone()),
            personas,
            state,
            db,
        }
    }

    pub fn clock(&self) -> &Clock {
        self.personas.clock()
    }

    pub fn db(&self) -> &TestDatabase {
        &self.db
    }

    pub fn owner(&self) -> OwnerDb {
        self.db.pools().owner.clone()
    }

    pub async fn begin(&self) -> Owner {
        self.owner().begin().await.expect("a transaction")
    }

    /// Renders the emails that are due; returns them in the order in which they were enqueued.
    pub async fn emails(&self) -> Vec<Email> {
        let queue = Queue::new(self.owner(), "public.mail_queue");
        let mut emails = Vec::new();
        while let Some(message) = self.claimed(&queue).await {
            if let Some(email) = self.state.render(&message).await.expect("rendered")
                && self.state.confirm(&message).await.expect("confirmed")
            {
                emails.push(email);
            }
            queue.done(&message).await.expect("removed");
        }
        emails
    }

    pub async fn claimed(&self, queue: &Queue) -> Option<ClaimedJob> {
        let lease = Duration::from_secs(60);
        queue.claim(self.clock().now(), lease, 1).await.expect("claimed").pop()
    }

    /// Waits until this many sessions of the database wait for a lock.
    pub async fn until_waiting(&self, many: i64) {
        loop {
            let mut owner = self.begin().await;
            let now: i64 = sqlx::query_scalar(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'",
            )
            .fetch_one(&mut *owner)
            .await
            .expect("a count");
            if now >= many {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Creates a public server of a game without a rule for nicknames.
    pub async fn server(&self, name: &str) -> Uuid {
        self.server_of("Dofus Retro", name).await
    }

    pub async fn server_of(&self, game: &str, name: &str) -> Uuid {
        let mut owner = self.begin().await;
        let id = sqlx::query_scalar(
            "insert into public.servers (name, game_id, is_approved, ip_address)
             select $2, games.id, true, 'N/A' from public.games where games.name = $1
             returning id",
        )
        .bind(game)
        .bind(name)
        .fetch_one(&mut *owner)
        .await
        .expect("a server");
        owner.commit().await.expect("committed");
        id
    }

    /// The token of a server's vote API.
    pub async fn token(&self, server: Uuid) -> String {
        let mut owner = self.begin().await;
        sqlx::query_scalar("select token from public.server_api_tokens where server_id = $1")
            .bind(server)
            .fetch_one(&mut *owner)
            .await
            .expect("a token")
    }

    /// Creates an account as auth/v1 does; returns its id.
    pub async fn account(&self, name: &'static str) -> Uuid {
        let id = self.personas.user_id(name);
        let mut owner = self.begin().await;
        sqlx::query(
            "insert into auth.users (id, email, raw_user_meta_data)
             values ($1, $2, jsonb_build_object('username', $3::text))",
        )
        .bind(id)
        .bind(format!("{name}@example.test"))
        .bind(name)
        .execute(&mut *owner)
        .await
        .expect("an account");
        owner.commit().await.expect("committed");
        id
    }

    /// Runs statements with all rights and commits.
    pub async fn sql(&self, statement: &'static str) {
        let mut owner = self.begin().await;
        sqlx::raw_sql(statement).execute(&mut *owner).await.expect("a statement");
        owner.commit().await.expect("committed");
    }

    /// Changes a setting of the site; the value is JSON text.
    pub async fn set(&self, key: &str, value: &str) {
        let mut owner = self.begin().await;
        sqlx::query(
            "insert into public.site_settings (setting_key, setting_value)
             values ($1, $2)
             on conflict (setting_key) do update set setting_value = excluded.setting_value",
        )
        .bind(key)
        .bind(value)
        .execute(&mut *owner)
        .await
        .expect("a setting");
        owner.commit().await.expect("committed");
    }

    /// The number of all votes.
    pub async fn vote_count(&self) -> i64 {
        let mut owner = self.begin().await;
        sqlx::query_scalar("select count(*) from public.votes")
            .fetch_one(&mut *owner)
            .await
            .expect("a count")
    }

    /// A challenge for a vote for this server, solved as a browser would.
    pub async fn solved(&self, server: Uuid, ip: IpAddr) -> String {
        self.solved_for("vote", server, ip).await
    }

    /// A challenge for this purpose and server, solved as a browser would.
    pub async fn solved_for(&self, purpose: &str, server: Uuid, ip: IpAddr) -> String {
        let path = format!("captcha-challenge?purpose={purpose}&server={server}");
        let answer = self.function("GET", &path, ip, &[], Value::Null).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let challenge: Challenge = serde_json::from_value(answer.json()).expect("a challenge");
        let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
        let solution = solution.expect("well formed").expect("in time");
        STANDARD.encode(serde_json::to_vec(&Payload { challenge, solution }).expect("JSON"))
    }

    /// Solves a challenge and votes.
    pub async fn vote(&self, attempt: &VoteAttempt) -> TestResponse {
        let captcha = self.solved(attempt.server, attempt.ip).await;
        self.vote_with(attempt, &captcha).await
    }

    /// Votes again while the service asks for it, as a browser does: on a busy machine a ballot can
    /// wait in the queue longer than it may.
    pub async fn vote_until_decided(&self, attempt: &VoteAttempt) -> TestResponse {
        loop {
            let answer = self.vote(attempt).await;
            if answer.status != StatusCode::SERVICE_UNAVAILABLE {
                return answer;
            }
        }
    }

    /// Votes with this answer to a challenge.
    pub async fn vote_with(&self, attempt: &VoteAttempt, captcha: &str) -> TestResponse {
        let body = json!({
            "serverId": attempt.server,
            "nickname": attempt.nickname,
            "captcha": captcha,
        });
        let headers = match attempt.as_user {
            Some(name) => self.personas.as_user(name),
            None => self.personas.as_anon(),
        };
        self.function("POST", "vote", attempt.ip, &headers, body).await
    }

    /// Calls a named function from an address.
    pub async fn function(
        &self,
        method: &str,
        path: &str,
        ip: IpAddr,
        headers: &[(&'static str, String)],
        body: Value,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/functions/v1/{path}"))
            .extension(ClientIp(ip));
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        self.call(request.body(body).expect("a request")).await
    }

    /// Sends a request to the named functions.
    pub async fn call(&self, request: Request<Body>) -> TestResponse {
        call(&self.functions, request).await
    }

    /// Sends a GET request to the vote API.
    pub async fn ask(&self, path: &str) -> TestResponse {
        self.send(Request::get(path).body(Body::empty()).expect("a request")).await
    }

    /// Sends a request to the vote API.
    pub async fn send(&self, request: Request<Body>) -> TestResponse {
        call(&self.api, request).await
    }
}

impl VoteAttempt {
    /// A guest's attempt, from the address 203.0.113.`last`.
    pub fn guest(server: Uuid, nickname: &str, last: u8) -> Self {
        Self { server, nickname: nickname.into(), ip: [203, 0, 113, last].into(), as_user: None }
    }

    pub fn signed_in(self, name: &'static str) -> Self {
        Self { as_user: Some(name), ..self }
    }

    pub fn at(self, ip: &str) -> Self {
        Self { ip: ip.parse().expect("an address"), ..self }
    }
}

/// How far to move the clock so that a test that adds hours does not reach the end of a month.
fn until_mid_month(now: DateTime<Utc>) -> Duration {
    let first = now.date_naive().with_day(1).expect("a first day") + Months::new(1);
    let mid = (first + Days::new(14)).and_hms_opt(10, 0, 0).expect("a time").and_utc();
    (mid - now).to_std().expect("the future")
}

/// The status and the JSON body of a response.
pub fn status_and_body(answer: &TestResponse) -> (u16, Value) {
    (answer.status.as_u16(), answer.json())
}

/// The status and the body of a refusal by a named function.
pub fn refusal(status: u16, code: &str, message: &str) -> (u16, Value) {
    (status, json!({ "success": false, "code": code, "message": message }))
}

/// Runs a job once; returns how many rows it changed.
pub async fn work(state: &State, job: &str) -> Result<u64, PgError> {
    let job = JOBS.iter().find(|known| known.name == job).expect("a job of this name");
    job.work(state).await
}
