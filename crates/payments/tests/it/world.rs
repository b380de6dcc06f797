//! The test setup: a site with its database, functions and pages, and people who buy.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use compat_functions::BoxFuture;
use compat_http::{ClientIp, Clock, Outgoing, OutgoingConfig, ServiceEnvironment};
use compat_mail::{Email, Renderer as _};
use compat_pg::{ClaimedJob, Owner, OwnerDb, PgError, Queue, SchemaSource};
use compat_testkit::{Headers, Personas, TestDatabase, TestResponse, call};
use http::Request;
use include_dir::{Dir, include_dir};
use payments::{Config, JOBS, PictureCopier, PictureError, ProviderName, State};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stand_in::StandIn;

/// The schema of accounts, without the auth service.
static AUTH_SQL: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../supabase-compat/compat-auth/sql");

/// The schema of files, without the storage service.
static STORAGE_SQL: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../supabase-compat/compat-storage/sql");

/// The schema of broadcasts, without the realtime service.
static REALTIME_SQL: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../supabase-compat/compat-realtime/sql");

/// The schemas of the services and of the site, in the order of their creation.
const SCHEMAS: [SchemaSource; 4] = [
    SchemaSource { schema: "auth", dir: &AUTH_SQL },
    SchemaSource { schema: "storage", dir: &STORAGE_SQL },
    SchemaSource { schema: "realtime", dir: &REALTIME_SQL },
    ranking::SCHEMA,
];

/// The secret that signs the stand-in's webhook events.
pub const WEBHOOK_SECRET: &str = "whsec_of_tests";

/// A copier that can copy `https://pictures.example/tile.png` and no other picture.
struct Copier;

impl PictureCopier for Copier {
    fn copy<'a>(
        &'a self,
        address: &'a str,
        account: Uuid,
    ) -> BoxFuture<'a, Result<String, PictureError>> {
        let copied = match address {
            "https://pictures.example/tile.png" => Ok(format!("/copies/{account}/tile.png")),
            "https://pictures.example/huge.png" => Err(PictureError::TooLarge),
            "https://pictures.example/page" => Err(PictureError::NotAPicture),
            _ => Err(PictureError::Unreachable),
        };
        Box::pin(async move { copied })
    }
}

pub const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 1));

pub struct World {
    pub personas: Personas,
    pub state: State,
    db: Arc<TestDatabase>,
    functions: Router,
    pages: Router,
}

impl World {
    /// A site whose provider is the page that takes no money.
    pub async fn new() -> Self {
        Self::over(Arc::new(TestDatabase::new(&SCHEMAS).await), Config::default())
    }

    /// A site whose provider is Stripe, replaced by the stand-in.
    pub async fn by_stripe(stand_in: &StandIn) -> Self {
        let config = Config {
            provider: Some(ProviderName::Stripe),
            stripe_key: Some("sk_test_key".into()),
            stripe_webhook_secrets: vec!["whsec_older".into(), WEBHOOK_SECRET.into()],
            stripe_api_url: stand_in.url.clone(),
            ..Config::for_site(true)
        };
        Self::over(Arc::new(TestDatabase::new(&SCHEMAS).await), config)
    }

    /// The same site with other settings.
    pub fn with(&self, config: Config) -> Self {
        Self::over(Arc::clone(&self.db), config)
    }

    fn over(db: Arc<TestDatabase>, config: Config) -> Self {
        let personas = Personas::new();
        let short = std::time::Duration::from_millis(1_500);
        let outgoing = OutgoingConfig { timeout: short, ..OutgoingConfig::default() };
        let outgoing = Outgoing::new(outgoing).expect("the system's certificates");
        let environment = ServiceEnvironment { outgoing, ..personas.environment() };
        let pools = db.pools();
        let state =
            State::new(environment, &pools.owner, pools.acting.clone(), config, Arc::new(Copier));
        let state = state.expect("good settings");
        let functions = compat_functions::State::new(
            personas.environment(),
            compat_functions::Config::default(),
            payments::functions(&state),
        );
        let functions = compat_functions::router(functions.expect("distinct names"));
        Self {
            functions: Router::new().nest("/functions/v1", functions),
            pages: payments::router(state.clone()),
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

    /// Renders all emails that are due, in the order in which they were enqueued.
    pub async fn emails(&self) -> Vec<Email> {
        let queue = Queue::new(self.owner(), "public.mail_queue");
        let mut emails = Vec::new();
        while let Some(message) = self.claimed(&queue).await {
            emails.extend(self.state.render(&message).await.expect("rendered"));
            queue.done(&message).await.expect("removed");
        }
        emails
    }

    /// Claims a message that is due.
    pub async fn claimed(&self, queue: &Queue) -> Option<ClaimedJob> {
        // Messages that SQL enqueues are due by the clock of the database.
        let lease = Duration::from_secs(60);
        queue.claim(Clock::system().now() + lease, lease, 1).await.expect("claimed").pop()
    }

    pub async fn begin(&self) -> Owner {
        self.owner().begin().await.expect("a transaction")
    }

    /// Creates an account as auth/v1 would do.
    pub async fn account(&self, name: &'static str) -> Uuid {
        let id = self.personas.user_id(name);
        let mut owner = self.begin().await;
        sqlx::query(
            "insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
             values ($1, $2, now(), jsonb_build_object('username', $3::text))",
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

    /// Creates a public server that belongs to `of`.
    pub async fn server(&self, name: &str, of: &str) -> Uuid {
        let mut owner = self.begin().await;
        let id = sqlx::query_scalar(
            "insert into public.servers (name, game_id, is_approved, ip_address, owner_id)
             select $1, games.id, true, 'N/A', $2 from public.games
             where games.name = 'Dofus Retro' returning id",
        )
        .bind(name)
        .bind(self.personas.user_id(of))
        .fetch_one(&mut *owner)
        .await
        .expect("a server");
        owner.commit().await.expect("committed");
        id
    }

    /// Creates Ada's account and a server of hers; returns the server.
    pub async fn ada(&self) -> Uuid {
        self.account("ada").await;
        self.server("Avalon", "ada").await
    }

    /// Runs statements with all rights and commits.
    pub async fn sql(&self, statement: &'static str) {
        let mut owner = self.begin().await;
        sqlx::raw_sql(statement).execute(&mut *owner).await.expect("a statement");
        owner.commit().await.expect("committed");
    }

    /// The value that a query returns.
    pub async fn query_scalar<T>(&self, question: &'static str) -> T
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        let mut owner = self.begin().await;
        sqlx::query_scalar(question).fetch_one(&mut *owner).await.expect("an answer")
    }

    /// The state and refund reason of each payment, in the order in which they were opened.
    pub async fn states(&self) -> Vec<String> {
        self.query_scalar(
            "select coalesce(array_agg(state || coalesce(' ' || refund_reason, '')
               order by created_at, id), '{}') from public.payments",
        )
        .await
    }

    /// The number of days of Prestige that Avalon has left, rounded.
    pub async fn days_left(&self) -> i32 {
        self.query_scalar(
            "select coalesce(round(extract(epoch from prestige_expires_at - now()) / 86400), 0)::int4
             from public.servers where name = 'Avalon'",
        )
        .await
    }

    /// Calls a named function.
    pub async fn function(&self, name: &str, headers: &Headers, body: Value) -> TestResponse {
        let mut request = Request::post(format!("/functions/v1/{name}")).extension(ClientIp(HOME));
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(Body::from(body.to_string())).expect("a request");
        call(&self.functions, request).await
    }

    /// Orders days of Prestige for a server.
    pub async fn order(&self, user: &str, server: Uuid, days: i32) -> TestResponse {
        let body =
            json!({ "serverId": server, "days": days, "language": "en", "beginsAtOnce": true });
        self.function("create-prestige-payment", &self.personas.as_user(user), body).await
    }

    /// Ada orders thirty days; returns the session's id.
    pub async fn ordered(&self, server: Uuid) -> String {
        let answer = self.order("ada", server, 30).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let url = answer.json()["url"].as_str().expect("an address").to_owned();
        url.rsplit('/').next().expect("a session").to_owned()
    }

    /// Books a spot for three days, the first of which is `ahead` days from today.
    pub async fn book(&self, user: &str, position: i32, ahead: u64) -> TestResponse {
        let today: chrono::NaiveDate = self.query_scalar("select public.site_today()").await;
        let day = |more| today + chrono::Days::new(ahead + more);
        let body = json!({
            "position": position, "startDate": day(0), "endDate": day(2), "imageUrl": "/a.png",
            "websiteUrl": "https://a.example", "beginsAtOnce": true,
        });
        self.function("create-arcade-spot-payment", &self.personas.as_user(user), body).await
    }

    /// Checks the status of a session's payment.
    pub async fn check_session(&self, session: &str) -> TestResponse {
        let body = json!({ "sessionId": session });
        self.function("check-payment", &self.personas.as_anon(), body).await
    }

    /// Presses a button of the checkout page.
    pub async fn choose(&self, session: &str, choice: &str) -> TestResponse {
        let request = Request::post(format!("/payments/test/{session}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin");
        let request = request.body(Body::from(format!("choice={choice}"))).expect("a request");
        self.send(request).await
    }

    /// Sends a request to the router of payments.
    pub async fn send(&self, request: Request<Body>) -> TestResponse {
        call(&self.pages, request).await
    }

    /// Sends a webhook event that Stripe signed.
    pub async fn notice(&self, event: &Value) -> TestResponse {
        let body = event.to_string();
        let signature = crate::stand_in::signature(WEBHOOK_SECRET, self.clock().unix(), &body);
        self.notice_signed(&signature, body).await
    }

    /// Sends a webhook event with the given signature.
    pub async fn notice_signed(&self, signature: &str, body: String) -> TestResponse {
        let request = Request::post("/payments/webhooks/stripe")
            .header("stripe-signature", signature)
            .header("content-type", "application/json");
        self.send(request.body(Body::from(body)).expect("a request")).await
    }
}

/// The status and the JSON body of a response.
pub fn status_and_body(answer: &TestResponse) -> (u16, Value) {
    (answer.status.as_u16(), answer.json())
}

/// The status and body of a refusal.
pub fn refusal(status: u16, code: &str, error: &str) -> (u16, Value) {
    (status, json!({ "error": error, "code": code }))
}

/// Runs a job once; returns how many rows it changed.
pub async fn work(state: &State, job: &str) -> Result<u64, PgError> {
    let job = JOBS.iter().find(|known| known.name == job).expect("a job of this name");
    job.work(state).await
}
