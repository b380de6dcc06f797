use base64::Engine as _;
use compat_testkit::{Headers, TestResponse};
use http::Method;
use serde_json::{Value, json};

use crate::world::{World, assert_refused, parameters, text};

const CHALLENGE: &str =
    "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CALLBACK: &str = "https://client.example/cb";

async fn world() -> World {
    World::with(|config| config.oauth_server.enabled = true).await
}

async fn admin(world: &World, method: Method, path: &str, body: Option<Value>) -> TestResponse {
    world.send(method, path, world.personas.as_service(), body).await
}

async fn client(world: &World) -> Value {
    let body = json!({"client_name": "Client", "redirect_uris": [CALLBACK]});
    let answer = admin(world, Method::POST, "/admin/oauth/clients", Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

async fn authorize(world: &World, client: &Value, more: &str) -> TestResponse {
    let id = text(client, "/client_id");
    let path = format!(
        "/oauth/authorize?client_id={id}&redirect_uri={CALLBACK}&response_type=code&state=s&{more}"
    );
    world.get(&path).await
}

/// The authorization code that the client gets after the person signed in by `token` consents.
async fn code(world: &World, client: &Value, token: &str, scope: &str) -> String {
    let location = authorize(world, client, &format!("scope={scope}&{CHALLENGE}")).await;
    let id = parameters(&location, '?')["authorization_id"].clone();
    let path = format!("/oauth/authorizations/{id}");
    let response = world.get_as(token, &path).await.json();
    let url = match response.get("redirect_url") {
        Some(url) => url.as_str().unwrap().to_owned(),
        None => {
            let body = json!({"action": "approve"});
            let decided = world.post_as(token, &format!("{path}/consent"), body).await;
            text(&decided.json(), "/redirect_url").to_owned()
        }
    };
    let (_, query) = url.split_once("?code=").unwrap();
    query.trim_end_matches("&state=s").to_owned()
}

fn basic(client: &Value) -> Headers {
    let pair = format!("{}:{}", text(client, "/client_id"), text(client, "/client_secret"));
    let encoded = base64::engine::general_purpose::STANDARD.encode(pair);
    vec![
        ("authorization", format!("Basic {encoded}")),
        ("content-type", "application/json".to_owned()),
    ]
}

async fn token(world: &World, client: &Value, body: Value) -> TestResponse {
    world.send(Method::POST, "/oauth/token", basic(client), Some(body)).await
}

fn by_code(code: &str) -> Value {
    json!({
        "grant_type": "authorization_code", "code": code,
        "redirect_uri": CALLBACK, "code_verifier": VERIFIER,
    })
}

#[tokio::test]
async fn oauth_clients_are_managed_and_hide_their_secret() {
    let world = world().await;
    let new_client = client(&world).await;
    assert_eq!(new_client["client_type"], "confidential");
    assert_eq!(new_client["token_endpoint_auth_method"], "client_secret_basic");
    assert_eq!(new_client["grant_types"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(new_client["registration_type"], "manual");
    let path = format!("/admin/oauth/clients/{}", text(&new_client, "/client_id"));
    let response = admin(&world, Method::GET, &path, None).await.json();
    assert!(response.get("client_secret").is_none());
    assert_eq!(response["client_name"], "Client");
    let list = admin(&world, Method::GET, "/admin/oauth/clients", None).await;
    assert_eq!(list.json()["clients"][0]["client_id"], new_client["client_id"]);
    assert_eq!(list.header("x-total-count"), "1");
    let body = json!({"client_name": "Renamed", "logo_uri": "https://client.example/l.svg"});
    let changed = admin(&world, Method::PUT, &path, Some(body)).await.json();
    assert_eq!(changed["client_name"], "Renamed");
    assert_eq!(changed["redirect_uris"], json!([CALLBACK]));
    let fresh =
        admin(&world, Method::POST, &format!("{path}/regenerate_secret"), None).await.json();
    assert_ne!(fresh["client_secret"], new_client["client_secret"]);
    assert_eq!(admin(&world, Method::DELETE, &path, None).await.status, 204);
    let deleted = admin(&world, Method::GET, &path, None).await;
    assert_refused(&deleted, 404, "oauth_client_not_found", "OAuth client not found");
}

#[tokio::test]
async fn impossible_clients_are_refused() {
    let world = world().await;
    for body in [
        json!({"client_name": "x"}),
        json!({"redirect_uris": ["http://client.example/cb"]}),
        json!({"redirect_uris": [CALLBACK], "grant_types": ["password"]}),
        json!({"redirect_uris": [CALLBACK], "client_type": "public", "token_endpoint_auth_method": "client_secret_post"}),
        json!({"redirect_uris": [CALLBACK], "client_name": "x".repeat(1025)}),
    ] {
        let answer = admin(&world, Method::POST, "/admin/oauth/clients", Some(body)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["code"].clone()),
            (400, json!("validation_failed"))
        );
    }
    let answer = world.post("/oauth/clients/register", json!({"redirect_uris": [CALLBACK]})).await;
    assert_eq!(answer.json()["code"], "oauth_dynamic_client_registration_disabled");
    let closed = World::new().await;
    let answer = admin(&closed, Method::GET, "/admin/oauth/clients", None).await;
    assert_refused(&answer, 404, "feature_disabled", "OAuth server is disabled");
    let answer = closed.get("/.well-known/oauth-authorization-server").await;
    assert_eq!(answer.json()["code"], "feature_disabled");
}

#[tokio::test]
async fn a_client_gets_tokens_within_its_scopes() {
    let world = world().await;
    let client = client(&world).await;
    let session = world.member("ada").await;
    let person = text(&session, "/access_token");
    let code = code(&world, &client, person, "openid+email").await;
    let answer = token(&world, &client, by_code(&code)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let tokens = answer.json();
    assert_eq!(tokens["scope"], "openid email");
    let now = world.personas.clock().unix();
    let keys = world.personas.keys();
    let id_token = keys.verify(text(&tokens, "/id_token"), now).unwrap();
    assert_eq!(id_token.get("aud").unwrap(), &client["client_id"]);
    assert_eq!(id_token.get("email").unwrap(), "ada@example.test");
    let access = keys.verify(text(&tokens, "/access_token"), now).unwrap();
    assert_eq!(access.get("client_id").unwrap(), &client["client_id"]);
    assert_eq!(access.get("scope").unwrap(), "openid email");
    let about = world.get_as(text(&tokens, "/access_token"), "/oauth/userinfo").await.json();
    assert_eq!(
        about,
        json!({"sub": session["user"]["id"], "email": "ada@example.test", "email_verified": true})
    );
    let again = token(&world, &client, by_code(&code)).await;
    assert_eq!(again.json()["error"], "invalid_grant");
    let body = json!({"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]});
    let refreshed = token(&world, &client, body).await.json();
    assert_eq!(refreshed["scope"], "openid email");
    let body = json!({"refresh_token": refreshed["refresh_token"]});
    let stolen = world.post("/token?grant_type=refresh_token", body).await;
    assert_eq!(stolen.json()["code"], "refresh_token_not_found");
}

#[tokio::test]
async fn a_consent_is_remembered_listed_and_revoked() {
    let world = world().await;
    let client = client(&world).await;
    let session = world.member("ada").await;
    let person = text(&session, "/access_token");
    let first = code(&world, &client, person, "email").await;
    let tokens = token(&world, &client, by_code(&first)).await.json();
    let location = authorize(&world, &client, CHALLENGE).await;
    let id = parameters(&location, '?')["authorization_id"].clone();
    let response = world.get_as(person, &format!("/oauth/authorizations/{id}")).await.json();
    assert!(text(&response, "/redirect_url").starts_with("https://client.example/cb?code="));
    let grants = world.get_as(person, "/user/oauth/grants").await.json();
    assert_eq!(grants[0]["client"]["name"], "Client");
    assert_eq!(grants[0]["scopes"], json!(["email"]));
    let path = format!("/user/oauth/grants?client_id={}", text(&client, "/client_id"));
    let revoke = || world.send(Method::DELETE, &path, world.personas.as_bearer(person), None);
    assert_eq!(revoke().await.status, 204);
    let message = "No active grant found for this client";
    assert_refused(&revoke().await, 404, "oauth_consent_not_found", message);
    let over = world.get_as(text(&tokens, "/access_token"), "/oauth/userinfo").await;
    assert_eq!(over.json()["code"], "session_not_found");
    assert_eq!(world.get_as(person, "/user").await.status, 200);
}

#[tokio::test]
async fn oauth_consent_is_deniable_by_its_user_only() {
    let world = world().await;
    let client = client(&world).await;
    let ada = world.member("ada").await;
    let bob = world.member("bob").await;
    let location = authorize(&world, &client, CHALLENGE).await;
    let path = format!("/oauth/authorizations/{}", parameters(&location, '?')["authorization_id"]);
    let response = world.get_as(text(&ada, "/access_token"), &path).await.json();
    assert_eq!(response["client"]["name"], "Client");
    assert_eq!(response["scope"], "email");
    assert_eq!(response["user"]["email"], "ada@example.test");
    let other = world.get_as(text(&bob, "/access_token"), &path).await;
    assert_refused(&other, 404, "oauth_authorization_not_found", "authorization not found");
    let consent = format!("{path}/consent");
    let token = text(&ada, "/access_token");
    let answer = world.post_as(token, &consent, json!({"action": "shrug"})).await;
    assert_refused(&answer, 400, "validation_failed", "action must be 'approve' or 'deny'");
    let answer = world.post_as(token, &consent, json!({"action": "deny"})).await;
    assert_eq!(
        answer.json()["redirect_url"],
        "https://client.example/cb?error=access_denied&error_description=User+denied+the+request&state=s"
    );
    let answer = world.post_as(token, &consent, json!({"action": "approve"})).await;
    assert_eq!(answer.json()["code"], "oauth_authorization_not_found");
}

#[tokio::test]
async fn oauth_errors_redirect_only_to_registered_uris() {
    let world = world().await;
    let client = client(&world).await;
    let back = authorize(&world, &client, "").await;
    assert_eq!(parameters(&back, '?')["error"], "invalid_request");
    assert_eq!(parameters(&back, '?')["state"], "s");
    let back = authorize(&world, &client, &format!("scope=everything&{CHALLENGE}")).await;
    assert_eq!(parameters(&back, '?')["error"], "invalid_scope");
    let id = text(&client, "/client_id");
    let stray = world
        .get(&format!("/oauth/authorize?client_id={id}&redirect_uri=https://evil.example"))
        .await;
    assert_refused(&stray, 400, "validation_failed", "invalid redirect_uri");
    let unknown_client = "/oauth/authorize?client_id=00000000-0000-4000-8000-000000000000";
    assert_eq!(world.get(unknown_client).await.json()["code"], "oauth_client_not_found");
}

#[tokio::test]
async fn wrong_secrets_codes_and_verifiers_are_refused() {
    let world = world().await;
    let client = client(&world).await;
    let session = world.member("ada").await;
    let code = code(&world, &client, text(&session, "/access_token"), "email").await;
    let mut other_client = client.clone();
    other_client["client_secret"] = json!("wrong");
    let refusal = token(&world, &other_client, by_code(&code)).await;
    let body =
        json!({"error": "invalid_client", "error_description": "Invalid client credentials"});
    assert_eq!((refusal.status.as_u16(), refusal.json()), (400, body));
    let mut wrong = by_code(&code);
    wrong["code_verifier"] = json!("x".repeat(43));
    let refusal = token(&world, &client, wrong).await;
    assert_eq!(refusal.json()["error_description"], "PKCE verification failed");
    let refusal = token(&world, &client, json!({"grant_type": "password"})).await;
    assert_eq!(refusal.json()["error"], "unsupported_grant_type");
    world.advance(601);
    let late = token(&world, &client, by_code(&code)).await;
    assert_eq!(late.json()["error_description"], "Invalid authorization code");
}

#[tokio::test]
async fn public_clients_register_themselves_where_that_is_open() {
    let world = World::with(|config| {
        config.oauth_server.enabled = true;
        config.oauth_server.allow_dynamic_registration = true;
    })
    .await;
    let body = json!({"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"});
    let answer = world.post("/oauth/clients/register", body).await;
    assert_eq!(answer.status, 201);
    let client = answer.json();
    assert_eq!(client["registration_type"], "dynamic");
    assert!(client.get("client_secret").is_none());
    let session = world.member("ada").await;
    let code = code(&world, &client, text(&session, "/access_token"), "email").await;
    let mut body = by_code(&code);
    body["client_id"] = client["client_id"].clone();
    let headers = vec![("content-type", "application/json".to_owned())];
    let answer = world.send(Method::POST, "/oauth/token", headers, Some(body)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let document = world.get("/.well-known/oauth-authorization-server").await.json();
    assert_eq!(
        document["registration_endpoint"],
        "http://localhost:54321/auth/v1/oauth/clients/register"
    );
}

#[tokio::test]
async fn passkeys_answer_as_switched_off() {
    let world = World::new().await;
    for answer in [
        world.get("/passkeys").await,
        world.post("/passkeys/authentication/options", json!({})).await,
        world.post("/passkeys/registration/verify", json!({})).await,
    ] {
        assert_refused(&answer, 404, "passkey_disabled", "Passkeys are disabled");
    }
}
