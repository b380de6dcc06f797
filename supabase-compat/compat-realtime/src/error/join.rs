//! Refused joins: `{"reason":"Code: text"}`.

use crate::error::KeyRefusal;

/// A channel that is not joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinRefusal {
    /// No policy lets the caller read the channel.
    #[error("Unauthorized: You do not have permissions to read from this Channel topic: {0}")]
    Unauthorized(String),
    /// The token.
    #[error("{code}: {0}", code = .0.code())]
    Token(#[from] KeyRefusal),
    /// The topic is `realtime:` and nothing more, or does not begin so.
    #[error("TopicNameRequired: You must provide a topic name")]
    NoTopic,
    /// The socket has as many channels as it may have.
    #[error("ChannelRateLimitReached: Too many channels")]
    TooManyChannels,
    /// Too many joins; the socket is closed, too.
    #[error("ClientJoinRateLimitReached: Too many joins per second")]
    TooManyJoins,
    /// What it says is longer than a channel may keep.
    #[error("InvalidJoinPayload: The join is too large")]
    TooLarge,
    /// It asks for more bindings of changes than a channel may have.
    #[error("InvalidJoinPayload: Too many bindings of postgres_changes")]
    TooManyBindings,
    /// Public channels are off.
    #[error("PrivateOnly: This project only allows private channels")]
    PrivateOnly,
    /// `broadcast.replay` is not what it has to be.
    #[error("UnableToReplayMessages: Replay params are not valid")]
    ReplayParameters,
    /// A public channel has no past.
    #[error("UnableToReplayMessages: Replay is not allowed for public channels")]
    ReplayOfPublic,
    /// The past could not be read.
    #[error("UnableToReplayMessages: Realtime was unable to replay messages")]
    Replay,
    /// Rights could not be asked for.
    #[error("Realtime was unable to connect to the project database")]
    Database,
    /// The caller waits for changes of tables, and they did not come to be in time.
    #[error("PostgresChangesSubscribeTimeout: Timed out while subscribing to changes")]
    ChangesTimeout,
    /// The caller waits for changes of tables, which cannot be had; says why.
    #[error("RealtimeDisabledForConfiguration: {0}")]
    Changes(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_join_refusal_has_code_and_text() {
        for (refusal, text) in [
            (
                JoinRefusal::Unauthorized("a:b".to_owned()),
                "Unauthorized: You do not have permissions to read from this Channel topic: a:b",
            ),
            (
                JoinRefusal::Token(KeyRefusal::Expired(4)),
                "InvalidJWTToken: Token has expired 4 seconds ago",
            ),
            (JoinRefusal::NoTopic, "TopicNameRequired: You must provide a topic name"),
            (JoinRefusal::TooManyChannels, "ChannelRateLimitReached: Too many channels"),
            (JoinRefusal::TooManyJoins, "ClientJoinRateLimitReached: Too many joins per second"),
            (JoinRefusal::TooLarge, "InvalidJoinPayload: The join is too large"),
            (
                JoinRefusal::TooManyBindings,
                "InvalidJoinPayload: Too many bindings of postgres_changes",
            ),
            (JoinRefusal::PrivateOnly, "PrivateOnly: This project only allows private channels"),
            (JoinRefusal::ReplayParameters, "UnableToReplayMessages: Replay params are not valid"),
            (
                JoinRefusal::ReplayOfPublic,
                "UnableToReplayMessages: Replay is not allowed for public channels",
            ),
            (JoinRefusal::Replay, "UnableToReplayMessages: Realtime was unable to replay messages"),
            (JoinRefusal::Database, "Realtime was unable to connect to the project database"),
            (
                JoinRefusal::ChangesTimeout,
                "PostgresChangesSubscribeTimeout: Timed out while subscribing to changes",
            ),
            (JoinRefusal::Changes("no".to_owned()), "RealtimeDisabledForConfiguration: no"),
        ] {
            assert_eq!(refusal.to_string(), text);
        }
    }
}
