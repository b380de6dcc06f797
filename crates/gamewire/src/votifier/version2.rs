//! Version 2: a frame signed over the challenge, and the reply.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::Vote;

/// What a frame begins with.
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

/// What a listener refuses a frame with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyFault {
    /// The token is not the one this site has there.
    #[error("the token is wrong")]
    Token,
    /// The challenge is not the one of this connection: something between us mixes connections up.
    #[error("the challenge is wrong")]
    Challenge,
    /// The nickname is longer than the listener takes.
    #[error("the nickname is too long")]
    NameTooLong,
    /// The message is longer than the listener reads.
    #[error("the message is too long")]
    MessageTooLong,
    /// Something else, in the listener's own words.
    #[error("the listener refuses: {0}")]
    Other(String),
    /// What came is no reply.
    #[error("the reply cannot be read")]
    Unreadable,
}

/// The vote as it is sent.
///
/// # Errors
/// [`ReplyFault::MessageTooLong`], which the listener would say.
pub fn frame(vote: &Vote<'_>, challenge: &str, token: &str) -> Result<Vec<u8>, ReplyFault> {
    let json = |error: serde_json::Error| ReplyFault::Other(error.to_string());
    let payload = serde_json::to_string(&Payload { vote, challenge }).map_err(json)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes())
        .map_err(|error| ReplyFault::Other(error.to_string()))?;
    mac.update(payload.as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    let message = serde_json::to_vec(&Message { payload, signature }).map_err(json)?;
    let length = u16::try_from(message.len())
        .ok()
        .filter(|length| usize::from(*length) <= LONGEST_MESSAGE)
        .ok_or(ReplyFault::MessageTooLong)?;
    Ok([&MAGIC.to_be_bytes()[..], &length.to_be_bytes(), &message].concat())
}

#[derive(Deserialize)]
struct Reply {
    status: String,
    #[serde(default)]
    cause: String,
    /// What NuVotifier calls it; some descriptions of the protocol say `errorMessage`.
    #[serde(default, alias = "errorMessage")]
    error: String,
}

/// Reads what a listener answered, without the end of its line.
///
/// # Errors
/// Why the vote was not taken.
pub fn reply(line: &[u8]) -> Result<(), ReplyFault> {
    let reply: Reply = serde_json::from_slice(line).map_err(|_| ReplyFault::Unreadable)?;
    if reply.status == "ok" {
        return Ok(());
    }
    let Reply { cause, error, .. } = reply;
    let says = |words: &str| error.to_ascii_lowercase().contains(words);
    Err(if says("signature is not valid") || says("unknown service") {
        ReplyFault::Token
    } else if says("challenge is not valid") {
        ReplyFault::Challenge
    } else if says("username too long") {
        ReplyFault::NameTooLong
    } else if says("frame length exceeds") {
        ReplyFault::MessageTooLong
    } else {
        let words = if error.is_empty() { cause } else { error };
        ReplyFault::Other(words.chars().filter(|letter| !letter.is_control()).take(200).collect())
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
    fn a_frame_is_magic_length_and_a_signed_payload() {
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
    fn what_no_listener_would_read_is_not_sent() {
        let long = "x".repeat(1000);
        let vote = Vote { username: &long, ..VOTE };
        assert_eq!(frame(&vote, "abc", "token"), Err(ReplyFault::MessageTooLong));
    }

    /// As a real NuVotifier answered.
    #[test]
    fn the_replies_of_a_real_listener_are_told_apart() {
        let error = |cause: &str, words: &str| {
            format!(r#"{{"status":"error","cause":"{cause}","error":"{words}"}}"#)
        };
        let table = [
            (r#"{"status":"ok"}"#.to_owned(), Ok(())),
            (
                error("CorruptedFrameException", "Signature is not valid (invalid token?)"),
                Err(ReplyFault::Token),
            ),
            (
                error("CorruptedFrameException", "Challenge is not valid"),
                Err(ReplyFault::Challenge),
            ),
            (error("IllegalArgumentException", "Username too long"), Err(ReplyFault::NameTooLong)),
            (
                error(
                    "TooLongFrameException",
                    "Adjusted frame length exceeds 1024: 1154 - discarded",
                ),
                Err(ReplyFault::MessageTooLong),
            ),
            (
                error("DecoderException", "java.lang.IllegalArgumentException"),
                Err(ReplyFault::Other("java.lang.IllegalArgumentException".to_owned())),
            ),
            (
                r#"{"status":"error","cause":"NullPointerException"}"#.to_owned(),
                Err(ReplyFault::Other("NullPointerException".to_owned())),
            ),
            ("HTTP/1.1 400 Bad Request".to_owned(), Err(ReplyFault::Unreadable)),
            (String::new(), Err(ReplyFault::Unreadable)),
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
                let said = serde_json::json!({ "status": status, "error": words }).to_string();
                if let Err(ReplyFault::Other(told)) = reply(said.as_bytes()) {
                    assert!(told.chars().count() <= 200 && !told.contains('\n'));
                }
            },
        );
    }

    #[test]
    fn random_votes_fit_a_listener_or_are_refused() {
        let said = (".{0,400}", ".{0,100}", ".{0,64}");
        property_test("votifier frames", said, |(name, challenge, token)| {
            if let Ok(frame) = frame(&Vote { username: &name, ..VOTE }, &challenge, &token) {
                assert!(frame.len() <= LONGEST_MESSAGE + 4);
            }
        });
    }
}
