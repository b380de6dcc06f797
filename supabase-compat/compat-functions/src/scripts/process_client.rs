//! The HTTP client of one process.

use std::path::{Path, PathBuf};

use axum::body::Body;
use futures_util::future::BoxFuture;
use http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::UnixStream;
use tower::util::BoxCloneSyncService;

/// The most idle connections that are kept to one process.
const KEPT: usize = 8;

type SocketConnector = BoxCloneSyncService<Uri, TokioIo<UnixStream>, std::io::Error>;

/// Sends requests to one process over its socket.
pub(super) struct ProcessClient(Client<SocketConnector, Body>);

impl ProcessClient {
    /// Creates a client of the process that listens on this socket.
    pub fn to(socket: &Path) -> Self {
        let socket = socket.to_owned();
        let dial = tower::service_fn(move |_: Uri| dial(socket.clone()));
        let mut client = Client::builder(TokioExecutor::new());
        client.pool_max_idle_per_host(KEPT);
        Self(client.build(BoxCloneSyncService::new(dial)))
    }

    /// Sends a request; returns when the head of the answer has arrived.
    pub async fn request(&self, request: Request<Body>) -> Result<Response<Incoming>, Error> {
        self.0.request(request).await
    }
}

fn dial(socket: PathBuf) -> BoxFuture<'static, std::io::Result<TokioIo<UnixStream>>> {
    Box::pin(async move { UnixStream::connect(socket).await.map(TokioIo::new) })
}
