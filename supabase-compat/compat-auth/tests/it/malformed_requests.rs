//! Every endpoint refuses missing, truncated, foreign and expired tokens, and malformed bodies,
//! with the right code and never with an internal error.

use axum::body::Body;
use compat_testkit::{Headers, TestResponse, call};
use http::{Method, Request};
use serde_json::json;
use uuid::Uuid;

use crate::world::{World, text};

/// Endpoints that need no token of a person.
const OPEN: &[(&str, &str)] = &[
    ("POST", "/signup"),
    ("POST", "/token?grant_type=password"),
    ("POST", "/token?grant_type=refresh_token"),
    ("POST", "/token?grant_type=pkce"),
    ("POST", "/token?grant_type=id_token"),
    ("POST", "/recover"),
    ("POST", "/resend"),
    ("POST", "/otp"),
    ("POST", "/magiclink"),
    ("POST", "/verify"),
    ("POST", "/passkeys/authentication/verify"),
    ("POST", "/oauth/clients/register"),
];

/// Endpoints that need the token of a person; `{id}` becomes an id without a row.
const OF_PEOPLE: &[(&str, &str)] = &[
    ("GET", "/user"),
    ("PUT", "/user"),
    ("GET", "/reauthenticate"),
    ("POST", "/logout"),
    ("GET", "/user/identities/authorize?provider=google"),
    ("DELETE", "/user/identities/{id}"),
    ("POST", "/factors"),
    ("POST", "/factors/{id}/challenge"),
    ("POST", "/factors/{id}/verify"),
    ("DELETE", "/factors/{id}"),
    ("GET", "/passkeys"),
    ("PATCH", "/passkeys/{id}"),
    ("DELETE", "/passkeys/{id}"),
    ("POST", "/passkeys/registration/options"),
    ("POST", "/passkeys/registration/verify"),
    ("GET", "/oauth/authorizations/{id}"),
    ("POST", "/oauth/authorizations/{id}/consent"),
    ("GET", "/user/oauth/grants"),
    ("DELETE", "/user/oauth/grants?client_id={id}"),
    ("GET", "/oauth/userinfo"),
];

/// Endpoints that need the token of an administrator.
const OF_ADMINISTRATORS: &[(&str, &str)] = &[
    ("POST", "/invite"),
    ("POST", "/admin/generate_link"),
    ("GET", "/admin/users"),
    ("POST", "/admin/users"),
    ("GET", "/admin/users/{id}"),
    ("PUT", "/admin/users/{id}"),
    ("DELETE", "/admin/users/{id}"),
    ("GET", "/admin/users/{id}/factors"),
    ("PUT", "/admin/users/{id}/factors/{id}"),
    ("DELETE", "/admin/users/{id}/factors/{id}"),
    ("GET", "/admin/users/{id}/passkeys"),
    ("DELETE", "/admin/users/{id}/passkeys/{id}"),
    ("GET", "/admin/audit"),
    ("GET", "/admin/sso/providers"),
    ("POST", "/admin/sso/providers"),
    ("GET", "/admin/sso/providers/{id}"),
    ("PUT", "/admin/sso/providers/{id}"),
    ("DELETE", "/admin/sso/providers/{id}"),
    ("GET", "/admin/oauth/clients"),
    ("POST", "/admin/oauth/clients"),
    ("GET", "/admin/oauth/clients/{id}"),
    ("PUT", "/admin/oauth/clients/{id}"),
    ("DELETE", "/admin/oauth/clients/{id}"),
    ("POST", "/admin/oauth/clients/{id}/regenerate_secret"),
    ("GET", "/admin/custom-providers"),
    ("POST", "/admin/custom-providers"),
    ("GET", "/admin/custom-providers/custom:x"),
    ("PUT", "/admin/custom-providers/custom:x"),
    ("DELETE", "/admin/custom-providers/custom:x"),
];

/// Endpoints that other tests cover: they answer anybody, redirect a browser, or are not
/// implemented.
const ELSEWHERE: &[(&str, &str)] = &[
    ("GET", "/health"),
    ("GET", "/settings"),
    ("GET", "/.well-known/jwks.json"),
    ("GET", "/.well-known/openid-configuration"),
    ("GET", "/.well-known/oauth-authorization-server"),
    ("GET", "/captcha"),
    ("GET", "/verify"),
    ("GET", "/authorize"),
    ("GET", "/callback"),
    ("POST", "/callback"),
    ("GET", "/oauth/authorize"),
    ("POST", "/oauth/token"),
    ("POST", "/passkeys/authentication/options"),
    ("POST", "/sso"),
    ("GET", "/sso/saml/metadata"),
    ("POST", "/sso/saml/acs"),
];

async fn world() -> World {
    World::with(|config| {
        config.passkey.enabled = true;
        config.oauth_server.enabled = true;
        config.oauth_server.allow_dynamic_registration = true;
        config.manual_linking_enabled = true;
        config.mfa.phone_enroll_enabled = true;
        config.mfa.phone_verify_enabled = true;
        config.mfa.webauthn_enroll_enabled = true;
        config.mfa.webauthn_verify_enabled = true;
        config.phone_enabled = true;
        config.limits.per_account = false;
    })
    .await
}

async fn ask(
    world: &World,
    (method, path): (&str, &str),
    headers: Headers,
    body: &str,
) -> TestResponse {
    let path = path.replace("{id}", &Uuid::from_u128(7).to_string());
    let mut request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(path)
        .header("x-supabase-api-version", "2024-01-01");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    call(&world.router, request.body(Body::from(body.to_owned())).unwrap()).await
}

fn refusal(answer: &TestResponse) -> (u16, String) {
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

/// The paths in the router's source.
fn routed() -> Vec<&'static str> {
    let source = include_str!("../../src/router.rs");
    let paths = source.split(".route(").skip(1).map(|rest| rest.split('"').nth(1));
    paths.map(|path| path.expect("a path behind each route")).collect()
}

/// The methods of a path, from the `allow` header of a refused method.
async fn methods(world: &World, path: &str) -> Vec<String> {
    let answer = ask(world, ("TRACE", path), Headers::default(), "").await;
    assert_eq!(answer.status, 405, "{path}");
    let allowed = answer.header("allow").split(',').map(|method| method.trim().to_owned());
    allowed.filter(|method| method != "HEAD").collect()
}

#[tokio::test]
async fn tests_cover_every_endpoint_of_router() {
    let world = world().await;
    let mut walked: Vec<(String, String)> = [OPEN, OF_PEOPLE, OF_ADMINISTRATORS, ELSEWHERE]
        .concat()
        .iter()
        .map(|(method, path)| ((*method).to_owned(), shape(path)))
        .collect();
    let mut routed_here = Vec::new();
    for path in routed() {
        for method in methods(&world, &path.replace(['{', '}'], "")).await {
            routed_here.push((method, shape(path)));
        }
    }
    walked.sort();
    walked.dedup();
    routed_here.sort();
    assert_eq!(walked, routed_here);
}

/// A path without its query and with the same name for every parameter.
fn shape(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let part = |part: &str| match part {
        "custom:x" => "{}".to_owned(),
        part if part.starts_with('{') => "{}".to_owned(),
        part => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn endpoints_for_people_refuse_everybody_else() {
    let world = world().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let other = compat_testkit::Personas::new();
    let foreign = other.user_token("ada", json!({"sub": Uuid::from_u128(1)}));
    let unsigned = format!("{}.", token.rsplit_once('.').unwrap().0);
    let none_at_all =
        format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{}.", token.split('.').nth(1).unwrap());
    for endpoint in OF_PEOPLE.iter().chain(OF_ADMINISTRATORS) {
        let without_token = ask(&world, *endpoint, Headers::default(), "{}").await;
        assert_eq!(refusal(&without_token), (401, "no_authorization".into()), "{endpoint:?}");
        for wrong in [&token[..token.len() - 6], &unsigned, &none_at_all, "x", "a.b.c"] {
            let answer = ask(&world, *endpoint, world.personas.as_bearer(wrong), "{}").await;
            assert_eq!(refusal(&answer), (403, "bad_jwt".into()), "{endpoint:?} {wrong}");
        }
    }
    // Tests use the same keys, so the foreign token's signature is valid; its account does not
    // exist.
    let unknown_account = ask(&world, OF_PEOPLE[0], world.personas.as_bearer(&foreign), "").await;
    assert_eq!(refusal(&unknown_account).0, 403);
    world.advance(4000);
    for endpoint in OF_PEOPLE.iter().chain(OF_ADMINISTRATORS) {
        let expired = ask(&world, *endpoint, world.personas.as_bearer(token), "{}").await;
        assert_eq!(refusal(&expired), (403, "bad_jwt".into()), "{endpoint:?}");
    }
}

#[tokio::test]
async fn site_key_and_person_are_no_administrators() {
    let world = world().await;
    let session = world.member("ada").await;
    let person = || world.personas.as_bearer(text(&session, "/access_token"));
    for endpoint in OF_PEOPLE {
        let answer = ask(&world, *endpoint, world.personas.as_anon(), "{}").await;
        assert_eq!(refusal(&answer), (403, "bad_jwt".into()), "{endpoint:?}");
    }
    for endpoint in OF_ADMINISTRATORS {
        for headers in [world.personas.as_anon(), person()] {
            let answer = ask(&world, *endpoint, headers, "{}").await;
            assert_eq!(refusal(&answer), (403, "not_admin".into()), "{endpoint:?}");
        }
    }
}

#[tokio::test]
async fn a_session_that_ended_opens_nothing() {
    let world = world().await;
    let session = world.member("ada").await;
    let person = || world.personas.as_bearer(text(&session, "/access_token"));
    assert_eq!(ask(&world, ("POST", "/logout"), person(), "").await.status, 204);
    for endpoint in OF_PEOPLE {
        let answer = ask(&world, *endpoint, person(), "{}").await;
        assert_eq!(refusal(&answer), (403, "session_not_found".into()), "{endpoint:?}");
    }
}

/// No body causes an internal error, and a body that is not JSON is refused as such.
#[tokio::test]
async fn bodies_that_make_no_sense_are_refused_everywhere() {
    let world = world().await;
    let session = world.member("ada").await;
    let person = || world.personas.as_bearer(text(&session, "/access_token"));
    let takes_body = |endpoint: &&(&str, &str)| {
        matches!(endpoint.0, "POST" | "PUT" | "PATCH") && endpoint.1 != "/logout"
    };
    let all = OPEN.iter().map(|endpoint| (endpoint, 'o'));
    let all = all.chain(OF_PEOPLE.iter().filter(takes_body).map(|endpoint| (endpoint, 'p')));
    let all = all.chain(OF_ADMINISTRATORS.iter().filter(takes_body).map(|one| (one, 'a')));
    let bodies = [
        "{",
        "{\"email\":",
        "[]",
        "\"x\"",
        "3",
        "\u{0}",
        "{\"email\":5,\"phone\":[],\"type\":{}}",
        "{\"email\":\"\\u0000@x.y\",\"password\":\"\\u0000\",\"data\":{\"a\":\"\\u0000\"}}",
        r#"{"email":"nul@x.yz","password":"correct horse","data":{"a":"\u0000"},"user_metadata":{"a":"\u0000"}}"#,
        "{\"challenge_id\":\"x\",\"credential\":{},\"webauthn\":{\"rpId\":3}}",
    ];
    for (endpoint, authorization) in all {
        for body in bodies {
            let headers = match authorization {
                'p' => person(),
                'a' => world.personas.as_service(),
                _ => world.personas.as_anon(),
            };
            let answer = ask(&world, *endpoint, headers, body).await;
            let status = answer.status.as_u16();
            assert!(status < 500, "{endpoint:?} {body}: {status} {}", answer.text());
            let reads_body = !matches!(
                endpoint.1,
                "/passkeys/registration/options"
                    | "/admin/sso/providers"
                    | "/admin/sso/providers/{id}"
                    | "/admin/oauth/clients/{id}/regenerate_secret"
            );
            if body == "{" && reads_body {
                assert_eq!(refusal(&answer), (400, "bad_json".into()), "{endpoint:?}");
            }
        }
    }
}

#[tokio::test]
async fn unknown_and_malformed_ids_are_refused() {
    let world = world().await;
    let session = world.member("ada").await;
    let person = || world.personas.as_bearer(text(&session, "/access_token"));
    let challenge = json!({"challenge_id": Uuid::from_u128(8), "code": "123456"}).to_string();
    let named = r#"{"friendly_name":"x"}"#;
    let cases = [
        ("DELETE", "/user/identities/{id}", "", 422, "single_identity_not_deletable"),
        ("POST", "/factors/{id}/challenge", "{}", 404, "mfa_factor_not_found"),
        ("POST", "/factors/{id}/verify", &challenge, 404, "mfa_factor_not_found"),
        ("POST", "/factors/x/verify", &challenge, 404, "validation_failed"),
        ("DELETE", "/factors/{id}", "", 404, "mfa_factor_not_found"),
        ("DELETE", "/factors/x", "", 404, "validation_failed"),
        ("PATCH", "/passkeys/{id}", named, 404, "validation_failed"),
        ("PATCH", "/passkeys/{id}", "{}", 400, "validation_failed"),
        ("DELETE", "/passkeys/{id}", "", 404, "validation_failed"),
        ("DELETE", "/passkeys/x", "", 404, "validation_failed"),
        ("GET", "/oauth/authorizations/{id}", "", 404, "oauth_authorization_not_found"),
        ("DELETE", "/user/oauth/grants?client_id={id}", "", 404, "oauth_consent_not_found"),
    ];
    for (method, path, body, status, code) in cases {
        let answer = ask(&world, (method, path), person(), body).await;
        assert_eq!(refusal(&answer), (status, code.into()), "{method} {path}");
    }
    let cases = [
        ("GET", "/admin/users/{id}", "", 404, "user_not_found"),
        ("GET", "/admin/users/x", "", 404, "validation_failed"),
        ("PUT", "/admin/users/{id}", "{}", 404, "user_not_found"),
        ("DELETE", "/admin/users/{id}", "", 404, "user_not_found"),
        ("GET", "/admin/users/{id}/factors", "", 404, "user_not_found"),
        ("DELETE", "/admin/users/{id}/factors/{id}", "", 404, "user_not_found"),
        ("GET", "/admin/users/{id}/passkeys", "", 404, "user_not_found"),
        ("GET", "/admin/users?page=x", "", 400, "validation_failed"),
        ("GET", "/admin/oauth/clients/{id}", "", 404, "oauth_client_not_found"),
        ("GET", "/admin/custom-providers/custom:x", "", 404, "custom_provider_not_found"),
        ("GET", "/admin/sso/providers/{id}", "", 404, "sso_provider_not_found"),
        ("POST", "/admin/sso/providers", "{}", 404, "saml_provider_disabled"),
    ];
    for (method, path, body, status, code) in cases {
        let answer = ask(&world, (method, path), world.personas.as_service(), body).await;
        assert_eq!(refusal(&answer), (status, code.into()), "{method} {path}");
    }
}

#[tokio::test]
async fn unknown_link_tokens_redirect_with_otp_expired() {
    let world = world().await;
    world.member("ada").await;
    let email = world.personas.email("ada");
    world.post("/recover", json!({"email": email})).await;
    let link = world.link_to(&email);
    let cut = link.replacen("token=", "token=0", 1);
    for path in [cut.as_str(), "/verify?token=x&type=recovery", "/verify?token=pkce_x&type=signup"]
    {
        let answer = world.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        let location = answer.header("location");
        assert!(location.contains("error_code=otp_expired"), "{location}");
    }
    for path in ["/verify", "/verify?token=x", "/verify?type=signup", "/verify?token=&type="] {
        assert_eq!(refusal(&world.get(path).await), (400, "validation_failed".into()), "{path}");
    }
    let good = world.get(&link).await;
    assert!(good.header("location").contains("access_token="));
    let replayed = world.get(&link).await;
    assert!(replayed.header("location").contains("error_code=otp_expired"));
}
