//! Sends one vote to a Votifier listener. The greeting says which protocol version it speaks.

use std::time::Duration;

use compat_http::{EgressPolicy, Outgoing, OutgoingError, ServiceEnvironment};
use gamewire::status::minecraft::SERVICE;
use gamewire::votifier::{
    BlockError, Greeting, LONGEST_GREETING, LONGEST_REPLY, ListenerKey, ReplyError, Vote, frame,
    greeting, reply,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::hook;
use crate::model::delivery::{Attempt, DeliveryError, Listener, PendingDelivery, brief};

/// The timeout of each of the connection, the greeting and the reply.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How long a version 1 listener, which sends no reply, may take to close the connection.
const FAREWELL: Duration = Duration::from_secs(1);

/// Replaces the voter's address, which is not stored.
const NO_ADDRESS: &str = "0.0.0.0";

/// Sends a vote to a listener.
pub(super) async fn call(
    environment: &ServiceEnvironment,
    listener: &Listener,
    pending: &PendingDelivery,
) -> Attempt {
    let voted_at = pending.fact("/vote/voted_at").parse().unwrap_or(pending.queued_at);
    let service = service_name(&environment.public_url);
    let vote = Vote {
        service_name: service,
        username: pending.fact("/vote/nickname"),
        address: NO_ADDRESS,
        timestamp: voted_at.timestamp_millis(),
    };
    let mut reply_text = None;
    let outcome = send_vote(environment, listener, &vote, &mut reply_text).await;
    let request = format!(
        "{}:{}\n{}",
        listener.host,
        listener.port,
        serde_json::to_string(&vote).unwrap_or_default()
    );
    Attempt { outcome, request: brief(&request, 2_000), answer_status: None, answer: reply_text }
}

/// The site's plain domain, under which plugins look up their rewards.
fn service_name(public_url: &str) -> &str {
    let rest = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or(rest)
}

async fn send_vote(
    environment: &ServiceEnvironment,
    listener: &Listener,
    vote: &Vote<'_>,
    reply_text: &mut Option<String>,
) -> Result<bool, DeliveryError> {
    let key = filled(listener.public_key.as_deref());
    let token = filled(listener.token.as_deref());
    let port = u16::try_from(listener.port).map_err(|_| DeliveryError::BadAddress)?;
    let dial = dial(&environment.outgoing, &listener.host, port);
    let dialled = timeout(TIMEOUT, dial).await.map_err(|_| DeliveryError::TimedOut)?;
    let mut stream = dialled.map_err(|error| hook::fault(&error))?;
    let line = first_line(&mut stream).await?;
    *reply_text = Some(brief(&String::from_utf8_lossy(&line), 300));
    let greeting = greeting(&line).ok_or(DeliveryError::NotVotifier)?;
    match (&*listener.protocol, greeting, token, key) {
        ("v1", _, _, Some(key))
        | ("auto", Greeting::Version1, _, Some(key))
        // The same port accepts the older version too.
        | ("auto", Greeting::Version2 { .. }, None, Some(key)) => {
            version1(stream, vote, key).await
        }
        ("v1", ..) | (_, Greeting::Version1, ..) => Err(DeliveryError::NeedsKey),
        (_, Greeting::Version2 { .. }, None, _) => Err(DeliveryError::NeedsToken),
        (_, Greeting::Version2 { challenge }, Some(token), _) => {
            version2(stream, vote, &challenge, token, reply_text).await
        }
    }
}

/// Connects to a host. A name without an address may have an SRV record for its game, whose machine
/// is used then.
async fn dial(outgoing: &Outgoing, host: &str, port: u16) -> Result<TcpStream, OutgoingError> {
    match outgoing.tcp(EgressPolicy::PublicOnly, host, port).await {
        Err(OutgoingError::NoSuchName) => match outgoing.service(SERVICE, host).await {
            Some((host, _)) => outgoing.tcp(EgressPolicy::PublicOnly, &host, port).await,
            None => Err(OutgoingError::NoSuchName),
        },
        dialled => dialled,
    }
}

fn filled(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Sends a vote in version 1, which has no reply.
async fn version1(
    mut stream: TcpStream,
    vote: &Vote<'_>,
    key: &str,
) -> Result<bool, DeliveryError> {
    let block = ListenerKey::parse(key).and_then(|key| key.block(vote));
    let block = block.map_err(|fault| match fault {
        BlockError::Key => DeliveryError::BadKey,
        BlockError::TooLong => DeliveryError::MessageTooLong,
    })?;
    write(&mut stream, &block).await?;
    let _ = timeout(FAREWELL, stream.read(&mut [0; 1])).await;
    Ok(false)
}

async fn version2(
    mut stream: TcpStream,
    vote: &Vote<'_>,
    challenge: &str,
    token: &str,
    reply_text: &mut Option<String>,
) -> Result<bool, DeliveryError> {
    let frame = frame(vote, challenge, token).map_err(|fault| of_reply(&fault))?;
    write(&mut stream, &frame).await?;
    let line = line(&mut stream, LONGEST_REPLY).await.line;
    if line.is_empty() {
        return Err(DeliveryError::NoReply);
    }
    *reply_text = Some(brief(&String::from_utf8_lossy(&line), 1_000));
    reply(&line).map(|()| true).map_err(|fault| of_reply(&fault))
}

fn of_reply(fault: &ReplyError) -> DeliveryError {
    match fault {
        ReplyError::Token => DeliveryError::WrongToken,
        ReplyError::Challenge => DeliveryError::WrongChallenge,
        ReplyError::NameTooLong => DeliveryError::NameTooLong,
        ReplyError::MessageTooLong => DeliveryError::MessageTooLong,
        ReplyError::Other(_) => DeliveryError::ListenerRefused,
        ReplyError::Unreadable => DeliveryError::BadReply,
    }
}

async fn write(stream: &mut TcpStream, bytes: &[u8]) -> Result<(), DeliveryError> {
    let result = timeout(TIMEOUT, stream.write_all(bytes)).await;
    result.map_err(|_| DeliveryError::TimedOut)?.map_err(|_| DeliveryError::Closed)
}

/// Reads the greeting. A timeout means another kind of port, such as the game's own, which waits
/// for the client.
async fn first_line(stream: &mut TcpStream) -> Result<Vec<u8>, DeliveryError> {
    match line(stream, LONGEST_GREETING).await {
        ReceivedLine { line, end: LineEnd::TimedOut } if line.is_empty() => {
            Err(DeliveryError::NoGreeting)
        }
        ReceivedLine { line, .. } if line.is_empty() => Err(DeliveryError::Closed),
        ReceivedLine { line, .. } => Ok(line),
    }
}

struct ReceivedLine {
    /// The text without the line ending.
    line: Vec<u8>,
    end: LineEnd,
}

#[derive(PartialEq, Eq)]
enum LineEnd {
    /// A line ending, a closed connection, or the length limit.
    Complete,
    TimedOut,
}

/// Reads a line, up to the timeout and the length limit.
async fn line(stream: &mut TcpStream, longest: usize) -> ReceivedLine {
    let mut line = Vec::new();
    let read = timeout(TIMEOUT, async {
        let mut piece = [0; 256];
        while line.len() < longest {
            let Ok(count @ 1..) = stream.read(&mut piece).await else { break };
            line.extend_from_slice(&piece[..count]);
            if line.contains(&b'\n') {
                break;
            }
        }
    });
    let end = if read.await.is_ok() { LineEnd::Complete } else { LineEnd::TimedOut };
    line.truncate(longest);
    if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
        line.truncate(end);
    }
    ReceivedLine { line, end }
}
