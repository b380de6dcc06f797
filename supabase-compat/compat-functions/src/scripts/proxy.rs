//! Forwards a call to a process, and the answer back to the caller.

use std::error::Error;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use http::header::{
    CONNECTION, HOST, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING,
    UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, Uri};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::upgrade::OnUpgrade;
use hyper_util::client::legacy::Error as ClientError;
use hyper_util::rt::TokioIo;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep, sleep_until, timeout};

use super::process::{ExitReason, InFlightCall};
use crate::{CallRefusal, Invocation, body};

/// How long a call that broke off waits for its process to end, to learn the reason.
const REASON: Duration = Duration::from_secs(2);
/// Headers that apply to a single connection (RFC 9110 section 7.6.1).
const HOP_BY_HOP: [HeaderName; 6] =
    [CONNECTION, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING];

/// What a call holds until its answer has ended.
pub(super) struct CallGuard {
    pub visit: InFlightCall,
    pub _permit: OwnedSemaphorePermit,
    /// The deadline of the call.
    pub until: Instant,
}

/// Forwards a call and returns the answer.
///
/// # Errors
/// The refusal for a process or a caller that broke off.
pub(super) async fn forward(
    name: &str,
    invocation: Invocation,
    held: CallGuard,
) -> Result<Response, CallRefusal> {
    let (request, upgrade) = request(name, invocation)?;
    let process = held.visit.process();
    let mut response = match process.client.request(request).await {
        Ok(response) => response,
        Err(error) => return Err(refusal(&error, &held.visit).await),
    };
    held.visit.answered();
    if let (StatusCode::SWITCHING_PROTOCOLS, Some(ours)) = (response.status(), upgrade) {
        let theirs = hyper::upgrade::on(&mut response);
        tokio::spawn(tunnel(ours, theirs, held));
        return Ok(response.map(|_| Body::empty()));
    }
    let (mut parts, body) = response.into_parts();
    strip(&mut parts.headers);
    let limit = Box::pin(sleep_until(held.until));
    Ok(Response::from_parts(parts, Body::new(ResponseBody { body, limit, held: Some(held) })))
}

/// The request for the process, and the caller's connection if it is to switch protocols.
fn request(
    name: &str,
    call: Invocation,
) -> Result<(Request<Body>, Option<OnUpgrade>), CallRefusal> {
    let Invocation { method, path_rest, query, mut headers, body, client_ip, upgrade, .. } = call;
    let mark = if query.is_empty() { "" } else { "?" };
    let uri: Uri = format!("http://function/{name}{path_rest}{mark}{query}")
        .parse()
        .map_err(|_| CallRefusal::NotFound)?;
    let protocol = headers.remove(UPGRADE).filter(|_| upgrade.is_some());
    strip(&mut headers);
    headers.insert("x-forwarded-for", of_address(client_ip));
    headers.entry(HOST).or_insert(HeaderValue::from_static("localhost"));
    if let Some(protocol) = &protocol {
        headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(UPGRADE, protocol.clone());
    }
    let mut request = Request::new(body);
    (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) = (method, uri, headers);
    Ok((request, upgrade.filter(|_| protocol.is_some())))
}

fn of_address(ip: IpAddr) -> HeaderValue {
    HeaderValue::from_str(&ip.to_string()).unwrap_or(HeaderValue::from_static("unknown"))
}

/// Removes the headers that apply to a single connection, and those that `Connection` names.
fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
    for name in ["keep-alive", "proxy-connection"] {
        headers.remove(name);
    }
}

/// Why the process gave no answer: because of the caller's body, or because it ended.
async fn refusal(error: &ClientError, visit: &InFlightCall) -> CallRefusal {
    if let Some(refusal) = body::fault(error) {
        return refusal;
    }
    let ended = timeout(REASON, visit.process().ended()).await;
    let cause = error.source().map(ToString::to_string);
    tracing::warn!(?ended, cause, "function broke off its response");
    match ended {
        Ok(ExitReason::Memory | ExitReason::Cpu) => CallRefusal::WorkerLimit,
        _ => CallRefusal::WorkerError,
    }
}

/// Copies bytes both ways until both sides have finished or the deadline passes.
async fn tunnel(ours: OnUpgrade, theirs: OnUpgrade, held: CallGuard) {
    let both = async {
        let (Ok(ours), Ok(theirs)) = (ours.await, theirs.await) else { return };
        let (mut ours, mut theirs) = (TokioIo::new(ours), TokioIo::new(theirs));
        let _ = tokio::io::copy_bidirectional(&mut ours, &mut theirs).await;
    };
    let mut both = pin!(both);
    let _ = tokio::time::timeout_at(held.until, both.as_mut()).await;
}

/// The body of an answer. It breaks off at the deadline; the call is in progress until it ends.
struct ResponseBody {
    body: Incoming,
    limit: Pin<Box<Sleep>>,
    held: Option<CallGuard>,
}

/// A body that was not sent completely before the deadline.
#[derive(Debug, thiserror::Error)]
#[error("the answer exceeded the time limit of a call")]
struct CallTimeout;

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.limit.as_mut().poll(context).is_ready() {
            self.held = None;
            return Poll::Ready(Some(Err(axum::Error::new(CallTimeout))));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.held = None;
        }
        Poll::Ready(frame.map(|frame| frame.map_err(axum::Error::new)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
