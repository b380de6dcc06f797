//! The fixture of these tests: a service, its mailbox, and short methods to send requests.

use std::net::IpAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use compat_auth::{Config, SCHEMA, State};
use compat_http::{ClientIp, ServiceEnvironment};
use compat_mail::{Mailbox, Mailer};
use compat_testkit::{Headers, Personas, TestDatabase, TestResponse, call};
use http::{Method, Request};
use serde_json::{Value, json};

/// The password of everybody in these tests.
pub const PASSWORD: &str = "correct horse";

pub struct World {
    pub db: TestDatabase,
    pub personas: Personas,
    pub mailbox: Mailbox,
    pub state: State,
    pub router: Router,
}

impl World {
    /// A service that confirms addresses by email.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A service that confirms addresses at once, so that a sign-up signs in.
    pub async fn autoconfirming() -> Self {
        Self::with(|config| config.email.autoconfirm = true).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::on_edge(|environment| environment, change).await
    }

    /// A service with a changed environment and changed settings.
    pub async fn on_edge(
        environment: impl FnOnce(ServiceEnvironment) -> ServiceEnvironment,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let db = TestDatabase::new(&[SCHEMA]).await;
        let personas = Personas::new();
        let mailbox = Mailbox::default();
        let mut config = Config {
            site_url: "https://site.example".to_owned(),
            mount: "/auth/v1".to_owned(),
            uri_allow_list: vec!["https://app.example/**".to_owned()],
            ..Config::default()
        };
        config.password.argon2_memory_kib = 64;
        config.password.argon2_passes = 1;
        change(&mut config);
        let state = State::new(
            environment(personas.environment()),
            personas.keys().clone(),
            personas.api_keys().clone(),
            db.pools().owner.clone(),
            Mailer::new(mailbox.clone()),
            config,
        );
        let router = compat_auth::router(state.clone());
        Self { db, personas, mailbox, state, router }
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: Headers,
        body: Option<Value>,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("x-supabase-api-version", "2024-01-01");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        call(&self.router, request.body(body).expect("a request")).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::POST, path, self.personas.as_anon(), Some(body)).await
    }

    /// Sends a POST request from this client address.
    pub async fn post_from(&self, ip: IpAddr, path: &str, body: Value) -> TestResponse {
        let mut request = Request::post(path).extension(ClientIp(ip));
        for (name, value) in self.personas.as_anon() {
            request = request.header(name, value);
        }
        call(&self.router, request.body(Body::from(body.to_string())).expect("a request")).await
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, self.personas.as_anon(), None).await
    }

    pub async fn get_as(&self, token: &str, path: &str) -> TestResponse {
        self.send(Method::GET, path, self.personas.as_bearer(token), None).await
    }

    pub async fn put_as(&self, token: &str, path: &str, body: Value) -> TestResponse {
        self.send(Method::PUT, path, self.personas.as_bearer(token), Some(body)).await
    }

    pub async fn post_as(&self, token: &str, path: &str, body: Value) -> TestResponse {
        self.send(Method::POST, path, self.personas.as_bearer(token), Some(body)).await
    }

    pub async fn sign_in(&self, name: &str) -> TestResponse {
        let body = json!({"email": self.personas.email(name), "password": PASSWORD});
        self.post("/token?grant_type=password", body).await
    }

    pub async fn sign_in_as(&self, email: &str) -> TestResponse {
        let body = json!({"email": email, "password": PASSWORD});
        self.post("/token?grant_type=password", body).await
    }

    /// Creates a confirmed account and signs it in.
    pub async fn member(&self, name: &str) -> Value {
        let user = compat_auth::NewUser {
            email: self.personas.email(name),
            password: PASSWORD.into(),
            user_metadata: serde_json::Map::new(),
            app_metadata: serde_json::Map::new(),
            confirmed: true,
        };
        compat_auth::ensure_user(&self.state, user).await.expect("an account");
        let answer = self.sign_in(name).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    pub fn advance(&self, seconds: u64) {
        self.personas.advance(Duration::from_secs(seconds));
    }

    /// The path and query of the link in the newest mail to an address, relative to the service.
    pub fn link_to(&self, address: &str) -> String {
        let mail = self.mailbox.latest(address).expect("a mail");
        let start = mail.text.find("http://localhost:54321/auth/v1/verify").expect("a link");
        let link = mail.text[start..].split_whitespace().next().expect("a link");
        link.trim_start_matches("http://localhost:54321/auth/v1").to_owned()
    }

    /// The code in the newest mail to an address.
    pub fn code_to(&self, address: &str) -> String {
        let mail = self.mailbox.latest(address).expect("a mail");
        mail.html
            .split("letter-spacing:2px\">")
            .nth(1)
            .and_then(|rest| rest.split('<').next())
            .expect("a code")
            .to_owned()
    }

    /// Runs statements as the owner and commits.
    pub async fn run(&self, sql: &'static str) {
        let mut tx = self.db.pools().owner.begin().await.expect("the database answers");
        sqlx::raw_sql(sql).execute(&mut *tx).await.expect("the statement runs");
        tx.commit().await.expect("the commit holds");
    }

    /// Reads one number from the database.
    pub async fn count(&self, sql: &'static str) -> i64 {
        let mut tx = self.db.pools().owner.begin().await.expect("the database answers");
        sqlx::query_scalar(sql).fetch_one(&mut *tx).await.expect("the statement runs")
    }

    /// Reads one text from the database.
    pub async fn text(&self, sql: &'static str) -> String {
        let mut tx = self.db.pools().owner.begin().await.expect("the database answers");
        sqlx::query_scalar(sql).fetch_one(&mut *tx).await.expect("the statement runs")
    }
}

/// Checks a whole refusal in the current error format.
#[track_caller]
pub fn assert_refused(answer: &TestResponse, status: u16, code: &str, message: &str) {
    assert_eq!(answer.json(), json!({"code": code, "message": message}));
    assert_eq!(answer.status, status);
    assert_eq!(answer.header("x-sb-error-code"), code);
    assert_eq!(answer.header("x-supabase-api-version"), "2024-01-01");
}

/// The text at a JSON pointer of a value.
#[track_caller]
pub fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("no {path} in {value}"))
}

/// The parameters behind `#` or `?` of a redirect.
#[track_caller]
pub fn parameters(answer: &TestResponse, mark: char) -> std::collections::BTreeMap<String, String> {
    let location = answer.header("location");
    let (_, encoded) =
        location.split_once(mark).unwrap_or_else(|| panic!("no {mark} in {location}"));
    let encoded = if mark == '?' { encoded.split('#').next().unwrap_or_default() } else { encoded };
    url::form_urlencoded::parse(encoded.as_bytes()).into_owned().collect()
}
