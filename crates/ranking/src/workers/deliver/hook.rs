//! Sends one request to a webhook.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use compat_http::{
    EgressPolicy, OutgoingError, OutgoingRequest, OutgoingResponse, ServiceEnvironment,
};

use crate::model::delivery::{Attempt, DeliveryError, Format, Hook, PendingDelivery, brief};
use crate::model::webhook_message as message;

/// The timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(8);

/// The longest response in bytes, and the length to which request and response are truncated in the
/// log.
const MAX_ANSWER: usize = 64 << 10;
const KEPT: usize = 2_000;

/// Sends a delivery to a webhook, with the receipt of the vote if it has one. Success is any status
/// of 200 to 299; redirects are not followed.
pub(super) async fn call(
    environment: &ServiceEnvironment,
    hook: &Hook,
    pending: &PendingDelivery,
    receipt: Option<&str>,
) -> Attempt {
    let (request, request_text) = request(environment, hook, pending, receipt);
    let request = request.header("user-agent", "Palmares-Webhook/1");
    let response = request.within(TIMEOUT).at_most(MAX_ANSWER).send().await;
    let request = brief(&request_text, KEPT);
    match response {
        Ok(answer) => Attempt {
            outcome: outcome_of(&answer),
            request,
            answer_status: Some(answer.status.as_u16()),
            answer: Some(brief(&String::from_utf8_lossy(&answer.body), KEPT)),
        },
        Err(error) => {
            Attempt { outcome: Err(fault(&error)), request, answer_status: None, answer: None }
        }
    }
}

/// The request, and its text for the log without the secret parts of the URL and the headers.
fn request(
    environment: &ServiceEnvironment,
    hook: &Hook,
    pending: &PendingDelivery,
    receipt: Option<&str>,
) -> (OutgoingRequest, String) {
    let now = environment.clock.now();
    let (id, at) = (pending.id.to_string(), now.timestamp().to_string());
    match hook.format {
        Format::Json => {
            let body = message::body(pending, receipt);
            let request_text = format!(
                "POST {}\nwebhook-event: {}\nwebhook-id: {id}\nwebhook-timestamp: {at}\n\
                 webhook-signature: …\n\n{body}",
                origin_of(&hook.url),
                pending.event
            );
            let signature = message::signatures(hook, pending, now, &body);
            let request = environment
                .outgoing
                .post(EgressPolicy::PublicOnly, &hook.url)
                .header("content-type", "application/json")
                .header("webhook-event", &pending.event)
                .header("webhook-id", &id)
                .header("webhook-timestamp", &at)
                .header("webhook-signature", &signature)
                .body(body);
            (request, request_text)
        }
        // Whoever knows the path of a Discord webhook can post to it: the log shows the origin.
        Format::Discord => {
            let body =
                message::discord(pending, hook.language, &environment.public_url).to_string();
            let request_text = format!("POST {}\n\n{body}", origin_of(&hook.url));
            let request = environment.outgoing.post(EgressPolicy::PublicOnly, &hook.url);
            (request.header("content-type", "application/json").body(body), request_text)
        }
        Format::Postback => {
            let address = message::postback(hook, pending, &hook.secret);
            let request_text = format!("GET {}", message::postback(hook, pending, "***"));
            (
                environment
                    .outgoing
                    .get(EgressPolicy::PublicOnly, &address)
                    .header("webhook-id", &id),
                request_text,
            )
        }
    }
}

/// A URL without its path, which may be secret.
fn origin_of(url: &str) -> String {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    format!("{}{}", &url[..end], if end < url.len() { "/…" } else { "" })
}

fn outcome_of(answer: &OutgoingResponse) -> Result<bool, DeliveryError> {
    match answer.status.as_u16() {
        200..=299 => Ok(true),
        300..=399 => Err(DeliveryError::Redirected),
        410 => Err(DeliveryError::Gone),
        status => Err(DeliveryError::Status(status)),
    }
}

/// The delivery error for a failed outgoing call.
pub(super) fn fault(error: &OutgoingError) -> DeliveryError {
    match error {
        OutgoingError::NoAddress => DeliveryError::BadAddress,
        OutgoingError::NotPublic => DeliveryError::NotPublic,
        OutgoingError::NoSuchName => DeliveryError::NameNotFound,
        OutgoingError::TimedOut => DeliveryError::TimedOut,
        OutgoingError::TooLong { .. } => DeliveryError::AnswerTooLong,
        OutgoingError::Socket(error) => of_socket(error),
        _ => {
            let mut cause = error.source();
            while let Some(inner) = cause {
                if let Some(error) = inner.downcast_ref::<io::Error>() {
                    return of_socket(error);
                }
                cause = inner.source();
            }
            DeliveryError::Unreachable
        }
    }
}

fn of_socket(error: &io::Error) -> DeliveryError {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => DeliveryError::Refused,
        io::ErrorKind::TimedOut => DeliveryError::TimedOut,
        _ => DeliveryError::Unreachable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webhook_log_shows_only_the_origin() {
        assert_eq!(origin_of("https://h.example/api/webhooks/1/secret"), "https://h.example/…");
        assert_eq!(origin_of("https://h.example:444?token=x"), "https://h.example:444/…");
        assert_eq!(origin_of("https://h.example"), "https://h.example");
    }
}
