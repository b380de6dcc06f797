//! The status of game servers: queried when due or requested, and stored with the protocol of the
//! query.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ranking::jobs;
use serde_json::{Value, json};
use tokio::net::UdpSocket;
use uuid::Uuid;

use crate::world::{World, refusal, status_and_body, work};

const VISITOR: [u8; 4] = [203, 0, 113, 1];

/// A game server that answers Valve's query while it is up, and counts the queries.
struct GameServer {
    at: String,
    players: Arc<AtomicUsize>,
    queries: Arc<AtomicUsize>,
    is_up: Arc<AtomicBool>,
}

impl GameServer {
    async fn start(players: usize) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
        let server = Self {
            at: socket.local_addr().expect("an address").to_string(),
            players: Arc::new(AtomicUsize::new(players)),
            queries: Arc::default(),
            is_up: Arc::new(AtomicBool::new(true)),
        };
        let (players, queries) = (Arc::clone(&server.players), Arc::clone(&server.queries));
        let is_up = Arc::clone(&server.is_up);
        tokio::spawn(async move {
            let mut packet = [0; 64];
            while let Ok((_, from)) = socket.recv_from(&mut packet).await {
                queries.fetch_add(1, Ordering::SeqCst);
                let players = players.load(Ordering::SeqCst) as u8;
                let head = b"\xFF\xFF\xFF\xFFI\x11Terre\0de_dust2\0csgo\0CS2\0\xDA\x02";
                let answer = [head.as_slice(), &[players, 32, 0], b"dl\0\x01"].concat();
                if is_up.load(Ordering::SeqCst) {
                    let _ = socket.send_to(&answer, from).await;
                }
            }
        });
        server
    }

    fn query_count(&self) -> usize {
        self.queries.load(Ordering::SeqCst)
    }
}

/// Creates a listing with the address of that server.
async fn listed(world: &World, name: &str, address: &str) -> Uuid {
    let id = world.server_of("CS2", name).await;
    let mut owner = world.begin().await;
    sqlx::query("update public.servers set ip_address = $2 where id = $1")
        .bind(id)
        .bind(address)
        .execute(&mut *owner)
        .await
        .expect("an address");
    sqlx::query("update public.server_checks set due_at = $2 where server_id = $1")
        .bind(id)
        .bind(world.clock().now())
        .execute(&mut *owner)
        .await
        .expect("due");
    owner.commit().await.expect("committed");
    id
}

async fn ask(world: &World, server: Uuid) -> (u16, Value) {
    let body = json!({ "serverId": server });
    status_and_body(&world.function("POST", "steam-server-status", VISITOR.into(), &[], body).await)
}

/// The status in lists: online, players, maximum, and whether it was ever queried.
async fn standing(world: &World, server: Uuid) -> (bool, i32, i32, bool) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select is_online, online_players, max_players, status_checked_at is not null
         from public.server_standings where server_id = $1",
    )
    .bind(server)
    .fetch_one(&mut *owner)
    .await
    .expect("a standing")
}

/// The totals of all days: checks, answers, seconds watched and up, checks with player counts, peak
/// and sum.
async fn history(world: &World, server: Uuid) -> (i64, i64, i64, i64, i64, Option<i32>, i64) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select
           coalesce(sum(checks), 0), coalesce(sum(answered), 0), coalesce(sum(watched_seconds), 0),
           coalesce(sum(up_seconds), 0), coalesce(sum(told), 0), max(peak_players),
           coalesce(sum(players_sum), 0)::bigint
         from public.server_status_days where server_id = $1",
    )
    .bind(server)
    .fetch_one(&mut *owner)
    .await
    .expect("a history")
}

#[tokio::test]
async fn due_servers_are_queried_and_standings_updated() {
    let world = World::new().await;
    let game = GameServer::start(14).await;
    let server = listed(&world, "Terre", &game.at).await;
    let without_address = listed(&world, "Nowhere", "N/A").await;
    assert_eq!(jobs::check_statuses(&world.state).await.expect("asked"), 1);
    assert_eq!(standing(&world, server).await, (true, 14, 32, true));
    assert_eq!(standing(&world, without_address).await, (false, 0, 100, false));
    assert_eq!(jobs::check_statuses(&world.state).await.expect("asked"), 0, "not due again yet");
    assert_eq!(game.query_count(), 1);
}

#[tokio::test]
async fn uptime_and_players_are_recorded_by_day() {
    let world = World::new().await;
    let game = GameServer::start(10).await;
    let server = listed(&world, "Terre", &game.at).await;
    jobs::check_statuses(&world.state).await.expect("asked");
    world.personas.advance(Duration::from_secs(600));
    game.players.store(20, Ordering::SeqCst);
    jobs::check_statuses(&world.state).await.expect("asked");
    assert_eq!(history(&world, server).await, (2, 2, 600, 600, 2, Some(20), 30));
    world.personas.advance(Duration::from_secs(600));
    game.is_up.store(false, Ordering::SeqCst);
    jobs::check_statuses(&world.state).await.expect("asked");
    assert_eq!(standing(&world, server).await, (false, 0, 32, true));
    world.personas.advance(Duration::from_secs(1000));
    jobs::check_statuses(&world.state).await.expect("asked");
    // The server counts as up until a query failed, and as down after it.
    assert_eq!(history(&world, server).await, (4, 2, 2200, 1200, 2, Some(20), 30));
    let mut owner = world.begin().await;
    let (hours, method): (Vec<Option<i32>>, String) =
        sqlx::query_as("select hours, method from public.server_status_days where server_id = $1")
            .bind(server)
            .fetch_one(&mut *owner)
            .await
            .expect("a day");
    assert_eq!((hours.iter().flatten().max(), method.as_str()), (Some(&20), "source"));
    assert_eq!(work(&world.state, "ranking.prune_status_days").await.expect("thinned"), 0);
    world.personas.advance(Duration::from_secs(92 * 86_400));
    assert_eq!(work(&world.state, "ranking.prune_status_days").await.expect("thinned"), 1);
}

#[tokio::test]
async fn silent_servers_are_checked_less_often() {
    let world = World::new().await;
    let game = GameServer::start(1).await;
    game.is_up.store(false, Ordering::SeqCst);
    let server = listed(&world, "Gone", &game.at).await;
    let mut waits = Vec::new();
    for _ in 0..4 {
        jobs::check_statuses(&world.state).await.expect("asked");
        let mut owner = world.begin().await;
        let wait: f64 = sqlx::query_scalar(
            "select extract(epoch from c.due_at - t.status_checked_at)::float8
             from public.server_checks c join public.server_standings t using (server_id)
             where server_id = $1",
        )
        .bind(server)
        .fetch_one(&mut *owner)
        .await
        .expect("a time");
        waits.push(wait);
        world.personas.advance(Duration::from_secs(3 * 3600));
    }
    for (wait, expected) in waits.iter().zip([300.0, 600.0, 1200.0, 2400.0]) {
        assert!((0.89..1.11).contains(&(wait / expected)), "{waits:?}");
    }
}

#[tokio::test]
async fn two_processes_ask_a_server_once() {
    let world = World::new().await;
    let games: Vec<GameServer> =
        futures_util::future::join_all((0..6).map(|_| GameServer::start(1))).await;
    for (number, game) in games.iter().enumerate() {
        listed(&world, &format!("Server {number}"), &game.at).await;
    }
    let second_process = world.second_process();
    let both = tokio::join!(
        jobs::check_statuses(&world.state),
        jobs::check_statuses(&second_process.state)
    );
    assert_eq!(both.0.expect("asked") + both.1.expect("asked"), 6);
    assert!(games.iter().all(|game| game.query_count() == 1));
}

#[tokio::test]
async fn stale_status_is_queried_once_for_concurrent_visitors() {
    let world = World::new().await;
    let game = GameServer::start(9).await;
    let server = listed(&world, "Terre", &game.at).await;
    let requests = (0..8).map(|_| ask(&world, server));
    let answers = futures_util::future::join_all(requests).await;
    for (status, body) in answers {
        let expected = json!({
            "is_online": true, "online_players": 9, "max_players": 32,
            "map": "de_dust2", "name": "Terre",
        });
        assert_eq!((status, &body["server"], &body["known"]), (200, &expected, &json!(true)));
        assert!(body["checked_at"].is_string());
    }
    assert_eq!(game.query_count(), 1);
    world.personas.advance(Duration::from_secs(299));
    ask(&world, server).await;
    assert_eq!(game.query_count(), 1, "five minutes old is new enough");
    world.personas.advance(Duration::from_secs(2));
    game.players.store(4, Ordering::SeqCst);
    assert_eq!(ask(&world, server).await.1["server"]["online_players"], 4);
    assert_eq!(game.query_count(), 2);
}

#[tokio::test]
async fn unresponsive_server_is_offline_without_players() {
    let world = World::new().await;
    let game = GameServer::start(9).await;
    let server = listed(&world, "Terre", &game.at).await;
    ask(&world, server).await;
    world.personas.advance(Duration::from_secs(301));
    game.is_up.store(false, Ordering::SeqCst);
    let expected = json!({
        "is_online": false, "online_players": 0, "max_players": 32, "map": null, "name": "Terre",
    });
    assert_eq!(ask(&world, server).await.1["server"], expected);
}

#[tokio::test]
async fn address_change_resets_the_known_status() {
    let world = World::new().await;
    let game = GameServer::start(9).await;
    let server = listed(&world, "Terre", &game.at).await;
    jobs::check_statuses(&world.state).await.expect("asked");
    world.sql("update public.servers set ip_address = 'play.elsewhere.example'").await;
    assert_eq!(standing(&world, server).await, (false, 0, 32, false));
    let nothing = json!({ "server": null, "known": false, "checked_at": null });
    assert_eq!(ask(&world, server).await, (200, nothing));
}

#[tokio::test]
async fn unknown_hidden_and_addressless_servers_have_no_status() {
    let world = World::new().await;
    let game = GameServer::start(9).await;
    let hidden = listed(&world, "Hidden", &game.at).await;
    let mut owner = world.begin().await;
    sqlx::query(
        "update public.servers set is_hidden = true, hidden_reason = 'owner' where id = $1",
    )
    .bind(hidden)
    .execute(&mut *owner)
    .await
    .expect("hidden");
    owner.commit().await.expect("committed");
    let nothing = json!({ "server": null, "known": false, "checked_at": null });
    for server in [Uuid::from_u128(7), hidden, world.server("Avalon").await] {
        assert_eq!(ask(&world, server).await, (200, nothing.clone()));
    }
    assert_eq!(jobs::check_statuses(&world.state).await.expect("asked"), 0);
    assert_eq!(game.query_count(), 0);
}

#[tokio::test]
async fn status_requests_beyond_the_burst_get_429() {
    let world = World::with(|config| config.status_ask_rate.burst = 2).await;
    let server = world.server("Avalon").await;
    for _ in 0..2 {
        assert_eq!(ask(&world, server).await.0, 200);
    }
    let (status, body) = ask(&world, server).await;
    assert_eq!((status, &body["code"]), (429, &json!("too_many_requests")));
}

#[tokio::test]
async fn status_request_without_server_id_gets_400() {
    let world = World::new().await;
    let message = "The body must be JSON with serverId (a UUID)";
    for body in [Value::Null, json!({}), json!({ "serverId": 1 })] {
        let answer = world.function("POST", "steam-server-status", VISITOR.into(), &[], body).await;
        assert_eq!(status_and_body(&answer), refusal(400, "bad_request", message));
    }
}
