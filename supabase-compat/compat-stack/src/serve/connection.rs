//! Serves one connection: requests one after the other, within their time limits.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use compat_http::{LenientIo, Peer};
use http::{HeaderValue, StatusCode, header};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::ConnectionLimits;

/// The largest head in bytes, and the buffer for a body in either direction; an outgoing body may
/// take a chunk more.
const BUFFER: usize = 64 * 1024;

/// What all connections share.
#[derive(Clone)]
pub(super) struct Connections {
    pub router: Router,
    /// Cancelled when the program is asked to stop.
    pub stop: CancellationToken,
    /// Cancelled when idle connections must close.
    pub closing: CancellationToken,
    pub limits: ConnectionLimits,
}

impl Connections {
    /// Serves one client until either side closes the connection.
    pub async fn converse(&self, stream: TcpStream, address: SocketAddr) {
        let has_request = AtomicBool::new(false);
        let service = service_fn(|request| {
            has_request.store(true, Relaxed);
            self.answer(request, address)
        });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.limits.answer));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.next_head)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(LenientIo::new(Box::pin(stream))), service)
            .with_upgrades();
        let mut connection = pin!(connection);
        // hyper has one time limit for all heads, and kept connections need a long one, so the
        // shorter limit for the first head is enforced here.
        let silence = async {
            sleep(self.limits.first_head).await;
            if has_request.load(Relaxed) {
                std::future::pending().await
            }
        };
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = silence => return,
            () = self.closing.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "connection broken");
        }
    }

    async fn answer(
        &self,
        request: hyper::Request<Incoming>,
        address: SocketAddr,
    ) -> Result<Response, Infallible> {
        let waits = expects_continue_without_body(&request);
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(Peer(address)));
        let mut response = self.router.clone().oneshot(request).await?;
        let goes_on = response.status() == StatusCode::SWITCHING_PROTOCOLS;
        if (waits || self.stop.is_cancelled()) && !goes_on {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(response)
    }
}

/// Whether a client expects `100 Continue` for an empty body. hyper does not send it then, and
/// clients that wait for it (aws cli) would take the next answer on this connection for it.
fn expects_continue_without_body(request: &hyper::Request<Incoming>) -> bool {
    let expects = request.headers().get(header::EXPECT);
    let expects =
        expects.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    expects && request.body().is_end_stream()
}
