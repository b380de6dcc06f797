//! A console over a test's own database, and browsers with cookies.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use compat_auth::PasswordConfig;
use compat_console::{
    ConsoleAccess, ConsoleConfig, ConsoleState, RequestCount, SCHEMA, STATEMENT_SESSIONS,
    ServiceHealth, ServiceStatus, SettingWarning, WarningLevel, router,
};
use compat_http::ListenerTerms;
use compat_pg::{SessionDb, SqlLogin, ensure_console_writer};
use compat_testkit::{Personas, TestDatabase, TestResponse, call};
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::mechanism::{DumpFolder, FixedKeys};

pub const PASSWORD: &str = "correct horse battery";
pub const OWNER: &str = "ada@example.test";

pub struct World {
    pub db: TestDatabase,
    pub personas: Personas,
    pub state: ConsoleState,
    pub router: Router,
    /// Requests to the services: method, address and headers.
    pub calls: Arc<Mutex<Vec<(String, String, HeaderMap)>>>,
    /// The terms of the last opened socket.
    pub terms: Arc<Mutex<Option<ListenerTerms>>>,
    pub config: ConsoleConfig,
    pub backups: Arc<DumpFolder>,
    folder: PathBuf,
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl World {
    /// A console without operators.
    pub async fn new() -> Self {
        Self::with("").await
    }

    /// A console whose database owner has run a script before.
    pub async fn with(script: &str) -> Self {
        Self::reached_from(script, ConsoleAccess::Loopback).await
    }

    pub async fn reached_from(script: &str, access: ConsoleAccess) -> Self {
        let db = TestDatabase::new(&[SCHEMA]).await;
        let personas = Personas::new();
        let owner = db.pools().owner.clone();
        let mut connection = owner.connection().await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(script.to_owned())).execute(&mut *connection).await.unwrap();
        drop(connection);
        ensure_console_writer(&owner).await.unwrap();
        let sessions = SessionDb::new(&db.url_as("console_writer"), STATEMENT_SESSIONS).unwrap();
        let reader = sessions.with_login(&db.url_as("supabase_read_only_user")).unwrap();
        let folder = std::env::temp_dir().join(db.name());
        let backups = Arc::new(DumpFolder {
            url: db.owner_url(),
            major: owner.server_version().await.unwrap() / 10_000,
            folder: folder.join("backups"),
            obstacle: Mutex::default(),
            restore_obstacle: Mutex::default(),
        });
        let config = ConsoleConfig {
            environment: personas.environment(),
            writer: SqlLogin::new(sessions),
            reader: SqlLogin::new(reader),
            makes_reader: true,
            owner,
            access,
            project: Some("shop".to_owned()),
            version: "0.1.0",
            secret: "s".repeat(64).into(),
            anon_key: personas.api_keys().anon.clone(),
            services: vec!["rest", "pg"],
            health: Arc::new(|| {
                let status = ServiceStatus::Up;
                vec![ServiceHealth { name: "rest", status, detail: None }]
            }),
            requests: Some(Arc::new(|minute| {
                Ok(vec![RequestCount { minute, requests: 9, client_errors: 3, server_errors: 1 }])
            })),
            snippets: Some(folder.join("snippets")),
            audit_retention: Some(Duration::from_secs(365 * 24 * 60 * 60)),
            passwords: PasswordConfig {
                argon2_memory_kib: 64,
                argon2_passes: 1,
                ..PasswordConfig::default()
            },
            backups: backups.clone(),
            keys: Arc::new(FixedKeys::default()),
            warnings: vec![SettingWarning { name: "known_api_keys", level: WarningLevel::Error }],
        };
        let state = ConsoleState::new(config.clone());
        let calls = Arc::new(Mutex::new(Vec::new()));
        let terms = Arc::new(Mutex::new(None));
        let (recorded_calls, held) = (Arc::clone(&calls), Arc::clone(&terms));
        let services = Router::new().fallback(move |request: Request| {
            let (recorded_calls, held) = (Arc::clone(&recorded_calls), Arc::clone(&held));
            async move {
                let address = request.uri().to_string();
                let call = (request.method().to_string(), address, request.headers().clone());
                recorded_calls.lock().unwrap().push(call);
                *held.lock().unwrap() = request.extensions().get::<ListenerTerms>().cloned();
                let mut response = Response::new(Body::from("<script>"));
                match (request.method().as_str(), request.uri().path()) {
                    ("POST", path @ "/storage/v1/upload/resumable") => {
                        let location = format!("http://localhost:54321{path}/made");
                        *response.status_mut() = StatusCode::CREATED;
                        response.headers_mut().insert("location", location.parse().unwrap());
                    }
                    ("PATCH", "/storage/v1/upload/resumable/last") => {
                        response.headers_mut().insert("tus-complete", "1".parse().unwrap());
                    }
                    _ => {}
                }
                let headers = response.headers_mut();
                headers.insert(header::SET_COOKIE, "console_session=evil".parse().unwrap());
                headers.insert(header::CONTENT_TYPE, "text/html".parse().unwrap());
                response
            }
        });
        let router = router(state.clone(), services);
        Self { db, personas, state, router, calls, terms, config, backups, folder }
    }

    /// A browser in which the first owner was created by the setup link.
    pub async fn owner(&self) -> Browser<'_> {
        let link = self.state.first_link().await.unwrap().expect("nobody was there yet");
        self.accept(&link, OWNER).await
    }

    /// A browser in which the first owner signs in again.
    pub async fn signed_in(&self) -> Browser<'_> {
        let mut browser = self.browser();
        assert_eq!(browser.sign_in(OWNER, PASSWORD).await.status, StatusCode::OK);
        browser
    }

    /// A browser of an operator whom the owner has invited.
    pub async fn invited(&self, owner: &Browser<'_>, role: &str, email: &str) -> Browser<'_> {
        let invitation = owner.post("/operators/invitations", json!({"role": role})).await;
        assert_eq!(invitation.status, StatusCode::CREATED, "{}", invitation.text());
        let url = invitation.json()["url"].as_str().unwrap().to_owned();
        let (base, token) = url.split_once("?token=").unwrap();
        assert_eq!(base, "http://localhost:54321/console/setup");
        self.accept(token, email).await
    }

    pub async fn accept(&self, token: &str, email: &str) -> Browser<'_> {
        let mut browser = self.browser();
        let body = json!({"token": token, "email": email, "password": PASSWORD});
        let answer = browser.sign_in_at("/setup", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        browser
    }

    /// A browser without a session.
    pub fn browser(&self) -> Browser<'_> {
        Browser { world: self, cookie: None }
    }

    /// The first value of a query's result.
    pub async fn text(&self, question: &str) -> Option<String> {
        let mut connection = self.db.pools().owner.connection().await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(question.to_owned()))
            .fetch_one(&mut *connection)
            .await
            .unwrap()
    }
}

pub struct Browser<'a> {
    world: &'a World,
    pub cookie: Option<String>,
}

impl Browser<'_> {
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::POST, path, Some(body), &[]).await
    }

    pub async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::PUT, path, Some(body), &[]).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::PATCH, path, Some(body), &[]).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(Method::DELETE, path, None, &[]).await
    }

    /// Runs SQL.
    pub async fn query(&self, text: &str) -> TestResponse {
        self.post("/query", json!({"query": text})).await
    }

    /// Sends a request as a page of the console does; `headers` replace its headers.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        headers: &[(&'static str, &str)],
    ) -> TestResponse {
        let body = body.as_ref().map_or(Body::empty(), |body| Body::from(body.to_string()));
        self.send_body(method, path, body, headers).await
    }

    /// Sends a request with a body of any type.
    pub async fn send_body(
        &self,
        method: Method,
        path: &str,
        body: Body,
        headers: &[(&'static str, &str)],
    ) -> TestResponse {
        let mut request = http::Request::builder()
            .method(method)
            .uri(format!("/console/api{path}"))
            .body(body)
            .unwrap();
        let mut own = vec![
            ("host", "localhost:54321"),
            ("origin", "http://localhost:54321"),
            ("sec-fetch-site", "same-origin"),
            ("x-console-request", "1"),
            ("content-type", "application/json"),
        ];
        let cookie = self.cookie.as_ref().map(|token| format!("console_session={token}"));
        own.extend(cookie.as_deref().map(|cookie| ("cookie", cookie)));
        own.extend(headers);
        for (name, value) in own {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        call(&self.world.router, request).await
    }

    /// Sends a sign-in, and stores the cookie.
    pub async fn sign_in_at(&mut self, path: &str, body: Value) -> TestResponse {
        let answer = self.post(path, body).await;
        let cookie = answer.header("set-cookie").to_owned();
        let token = cookie.split(';').next().and_then(|pair| pair.split_once('='));
        self.cookie = token.map(|(_, token)| token.to_owned());
        answer
    }

    pub async fn sign_in(&mut self, email: &str, password: &str) -> TestResponse {
        self.sign_in_at("/session", json!({"email": email, "password": password})).await
    }
}

/// The status and the code of a refusal.
pub fn refusal(answer: &TestResponse) -> (u16, String) {
    let code = answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), code)
}

/// The expected value of [`refusal`].
pub fn of(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}
