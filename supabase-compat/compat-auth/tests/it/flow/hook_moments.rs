//! When hooks are called: before, within and after the transaction that creates an account.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use axum::extract::State as Extract;
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_auth::{Config, Hook};
use compat_pg::OwnerDb;
use compat_testkit::call;
use http::Request;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

use crate::world::{PASSWORD, World, assert_refused};

/// An operator's service, which records its calls, reads the database, and may answer late.
#[derive(Clone)]
struct Operator {
    url: String,
    /// Each call: the hook's name, the client's address, and the number of the account's rows that
    /// are committed by then.
    calls: Arc<Mutex<Vec<(String, Value, i64)>>>,
    database: Arc<OnceLock<OwnerDb>>,
    waiting: Arc<AtomicUsize>,
    arrival: Arc<Notify>,
    semaphore: Arc<Semaphore>,
    refused: &'static str,
}

impl Operator {
    /// Starts a service that answers at once and refuses calls of the hook `refused`.
    async fn start(refused: &'static str) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let operator = Self {
            url: format!("http://{}/", socket.local_addr().unwrap()),
            calls: Arc::default(),
            database: Arc::default(),
            waiting: Arc::default(),
            arrival: Arc::default(),
            semaphore: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
            refused,
        };
        let router = Router::new().route("/", post(answer_hook)).with_state(operator.clone());
        tokio::spawn(async move { axum::serve(socket, router).await });
        operator
    }

    /// Starts a service that answers only when the gate has permits.
    async fn slow() -> Self {
        let operator = Self::start("").await;
        operator.semaphore.forget_permits(Semaphore::MAX_PERMITS);
        operator
    }

    fn hook(&self) -> Option<Hook> {
        let secrets = format!("v1,whsec_{}", STANDARD.encode("a key of some length"));
        Some(Hook::parse(&self.url, &secrets).unwrap())
    }

    async fn world(&self, change: impl FnOnce(&mut Config)) -> World {
        let world = World::with(change).await;
        assert!(self.database.set(world.db.pools().owner.clone()).is_ok());
        world
    }

    fn names(&self) -> Vec<String> {
        self.calls.lock().unwrap().iter().map(|(name, ..)| name.clone()).collect()
    }
}

async fn answer_hook(
    Extract(operator): Extract<Operator>,
    Json(payload): Json<Value>,
) -> Json<Value> {
    operator.waiting.fetch_add(1, Ordering::SeqCst);
    operator.arrival.notify_one();
    operator.semaphore.acquire().await.unwrap().forget();
    operator.semaphore.add_permits(1);
    let name = payload["metadata"]["name"].as_str().unwrap().to_owned();
    let id = payload["user"]["id"].as_str().or(payload["user_id"].as_str()).unwrap().to_owned();
    let mut tx = operator.database.get().unwrap().begin().await.unwrap();
    let rows = sqlx::query_scalar("select count(*) from auth.users where id = $1::text::uuid");
    let rows: i64 = rows.bind(id).fetch_one(&mut *tx).await.unwrap();
    let answer = match payload.get("claims") {
        _ if name == operator.refused => json!({"error": {"http_code": 403, "message": "No"}}),
        Some(claims) => json!({"claims": claims}),
        None => json!({}),
    };
    let ip = payload["metadata"]["ip_address"].clone();
    operator.calls.lock().unwrap().push((name, ip, rows));
    Json(answer)
}

fn set_all_hooks(config: &mut Config, operator: &Operator) {
    config.hooks.before_user_created = operator.hook();
    config.hooks.after_user_created = operator.hook();
    config.hooks.custom_access_token = operator.hook();
}

fn sign_up(name: &str) -> Value {
    json!({"email": format!("{name}@example.test"), "password": PASSWORD})
}

#[tokio::test]
async fn user_created_hooks_run_before_and_after_commit() {
    let operator = Operator::start("").await;
    let world = operator
        .world(|config| {
            config.email.autoconfirm = true;
            config.anonymous_users_enabled = true;
            set_all_hooks(config, &operator);
        })
        .await;
    let here = json!("127.0.0.1");
    let expected = vec![
        ("before-user-created".to_owned(), here.clone(), 0),
        ("after-user-created".to_owned(), here.clone(), 1),
        ("custom-access-token".to_owned(), here, 1),
    ];
    for body in [sign_up("ada"), json!({})] {
        assert_eq!(world.post("/signup", body).await.status, 200);
        assert_eq!(std::mem::take(&mut *operator.calls.lock().unwrap()), expected);
    }
    // No hook is called about an account that exists already.
    assert_eq!(world.post("/signup", sign_up("ada")).await.status, 422);
    assert_eq!(world.post("/otp", json!({"email": "ada@example.test"})).await.status, 200);
    assert_eq!(operator.names(), Vec::<String>::new());
    world.post("/otp", json!({"email": "bob@example.test"})).await;
    assert_eq!(operator.names(), ["before-user-created", "after-user-created"]);
}

#[tokio::test]
async fn every_account_creation_calls_user_created_hooks() {
    let operator = Operator::start("").await;
    let world = operator
        .world(|config| {
            config.phone_enabled = true;
            config.sms.test_otp.insert("33612345678".to_owned(), "123456".to_owned());
            set_all_hooks(config, &operator);
        })
        .await;
    let service = world.personas.as_service();
    let link = json!({"type": "magiclink", "email": "cy@example.test"});
    for (path, body) in [
        ("/signup", sign_up("ada")),
        ("/signup", json!({"phone": "33612345678", "password": PASSWORD})),
        ("/invite", json!({"email": "bob@example.test"})),
        ("/admin/generate_link", link),
    ] {
        let answer = world.send(http::Method::POST, path, service.clone(), Some(body)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let calls = std::mem::take(&mut *operator.calls.lock().unwrap());
        let facts: Vec<(&str, i64)> =
            calls.iter().map(|(name, _, rows)| (name.as_str(), *rows)).collect();
        assert_eq!(facts, [("before-user-created", 0), ("after-user-created", 1)], "{path}");
    }
}

#[tokio::test]
async fn slow_hooks_do_not_block_other_requests() {
    let moments: [fn(&mut Config, &Operator); 3] = [
        |config, operator| config.hooks.before_user_created = operator.hook(),
        |config, operator| config.hooks.after_user_created = operator.hook(),
        |config, operator| config.hooks.send_email = operator.hook(),
    ];
    for set in moments {
        let operator = Operator::slow().await;
        let world = operator.world(|config| set(config, &operator)).await;
        world.run(
            "insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, encrypted_password)
            values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
                'ada@example.test', now(), '$2b$04$RPeNIsb5nCuRrXQZrJDj8eRqgHkxWrqQw4yWKKqbvZfbRWhkDGcqS')",
        ).await;
        let mut slow = tokio::task::JoinSet::new();
        for number in 0..10 {
            let body = sign_up(&format!("slow{number}")).to_string();
            let request = Request::post("/signup").body(body.into()).unwrap();
            let router = world.router.clone();
            slow.spawn(async move { call(&router, request).await.status.as_u16() });
        }
        while operator.waiting.load(Ordering::SeqCst) < 10 {
            operator.arrival.notified().await;
        }
        // All ten sign-ups wait for the operator's service; other requests are answered.
        let wrong = json!({"email": "ada@example.test", "password": "wrong"});
        let answer = world.post("/token?grant_type=password", wrong).await;
        assert_refused(&answer, 400, "invalid_credentials", "Invalid login credentials");
        assert_eq!(
            world.post("/recover", json!({"email": "nobody@example.test"})).await.status,
            200
        );
        operator.semaphore.add_permits(10);
        assert_eq!(slow.join_all().await, [200; 10]);
    }
}

#[tokio::test]
async fn token_refused_by_hook_leaves_no_session() {
    let operator = Operator::start("custom-access-token").await;
    let world = operator.world(|config| set_all_hooks(config, &operator)).await;
    world.post("/signup", sign_up("ada")).await;
    let followed = world.get(&world.link_to("ada@example.test")).await;
    assert!(followed.header("location").contains("error_description=No"));
    assert_refused(&world.sign_in("ada").await, 403, "unknown", "No");
    assert_eq!(world.count("select count(*) from auth.sessions").await, 0);
    assert_eq!(world.count("select count(*) from auth.refresh_tokens").await, 0);
}

#[tokio::test]
async fn hook_refuses_an_account_only_before_it_exists() {
    let before = Operator::start("before-user-created").await;
    let world = before.world(|config| set_all_hooks(config, &before)).await;
    assert_refused(&world.post("/signup", sign_up("ada")).await, 403, "unknown", "No");
    assert_eq!(world.count("select count(*) from auth.users").await, 0);
    let after = Operator::start("after-user-created").await;
    let world = after
        .world(|config| {
            config.email.autoconfirm = true;
            set_all_hooks(config, &after);
        })
        .await;
    assert_refused(&world.post("/signup", sign_up("ada")).await, 403, "unknown", "No");
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
    assert_eq!(world.count("select count(*) from auth.sessions").await, 0);
}
