//! Listening, saying so, and stopping in order.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use compat_http::{ForgivingListener, Peer};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// How long requests under way may take to finish once the program is asked to stop.
const PATIENCE: Duration = Duration::from_secs(10);

/// A port that could not be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}")]
pub struct ListenError {
    address: SocketAddr,
    source: std::io::Error,
}

/// Takes a port. Done before anything else starts, so that a taken one is told at once.
///
/// # Errors
/// [`ListenError`] naming the address.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| ListenError { address, source })
}

/// The address to tell people: `localhost` where the listener is open to this machine.
pub fn address_for_people(listener: &TcpListener) -> String {
    match listener.local_addr() {
        Ok(address) if address.ip().is_loopback() || address.ip().is_unspecified() => {
            format!("http://localhost:{}", address.port())
        }
        Ok(address) => format!("http://{address}"),
        Err(_) => "http://localhost".to_owned(),
    }
}

/// Answers requests until `stop` is cancelled, then lets those under way finish.
///
/// # Errors
/// What the system says when accepting fails for good.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let service = router.into_make_service_with_connect_info::<Peer>();
    let serving = axum::serve(ForgivingListener(listener), service)
        .with_graceful_shutdown(stop.clone().cancelled_owned());
    let impatience = async {
        stop.cancelled().await;
        tokio::time::sleep(PATIENCE).await;
    };
    tokio::select! {
        ended = serving.into_future() => ended,
        () = impatience => {
            tracing::warn!("requests were still under way; stopping without them");
            Ok(())
        }
    }
}

/// Cancels the token at the first SIGINT or SIGTERM.
///
/// # Errors
/// When the system refuses signal handlers.
pub fn stop_on_signals() -> std::io::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let token = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping");
        token.cancel();
    });
    Ok(stop)
}

/// Calls `reload` at every SIGUSR1 and SIGUSR2, until stopped. PostgREST reloads its schema cache at
/// the one and its settings at the other; here both are read together.
///
/// # Errors
/// When the system refuses signal handlers.
pub fn reload_on_signal(
    reload: impl Fn() + Send + 'static,
    stop: CancellationToken,
) -> std::io::Result<impl Future<Output = ()> + Send> {
    let mut schema = signal(SignalKind::user_defined1())?;
    let mut settings = signal(SignalKind::user_defined2())?;
    Ok(async move {
        loop {
            let asked = async {
                tokio::select! {
                    asked = schema.recv() => asked,
                    asked = settings.recv() => asked,
                }
            };
            match stop.run_until_cancelled(asked).await {
                Some(Some(())) => reload(),
                _ => break,
            }
        }
    })
}
