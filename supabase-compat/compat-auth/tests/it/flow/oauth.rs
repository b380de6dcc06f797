use std::collections::BTreeMap;

use compat_testkit::TestResponse;
use http::Method;
use serde_json::{Value, json};

use crate::external_provider::ExternalProvider;
use crate::world::{World, assert_refused, parameters, text};

const CHALLENGE: &str =
    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=s256";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

async fn world(outside: &ExternalProvider) -> World {
    World::with(|config| {
        config.providers = vec![outside.as_provider("custom:acme"), outside.as_provider("github")];
        config.manual_linking_enabled = true;
        config.anonymous_users_enabled = true;
    })
    .await
}

fn ada(verified: bool) -> Value {
    json!({"sub": "42", "email": "Ada@example.test", "email_verified": verified, "name": "Ada"})
}

/// Follows the redirect to the provider, and returns to the callback with `code`.
async fn round_trip(world: &World, query: &str, code: &str) -> TestResponse {
    let redirect_out = world.get(&format!("/authorize?{query}")).await;
    assert_eq!(redirect_out.status, 302, "{}", redirect_out.text());
    back(world, &redirect_out, code).await
}

async fn back(world: &World, redirect_out: &TestResponse, code: &str) -> TestResponse {
    let state = parameters(redirect_out, '?')["state"].clone();
    world.get(&format!("/callback?state={state}&code={code}")).await
}

fn query_of(url: &str) -> BTreeMap<String, String> {
    let url = url::Url::parse(url).unwrap();
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn the_browser_leaves_with_everything_the_provider_needs() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let path =
        "/authorize?provider=custom:acme&scopes=calendar&prompt=login&client_id=evil&nonce=n";
    let redirect_out = world.get(path).await;
    assert_eq!(redirect_out.status, 302);
    assert!(
        redirect_out
            .header("location")
            .starts_with(&format!("{}/authorize?tenant=x&", outside.url))
    );
    let mut query = query_of(redirect_out.header("location"));
    assert_eq!(query.remove("state").unwrap().len(), 36);
    assert_eq!(query.remove("code_challenge").unwrap().len(), 43);
    let expected = [
        ("tenant", "x"),
        ("client_id", "our-client"),
        ("redirect_uri", "http://localhost:54321/auth/v1/callback"),
        ("response_type", "code"),
        ("scope", "openid email profile calendar"),
        ("code_challenge_method", "S256"),
        ("prompt", "login"),
        ("nonce", "n"),
    ];
    let expected: BTreeMap<String, String> =
        expected.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    assert_eq!(query, expected);
}

#[tokio::test]
async fn providers_that_are_off_are_refused() {
    let world = World::new().await;
    for path in ["/authorize?provider=google", "/authorize", "/authorize?provider=custom:acme"] {
        let answer = world.get(path).await;
        assert_refused(
            &answer,
            400,
            "validation_failed",
            "Unsupported provider: provider is not enabled",
        );
    }
}

#[tokio::test]
async fn new_oauth_user_gets_session_in_fragment() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    outside.expect("one", ada(true));
    let query = "provider=custom:acme&redirect_to=https://app.example/in";
    let redirect = round_trip(&world, query, "one").await;
    assert_eq!(redirect.status, 302);
    assert!(redirect.header("location").starts_with("https://app.example/in#access_token="));
    let fragment = parameters(&redirect, '#');
    assert_eq!(fragment["provider_token"], "at-one");
    assert_eq!(fragment["provider_refresh_token"], "rt-one");
    let me = world.get_as(&fragment["access_token"], "/user").await.json();
    assert_eq!(me["email"], "ada@example.test");
    assert!(me.get("email_confirmed_at").is_some());
    assert_eq!(
        me["app_metadata"],
        json!({"provider": "custom:acme", "providers": ["custom:acme"]})
    );
    assert_eq!(me["identities"][0]["id"], "42");
    assert_eq!(me["identities"][0]["identity_data"]["full_name"], "Ada");
    assert_eq!(me["user_metadata"]["full_name"], "Ada");
    outside.expect("two", json!({"sub": "42", "email": "ada@example.test", "email_verified": true, "name": "Countess"}));
    round_trip(&world, "provider=custom:acme", "two").await;
    let me = world.get_as(&fragment["access_token"], "/user").await.json();
    assert_eq!(me["user_metadata"]["full_name"], "Countess");
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn pkce_exchange_returns_the_provider_token() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    outside.expect("one", json!({"id": 7, "login": "ada", "emails": [{"email": "ada@example.test", "verified": true, "primary": true}]}));
    let redirect_out = world.get(&format!("/authorize?provider=github{CHALLENGE}")).await;
    let redirect = back(&world, &redirect_out, "one").await;
    let code = parameters(&redirect, '?')["code"].clone();
    let again = back(&world, &redirect_out, "one").await;
    assert_eq!(parameters(&again, '?')["error_code"], "flow_state_already_used");
    let body = json!({"auth_code": code, "code_verifier": VERIFIER});
    let session = world.post("/token?grant_type=pkce", body.clone()).await.json();
    assert_eq!(session["provider_token"], "at-one");
    assert_eq!(session["user"]["user_metadata"]["user_name"], "ada");
    assert_eq!(session["user"]["identities"][0]["provider"], "github");
    let answer = world.post("/token?grant_type=pkce", body).await;
    assert_eq!(answer.json()["code"], "flow_state_not_found");
}

#[tokio::test]
async fn verified_oauth_email_links_to_existing_account() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let session = world.member("ada").await;
    outside.expect("one", ada(true));
    let redirect = round_trip(&world, "provider=custom:acme", "one").await;
    let me = world.get_as(&parameters(&redirect, '#')["access_token"], "/user").await.json();
    assert_eq!(me["id"], session["user"]["id"]);
    assert_eq!(me["app_metadata"]["providers"], json!(["email", "custom:acme"]));
    assert_eq!(world.sign_in("ada").await.status, 200);
}

#[tokio::test]
async fn unconfirmed_account_is_reset_by_verified_oauth_email() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let body =
        json!({"email": "ada@example.test", "password": "correct horse", "data": {"trap": true}});
    world.post("/signup", body).await;
    outside.expect("one", ada(true));
    let redirect = round_trip(&world, "provider=custom:acme", "one").await;
    let me = world.get_as(&parameters(&redirect, '#')["access_token"], "/user").await.json();
    assert!(me["user_metadata"].get("trap").is_none());
    assert_eq!(me["app_metadata"]["providers"], json!(["custom:acme"]));
    assert_eq!(me["identities"].as_array().unwrap().len(), 1);
    let answer = world.sign_in("ada").await;
    assert_eq!(answer.json()["code"], "invalid_credentials");
}

#[tokio::test]
async fn unverified_oauth_email_requires_confirmation() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    outside.expect("one", ada(false));
    let redirect = round_trip(&world, "provider=custom:acme", "one").await;
    assert_eq!(parameters(&redirect, '?')["error_code"], "provider_email_needs_verification");
    assert_eq!(parameters(&redirect, '#')["error"], "access_denied");
    assert_eq!(world.get(&world.link_to("ada@example.test")).await.status, 303);
    let redirect = round_trip(&world, "provider=custom:acme", "one").await;
    assert!(redirect.header("location").contains("#access_token="));
    outside
        .expect("two", json!({"sub": "43", "email": "ada@example.test", "email_verified": false}));
    let redirect = round_trip(&world, "provider=custom:acme", "two").await;
    let me = world.get_as(&parameters(&redirect, '#')["access_token"], "/user").await.json();
    assert_eq!(me["email"], "");
    assert_eq!(world.count("select count(*) from auth.users").await, 2);
}

#[tokio::test]
async fn failed_flows_end_at_their_redirect_address() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    for (path, code) in [
        ("/callback", "bad_oauth_callback"),
        ("/callback?state=x&code=y", "bad_oauth_state"),
        ("/callback?state=00000000-0000-4000-8000-000000000000&code=y", "bad_oauth_state"),
    ] {
        let answer = world.get(path).await;
        assert_eq!(answer.status, 303);
        assert!(answer.header("location").starts_with("https://site.example?error="));
        assert_eq!(parameters(&answer, '?')["error_code"], code);
        assert_eq!(parameters(&answer, '#')["error_code"], code);
    }
    let query = "/authorize?provider=custom:acme&redirect_to=https://app.example/in";
    let redirect_out = world.get(query).await;
    let unknown = back(&world, &redirect_out, "nobody").await;
    assert!(unknown.header("location").starts_with("https://app.example/in?error=server_error"));
    let state = parameters(&redirect_out, '?')["state"].clone();
    let refusal = world
        .get(&format!("/callback?state={state}&error=access_denied&error_description=She+said+no"))
        .await;
    assert_eq!(parameters(&refusal, '?')["error"], "access_denied");
    assert_eq!(parameters(&refusal, '?')["error_description"], "She said no");
    world.advance(301);
    outside.expect("one", ada(true));
    let late = back(&world, &redirect_out, "one").await;
    assert_eq!(parameters(&late, '?')["error_code"], "bad_oauth_state");
    outside.expect("nobody", json!({"email": "a@b.cd"}));
    let nameless = round_trip(&world, "provider=custom:acme", "nobody").await;
    assert_eq!(parameters(&nameless, '?')["error"], "server_error");
    outside.expect("shy", json!({"sub": "1"}));
    let shy = round_trip(&world, "provider=custom:acme", "shy").await;
    assert_eq!(
        parameters(&shy, '?')["error_description"],
        "Error getting user email from external provider"
    );
    assert_eq!(world.count("select count(*) from auth.users").await, 0);
}

#[tokio::test]
async fn closed_doors_and_bans_hold_here_too() {
    let outside = ExternalProvider::start().await;
    let closed = World::with(|config| {
        config.providers = vec![outside.as_provider("custom:acme")];
        config.disable_signup = true;
    })
    .await;
    outside.expect("one", ada(true));
    let redirect = round_trip(&closed, "provider=custom:acme", "one").await;
    assert_eq!(parameters(&redirect, '?')["error_code"], "signup_disabled");
    closed.member("ada").await;
    closed.run("update auth.users set banned_until = now() + interval '1 year'").await;
    let redirect = round_trip(&closed, "provider=custom:acme", "one").await;
    assert_eq!(parameters(&redirect, '?')["error_code"], "user_banned");
    assert_eq!(parameters(&redirect, '?')["error"], "access_denied");
}

#[tokio::test]
async fn an_account_links_and_unlinks_identities() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let session = world.member("bob").await;
    let token = text(&session, "/access_token");
    let path = "/user/identities/authorize?provider=custom:acme&skip_http_redirect=true";
    let link = async || {
        let url = text(&world.get_as(token, path).await.json(), "/url").to_owned();
        let state = query_of(&url)["state"].clone();
        world.get(&format!("/callback?state={state}&code=one")).await
    };
    outside.expect("one", ada(true));
    assert!(link().await.header("location").contains("#access_token="));
    let me = world.get_as(token, "/user").await.json();
    assert_eq!(me["email"], "bob@example.test");
    assert_eq!(me["app_metadata"]["providers"], json!(["email", "custom:acme"]));
    let again = link().await;
    assert_eq!(parameters(&again, '?')["error_description"], "Identity is already linked");
    let unlink = async |id: &str| {
        let path = format!("/user/identities/{id}");
        world.send(Method::DELETE, &path, world.personas.as_bearer(token), None).await
    };
    let answer = unlink("00000000-0000-4000-8000-000000000000").await;
    assert_refused(&answer, 422, "identity_not_found", "Identity doesn't exist");
    let email = text(&me, "/identities/0/identity_id");
    assert_eq!(unlink(email).await.text(), "{}");
    let me = world.get_as(token, "/user").await.json();
    assert_eq!(me["email"], "ada@example.test");
    let last = text(&me, "/identities/0/identity_id").to_owned();
    let message = "User must have at least 1 identity after unlinking";
    assert_refused(&unlink(&last).await, 422, "single_identity_not_deletable", message);
    let other = world.member("cleo").await;
    let path = "/user/identities/authorize?provider=custom:acme&skip_http_redirect=true";
    let url = world.get_as(text(&other, "/access_token"), path).await.json();
    let state = query_of(text(&url, "/url"))["state"].clone();
    let response = world.get(&format!("/callback?state={state}&code=one")).await;
    let description = &parameters(&response, '?')["error_description"];
    assert_eq!(description, "Identity is already linked to another user");
}

#[tokio::test]
async fn an_anonymous_account_becomes_permanent_by_linking() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let session = world.post("/signup", json!({})).await.json();
    let token = text(&session, "/access_token");
    outside.expect("one", ada(true));
    let path = "/user/identities/authorize?provider=custom:acme&skip_http_redirect=true";
    let url = world.get_as(token, path).await.json();
    let state = query_of(text(&url, "/url"))["state"].clone();
    world.get(&format!("/callback?state={state}&code=one")).await;
    let me = world.get_as(token, "/user").await.json();
    assert_eq!(me["is_anonymous"], false);
    assert_eq!(me["email"], "ada@example.test");
    assert_eq!(me["id"], session["user"]["id"]);
}

#[tokio::test]
async fn linking_is_off_unless_it_is_switched_on() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let answer = world.get_as(token, "/user/identities/authorize?provider=google").await;
    assert_refused(&answer, 404, "manual_linking_disabled", "Manual linking is disabled");
    let headers = world.personas.as_bearer(token);
    let answer = world.send(Method::DELETE, "/user/identities/x", headers, None).await;
    assert_refused(&answer, 404, "manual_linking_disabled", "Manual linking is disabled");
}

fn id_token(world: &World, outside: &ExternalProvider, changes: Value) -> String {
    let now = world.personas.clock().unix();
    let mut claims = json!({
        "iss": outside.url, "aud": "our-client", "iat": now, "exp": now + 600,
        "sub": "42", "email": "ada@example.test", "email_verified": true,
    });
    for (key, value) in changes.as_object().unwrap() {
        claims[key] = value.clone();
    }
    outside.keys.sign(&claims).unwrap()
}

#[tokio::test]
async fn an_id_token_of_a_provider_signs_in() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let token = id_token(&world, &outside, json!({}));
    let body = json!({"provider": "custom:acme", "id_token": token, "access_token": "at"});
    let session = world.post("/token?grant_type=id_token", body).await.json();
    assert_eq!(session["user"]["email"], "ada@example.test");
    assert_eq!(session["provider_token"], "at");
    let body = json!({"client_id": "our-client", "issuer": outside.url, "id_token": token});
    assert_eq!(world.post("/token?grant_type=id_token", body).await.status, 200);
    let hashed = "d7439bee24773bcbfa2d0a97947ee36227b10d1022b1a55847e928965bb6bfde";
    let token = id_token(&world, &outside, json!({"nonce": hashed}));
    let body = json!({"provider": "custom:acme", "id_token": token, "nonce": "raw"});
    assert_eq!(world.post("/token?grant_type=id_token", body).await.status, 200);
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn invalid_id_tokens_get_oauth_error_responses() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let post = async |body: Value| {
        let answer = world.post("/token?grant_type=id_token", body).await;
        (answer.status.as_u16(), answer.json())
    };
    let refusal = |error: &str, description: &str| {
        (400, json!({"error": error, "error_description": description}))
    };
    for changes in [
        json!({"iss": "https://evil.example"}),
        json!({"aud": "another-client"}),
        json!({"exp": 1}),
        json!({"sub": ""}),
    ] {
        let token = id_token(&world, &outside, changes);
        let outcome = post(json!({"provider": "custom:acme", "id_token": token})).await;
        assert_eq!(outcome, refusal("invalid request", "Bad ID token"));
    }
    let outcome = post(json!({"provider": "custom:acme", "id_token": "garbage"})).await;
    assert_eq!(outcome, refusal("invalid request", "Bad ID token"));
    let outcome = post(json!({"provider": "custom:acme"})).await;
    assert_eq!(outcome, refusal("invalid request", "id_token required"));
    let outcome = post(json!({"id_token": "x"})).await;
    assert_eq!(outcome, refusal("invalid request", "provider or client_id and issuer required"));
    let token = id_token(&world, &outside, json!({"nonce": "abc"}));
    let body = json!({"provider": "custom:acme", "id_token": token, "nonce": "raw"});
    assert_eq!(post(body).await, refusal("invalid nonce", "Nonces mismatch"));
    let (status, outcome) = post(json!({"provider": "google", "id_token": token})).await;
    assert_eq!((status, &outcome["code"]), (400, &json!("provider_disabled")));
}
