//! Tests against local peers: some answer, and some would keep a client busy.

use std::net::SocketAddr;
use std::time::Instant;

use compat_http::OutgoingConfig;
use tokio::net::{TcpListener, TcpStream};

use super::*;

const INFO: &[u8] =
    b"\xFF\xFF\xFF\xFFI\x11Terre\0de_dust2\0csgo\0CS2\0\xDA\x02\x0E\x20\x00dl\0\x01";

fn outgoing(allowed: &[&str]) -> Outgoing {
    let allowed_hosts = allowed.iter().map(|host| host.parse().expect("a host")).collect();
    Outgoing::new(OutgoingConfig { allowed_hosts, ..OutgoingConfig::default() }).expect("a client")
}

async fn query_outcome(protocol: Protocol, at: SocketAddr) -> StatusOutcome {
    let address = Address { host: at.ip().to_string(), port: at.port(), protocol };
    ask(&outgoing(&["127.0.0.1"]), &KeyedLimiter::new(|_| 1), &address).await
}

/// [`query_outcome`], which must end within the deadline.
async fn query_in_time(protocol: Protocol, at: SocketAddr) -> StatusOutcome {
    let start = Instant::now();
    let outcome = query_outcome(protocol, at).await;
    assert!(start.elapsed() < DEADLINE + Duration::from_secs(1), "{:?}", start.elapsed());
    outcome
}

/// Starts a peer that answers each datagram with these replies.
async fn answering<F>(answers: F) -> SocketAddr
where
    F: Fn(&[u8]) -> Vec<Vec<u8>> + Send + 'static,
{
    let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
    let at = socket.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut packet = [0; 2048];
        while let Ok((length, from)) = socket.recv_from(&mut packet).await {
            for answer in answers(&packet[..length]) {
                let _ = socket.send_to(&answer, from).await;
            }
        }
    });
    at
}

/// Starts a peer that handles each connection this way.
async fn listening<F, W>(serve: F) -> SocketAddr
where
    F: Fn(TcpStream) -> W + Send + 'static,
    W: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    at
}

#[tokio::test]
async fn challenge_is_repeated_in_the_second_request() {
    let at = answering(|request| match request.ends_with(&[1, 2, 3, 4]) {
        true => vec![INFO.to_vec()],
        false => vec![b"\xFF\xFF\xFF\xFFA\x01\x02\x03\x04".to_vec()],
    })
    .await;
    let StatusOutcome::Online(report) = query_outcome(Protocol::Source, at).await else {
        panic!("no report")
    };
    assert_eq!((report.players, report.places), (Some(14), Some(32)));
    assert_eq!((report.map.as_deref(), report.name.as_deref()), (Some("de_dust2"), Some("Terre")));
}

#[tokio::test]
async fn peer_with_endless_challenges_is_offline() {
    let at = answering(|_| vec![b"\xFF\xFF\xFF\xFFA\x01\x02\x03\x04".to_vec(); 3]).await;
    let start = Instant::now();
    assert_eq!(query_outcome(Protocol::Source, at).await, StatusOutcome::Offline);
    assert!(start.elapsed() < RESEND_AFTER, "it answered at once");
}

#[tokio::test]
async fn garbage_flood_times_out_as_offline() {
    let flood = answering(|_| vec![vec![7; 1400]; 64]).await;
    for protocol in [Protocol::Source, Protocol::Bedrock] {
        assert_eq!(query_in_time(protocol, flood).await, StatusOutcome::Offline);
    }
}

#[tokio::test]
async fn silent_peer_times_out_as_offline() {
    let silent = answering(|_| Vec::new()).await;
    let held = listening(|stream| async move {
        let _held = stream;
        std::future::pending::<()>().await;
    })
    .await;
    let findings = tokio::join!(
        query_in_time(Protocol::Source, silent),
        query_in_time(Protocol::Bedrock, silent),
        query_in_time(Protocol::Minecraft, held),
        query_in_time(Protocol::Fivem, held),
    );
    assert_eq!(
        findings,
        (
            StatusOutcome::Offline,
            StatusOutcome::Offline,
            StatusOutcome::Offline,
            StatusOutcome::Offline
        )
    );
}

#[tokio::test]
async fn a_lost_datagram_is_made_good() {
    let first = std::sync::atomic::AtomicBool::new(true);
    let at = answering(move |_| match first.swap(false, std::sync::atomic::Ordering::SeqCst) {
        true => Vec::new(),
        false => vec![INFO.to_vec()],
    })
    .await;
    assert!(matches!(query_outcome(Protocol::Source, at).await, StatusOutcome::Online(_)));
}

#[tokio::test]
async fn endless_stream_times_out_as_offline() {
    // One peer announces a frame of the maximum length and sends it byte by byte; the other never
    // ends.
    let slow = listening(|mut stream| async move {
        let _ = stream.write_all(&[0x80, 0x80, 0x10]).await;
        while stream.write_all(&[0]).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    assert_eq!(query_in_time(Protocol::Minecraft, slow).await, StatusOutcome::Offline);
    let endless =
        listening(
            |mut stream| async move { while stream.write_all(&[0xFF; 4096]).await.is_ok() {} },
        )
        .await;
    assert_eq!(query_in_time(Protocol::Minecraft, endless).await, StatusOutcome::Offline);
}

#[tokio::test]
async fn fivem_query_falls_back_to_the_datagram() {
    let json = r#"{"clients":3,"sv_maxclients":"32"}"#;
    let web = listening(move |mut stream| async move {
        let mut head = [0; 1024];
        let _ = stream.read(&mut head).await;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", json.len());
        let _ = stream.write_all((head + json).as_bytes()).await;
    })
    .await;
    let StatusOutcome::Online(report) = query_outcome(Protocol::Fivem, web).await else {
        panic!("no report")
    };
    assert_eq!((report.players, report.places), (Some(3), Some(32)));
    let reply = b"\xFF\xFF\xFF\xFFinfoResponse\n\\clients\\5\\sv_maxclients\\64";
    let at = answering(move |_| vec![reply.to_vec()]).await;
    let StatusOutcome::Online(report) = query_outcome(Protocol::Fivem, at).await else {
        panic!("no report")
    };
    assert_eq!((report.players, report.places), (Some(5), Some(64)));
}

#[tokio::test]
async fn other_games_are_checked_by_port() {
    let open = listening(|stream| async move { drop(stream) }).await;
    assert_eq!(query_outcome(Protocol::Tcp, open).await, StatusOutcome::Online(Report::default()));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let closed = listener.local_addr().expect("an address");
    drop(listener);
    assert_eq!(query_outcome(Protocol::Tcp, closed).await, StatusOutcome::Offline);
    assert_eq!(query_outcome(Protocol::Minecraft, closed).await, StatusOutcome::Offline);
}

#[tokio::test]
async fn private_addresses_are_never_dialled() {
    let is_called = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let was_called = std::sync::Arc::clone(&is_called);
    let at = answering(move |_| {
        was_called.store(true, std::sync::atomic::Ordering::SeqCst);
        vec![INFO.to_vec()]
    })
    .await;
    for protocol in
        [Protocol::Source, Protocol::Minecraft, Protocol::Bedrock, Protocol::Fivem, Protocol::Tcp]
    {
        let address = Address { host: at.ip().to_string(), port: at.port(), protocol };
        assert_eq!(
            ask(&outgoing(&[]), &KeyedLimiter::new(|_| 1), &address).await,
            StatusOutcome::NotAsked
        );
    }
    assert!(!is_called.load(std::sync::atomic::Ordering::SeqCst));
}
