//! Orders: who may order, what is refused, and that a repeated order continues the payment.

use payments::Config;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, refusal, status_and_body};

#[tokio::test]
async fn repeated_order_returns_the_same_checkout_page() {
    let world = World::new().await;
    let server = world.ada().await;
    let first = world.order("ada", server, 30).await;
    let url = first.json()["url"].as_str().expect("an address").to_owned();
    let site = &world.personas.environment().public_url;
    assert!(url.starts_with(&format!("{site}/payments/test/cs_test_")), "{url}");
    assert_eq!(status_and_body(&world.order("ada", server, 30).await), status_and_body(&first));
    let (one, two) = tokio::join!(world.order("ada", server, 7), world.order("ada", server, 7));
    assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200));
    let sessions: i64 =
        world.query_scalar("select count(distinct session_id) from public.payments").await;
    let payments: i64 = world.query_scalar("select count(*) from public.payments").await;
    assert_eq!(sessions, payments, "each has one of its own");
}

/// Both orders look for an open payment, and find none, before either can open one.
#[tokio::test]
async fn orders_alike_at_once_are_one_payment() {
    let world = World::new().await;
    let server = world.ada().await;
    let mut held = world.begin().await;
    sqlx::query("select from public.profiles for update").execute(&mut *held).await.expect("held");
    let both_wait = "select count(*) = 2 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'";
    let release = async {
        while !world.query_scalar::<bool>(both_wait).await {}
        held.commit().await.expect("released");
    };
    let (one, two, ()) =
        tokio::join!(world.order("ada", server, 30), world.order("ada", server, 30), release);
    assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200));
    assert_eq!(world.query_scalar::<i64>("select count(*) from public.payments").await, 1);
}

#[tokio::test]
async fn rejected_buyers_read_the_reason() {
    let world = World::new().await;
    let server = world.ada().await;
    world.account("bob").await;
    let body = json!({ "serverId": server, "days": 30 });
    let anon = world.function("create-prestige-payment", &world.personas.as_anon(), body).await;
    let signed_out = refusal(401, "authentication_required", "Authentication required");
    assert_eq!(status_and_body(&anon), signed_out);
    let not_his = refusal(403, "not_owner", "Only the owner of the server may do this");
    assert_eq!(status_and_body(&world.order("bob", server, 30).await), not_his);
    assert_eq!(status_and_body(&world.order("ada", Uuid::nil(), 30).await), not_his);
    let none = refusal(400, "no_price", "Il n’y a pas de prix pour cette durée");
    assert_eq!(status_and_body(&world.order("ada", server, 0).await), none);
    let ada = world.personas.as_user("ada");
    for body in [json!({}), json!({ "serverId": "x", "days": 1 }), json!({ "serverId": server })] {
        let answer = world.function("create-prestige-payment", &ada, body).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (400, &json!("bad_request")));
    }
    assert_eq!(world.states().await, [""; 0]);
}

/// Replaces the text of every refusal of an order in the database.
const REWORD: &str = "do $$
declare
    v_function regprocedure;
begin
    foreach v_function in array array[
        'public.begin_order(uuid)', 'public.calculate_arcade_spot_price(integer)',
        'public.calculate_prestige_price(integer)', 'public.check_arcade_order(integer, date, text, text)'
    ]::regprocedure[] loop
        execute regexp_replace(
            pg_get_functiondef(v_function), 'raise exception ''[^'']*''', 'raise exception ''Reworded''', 'g'
        );
    end loop;
end
$$";

#[tokio::test]
async fn reworded_refusals_keep_their_codes() {
    let world = World::new().await;
    let server = world.ada().await;
    world.account("bob").await;
    let mut owner = world.begin().await;
    sqlx::query(REWORD).execute(&mut *owner).await.expect("reworded");
    owner.commit().await.expect("committed");
    assert_eq!(world.order("bob", server, 30).await.json()["code"], "not_owner");
    assert_eq!(world.order("ada", server, 0).await.json()["code"], "no_price");
    let ada = world.personas.as_user("ada");
    let today: chrono::NaiveDate = world.query_scalar("select public.site_today()").await;
    let full_order = json!({
        "position": 1, "startDate": today, "endDate": today, "imageUrl": "/a.png",
        "websiteUrl": "https://a.example",
    });
    for (name, value, code) in [
        ("position", json!(4), "position_missing"),
        ("imageUrl", json!("javascript:x"), "image_missing"),
        ("websiteUrl", json!("javascript:x"), "website_refused"),
        ("startDate", json!(today - chrono::Days::new(1)), "dates_refused"),
        ("endDate", json!(today - chrono::Days::new(1)), "dates_refused"),
    ] {
        let mut body = full_order.clone();
        body[name] = value;
        let answer = world.function("create-arcade-spot-payment", &ada, body).await;
        assert_eq!(answer.json()["code"], code, "{name}");
    }
}

#[tokio::test]
async fn invalid_booking_fields_have_their_error_codes() {
    let world = World::new().await;
    world.ada().await;
    let ada = world.personas.as_user("ada");
    let today: chrono::NaiveDate = world.query_scalar("select public.site_today()").await;
    let full_order = json!({
        "position": 1, "startDate": today, "endDate": today, "imageUrl": "/a.png",
        "websiteUrl": "https://a.example",
    });
    for (name, value, code, error) in [
        ("position", Value::Null, "position_missing", "Position manquante"),
        ("position", json!(4), "position_missing", "Position manquante"),
        ("startDate", Value::Null, "dates_missing", "Dates manquantes"),
        ("endDate", Value::Null, "dates_missing", "Dates manquantes"),
        ("imageUrl", Value::Null, "image_missing", "Image manquante"),
        ("imageUrl", json!(" "), "image_missing", "Image manquante"),
        ("imageUrl", json!("javascript:x"), "image_missing", "Image manquante"),
        (
            "imageUrl",
            json!("https://pictures.example/gone.png"),
            "picture_unreachable",
            "L’image n’a pas pu être récupérée à cette adresse",
        ),
        (
            "imageUrl",
            json!("HTTP://10.0.0.1/a.png"),
            "picture_unreachable",
            "L’image n’a pas pu être récupérée à cette adresse",
        ),
        (
            "imageUrl",
            json!("https://pictures.example/huge.png"),
            "picture_too_large",
            "Image trop volumineuse (5 Mo au plus)",
        ),
        (
            "imageUrl",
            json!("https://pictures.example/page"),
            "picture_invalid",
            "Cette adresse ne mène pas à une image JPG, PNG, WebP ou GIF",
        ),
        (
            "websiteUrl",
            json!("javascript:x"),
            "website_refused",
            "L’adresse du site n’est pas valide",
        ),
        (
            "startDate",
            json!(today - chrono::Days::new(1)),
            "dates_refused",
            "Ces dates ne peuvent pas être réservées",
        ),
        (
            "endDate",
            json!(today - chrono::Days::new(1)),
            "dates_refused",
            "Ces dates ne peuvent pas être réservées",
        ),
    ] {
        let mut body = full_order.clone();
        body[name] = value.clone();
        let answer = world.function("create-arcade-spot-payment", &ada, body).await;
        assert_eq!(status_and_body(&answer), refusal(400, code, error), "{name} {value}");
    }
    let answer = world.function("create-arcade-spot-payment", &ada, full_order).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn booked_tile_shows_copy_of_external_image() {
    let world = World::new().await;
    world.ada().await;
    let ada = world.personas.as_user("ada");
    let today: chrono::NaiveDate = world.query_scalar("select public.site_today()").await;
    let body = json!({
        "position": 2, "startDate": today, "endDate": today,
        "imageUrl": "https://pictures.example/tile.png",
    });
    let answer = world.function("create-arcade-spot-payment", &ada, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let image_url: String = world.query_scalar("select image_url from public.arcade_spots").await;
    assert_eq!(image_url, format!("/copies/{}/tile.png", world.personas.user_id("ada")));
}

#[tokio::test]
async fn conflicting_booking_is_refused_with_taken_days() {
    let world = World::new().await;
    world.ada().await;
    world.account("bob").await;
    let (one, two) = tokio::join!(world.book("ada", 2, 3), world.book("bob", 2, 5));
    let (won, rejected) = if one.status == 200 { (one, two) } else { (two, one) };
    assert_eq!((won.status.as_u16(), rejected.status.as_u16()), (200, 409), "{}", rejected.text());
    let rejected = rejected.json();
    assert_eq!(rejected["code"], "days_taken");
    let held: Value = world
        .query_scalar(
            "select jsonb_agg(jsonb_build_object('startDate', start_date, 'endDate', end_date))
             from public.arcade_days_taken where position = 2",
        )
        .await;
    assert_eq!(rejected["taken"], held);
    assert_eq!(world.book("bob", 1, 5).await.status, 200);
}

#[tokio::test]
async fn orders_are_unavailable_without_a_payment_provider() {
    let world = World::new().await;
    let server = world.ada().await;
    let off = world.with(Config::for_site(true));
    let answer = off.order("ada", server, 30).await;
    assert_eq!(status_and_body(&answer), refusal(503, "payments_off", "Payments are not set up"));
    assert_eq!(off.states().await, [""; 0]);
    let request = http::Request::get("/payments/test/x").body(axum::body::Body::empty());
    assert_eq!(off.send(request.expect("a request")).await.status, 404);
}
