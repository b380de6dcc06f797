//! An external provider on the loopback address: OpenID Connect, GitHub's variant of OAuth, and the
//! verification of captcha answers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use compat_auth::ProviderConfig;
use compat_token::KeyRing;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A running provider; it ends with the test's runtime.
#[derive(Clone)]
pub struct ExternalProvider {
    pub url: String,
    pub keys: Arc<KeyRing>,
    /// The profile that the provider returns for each authorization code.
    people: Arc<Mutex<BTreeMap<String, Value>>>,
}

impl ExternalProvider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let keys = Arc::new(KeyRing::generate_es256().unwrap());
        let outside = Self { url, keys, people: Arc::default() };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/token", post(token))
            .route("/login/oauth/access_token", post(token))
            .route("/me", get(me))
            .route("/api/v3/user", get(me))
            .route("/api/v3/user/emails", get(emails))
            .route("/siteverify", post(siteverify))
            .with_state(outside.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        outside
    }

    /// The settings that make this server the provider `name`.
    pub fn as_provider(&self, name: &str) -> ProviderConfig {
        let mut config = ProviderConfig::new(name, "our-client", "our-secret".into());
        config.url = Some(self.url.clone());
        config
    }

    /// Sets the profile that the provider returns for `code`.
    pub fn expect(&self, code: &str, document: Value) {
        self.people.lock().unwrap().insert(code.to_owned(), document);
    }

    fn of(&self, headers: &HeaderMap) -> Option<Value> {
        let token =
            headers.get("authorization")?.to_str().ok()?.strip_prefix("Bearer at-")?.to_owned();
        self.people.lock().unwrap().get(&token).cloned()
    }
}

async fn discovery(State(outside): State<ExternalProvider>) -> Json<Value> {
    let url = outside.url;
    Json(json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize?tenant=x"),
        "token_endpoint": format!("{url}/token"),
        "userinfo_endpoint": format!("{url}/me"),
        "jwks_uri": format!("{url}/jwks"),
    }))
}

async fn jwks(State(outside): State<ExternalProvider>) -> Json<Value> {
    Json(outside.keys.public_jwks())
}

/// Exchanges a code for tokens, if the client's id, its secret and the PKCE verifier are as
/// expected.
async fn token(
    State(outside): State<ExternalProvider>,
    Form(form): Form<BTreeMap<String, String>>,
) -> Result<Json<Value>, StatusCode> {
    let is = |key: &str, value: &str| form.get(key).is_some_and(|sent| sent == value);
    let known =
        form.get("code").is_some_and(|code| outside.people.lock().unwrap().contains_key(code));
    let right = is("client_id", "our-client")
        && is("client_secret", "our-secret")
        && is("grant_type", "authorization_code")
        && is("redirect_uri", "http://localhost:54321/auth/v1/callback")
        && form.get("code_verifier").is_some_and(|verifier| verifier.len() == 43);
    if !right || !known {
        return Err(StatusCode::BAD_REQUEST);
    }
    let code = &form["code"];
    Ok(Json(json!({"access_token": format!("at-{code}"), "refresh_token": format!("rt-{code}")})))
}

async fn me(
    State(outside): State<ExternalProvider>,
    headers: HeaderMap,
) -> Result<Json<Value>, StatusCode> {
    outside.of(&headers).map(Json).ok_or(StatusCode::UNAUTHORIZED)
}

async fn emails(
    State(outside): State<ExternalProvider>,
    headers: HeaderMap,
) -> Result<Json<Value>, StatusCode> {
    let person = outside.of(&headers).ok_or(StatusCode::UNAUTHORIZED)?;
    Ok(Json(person["emails"].clone()))
}

async fn siteverify(Form(form): Form<BTreeMap<String, String>>) -> Result<Json<Value>, StatusCode> {
    match (form["secret"].as_str(), form["response"].as_str()) {
        ("captcha-secret", "right") => Ok(Json(json!({"success": true}))),
        ("captcha-secret", "broken") => Err(StatusCode::BAD_GATEWAY),
        _ => Ok(Json(json!({"success": false, "error-codes": ["invalid-input-response"]}))),
    }
}
