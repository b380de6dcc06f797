//! Checks of partners' pages: when they are due or an administrator asks, with their stored
//! results.

use axum::Router;
use axum::response::{Html, Redirect};
use axum::routing::get;
use ranking::jobs;
use tokio::net::TcpListener;

use crate::world::World;

/// Starts a partner's site; returns its address.
async fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = format!("http://{}", listener.local_addr().expect("an address"));
    let page = |body: &'static str| get(move || async move { Html(body) });
    let app = Router::new()
        .route("/linked", page("<p><a href='http://localhost:54321/en'>Palmarès</a>"))
        .route("/quiet", page("<a rel='nofollow' href='http://localhost:54321'>Palmarès</a>"))
        .route("/silent", page("<p>Palmarès"))
        .route("/moved", get(|| async { Redirect::permanent("/linked") }))
        .route("/round", get(|| async { Redirect::permanent("/round") }))
        .route("/inwards", get(|| async { Redirect::permanent("http://10.0.0.1/") }))
        .route("/text", get(|| async { "http://localhost:54321" }))
        .route("/long", get(|| async { Html("x".repeat(3 << 20)) }));
    tokio::spawn(async move { axum::serve(listener, app).await });
    at
}

async fn run(world: &World, statement: &'static str) {
    let mut owner = world.begin().await;
    sqlx::query(statement).execute(&mut *owner).await.expect("done");
    owner.commit().await.expect("committed");
}

async fn add(world: &World, name: &str, address: &str) {
    let mut owner = world.begin().await;
    sqlx::query(
        "insert into public.partners (name, url, backlink_url, backlink_asked_at)
         values ($1, $2, $2, $3)",
    )
    .bind(name)
    .bind(address)
    .bind(world.clock().now())
    .execute(&mut *owner)
    .await
    .expect("a partner");
    owner.commit().await.expect("committed");
}

/// The name of each checked partner, whether a link was found, and the problem.
async fn found(world: &World) -> Vec<(String, Option<bool>, Option<String>)> {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select name, backlink_found, backlink_fault from public.partners
         where backlink_checked_at is not null order by name",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("partners")
}

#[tokio::test]
async fn backlink_check_reports_link_or_fault() {
    let world = World::new().await;
    let site = site().await;
    run(&world, "delete from public.partners").await;
    for (name, address) in [
        ("a", format!("{site}/linked")),
        ("b", format!("{site}/quiet")),
        ("c", format!("{site}/silent")),
        ("d", format!("{site}/moved")),
        ("e", format!("{site}/round")),
        ("f", format!("{site}/inwards")),
        ("g", format!("{site}/text")),
        ("h", format!("{site}/long")),
        ("i", format!("{site}/gone")),
        ("j", "http://10.0.0.1/".to_owned()),
        ("k", "http://nowhere.invalid/".to_owned()),
        ("l", "http://127.0.0.1:1/".to_owned()),
    ] {
        add(&world, name, &address).await;
    }
    assert_eq!(jobs::check_backlinks(&world.state).await.expect("looked"), 12);
    let found = found(&world).await;
    let found: Vec<_> =
        found.iter().map(|(name, linked, fault)| (&**name, *linked, fault.as_deref())).collect();
    assert_eq!(
        found,
        [
            ("a", Some(true), None),
            ("b", Some(true), Some("nofollow")),
            ("c", Some(false), Some("no_link")),
            ("d", Some(true), None),
            ("e", None, Some("redirects")),
            ("f", None, Some("not_public")),
            ("g", None, Some("not_html")),
            ("h", None, Some("too_long")),
            ("i", None, Some("status")),
            ("j", None, Some("not_public")),
            ("k", None, Some("name_not_found")),
            ("l", None, Some("unreachable")),
        ]
    );
}

#[tokio::test]
async fn backlink_is_checked_daily_and_on_request() {
    let world = World::new().await;
    let site = site().await;
    run(&world, "delete from public.partners").await;
    add(&world, "a", &format!("{site}/linked")).await;
    let check = async || jobs::check_backlinks(&world.state).await.expect("looked");
    assert_eq!(check().await, 1);
    assert_eq!(check().await, 0, "it is known");
    world.clock().advance(chrono::Duration::hours(25).to_std().expect("positive"));
    assert_eq!(check().await, 1, "a day later");
    run(&world, "update public.partners set is_active = false").await;
    world.clock().advance(chrono::Duration::hours(25).to_std().expect("positive"));
    assert_eq!(check().await, 0, "nobody sees it");
    run(
        &world,
        "update public.partners set backlink_asked_at = backlink_checked_at + interval '1 hour'",
    )
    .await;
    assert_eq!(check().await, 1, "somebody asked");
}

#[tokio::test]
async fn changed_partner_pages_lose_their_result() {
    let world = World::new().await;
    let site = site().await;
    run(&world, "delete from public.partners").await;
    add(&world, "a", &format!("{site}/linked")).await;
    jobs::check_backlinks(&world.state).await.expect("looked");
    assert_eq!(found(&world).await.len(), 1);
    run(&world, "update public.partners set backlink_url = 'http://127.0.0.1:1/'").await;
    assert_eq!(found(&world).await.len(), 0);
}
