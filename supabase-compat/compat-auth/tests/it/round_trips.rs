//! The number of round trips to the database that a flow takes, counted by a proxy on the socket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use compat_auth::State;
use compat_mail::Mailer;
use compat_pg::{OwnerConfig, OwnerDb};
use compat_testkit::call;
use http::Request;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

use crate::world::{PASSWORD, World, text};

/// A service with one database connection, whose round trips are counted.
struct CountedService {
    world: World,
    router: axum::Router,
    turns: Arc<AtomicUsize>,
    folder: PathBuf,
}

impl CountedService {
    async fn new() -> Self {
        let world = World::autoconfirming().await;
        let directory = world.text("select current_setting('unix_socket_directories')").await;
        let target = PathBuf::from(directory.trim_matches('"')).join(".s.PGSQL.5432");
        let folder = std::env::temp_dir().join(format!("turns-{}", world.db.name()));
        std::fs::create_dir_all(&folder).unwrap();
        let turns = count_turns(&folder, target);
        let mut url = url::Url::parse(&world.db.owner_url()).unwrap();
        url.set_query(Some(&format!("host={}", folder.display())));
        let config = OwnerConfig { max_connections: 1, ..OwnerConfig::default() };
        let mut settings = compat_auth::Config::default();
        settings.email.autoconfirm = true;
        settings.password.argon2_memory_kib = 64;
        settings.password.argon2_passes = 1;
        let state = State::new(
            world.personas.environment(),
            world.personas.keys().clone(),
            world.personas.api_keys().clone(),
            OwnerDb::new(url.as_str(), &config).unwrap(),
            Mailer::new(world.mailbox.clone()),
            settings,
        );
        Self { world, router: compat_auth::router(state), turns, folder }
    }

    /// Sends a request; returns its number of round trips and the response.
    async fn cost(&self, path: &str, body: Value) -> (usize, Value) {
        let before = self.turns.load(Ordering::SeqCst);
        let request = Request::post(path).body(body.to_string().into()).unwrap();
        let answer = call(&self.router, request).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        (self.turns.load(Ordering::SeqCst) - before, answer.json())
    }
}

impl Drop for CountedService {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn count_turns(folder: &Path, target: PathBuf) -> Arc<AtomicUsize> {
    let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = turns.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = UnixStream::connect(&target).await.unwrap();
            tokio::spawn(pass(client, server, counted.clone()));
        }
    });
    turns
}

/// Forwards a connection. A round trip begins when the client sends after the server has.
async fn pass(mut client: UnixStream, mut server: UnixStream, turns: Arc<AtomicUsize>) {
    let (mut requests, mut responses) = (vec![0; 65536], vec![0; 65536]);
    let mut servers_turn = false;
    loop {
        tokio::select! {
            read = client.read(&mut requests) => match read {
                Ok(0) | Err(_) => return,
                Ok(length) => {
                    if !servers_turn {
                        turns.fetch_add(1, Ordering::SeqCst);
                        servers_turn = true;
                    }
                    server.write_all(&requests[..length]).await.unwrap();
                }
            },
            read = server.read(&mut responses) => match read {
                Ok(0) | Err(_) => return,
                Ok(length) => {
                    servers_turn = false;
                    client.write_all(&responses[..length]).await.unwrap();
                }
            }
        }
    }
}

#[tokio::test]
async fn auth_requests_stay_within_round_trip_budget() {
    let counted = CountedService::new().await;
    let sign_up =
        |name: &str| json!({"email": format!("{name}@example.test"), "password": PASSWORD});
    let refresh = |session: &Value| json!({"refresh_token": text(session, "/refresh_token")});
    // The first request of each kind also prepares its statements.
    let (_, first) = counted.cost("/signup", sign_up("ada")).await;
    let (_, first) = counted.cost("/token?grant_type=refresh_token", refresh(&first)).await;
    let (signed_up, _) = counted.cost("/signup", sign_up("bob")).await;
    let (refreshed, _) = counted.cost("/token?grant_type=refresh_token", refresh(&first)).await;
    assert!(refreshed <= 10, "a refresh took {refreshed} turns");
    assert!(signed_up <= 14, "a sign-up took {signed_up} turns");
    let wrong = json!({"email": "ada@example.test", "password": PASSWORD});
    counted.cost("/token?grant_type=password", wrong.clone()).await;
    let (signed_in, _) = counted.cost("/token?grant_type=password", wrong).await;
    assert!(signed_in <= 15, "a sign-in took {signed_in} turns");
    assert_eq!(counted.world.count("select count(*) from auth.users").await, 2);
}
