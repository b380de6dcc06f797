//! Announcements of new servers in the channel of the site's community.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use axum::extract::{Json, State};
use axum::routing::post;
use compat_http::{Outgoing, OutgoingConfig};
use compat_testkit::TestResponse;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::world::{World, refusal, status_and_body};

const IP: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 1));
const LET_IN: &str = "127.0.0.1";

/// A channel on the loopback address, which records messages and answers with a fixed status.
struct Channel {
    url: String,
    messages: Arc<Mutex<Vec<Value>>>,
}

impl Channel {
    async fn answering(status: StatusCode) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let messages: Arc<Mutex<Vec<Value>>> = Arc::default();
        let router = axum::Router::new()
            .route(
                "/hook",
                post(async move |State(messages): State<Arc<Mutex<Vec<Value>>>>, Json(message)| {
                    messages.lock().expect("a list").push(message);
                    status
                }),
            )
            .with_state(Arc::clone(&messages));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, messages }
    }

    fn messages(&self) -> Vec<Value> {
        self.messages.lock().expect("a list").clone()
    }

    /// A site that announces in this channel and may reach these hosts besides public ones.
    async fn site(&self, allowed: &[&str]) -> World {
        let allowed_hosts = allowed.iter().map(|host| host.parse().expect("a host")).collect();
        let config = OutgoingConfig { allowed_hosts, ..OutgoingConfig::default() };
        let outgoing = Outgoing::new(config).expect("a client");
        let url = self.url.as_str();
        World::reaching(outgoing, |config| config.announcements = Some(url.into())).await
    }
}

async fn owned(world: &World, name: &str) -> Uuid {
    let server = world.server(name).await;
    let mut owner = world.begin().await;
    sqlx::query("update public.servers set owner_id = $2, description = '<p>Hi</p>' where id = $1")
        .bind(server)
        .bind(world.personas.user_id("olga"))
        .execute(&mut *owner)
        .await
        .expect("owned");
    owner.commit().await.expect("committed");
    server
}

async fn notify(world: &World, persona: &'static str, server: Uuid) -> TestResponse {
    let body = json!({ "serverId": server, "userLanguage": "en" });
    let headers = world.personas.as_user(persona);
    world.function("POST", "social-media-notify", IP, &headers, body).await
}

fn sent_body(sent: bool) -> (u16, Value) {
    (200, json!({ "success": true, "sent": sent }))
}

#[tokio::test]
async fn new_server_is_announced_once_in_owners_language() {
    let channel = Channel::answering(StatusCode::NO_CONTENT).await;
    let world = channel.site(&[LET_IN]).await;
    world.account("olga").await;
    let server = owned(&world, "Loupgarde").await;
    assert_eq!(status_and_body(&notify(&world, "olga", server).await), sent_body(true));
    assert_eq!(status_and_body(&notify(&world, "olga", server).await), sent_body(false));
    let expected = json!({
        "content": "A new server joins the ranking",
        "allowed_mentions": { "parse": [] },
        "embeds": [{
            "title": "Loupgarde",
            "url": format!("http://localhost:54321/en/server/{server}"),
            "description": "Hi",
            "color": 0x8B_5C_F6,
            "fields": [{ "name": "Game", "value": "Dofus Retro", "inline": true }],
        }],
    });
    assert_eq!(channel.messages(), [expected]);
}

#[tokio::test]
async fn hidden_old_and_foreign_servers_are_not_announced() {
    let channel = Channel::answering(StatusCode::NO_CONTENT).await;
    let world = channel.site(&[LET_IN]).await;
    world.account("olga").await;
    world.account("stan").await;
    let [waiting, old, fresh] =
        [owned(&world, "Waiting").await, owned(&world, "Old").await, owned(&world, "Fresh").await];
    world.sql("update public.servers set is_approved = false where name = 'Waiting'").await;
    world
        .sql("update public.servers set created_at = now() - interval '2 days' where name = 'Old'")
        .await;
    for (persona, server) in
        [("olga", waiting), ("olga", old), ("stan", fresh), ("olga", Uuid::nil())]
    {
        assert_eq!(
            status_and_body(&notify(&world, persona, server).await),
            sent_body(false),
            "{persona} {server}"
        );
    }
    assert_eq!(channel.messages(), Vec::<Value>::new());
}

#[tokio::test]
async fn failing_or_blocked_channel_reports_not_sent() {
    for (status, allowed) in
        [(StatusCode::INTERNAL_SERVER_ERROR, &[LET_IN][..]), (StatusCode::NO_CONTENT, &[][..])]
    {
        let channel = Channel::answering(status).await;
        let world = channel.site(allowed).await;
        world.account("olga").await;
        let server = owned(&world, "Loupgarde").await;
        assert_eq!(status_and_body(&notify(&world, "olga", server).await), sent_body(false));
        assert_eq!(channel.messages().len(), allowed.len());
    }
}

#[tokio::test]
async fn announcements_need_an_account_and_are_rate_limited() {
    let channel = Channel::answering(StatusCode::NO_CONTENT).await;
    let world = channel.site(&[LET_IN]).await;
    world.account("olga").await;
    let body = json!({ "serverId": Uuid::nil() });
    let guest = world.personas.as_anon();
    let answer = world.function("POST", "social-media-notify", IP, &guest, body).await;
    let response = refusal(401, "authentication_required", "Authentication required");
    assert_eq!(status_and_body(&answer), response);
    for _ in 0..5 {
        assert_eq!(status_and_body(&notify(&world, "olga", Uuid::nil()).await), sent_body(false));
    }
    assert_eq!(notify(&world, "olga", Uuid::nil()).await.status, 429);
}

#[tokio::test]
async fn a_site_without_a_channel_announces_nothing() {
    let world = World::new().await;
    world.account("olga").await;
    let server = owned(&world, "Loupgarde").await;
    assert_eq!(status_and_body(&notify(&world, "olga", server).await), sent_body(false));
}
