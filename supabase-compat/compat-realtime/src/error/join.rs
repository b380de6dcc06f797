//! Refused joins: `{"reason":"Code: text"}`.

use crate::error::KeyRefusal;

/// Why a channel is not joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinRefusal {
    /// No policy lets the caller read the channel.
    #[error("Unauthorized: You do not have permissions to read from this Channel topic: {0}")]
    Unauthorized(String),
    /// The token is refused.
    #[error("{code}: {0}", code = .0.code())]
    Token(#[from] KeyRefusal),
    /// The topic has no name after `realtime:`, or does not begin with it.
    #[error("TopicNameRequired: You must provide a topic name")]
    NoTopic,
    /// The socket has reached its limit of channels.
    #[error("ChannelRateLimitReached: Too many channels")]
    TooManyChannels,
    /// The client joins too often; its socket is closed, too.
    #[error("ClientJoinRateLimitReached: Too many joins per second")]
    TooManyJoins,
    /// The join payload is too long to be kept.
    #[error("InvalidJoinPayload: The join is too large")]
    TooLarge,
    /// The join asks for more bindings of changes than a channel may have.
    #[error("InvalidJoinPayload: Too many bindings of postgres_changes")]
    TooManyBindings,
    /// Public channels are off.
    #[error("PrivateOnly: This project only allows private channels")]
    PrivateOnly,
    /// The parameters in `broadcast.replay` are not valid.
    #[error("UnableToReplayMessages: Replay params are not valid")]
    ReplayParameters,
    /// A public channel has no stored messages to replay.
    #[error("UnableToReplayMessages: Replay is not allowed for public channels")]
    ReplayOfPublic,
    /// The stored messages could not be read.
    #[error("UnableToReplayMessages: Realtime was unable to replay messages")]
    Replay,
    /// The database could not be asked for the caller's rights.
    #[error("Realtime was unable to connect to the project database")]
    Database,
    /// The join waits for its changes of tables, but the subscription took too long.
    #[error("PostgresChangesSubscribeTimeout: Timed out while subscribing to changes")]
    ChangesTimeout,
    /// The join waits for its changes of tables, but the subscription failed; holds the reason.
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
