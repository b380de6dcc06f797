//! Test environment: a service with its folder, and helpers to send requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use compat_http::Entropy;
use compat_storage::bytes::{Files, FilesConfig};
use compat_storage::{Config, SCHEMA, State};
use compat_testkit::{Headers, Personas, TestDatabase, TestResponse, call};
use http::{Method, Request};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

pub struct World {
    pub db: TestDatabase,
    pub personas: Personas,
    pub state: State,
    pub router: Router,
    folder: PathBuf,
}

impl World {
    /// A service without policies, so that row security denies everything.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let db = TestDatabase::new(&[SCHEMA]).await;
        let personas = Personas::new();
        let mut config = Config::default();
        change(&mut config);
        let folder = std::env::temp_dir().join(format!("storage_{}", db.name()));
        let files_config = FilesConfig { folder: folder.clone(), keep_free: 0 };
        let bytes = Arc::new(Files::new(files_config, Entropy::system()));
        let acting = db.pools().acting.clone();
        let state = State::new(personas.environment(), acting, bytes, config);
        let router = compat_storage::router(state.clone());
        Self { db, personas, state, router, folder }
    }

    /// Like [`Self::new`], with a public bucket `open` and a private one `shut`, in which users
    /// have access to a folder of their own name.
    pub async fn furnished() -> Self {
        Self::furnished_with(|_| {}).await
    }

    pub async fn furnished_with(change: impl FnOnce(&mut Config)) -> Self {
        let world = Self::with(change).await;
        world.sql(POLICIES).await;
        for (name, public) in [("open", true), ("shut", false)] {
            let answer = world
                .send(
                    Method::POST,
                    "/bucket",
                    world.personas.as_service(),
                    json!({"name": name, "public": public}),
                )
                .await;
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
        world
    }

    /// Runs a script as the database owner.
    pub async fn sql(&self, script: &str) {
        let mut work = self.db.pools().owner.begin().await.expect("the database answers");
        sqlx::raw_sql(AssertSqlSafe(script.to_owned())).execute(&mut *work).await.expect(script);
        work.commit().await.expect("it is kept");
    }

    /// The first value of a query, as text.
    pub async fn text(&self, question: &str) -> String {
        let mut work = self.db.pools().owner.begin().await.expect("the database answers");
        let found: Option<Option<String>> =
            sqlx::query_scalar(AssertSqlSafe(format!("select ({question})::text")))
                .fetch_optional(&mut *work)
                .await
                .expect(question);
        found.flatten().unwrap_or_default()
    }

    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        headers: Headers,
        body: impl Into<Body>,
    ) -> TestResponse {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        call(&self.router, request.body(body.into()).expect("a request")).await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        mut headers: Headers,
        body: Value,
    ) -> TestResponse {
        headers.push(("content-type", "application/json".to_owned()));
        self.ask(method, path, headers, body.to_string()).await
    }

    pub async fn get(&self, path: &str, headers: Headers) -> TestResponse {
        self.ask(Method::GET, path, headers, Body::empty()).await
    }

    /// Puts a text.
    pub async fn put(&self, path: &str, mut headers: Headers, text: &'static str) -> TestResponse {
        headers.push(("content-type", "text/plain".to_owned()));
        self.ask(Method::POST, &format!("/object/{path}"), headers, text).await
    }

    /// The folder of the content store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A content store of another process in the same folder.
    pub fn store(&self) -> Files {
        let config = FilesConfig { folder: self.folder.clone(), keep_free: 0 };
        Files::new(config, Entropy::system())
    }

    /// The number of files in the folder.
    pub fn files(&self) -> usize {
        count(&self.folder)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The headers with further ones.
pub fn and(mut headers: Headers, more: &[(&'static str, &str)]) -> Headers {
    headers.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    headers
}

/// The parts of an error response: its status, and the three texts of its body.
#[track_caller]
pub fn refusal(answer: &TestResponse) -> (u16, String, String, String) {
    let body = answer.json();
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), text("statusCode"), text("error"), text("message"))
}

/// What [`refusal`] is compared with.
pub fn words(status: &str, error: &str, message: &str) -> (u16, String, String, String) {
    (400, status.to_owned(), error.to_owned(), message.to_owned())
}

fn count(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let one = |entry: std::fs::DirEntry| match entry.path() {
        path if path.is_dir() => count(&path),
        // The lock file of backups.
        path if path.ends_with("~backup") => 0,
        _ => 1,
    };
    entries.flatten().map(one).sum()
}

/// Policies as a project would write them.
const POLICIES: &str = "
create policy \"buckets are seen by who is signed in\" on storage.buckets
    for select to authenticated using (true);
create policy \"people do as they like in their folder\" on storage.objects
    for all to authenticated
    using ((storage.foldername(name))[1] = split_part(
        current_setting('request.jwt.claims', true)::json ->> 'email', '@', 1));
";
