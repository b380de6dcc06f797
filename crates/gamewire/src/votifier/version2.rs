//! Version 2: a frame whose signature covers the listener's challenge, and the listener's reply.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::Vote;

/// The first two bytes of a frame.
const MAGIC: u16 = 0x733a;

/// The longest message a listener reads.
const LONGEST_MESSAGE: usize = 1024;

#[derive(Serialize)]
struct Payload<'a> {
    #[serde(flatten)]
    vote: &'a Vote<'a>,
    challenge: &'a str,
}

#[derive(Serialize)]
struct Message {
    payload: String,
    signature: String,
}

/// Why a listener refused a vote, or why its reply cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The listener has another token for this site.
    #[error("wrong token")]
    Token,
    /// The challenge is not that of this connection: a proxy may have mixed up connections.
    #[error("wrong challenge")]
    Challenge,
    /// The nickname is longer than the listener takes.
    #[error("nickname too long")]
    NameTooLong,
    /// The message is longer than the listener reads.
    #[error("message too long")]
    MessageTooLong,
    /// Another reason, with the listener's text.
    #[error("listener refused: {0}")]
    Other(String),
    /// The listener's answer is not a valid reply.
    #[error("reply unreadable")]
    Unreadable,
}

/// The frame that carries the vote.
///
/// # Errors
/// [`ReplyError::MessageTooLong`] for a frame that the listener would refuse.
pub fn frame(vote: &Vote<'_>, challenge: &str, token: &str) -> Result<Vec<u8>, ReplyError> {
    let json = |error: serde_json::Error| ReplyError::Other(error.to_string());
    let payload = serde_json::to_string(&Payload { vote, challenge }).map_err(json)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes())
        .map_err(|error| ReplyError::Other(error.to_string()))?;
    mac.update(payload.as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    let message = serde_json::to_vec(&Message { payload, signature }).map_err(json)?;
    let length = u16::try_from(message.len())
        .ok()
        .filter(|length| usize::from(*length) <= LONGEST_MESSAGE)
        .ok_or(ReplyError::MessageTooLong)?;
    Ok([&MAGIC.to_be_bytes()[..], &length.to_be_bytes(), &message].concat())
}

#[derive(Deserialize)]
struct Reply {
    status: String,
    #[serde(default)]
    cause: String,
    /// NuVotifier's name of this field; some descriptions of the protocol call it `errorMessage`.
    #[serde(default, alias = "errorMessage")]
    error: String,
}

/// Parses a listener's reply, without its line break.
pub fn reply(line: &[u8]) -> Result<(), ReplyError> {
    let reply: Reply = serde_json::from_slice(line).map_err(|_| ReplyError::Unreadable)?;
    if reply.status == "ok" {
        return Ok(());
    }
    let Reply { cause, error, .. } = reply;
    let contains = |words: &str| error.to_ascii_lowercase().contains(words);
    Err(if contains("signature is not valid") || contains("unknown service") {
        ReplyError::Token
    } else if contains("challenge is not valid") {
        ReplyError::Challenge
    } else if contains("username too long") {
        ReplyError::NameTooLong
    } else if contains("frame length exceeds") {
        ReplyError::MessageTooLong
    } else {
        let words = if error.is_empty() { cause } else { error };
        ReplyError::Other(
            words.chars().filter(|character| !character.is_control()).take(200).collect(),
        )
    })
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    const VOTE: Vote<'static> = Vote {
        service_name: "votes.example",
        username: "Ada",
        address: "0.0.0.0",
        timestamp: 1_700_000_000_000,
    };

    #[test]
    fn frame_contains_magic_length_and_signed_payload() {
        let frame = frame(&VOTE, "abc", "the token").expect("a frame");
        assert_eq!(frame[..2], [0x73, 0x3a]);
        assert_eq!(usize::from(u16::from_be_bytes([frame[2], frame[3]])), frame.len() - 4);
        let message: Value = serde_json::from_slice(&frame[4..]).expect("JSON");
        let payload = message["payload"].as_str().expect("text");
        assert_eq!(
            payload,
            r#"{"serviceName":"votes.example","username":"Ada","address":"0.0.0.0","timestamp":1700000000000,"challenge":"abc"}"#
        );
        let mut mac = Hmac::<Sha256>::new_from_slice(b"the token").expect("a key");
        mac.update(payload.as_bytes());
        let signature = STANDARD.decode(message["signature"].as_str().expect("text"));
        mac.verify_slice(&signature.expect("base64")).expect("the signature");
    }

    #[test]
    fn oversized_votes_are_not_sent() {
        let long = "x".repeat(1000);
        let vote = Vote { username: &long, ..VOTE };
        assert_eq!(frame(&vote, "abc", "token"), Err(ReplyError::MessageTooLong));
    }

    /// The replies were recorded from NuVotifier.
    #[test]
    fn nuvotifier_replies_map_to_their_errors() {
        let error = |cause: &str, words: &str| {
            format!(r#"{{"status":"error","cause":"{cause}","error":"{words}"}}"#)
        };
        let table = [
            (r#"{"status":"ok"}"#.to_owned(), Ok(())),
            (
                error("CorruptedFrameException", "Signature is not valid (invalid token?)"),
                Err(ReplyError::Token),
            ),
            (
                error("CorruptedFrameException", "Challenge is not valid"),
                Err(ReplyError::Challenge),
            ),
            (error("IllegalArgumentException", "Username too long"), Err(ReplyError::NameTooLong)),
            (
                error(
                    "TooLongFrameException",
                    "Adjusted frame length exceeds 1024: 1154 - discarded",
                ),
                Err(ReplyError::MessageTooLong),
            ),
            (
                error("DecoderException", "java.lang.IllegalArgumentException"),
                Err(ReplyError::Other("java.lang.IllegalArgumentException".to_owned())),
            ),
            (
                r#"{"status":"error","cause":"NullPointerException"}"#.to_owned(),
                Err(ReplyError::Other("NullPointerException".to_owned())),
            ),
            ("HTTP/1.1 400 Bad Request".to_owned(), Err(ReplyError::Unreadable)),
            (String::new(), Err(ReplyError::Unreadable)),
        ];
        for (line, expected) in table {
            assert_eq!(reply(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn random_replies_never_panic() {
        let bytes = proptest::collection::vec(any::<u8>(), 0..300);
        property_test(
            "votifier replies",
            (bytes, ".{0,20}", ".{0,400}"),
            |(bytes, status, words)| {
                let _ = reply(&bytes);
                let answer = serde_json::json!({ "status": status, "error": words }).to_string();
                if let Err(ReplyError::Other(message)) = reply(answer.as_bytes()) {
                    assert!(message.chars().count() <= 200 && !message.contains('\n'));
                }
            },
        );
    }

    #[test]
    fn random_votes_fit_a_listener_or_are_refused() {
        let inputs = (".{0,400}", ".{0,100}", ".{0,64}");
        property_test("votifier frames", inputs, |(name, challenge, token)| {
            if let Ok(frame) = frame(&Vote { username: &name, ..VOTE }, &challenge, &token) {
                assert!(frame.len() <= LONGEST_MESSAGE + 4);
            }
        });
    }
}
