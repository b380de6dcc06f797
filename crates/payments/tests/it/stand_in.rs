//! A local stand-in for Stripe: the parts of Checkout and of refunds that payments use, with faults
//! on demand. `tests/support/stripe.mjs` is the same for tests of the binary, and is itself tested
//! with Stripe's own library.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::extract::{Form, Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;

/// The fault of the next calls.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    #[default]
    None,
    /// The request is carried out, but its answer is lost.
    AnswerLost,
    Down,
    Slow,
    Nonsense,
    Refuses,
}

#[derive(Default)]
pub struct Account {
    pub sessions: BTreeMap<String, Value>,
    pub refunds: Vec<Value>,
    /// Forms and answers by idempotency key.
    pub answered: HashMap<String, (HashMap<String, String>, u16, Value)>,
    pub fault: Fault,
    /// The number of calls that arrived.
    pub calls: u32,
}

#[derive(Clone)]
pub struct StandIn {
    pub url: String,
    account: Arc<Mutex<Account>>,
}

type Shared = Arc<Mutex<Account>>;
type Fields = HashMap<String, String>;

impl StandIn {
    pub async fn start() -> Self {
        let account = Shared::default();
        let router = Router::new()
            .route("/v1/checkout/sessions", post(open))
            .route("/v1/checkout/sessions/{id}", get(get_session))
            .route("/v1/checkout/sessions/{id}/expire", post(expire))
            .route("/v1/refunds", post(refund).get(refunds))
            .with_state(Arc::clone(&account));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, account }
    }

    pub fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().expect("whole")
    }

    pub fn break_with(&self, fault: Fault) {
        self.account().fault = fault;
    }

    /// The only session.
    pub fn session(&self) -> Value {
        let account = self.account();
        assert_eq!(account.sessions.len(), 1, "{:?}", account.sessions.keys());
        account.sessions.values().next().expect("one").clone()
    }

    /// Pays a session; returns the session afterwards.
    pub fn pay(&self, id: &str) -> Value {
        self.change(id, &[("status", "complete"), ("payment_status", "paid")])
    }

    pub fn change(&self, id: &str, changes: &[(&str, &str)]) -> Value {
        let mut account = self.account();
        let session = account.sessions.get_mut(id).expect("a session");
        for (name, value) in changes {
            session[*name] = json!(value);
        }
        if session["status"] == "complete" {
            session["payment_intent"] = json!(format!("pi_{id}"));
        }
        session.clone()
    }
}

/// A webhook event about an object.
pub fn event(id: &str, kind: &str, object: &Value) -> Value {
    json!({
        "id": id, "object": "event", "type": kind, "livemode": false, "created": 1,
        "data": { "object": object },
    })
}

/// The `Stripe-Signature` header of an event.
pub fn signature(secret: &str, time: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(format!("{time}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|b| format!("{b:02x}")).collect();
    format!("t={time},v1={hex}")
}

fn error(status: StatusCode, kind: &str, code: &str, message: &str) -> Response {
    let body = json!({ "error": { "type": kind, "code": code, "message": message } });
    (status, Json(body)).into_response()
}

fn lock(shared: &Shared) -> MutexGuard<'_, Account> {
    shared.lock().expect("whole")
}

/// The answer to a call that fails before it is carried out.
async fn fault(shared: &Shared, headers: &HeaderMap) -> Option<Response> {
    let fault = {
        let mut account = lock(shared);
        account.calls += 1;
        account.fault
    };
    // The base64 text is `sk_test_key:`.
    if headers.get("authorization").is_none_or(|key| key != "Basic c2tfdGVzdF9rZXk6") {
        let message = "Invalid API Key provided";
        return Some(error(StatusCode::UNAUTHORIZED, "invalid_request_error", "", message));
    }
    match fault {
        Fault::None | Fault::AnswerLost => None,
        Fault::Down => Some((StatusCode::BAD_GATEWAY, "down").into_response()),
        Fault::Slow => {
            tokio::time::sleep(Duration::from_secs(5)).await;
            None
        }
        Fault::Nonsense => Some("<html>Welcome</html>".into_response()),
        Fault::Refuses => {
            let status = StatusCode::PAYMENT_REQUIRED;
            Some(error(
                status,
                "invalid_request_error",
                "account_invalid",
                "This account is closed",
            ))
        }
    }
}

/// Carries out a request once for each idempotency key, and repeats its answer.
fn once(
    shared: &Shared,
    headers: &HeaderMap,
    form: &Fields,
    act: impl FnOnce(&mut Account) -> (u16, Value),
) -> Response {
    let key = headers.get("idempotency-key").expect("a key").to_str().expect("a text").to_owned();
    assert!(key.len() <= 255);
    let mut account = lock(shared);
    if let Some((before, status, body)) = account.answered.get(&key) {
        if before != form {
            let message = "Keys for idempotent requests can only be used with the same parameters";
            return error(StatusCode::BAD_REQUEST, "idempotency_error", "", message);
        }
        return answer(account.fault, *status, body.clone());
    }
    let (status, body) = act(&mut account);
    account.answered.insert(key, (form.clone(), status, body.clone()));
    answer(account.fault, status, body)
}

fn answer(fault: Fault, status: u16, body: Value) -> Response {
    if fault == Fault::AnswerLost {
        return (StatusCode::BAD_GATEWAY, "lost").into_response();
    }
    (StatusCode::from_u16(status).expect("a status"), Json(body)).into_response()
}

async fn open(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Form(form): Form<Fields>,
) -> Response {
    if let Some(fault) = fault(&shared, &headers).await {
        return fault;
    }
    once(&shared, &headers, &form, |account| {
        let id = format!("cs_{}", account.sessions.len() + 1);
        let amount: i64 =
            form["line_items[0][price_data][unit_amount]"].parse().expect("an amount");
        let session = json!({
            "id": id, "object": "checkout.session", "url": format!("https://pay.example/{id}"),
            "status": "open", "payment_status": "unpaid", "payment_intent": null,
            "amount_total": amount, "currency": form["line_items[0][price_data][currency]"],
            "client_reference_id": form["client_reference_id"], "form": form,
        });
        account.sessions.insert(id, session.clone());
        (200, session)
    })
}

async fn get_session(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    if let Some(fault) = fault(&shared, &headers).await {
        return fault;
    }
    match lock(&shared).sessions.get(&id) {
        Some(session) => Json(session.clone()).into_response(),
        None => {
            let status = StatusCode::NOT_FOUND;
            error(status, "invalid_request_error", "resource_missing", "No such session")
        }
    }
}

async fn expire(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    if let Some(fault) = fault(&shared, &headers).await {
        return fault;
    }
    let mut account = lock(&shared);
    let session = account.sessions.get_mut(&id).expect("a session");
    if session["status"] != "open" {
        let message = "Only Checkout Sessions with a status in [\"open\"] can be expired";
        return error(StatusCode::BAD_REQUEST, "invalid_request_error", "", message);
    }
    session["status"] = json!("expired");
    Json(session.clone()).into_response()
}

async fn refund(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Form(form): Form<Fields>,
) -> Response {
    if let Some(fault) = fault(&shared, &headers).await {
        return fault;
    }
    once(&shared, &headers, &form, |account| {
        let intent = form["payment_intent"].clone();
        let amount: i64 = form["amount"].parse().expect("an amount");
        let of = |refund: &&Value| refund["payment_intent"] == intent.as_str();
        let refunded: i64 =
            account.refunds.iter().filter(of).filter_map(|refund| refund["amount"].as_i64()).sum();
        let paid = account.sessions.values().find(|one| one["payment_intent"] == intent.as_str());
        let paid = paid.and_then(|session| session["amount_total"].as_i64()).unwrap_or_default();
        if refunded + amount > paid {
            let code = "charge_already_refunded";
            let reason = json!({ "type": "invalid_request_error", "code": code, "message": "x" });
            return (400, json!({ "error": reason }));
        }
        let refund = json!({
            "id": format!("re_{}", account.refunds.len() + 1), "object": "refund",
            "amount": amount, "payment_intent": intent, "status": "succeeded",
            "metadata": { "payment_id": form["metadata[payment_id]"] },
        });
        account.refunds.push(refund.clone());
        (200, refund)
    })
}

async fn refunds(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Query(query): Query<Fields>,
) -> Response {
    if let Some(fault) = fault(&shared, &headers).await {
        return fault;
    }
    let account = lock(&shared);
    let of = |refund: &&Value| refund["payment_intent"] == query["payment_intent"].as_str();
    let data: Vec<_> = account.refunds.iter().filter(of).cloned().collect();
    Json(json!({ "object": "list", "data": data, "has_more": false })).into_response()
}
