//! Push messages to browsers: RFC 8030, encrypted as in RFC 8291, and signed as in RFC 8292 so that
//! the push service can identify the site.
//!
//! Existing crates bring an HTTP client of their own, a second stack of the same curves and their
//! own clock and randomness, so the protocol is implemented here; the curve, the cipher, the
//! derivation and the token are libraries. This module does not know what a message says.

mod encryption;
mod vapid;

use std::time::Duration;

use compat_http::{EgressPolicy, OutgoingError, ServiceEnvironment};
use http::StatusCode;

pub(crate) use encryption::Recipient;
pub(crate) use vapid::Vapid;

/// How long a push service keeps a message for a browser that is offline.
const TTL: Duration = Duration::from_secs(60 * 60);

/// The longest response that is read, in bytes.
const LONGEST_ANSWER: usize = 16 << 10;

/// The result of sending a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PushOutcome {
    /// The push service accepted the message.
    Accepted,
    /// The subscription no longer exists.
    Gone,
    /// The message will never be accepted: the URL is not reachable by policy, or the service
    /// refuses the message.
    Refused(String),
    /// Sending failed, but a retry may succeed.
    Failed(String),
}

/// Sends a message to the endpoint in a subscription. The endpoint is untrusted input.
pub(crate) async fn send(
    environment: &ServiceEnvironment,
    vapid: &Vapid,
    endpoint: &str,
    to: &Recipient,
    message: &[u8],
) -> PushOutcome {
    let Some(authorization) =
        vapid.authorization(endpoint, &environment.public_url, environment.clock.now())
    else {
        return PushOutcome::Refused("the endpoint is no address".to_owned());
    };
    let request = environment
        .outgoing
        .post(EgressPolicy::PublicOnly, endpoint)
        .header("authorization", &authorization)
        .header("content-encoding", "aes128gcm")
        .header("content-type", "application/octet-stream")
        // A push service refuses a request without it (RFC 8030, section 5.2).
        .header("ttl", &TTL.as_secs().to_string())
        .header("urgency", "normal")
        .body(encryption::encrypt(&environment.entropy, to, message))
        .at_most(LONGEST_ANSWER);
    match request.send().await {
        Ok(answer) => outcome_of(answer.status),
        Err(error @ (OutgoingError::NotPublic | OutgoingError::NoAddress)) => {
            PushOutcome::Refused(error.to_string())
        }
        Err(error) => PushOutcome::Failed(error.to_string()),
    }
}

/// The outcome for a status, by RFC 8030, sections 5 and 7.3, and by the practice of the services
/// in use.
fn outcome_of(status: StatusCode) -> PushOutcome {
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => PushOutcome::Gone,
        status if status.is_success() => PushOutcome::Accepted,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            PushOutcome::Failed(status.to_string())
        }
        status if status.is_client_error() || status.is_redirection() => {
            PushOutcome::Refused(status.to_string())
        }
        status => PushOutcome::Failed(status.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_status_codes_map_to_their_outcomes() {
        let judged = |code: u16| outcome_of(StatusCode::from_u16(code).expect("a status"));
        assert_eq!([judged(404), judged(410)], [PushOutcome::Gone, PushOutcome::Gone]);
        assert_eq!(
            [judged(200), judged(201), judged(202)],
            [(); 3].map(|()| PushOutcome::Accepted)
        );
        assert!(
            matches!(judged(429), PushOutcome::Failed(_))
                && matches!(judged(503), PushOutcome::Failed(_))
        );
        assert!(
            matches!(judged(403), PushOutcome::Refused(_))
                && matches!(judged(301), PushOutcome::Refused(_))
        );
    }
}
