//! The cost of sockets alone: every binary frame of a client goes to all other clients. A client
//! gets a text frame as soon as it is registered. Benchmarks compare realtime/v1 with this program.

#![expect(clippy::print_stdout, reason = "the caller reads the address from standard output")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::get;
use axum::serve::ListenerExt as _;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

type Clients = Arc<Mutex<HashMap<u64, UnboundedSender<Message>>>>;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let open = async |State(clients): State<Clients>, upgrade: WebSocketUpgrade| {
        upgrade.on_upgrade(move |socket| serve(clients, socket))
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("ready ws://{}/", listener.local_addr()?);
    // Nagle's algorithm is off, as in any server that sends short frames.
    let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
    axum::serve(listener, Router::new().fallback(get(open)).with_state(Clients::default())).await
}

async fn serve(clients: Clients, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let (sender, mut waiting) = unbounded_channel();
    let number = {
        let mut clients = clients.lock().unwrap_or_else(PoisonError::into_inner);
        let number = clients.keys().max().map_or(0, |last| last + 1);
        // The text is queued before the client is registered, so that it precedes every broadcast.
        let _ = sender.send(Message::text("ready"));
        clients.insert(number, sender);
        number
    };
    let writing = tokio::spawn(async move {
        while let Some(frame) = waiting.recv().await {
            sink.feed(frame).await?;
            while let Ok(frame) = waiting.try_recv() {
                sink.feed(frame).await?;
            }
            sink.flush().await?;
        }
        Ok::<_, axum::Error>(())
    });
    while let Some(Ok(frame)) = stream.next().await {
        if !matches!(frame, Message::Binary(_)) {
            continue;
        }
        let clients = clients.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, other) in clients.iter().filter(|(other, _)| **other != number) {
            // Sending fails for a client that is disconnecting.
            let _ = other.send(frame.clone());
        }
    }
    clients.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    writing.abort();
}
