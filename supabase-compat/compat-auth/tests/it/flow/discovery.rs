use compat_testkit::call;
use http::Request;
use serde_json::json;

use crate::world::{World, text};

#[tokio::test]
async fn health_says_who_it_is() {
    let world = World::new().await;
    let answer = world.get("/health").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["name"], "GoTrue");
}

#[tokio::test]
async fn settings_name_every_provider() {
    let world = World::autoconfirming().await;
    let settings = world.get("/settings").await.json();
    assert_eq!(settings["external"]["email"], true);
    assert_eq!(settings["external"]["phone"], false);
    assert_eq!(settings["external"].as_object().unwrap().len(), 26);
    assert_eq!(settings["mailer_autoconfirm"], true);
    assert_eq!(settings["disable_signup"], false);
    assert_eq!(settings["saml_enabled"], false);
}

#[tokio::test]
async fn the_key_set_is_public_and_cached() {
    let world = World::new().await;
    let answer = call(
        &world.router,
        Request::get("/.well-known/jwks.json").body(axum::body::Body::empty()).unwrap(),
    )
    .await;
    assert_eq!(answer.header("cache-control"), "public, max-age=600");
    let keys = answer.json();
    assert_eq!(keys["keys"][0]["alg"], "ES256");
    assert!(keys["keys"][0].get("d").is_none());
}

#[tokio::test]
async fn the_discovery_document_starts_from_the_issuer() {
    let world = World::new().await;
    let document = world.get("/.well-known/openid-configuration").await.json();
    assert_eq!(document["issuer"], "http://localhost:54321/auth/v1");
    assert_eq!(document["jwks_uri"], "http://localhost:54321/auth/v1/.well-known/jwks.json");
}

#[tokio::test]
async fn error_shape_follows_requested_api_version() {
    let world = World::new().await;
    let ask = |version: Option<&'static str>| {
        let mut request = Request::post("/recover");
        if let Some(version) = version {
            request = request.header("x-supabase-api-version", version);
        }
        request.body(axum::body::Body::from("{")).unwrap()
    };
    let current = call(&world.router, ask(Some("2024-05-06"))).await;
    assert_eq!(current.header("x-supabase-api-version"), "2024-01-01");
    assert_eq!(current.json()["code"], "bad_json");
    for version in [None, Some("2023-12-31"), Some("soon")] {
        let initial = call(&world.router, ask(version)).await;
        assert_eq!(initial.status, 400);
        assert_eq!(initial.header("x-supabase-api-version"), "");
        let body = initial.json();
        assert_eq!(body["code"], 400);
        assert_eq!(body["error_code"], "bad_json");
        assert!(body["msg"].as_str().unwrap().starts_with("Could not parse request body as JSON"));
    }
}

#[tokio::test]
async fn saml_answers_as_a_disabled_provider() {
    let world = World::new().await;
    let answer = world.post("/sso", json!({"domain": "example.com"})).await;
    crate::world::assert_refused(&answer, 404, "saml_provider_disabled", "SAML 2.0 is disabled");
}

#[tokio::test]
async fn a_body_over_a_mebibyte_is_refused() {
    let world = World::new().await;
    let answer = world.post("/recover", json!({"email": "x".repeat(1 << 20)})).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.json()["code"], "request_entity_too_large");
}

#[tokio::test]
async fn answers_with_tokens_are_never_cached() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let answers = [
        world.sign_in("ada").await,
        world.get_as(token, "/user").await,
        world.get("/verify?token=x&type=signup").await,
        world.post("/token?grant_type=password", json!({})).await,
    ];
    for answer in answers {
        assert_eq!(answer.header("cache-control"), "no-store", "{}", answer.text());
    }
    let keys = world.get("/.well-known/jwks.json").await;
    assert_eq!(keys.header("cache-control"), "public, max-age=600");
}
