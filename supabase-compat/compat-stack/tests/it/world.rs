//! A stack on a test's own database.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::IntoResponse as _;
use axum::routing::get;
use clap::Parser;
use compat_stack::auth::SCHEMA;
use compat_stack::functions::{BoxFuture, Function, Invocation};
use compat_stack::settings::{Reader, ServeArguments};
use compat_stack::{Application, Settings, Stack};
use compat_testkit::{TestDatabase, TestResponse, call};
use http::Request;

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    serve: ServeArguments,
}

/// The data folder of one test's stack, removed when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("stack-{}-{}", std::process::id(), COUNT.fetch_add(1, SeqCst));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The database and the data folder of a test's stack. Stop the stack before this is dropped.
pub struct World {
    pub database: TestDatabase,
    folder: Folder,
}

impl World {
    /// A database that already has the schema of auth/v1.
    pub async fn new() -> Self {
        Self { database: TestDatabase::new(&[SCHEMA]).await, folder: Folder::new() }
    }

    /// An empty database.
    pub async fn of_somebody_else() -> Self {
        Self { database: TestDatabase::empty().await, folder: Folder::new() }
    }

    /// The stack's data folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder.0
    }

    /// Starts a stack with these arguments and variables.
    pub async fn start(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Stack {
        let address = self.database.owner_url();
        let mut all = vec![("DATABASE_URL", address.as_str())];
        all.extend(variables);
        self.start_with(arguments, &all, false).await
    }

    /// Starts a stack with its own database server in the folder, as for a project.
    pub async fn start_with_own_server(&self, variables: &[(&str, &str)]) -> Stack {
        self.start_with(&[], variables, true).await
    }

    async fn start_with(
        &self,
        arguments: &[&str],
        variables: &[(&str, &str)],
        serves_projects: bool,
    ) -> Stack {
        let folder = self.folder.0.to_str().expect("a path that is text");
        let line = ["stack", "--data-dir", folder].into_iter().chain(arguments.iter().copied());
        let arguments = Program::parse_from(line).serve;
        let pairs = variables.iter();
        let environment: BTreeMap<_, _> =
            pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut reader = Reader::new(environment, &toml::Table::new());
        let mut settings = Settings::read(&mut reader, &arguments);
        compat_stack::settings::finish(reader).expect("settings that can be used");
        settings.database.serves_projects = serves_projects;
        Stack::start(settings, "http://localhost:8000", &[]).await.expect("a stack")
    }

    /// Whether the schema exists in the database.
    pub async fn has_schema(&self, name: &str) -> bool {
        let sql = "select 1 from pg_catalog.pg_namespace where nspname = $1";
        let rows = self.database.pools().acting.query_raw(sql, &[Some(name)]).await;
        !rows.expect("the catalogue can be read").is_empty()
    }
}

/// An application with a function that needs no token, and with a page.
pub fn application() -> Application {
    let pages = Router::new().route("/", get(|| async { "a page" }));
    Application { functions: vec![Arc::new(HelloFunction)], pages }
}

struct HelloFunction;

impl Function for HelloFunction {
    fn name(&self) -> &str {
        "hello"
    }

    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, _: Invocation) -> BoxFuture<'_, axum::response::Response> {
        Box::pin(async { "hello".into_response() })
    }
}

/// Sends a GET request.
pub async fn ask(router: &Router, path: &str, headers: &[(&str, &str)]) -> TestResponse {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    call(router, request.body(Body::empty()).expect("a request")).await
}

/// Sends a GET request; returns the status and the text of the response.
pub async fn read(router: &Router, path: &str) -> (u16, String) {
    let answer = ask(router, path, &[]).await;
    (answer.status.as_u16(), answer.text())
}

/// Repeats a GET request until the response is as wanted; returns its text.
pub async fn until(router: &Router, path: &str, is_wanted: impl Fn(u16, &str) -> bool) -> String {
    loop {
        let (status, text) = read(router, path).await;
        if is_wanted(status, &text) {
            return text;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
