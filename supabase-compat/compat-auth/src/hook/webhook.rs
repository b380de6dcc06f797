//! Calling a hook by HTTP according to Standard Webhooks.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_http::{EgressPolicy, OutgoingError, OutgoingResponse};
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretSlice};
use serde_json::Value;
use sha2::Sha256;
use uuid::Uuid;

use crate::state::State;

/// The timeout of all attempts together, as in the original.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The number of attempts for temporary failures.
const TRIES: u32 = 3;

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// The largest response that is read.
const MAX_ANSWER: usize = 200 << 10;

/// Calls the endpoint with a signature for every secret; retries temporary failures.
///
/// # Errors
/// There was no JSON response in time.
pub async fn ask(
    state: &State,
    url: &str,
    secrets: &[SecretSlice<u8>],
    payload: &Value,
) -> Result<Value, OutgoingError> {
    let (id, now, body) = (state.uuid(), state.environment.clock.unix(), payload.to_string());
    let signatures: Vec<String> =
        secrets.iter().map(|secret| signature(secret, id, now, &body)).collect();
    // Every attempt has the same `webhook-id`, by which receivers recognise a repetition.
    let post = || {
        let request =
            state.environment.outgoing.post(EgressPolicy::Trusted, url).at_most(MAX_ANSWER);
        request
            .header("content-type", "application/json")
            .header("webhook-id", &id.to_string())
            .header("webhook-timestamp", &now.to_string())
            .header("webhook-signature", &signatures.join(" "))
            .body(body.clone())
            .send()
    };
    let call = async {
        for _ in 1..TRIES {
            let answer = post().await;
            if !may_be_better_later(&answer) {
                return hook_response(answer?);
            }
            tokio::time::sleep(PAUSE).await;
        }
        hook_response(post().await?)
    };
    tokio::time::timeout(TIMEOUT, call).await.map_err(|_| OutgoingError::TimedOut)?
}

fn may_be_better_later(answer: &Result<OutgoingResponse, OutgoingError>) -> bool {
    match answer {
        Ok(answer) => matches!(answer.status.as_u16(), 429 | 503),
        Err(error) => matches!(error, OutgoingError::Http(_) | OutgoingError::TimedOut),
    }
}

/// A hook responds with JSON and any success status, or with 204 and no body; other statuses are
/// failures.
fn hook_response(answer: OutgoingResponse) -> Result<Value, OutgoingError> {
    if answer.status.as_u16() == 204 {
        return Ok(Value::Null);
    }
    answer.success()?.json()
}

fn signature(secret: &SecretSlice<u8>, id: Uuid, now: i64, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.expose_secret()) else {
        return String::new();
    };
    mac.update(format!("{id}.{now}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}
