//! Every rejection of a token with PostgREST's message, and the requirements of rest/v1 for tokens.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use compat_rest::{Config, State};
use compat_testkit::{TestResponse, call};
use compat_token::{ApiKeys, Authenticator, ClaimPath, KeyRing, Rules};
use http::Request;
use serde_json::{Value, json};

use crate::library::{Library, config};

const SECRET: &str = "reallyreallyreallyreallyverysafe";

/// `{"alg":"none","typ":"JWT"}`, `{}` and an arbitrary signature.
const UNSECURED: &str =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.e30.yOBhlOIqn56T-4NvyEXCjfi3UmyQZ-BzXtePMO2NgRI";

async fn ask(router: &Router, path: &str, authorization: Option<&str>) -> TestResponse {
    let mut request = Request::get(path);
    if let Some(authorization) = authorization {
        request = request.header("authorization", authorization);
    }
    call(router, request.body(Body::empty()).expect("a request")).await
}

fn under(rules: Rules) -> Config {
    Config { tokens: rules, ..config() }
}

fn bearer(library: &Library, claims: &Value) -> String {
    let keys = library.environment().authenticator.keys().clone();
    format!("Bearer {}", keys.sign(claims).expect("a token"))
}

#[tokio::test]
async fn token_errors_have_status_code_and_challenge() {
    let library =
        Library::with(under(Rules { audience: Some("us".into()), ..Rules::default() })).await;
    let now = library.environment().clock.unix();
    let claims = |claims: Value| bearer(&library, &claims);
    let foreign_ring = KeyRing::generate_es256().expect("a key");
    let impostor =
        format!("Bearer {}", foreign_ring.sign(&json!({"role": "anon"})).expect("a token"));
    let other_kind = KeyRing::from_secret(SECRET).and_then(|ring| ring.sign(&json!({})));
    let other_kind = format!("Bearer {}", other_kind.expect("a token"));
    let genuine = claims(json!({"role": "anon"}));
    let (signed, _) = genuine.rsplit_once('.').expect("three parts");
    let not_signed = format!("{signed}.{}", "A".repeat(86));
    const NO_KEY: &str = "No suitable key or wrong key type";
    for (authorization, code, message, details) in [
        ("Bearer ", "PGRST301", "Empty JWT is sent in Authorization header", None),
        ("bearer", "PGRST301", "Empty JWT is sent in Authorization header", None),
        ("Bearer x", "PGRST301", "Expected 3 parts in JWT; got 1", None),
        ("Bearer a.b", "PGRST301", "Expected 3 parts in JWT; got 2", None),
        ("Bearer a.b.c.d", "PGRST301", "Expected 3 parts in JWT; got 4", None),
        ("Bearer qui.fon.iuq", "PGRST301", "JWT cryptographic operation failed", None),
        (
            &format!("Bearer {UNSECURED}"),
            "PGRST301",
            "Wrong or unsupported encoding algorithm",
            Some("JWT is unsecured but expected 'alg' was not 'none'"),
        ),
        (&impostor, "PGRST301", NO_KEY, Some("No suitable key was found to decode the JWT")),
        (&other_kind, "PGRST301", NO_KEY, Some("No suitable key was found to decode the JWT")),
        (&not_signed, "PGRST301", NO_KEY, Some("None of the keys was able to decode the JWT")),
        (&claims(json!(["role"])), "PGRST303", "Parsing claims failed", None),
        (&claims(json!({"exp": now - 35})), "PGRST303", "JWT expired", None),
        (&claims(json!({"nbf": now + 60})), "PGRST303", "JWT not yet valid", None),
        (&claims(json!({"iat": now + 60})), "PGRST303", "JWT issued at future", None),
        (&claims(json!({"exp": "x"})), "PGRST303", "The JWT 'exp' claim must be a number", None),
        (&claims(json!({"nbf": "x"})), "PGRST303", "The JWT 'nbf' claim must be a number", None),
        (&claims(json!({"iat": {}})), "PGRST303", "The JWT 'iat' claim must be a number", None),
        (&claims(json!({"aud": "them"})), "PGRST303", "JWT not in audience", None),
        (&claims(json!({"aud": ""})), "PGRST303", "JWT not in audience", None),
        (&claims(json!({"aud": ["a", "b"]})), "PGRST303", "JWT not in audience", None),
        (
            &claims(json!({"aud": ["us", {}]})),
            "PGRST303",
            "The JWT 'aud' claim must be a string or an array of strings",
            None,
        ),
    ] {
        let answer = ask(&library.router, "/nowhere", Some(authorization)).await;
        let words = json!({"code": code, "message": message, "details": details, "hint": null});
        assert_eq!((answer.status.as_u16(), answer.json()), (401, words), "{authorization}");
        let challenge = format!("Bearer error=\"invalid_token\", error_description=\"{message}\"");
        assert_eq!(answer.header("www-authenticate"), challenge);
        assert_eq!(answer.header("proxy-status"), format!("PostgREST; error={code}"));
    }
    for audience in [json!("us"), json!(["them", "us"]), json!([]), Value::Null] {
        let authorization = claims(json!({"role": "anon", "aud": audience}));
        let answer = ask(&library.router, "/rpc/nothing", Some(&authorization)).await;
        assert_eq!(answer.status.as_u16(), 200, "{audience}: {}", answer.text());
    }
}

#[tokio::test]
async fn server_without_keys_refuses_only_tokens() {
    let library = Library::open().await;
    let api = ApiKeys::none();
    let authenticator = Authenticator::new(Arc::new(KeyRing::empty()), Arc::new(api), "anon");
    let environment = compat_http::ServiceEnvironment {
        authenticator: Arc::new(authenticator),
        ..library.environment()
    };
    let state = State::new(environment, library.database.pools().acting.clone(), config());
    state.load().await.expect("the schema cache loads");
    let router = compat_rest::router(state);
    let answer = ask(&router, "/rpc/nothing", Some("Bearer a.b.c")).await;
    let words = json!({"code": "PGRST300", "message": "Server lacks JWT secret",
        "details": null, "hint": null});
    assert_eq!((answer.status.as_u16(), answer.json()), (500, words));
    assert_eq!(answer.header("www-authenticate"), "");
    assert_eq!(ask(&router, "/rpc/nothing", None).await.status.as_u16(), 200);
}

#[tokio::test]
async fn disabled_anonymous_access_requires_a_role() {
    let library = Library::with(Config { anon_role: None, ..config() }).await;
    let without_role = bearer(&library, &json!({"sub": "x"}));
    for authorization in [None, Some(without_role.as_str())] {
        let answer = ask(&library.router, "/rpc/who", authorization).await;
        let words = json!({"code": "PGRST302", "message": "Anonymous access is disabled",
            "details": null, "hint": null});
        assert_eq!((answer.status.as_u16(), answer.json()), (401, words));
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    let with_role = bearer(&library, &json!({"role": "authenticated"}));
    assert_eq!(ask(&library.router, "/rpc/who", Some(&with_role)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn the_role_stands_where_the_settings_say() {
    for path in ["$.app.roles[?search(@, '^auth')]", r#".app.roles[?(@ ^== "auth")]"#] {
        let role_claim = ClaimPath::parse(path).expect("a path");
        let library = Library::with(under(Rules { role_claim, ..Rules::default() })).await;
        let claims = json!({"app": {"roles": ["other", "authenticated"]}, "role": "service_role"});
        let answer = ask(&library.router, "/rpc/who", Some(&bearer(&library, &claims))).await;
        assert_eq!(answer.json()["role"], "authenticated", "{path}: {}", answer.text());
        assert_eq!(answer.json()["claims"]["role"], "authenticated");
        let other_role = bearer(&library, &json!({"role": "service_role"}));
        assert_eq!(
            ask(&library.router, "/rpc/who", Some(&other_role)).await.json()["role"],
            "anon"
        );
    }
}

#[tokio::test]
async fn an_unknown_role_is_refused_by_the_database() {
    let library = Library::open().await;
    for (role, name) in
        [(json!("ghost"), "ghost"), (json!(5), "5"), (json!(["anon"]), "[\"anon\"]")]
    {
        let answer =
            ask(&library.router, "/rpc/who", Some(&bearer(&library, &json!({"role": role})))).await;
        assert_eq!(answer.status.as_u16(), 401, "{}", answer.text());
        assert_eq!(answer.json()["code"], "22023");
        assert_eq!(answer.json()["message"], format!("role \"{name}\" does not exist"));
    }
}

#[tokio::test]
async fn database_settings_for_tokens_win() {
    let library = Library::open().await;
    let name = library.database.name().to_owned();
    let set = |setting: &str, value: &str| {
        format!("alter role authenticator in database {name} set pgrst.{setting} = '{value}'; ")
    };
    let before = bearer(&library, &json!({"role": "authenticated"}));
    assert_eq!(ask(&library.router, "/rpc/who", Some(&before)).await.status.as_u16(), 200);
    library.sql(&set("db_anon_role", "authenticated")).await;
    library.state.load().await.expect("the cache loads");
    assert_eq!(ask(&library.router, "/rpc/who", None).await.json()["role"], "authenticated");
    library
        .sql(
            &[set("jwt_secret", SECRET), set("jwt_aud", "us"), set("jwt_role_claim_key", "$.r")]
                .concat(),
        )
        .await;
    library.state.load().await.expect("the cache loads");
    assert_eq!(ask(&library.router, "/rpc/who", Some(&before)).await.status.as_u16(), 401);
    let keys = KeyRing::from_secret(SECRET).expect("a ring");
    let token = |claims: Value| format!("Bearer {}", keys.sign(&claims).expect("a token"));
    let fits = token(json!({"r": "authenticated", "aud": "us"}));
    assert_eq!(ask(&library.router, "/rpc/who", Some(&fits)).await.json()["role"], "authenticated");
    let other = token(json!({"r": "authenticated", "aud": "them"}));
    let refusal = ask(&library.router, "/rpc/who", Some(&other)).await;
    assert_eq!(refusal.json()["message"], "JWT not in audience");
}
