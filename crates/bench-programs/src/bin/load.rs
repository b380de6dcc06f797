//! Clients of realtime/v1 for benchmarks, and of the bare server beside it. Results go to standard
//! output, one JSON object in a line.
//!
//! ```text
//! load idle <url> <sockets>                        connects, joins a channel each, waits for a line
//! load fan-out <url> <receivers> <seconds> [bare]  one sends, the others receive
//! load presence <url> <sockets> <seconds>          all track in one channel
//! load changes <url> <subscribers> <rows> <token>… each waits for so many rows of `public.bench`
//! ```

#![expect(clippy::print_stdout, reason = "the caller reads the results from standard output")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime};

use chrono::DateTime;
use futures_util::stream::FuturesUnordered;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

type Failure = Box<dyn Error + Send + Sync>;

const TOPIC: &str = "realtime:bench";
/// How many connections are opened at the same time.
const CONNECTING: usize = 32;
/// How many broadcasts may be in flight.
const WINDOW: u64 = 8;
/// The length of a broadcast's payload in bytes.
const PAYLOAD: usize = 128;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["idle", url, sockets] => idle(url, sockets.parse()?).await,
        ["fan-out", url, receivers, seconds] => {
            fan_out(url, receivers.parse()?, seconds.parse()?, false).await
        }
        ["fan-out", url, receivers, seconds, "bare"] => {
            fan_out(url, receivers.parse()?, seconds.parse()?, true).await
        }
        ["presence", url, sockets, seconds] => {
            presence(url, sockets.parse()?, seconds.parse()?).await
        }
        ["changes", url, subscribers, rows, ref tokens @ ..] if !tokens.is_empty() => {
            changes(url, subscribers.parse()?, rows.parse()?, tokens).await
        }
        _ => Err("nothing like this is measured; the source says what is".into()),
    }
}

/// A socket, and the number of its next message.
struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
}

impl Client {
    async fn open(url: &str) -> Result<Self, Failure> {
        // `true` turns Nagle's algorithm off, so that short frames are sent without delay.
        let (socket, _) = connect_async_with_config(url, None, true).await?;
        Ok(Self { socket, next: 1 })
    }

    async fn push(&mut self, topic: &str, event: &str, payload: Value) -> Result<(), Failure> {
        let frame = json!(["1", self.next.to_string(), topic, event, payload]);
        self.next += 1;
        Ok(self.socket.send(Message::text(frame.to_string())).await?)
    }

    /// Joins a channel and waits for the reply.
    async fn join(&mut self, topic: &str, payload: Value) -> Result<(), Failure> {
        self.push(topic, "phx_join", payload).await?;
        let reply = self.event("phx_reply").await?;
        if reply["status"] == "ok" { Ok(()) } else { Err(reply.to_string().into()) }
    }

    /// The payload of the next message with this event.
    async fn event(&mut self, name: &str) -> Result<Value, Failure> {
        loop {
            let frame = self.frame().await?;
            let Message::Text(text) = frame else { continue };
            let mut message: Value = serde_json::from_str(&text)?;
            if message[3] == name {
                return Ok(message[4].take());
            }
        }
    }

    async fn frame(&mut self) -> Result<Message, Failure> {
        match self.socket.next().await {
            Some(Ok(Message::Close(frame))) => {
                Err(format!("the socket was closed: {frame:?}").into())
            }
            Some(frame) => Ok(frame?),
            None => Err("the socket ended".into()),
        }
    }
}

/// Opens `count` clients and runs `prepare` on each. Also returns the milliseconds that each took.
async fn clients(
    url: &str,
    count: usize,
    prepare: impl AsyncFn(usize, &mut Client) -> Result<(), Failure>,
) -> Result<(Vec<Client>, Vec<f64>), Failure> {
    let permits = Semaphore::new(CONNECTING);
    let mut opening: FuturesUnordered<_> = (0..count)
        .map(|number| {
            let (permits, prepare) = (&permits, &prepare);
            async move {
                let _permit = permits.acquire().await?;
                let start = Instant::now();
                let mut client = Client::open(url).await?;
                prepare(number, &mut client).await?;
                Ok::<_, Failure>((client, milliseconds(start.elapsed())))
            }
        })
        .collect();
    let (mut clients, mut times) = (Vec::with_capacity(count), Vec::with_capacity(count));
    while let Some(opened) = opening.next().await {
        let (client, time) = opened?;
        clients.push(client);
        times.push(time);
    }
    Ok((clients, times))
}

async fn idle(url: &str, sockets: usize) -> Result<(), Failure> {
    let start = Instant::now();
    let join = async |number: usize, client: &mut Client| {
        client.join(&format!("realtime:idle-{number}"), json!({"config": {}})).await
    };
    let (clients, times) = clients(url, sockets, join).await?;
    print(json!({
        "sockets": clients.len(), "seconds": start.elapsed().as_secs_f64(), "times": percentiles(times),
    }));
    // The caller measures the server until it writes a line to standard input.
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await??;
    Ok(())
}

async fn fan_out(url: &str, receivers: usize, seconds: u64, is_bare: bool) -> Result<(), Failure> {
    let join = async |_: usize, client: &mut Client| match is_bare {
        // The bare server sends a text frame when the client is registered.
        true => client.frame().await.map(drop),
        false => client.join(TOPIC, json!({"config": {}})).await,
    };
    let (receiving, _) = clients(url, receivers, join).await?;
    let (mut sending, _) = clients(url, 1, join).await?;
    let mut sender = sending.pop().ok_or("no sender")?;
    let start = Instant::now();
    let (count, arrival) = (Arc::new(AtomicU64::new(0)), Arc::new(Notify::new()));
    let readers: Vec<_> = receiving
        .into_iter()
        .map(|mut client| {
            let (count, arrival) = (Arc::clone(&count), Arc::clone(&arrival));
            tokio::spawn(async move {
                let mut times = Vec::new();
                while let Ok(frame) = client.frame().await {
                    let Message::Binary(frame) = frame else { continue };
                    let Some(at) = sent_at(&frame) else { break };
                    times.push(milliseconds(start.elapsed().saturating_sub(at)));
                    if (count.fetch_add(1, Relaxed) + 1).is_multiple_of(receivers as u64) {
                        arrival.notify_one();
                    }
                }
                times
            })
        })
        .collect();
    let (mut sent, end) = (0, Duration::from_secs(seconds));
    while start.elapsed() < end {
        sender.socket.send(Message::binary(broadcast(start.elapsed(), is_bare))).await?;
        sent += 1;
        while (sent + 1) * (receivers as u64) > count.load(Relaxed) + WINDOW * receivers as u64 {
            arrival.notified().await;
        }
    }
    while count.load(Relaxed) < sent * receivers as u64 {
        arrival.notified().await;
    }
    let elapsed_seconds = start.elapsed().as_secs_f64();
    // A frame without a time makes the readers stop.
    let last = if is_bare { vec![0] } else { user_broadcast(b"{}") };
    sender.socket.send(Message::binary(last)).await?;
    let mut times = Vec::new();
    for reader in readers {
        times.extend(reader.await?);
    }
    print(json!({
        "broadcasts": sent as f64 / elapsed_seconds, "deliveries": times.len() as f64 / elapsed_seconds, "times": percentiles(times),
    }));
    Ok(())
}

/// A frame of the same length for both servers, whose payload says when it was sent.
fn broadcast(at: Duration, is_bare: bool) -> Vec<u8> {
    let mut payload = format!("{{\"at\":{:>20},\"rest\":\"", at.as_nanos());
    payload.extend(std::iter::repeat_n('x', PAYLOAD - 2 - payload.len()));
    payload.push_str("\"}");
    let frame = user_broadcast(payload.as_bytes());
    // Frames that a server sends do not contain the two lengths of references.
    if is_bare { frame[..1].iter().chain(&frame[3..]).copied().collect() } else { frame }
}

/// A client's broadcast (kind 3) of the event `e`.
fn user_broadcast(payload: &[u8]) -> Vec<u8> {
    let topic = u8::try_from(TOPIC.len()).unwrap_or_default();
    let mut frame = vec![3, 1, 1, topic, 1, 0, 1];
    frame.extend(b"11");
    frame.extend(TOPIC.as_bytes());
    frame.push(b'e');
    frame.extend(payload);
    frame
}

/// When a broadcast was sent, from its payload.
fn sent_at(frame: &[u8]) -> Option<Duration> {
    let begin = frame.windows(5).position(|piece| piece == b"\"at\":")? + 5;
    let digits = std::str::from_utf8(frame.get(begin..begin + 20)?).ok()?;
    digits.trim().parse().ok().map(Duration::from_nanos)
}

async fn presence(url: &str, sockets: usize, seconds: u64) -> Result<(), Failure> {
    let join = async |_: usize, client: &mut Client| {
        client.join(TOPIC, json!({"config": {"presence": {"enabled": true}}})).await
    };
    let (clients, _) = clients(url, sockets, join).await?;
    let start = Instant::now();
    let trackers = clients.into_iter().enumerate().map(|(number, mut client)| {
        tokio::spawn(async move {
            let mut times = Vec::new();
            while start.elapsed() < Duration::from_secs(seconds) {
                let track_start = Instant::now();
                let payload = json!({"number": number, "round": times.len()});
                let track = json!({"type": "presence", "event": "track", "payload": payload});
                client.push(TOPIC, "presence", track).await?;
                client.event("phx_reply").await?;
                times.push(milliseconds(track_start.elapsed()));
            }
            Ok::<_, Failure>(times)
        })
    });
    let mut times = Vec::new();
    for tracker in trackers.collect::<Vec<_>>() {
        times.extend(tracker.await??);
    }
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    print(json!({"joins": rate, "times": percentiles(times)}));
    Ok(())
}

async fn changes(
    url: &str,
    subscribers: usize,
    rows: usize,
    tokens: &[&str],
) -> Result<(), Failure> {
    let join = async |number: usize, client: &mut Client| {
        let binding = json!({"event": "INSERT", "schema": "public", "table": "bench"});
        let config = json!({"postgres_changes": [binding]});
        let token = tokens[number % tokens.len()];
        client.join(TOPIC, json!({"config": config, "access_token": token})).await?;
        let system = client.event("system").await?;
        if system["status"] == "ok" { Ok(()) } else { Err(system.to_string().into()) }
    };
    let (clients, _) = clients(url, subscribers, join).await?;
    print(json!({"ready": clients.len()}));
    let readers = clients.into_iter().map(|mut client| {
        tokio::spawn(async move {
            let (mut times, mut first) = (Vec::with_capacity(rows), None);
            while times.len() < rows {
                let change = client.event("postgres_changes").await?;
                let at =
                    change["data"]["commit_timestamp"].as_str().ok_or("a change without a time")?;
                let at: SystemTime = DateTime::parse_from_rfc3339(at)?.into();
                times.push(milliseconds(now().duration_since(at).unwrap_or_default()));
                first.get_or_insert_with(Instant::now);
            }
            Ok::<_, Failure>((times, first))
        })
    });
    let (mut times, mut first) = (Vec::new(), None::<Instant>);
    for reader in readers.collect::<Vec<_>>() {
        let (more, arrival) = reader.await??;
        times.extend(more);
        first = first.into_iter().chain(arrival).min();
    }
    let elapsed_seconds = first.map_or(0.0, |first| first.elapsed().as_secs_f64());
    print(json!({"deliveries": times.len() as f64 / elapsed_seconds, "times": percentiles(times)}));
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the database's clock is that of this machine")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Median and 99th percentile.
fn percentiles(mut times: Vec<f64>) -> Value {
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
    json!({"p50": at(50), "p99": at(99)})
}

fn print(result: Value) {
    println!("{result}");
}
