//! An S3 server for tests, made of the crates `s3s` and `s3s-fs`: it keeps objects in a folder and
//! checks signatures.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

/// The access key that the server accepts.
pub const ACCESS_KEY_ID: &str = "key";
/// The secret of that key.
pub const SECRET_ACCESS_KEY: &str = "secret";

/// A running server; it stops when this value is dropped.
pub struct S3Server {
    address: SocketAddr,
    connections: JoinHandle<()>,
}

impl S3Server {
    /// Serves the buckets that are folders in `folder`, on a port of the system's choice.
    ///
    /// # Errors
    /// When the folder does not exist, or no port is free.
    pub async fn start(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let files = FileSystem::new(folder).map_err(|error| format!("{error:?}"))?;
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let connections = tokio::spawn(accept(listener, service.build()));
        Ok(Self { address, connections })
    }

    /// The server's address, `http://127.0.0.1:…`.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.connections.abort();
    }
}

/// Accepts connections until the task is aborted, which also ends the connections.
async fn accept(listener: TcpListener, service: S3Service) {
    let mut connections = JoinSet::new();
    while let Ok((socket, _)) = listener.accept().await {
        let service = service.clone();
        connections.spawn(async move {
            let builder = auto::Builder::new(TokioExecutor::new());
            // A client may close its connection at any time; that is no failure of the server.
            let _ = builder.serve_connection(TokioIo::new(socket), service).await;
        });
        while connections.try_join_next().is_some() {}
    }
}
