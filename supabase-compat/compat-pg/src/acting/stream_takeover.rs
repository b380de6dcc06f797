//! Opens a connection: `tokio-postgres` finds the server, encrypts and signs in; then its stream is
//! taken over, because that driver cannot send several statements with one synchronisation point
//! after them all.
//!
//! Why this is safe: the driver's `connect` returns when it has read the server's first
//! `ReadyForQuery`, and by protocol the server sends nothing after it until it is asked. So nothing
//! is in transit on either side, and the driver's buffer, which is dropped with the unpolled
//! connection, holds nothing of ours. The exceptions are notices, and the error of a server that is
//! shutting down: they may be lost with the buffer, and the closed stream then says the same.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use postgres_protocol::message::frontend;
use sqlx::postgres::PgSslMode;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::UnixStream;
use tokio_postgres::config::{Host, SslMode, SslNegotiation};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{CancelToken, Config, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::PgError;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A bidirectional byte stream over any transport.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// An authenticated stream, and the token that cancels its work.
pub(crate) struct AuthenticatedStream {
    pub stream: Box<dyn Duplex>,
    pub cancel: CancelToken,
}

/// Connects and signs in.
pub(super) async fn sign_in(
    config: &Config,
    tls: &Negotiation,
) -> Result<AuthenticatedStream, PgError> {
    sign_in_with(config, tls, StreamSlot::default()).await
}

/// Connects and signs in in replication mode, in which the server takes replication commands
/// besides SQL.
pub(crate) async fn sign_in_for_replication(
    config: &Config,
    tls: &Negotiation,
) -> Result<AuthenticatedStream, PgError> {
    let slot = StreamSlot { adds_replication: true, ..StreamSlot::default() };
    sign_in_with(config, tls, slot).await
}

async fn sign_in_with(
    config: &Config,
    tls: &Negotiation,
    slot: StreamSlot,
) -> Result<AuthenticatedStream, PgError> {
    let cancel = match socket_folder(config) {
        Some(folder) => {
            let stream = connect_in(folder, config).await?;
            let (lent, mut plain) = (slot.lend(Box::new(stream)), config.clone());
            plain.ssl_mode(SslMode::Disable);
            let (client, _connection) = plain.connect_raw(lent, NoTls).await?;
            client.cancel_token()
        }
        None => {
            let (client, _connection) = direct(config).connect(tls.through(&slot)).await?;
            client.cancel_token()
        }
    };
    Ok(AuthenticatedStream { stream: slot.take_stream()?, cancel })
}

/// Cancels the statement that runs on a connection; returns when the server has handled the
/// request. The server closes the stream only then, and the driver does not wait for that.
pub(super) async fn cancel(
    token: &CancelToken,
    config: &Config,
    tls: &Negotiation,
) -> Result<(), PgError> {
    let slot = StreamSlot::default();
    match socket_folder(config) {
        Some(folder) => {
            let lent = slot.lend(Box::new(connect_in(folder, config).await?));
            token.cancel_query_raw(lent, NoTls).await?;
        }
        None => token.cancel_query(tls.through(&slot)).await?,
    }
    match slot.take_stream()?.read(&mut [0]).await {
        // A server may close a TLS stream without `close_notify`.
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Err(PgError::Unavailable(Box::new(error)))
        }
        _ => Ok(()),
    }
}

/// The folder of a Unix socket, if that is the only host of the address.
fn socket_folder(config: &Config) -> Option<&Path> {
    match config.get_hosts() {
        [Host::Unix(folder)] => Some(folder),
        _ => None,
    }
}

async fn connect_in(folder: &Path, config: &Config) -> Result<UnixStream, PgError> {
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let connecting = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}")));
    connecting.await.map_err(|error| PgError::Unavailable(Box::new(error)))
}

/// Leaves the choice of encryption to [`Negotiation`]: the driver hands it the bare stream.
fn direct(config: &Config) -> Config {
    let mut config = config.clone();
    config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
    config
}

/// How a stream is encrypted, as `sslmode` says.
#[derive(Clone)]
pub(crate) struct Negotiation {
    pub mode: PgSslMode,
    pub tls: MakeRustlsConnect,
}

impl Negotiation {
    fn through(&self, slot: &StreamSlot) -> StreamLender {
        StreamLender { negotiation: self.clone(), domain: String::new(), slot: slot.clone() }
    }

    /// Negotiates encryption as the mode says, and lends the resulting stream to the driver.
    async fn settle(
        mut self,
        domain: &str,
        mut raw: Socket,
        slot: &StreamSlot,
    ) -> Result<BorrowedStream, BoxError> {
        if matches!(self.mode, PgSslMode::Disable | PgSslMode::Allow) {
            return Ok(slot.lend(Box::new(raw)));
        }
        // The server answers an SSLRequest with one bare byte (PostgreSQL protocol, SSL Session
        // Encryption). What follows an `S` belongs to TLS, so no more than that byte is read.
        let mut request = Default::default();
        frontend::ssl_request(&mut request);
        raw.write_all(&request).await?;
        if raw.read_u8().await? == b'S' {
            let connector = <MakeRustlsConnect as MakeTlsConnect<Socket>>::make_tls_connect(
                &mut self.tls,
                domain,
            )?;
            let encrypted = connector.connect(raw).await?;
            let binding = encrypted.channel_binding();
            return Ok(BorrowedStream {
                binding: Mutex::new(Some(binding)),
                ..slot.lend(Box::new(encrypted))
            });
        }
        if matches!(self.mode, PgSslMode::Prefer) {
            return Ok(slot.lend(Box::new(raw)));
        }
        Err("the server does not support TLS".into())
    }
}

/// Owns the stream while the driver signs in on it.
#[derive(Clone, Default)]
struct StreamSlot {
    stream: Arc<Mutex<Option<Box<dyn Duplex>>>>,
    /// Whether the startup message asks for replication mode, which the driver cannot ask for.
    adds_replication: bool,
}

impl StreamSlot {
    fn lend(&self, stream: Box<dyn Duplex>) -> BorrowedStream {
        *self.lock() = Some(stream);
        let startup = self.adds_replication.then(StartupRewrite::default);
        BorrowedStream { slot: self.clone(), binding: Mutex::new(None), startup }
    }

    /// Takes back the stream, which the driver no longer needs.
    fn take_stream(&self) -> Result<Box<dyn Duplex>, PgError> {
        let stream = self.lock().take();
        stream.ok_or_else(|| {
            PgError::Unavailable(io::Error::other("stream not released by the driver").into())
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Duplex>>> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        work: impl FnOnce(Pin<&mut (dyn Duplex + 'static)>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match self.lock().as_deref_mut() {
            Some(stream) => work(Pin::new(stream)),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }
}

/// The driver's handle to the stream.
struct BorrowedStream {
    slot: StreamSlot,
    binding: Mutex<Option<ChannelBinding>>,
    startup: Option<StartupRewrite>,
}

/// Rewrites the startup message: collects it until it is complete, then sends it with one more
/// parameter.
#[derive(Default)]
struct StartupRewrite {
    collected: Vec<u8>,
    /// The message to send, and how many of its bytes were sent.
    rewritten: Option<(Vec<u8>, usize)>,
}

/// The added parameter in the form of the message: name and value, each ended by a zero byte.
const REPLICATION: &[u8] = b"replication\0database\0";

impl StartupRewrite {
    /// Takes bytes of the message; returns how many of them belong to it.
    fn take(&mut self, bytes: &[u8]) -> usize {
        let before = self.collected.len();
        self.collected.extend_from_slice(bytes);
        let length = match self.collected.first_chunk::<4>() {
            Some(head) => u32::from_be_bytes(*head) as usize,
            None => return bytes.len(),
        };
        if self.collected.len() < length {
            return bytes.len();
        }
        self.collected.truncate(length);
        let mut message = std::mem::take(&mut self.collected);
        // The last zero byte ends the list of parameters.
        message.pop();
        message.extend_from_slice(REPLICATION);
        message.push(0);
        let message_length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        message[..4].copy_from_slice(&message_length.to_be_bytes());
        self.rewritten = Some((message, 0));
        length - before
    }
}

impl BorrowedStream {
    /// Sends what is left of the rewritten startup message.
    fn poll_startup(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { slot, startup, .. } = self;
        let Some(rewrite) = startup else { return Poll::Ready(Ok(())) };
        let Some((message, sent_length)) = &mut rewrite.rewritten else {
            return Poll::Ready(Ok(()));
        };
        while *sent_length < message.len() {
            match slot.with(|stream| stream.poll_write(context, &message[*sent_length..])) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(written)) => *sent_length += written,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
        *startup = None;
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for BorrowedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.slot.with(|stream| stream.poll_read(context, into))
    }
}

impl AsyncWrite for BorrowedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(startup) = &mut self.startup
            && startup.rewritten.is_none()
        {
            return Poll::Ready(Ok(startup.take(bytes)));
        }
        ready!(self.poll_startup(context))?;
        self.slot.with(|stream| stream.poll_write(context, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_startup(context))?;
        self.slot.with(|stream| stream.poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.slot.with(|stream| stream.poll_shutdown(context))
    }
}

impl TlsStream for BorrowedStream {
    /// Binds the sign-in to the TLS channel (RFC 5929), if there is one.
    fn channel_binding(&self) -> ChannelBinding {
        let mut binding = self.binding.lock().unwrap_or_else(PoisonError::into_inner);
        binding.take().unwrap_or_else(ChannelBinding::none)
    }
}

/// [`Negotiation`] in the form the driver calls.
struct StreamLender {
    negotiation: Negotiation,
    domain: String,
    slot: StreamSlot,
}

impl MakeTlsConnect<Socket> for StreamLender {
    type Stream = BorrowedStream;
    type TlsConnect = Self;
    type Error = BoxError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Self, BoxError> {
        Ok(Self {
            negotiation: self.negotiation.clone(),
            domain: domain.to_owned(),
            slot: self.slot.clone(),
        })
    }
}

impl TlsConnect<Socket> for StreamLender {
    type Stream = BorrowedStream;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<BorrowedStream, BoxError>> + Send>>;

    fn connect(self, raw: Socket) -> Self::Future {
        Box::pin(async move { self.negotiation.settle(&self.domain, raw, &self.slot).await })
    }
}

#[cfg(test)]
mod tests {
    use super::StartupRewrite;

    #[test]
    fn startup_message_in_pieces_asks_for_replication() {
        let message = b"\0\0\0\x11\0\x03\0\0user\0ada\0\0";
        assert_eq!(message.len(), 18);
        let mut packet = message.to_vec();
        packet[3] = 18;
        for cut in 0..packet.len() {
            let mut rewrite = StartupRewrite::default();
            assert_eq!(rewrite.take(&packet[..cut]), cut);
            let rest = [&packet[cut..], b"next"].concat();
            assert_eq!(rewrite.take(&rest), packet.len() - cut);
            let (rewritten_message, _) = rewrite.rewritten.expect("the message is whole");
            assert_eq!(rewritten_message[3] as usize, rewritten_message.len());
            assert_eq!(&rewritten_message[4..], b"\0\x03\0\0user\0ada\0replication\0database\0\0");
        }
    }
}
