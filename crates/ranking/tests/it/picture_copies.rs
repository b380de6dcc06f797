//! Copies of pictures from other sites: on request, or soon after a row names one.

use axum::Router;
use axum::body::Body;
use axum::response::Redirect;
use axum::routing::get;
use compat_http::ClientIp;
use compat_testkit::{Headers, TestResponse, call};
use http::Request;
use ranking::jobs;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::images::{Gallery, png};

/// Starts another site; returns its address.
async fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = format!("http://{}", listener.local_addr().expect("an address"));
    let bytes = |bytes: Vec<u8>| get(move || async move { bytes });
    let app = Router::new()
        .route("/a.png", bytes(png(300, 100)))
        .route("/torn.png", bytes(png(40, 40)[..60].to_vec()))
        .route("/a.gif", bytes(b"GIF89a".to_vec()))
        .route("/a.svg", bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()))
        .route("/page", bytes(b"<!doctype html>".to_vec()))
        .route("/huge.png", bytes([png(1, 1), vec![0; 5 << 20]].concat()))
        .route("/moved", get(|| async { Redirect::permanent("/a.png") }))
        .route("/round", get(|| async { Redirect::permanent("/round") }))
        .route("/inwards", get(|| async { Redirect::permanent("http://10.0.0.1/a.png") }));
    tokio::spawn(async move { axum::serve(listener, app).await });
    at
}

/// Requests a copy.
async fn ask(gallery: &Gallery, headers: &Headers, body: Value) -> TestResponse {
    let state = gallery.world.state.clone();
    let function = ranking::picture_function(state, gallery.pictures(&gallery.services));
    let functions = compat_functions::State::new(
        gallery.world.personas.environment(),
        compat_functions::Config::default(),
        vec![function],
    );
    let functions = compat_functions::router(functions.expect("distinct names"));
    let home = std::net::Ipv4Addr::new(203, 0, 113, 1).into();
    let mut request = Request::post("/copy-picture").extension(ClientIp(home));
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    call(&functions, request.body(Body::from(body.to_string())).expect("a request")).await
}

async fn text(gallery: &Gallery, question: &'static str) -> Option<String> {
    let mut owner = gallery.world.begin().await;
    sqlx::query_scalar(question).fetch_one(&mut *owner).await.expect("an answer")
}

async fn copy_due(gallery: &Gallery) -> u64 {
    let pictures = gallery.pictures(&gallery.services);
    jobs::copy_pictures(&gallery.world.state, &pictures).await.expect("worked")
}

#[tokio::test]
async fn copied_image_is_stored_in_requesters_folder() {
    let gallery = Gallery::new().await;
    let site = site().await;
    let ada = gallery.world.personas.as_user("ada");
    let folder = gallery.world.personas.user_id("ada");
    let mut paths = Vec::new();
    for address in ["/a.png", "/moved"] {
        let answer = ask(&gallery, &ada, json!({ "address": format!("{site}{address}") })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        paths.push(answer.json()["data"]["path"].as_str().expect("a path").to_owned());
    }
    assert_eq!(paths[0], paths[1], "the same picture has the same path");
    let name = paths[0].strip_prefix("/storage/v1/object/public/server-images/").expect("ours");
    assert!(name.starts_with(&format!("{folder}/copy-")), "{name}");
    let stored = gallery.get(name).await;
    assert_eq!(stored.header("content-type"), "image/png");
    assert_eq!(stored.body, png(300, 100));
    let tile = json!({ "address": format!("{site}/a.gif"), "use": "arcade" });
    let answer = ask(&gallery, &ada, tile).await;
    let path = answer.json()["data"]["path"].as_str().expect("a path").to_owned();
    assert!(path.contains(&format!("/arcade-spots/{folder}/copy-")), "{path}");
}

#[tokio::test]
async fn files_that_are_no_picture_are_rejected() {
    let gallery = Gallery::new().await;
    let site = site().await;
    let ada = gallery.world.personas.as_user("ada");
    for (address, code) in [
        ("/page", "picture_invalid"),
        ("/a.svg", "picture_invalid"),
        ("/a.gif", "picture_invalid"),
        ("/torn.png", "picture_invalid"),
        ("/huge.png", "picture_too_large"),
        ("/none", "picture_unreachable"),
        ("/round", "picture_unreachable"),
        ("/inwards", "picture_unreachable"),
    ] {
        let answer = ask(&gallery, &ada, json!({ "address": format!("{site}{address}") })).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["code"]),
            (400, &json!(code)),
            "{address}"
        );
    }
    for address in
        ["", "/a.png", "file:///etc/passwd", "http://10.0.0.1/a.png", "http://[::1]/a.png"]
    {
        let answer = ask(&gallery, &ada, json!({ "address": address })).await;
        assert_eq!(answer.json()["code"], "picture_unreachable", "{address}");
    }
    assert_eq!(text(&gallery, "select min(name) from storage.objects").await, None);
}

#[tokio::test]
async fn guests_and_banned_people_are_given_no_copies() {
    let gallery = Gallery::new().await;
    let body = json!({ "address": "http://127.0.0.1:1/a.png" });
    let answer = ask(&gallery, &gallery.world.personas.as_anon(), body.clone()).await;
    assert_eq!(answer.status, 401, "{}", answer.text());
    gallery.world.sql("update public.profiles set is_banned = true").await;
    let answer = ask(&gallery, &gallery.world.personas.as_user("ada"), body).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (403, &json!("not_allowed")));
}

/// Stores a picture's URL in every column that can hold one.
async fn name_everywhere(gallery: &Gallery, address: &str) {
    let mut owner = gallery.world.begin().await;
    for statement in [
        "insert into public.servers (
           name, game_id, ip_address, owner_id, logo_image_url, banner_image_url, description_image_url,
           backdrop_url
         )
         select 'Avalon', g.id, 'N/A', p.id, $1, $1, $1, $1
         from public.games as g, public.profiles as p where g.name = 'Rust'",
        "update public.games set logo_url = $1, backdrop_url = $1 where name = 'Rust'",
        "insert into public.arcade_spots (position, start_date, end_date, image_url, status)
         values (1, current_date, current_date, $1, 'active')",
        "insert into public.partners (name, url, logo_url) values ('P', 'https://p.example', $1)",
        "insert into public.site_settings (setting_key, setting_value)
         values ('all_games_backdrop_url', to_jsonb($1::text)::text)
         on conflict (setting_key) do update set setting_value = excluded.setting_value",
    ] {
        sqlx::query(statement).bind(address).execute(&mut *owner).await.expect(statement);
    }
    // The triggers use the database's clock, so the copies are made due by hand.
    sqlx::query("update public.picture_copies set due_at = '2000-01-01'")
        .execute(&mut *owner)
        .await
        .expect("due");
    owner.commit().await.expect("committed");
}

const NAMED: &str = "select string_agg(distinct address, ' ') from (
    select unnest(array[logo_image_url, banner_image_url, description_image_url, backdrop_url])
    from public.servers where name = 'Avalon'
    union all select unnest(array[logo_url, backdrop_url]) from public.games where name = 'Rust'
    union all select image_url from public.arcade_spots
    union all select logo_url from public.partners where name = 'P'
    union all select setting_value::jsonb #>> '{}' from public.site_settings
    where setting_key = 'all_games_backdrop_url'
  ) as named (address)";

#[tokio::test]
async fn external_addresses_in_rows_become_copies() {
    let gallery = Gallery::new().await;
    let address = format!("{}/a.png", site().await);
    name_everywhere(&gallery, &address).await;
    assert_eq!(copy_due(&gallery).await, 9);
    let named = text(&gallery, NAMED).await.expect("addresses");
    assert!(named.split(' ').all(|path| path.starts_with("/storage/v1/object/public/")), "{named}");
    let ada = gallery.world.personas.user_id("ada");
    for folder in [format!("{ada}/"), "arcade-spots/site/".to_owned(), "site/".to_owned()] {
        assert!(named.contains(&format!("server-images/{folder}copy-")), "{folder}: {named}");
    }
    assert_eq!(text(&gallery, "select min(address) from public.picture_copies").await, None);
    assert_eq!(copy_due(&gallery).await, 0);
}

#[tokio::test]
async fn failed_image_copy_is_tried_five_times() {
    let gallery = Gallery::new().await;
    let address = format!("{}/none", site().await);
    name_everywhere(&gallery, &address).await;
    assert_eq!(copy_due(&gallery).await, 9);
    assert_eq!(copy_due(&gallery).await, 0, "not before its time");
    for minutes in [5, 25, 125, 625] {
        gallery.world.clock().advance(std::time::Duration::from_secs(minutes * 60));
        assert_eq!(copy_due(&gallery).await, 9, "after {minutes} minutes");
    }
    gallery.world.clock().advance(std::time::Duration::from_secs(365 * 86_400));
    assert_eq!(copy_due(&gallery).await, 0, "given up");
    assert_eq!(text(&gallery, NAMED).await, Some(address));
    let reasons = "select string_agg(distinct reason, ' ') from public.picture_copies";
    assert_eq!(text(&gallery, reasons).await.as_deref(), Some("picture_unreachable"));
}

#[tokio::test]
async fn a_copy_never_replaces_what_was_named_meanwhile() {
    let gallery = Gallery::new().await;
    let address = format!("{}/a.png", site().await);
    name_everywhere(&gallery, &address).await;
    gallery.world.sql("update public.arcade_spots set image_url = '/pictures/mine.webp'").await;
    assert_eq!(copy_due(&gallery).await, 9);
    let image_url = text(&gallery, "select image_url from public.arcade_spots").await;
    assert_eq!(image_url.as_deref(), Some("/pictures/mine.webp"));
}
