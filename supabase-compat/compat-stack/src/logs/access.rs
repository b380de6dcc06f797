//! The middleware that logs each request and its answer. The slow parts, reading the token and
//! writing the line, run on the writer's thread.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use chrono::{DateTime, Utc};
use compat_http::{
    Clock, RequestId, ServiceEnvironment, credentials, redact_error, redact_path, redact_query,
};
use compat_token::Authenticator;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use serde_json::Value;

use super::{LogEntry, LogLevel, LogWriter};
use crate::services;

/// The largest error response whose code and message are read.
const LONGEST_REFUSAL: u64 = 8 * 1024;
/// The longest message in an entry, in characters.
pub(super) const LONGEST_MESSAGE: usize = 2000;
/// The status of a request whose client disconnected before the answer (nginx).
const LEFT: u16 = 499;

/// State of the middleware. Cheap to clone.
#[derive(Clone)]
pub(crate) struct AccessLog {
    writer: LogWriter,
    clock: Clock,
    authenticator: Arc<Authenticator>,
}

impl AccessLog {
    /// A log that sends its entries to `writer`.
    pub fn new(writer: LogWriter, environment: &ServiceEnvironment) -> Self {
        let authenticator = Arc::clone(&environment.authenticator);
        Self { writer, clock: environment.clock.clone(), authenticator }
    }
}

/// A request that is not answered yet; its entry is queued when it is dropped.
struct PendingRequest {
    log: AccessLog,
    method: Method,
    uri: Uri,
    id: Option<RequestId>,
    apikey: Option<HeaderValue>,
    authorization: Option<HeaderValue>,
    started: Instant,
    status: Option<StatusCode>,
    code: Option<String>,
    message: Option<String>,
}

/// An answered request, before its entry is built.
pub(super) struct RequestNote {
    time: DateTime<Utc>,
    method: Method,
    uri: Uri,
    status: u16,
    duration_ms: f64,
    id: Option<RequestId>,
    apikey: Option<HeaderValue>,
    authorization: Option<HeaderValue>,
    authenticator: Arc<Authenticator>,
    code: Option<String>,
    message: Option<String>,
}

/// Logs a request once its answer begins.
pub(crate) async fn record(State(log): State<AccessLog>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let mut pending = PendingRequest {
        method: request.method().clone(),
        uri: request.uri().clone(),
        id: request.extensions().get::<RequestId>().copied(),
        apikey: headers.get("apikey").cloned(),
        authorization: headers.get(header::AUTHORIZATION).cloned(),
        started: Instant::now(),
        status: None,
        code: None,
        message: None,
        log,
    };
    let mut response = next.run(request).await;
    if response.status().as_u16() >= 400 {
        response = pending.read_refusal(response).await;
    }
    pending.status = Some(response.status());
    response
}

impl PendingRequest {
    /// Reads code and message from an error response. The body of a function's answer is not read,
    /// only its header.
    async fn read_refusal(&mut self, response: Response) -> Response {
        self.code = code_in_headers(response.headers());
        let is_json = response
            .headers()
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.to_str().is_ok_and(|kind| kind.contains("json")));
        let is_short = response.body().size_hint().exact().is_some_and(|it| it <= LONGEST_REFUSAL);
        if !is_json || !is_short || service_of(self.uri.path()) == "functions" {
            return response;
        }
        let (parts, body) = response.into_parts();
        let Ok(bytes) = to_bytes(body, LONGEST_REFUSAL as usize).await else {
            return Response::from_parts(parts, Body::empty());
        };
        if let Ok(Value::Object(fields)) = serde_json::from_slice(&bytes) {
            let text = |names: &[&str]| {
                names.iter().find_map(|name| fields.get(*name)?.as_str()).map(str::to_owned)
            };
            self.code = self.code.take().or_else(|| text(&["error_code", "code", "error"]));
            self.message = text(&["message", "msg", "error_description"]);
        }
        Response::from_parts(parts, Body::from(bytes))
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        let status = match self.status {
            Some(status) => status.as_u16(),
            None if std::thread::panicking() => 500,
            None => LEFT,
        };
        self.log.writer.write_request(RequestNote {
            time: self.log.clock.now(),
            method: self.method.clone(),
            uri: std::mem::take(&mut self.uri),
            status,
            duration_ms: self.started.elapsed().as_secs_f64() * 1000.0,
            id: self.id,
            apikey: self.apikey.take(),
            authorization: self.authorization.take(),
            authenticator: Arc::clone(&self.log.authenticator),
            code: self.code.take(),
            message: self.message.take(),
        });
    }
}

impl RequestNote {
    /// Builds the log entry.
    pub fn entry(self, last: &mut LastCaller) -> LogEntry {
        let LogCaller { user, role } = last.of(&self);
        let service = match service_of(self.uri.path()) {
            // In the log, `pg` stands for messages of PostgreSQL itself.
            "pg" => "meta",
            service => service,
        };
        let code = self.code.filter(|code| code.len() <= 64);
        let message = self.message.map(|message| {
            let redacted = redact_error(code.as_deref().unwrap_or_default(), &message);
            redacted.chars().take(LONGEST_MESSAGE).collect()
        });
        LogEntry {
            method: Some(self.method.as_str().chars().take(32).collect()),
            path: Some(redact_path(self.uri.path()).chars().take(LONGEST_MESSAGE).collect()),
            query: self.uri.query().map(redact_query).filter(|query| !query.is_empty()),
            status: Some(self.status),
            duration_ms: Some((self.duration_ms * 1000.0).round() / 1000.0),
            user,
            role,
            request_id: self.id.map(|id| id.0.to_string()),
            function: function_in(self.uri.path()).filter(|_| service == "functions"),
            message,
            code,
            ..LogEntry::new(self.time, service, LogLevel::of_status(self.status))
        }
    }

    /// Account and role of a valid token. The service has verified it before, so the authenticator
    /// answers from its cache.
    fn caller(&self) -> LogCaller {
        let pairs = [("apikey", &self.apikey), ("authorization", &self.authorization)];
        let pairs = pairs.into_iter().filter_map(|(name, value)| {
            Some((http::HeaderName::from_static(name), value.clone()?))
        });
        let headers: HeaderMap = pairs.collect();
        if headers.is_empty() {
            return LogCaller::default();
        }
        let now = self.time.timestamp();
        let Ok(caller) = self.authenticator.caller(credentials(&headers), now) else {
            return LogCaller::default();
        };
        let user = caller.claims().and_then(|claims| claims.sub_text()).filter(|it| !it.is_empty());
        let user = user.map(|user| compat_http::redact_text(user).chars().take(255).collect());
        LogCaller { user, role: Some(caller.role().to_owned()) }
    }
}

/// The caller of a request, as the log names them.
#[derive(Debug, Clone, Default)]
struct LogCaller {
    user: Option<String>,
    role: Option<String>,
}

/// The caller of the previous request, because most requests within a second have the same key.
#[derive(Debug, Default)]
pub(super) struct LastCaller {
    second: i64,
    apikey: Option<HeaderValue>,
    authorization: Option<HeaderValue>,
    caller: LogCaller,
}

impl LastCaller {
    fn of(&mut self, note: &RequestNote) -> LogCaller {
        let second = note.time.timestamp();
        // A token may expire and a key may be revoked, so the caller is remembered for this second
        // only.
        let is_same = self.second == second
            && self.apikey == note.apikey
            && self.authorization == note.authorization;
        if !is_same {
            *self = Self {
                second,
                apikey: note.apikey.clone(),
                authorization: note.authorization.clone(),
                caller: note.caller(),
            };
        }
        self.caller.clone()
    }
}

/// The error code in `proxy-status` of rest/v1, or in the headers of auth/v1 and functions/v1.
fn code_in_headers(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let of_rest = text("proxy-status").and_then(|value| value.split("error=").nth(1));
    let code = text("x-sb-error-code").or_else(|| text("sb-error-code")).or(of_rest)?;
    Some(code.split(';').next().unwrap_or(code).trim().to_owned())
}

/// The service of a path, or `pages` for any other path.
pub(crate) fn service_of(path: &str) -> &'static str {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    services::by_name(first).map_or("pages", |service| service.name)
}

/// The name in `/functions/v1/NAME/…`.
fn function_in(path: &str) -> Option<String> {
    let name = path.trim_start_matches('/').split('/').nth(2)?;
    Some(redact_path(name).into_owned()).filter(|name| !name.is_empty())
}
