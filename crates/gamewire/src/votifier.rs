//! Votifier, the protocol that sends votes to the listener of a game server, in both versions in
//! use.
//!
//! The listener greets first, and the greeting names the version. Version 1 takes one block
//! encrypted with the listener's RSA key and answers nothing; version 2 takes a frame signed with a
//! shared token over the greeting's challenge, and answers. Sources: vexsoftware/votifier
//! `VoteReceiver.java`, NuVotifier's `VotifierProtocol2Decoder` and `VotifierProtocol2VoteDecoder`.

mod version1;
mod version2;

use serde::Serialize;

pub use version1::{BLOCK, BlockError, ListenerKey};
pub use version2::{ReplyError, frame, reply};

/// The longest greeting that is read: a listener's is about 40 bytes.
pub const LONGEST_GREETING: usize = 256;

/// The longest reply that is read.
pub const LONGEST_REPLY: usize = 4096;

/// The longest nickname that listeners take; they refuse the vote of a longer one.
pub const LONGEST_NICKNAME: usize = 16;

/// A vote as a listener receives it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Vote<'a> {
    /// The domain of the site on which the vote was cast; plugins choose the reward by it.
    pub service_name: &'a str,
    /// The voter's nickname.
    pub username: &'a str,
    /// The voter's IP address, or a placeholder for it.
    pub address: &'a str,
    /// Milliseconds since 1970.
    pub timestamp: i64,
}

/// A listener's protocol version, from its greeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Greeting {
    /// `VOTIFIER 1.x`.
    Version1,
    /// `VOTIFIER 2 <challenge>`; most such listeners accept version 1 on the same port, too.
    Version2 {
        /// The text that the vote has to repeat.
        challenge: String,
    },
}

/// Parses a listener's first line, without its line break; `None` when it is not a greeting.
pub fn greeting(line: &[u8]) -> Option<Greeting> {
    let line = std::str::from_utf8(line).ok()?.trim_end_matches('\r');
    let rest = line.strip_prefix("VOTIFIER ")?;
    let mut words = rest.split(' ');
    let (version, challenge) = (words.next()?, words.next());
    if words.next().is_some() {
        return None;
    }
    match (version.split('.').next()?, challenge) {
        ("1", None) => Some(Greeting::Version1),
        ("2", Some(challenge)) if !challenge.is_empty() => {
            Some(Greeting::Version2 { challenge: challenge.to_owned() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_greeting_names_the_version() {
        let table: [(&str, Option<Greeting>); 10] = [
            ("VOTIFIER 1.9", Some(Greeting::Version1)),
            ("VOTIFIER 1", Some(Greeting::Version1)),
            ("VOTIFIER 1.9\r", Some(Greeting::Version1)),
            (
                "VOTIFIER 2 5h0cu5ai6d3mmvbfgrpntr64a8",
                Some(Greeting::Version2 { challenge: "5h0cu5ai6d3mmvbfgrpntr64a8".to_owned() }),
            ),
            ("VOTIFIER 2", None),
            ("VOTIFIER 2 ", None),
            ("VOTIFIER 2 a b", None),
            ("VOTIFIER 3 a", None),
            ("SSH-2.0-OpenSSH_9.6", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(greeting(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn random_first_lines_never_panic() {
        let lines = prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..400),
            "VOTIFIER [12]?[ .a-z0-9\r]{0,40}".prop_map(String::into_bytes),
        ];
        property_test("votifier greetings", lines, |line| {
            let _ = greeting(&line);
        });
    }
}
