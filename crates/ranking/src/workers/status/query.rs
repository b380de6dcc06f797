//! The query to one server, within one deadline.

use std::time::Duration;

use compat_fair_semaphore::KeyedLimiter;
use compat_http::{EgressPolicy, Outgoing, OutgoingError};
use gamewire::status::{Report, bedrock, fivem, minecraft, valve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UdpSocket;
use tokio::time::timeout;

use super::StatusOutcome;
use super::address::{Address, Protocol};

/// The deadline of the whole query, including name resolution, connections and repeats.
const DEADLINE: Duration = Duration::from_secs(3);

/// How long a reply is awaited before the datagram is sent again, since it may be lost.
const RESEND_AFTER: Duration = Duration::from_millis(900);

/// The timeout of FiveM's document, after which the datagram is tried.
const DOCUMENT: Duration = Duration::from_millis(1500);

/// The most challenges from a server; with more it counts as offline.
const MOST_CHALLENGES: usize = 3;

/// The most datagrams that are read in one query.
const MOST_PACKETS: usize = 16;

/// Queries the server at an address once its host has a free permit; the deadline begins then.
pub(crate) async fn ask(
    outgoing: &Outgoing,
    hosts: &KeyedLimiter<String>,
    address: &Address,
) -> StatusOutcome {
    let _permit = hosts.acquire(address.host.clone()).await;
    match timeout(DEADLINE, answer(outgoing, address)).await {
        Ok(Ok(report)) => StatusOutcome::Online(report),
        Ok(Err(OutgoingError::NotPublic | OutgoingError::NoAddress)) => StatusOutcome::NotAsked,
        Ok(Err(_)) | Err(_) => StatusOutcome::Offline,
    }
}

async fn answer(outgoing: &Outgoing, address: &Address) -> Result<Report, OutgoingError> {
    match address.protocol {
        Protocol::Source => ask_valve(&socket(outgoing, address).await?).await,
        Protocol::Minecraft => ask_minecraft(outgoing, address).await,
        Protocol::Bedrock => ask_bedrock(&socket(outgoing, address).await?).await,
        Protocol::Fivem => ask_fivem(outgoing, address).await,
        Protocol::Tcp => {
            outgoing.tcp(EgressPolicy::PublicOnly, &address.host, address.port).await?;
            Ok(Report::default())
        }
    }
}

async fn socket(outgoing: &Outgoing, address: &Address) -> Result<UdpSocket, OutgoingError> {
    outgoing.udp(EgressPolicy::PublicOnly, &address.host, address.port).await
}

/// The error for an invalid reply, which counts as no reply.
fn silent() -> OutgoingError {
    OutgoingError::TimedOut
}

async fn ask_valve(socket: &UdpSocket) -> Result<Report, OutgoingError> {
    let mut question = valve::question(None);
    let (mut parts, mut challenges) = (valve::Parts::default(), 0);
    let mut packet = vec![0; valve::LONGEST_PACKET];
    socket.send(&question).await?;
    for _ in 0..MOST_PACKETS {
        let Ok(length) = timeout(RESEND_AFTER, socket.recv(&mut packet)).await else {
            socket.send(&question).await?;
            continue;
        };
        let reply = match valve::read(packet.get(..length?).unwrap_or_default()) {
            Some(valve::Packet::Part(part)) => parts.add(part),
            reply => reply,
        };
        match reply {
            Some(valve::Packet::Info(report)) => return Ok(report),
            // A server may first send a challenge, which a forged sender never receives.
            Some(valve::Packet::Challenge(challenge)) if challenges < MOST_CHALLENGES => {
                challenges += 1;
                question = valve::question(Some(challenge));
                socket.send(&question).await?;
            }
            Some(_) => return Err(silent()),
            None => {}
        }
    }
    Err(silent())
}

async fn ask_minecraft(outgoing: &Outgoing, address: &Address) -> Result<Report, OutgoingError> {
    // As the game's clients do: an SRV record is looked up only at the default port, and the server
    // receives the host name of the listing.
    let place = match address.port {
        minecraft::USUAL_PORT => outgoing.service(minecraft::SERVICE, &address.host).await,
        _ => None,
    };
    let (host, port) = place.unwrap_or_else(|| (address.host.clone(), address.port));
    let mut stream = outgoing.tcp(EgressPolicy::PublicOnly, &host, port).await?;
    stream.write_all(&minecraft::question(&address.host, address.port)).await?;
    let mut reply = Vec::new();
    // The length prefix, and the frame after it.
    let mut stream = stream.take(minecraft::LONGEST_ANSWER as u64 + 5);
    while stream.read_buf(&mut reply).await? > 0 {
        match minecraft::read(&reply) {
            minecraft::ReadOutcome::Status(report) => return Ok(report),
            minecraft::ReadOutcome::Invalid => break,
            minecraft::ReadOutcome::Incomplete => {}
        }
    }
    Err(silent())
}

async fn ask_bedrock(socket: &UdpSocket) -> Result<Report, OutgoingError> {
    /// Any number works, because the socket receives from one host only.
    const TIME: u64 = 0x70_616C_6D61_7265;
    let question = bedrock::question(TIME);
    exchange(socket, &question, bedrock::LONGEST_PACKET, |reply| bedrock::read(reply, TIME)).await
}

async fn ask_fivem(outgoing: &Outgoing, address: &Address) -> Result<Report, OutgoingError> {
    let url = format!("http://{}:{}/dynamic.json", address.host, address.port);
    let document = outgoing
        .get(EgressPolicy::PublicOnly, &url)
        .within(DOCUMENT)
        .at_most(fivem::LONGEST_ANSWER)
        .send()
        .await;
    match document {
        Err(OutgoingError::NotPublic) => return Err(OutgoingError::NotPublic),
        Ok(answer) if answer.status.is_success() => {
            if let Some(report) = fivem::read_document(&answer.body) {
                return Ok(report);
            }
        }
        Ok(_) | Err(_) => {}
    }
    let socket = socket(outgoing, address).await?;
    exchange(&socket, fivem::QUESTION, fivem::LONGEST_PACKET, fivem::read_packet).await
}

/// Sends a query until a valid reply arrives.
async fn exchange(
    socket: &UdpSocket,
    question: &[u8],
    longest: usize,
    read: impl Fn(&[u8]) -> Option<Report>,
) -> Result<Report, OutgoingError> {
    let mut packet = vec![0; longest];
    socket.send(question).await?;
    for _ in 0..MOST_PACKETS {
        match timeout(RESEND_AFTER, socket.recv(&mut packet)).await {
            Ok(length) => {
                if let Some(report) = read(packet.get(..length?).unwrap_or_default()) {
                    return Ok(report);
                }
            }
            Err(_) => {
                socket.send(question).await?;
            }
        }
    }
    Err(silent())
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
